package kubeapi

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// String names a place for people.
func (p place) String() string {
	if p.cluster == "" {
		return fmt.Sprintf("the API server of instance %q", p.instance)
	}
	return fmt.Sprintf("cluster %q of instance %q", p.cluster, p.instance)
}

// fail makes an error about a place.
func (p place) fail(code model.Code, retryable bool, err error, format string, args ...any) *model.Error {
	return &model.Error{Code: code, Instance: p.instance, Cluster: p.cluster, Retryable: retryable, Err: err, Message: fmt.Sprintf(format, args...)}
}

// explain describes a failed read to the person who asked: in the API server's words where it answered, and without
// addresses.
func (p place) explain(err error) error {
	if errors.Is(err, context.Canceled) || errors.As(err, new(*model.Error)) || errors.As(err, new(*panics.Error)) {
		return err
	}
	a := (*answer)(nil)
	if !errors.As(err, &a) {
		return p.unanswered(err)
	}
	reason := a.status.Reason
	switch {
	case a.code == http.StatusForbidden:
		return p.fail(model.CodeForbidden, false, err, "%s refuses: %s", p, a.message())
	case a.code == http.StatusUnauthorized:
		return p.fail(model.CodeUnavailable, true, err, "%s refuses Kairship's credential", p)
	case a.code == http.StatusGone || reason == metav1.StatusReasonExpired:
		return &model.Error{Code: model.CodeBadUserInput, Instance: p.instance, Cluster: p.cluster, Err: err, Field: []string{"after"},
			Message: "after: cursor expired: begin again with the first page"}
	case a.code == http.StatusNotFound:
		return p.fail(model.CodeNotFound, false, err, "%s does not serve this kind: %s", p, a.message())
	case a.code == http.StatusGatewayTimeout || reason == metav1.StatusReasonTimeout || reason == metav1.StatusReasonServerTimeout:
		return p.fail(model.CodeTimeout, true, err, "%s ran out of time", p)
	case a.code == http.StatusTooManyRequests:
		return p.fail(model.CodeUnavailable, true, err, "%s has too much to do", p)
	case p.unproxied(a):
		return p.fail(model.CodeUnavailable, true, err, "%s cannot be reached by Karmada", p)
	case gatewayCode(a.code):
		return p.fail(model.CodeUnavailable, true, err, "%s is not available", p)
	case a.code == http.StatusBadRequest || a.code == http.StatusUnprocessableEntity:
		return p.fail(model.CodeBadUserInput, false, err, "%s refuses: %s", p, a.message())
	case a.code == http.StatusMethodNotAllowed:
		return p.fail(model.CodeBadUserInput, false, err, "%s does not give this kind to read", p)
	}
	return p.fail(model.CodeUnavailable, true, err, "%s failed on it", p)
}

// unanswered is for errors that are not an API server's answer.
func (p place) unanswered(err error) error {
	var timeout net.Error
	switch {
	case errors.Is(err, upstream.ErrOpen):
		return p.fail(model.CodeUnavailable, true, err, "%s has not answered lately and is not asked for a moment", p)
	case errors.Is(err, link.ErrTooLarge):
		return p.fail(model.CodeLimitExceeded, false, err, "%s gives more than %d MiB: ask for fewer at a time", p, link.MaxAnswer>>20)
	case link.Redirected(err):
		return p.fail(model.CodeUnavailable, false, err, "%s redirects to another address, which is not followed", p)
	case errors.Is(err, context.DeadlineExceeded), errors.As(err, &timeout) && timeout.Timeout():
		return p.fail(model.CodeTimeout, true, err, "%s did not answer in time", p)
	}
	return p.fail(model.CodeUnavailable, true, err, "%s cannot be reached", p)
}

// absent reports whether the object itself was not found, rather than what would serve it.
func absent(err error, resource, name string) bool {
	a := (*answer)(nil)
	if !errors.As(err, &a) || a.code != http.StatusNotFound {
		return false
	}
	d := a.status.Details
	return d != nil && d.Kind == resource && d.Name == name && a.status.Reason == metav1.StatusReasonNotFound
}
