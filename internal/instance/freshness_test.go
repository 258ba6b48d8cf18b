package instance

import (
	"testing"
	"time"

	pediav1alpha2 "github.com/clusterpedia-io/api/cluster/v1alpha2"
	"github.com/google/go-cmp/cmp"
	coordinationv1 "k8s.io/api/coordination/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/internal/model"
)

var (
	now   = time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	since = now.Add(-time.Hour)
)

// synced makes a PediaCluster whose sync runs and whose source is healthy, as said by the two statuses,
// with one kind in a status; empty means absent.
func synced(running, healthy metav1.ConditionStatus, kind string) *pediav1alpha2.PediaCluster {
	obj := &pediav1alpha2.PediaCluster{}
	for name, status := range map[string]metav1.ConditionStatus{pediav1alpha2.SynchroRunningCondition: running, pediav1alpha2.ClusterHealthyCondition: healthy} {
		if status != "" {
			obj.Status.Conditions = append(obj.Status.Conditions, metav1.Condition{Type: name, Status: status, Reason: "Why", Message: "because", LastTransitionTime: metav1.NewTime(since)})
		}
	}
	if kind != "" {
		obj.Status.SyncResources = []pediav1alpha2.ClusterGroupResourcesStatus{{Group: "apps", Resources: []pediav1alpha2.ClusterResourceStatus{{
			Name: "deployments", SyncConditions: []pediav1alpha2.ClusterResourceSyncCondition{{Version: "v1", Status: kind, LastTransitionTime: metav1.NewTime(since)}},
		}}}}
	}
	return obj
}

func TestFreshnessIsReadFromThePediaCluster(t *testing.T) {
	for _, c := range []struct {
		name string
		obj  *pediav1alpha2.PediaCluster
		want model.Freshness
	}{
		{"everything syncs", synced("True", "True", "Syncing"), model.Freshness{State: model.FreshnessLive, SyncedAt: &now}},
		{"the source cannot be reached", synced("True", "False", "Syncing"), model.Freshness{State: model.FreshnessStale, Message: "Why: because", SyncedAt: &since}},
		{"the source has not been looked at", synced("True", "", "Syncing"), model.Freshness{State: model.FreshnessStale, Message: "the health of the source is not known"}},
		{"a kind has stopped", synced("True", "True", "Stop"), model.Freshness{State: model.FreshnessStale, Message: "deployments.apps: Stop", SyncedAt: &since}},
		{"the sync has ended", synced("False", "True", "Syncing"), model.Freshness{State: model.FreshnessStopped, Message: "Why: because", SyncedAt: &since}},
		{"the sync has not begun", synced("", "", ""), model.Freshness{State: model.FreshnessNever, Message: "the sync has not begun"}},
		{"the sync failed to begin", synced("False", "", ""), model.Freshness{State: model.FreshnessNever, Message: "Why: because"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(&c.want, freshness(c.obj, now)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAManagerThatStopsRenewingIsGone(t *testing.T) {
	seconds := int32(10)
	lease := func(renewed time.Time) *coordinationv1.Lease {
		at := metav1.NewMicroTime(renewed)
		return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{RenewTime: &at, LeaseDurationSeconds: &seconds}}
	}
	for _, c := range []struct {
		name  string
		lease *coordinationv1.Lease
		gone  bool
	}{
		{"it renewed just now", lease(now), false},
		{"it is late, but within the grace for clocks that differ", lease(now.Add(-14 * time.Second)), false},
		{"it has not renewed for longer", lease(now.Add(-16 * time.Second)), true},
		{"it never held the lease", &coordinationv1.Lease{}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := leaseFreshness(c.lease, now)
			if (got != nil) != c.gone || got != nil && got.State != model.FreshnessStopped {
				t.Errorf("freshness %+v, want gone %v", got, c.gone)
			}
		})
	}
}

// Each shard has a Lease of its own: that one of them died says nothing of the others.
func TestTheLeaseOfAShardIsItsOwn(t *testing.T) {
	now, seconds := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), int32(15)
	lease := func(renewed time.Time) *coordinationv1.Lease {
		return &coordinationv1.Lease{Spec: coordinationv1.LeaseSpec{RenewTime: &metav1.MicroTime{Time: renewed}, LeaseDurationSeconds: &seconds}}
	}
	named := func(name string, l *coordinationv1.Lease) *coordinationv1.Lease { l.Name = name; return l }
	var f Fleet
	f.keepLease(named(synchroLease, lease(now)))
	f.keepLease(named(synchroLease+"-two", lease(now)))
	f.keepLease(named(synchroLease+"-two", lease(now.Add(-time.Hour))))
	for shard, stopped := range map[string]bool{"": false, "two": true, "three": false} {
		if got := f.synchroStopped(shard, now); (got != nil) != stopped {
			t.Errorf("shard %q: %+v, stopped %t", shard, got, stopped)
		}
	}
	// One that is deleted says nothing any more, however its deletion was learned of.
	f.keepLease(named(synchroLease+"-three", lease(now.Add(-time.Hour))))
	f.dropLease(named(synchroLease+"-two", lease(now)))
	f.dropLease(toolscache.DeletedFinalStateUnknown{Obj: named(synchroLease+"-three", lease(now))})
	for _, shard := range []string{"two", "three"} {
		if got := f.synchroStopped(shard, now); got != nil {
			t.Errorf("shard %q is without a Lease: %+v", shard, got)
		}
	}
}
