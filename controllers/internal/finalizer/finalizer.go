// Package finalizer holds an Instance back until a controller has removed what it made elsewhere.
package finalizer

import (
	"context"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// HeldBack reports whether a deletion waits for a person: the condition Deletable says what prevents it. Until that
// changes, nothing of the instance is removed.
func HeldBack(instance *v1alpha1.Instance) bool {
	if instance.DeletionTimestamp == nil || instance.Deletion() != v1alpha1.DeletionCascade {
		return false
	}
	// A deletion that the lifecycle controller has not judged yet is held back as well: it changed the generation.
	c := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionDeletable)
	return c == nil || c.Status != metav1.ConditionTrue || c.ObservedGeneration != instance.Generation
}

// Ensure adds a finalizer and reports whether it had to. The Instance is brought up to date.
func Ensure(ctx context.Context, c client.Client, instance *v1alpha1.Instance, name string, owner client.FieldOwner) (added bool, err error) {
	if controllerutil.ContainsFinalizer(instance, name) {
		return false, nil
	}
	return true, edit(ctx, c, instance, owner, func() { controllerutil.AddFinalizer(instance, name) })
}

// Release removes a finalizer. It is no error when the Instance has gone.
func Release(ctx context.Context, c client.Client, instance *v1alpha1.Instance, name string, owner client.FieldOwner) error {
	return client.IgnoreNotFound(edit(ctx, c, instance, owner, func() { controllerutil.RemoveFinalizer(instance, name) }))
}

// edit writes under an optimistic lock: finalizers are one list, and several controllers write it.
func edit(ctx context.Context, c client.Client, instance *v1alpha1.Instance, owner client.FieldOwner, change func()) error {
	before := instance.DeepCopy()
	change()
	if err := c.Patch(ctx, instance, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), owner); err != nil {
		return fmt.Errorf("writing the finalizers of instance %q: %w", instance.Name, err)
	}
	return nil
}

// RequeueOnConflict turns a conflict, which two controllers that write one Instance have now and then, from a failure
// into a requeue. It returns no result beside an error.
func RequeueOnConflict(result reconcile.Result, err error) (reconcile.Result, error) {
	if apierrors.IsConflict(err) {
		return reconcile.Result{RequeueAfter: 100 * time.Millisecond}, nil
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	return result, nil
}
