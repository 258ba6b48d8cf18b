package bindings

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// kinds are what a Writer writes.
const kinds = "AccessBindings"

// Writer makes and deletes AccessBindings for people. It decides nothing: whoever calls it has to know that they may.
type Writer struct {
	*rbac.Authorizer
	client client.Client
}

// NewWriter makes a writer to the host cluster.
func NewWriter(host *rest.Config, authorizer *rbac.Authorizer) (*Writer, error) {
	c, err := hostcluster.NewClient(host, v1alpha1.AddToScheme)
	if err != nil {
		return nil, err
	}
	return &Writer{authorizer, c}, nil
}

// Create makes a binding. One of that name is a CONFLICT, what the host cluster refuses a BAD_USER_INPUT, and a host cluster that
// does not answer UNAVAILABLE or TIMEOUT.
func (w *Writer) Create(ctx context.Context, b *v1alpha1.AccessBinding, dryRun bool) (*model.AccessBinding, error) {
	ctx, cancel := context.WithTimeout(ctx, hostcluster.WriteTimeout)
	defer cancel()
	options := []client.CreateOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	if err := w.client.Create(ctx, b, options...); err != nil {
		return nil, hostcluster.Explain(err, kinds)
	}
	return w.ModelOf(b), nil
}

// Delete deletes a binding that has a UID.
func (w *Writer) Delete(ctx context.Context, name, uid string, dryRun bool) error {
	ctx, cancel := context.WithTimeout(ctx, hostcluster.WriteTimeout)
	defer cancel()
	id := types.UID(uid)
	options := []client.DeleteOption{client.Preconditions{UID: &id}}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	err := w.client.Delete(ctx, &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: name}}, options...)
	return hostcluster.Explain(err, kinds)
}
