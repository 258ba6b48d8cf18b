package operation

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// recheck bounds how long a timer waits.
const recheck = time.Hour

// expires is when an operation that has ended is deleted.
func expires(o *v1alpha1.Operation, keep time.Duration) time.Time {
	if o.Spec.TTL != nil {
		keep = max(0, min(keep, o.Spec.TTL.Duration))
	}
	return o.Status.FinishedAt.Add(keep)
}

// keep keeps an operation that has ended for its time, and no more of them than are to be kept.
func (c *Controller) keep(ctx context.Context, o *v1alpha1.Operation) (reconcile.Result, error) {
	if after := c.record(ctx, o); after > 0 {
		return reconcile.Result{RequeueAfter: after}, nil
	}
	if err := c.release(ctx, o); err != nil {
		return reconcile.Result{}, err
	}
	if o.DeletionTimestamp != nil {
		return reconcile.Result{}, nil
	}
	if o.Status.FinishedAt == nil { // nobody but an administrator of the host cluster can have written that
		return reconcile.Result{}, nil
	}
	if left := expires(o, c.options.Keep).Sub(c.Clock.Now()); left > 0 {
		return reconcile.Result{RequeueAfter: min(left, recheck)}, c.prune(ctx)
	}
	return reconcile.Result{}, c.remove(ctx, o)
}

// prune deletes the operations that ended first, when there are too many.
func (c *Controller) prune(ctx context.Context) error {
	var all v1alpha1.OperationList
	// Nothing is changed here, so nothing is copied.
	if err := c.Client.List(ctx, &all, client.UnsafeDisableDeepCopy); err != nil {
		return fmt.Errorf("listing the operations: %w", err)
	}
	for _, o := range tooMany(all.Items, c.options.Most) {
		if err := c.remove(ctx, &o); err != nil {
			return err
		}
	}
	return nil
}

// tooMany are those that ended first, beyond the most that are kept.
func tooMany(all []v1alpha1.Operation, most int) []v1alpha1.Operation {
	ended := slices.DeleteFunc(slices.Clone(all), func(o v1alpha1.Operation) bool {
		return !o.Status.State.Ended() || o.Status.FinishedAt == nil || o.DeletionTimestamp != nil
	})
	if len(ended) <= most {
		return nil
	}
	slices.SortFunc(ended, func(a, b v1alpha1.Operation) int {
		return cmp.Or(a.Status.FinishedAt.Compare(b.Status.FinishedAt.Time), cmp.Compare(a.Name, b.Name))
	})
	return ended[:len(ended)-most]
}

func (c *Controller) remove(ctx context.Context, o *v1alpha1.Operation) error {
	err := c.Client.Delete(ctx, &v1alpha1.Operation{ObjectMeta: o.ObjectMeta}, client.Preconditions{UID: &o.UID})
	if err := client.IgnoreNotFound(err); err != nil {
		return fmt.Errorf("deleting operation %q, which has ended: %w", o.Name, err)
	}
	return nil
}
