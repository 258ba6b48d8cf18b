package karmada

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// failure explains a failed request to the person who made it: in the API server's words where it answered, and
// without addresses.
type failure struct {
	model.UserError
	// causes are what is wrong, one by one, where several fields are.
	causes []model.UserError
	// outage says that the API server, not the request, is at fault: other requests would fail, too.
	outage bool
	// broken says that something else is at fault than the request: a webhook, or the API server at this request.
	broken bool
	// unknown says that the write may have been made.
	unknown bool
}

var (
	// The field's path in the API servers' messages about unknown fields and values of the wrong type.
	unknownField = regexp.MustCompile(`unknown field "([^"]+)"`)
	untypedField = regexp.MustCompile(`failed to create typed patch object \(.*?\): (?:errors:\s+)?\.([^:\s]+): `)
	// The webhook, or the owner of a field, in API servers' messages.
	failedWebhook = regexp.MustCompile(`failed calling webhook "([^"]+)"`)
	conflictOwner = regexp.MustCompile(`^conflict with (.+)$`)
	deniedWebhook = regexp.MustCompile(`^admission webhook "[^"]+" denied the request`)
	// What API servers say of a patch that means nothing for the object, with a status 500 as if it were their own fault.
	senselessPatch = regexp.MustCompile(`merge key|unable to find api field|unknown patch type|invalid patch format|strategic merge patch format|expected .+, but (?:received|got)|` +
		`lists of lists|slice of slice|doesn't match|cannot restore|cannot merge lists|merging lists?|special key|list element types|is not a map|unexpected patch strategy|json: cannot unmarshal`)
	// The first field's path in what Karmada's webhooks say.
	deniedField = regexp.MustCompile(`^admission webhook "[^"]+" denied the request: \[?((?:spec|metadata)(?:\.[A-Za-z]+|\[[^\[\]\s]+\])+): `)
)

// maybeMade ends the message of a write whose outcome is unknown.
const maybeMade = "; the change may have been made"

// unwritten marks an error from before any write.
type unwritten struct{ error }

func (u unwritten) Unwrap() error { return u.error }

// explain says what an error of a request to an instance means. The request is assumed to be a write unless the error
// is marked unwritten.
func explain(instance string, err error) failure {
	doubt := maybeMade
	if errors.As(err, new(unwritten)) {
		doubt = ""
	}
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return unreached(instance, err, doubt)
	}
	s := status.Status()
	// API servers and their webhooks quote what they refuse, values of Secrets included.
	if s.Message = redact.Text(s.Message); s.Details != nil && (s.Details.Kind == "Secret" || s.Details.Kind == "secrets") {
		s.Message = redact.AboutSecret(s.Message)
	}
	refused := func(code model.Code, field []string, message string) failure {
		return failure{UserError: model.UserError{Code: string(code), Message: message, Field: field}}
	}
	down := func(code model.Code, format string, args ...any) failure {
		return failure{UserError: model.UserError{Code: string(code), Message: fmt.Sprintf(format, args...)}, outage: true}
	}
	switch {
	case deniedWebhook.MatchString(s.Message):
		// Whatever status a webhook chooses, what it refuses is the content.
		return refused(model.CodeBadUserInput, firstField(s), s.Message)
	case s.Reason == metav1.StatusReasonConflict:
		return conflict(s)
	case s.Reason == metav1.StatusReasonForbidden && strings.Contains(s.Message, "exceeded quota:"):
		return refused(model.CodeLimitExceeded, nil, s.Message)
	case s.Reason == metav1.StatusReasonForbidden:
		return refused(model.CodeForbidden, nil, s.Message)
	case s.Reason == metav1.StatusReasonNotFound:
		return refused(model.CodeNotFound, nil, s.Message)
	case s.Reason == metav1.StatusReasonAlreadyExists:
		return refused(model.CodeConflict, nil, s.Message)
	case s.Reason == metav1.StatusReasonInvalid:
		if f := firstField(s); len(f) == 2 && f[0] == "metadata" && f[1] == "uid" {
			return refused(model.CodeConflict, f, "it is not the object that is meant: "+s.Message)
		}
		out := refused(model.CodeBadUserInput, firstField(s), s.Message)
		out.causes = causes(s)
		return out
	case s.Reason == metav1.StatusReasonRequestEntityTooLarge || s.Code == http.StatusRequestEntityTooLarge:
		return refused(model.CodeLimitExceeded, nil, s.Message)
	case s.Reason == metav1.StatusReasonUnauthorized:
		return down(model.CodeUnavailable, "instance %q refuses Kairship's credential", instance)
	case s.Reason == metav1.StatusReasonTimeout || s.Reason == metav1.StatusReasonServerTimeout || s.Code == http.StatusGatewayTimeout:
		out := down(model.CodeTimeout, "the API server of instance %q ran out of time%s", instance, doubt)
		out.unknown = doubt != ""
		return out
	case s.Code == http.StatusTooManyRequests || s.Code == http.StatusServiceUnavailable || s.Code == http.StatusBadGateway:
		return down(model.CodeUnavailable, "the API server of instance %q is not available", instance)
	}
	if m := failedWebhook.FindStringSubmatch(s.Message); m != nil {
		// Only what that webhook checks is affected.
		out := refused(model.CodeUnavailable, nil, fmt.Sprintf("the webhook %q of instance %q does not answer", m[1], instance))
		out.broken = true
		return out
	}
	if s.Reason == metav1.StatusReasonBadRequest || (s.Code >= 400 && s.Code < 500) ||
		strings.Contains(s.Message, "failed to create typed patch object") || strings.Contains(s.Message, "failed to convert new object") {
		return refused(model.CodeBadUserInput, mentionedField(s.Message), s.Message)
	}
	out := refused(model.CodeUnavailable, nil, fmt.Sprintf("the API server of instance %q failed on it (status %d)", instance, s.Code))
	out.broken = true
	return out
}

// unreached is for errors that are not an API server's answer.
func unreached(instance string, err error, doubt string) failure {
	out := failure{outage: true}
	var timeout net.Error
	var dial *net.OpError
	switch {
	case link.Redirected(err):
		out.Code = string(model.CodeUnavailable)
		out.Message = fmt.Sprintf("the API server of instance %q redirects to another address, which is not followed", instance)
	case errors.Is(err, link.ErrTooLarge):
		out.Code = string(model.CodeUnavailable)
		out.Message = fmt.Sprintf("the API server of instance %q answers with more than is read%s", instance, doubt)
	case errors.Is(err, context.Canceled):
		out.Code, out.Message = string(model.CodeTimeout), "the request was given up"+doubt
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		out.Code = string(model.CodeTimeout)
		out.Message = fmt.Sprintf("the API server of instance %q did not answer in time%s", instance, doubt)
	default:
		if errors.As(err, &dial) && dial.Op == "dial" {
			doubt = "" // nothing was sent
		}
		out.Code = string(model.CodeUnavailable)
		out.Message = fmt.Sprintf("the API server of instance %q cannot be reached%s", instance, doubt)
	}
	out.unknown = strings.HasSuffix(out.Message, maybeMade)
	return out
}

// conflict names the owners of fields, or says that the object is not the one that was meant.
func conflict(s metav1.Status) failure {
	out := failure{UserError: model.UserError{Code: string(model.CodeConflict), Message: s.Message}}
	if s.Details == nil {
		return out
	}
	var owned []string
	for _, c := range s.Details.Causes {
		m := conflictOwner.FindStringSubmatch(c.Message)
		if c.Type != metav1.CauseTypeFieldManagerConflict || m == nil {
			continue
		}
		field := strings.TrimPrefix(c.Field, ".")
		owned = append(owned, fmt.Sprintf("%s is owned by %s", field, m[1]))
		if out.Field == nil {
			out.Field = fieldPath(field)
		}
	}
	if len(owned) > 0 {
		out.Message = strings.Join(owned, "; ") + " (force takes fields over)"
	}
	return out
}

// senseless is the error of a strategic patch as one about the patch, where the API server failed on it because it means nothing for the object.
// What it says of a Secret is left out: it quotes what is there.
func (o *Object) senseless(err error) error {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) {
		return err
	}
	s := status.Status()
	if s.Code != http.StatusInternalServerError || !senselessPatch.MatchString(s.Message) {
		return err
	}
	why := redact.Text(s.Message)
	if o.Ref.GVK.Group == "" && o.Ref.GVK.Kind == "Secret" {
		why = redact.AboutSecret(why)
	}
	return &Refused{UserError: model.UserError{Code: string(model.CodeBadUserInput), Message: "the patch means nothing for the object: " + why}}
}

// maxCauses is how many wrong fields are told one by one.
const maxCauses = 20

// causes are the wrong fields of an object that is invalid; nil unless there are several. Those of a Secret are not told: they quote it.
func causes(s metav1.Status) (out []model.UserError) {
	if s.Details == nil || len(s.Details.Causes) < 2 || s.Details.Kind == "Secret" || s.Details.Kind == "secrets" {
		return nil
	}
	for _, c := range s.Details.Causes {
		if len(out) < maxCauses && c.Field != "" && c.Field != "<nil>" {
			out = append(out, model.UserError{Code: string(model.CodeBadUserInput), Message: c.Field + ": " + redact.Text(c.Message), Field: fieldPath(c.Field)})
		}
	}
	return out
}

func firstField(s metav1.Status) []string {
	if s.Details != nil {
		for _, c := range s.Details.Causes {
			if c.Field != "" && c.Field != "<nil>" {
				return fieldPath(c.Field)
			}
		}
	}
	return mentionedField(s.Message)
}

func mentionedField(message string) []string {
	for _, r := range []*regexp.Regexp{unknownField, untypedField, deniedField} {
		if m := r.FindStringSubmatch(message); m != nil {
			return fieldPath(m[1])
		}
	}
	return nil
}

// fieldPath splits a path such as `spec.containers[0].env[name="A"].value`. A key in brackets may hold dots.
func fieldPath(s string) []string {
	var out []string
	var part strings.Builder
	depth := 0
	end := func() {
		if part.Len() > 0 {
			out = append(out, part.String())
			part.Reset()
		}
	}
	for _, r := range strings.TrimPrefix(s, ".") {
		switch {
		case r == '.' && depth == 0:
			end()
		case r == '[':
			if depth == 0 {
				end()
			} else {
				part.WriteRune(r)
			}
			depth++
		case r == ']' && depth > 0:
			if depth--; depth == 0 {
				end()
			} else {
				part.WriteRune(r)
			}
		default:
			part.WriteRune(r)
		}
	}
	end()
	return out
}
