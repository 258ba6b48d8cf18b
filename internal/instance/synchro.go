package instance

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/internal/model"
)

// synchroLease is the Lease of Clusterpedia's synchro manager; a shard's has its name behind a dash.
const synchroLease = "clusterpedia-clustersynchro-manager"

// leaseGrace is how long an expired Lease still counts as held: clocks differ a little.
const leaseGrace = 5 * time.Second

// synchroStopped returns since when the synchro manager of a shard is known to be gone. After it died, a
// PediaCluster's status still says that the sync runs; but a dead manager does not renew its Lease either. Nil when
// it is alive, or when it runs without leader election, so that nothing can be known.
func (f *Fleet) synchroStopped(shard string, now time.Time) *model.Freshness {
	name := synchroLease
	if shard != "" {
		name += "-" + shard
	}
	lease, held := f.leases.Load(name)
	if !held {
		return nil
	}
	return leaseFreshness(lease.(*coordinationv1.Lease), now)
}

func (f *Fleet) keepLease(o any) {
	if lease, ok := o.(*coordinationv1.Lease); ok {
		f.leases.Store(lease.Name, lease)
	}
}

func (f *Fleet) dropLease(o any) {
	if gone, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
		o = gone.Obj
	}
	if lease, ok := o.(*coordinationv1.Lease); ok {
		f.leases.Delete(lease.Name)
	}
}

// followLeases keeps the Leases of synchro managers at hand: one is looked at for each cluster of an answer, and a read of
// the cache finds out first whether Leases are in a namespace.
func (f *Fleet) followLeases(ctx context.Context) error {
	informer, err := f.cache.GetInformer(ctx, &coordinationv1.Lease{})
	if err != nil {
		return fmt.Errorf("watching the host cluster: %w", err)
	}
	handled, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: f.keepLease, UpdateFunc: func(_, o any) { f.keepLease(o) }, DeleteFunc: f.dropLease,
	})
	if err != nil {
		return fmt.Errorf("watching the host cluster: %w", err)
	}
	if !toolscache.WaitForCacheSync(ctx.Done(), handled.HasSynced) {
		return context.Cause(ctx)
	}
	return nil
}

func leaseFreshness(lease *coordinationv1.Lease, now time.Time) *model.Freshness {
	if lease.Spec.RenewTime == nil || lease.Spec.LeaseDurationSeconds == nil {
		return nil
	}
	renewed := lease.Spec.RenewTime.UTC()
	end := renewed.Add(time.Duration(*lease.Spec.LeaseDurationSeconds)*time.Second + leaseGrace)
	if now.Before(end) {
		return nil
	}
	return &model.Freshness{State: model.FreshnessStopped, SyncedAt: &renewed,
		Message: "Clusterpedia's synchro manager does not run: it has stopped renewing its lease"}
}
