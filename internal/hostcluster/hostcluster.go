// Package hostcluster is what all who write Kairship's own objects to the host cluster share: how long that may take, and what
// its errors mean to the person who asked. It must not know who may write.
package hostcluster

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// WriteTimeout is how long the host cluster may take for a write.
	WriteTimeout = 5 * time.Second
	// ReadTimeout is how long it may take for what changes nothing.
	ReadTimeout = 1700 * time.Millisecond
	// FieldOwner owns what people make through Kairship.
	FieldOwner = client.FieldOwner("kairship")
)

// NewClient makes a client for some kinds.
func NewClient(host *rest.Config, kinds ...func(*runtime.Scheme) error) (client.Client, error) {
	scheme := runtime.NewScheme()
	for _, add := range kinds {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	c, err := client.New(host, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	return c, nil
}

// Bound bounds a request. A dry run can be given up safely, and somebody waits for its answer.
func Bound(ctx context.Context, dryRun bool) (context.Context, context.CancelFunc) {
	if dryRun {
		return context.WithTimeout(ctx, ReadTimeout)
	}
	return context.WithTimeout(ctx, WriteTimeout)
}

// Invalid is what the host cluster refuses of an object, field by field, in its own words. It is a BAD_USER_INPUT.
type Invalid struct {
	// Err says it in one sentence.
	Err *model.Error
	// Causes have the path of a field of the object, such as "spec.displayName".
	Causes []model.UserError
}

func (i *Invalid) Error() string { return i.Err.Error() }

func (i *Invalid) Unwrap() error { return i.Err }

// Explain says what an error of the host cluster means to the person who asked to write some kind: one of that name is a CONFLICT,
// what the host cluster refuses an *Invalid or, by a guard of its own, a CONFLICT in the guard's words, and a host cluster that does
// not answer UNAVAILABLE or TIMEOUT.
func Explain(err error, kinds string) error {
	fail := func(code model.Code, retryable bool, message string) *model.Error {
		return &model.Error{Code: code, Message: message, Retryable: retryable, Err: err}
	}
	switch {
	case err == nil:
		return nil
	case errors.As(err, new(*model.Error)): // it is explained
		return err
	case apierrors.IsAlreadyExists(err):
		return fail(model.CodeConflict, false, "it is there already")
	case apierrors.IsNotFound(err):
		return fail(model.CodeNotFound, false, "it is not there any more")
	case apierrors.IsConflict(err):
		return fail(model.CodeConflict, false, "it has been replaced since it was read")
	case apierrors.IsInvalid(err):
		i := &Invalid{Causes: causes(err)}
		texts := make([]string, 0, len(i.Causes))
		for _, c := range i.Causes {
			texts = append(texts, strings.Join(c.Field, ".")+": "+c.Message)
		}
		if i.Err = fail(model.CodeBadUserInput, false, strings.Join(texts, "; ")); len(texts) == 0 {
			i.Err.Message = "the host cluster refuses it"
		}
		return i
	case Guard(err) != "":
		return fail(model.CodeConflict, false, Guard(err))
	case apierrors.IsForbidden(err):
		return fail(model.CodeUnavailable, false, "the host cluster does not let Kairship write "+kinds+" (docs/controllers.md says what it needs)")
	case errors.Is(err, context.DeadlineExceeded):
		e := fail(model.CodeTimeout, true, "the host cluster did not answer in time; it may have been done")
		e.Unknown = true
		return e
	}
	return fail(model.CodeUnavailable, true, "the host cluster does not answer")
}

// Guard is what an admission policy of the host cluster says, in its own words; empty when it was none.
func Guard(err error) string {
	status := apierrors.APIStatus(nil)
	if !apierrors.IsForbidden(err) || !errors.As(err, &status) {
		return ""
	}
	_, own, _ := strings.Cut(status.Status().Message, "denied request: ")
	return own
}

// causes are the host cluster's own words, one field after the other.
func causes(err error) (out []model.UserError) {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) || status.Status().Details == nil {
		return nil
	}
	all := status.Status().Details.Causes
	for _, c := range all {
		// What it says of no field beside others is that it looked no further because of them.
		if c.Field == "<nil>" && len(all) > 1 {
			continue
		}
		out = append(out, model.UserError{Code: string(model.CodeBadUserInput), Message: c.Message, Field: strings.Split(c.Field, ".")})
	}
	return out
}
