package instance

import (
	"context"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/model"
)

// synchroLease is the Lease of Clusterpedia's synchro manager; a shard's has its name behind a dash.
const synchroLease = "clusterpedia-clustersynchro-manager"

// leaseGrace is how long an expired Lease still counts as held: clocks differ a little.
const leaseGrace = 5 * time.Second

// synchroStopped returns since when the synchro manager of a shard is known to be gone. After it died, a
// PediaCluster's status still says that the sync runs; but a dead manager does not renew its Lease either. Nil when
// it is alive, or when it runs without leader election, so that nothing can be known.
func (f *Fleet) synchroStopped(ctx context.Context, shard string, now time.Time) *model.Freshness {
	name := synchroLease
	if shard != "" {
		name += "-" + shard
	}
	var lease coordinationv1.Lease
	// It is read for each cluster of an answer, and never changed.
	if err := f.cache.Get(ctx, client.ObjectKey{Namespace: f.cfg.ClusterpediaNamespace, Name: name}, &lease, client.UnsafeDisableDeepCopy); err != nil {
		return nil
	}
	return leaseFreshness(&lease, now)
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
