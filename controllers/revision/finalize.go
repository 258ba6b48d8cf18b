package revision

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/sets"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

const (
	// deletionGrace is how long the deletion of an instance waits for a Karmada that does not answer, and
	// longDeletionGrace for one that answers but does not finish. After that its revisions stay there, and an event
	// reports it.
	deletionGrace     = 30 * time.Second
	longDeletionGrace = 10 * time.Minute
	// deletionRetry is the pause between two attempts meanwhile.
	deletionRetry = 5 * time.Second
	// page is how many revisions are listed at once.
	page = 500
)

// finalize removes the revisions, if the Karmada can still be reached. Their workloads stay, so nobody else would.
func (c *Controller) finalize(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	if err := c.Live.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(instance, Finalizer) {
		return reconcile.Result{}, nil
	}
	// Nothing is left over in a control plane that is deleted itself.
	if instance.Deletion() != v1alpha1.DeletionCascade {
		conn, err := c.connect(ctx, instance)
		if err == nil {
			err = c.removeAll(ctx, conn, instance.Name)
		}
		if err != nil {
			var credential *connection.CredentialError
			grace := deletionGrace
			if conn != nil && conn.State().Err == nil {
				grace = longDeletionGrace
			}
			if !errors.As(err, &credential) && c.Clock.Since(instance.DeletionTimestamp.Time) < grace {
				return reconcile.Result{RequeueAfter: deletionRetry}, nil
			}
			c.Logger.Warn("revisions are left in Karmada", "instance", instance.Name, "error", err)
			c.Events.Eventf(instance, nil, corev1.EventTypeWarning, "RevisionsLeft", "Remove",
				"the ControllerRevisions labelled %s stay in the Karmada: %s", selectOf(instance.Name), connection.Describe(err))
		}
	}
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	c.forget(instance.Name)
	return reconcile.Result{}, nil
}

// turnOff removes the revisions of an instance that should no longer have any.
func (c *Controller) turnOff(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	conn, err := c.connect(ctx, instance)
	if err != nil {
		return reconcile.Result{}, calm(err)
	}
	if err := c.removeAll(ctx, conn, instance.Name); err != nil {
		c.Logger.Warn("revisions could not be removed", "instance", instance.Name, "error", err)
		return reconcile.Result{RequeueAfter: retry}, nil
	}
	c.forget(instance.Name)
	return reconcile.Result{}, finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner)
}

// selectOf selects the revisions that were recorded for an instance. Another instance of the same Karmada has its own.
func selectOf(instance string) string {
	return selectOurs + "," + v1alpha1.LabelInstance + "=" + instance
}

// removeAll removes the revisions of an instance, namespace by namespace, until the Karmada itself lists
// none.
func (c *Controller) removeAll(ctx context.Context, conn *connection.Connection, instance string) error {
	resource := conn.Dynamic().Resource(revisions.Resource)
	options := metav1.ListOptions{LabelSelector: selectOf(instance), Limit: page}
	for {
		listCtx, cancel := context.WithTimeout(ctx, callTimeout)
		list, err := resource.List(listCtx, options)
		cancel()
		if err != nil {
			return fmt.Errorf("listing the revisions: %w", err)
		}
		if len(list.Items) == 0 {
			return nil
		}
		namespaces := sets.New[string]()
		for i := range list.Items {
			namespaces.Insert(list.Items[i].GetNamespace())
		}
		for _, namespace := range sets.List(namespaces) {
			// A large namespace takes its time: what was deleted before a timeout stays deleted.
			err := resource.Namespace(namespace).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{LabelSelector: selectOf(instance)})
			if err != nil {
				return fmt.Errorf("deleting the revisions in namespace %q: %w", namespace, err)
			}
			writesCounter.WithLabelValues(instance, "delete").Inc()
		}
	}
}
