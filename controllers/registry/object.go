package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

const (
	// deletionGrace is how long the deletion of an instance waits for an API that does not answer. What remains is
	// removed as an orphan when it answers again.
	deletionGrace = 30 * time.Second
	// deletionRetry is the pause between two attempts meanwhile.
	deletionRetry = 5 * time.Second
	// removeRetry is when an object that is being deleted is looked at again without any event.
	removeRetry = 15 * time.Second
)

// reasonForm is what the API accepts as the reason of a condition.
var reasonForm = regexp.MustCompile(`^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$`)

// keep brings the object to the desired state, and returns global management's verdict.
func (c *Controller) keep(ctx context.Context, instance *v1alpha1.Instance, ref reference) (verdict, error) {
	values, err := c.values(ctx, instance)
	if err != nil {
		return verdict{}, err
	}
	object := ref.object()
	err = c.Client.Get(ctx, ref.key(), object)
	if err == nil && upToDate(object, instance.Name, values) {
		return judge(ref, object), nil
	}
	// Read live: the cache may lag behind, and does not hold an object without the label.
	object = ref.object()
	err = c.Live.Get(ctx, ref.key(), object)
	var present *unstructured.Unstructured
	switch {
	case err == nil:
		present = object
	case noSuchKind(err):
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonKindNotServed, notServed(ref.kind)}, nil
	case !apierrors.IsNotFound(err):
		return refused(ref, err)
	}
	switch {
	case present == nil:
	case !ours(present, instance.Name):
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonNotOurs,
			fmt.Sprintf("there is already a %s, which was not made for this instance; remove or rename it", ref.text())}, nil
	case present.GetDeletionTimestamp() != nil:
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonRemoving, ref.text() + " is being deleted; it is made again when it is gone"}, nil
	case upToDate(present, instance.Name, values):
		return judge(ref, present), nil
	}
	written, err := c.write(ctx, instance.Name, ref, present, values)
	if err != nil {
		return refused(ref, err)
	}
	if wrong := differing(written.Object, values); len(wrong) > 0 {
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonWriteFailed, fmt.Sprintf("%s does not keep what is written to %s", ref.text(), strings.Join(wrong, ", "))}, nil
	}
	return judge(ref, written), nil
}

// refused returns the verdict on an answer that another attempt will not change soon; any other is an error.
func refused(ref reference, err error) (verdict, error) {
	switch {
	case apierrors.IsForbidden(err), apierrors.IsUnauthorized(err):
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonRefused, fmt.Sprintf("the host cluster refuses %s: %s", ref.text(), err)}, nil
	case apierrors.IsInvalid(err), apierrors.IsBadRequest(err), apierrors.IsServiceUnavailable(err), apierrors.IsInternalError(err):
		return verdict{metav1.ConditionFalse, v1alpha1.ReasonWriteFailed, fmt.Sprintf("writing %s: %s", ref.text(), err)}, nil
	default:
		return verdict{}, fmt.Errorf("writing %s: %w", ref.text(), err)
	}
}

// stillThere is the verdict while the object of another kind is not gone yet.
func stillThere(former reference, err error) verdict {
	v := verdict{metav1.ConditionFalse, v1alpha1.ReasonRemoving, former.text() + ", by which the instance was registered, is being deleted"}
	if err != nil {
		v.reason, v.message = v1alpha1.ReasonWriteFailed, err.Error()
	}
	return v
}

// values are what is to be written of an instance.
func (c *Controller) values(ctx context.Context, instance *v1alpha1.Instance) (map[string]any, error) {
	var list rbacv1.ClusterRoleList
	if err := c.Client.List(ctx, &list, client.MatchingLabels{v1alpha1.LabelRole: "true"}); err != nil {
		return nil, fmt.Errorf("listing the roles: %w", err)
	}
	roles := role.Descriptions(list.Items)
	if len(roles) > maxRoles {
		c.Logger.Warn("global management is not told of all roles", "instance", instance.Name, "roles", len(roles), "told", maxRoles)
		roles = roles[:maxRoles]
	}
	return c.options.Layout.values(instance, roles), nil
}

func upToDate(object *unstructured.Unstructured, instance string, values map[string]any) bool {
	return object.GetDeletionTimestamp() == nil && labelled(object, labelsOf(instance)) && len(differing(object.Object, values)) == 0
}

// write applies the object. An apply leaves what others added to a list: then a merge patch replaces the fields.
func (c *Controller) write(ctx context.Context, instance string, ref reference, present *unstructured.Unstructured, values map[string]any) (*unstructured.Unstructured, error) {
	want := ref.object()
	want.SetLabels(labelsOf(instance))
	options := []client.PatchOption{fieldOwner, client.FieldValidation(metav1.FieldValidationStrict)}
	if present != nil {
		// The UID makes the write fail on another object of the same name. A new object has no fields to take from
		// others.
		want.SetUID(present.GetUID())
		options = append(options, client.ForceOwnership)
	}
	if err := put(want.Object, values); err != nil {
		return nil, err
	}
	body, err := json.Marshal(want)
	if err != nil {
		return nil, err
	}
	written := ref.object()
	if err := c.Client.Patch(ctx, written, client.RawPatch(types.ApplyPatchType, body), options...); err != nil {
		return nil, err
	}
	writesCounter.WithLabelValues(ref.kind.Kind, "apply").Inc()
	if len(differing(written.Object, values)) > 0 {
		body, err := json.Marshal(want)
		if err != nil {
			return nil, err
		}
		if err := c.Client.Patch(ctx, written, client.RawPatch(types.MergePatchType, body), fieldOwner); err != nil {
			return nil, err
		}
		writesCounter.WithLabelValues(ref.kind.Kind, "patch").Inc()
	}
	c.Logger.Info("instance registered", "instance", instance, "kind", ref.kind.Kind, "name", ref.name)
	return written, nil
}

// remove deletes an object of an instance, and says whether it is gone. What Kairship did not make counts as gone, as
// does what the host cluster does not serve.
func (c *Controller) remove(ctx context.Context, instance string, ref reference) (gone bool, err error) {
	for range 2 {
		object := ref.object()
		err := c.Live.Get(ctx, ref.key(), object)
		switch {
		case apierrors.IsNotFound(err), noSuchKind(err):
			return true, nil
		case err != nil:
			return false, fmt.Errorf("reading %s: %w", ref.text(), err)
		case !ours(object, instance):
			return true, nil
		case object.GetDeletionTimestamp() != nil:
			return false, nil
		}
		uid := object.GetUID()
		if err := c.Client.Delete(ctx, object, client.Preconditions{UID: &uid}); client.IgnoreNotFound(err) != nil {
			return false, fmt.Errorf("deleting %s: %w", ref.text(), err)
		}
		writesCounter.WithLabelValues(ref.kind.Kind, "delete").Inc()
	}
	return false, nil
}

// finalize removes the object of an instance that is being deleted.
func (c *Controller) finalize(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	if !controllerutil.ContainsFinalizer(instance, Finalizer) {
		return reconcile.Result{}, nil
	}
	if ref := registeredBy(instance); ref != nil {
		gone, err := c.remove(ctx, instance.Name, *ref)
		switch waited := c.Clock.Now().Sub(instance.DeletionTimestamp.Time); {
		case err != nil && waited < deletionGrace:
			c.Logger.Warn("an instance cannot be taken out of global management", "instance", instance.Name, "error", err)
			return reconcile.Result{RequeueAfter: deletionRetry}, nil
		case err != nil:
			c.Logger.Warn("an instance stays in global management", "instance", instance.Name, "error", err)
			c.Events.Eventf(instance, nil, corev1.EventTypeWarning, "RegistrationLeft", "Deregister", "%s", text.Event(ref.text()+" stays for now: "+err.Error()))
		case !gone:
			return reconcile.Result{RequeueAfter: removeRetry}, c.report(ctx, instance, verdict{
				metav1.ConditionFalse, v1alpha1.ReasonRemoving, "waiting for global management to let go of " + ref.text()})
		}
	}
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	writesCounter.WithLabelValues("Instance", "patch").Inc()
	series.Forget(instance.Name)
	return reconcile.Result{}, nil
}

// removeOrphans removes what is labelled for an Instance that no longer exists.
func (c *Controller) removeOrphans(ctx context.Context, instance string) error {
	ref, trouble := c.kind.state(instance)
	if trouble != nil {
		return nil
	}
	objects, err := c.kind.ofInstance(ctx, instance)
	if err != nil || len(objects) == 0 {
		return err
	}
	// The cache may not show a new Instance yet.
	var there v1alpha1.Instance
	if err := c.Live.Get(ctx, client.ObjectKey{Name: instance}, &there); !apierrors.IsNotFound(err) {
		return err
	}
	var failed []error
	for i := range objects {
		ref.namespace, ref.name = objects[i].GetNamespace(), objects[i].GetName()
		_, err := c.remove(ctx, instance, ref)
		failed = append(failed, err)
	}
	return errors.Join(failed...)
}
