package virtualcluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
)

const (
	// finalizeRetry is when the removal is looked at again without any event.
	finalizeRetry = 15 * time.Second
	// stuckAfter is when a PediaCluster counts as stuck. Clusterpedia gives up after five attempts,
	// which take about 45 s, and then waits for the object to change.
	stuckAfter = 90 * time.Second
)

// finalize removes what was made for an instance. It needs nothing of the Karmada, which may be gone.
func (c *Controller) finalize(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	if finalizer.HeldBack(instance) {
		return c.keepInStep(ctx, instance)
	}
	if !controllerutil.ContainsFinalizer(instance, Finalizer) {
		return reconcile.Result{}, nil
	}

	// 1. The virtual clusters. Listed live: one that was made a moment ago may be missing in the cache, and would be
	// left behind.
	list := newPediaClusterList()
	if err := c.Live.List(ctx, list, client.MatchingLabels{v1alpha1.LabelInstance: instance.Name}); err != nil {
		return reconcile.Result{}, fmt.Errorf("listing the PediaClusters of instance %q: %w", instance.Name, err)
	}
	var failed []error
	var left []string
	var objects []*unstructured.Unstructured
	for i := range list.Items {
		object := &list.Items[i]
		objects = append(objects, object)
		left = append(left, object.GetName())
		switch {
		case object.GetDeletionTimestamp() == nil:
			failed = append(failed, c.remove(ctx, registered{object: object}))
		case c.stuck(object):
			c.tell(instance, corev1.EventTypeWarning, eventStuck, actionRemove, "Clusterpedia has not dropped %s yet; asking again", object.GetName())
			failed = append(failed, c.touch(ctx, object))
		}
	}
	if err := errors.Join(append(failed, c.takeOver(ctx, objects))...); err != nil {
		return reconcile.Result{}, err
	}
	if len(left) > 0 {
		slices.Sort(left)
		err := c.report(ctx, instance, metav1.Condition{
			Type: v1alpha1.ConditionReadPathSynced, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonRemoving,
			Message: "waiting for Clusterpedia to drop " + strings.Join(left, ", "),
		}, instance.Status.VirtualCluster)
		return reconcile.Result{RequeueAfter: finalizeRetry}, err
	}

	// 2. The credential that they used.
	if err := c.removeSecret(ctx, instance); err != nil {
		return reconcile.Result{}, err
	}

	// 3. Release the Instance.
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	series.Forget(instance.Name)
	c.tell(instance, corev1.EventTypeNormal, eventRemoved, actionRemove, "the read store holds nothing of the instance any more")
	return reconcile.Result{}, nil
}

// stuck reports whether Clusterpedia seems to have given up on a PediaCluster that is being deleted.
func (c *Controller) stuck(object *unstructured.Unstructured) bool {
	since := object.GetDeletionTimestamp().Time
	if touched, err := time.Parse(time.RFC3339, object.GetAnnotations()[annotationTouched]); err == nil && touched.After(since) {
		since = touched
	}
	return c.Clock.Now().Sub(since) > stuckAfter
}

func (c *Controller) removeSecret(ctx context.Context, instance *v1alpha1.Instance) error {
	name := secretName(instance.Name)
	var secret corev1.Secret
	err := c.Live.Get(ctx, client.ObjectKey{Namespace: c.options.ClusterpediaNamespace, Name: name}, &secret)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("reading Secret %q: %w", name, err)
	}
	if secret.Labels[v1alpha1.LabelInstance] != instance.Name {
		// Somebody else has taken the name.
		return nil
	}
	if err := c.Client.Delete(ctx, &secret, client.Preconditions{UID: &secret.UID}); client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting Secret %q: %w", name, err)
	}
	writesCounter.WithLabelValues("Secret", "delete").Inc()
	return nil
}
