package bindings

import (
	"context"
	"slices"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// Create makes a binding. One of that name is a CONFLICT, which passes where that one is being taken away; what the host cluster refuses a
// BAD_USER_INPUT, and a host cluster that does not answer UNAVAILABLE or TIMEOUT.
func (w *Writer) Create(ctx context.Context, b *v1alpha1.AccessBinding, dryRun bool) (*model.AccessBinding, error) {
	ctx, cancel := context.WithTimeout(ctx, hostcluster.WriteTimeout)
	defer cancel()
	options := []client.CreateOption{hostcluster.FieldOwner}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	err := w.client.Create(ctx, b, options...)
	if apierrors.IsAlreadyExists(err) {
		var there v1alpha1.AccessBinding
		if w.client.Get(ctx, client.ObjectKeyFromObject(b), &there) == nil && there.DeletionTimestamp != nil {
			return nil, &model.Error{Code: model.CodeConflict, Retryable: true, Err: err,
				Message: "it is being taken away: the controllers are removing it from the control planes; give it again in a moment"}
		}
	}
	if err != nil {
		return nil, hostcluster.Explain(err, kinds)
	}
	if !dryRun {
		w.await(ctx, b.Name, string(b.UID), true)
	}
	return w.ModelOf(b), nil
}

// patience is how long a write waits until the follower knows of it.
const patience = 2 * time.Second

// await waits until whoever reads next is told of a write: what has changed is collected for a moment first (settle). A write that is
// not known in time has been made all the same.
func (w *Writer) await(ctx context.Context, name, uid string, there bool) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		changed := w.Changed()
		if w.Holds(name, uid) == there {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// deletions is how often a deletion is tried that somebody else's write came in between: the controllers write the status.
const deletions = 5

// Delete deletes a binding as it was checked: one that gives something else by now is a CONFLICT. The last owner's is a BAD_USER_INPUT,
// also where two owners take each other's role at the same moment.
func (w *Writer) Delete(ctx context.Context, checked *model.AccessBinding, dryRun bool) error {
	ctx, cancel := context.WithTimeout(ctx, hostcluster.WriteTimeout)
	defer cancel()
	var err error
	for range deletions {
		if err = w.delete(ctx, checked, dryRun); !apierrors.IsConflict(err) {
			break
		}
	}
	if err == nil && !dryRun {
		w.await(ctx, checked.Name, checked.UID, false)
	}
	return hostcluster.Explain(err, kinds)
}

func (w *Writer) delete(ctx context.Context, checked *model.AccessBinding, dryRun bool) error {
	var b v1alpha1.AccessBinding
	if err := w.client.Get(ctx, client.ObjectKey{Name: checked.Name}, &b); err != nil {
		return err
	}
	if now := w.ModelOf(&b); !same(now, checked) {
		return &model.Error{Code: model.CodeConflict, Field: []string{"id"}, Message: "it has been changed since it was read; look what it gives now"}
	}
	if rbac.Owner(checked) && len(w.AdminGroups()) == 0 {
		if err := w.witness(ctx, b.Name, dryRun); err != nil {
			return err
		}
	}
	options := []client.DeleteOption{client.Preconditions{UID: &b.UID, ResourceVersion: &b.ResourceVersion}}
	if dryRun {
		options = append(options, client.DryRunAll)
	}
	return w.client.Delete(ctx, &v1alpha1.AccessBinding{ObjectMeta: metav1.ObjectMeta{Name: b.Name}}, options...)
}

// same reports whether two versions of a binding give the same to the same.
func same(a, b *model.AccessBinding) bool {
	return a.UID == b.UID && a.Subject == b.Subject && a.Role == b.Role && text(a.Instance) == text(b.Instance) && slices.Equal(a.Namespaces, b.Namespaces)
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// annotationWitness is when a binding of an owner was last the one that stays while another one goes.
const annotationWitness = "kairship.io/owner-stays"

// witness makes sure that an owner stays when a binding goes: it writes to the binding of another one. That binding has another version
// then, so that its own deletion, if it was begun before, fails; and if it is gone by now, this one does. So of owners who take each other's roles at
// the same moment, in whatever circle, one is refused: the versions that their deletions hold for cannot all be older than the writes.
func (w *Writer) witness(ctx context.Context, without string, dryRun bool) error {
	var all v1alpha1.AccessBindingList
	if err := w.client.List(ctx, &all); err != nil {
		return err
	}
	for i := range all.Items {
		b := &all.Items[i]
		if b.Name == without || b.DeletionTimestamp != nil || !rbac.Owner(w.ModelOf(b)) {
			continue
		}
		if dryRun {
			return nil
		}
		if b.Annotations == nil {
			b.Annotations = map[string]string{}
		}
		b.Annotations[annotationWitness] = time.Now().UTC().Format(time.RFC3339Nano)
		return w.client.Update(ctx, b, hostcluster.FieldOwner)
	}
	return model.BadInput("id", "is the id of the access binding of the last owner: make somebody else an owner first (role Admin on all instances)")
}
