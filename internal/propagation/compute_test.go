package propagation

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

// deployment is a claimed template at generation 2 that asks for five replicas.
func deployment(edit ...func(*model.WorkloadMeta)) *model.WorkloadMeta {
	w := &model.WorkloadMeta{
		Object: model.Object{
			Ref: model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"},
			UID: "u1", ResourceVersion: "9", Generation: 2, CreatedAt: epoch,
			Claim: objects.ClaimOf("asia", map[string]string{objects.PolicyNamespace: "shop", objects.PolicyName: "all"}),
		},
		WorkloadKind: model.KindDeployment, Replicas: ptr(int32(5)),
	}
	for _, e := range edit {
		e(w)
	}
	return w
}

func ofKind(kind model.WorkloadKind) func(*model.WorkloadMeta) {
	return func(w *model.WorkloadMeta) {
		w.WorkloadKind, w.Ref.GVK = kind, kind.GVK()
		if kind != model.KindStatefulSet {
			w.Replicas = nil
		}
	}
}

// bound is a binding that is scheduled, applied and healthy in hangzhou (3) and tokyo (2).
func bound(edit ...func(*model.ResourceBinding)) *model.ResourceBinding {
	b := &model.ResourceBinding{
		Object:                      model.Object{Ref: BindingRef("asia", "shop", "cart-deployment"), CreatedAt: epoch, Generation: 4},
		SchedulerObservedGeneration: ptr(int64(4)), Replicas: ptr(int32(5)), LastScheduledAt: at(3),
		Resource: model.BoundResource{GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart", UID: "u1", ResourceVersion: "8"},
		Conditions: []model.Condition{
			{Type: "FullyApplied", Status: model.FactTrue, Reason: "FullyAppliedSuccess", Since: at(5)},
			{Type: "Scheduled", Status: model.FactTrue, Reason: "Success", Message: "Binding has been scheduled successfully.", Since: at(2)},
		},
		Clusters: []model.BindingCluster{chosen("tokyo", 2), chosen("hangzhou", 3)},
		Members: []model.BindingMember{
			{ClusterName: "hangzhou", Applied: true, Health: model.Healthy, Status: []byte(
				`{"generation":7,"observedGeneration":7,"resourceTemplateGeneration":2,"replicas":3,"updatedReplicas":3,"readyReplicas":3,"availableReplicas":3}`)},
			{ClusterName: "tokyo", Applied: true, Health: model.Healthy, Status: []byte(
				`{"generation":1,"observedGeneration":1,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2}`)},
		},
	}
	for _, e := range edit {
		e(b)
	}
	return b
}

func chosen(cluster string, replicas int32) model.BindingCluster {
	return model.BindingCluster{InstanceName: "asia", ClusterName: cluster, Replicas: &replicas}
}

// follows is a binding that takes the object along to one cluster.
func follows(namespace, name, cluster string, replicas int32) model.DependentBinding {
	return model.DependentBinding{Ref: BindingRef("asia", namespace, name), Clusters: []string{cluster}, Replicas: []int32{replicas}}
}

// tokyo edits what tokyo reported.
func tokyo(edit func(*model.BindingMember)) func(*model.ResourceBinding) {
	return func(b *model.ResourceBinding) { edit(&b.Members[1]) }
}

func ready(names ...string) map[string]*model.Cluster {
	out := map[string]*model.Cluster{}
	for _, n := range names {
		out[n] = &model.Cluster{Name: n, State: model.ClusterReady}
	}
	return out
}

func with(clusters map[string]*model.Cluster, name string, state model.ClusterState, message string) map[string]*model.Cluster {
	clusters[name] = &model.Cluster{Name: name, State: state, StateMessage: message,
		Conditions: []model.Condition{{Type: "Ready", Status: model.FactFalse, Since: at(40)}}}
	return clusters
}

func yes(reason string) model.Fact     { return model.Fact{Value: model.FactTrue, Reason: reason} }
func no(reason string) model.Fact      { return model.Fact{Value: model.FactFalse, Reason: reason} }
func unknown(reason string) model.Fact { return model.Fact{Value: model.FactUnknown, Reason: reason} }

func say(f model.Fact, message string) model.Fact { f.Message = message; return f }

func TestComputeWholly(t *testing.T) {
	w, b := deployment(), bound()
	want := &model.Propagation{
		Object: &w.Object, Claim: w.Claim, Binding: b, RequiredBy: b.RequiredBy,
		Scheduled: model.Fact{Value: model.FactTrue, Reason: ReasonScheduled, Message: "Binding has been scheduled successfully.", Since: at(2)},
		Applied:   model.Fact{Value: model.FactTrue, Reason: ReasonApplied, Since: at(5), ObservedGeneration: ptr(int64(2))},
		Healthy:   model.Fact{Value: model.FactTrue, Reason: ReasonHealthy, ObservedGeneration: ptr(int64(2))},
	}
	for _, c := range []struct {
		name string
		n    int32
	}{{"hangzhou", 3}, {"tokyo", 2}} {
		want.Targets = append(want.Targets, &model.PropagationTarget{
			Of: want, InstanceName: "asia", ClusterName: c.name, DesiredReplicas: &c.n, Reason: model.PlacementScheduled,
			RequiredBy: []model.DependentBinding{},
			Scheduled:  yes(ReasonScheduled),
			Applied:    model.Fact{Value: model.FactTrue, Reason: ReasonApplied, ObservedGeneration: ptr(int64(2))},
			Healthy:    model.Fact{Value: model.FactTrue, Reason: ReasonHealthy, ObservedGeneration: ptr(int64(2))},
			Status:     &model.TargetStatus{Replicas: &c.n, Ready: &c.n, Updated: &c.n, Available: &c.n},
		})
	}
	if diff := cmp.Diff(want, Compute(w, b, ready("hangzhou", "tokyo"))); diff != "" {
		t.Errorf("propagation (-want +got):\n%s", diff)
	}
}

// facts is what most cases are about.
type facts struct {
	Scheduled, Applied, Healthy model.Fact
	Targets                     map[string]targetFacts
}

type targetFacts struct {
	Reason                      model.PlacementReason
	Desired                     *int32
	Scheduled, Applied, Healthy model.Fact
}

// factsOf leaves times, generations and statuses to the tests that are about them.
func factsOf(p *model.Propagation) facts {
	strip := func(f model.Fact) model.Fact { f.Since, f.ObservedGeneration = nil, nil; return f }
	out := facts{strip(p.Scheduled), strip(p.Applied), strip(p.Healthy), nil}
	for _, t := range p.Targets {
		if out.Targets == nil {
			out.Targets = map[string]targetFacts{}
		}
		out.Targets[t.ClusterName] = targetFacts{t.Reason, t.DesiredReplicas, strip(t.Scheduled), strip(t.Applied), strip(t.Healthy)}
	}
	return out
}

func TestCompute(t *testing.T) {
	const offlineWords = "the cluster is offline: no route to host"
	allThere := say(yes(ReasonScheduled), "Binding has been scheduled successfully.")
	well := func(replicas int32) targetFacts {
		return targetFacts{model.PlacementScheduled, &replicas, yes(ReasonScheduled), yes(ReasonApplied), yes(ReasonHealthy)}
	}
	unwell := func(replicas int32, applied, healthy model.Fact) targetFacts {
		return targetFacts{model.PlacementScheduled, &replicas, yes(ReasonScheduled), applied, healthy}
	}
	both := ready("hangzhou", "tokyo")
	notScheduled := say(unknown(ReasonNotScheduled), "no cluster has been chosen for it")
	held := say(no(ReasonDispatchingSuspended), "sending it to this cluster is suspended by its policy")

	cases := []struct {
		name     string
		w        *model.WorkloadMeta
		b        *model.ResourceBinding
		clusters map[string]*model.Cluster
		want     facts
	}{
		{
			name: "what no policy claims is nowhere",
			w:    deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), clusters: both,
			want: facts{Scheduled: say(no(ReasonNoPolicy), "no policy selects it"),
				Applied: say(no(ReasonNotScheduled), "no cluster has been chosen for it"), Healthy: notScheduled},
		},
		{
			name: "what is claimed but not bound yet is unknown",
			w:    deployment(), clusters: both,
			want: facts{Scheduled: say(unknown(ReasonBindingPending), `PropagationPolicy "shop/all" claims it, but there is no binding of its own yet`),
				Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "a binding of the same name that carries another object is not its own",
			w:    deployment(), b: bound(func(b *model.ResourceBinding) { b.Resource.UID = "u2" }), clusters: both,
			want: facts{Scheduled: say(unknown(ReasonBindingPending), `PropagationPolicy "shop/all" claims it, but there is no binding of its own yet`),
				Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "a binding that names no uid is told by group, kind and name",
			w:    deployment(), b: bound(func(b *model.ResourceBinding) { b.Resource.UID = ""; b.Resource.GVK.Group = "apps.kruise.io" }), clusters: both,
			want: facts{Scheduled: say(unknown(ReasonBindingPending), `PropagationPolicy "shop/all" claims it, but there is no binding of its own yet`),
				Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "a binding that the scheduler has not seen yet is unknown",
			w:    deployment(), b: bound(func(b *model.ResourceBinding) { b.Conditions, b.Clusters, b.Members = nil, nil, nil }), clusters: both,
			want: facts{Scheduled: say(unknown(ReasonSchedulingPending), "the scheduler has not looked at it yet"), Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "no fitting cluster is the scheduler's word, however old the generation it saw",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.SchedulerObservedGeneration, b.Clusters, b.Members = nil, nil, nil
				b.Conditions = []model.Condition{{Type: "Scheduled", Status: model.FactFalse, Reason: "NoClusterFit", Message: "0/3 clusters are available"}}
			}),
			want: facts{Scheduled: say(no("NoClusterFit"), "0/3 clusters are available"),
				Applied: say(no(ReasonNotScheduled), "no cluster has been chosen for it"), Healthy: notScheduled},
		},
		{
			name: "what the scheduler refuses now stays where it was, and is not scheduled there for what is asked now",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				*conditionOf(b, "Scheduled") = model.Condition{Type: "Scheduled", Status: model.FactFalse, Reason: "Unschedulable", Message: "too big"}
				b.Clusters, b.Members = b.Clusters[:1], b.Members[1:]
			}),
			want: facts{Scheduled: say(no("Unschedulable"), "too big"), Applied: yes(ReasonApplied), Healthy: yes(ReasonHealthy),
				Targets: map[string]targetFacts{"tokyo": {model.PlacementScheduled, ptr(int32(2)), say(no("Unschedulable"), "too big"), yes(ReasonApplied), yes(ReasonHealthy)}}},
		},
		{
			name: "a scheduler that is behind its binding is not believed",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) { b.Generation = 5; b.Clusters, b.Members = nil, nil }),
			want: facts{Scheduled: say(unknown(ReasonSchedulerBehind), "its binding has changed since the scheduler looked at it"),
				Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "a condition that is neither true nor false is unknown",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				*conditionOf(b, "Scheduled") = model.Condition{Type: "Scheduled", Status: model.FactUnknown, Reason: "Odd", Message: "odd"}
				b.Clusters, b.Members = nil, nil
			}),
			want: facts{Scheduled: say(unknown("Odd"), "odd"), Applied: notScheduled, Healthy: notScheduled},
		},
		{
			name: "other replicas in the binding than in the template prove that it is behind",
			w:    deployment(func(w *model.WorkloadMeta) { w.Replicas, w.Generation = ptr(int32(6)), 3 }), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.Clusters, b.Members = b.Clusters[:1], b.Members[1:]
				b.Members[0].Status = nil
			}),
			want: facts{Scheduled: say(unknown(ReasonBindingBehind), "the template asks for 6 replicas, its binding still says 5"),
				Applied: say(unknown(ReasonBindingBehind), "tokyo: the template asks for 6 replicas, its binding still says 5"),
				Healthy: say(unknown(ReasonBindingBehind), "tokyo: the template asks for 6 replicas, its binding still says 5"),
				Targets: map[string]targetFacts{"tokyo": {model.PlacementScheduled, ptr(int32(2)),
					say(unknown(ReasonBindingBehind), "the template asks for 6 replicas, its binding still says 5"),
					say(unknown(ReasonBindingBehind), "the template asks for 6 replicas, its binding still says 5"),
					say(unknown(ReasonBindingBehind), "the template asks for 6 replicas, its binding still says 5")}}},
		},
		{
			name: "a binding made from this very template is not behind, whatever its interpreter counted",
			w:    deployment(func(w *model.WorkloadMeta) { w.Replicas = ptr(int32(6)); w.ResourceVersion = "8" }), clusters: both, b: bound(),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "several pod templates are not counted by replicas",
			w:    deployment(func(w *model.WorkloadMeta) { w.Replicas = ptr(int32(6)) }), clusters: both,
			b:    bound(func(b *model.ResourceBinding) { b.Components, b.Replicas = true, nil }),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "suspended scheduling is said when the scheduler has not dealt with it",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.Suspended = true
				b.Conditions, b.Clusters, b.Members, b.SchedulerObservedGeneration = nil, nil, nil, nil
			}),
			want: facts{Scheduled: say(no(ReasonSchedulingSuspended), "scheduling is suspended (spec.suspension.scheduling of its binding)"),
				Applied: say(no(ReasonNotScheduled), "no cluster has been chosen for it"), Healthy: notScheduled},
		},
		{
			name: "scheduling that is suspended after it was done is still done",
			w:    deployment(), clusters: both, b: bound(func(b *model.ResourceBinding) { b.Suspended = true }),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "success that chose no cluster is no success",
			w:    deployment(), clusters: both, b: bound(func(b *model.ResourceBinding) { b.Clusters, b.Members = nil, nil }),
			want: facts{Scheduled: say(no(ReasonNoClusterChosen), "no cluster is chosen for it"),
				Applied: say(no(ReasonNotScheduled), "no cluster has been chosen for it"), Healthy: notScheduled},
		},
		{
			name: "zero replicas that are divided need no cluster",
			w:    deployment(func(w *model.WorkloadMeta) { w.Replicas = ptr(int32(0)) }), clusters: both,
			b: bound(func(b *model.ResourceBinding) { b.Replicas = ptr(int32(0)); b.Clusters, b.Members = nil, nil }),
			want: facts{Scheduled: say(yes(ReasonZeroReplicas), "it asks for no replicas, so that no cluster is needed"),
				Applied: say(unknown(ReasonNoTargets), "no cluster should hold it"), Healthy: say(unknown(ReasonNoTargets), "no cluster should hold it")},
		},
		{
			name: "a binding that outlives its policy carries no changes any more",
			w:    deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), clusters: both,
			b: bound(func(b *model.ResourceBinding) { b.Clusters, b.Members = b.Clusters[:1], b.Members[1:] }),
			want: facts{Scheduled: say(no(ReasonPolicyRemoved), "no policy claims it any more: it stays where it was, and its changes go nowhere"),
				Applied: yes(ReasonApplied), Healthy: yes(ReasonHealthy),
				Targets: map[string]targetFacts{"tokyo": {model.PlacementScheduled, ptr(int32(2)),
					say(no(ReasonPolicyRemoved), "no policy claims it any more: it stays where it was, and its changes go nowhere"),
					yes(ReasonApplied), yes(ReasonHealthy)}}},
		},
		{
			name: "a binding that is being deleted takes it away from everywhere",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.DeletedAt = at(50)
				b.Clusters, b.Members = b.Clusters[:1], b.Members[1:]
			}),
			want: facts{Scheduled: say(no(ReasonBindingDeleting), "its binding is being deleted"), Applied: notScheduled, Healthy: notScheduled,
				Targets: map[string]targetFacts{"tokyo": {model.PlacementEvicting, ptr(int32(0)),
					say(no(ReasonBindingDeleting), "its binding is being deleted"), yes(ReasonApplied), yes(ReasonHealthy)}}},
		},
		{
			name: "the API server's own words say why it is not applied",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) {
				i.Applied, i.Message, i.Health, i.Status = false, `namespaces "shop" not found`, model.HealthUnknown, nil
			})),
			want: facts{allThere, say(no(ReasonApplyFailed), `tokyo: namespaces "shop" not found`),
				say(unknown(ReasonNotApplied), `tokyo: it has not been applied there: namespaces "shop" not found`),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, say(no(ReasonApplyFailed), `namespaces "shop" not found`),
					say(unknown(ReasonNotApplied), `it has not been applied there: namespaces "shop" not found`))}},
		},
		{
			name: "what is not applied and carries no message has not been tried",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) { i.Applied, i.Health, i.Status = false, model.HealthUnknown, nil })),
			want: facts{allThere, say(unknown(ReasonNotYetApplied), "tokyo: it has not been sent to this cluster yet"),
				say(unknown(ReasonNotYetApplied), "tokyo: it has not been sent to this cluster yet"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, say(unknown(ReasonNotYetApplied), "it has not been sent to this cluster yet"),
					say(unknown(ReasonNotYetApplied), "it has not been sent to this cluster yet"))}},
		},
		{
			name: "a chosen cluster that has said nothing is unknown",
			w:    deployment(), clusters: both, b: bound(func(b *model.ResourceBinding) { b.Members = b.Members[:1] }),
			want: facts{allThere, say(unknown(ReasonNotYetReported), "tokyo: nothing has been heard of it from this cluster yet"),
				say(unknown(ReasonNotYetReported), "tokyo: nothing has been heard of it from this cluster yet"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, say(unknown(ReasonNotYetReported), "nothing has been heard of it from this cluster yet"),
					say(unknown(ReasonNotYetReported), "nothing has been heard of it from this cluster yet"))}},
		},
		{
			name: "an older generation of the template says nothing of what it asks now",
			w:    deployment(func(w *model.WorkloadMeta) { w.Generation = 3 }), clusters: both,
			b: bound(func(b *model.ResourceBinding) { b.Clusters, b.Members = b.Clusters[:1], b.Members[1:] }),
			want: facts{allThere, say(unknown(ReasonStatusBehind), "tokyo: the cluster reports generation 2 of the template, which is at 3"),
				say(unknown(ReasonStatusBehind), "tokyo: the cluster reports generation 2 of the template, which is at 3"),
				map[string]targetFacts{"tokyo": unwell(2, say(unknown(ReasonStatusBehind), "the cluster reports generation 2 of the template, which is at 3"),
					say(unknown(ReasonStatusBehind), "the cluster reports generation 2 of the template, which is at 3"))}},
		},
		{
			name: "a newer generation than the template's was read later",
			w:    deployment(func(w *model.WorkloadMeta) { w.Generation = 1 }), clusters: both, b: bound(),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "a change the member's own controller has not looked at is not judged",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) {
				i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":1,"resourceTemplateGeneration":2,"replicas":2}`)
			})),
			want: facts{allThere, yes(ReasonApplied), say(unknown(ReasonStatusBehind), "tokyo: the cluster's own controller has not looked at it yet"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied),
					say(unknown(ReasonStatusBehind), "the cluster's own controller has not looked at it yet"))}},
		},
		{
			name: "a StatefulSet's observed generation is not collected and not missed",
			w:    deployment(ofKind(model.KindStatefulSet)), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) {
				i.Status = []byte(`{"generation":2,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
			})),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "an unfinished rollout is told by its numbers",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) {
				i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":3,"updatedReplicas":1,"readyReplicas":2,"availableReplicas":2}`)
			})),
			want: facts{allThere, yes(ReasonApplied), say(no(ReasonRolloutIncomplete), "tokyo: 1 of 2 updated, 2 available"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(no(ReasonRolloutIncomplete), "1 of 2 updated, 2 available"))}},
		},
		{
			name: "pods that are there and do not work are told by their numbers",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) {
				i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
			})),
			want: facts{allThere, yes(ReasonApplied), say(no(ReasonPodsUnavailable), "tokyo: 0 of 2 available, 0 ready"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(no(ReasonPodsUnavailable), "0 of 2 available, 0 ready"))}},
		},
		{
			name: "unhealthy without numbers is unhealthy",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) { i.Health, i.Status = model.Unhealthy, nil })),
			want: facts{allThere, yes(ReasonApplied), say(no(ReasonUnhealthy), "tokyo: Karmada judges it unhealthy"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(no(ReasonUnhealthy), "Karmada judges it unhealthy"))}},
		},
		{
			name: "health that Karmada has not judged is unknown",
			w:    deployment(), clusters: both,
			b: bound(tokyo(func(i *model.BindingMember) { i.Health = model.HealthUnknown })),
			want: facts{allThere, yes(ReasonApplied), say(unknown(ReasonHealthNotReported), "tokyo: Karmada has not judged its health there yet"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(unknown(ReasonHealthNotReported), "Karmada has not judged its health there yet"))}},
		},
		{
			name: "an offline cluster's last good word is not health",
			w:    deployment(), b: bound(), clusters: with(ready("hangzhou"), "tokyo", model.ClusterOffline, "no route to host"),
			want: facts{allThere, yes(ReasonApplied), say(unknown(ReasonClusterOffline), "tokyo: "+offlineWords),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(unknown(ReasonClusterOffline), offlineWords))}},
		},
		{
			name: "an offline cluster cannot have heard of a newer template",
			w:    deployment(func(w *model.WorkloadMeta) { w.Generation = 3 }), clusters: with(ready(), "tokyo", model.ClusterOffline, ""),
			b: bound(func(b *model.ResourceBinding) { b.Clusters, b.Members = b.Clusters[:1], b.Members[1:] }),
			want: facts{allThere, say(unknown(ReasonClusterOffline), "tokyo: the cluster is offline"), say(unknown(ReasonClusterOffline), "tokyo: the cluster is offline"),
				map[string]targetFacts{"tokyo": unwell(2, say(unknown(ReasonClusterOffline), "the cluster is offline"), say(unknown(ReasonClusterOffline), "the cluster is offline"))}},
		},
		{
			name: "a cluster out of reach goes before what is merely late",
			w:    deployment(), clusters: with(ready("hangzhou"), "tokyo", model.ClusterNotReady, ""),
			b: bound(func(b *model.ResourceBinding) { b.Members = nil }),
			want: facts{allThere,
				say(unknown(ReasonClusterNotReady), "hangzhou: nothing has been heard of it from this cluster yet; tokyo: the cluster is not ready"),
				say(unknown(ReasonClusterNotReady), "hangzhou: nothing has been heard of it from this cluster yet; tokyo: the cluster is not ready"),
				map[string]targetFacts{
					"hangzhou": unwell(3, say(unknown(ReasonNotYetReported), "nothing has been heard of it from this cluster yet"), say(unknown(ReasonNotYetReported), "nothing has been heard of it from this cluster yet")),
					"tokyo":    unwell(2, say(unknown(ReasonClusterNotReady), "the cluster is not ready"), say(unknown(ReasonClusterNotReady), "the cluster is not ready"))}},
		},
		{
			name: "a cluster that is not joined any more has nothing to say",
			w:    deployment(), b: bound(), clusters: ready("hangzhou"),
			want: facts{allThere, yes(ReasonApplied), say(unknown(ReasonClusterNotJoined), "tokyo: the cluster is not joined"),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, yes(ReasonApplied), say(unknown(ReasonClusterNotJoined), "the cluster is not joined"))}},
		},
		{
			name: "one that fails outweighs one that is unknown",
			w:    deployment(), clusters: with(ready("hangzhou"), "tokyo", model.ClusterUnknown, ""),
			b: bound(func(b *model.ResourceBinding) {
				b.Members[0].Health = model.Unhealthy
				b.Members[0].Status = []byte(`{"generation":7,"observedGeneration":7,"resourceTemplateGeneration":2,"replicas":3,"updatedReplicas":3,"availableReplicas":1}`)
			}),
			want: facts{allThere, yes(ReasonApplied), say(no(ReasonPodsUnavailable), "hangzhou: 1 of 3 available, 0 ready"),
				map[string]targetFacts{
					"hangzhou": unwell(3, yes(ReasonApplied), say(no(ReasonPodsUnavailable), "1 of 3 available, 0 ready")),
					"tokyo":    unwell(2, yes(ReasonApplied), say(unknown(ReasonClusterUnknown), "the cluster's state is unknown"))}},
		},
		{
			name: "suspended dispatching is said where it was never sent",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) { b.DispatchSuspended = true },
				tokyo(func(i *model.BindingMember) { i.Applied, i.Health, i.Status = false, model.HealthUnknown, nil })),
			want: facts{allThere, say(held, "tokyo: "+held.Message), say(unknown(ReasonNotApplied), "tokyo: it has not been applied there: "+held.Message),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, held, say(unknown(ReasonNotApplied), "it has not been applied there: "+held.Message))}},
		},
		{
			name: "suspended dispatching to one cluster holds back a change there alone",
			w:    deployment(func(w *model.WorkloadMeta) { w.Generation = 3 }), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.DispatchSuspendedOn = []string{"tokyo"}
				b.Members[0].Status = []byte(`{"generation":8,"observedGeneration":8,"resourceTemplateGeneration":3,"replicas":3}`)
			}),
			want: facts{allThere, say(held, "tokyo: "+held.Message), say(unknown(ReasonNotApplied), "tokyo: it has not been applied there: "+held.Message),
				map[string]targetFacts{"hangzhou": well(3), "tokyo": unwell(2, held, say(unknown(ReasonNotApplied), "it has not been applied there: "+held.Message))}},
		},
		{
			name: "what follows another object is placed by it, and has no assigned replicas",
			w:    deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.Conditions, b.Clusters, b.Replicas, b.Resource.ResourceVersion = nil, nil, nil, "9"
				b.RequiredBy = []model.DependentBinding{follows("shop", "web-deployment", "tokyo", 4)}
				b.Members = b.Members[1:]
			}),
			want: facts{say(yes(ReasonRequiredBy), "it follows what depends on it: shop/web-deployment"), yes(ReasonApplied), yes(ReasonHealthy),
				map[string]targetFacts{"tokyo": {model.PlacementRequiredBy, nil,
					say(yes(ReasonRequiredBy), "shop/web-deployment is there and depends on it"), yes(ReasonApplied), yes(ReasonHealthy)}}},
		},
		{
			name: "what follows an object that is nowhere is nowhere",
			w:    deployment(func(w *model.WorkloadMeta) { w.Claim = nil }), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.Conditions, b.Clusters, b.Members = nil, nil, nil
				b.RequiredBy = []model.DependentBinding{{Ref: BindingRef("asia", "", "quota-x")}}
			}),
			want: facts{Scheduled: say(no(ReasonNoClusterChosen), "what depends on it is in no cluster: quota-x"),
				Applied: say(no(ReasonNotScheduled), "no cluster has been chosen for it"), Healthy: notScheduled},
		},
		{
			name: "a cluster that is chosen and required counts as chosen",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.RequiredBy = []model.DependentBinding{follows("", "web", "tokyo", 9)}
			}),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3), "tokyo": well(2)}},
		},
		{
			name: "an eviction is listed with its reason and does not count",
			w:    deployment(), clusters: both,
			b: bound(func(b *model.ResourceBinding) {
				b.Clusters = b.Clusters[1:]
				b.Evictions = []model.Eviction{{ClusterName: "tokyo", Reason: "TaintUntolerated", Since: at(20)}}
			}, tokyo(func(i *model.BindingMember) { i.Applied, i.Message, i.Status = false, "gone", nil })),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3),
				"tokyo": {model.PlacementEvicting, ptr(int32(0)), say(no(ReasonEvicting), "it is being moved away: TaintUntolerated"),
					say(no(ReasonApplyFailed), "gone"), say(unknown(ReasonNotApplied), "it has not been applied there: gone")}}},
		},
		{
			name: "a cluster that still holds it though it is not chosen any more is listed",
			w:    deployment(), clusters: both, b: bound(func(b *model.ResourceBinding) { b.Clusters = b.Clusters[1:] }),
			want: facts{allThere, yes(ReasonApplied), yes(ReasonHealthy), map[string]targetFacts{"hangzhou": well(3),
				"tokyo": {model.PlacementEvicting, ptr(int32(0)), say(no(ReasonNotChosen), "the scheduler does not choose this cluster any more"),
					yes(ReasonApplied), yes(ReasonHealthy)}}},
		},
		{
			name: "without the clusters' states no health is known",
			w:    deployment(), b: bound(func(b *model.ResourceBinding) { b.Clusters, b.Members = b.Clusters[:1], b.Members[1:] }),
			want: facts{allThere, yes(ReasonApplied), say(unknown(ReasonClusterStateUnknown), "tokyo: the state of the cluster is not known"),
				map[string]targetFacts{"tokyo": unwell(2, yes(ReasonApplied), say(unknown(ReasonClusterStateUnknown), "the state of the cluster is not known"))}},
		},
		{
			name: "without a generation an unreachable cluster's word on applying is not known to be about now",
			w:    deployment(ofKind(model.KindCronJob)), clusters: with(ready(), "tokyo", model.ClusterOffline, ""),
			b: bound(func(b *model.ResourceBinding) {
				b.Clusters = []model.BindingCluster{{ClusterName: "tokyo"}}
				b.Members = []model.BindingMember{{ClusterName: "tokyo", Applied: true, Health: model.Healthy, Status: []byte(`{}`)}}
			}),
			want: facts{allThere, say(unknown(ReasonClusterOffline), "tokyo: the cluster is offline"), say(unknown(ReasonClusterOffline), "tokyo: the cluster is offline"),
				map[string]targetFacts{"tokyo": {model.PlacementScheduled, nil, yes(ReasonScheduled),
					say(unknown(ReasonClusterOffline), "the cluster is offline"), say(unknown(ReasonClusterOffline), "the cluster is offline")}}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, factsOf(Compute(c.w, c.b, c.clusters))); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
		})
	}
}
