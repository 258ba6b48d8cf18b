package bindings

import (
	"context"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

const (
	// writeTimeout is how long the host cluster may take for a write.
	writeTimeout = 5 * time.Second
	// fieldOwner owns the AccessBindings that people make through Kairship.
	fieldOwner = client.FieldOwner("kairship")
)

// Writer makes and deletes AccessBindings for people. It decides nothing: whoever calls it has to know that they may.
type Writer struct {
	*rbac.Authorizer
	client client.Client
}

// NewWriter makes a writer to the host cluster.
func NewWriter(host *rest.Config, authorizer *rbac.Authorizer) (*Writer, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("building the scheme: %w", err)
	}
	c, err := client.New(host, client.Options{Scheme: scheme})
	if err != nil {
		return nil, fmt.Errorf("making a client of the host cluster: %w", err)
	}
	return &Writer{authorizer, c}, nil
}

// Create makes a binding. One of that name is a CONFLICT, what the host cluster refuses a BAD_USER_INPUT, and a host cluster that
// does not answer UNAVAILABLE or TIMEOUT.
func (w *Writer) Create(ctx context.Context, b *v1alpha1.AccessBinding, dryRun bool) (*model.AccessBinding, error) {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	options := []client.CreateOption{fieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	if err := w.client.Create(ctx, b, options...); err != nil {
		return nil, explain(err)
	}
	return w.ModelOf(b), nil
}

// Delete deletes a binding that has a UID.
func (w *Writer) Delete(ctx context.Context, name, uid string, dryRun bool) error {
	ctx, cancel := context.WithTimeout(ctx, writeTimeout)
	defer cancel()
	id := types.UID(uid)
	options := []client.DeleteOption{client.Preconditions{UID: &id}}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	return explain(w.client.Delete(ctx, &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}, options...))
}

// explain says what an error of the host cluster means to the person who asked.
func explain(err error) error {
	fail := func(code model.Code, retryable bool, message string) error {
		return &model.Error{Code: code, Message: message, Retryable: retryable, Err: err}
	}
	switch {
	case err == nil:
		return nil
	case apierrors.IsAlreadyExists(err):
		return fail(model.CodeConflict, false, "it is there already")
	case apierrors.IsNotFound(err):
		return fail(model.CodeNotFound, false, "it is not there any more")
	case apierrors.IsConflict(err):
		return fail(model.CodeConflict, false, "it has been replaced since it was read")
	case apierrors.IsInvalid(err):
		return fail(model.CodeBadUserInput, false, causes(err))
	case apierrors.IsForbidden(err):
		return fail(model.CodeUnavailable, false, "the host cluster does not let Kairship write AccessBindings (docs/security.md says what it needs)")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(model.CodeTimeout, true, "the host cluster did not answer in time; it may have been done")
	}
	return fail(model.CodeUnavailable, true, "the host cluster does not answer")
}

// causes are the host cluster's own words, one field after the other.
func causes(err error) string {
	status := apierrors.APIStatus(nil)
	if !errors.As(err, &status) || status.Status().Details == nil {
		return "the host cluster refuses it"
	}
	out := ""
	for _, c := range status.Status().Details.Causes {
		if out != "" {
			out += "; "
		}
		out += c.Field + ": " + c.Message
	}
	return out
}
