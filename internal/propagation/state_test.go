package propagation

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
)

func TestState(t *testing.T) {
	type edits = []func(*model.ResourceBinding)
	crashing := tokyo(func(i *model.BindingMember) {
		i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
	})
	rollingOut := func(available string) func(*model.ResourceBinding) {
		return tokyo(func(i *model.BindingMember) {
			i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":3,"updatedReplicas":1,"availableReplicas":`+available+`}`)
		})
	}
	divided := func(b *model.ResourceBinding) { b.Divided = true }
	unbound := func(b *model.ResourceBinding) { b.Resource.UID = "another" }
	zero := func(w *model.WorkloadMeta) { w.Replicas = ptr(int32(0)) }
	halted := func(w *model.WorkloadMeta) { w.Halted = true }
	job := func(statuses ...string) func(*model.ResourceBinding) {
		return func(b *model.ResourceBinding) {
			for i := range b.Members {
				b.Members[i].Status = []byte(statuses[i])
			}
		}
	}
	const complete, failed = `{"succeeded":1,"conditions":[{"type":"Complete","status":"True"}]}`, `{"conditions":[{"type":"Failed","status":"True"}]}`
	both := ready("hangzhou", "tokyo")

	cases := []struct {
		name     string
		w        *model.WorkloadMeta
		edits    edits
		clusters map[string]*model.Cluster
		now      int // seconds; the last change of bound() is at 5
		state    model.WorkloadState
		reason   string
	}{
		{"all is well", deployment(), nil, both, 0, model.WorkloadRunning, ReasonHealthy},
		{"it is being deleted", deployment(func(w *model.WorkloadMeta) { w.DeletedAt = at(1) }), nil, both, 0, model.WorkloadDeleting, ReasonDeleting},

		{"no policy claims it", deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), edits{unbound}, both, 0, model.WorkloadNotPropagated, ReasonNoPolicy},
		{"no cluster fits", deployment(), edits{func(b *model.ResourceBinding) {
			b.Clusters, b.Members = nil, nil
			*conditionOf(b, "Scheduled") = model.Condition{Type: "Scheduled", Status: model.FactFalse, Reason: "NoClusterFit"}
		}}, both, 0, model.WorkloadNotPropagated, "NoClusterFit"},
		{"its policy is gone, and it is still there", deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), nil, both, 0, model.WorkloadDegraded, ReasonPolicyRemoved},
		{"the scheduler refuses what it asks now, and an older version is there", deployment(), edits{func(b *model.ResourceBinding) {
			*conditionOf(b, "Scheduled") = model.Condition{Type: "Scheduled", Status: model.FactFalse, Reason: "Unschedulable"}
		}}, both, 0, model.WorkloadDegraded, "Unschedulable"},

		{"it is claimed a moment ago and not bound", deployment(), edits{unbound}, both, 10, model.WorkloadProgressing, ReasonBindingPending},
		{"it is claimed long ago and not bound", deployment(), edits{unbound}, both, 60, model.WorkloadUnknown, ReasonBindingPending},
		{"the scheduler has not come to it yet", deployment(), edits{func(b *model.ResourceBinding) { b.Conditions, b.Clusters, b.Members = nil, nil, nil }}, both, 10, model.WorkloadProgressing, ReasonSchedulingPending},
		{"the scheduler never comes to it", deployment(), edits{func(b *model.ResourceBinding) { b.Conditions, b.Clusters, b.Members = nil, nil, nil }}, both, 63, model.WorkloadUnknown, ReasonSchedulingPending},
		{"scheduling is suspended", deployment(), edits{func(b *model.ResourceBinding) {
			b.Suspended, b.Conditions, b.Clusters, b.Members = true, nil, nil, nil
		}}, both, 0, model.WorkloadPaused, ReasonSchedulingSuspended},
		{"the scheduler is behind, nobody knows since when", deployment(), edits{func(b *model.ResourceBinding) { b.Generation = 5 }}, both, 999, model.WorkloadProgressing, ReasonSchedulerBehind},

		{"the template was changed at an unknown time and the clusters do not know yet", deployment(func(w *model.WorkloadMeta) { w.Generation = 3 }), nil, both, 999, model.WorkloadProgressing, ReasonStatusBehind},
		{"the template was changed a moment ago and the clusters do not know yet", deployment(func(w *model.WorkloadMeta) { w.Generation, w.ChangedAt = 3, at(990) }), nil, both, 999, model.WorkloadProgressing, ReasonStatusBehind},
		{"the template was changed long ago and the clusters still do not know", deployment(func(w *model.WorkloadMeta) { w.Generation, w.ChangedAt = 3, at(900) }), nil, both, 999, model.WorkloadUnknown, ReasonStatusBehind},
		{"it was scaled and its binding does not know yet", deployment(func(w *model.WorkloadMeta) { w.Replicas, w.Generation = ptr(int32(9)), 3 }), nil, both, 999, model.WorkloadProgressing, ReasonStatusBehind},
		{"a cluster has not reported yet", deployment(), edits{func(b *model.ResourceBinding) { b.Members = b.Members[:1] }}, both, 10, model.WorkloadProgressing, ReasonNotYetReported},
		{"a cluster has not reported for long", deployment(), edits{func(b *model.ResourceBinding) { b.Members = b.Members[:1] }}, both, 65, model.WorkloadUnknown, ReasonNotYetReported},

		{"a cluster refuses it", deployment(), edits{tokyo(func(i *model.BindingMember) { i.Applied, i.Message, i.Status = false, "no", nil })}, both, 0, model.WorkloadDegraded, ReasonApplyFailed},
		{"dispatching is suspended", deployment(), edits{func(b *model.ResourceBinding) { b.DispatchSuspended = true },
			tokyo(func(i *model.BindingMember) { i.Applied, i.Status = false, nil })}, both, 0, model.WorkloadPaused, ReasonDispatchingSuspended},

		{"its pods are not available a moment after it was scheduled", deployment(), edits{crashing}, both, 64, model.WorkloadProgressing, ReasonPodsUnavailable},
		{"its pods are not available a minute after its last change", deployment(), edits{crashing}, both, 65, model.WorkloadDegraded, ReasonPodsUnavailable},
		{"its pods are not available a moment after it was written", deployment(func(w *model.WorkloadMeta) { w.ChangedAt = at(50) }), edits{crashing}, both, 100, model.WorkloadProgressing, ReasonPodsUnavailable},
		{"its pods are not available a moment after it was scheduled again, which nothing else dates", deployment(), edits{crashing, func(b *model.ResourceBinding) { b.LastScheduledAt = at(50) }}, both, 100, model.WorkloadProgressing, ReasonPodsUnavailable},
		{"copied replicas are rolled out, which the scheduler dates, for too long", deployment(), edits{rollingOut("2")}, both, 65, model.WorkloadDegraded, ReasonRolloutIncomplete},
		{"divided replicas are rolled out, which nobody dates, within what an update may take away", deployment(), edits{divided, rollingOut("1")}, both, 999, model.WorkloadProgressing, ReasonRolloutIncomplete},
		{"divided replicas are rolled out and too few are left", deployment(), edits{divided, rollingOut("0")}, both, 999, model.WorkloadDegraded, ReasonRolloutIncomplete},
		{"divided replicas are rolled out since a known time, for too long", deployment(func(w *model.WorkloadMeta) { w.ChangedAt = at(900) }), edits{divided, rollingOut("2")}, both, 999, model.WorkloadDegraded, ReasonRolloutIncomplete},
		{"divided replicas crash", deployment(), edits{divided, crashing}, both, 999, model.WorkloadDegraded, ReasonPodsUnavailable},

		{"a cluster is out of reach", deployment(), nil, with(ready("hangzhou"), "tokyo", model.ClusterOffline, ""), 0, model.WorkloadUnknown, ReasonClusterOffline},
		{"a cluster is out of reach and another one crashes", deployment(), edits{crashing}, with(ready("tokyo"), "hangzhou", model.ClusterOffline, ""), 999, model.WorkloadDegraded, ReasonPodsUnavailable},
		{"the clusters' states are not known", deployment(), nil, nil, 0, model.WorkloadUnknown, ReasonClusterStateUnknown},

		{"its rollout is paused", deployment(halted), nil, both, 0, model.WorkloadPaused, ReasonRolloutPaused},
		{"its rollout is paused and a cluster refuses it", deployment(halted), edits{tokyo(func(i *model.BindingMember) { i.Applied, i.Message = false, "no" })}, both, 0, model.WorkloadDegraded, ReasonApplyFailed},
		{"it is paused and no policy claims it", deployment(halted, func(w *model.WorkloadMeta) { w.Claim = nil }), edits{unbound}, both, 0, model.WorkloadNotPropagated, ReasonNoPolicy},

		{"zero replicas are copied and all pods are gone", deployment(zero), edits{func(b *model.ResourceBinding) {
			b.Replicas, b.Clusters = ptr(int32(0)), []model.BindingCluster{{ClusterName: "tokyo"}}
			b.Members = []model.BindingMember{{ClusterName: "tokyo", Applied: true, Health: model.Healthy, Status: []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2}`)}}
		}}, both, 0, model.WorkloadStopped, ReasonZeroReplicas},
		{"zero replicas are divided among no clusters", deployment(zero), edits{func(b *model.ResourceBinding) { b.Replicas, b.Clusters, b.Members = ptr(int32(0)), nil, nil }}, both, 0, model.WorkloadStopped, ReasonZeroReplicas},
		{"zero replicas are asked for and the clusters do not know yet", deployment(zero, func(w *model.WorkloadMeta) { w.Generation = 3 }), nil, both, 999, model.WorkloadProgressing, ReasonStatusBehind},
		{"zero replicas are divided among no clusters and one still runs some", deployment(zero), edits{func(b *model.ResourceBinding) {
			b.Replicas, b.Clusters, b.Members = ptr(int32(0)), nil, b.Members[1:]
		}}, both, 10, model.WorkloadProgressing, ReasonNoTargets},

		{"a DaemonSet crashes, and its bindings date every change", deployment(ofKind(model.KindDaemonSet)), edits{divided, tokyo(func(i *model.BindingMember) {
			i.Health, i.Status = model.Unhealthy, []byte(`{"resourceTemplateGeneration":2,"desiredNumberScheduled":3,"updatedNumberScheduled":1}`)
		})}, both, 999, model.WorkloadDegraded, ReasonRolloutIncomplete},

		{"a Job is not over", deployment(ofKind(model.KindJob)), edits{job(`{"active":1}`, complete)}, both, 99999, model.WorkloadProgressing, ReasonJobActive},
		{"a Job is complete everywhere", deployment(ofKind(model.KindJob)), edits{job(complete, complete)}, both, 0, model.WorkloadCompleted, ReasonJobComplete},
		{"a Job is complete everywhere and a cluster is gone", deployment(ofKind(model.KindJob)), edits{job(complete, complete)}, ready("tokyo"), 0, model.WorkloadCompleted, ReasonJobComplete},
		{"a Job failed in one cluster", deployment(ofKind(model.KindJob)), edits{job(`{"active":1}`, failed)}, both, 0, model.WorkloadFailed, ReasonJobFailed},
		{"a Job's pods fail, and it tries again", deployment(ofKind(model.KindJob)), edits{job(`{"active":1,"failed":1}`, complete)}, both, 999, model.WorkloadDegraded, ReasonJobPodsFailed},
		{"a Job is suspended", deployment(ofKind(model.KindJob), halted), edits{job(`{}`, `{}`)}, both, 0, model.WorkloadPaused, ReasonSuspended},
		{"a Job was suspended after it was complete", deployment(ofKind(model.KindJob), halted), edits{job(complete, complete)}, both, 0, model.WorkloadCompleted, ReasonJobComplete},
		{"a CronJob waits for its hour", deployment(ofKind(model.KindCronJob)), edits{job(`{}`, `{}`)}, both, 0, model.WorkloadRunning, ReasonNoRunYet},
		{"a CronJob is suspended", deployment(ofKind(model.KindCronJob), halted), edits{job(`{}`, `{}`)}, both, 0, model.WorkloadPaused, ReasonSuspended},
		{"a CronJob's last run was not a success", deployment(ofKind(model.KindCronJob)), edits{job(`{}`, `{"lastScheduleTime":"2025-06-01T12:00:00Z"}`)}, both, 0, model.WorkloadUnknown, ReasonLastRunNotSucceeded},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Compute(c.w, bound(c.edits...), c.clusters)
			state, reason := State(c.w, p, *at(c.now))
			if state != c.state || reason != c.reason {
				t.Errorf("got %s (%s), want %s (%s)", state, reason, c.state, c.reason)
			}
		})
	}
}

func TestStateWithoutABindingThatCouldBeRead(t *testing.T) {
	if state, reason := State(deployment(), nil, epoch); state != model.WorkloadUnknown || reason != ReasonPropagationUnknown {
		t.Errorf("got %s (%s), want UNKNOWN (%s)", state, reason, ReasonPropagationUnknown)
	}
}

func TestChangesAt(t *testing.T) {
	crashing := tokyo(func(i *model.BindingMember) {
		i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
	})
	both := ready("hangzhou", "tokyo")
	cases := []struct {
		name string
		p    *model.Propagation
		want *time.Time
	}{
		{"what is well stays so", Compute(deployment(), bound(), both), nil},
		{"what is not well is overdue a minute after its last change", Compute(deployment(), bound(crashing), both), at(65)},
		{"what was scheduled again is overdue a minute after that", Compute(deployment(), bound(crashing, func(b *model.ResourceBinding) { b.LastScheduledAt = at(50) }), both), at(110)},
		{"what could not be read has no time", nil, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ChangesAt(deployment(), c.p)); diff != "" {
				t.Errorf("time (-want +got):\n%s", diff)
			}
		})
	}
}
