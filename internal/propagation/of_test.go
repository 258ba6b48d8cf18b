package propagation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// objectOf is a claimed template that is no workload, with a binding to tokyo.
func objectOf(group, version, kind, health, status string) Input {
	gvk := schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
	o := &deployment().Object
	o.Ref.GVK = gvk
	b := bound(func(b *model.ResourceBinding) {
		b.Replicas, b.Resource.GVK = nil, gvk
		b.Clusters = []model.BindingCluster{{ClusterName: "tokyo"}}
		b.Members = []model.BindingMember{{ClusterName: "tokyo", Applied: true, Health: model.ResourceHealth(health)}}
		if status != "" {
			b.Members[0].Status = []byte(status)
		}
	})
	return Input{Object: o, Binding: b, Clusters: ready("tokyo")}
}

func TestObjectsOfAnyKindArePropagated(t *testing.T) {
	unchecked := say(unknown(ReasonNoHealthCheck), noHealthCheck)
	cases := []struct {
		name    string
		in      Input
		healthy model.Fact
	}{
		{"a ConfigMap is applied, and nobody checks its health", objectOf("", "v1", "ConfigMap", "HEALTHY", ""), unchecked},
		{"a ConfigMap of which nothing was collected will never be judged", objectOf("", "v1", "ConfigMap", "UNKNOWN", ""), unchecked},
		{"a custom resource that nobody checks is not known to be well, though Karmada calls it Healthy", objectOf("demo.kairship.io", "v1", "Cache", "HEALTHY", `{"phase":"Broken"}`), unchecked},
		{"a custom resource that Karmada was taught to check is unhealthy", objectOf("demo.kairship.io", "v1", "Cache", "UNHEALTHY", `{"phase":"Broken"}`), say(no(ReasonUnhealthy), "Karmada judges it unhealthy")},
		{"a custom resource that Karmada checks out of the box is healthy", objectOf("apps.kruise.io", "v1alpha1", "CloneSet", "HEALTHY", `{}`), yes(ReasonHealthy)},
		{"a claim of storage is healthy when Karmada says so", objectOf("", "v1", "PersistentVolumeClaim", "HEALTHY", `{"phase":"Bound"}`), yes(ReasonHealthy)},
		{"a Service without an address is not checked", objectOf("", "v1", "Service", "HEALTHY", `{"loadBalancer":{}}`), unchecked},
		{"a Service with an address was checked", objectOf("", "v1", "Service", "HEALTHY", `{"loadBalancer":{"ingress":[{"ip":"10.0.0.1"}]}}`), yes(ReasonHealthy)},
		{"a status in a form of its own is no obstacle", objectOf("demo.kairship.io", "v1", "Cache", "HEALTHY", `{"replicas":"many"}`), unchecked},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := Of(c.in)
			got := factsOf(p).Targets["tokyo"]
			want := targetFacts{model.PlacementScheduled, nil, yes(ReasonScheduled), yes(ReasonApplied), c.healthy}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			if p.Targets[0].Of != p || p.Targets[0].MemberRef().Cluster != "tokyo" || p.Targets[0].Status != nil {
				t.Errorf("target %+v", p.Targets[0])
			}
		})
	}
	t.Run("a custom resource whose replicas Karmada counts is assigned some", func(t *testing.T) {
		in := objectOf("apps.kruise.io", "v1alpha1", "CloneSet", "HEALTHY", `{}`)
		in.Binding.Replicas, in.Binding.Clusters = ptr(int32(3)), []model.BindingCluster{chosen("tokyo", 3)}
		if got := Of(in).Targets[0].DesiredReplicas; got == nil || *got != 3 {
			t.Errorf("desired replicas %v, want 3", got)
		}
	})
	t.Run("without a policy it is nowhere", func(t *testing.T) {
		o := deployment(func(w *model.WorkloadMeta) { w.Claim = nil }).Object
		p := Of(Input{Object: &o})
		if p.Scheduled.Reason != ReasonNoPolicy || p.Applied.Value != model.FactFalse || p.Healthy.Value != model.FactUnknown || p.RequiredBy == nil {
			t.Errorf("propagation %+v", p)
		}
	})
}

func TestTheNewestWordWins(t *testing.T) {
	work := func(conditions, manifestStatus string) map[string]*model.Work {
		w, err := DecodeWork("asia", []byte(workOf("", `"conditions":[`+conditions+`],"manifestStatuses":[`+manifestStatus+`]`)))
		if err != nil {
			t.Fatal(err)
		}
		return map[string]*model.Work{"tokyo": w}
	}
	manifest := func(health, status string) string {
		return `{"identifier":{"ordinal":0,"kind":"Deployment","name":"cart"},"health":"` + health + `","status":` + status + `}`
	}
	member := func(meta, spec, status string) map[string]*Member {
		return map[string]*Member{"tokyo": {Raw: []byte(`{"metadata":{"annotations":{"resourcetemplate.karmada.io/generation":"2","resourcetemplate.karmada.io/uid":"u1"}` + meta + `},"spec":{` + spec + `},"status":{` + status + `}}`)}}
	}
	const wellStatus = `"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":2,"availableReplicas":2`
	sick := tokyo(func(i *model.BindingMember) {
		i.Health, i.Status = model.Unhealthy, []byte(`{"generation":1,"observedGeneration":1,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
	})
	refused := tokyo(func(i *model.BindingMember) {
		i.Applied, i.Message, i.Health, i.Status = false, "old refusal", model.HealthUnknown, nil
	})
	two := int32(2)
	cases := []struct {
		name             string
		edit             []func(*model.ResourceBinding)
		in               Input
		applied, healthy model.Fact
	}{
		{"a Work that was refused says so before its binding does", nil,
			Input{Works: work(condOf("Applied", "False", "namespaces not found"), "")},
			model.Fact{Value: model.FactFalse, Reason: ReasonApplyFailed, Message: "namespaces not found", Since: at(20)},
			say(unknown(ReasonNotApplied), "it has not been applied there: namespaces not found")},
		{"a Work that was applied at last says so before its binding does", []func(*model.ResourceBinding){refused},
			Input{Works: work(condOf("Applied", "True", ""), manifest("Healthy", `{"generation":1,"resourceTemplateGeneration":2,`+wellStatus+`}`))},
			yes(ReasonApplied), yes(ReasonHealthy)},
		{"a Work that has not said anything leaves it to the binding", nil, Input{Works: work(condOf("Dispatching", "True", ""), "")},
			yes(ReasonApplied), yes(ReasonHealthy)},
		{"a member that is well again says so before Karmada does", []func(*model.ResourceBinding){sick},
			Input{Members: member(`,"generation":1`, `"replicas":2`, wellStatus)}, yes(ReasonApplied), yes(ReasonHealthy)},
		{"a member that is not well says so before Karmada does", nil,
			Input{Members: member(`,"generation":1`, `"replicas":2`, `"observedGeneration":1,"replicas":2,"updatedReplicas":2,"readyReplicas":1,"availableReplicas":1`)},
			yes(ReasonApplied), say(no(ReasonPodsUnavailable), "1 of 2 available, 1 ready")},
		{"an override may ask a member for more", nil,
			Input{Members: member(`,"generation":1`, `"replicas":5`, `"observedGeneration":1,"replicas":5,"updatedReplicas":4,"readyReplicas":4,"availableReplicas":4`)},
			yes(ReasonApplied), say(no(ReasonRolloutIncomplete), "4 of 5 updated, 4 available")},
		{"what the member's controller has not looked at yet is not known", nil,
			Input{Members: member(`,"generation":3`, `"replicas":2`, wellStatus)},
			yes(ReasonApplied), say(unknown(ReasonStatusBehind), "the cluster's own controller has not looked at it yet")},
		{"a member that is read later than Karmada is not believed", nil,
			Input{Members: map[string]*Member{"tokyo": {Raw: []byte(`{"metadata":{"generation":1,"annotations":{"resourcetemplate.karmada.io/generation":"1"}},"status":{"observedGeneration":1}}`)}}},
			yes(ReasonApplied), yes(ReasonHealthy)},
		{"a namesake that Karmada did not put there says nothing", nil,
			Input{Members: map[string]*Member{"tokyo": {Raw: []byte(`{"metadata":{"generation":9,"annotations":{"resourcetemplate.karmada.io/uid":"another"}},"status":{"observedGeneration":9}}`)}}},
			yes(ReasonApplied), yes(ReasonHealthy)},
		{"what Karmada holds for applied and the member does not have is not known to be there", nil,
			Input{Members: map[string]*Member{"tokyo": {}}},
			say(unknown(ReasonNotInMember), "Karmada says that it is applied, but it is not among the objects of the cluster"),
			say(unknown(ReasonNotInMember), "Karmada says that it is applied, but it is not among the objects of the cluster")},
		{"a member's own word is worth nothing while it is out of reach", []func(*model.ResourceBinding){tokyo(func(i *model.BindingMember) { i.Applied, i.Status = false, nil })},
			Input{Members: member(`,"generation":1`, `"replicas":2`, wellStatus), Clusters: with(ready("hangzhou"), "tokyo", model.ClusterOffline, "gone")},
			say(unknown(ReasonClusterOffline), "the cluster is offline: gone"), say(unknown(ReasonClusterOffline), "the cluster is offline: gone")},
		{"a member that has it proves that it was applied", []func(*model.ResourceBinding){func(b *model.ResourceBinding) { b.Members = b.Members[:1] }},
			Input{Members: member(`,"generation":1`, `"replicas":2`, wellStatus)}, yes(ReasonApplied), yes(ReasonHealthy)},
		{"a refusal stands, whatever older object the member has", []func(*model.ResourceBinding){refused},
			Input{Members: member(`,"generation":1`, `"replicas":2`, wellStatus)},
			say(no(ReasonApplyFailed), "old refusal"), say(unknown(ReasonNotApplied), "it has not been applied there: old refusal")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := deployment()
			in := c.in
			in.Object, in.Workload, in.Binding = &w.Object, w, bound(c.edit...)
			if in.Clusters == nil {
				in.Clusters = ready("hangzhou", "tokyo")
			}
			p := Of(in)
			got := factsOf(p).Targets["tokyo"]
			want := targetFacts{model.PlacementScheduled, &two, yes(ReasonScheduled), c.applied, c.healthy}
			since := c.applied.Since
			want.Applied.Since = nil
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("facts (-want +got):\n%s", diff)
			}
			if since != nil {
				if diff := cmp.Diff(since, p.Targets[1].Applied.Since); diff != "" {
					t.Errorf("since (-want +got):\n%s", diff)
				}
			}
		})
	}
}
