package propagation

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// finding is what the cases compare: code, severity, cluster, and a part of the message and of each piece
// of evidence.
type finding struct {
	code     model.FindingCode
	severity model.Severity
	cluster  string
	message  string
	evidence []string // "object | field | value", each a part of the whole
}

// oneHour is long after everything.
var oneHour = epoch.Add(time.Hour)

// refusedBy is a binding for which the scheduler found no cluster.
func refusedBy(reason, message string) *model.ResourceBinding {
	return bound(func(b *model.ResourceBinding) {
		b.Clusters, b.Members, b.SchedulerName = nil, nil, "default-scheduler"
		b.Conditions = []model.Condition{{Type: "Scheduled", Status: model.FactFalse, Reason: reason, Message: message, Since: at(2)}}
	})
}

func verdict(cluster string, code model.UnfitCode, field, value string) model.ClusterVerdict {
	return model.ClusterVerdict{ClusterName: cluster, Reasons: []model.UnfitReason{{Code: code, Message: "why", Field: field, Value: value}}}
}

func policyRef(kind model.PolicyKind, namespace, name string) model.Ref {
	return model.Ref{Instance: "asia", GVK: kind.GVK(), Namespace: namespace, Name: name}
}

// podOf is a pod of the Deployment in tokyo with one container.
func podOf(edit ...func(*model.Pod)) *model.Pod {
	p := &model.Pod{Phase: model.PodRunning, Containers: []model.PodContainer{{Name: "web", Image: "registry.example.com/web:1", State: model.ContainerRunning, Ready: true}}}
	p.Ref = model.Ref{Instance: "asia", Cluster: "tokyo", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Namespace: "shop", Name: "cart-1"}
	for _, e := range edit {
		e(p)
	}
	return p
}

func waiting(reason, message string) func(*model.Pod) {
	return func(p *model.Pod) {
		c := &p.Containers[0]
		c.State, c.Ready, c.Reason, c.Message = model.ContainerWaiting, false, reason, message
	}
}

func lastEnded(reason, message string) func(*model.Pod) {
	return func(p *model.Pod) {
		p.Containers[0].LastTermination = &model.ContainerTermination{Reason: reason, ExitCode: 1, Message: message}
	}
}

func inPlace(p Place) map[string]*Place { return map[string]*Place{"tokyo": &p} }

func TestDiagnose(t *testing.T) {
	both := func() map[string]*model.Cluster { return ready("hangzhou", "tokyo") }
	unclaimed := func(w *model.WorkloadMeta) { w.Claim = nil }
	sick := tokyo(func(i *model.BindingMember) {
		i.Health, i.Status = model.Unhealthy, []byte(`{"generation":2,"observedGeneration":2,"resourceTemplateGeneration":2,"replicas":2,"updatedReplicas":2}`)
	})
	refusedThere := func(words string) *model.ResourceBinding {
		return bound(tokyo(func(i *model.BindingMember) {
			i.Applied, i.Message, i.Health, i.Status = false, words, model.HealthUnknown, nil
		}))
	}
	image := model.FieldChange{Path: "/spec/template/spec/containers[name=web]/image", From: ptr("web:1"), To: ptr("registry.example.com/web:1")}
	overridden := func(c model.FieldChange) []model.AppliedOverride {
		return []model.AppliedOverride{{Ref: policyRef(model.PolicyOverride, "shop", "mirror"), Changes: []model.FieldChange{c}}}
	}
	const noFit = "0/3 clusters are available: "
	const affinityWords = "cluster(s) did not match the placement cluster affinity constraint"
	configMap := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: "shop", Name: "prices"}

	cases := []struct {
		name     string
		w        *model.WorkloadMeta
		b        *model.ResourceBinding
		unbound  bool // no binding at all, where b is nil
		clusters map[string]*model.Cluster
		now      time.Time
		in       Diagnosis
		want     []finding
	}{
		{
			name: "with a healthy workload nothing is wrong",
			in:   Diagnosis{Policies: []model.PolicyMatch{{Policy: policyRef(model.PolicyPropagation, "shop", "all"), Claims: true}}, Freshness: &model.Freshness{State: model.FreshnessLive}},
		},
		{
			name: "no policy selects it", w: deployment(unclaimed), unbound: true, in: Diagnosis{Policies: []model.PolicyMatch{}},
			want: []finding{{model.FindingNoPolicy, model.SeverityError, "", "no policy selects it", []string{"Deployment shop/cart | metadata.annotations | no claim"}}},
		},
		{
			name: "no policy selects it, of those that may be seen", w: deployment(unclaimed), unbound: true,
			in:   Diagnosis{Policies: []model.PolicyMatch{}, PoliciesHidden: true},
			want: []finding{{model.FindingNoPolicy, model.SeverityError, "", "no policy that you may see selects it", []string{"Deployment shop/cart | metadata.annotations | no claim"}}},
		},
		{
			name: "a policy selects it and has not claimed it", w: deployment(unclaimed), unbound: true,
			in:   Diagnosis{Policies: []model.PolicyMatch{{Policy: policyRef(model.PolicyPropagation, "shop", "lazy"), How: "NAME"}}},
			want: []finding{{model.FindingBindingPending, model.SeverityWarning, "", "PropagationPolicy shop/lazy selects it", []string{"PropagationPolicy shop/lazy | spec.resourceSelectors | selects it by name"}}},
		},
		{
			name: "its policy was removed and it stayed", w: deployment(unclaimed),
			want: []finding{{model.FindingPolicyRemoved, model.SeverityError, "", "no policy claims it any more", []string{"Deployment shop/cart | metadata.annotations | ", "ResourceBinding shop/cart-deployment | spec.clusters | tokyo, hangzhou"}}},
		},
		{
			name: "another policy selects it too, without effect: which, and why",
			in: Diagnosis{Policies: []model.PolicyMatch{
				{Policy: policyRef(model.PolicyPropagation, "shop", "all"), Priority: 10, Claims: true, Why: "it wins: its priority 10 is higher than 0 of shop/other"},
				{Policy: policyRef(model.PolicyPropagation, "shop", "other"), Why: "it comes after shop/all"}}},
			want: []finding{{model.FindingClaimedByAnother, model.SeverityInfo, "", "its priority 10 is higher than 0", []string{
				"Deployment shop/cart | metadata.annotations | claimed by PropagationPolicy shop/all",
				"PropagationPolicy shop/all | spec.priority | 10; it wins", "PropagationPolicy shop/other | spec.priority | 0; it comes after"}}},
		},
		{
			name: "it is claimed by another policy than the one that Karmada would choose",
			in: Diagnosis{Policies: []model.PolicyMatch{
				{Policy: policyRef(model.PolicyPropagation, "shop", "urgent"), Priority: 10, Why: "it wins; its preemption is Never"},
				{Policy: policyRef(model.PolicyPropagation, "shop", "all"), Claims: true}}},
			want: []finding{{model.FindingClaimedByAnother, model.SeverityWarning, "", "although PropagationPolicy shop/urgent goes before it: it wins; its preemption is Never", nil}},
		},
		{
			name: "no cluster matches its policy's affinity",
			b: func() *model.ResourceBinding {
				b := refusedBy("NoClusterFit", noFit+"3 "+affinityWords+".")
				b.Raw = []byte(`{"spec":{"placement":{"clusterAffinity":{"labelSelector":{"matchLabels":{"tier":"gold"}}}}}}`)
				return b
			}(),
			in: Diagnosis{Verdicts: []model.ClusterVerdict{{ClusterName: "hangzhou", Reasons: []model.UnfitReason{{Code: model.UnfitAffinity, Message: "has another tier", Field: "metadata.labels", Value: "tier=silver"}}},
				{ClusterName: "tokyo", Reasons: []model.UnfitReason{{Code: model.UnfitAffinity, Message: "has no tier", Field: "metadata.labels"}}}}},
			want: []finding{{model.FindingAffinity, model.SeverityError, "", "no cluster fits: each of hangzhou, tokyo is not among those that its policy's affinity chooses", []string{
				"Cluster hangzhou | metadata.labels | tier=silver", "Cluster tokyo | metadata.labels | ",
				`ResourceBinding shop/cart-deployment | spec.placement.clusterAffinity | {"labelSelector":{"matchLabels":{"tier":"gold"}}}`,
				"ResourceBinding shop/cart-deployment | status.conditions[type=Scheduled] | FALSE NoClusterFit: 0/3"}}},
		},
		{
			name: "what the policy asks for is evidence where the binding was watched, and has no JSON",
			b:    refusedBy("NoClusterFit", noFit+"3 "+affinityWords+"."),
			in: Diagnosis{Claiming: []byte(`{"spec":{"placement":{"clusterAffinity":{"clusterNames":["osaka"]}}}}`),
				Verdicts: []model.ClusterVerdict{verdict("tokyo", model.UnfitAffinity, "metadata.name", "tokyo")}},
			want: []finding{{model.FindingAffinity, model.SeverityError, "", "no cluster fits: tokyo: why", []string{"Cluster tokyo | metadata.name | tokyo",
				`| spec.placement.clusterAffinity | {"clusterNames":["osaka"]}`, "ResourceBinding"}}},
		},
		{
			name: "the cluster that is meant does not serve its kind, and that others are not meant is no cause",
			b:    refusedBy("NoClusterFit", noFit+"1 cluster(s) did not have the API resource, 2 "+affinityWords+"."),
			in:   Diagnosis{Verdicts: []model.ClusterVerdict{verdict("hangzhou", model.UnfitAffinity, "metadata.name", "hangzhou"), verdict("singapore", model.UnfitAPINotEnabled, "status.apiEnablements", "no demo.kairship.io/v1")}},
			want: []finding{{model.FindingAPINotEnabled, model.SeverityError, "", "no cluster fits: singapore: why", []string{"Cluster singapore | status.apiEnablements | no demo", "ResourceBinding"}}},
		},
		{
			name: "the scheduler's words are enough where nobody looked at the clusters",
			b:    refusedBy("NoClusterFit", noFit+"1 cluster(s) did not have the API resource, 2 "+affinityWords+"."),
			want: []finding{{model.FindingAPINotEnabled, model.SeverityError, "", "no cluster fits: 0/3 clusters are available", []string{"ResourceBinding shop/cart-deployment | status.conditions"}}},
		},
		{
			name: "a taint that is not tolerated", b: refusedBy("NoClusterFit", noFit+"3 cluster(s) had untolerated taint {maintenance: true}."),
			in:   Diagnosis{Verdicts: []model.ClusterVerdict{verdict("tokyo", model.UnfitTaint, "spec.taints", "maintenance=true:NoSchedule")}},
			want: []finding{{model.FindingTaint, model.SeverityError, "", "no cluster fits: tokyo: why", []string{"Cluster tokyo | spec.taints | maintenance=true:NoSchedule", "ResourceBinding"}}},
		},
		{
			name:     "a taint that Karmada put on a cluster which is offline is not the cause, the cluster is",
			b:        refusedBy("NoClusterFit", noFit+"1 cluster(s) had untolerated taint {cluster.karmada.io/not-ready: }, 2 "+affinityWords+"."),
			clusters: with(both(), "tokyo", model.ClusterOffline, "no route to host"),
			in:       Diagnosis{Verdicts: []model.ClusterVerdict{verdict("tokyo", model.UnfitTaint, "spec.taints", "cluster.karmada.io/not-ready:NoSchedule")}},
			want:     []finding{{model.FindingClusterOffline, model.SeverityError, "", "no cluster fits: tokyo cannot be used now", []string{"Cluster tokyo | spec.taints | ", "Cluster tokyo | status.conditions[type=Ready] | FALSE", "ResourceBinding"}}},
		},
		{
			name: "too few clusters are left for the spread", b: refusedBy("SchedulerError", "failed to select clusters: the number of feasible clusters is less than spreadConstraint.MinGroups"),
			in:   Diagnosis{Verdicts: []model.ClusterVerdict{verdict("tokyo", model.UnfitTaint, "spec.taints", "maintenance")}},
			want: []finding{{model.FindingSpread, model.SeverityError, "", "is less than spreadConstraint.MinGroups", []string{"Cluster tokyo | spec.taints | maintenance", "ResourceBinding"}}},
		},
		{
			name: "the clusters have not enough room", b: refusedBy("Unschedulable", "Clusters available replicas 3 are not enough to schedule."),
			in:   Diagnosis{Verdicts: []model.ClusterVerdict{verdict("tokyo", model.UnfitNoRoom, "status.resourceSummary.allocatable.cpu", "4")}},
			want: []finding{{model.FindingNoRoom, model.SeverityError, "", "no cluster fits: tokyo: why", []string{"Cluster tokyo | status.resourceSummary", "ResourceBinding"}}},
		},
		{
			name: "together the clusters have not enough room",
			b:    refusedBy("Unschedulable", "Clusters available replicas 3 are not enough to schedule."),
			in:   Diagnosis{Unfit: []model.UnfitReason{{Code: model.UnfitNoRoom, Message: "the clusters that fit have room for 3 of 5 replicas", Field: "status.resourceSummary", Value: "tokyo 3"}}},
			want: []finding{{model.FindingNoRoom, model.SeverityError, "", "room for 3 of 5 replicas", []string{"PropagationPolicy shop/all | status.resourceSummary | tokyo 3", "ResourceBinding"}}},
		},
		{
			name: "a quota does not allow it", b: refusedBy("QuotaExceeded", "exceeded quota: shop"),
			want: []finding{{model.FindingQuota, model.SeverityError, "", "exceeded quota: shop", []string{"ResourceBinding"}}},
		},
		{
			name: "the scheduler failed for a reason of its own", b: refusedBy("SchedulerError", "failed to prioritize clusters: boom"),
			want: []finding{{model.FindingSchedulerError, model.SeverityError, "", "boom", []string{"ResourceBinding"}}},
		},
		{
			name: "a refusal in words that are not known is passed on", b: refusedBy("NoClusterFit", "something new"),
			want: []finding{{model.FindingNoClusterFits, model.SeverityError, "", "something new", []string{"ResourceBinding"}}},
		},
		{
			name: "scheduling is suspended", b: bound(func(b *model.ResourceBinding) { b.Suspended, b.Conditions, b.Clusters, b.Members = true, nil, nil, nil }),
			want: []finding{{model.FindingSchedulingSuspended, model.SeverityWarning, "", "scheduling is suspended", []string{"ResourceBinding shop/cart-deployment | spec.suspension.scheduling | true"}}},
		},
		{
			name: "the scheduler has not come to it for long", b: bound(func(b *model.ResourceBinding) { b.Generation = 5 }),
			want: []finding{{model.FindingSchedulerBehind, model.SeverityWarning, "", "has changed since", []string{"| metadata.generation | 5", "| status.schedulerObservedGeneration | 4", "Scheduled"}}},
		},
		{
			name: "there is no binding yet, and it is new", unbound: true, now: epoch.Add(10 * time.Second),
			want: []finding{{model.FindingBindingPending, model.SeverityInfo, "", "there is no binding of its own yet", []string{"claimed by PropagationPolicy shop/all"}}},
		},
		{
			name: "not all replicas have a place", b: bound(func(b *model.ResourceBinding) {
				b.Divided, b.Replicas = true, ptr(int32(9))
				b.Resource.ResourceVersion = "9"
			}),
			w:    deployment(func(w *model.WorkloadMeta) { w.Replicas = ptr(int32(9)) }),
			want: []finding{{model.FindingReplicasUnassigned, model.SeverityError, "", "5 of 9 replicas", []string{"spec.replicas | 9", "spec.clusters | 5 in all", "Scheduled"}}},
		},
		{
			name: "sending it is suspended in one cluster",
			w:    deployment(func(w *model.WorkloadMeta) { w.Generation = 3 }),
			b: bound(func(b *model.ResourceBinding) { b.DispatchSuspendedOn = []string{"tokyo"} },
				func(b *model.ResourceBinding) {
					b.Members[0].Status = []byte(strings.Replace(string(b.Members[0].Status), `"resourceTemplateGeneration":2`, `"resourceTemplateGeneration":3`, 1))
				}),
			want: []finding{{model.FindingDispatchSuspended, model.SeverityWarning, "tokyo", "tokyo do not get", []string{"spec.suspension.dispatchingOnClusters.clusterNames | tokyo"}}},
		},
		{
			name: "the member's API server refused it, in its own words", b: refusedThere(`namespaces "shop" not found`),
			in: Diagnosis{Places: inPlace(Place{Work: &model.Work{Object: model.Object{Ref: model.Ref{GVK: schema.GroupVersionKind{Kind: "Work"}, Namespace: "karmada-es-tokyo", Name: "cart-1"}},
				Conditions: []model.Condition{{Type: "Applied", Status: model.FactFalse, Reason: "AppliedFailed", Message: "Failed to apply all manifests (0/1)"}}}})},
			want: []finding{{model.FindingApplyFailed, model.SeverityError, "tokyo", `tokyo refused it: namespaces "shop" not found`, []string{"Work karmada-es-tokyo/cart-1 | status.conditions[type=Applied] | FALSE AppliedFailed: Failed to apply"}}},
		},
		{
			name: "the member holds an object of this name that is not Karmada's",
			b:    refusedThere("resource(kind=Deployment, shop/cart) already exists in the cluster tokyo and the work.karmada.io/conflict-resolution strategy value is empty, Karmada will not manage this resource"),
			want: []finding{{model.FindingResourceConflict, model.SeverityError, "tokyo", "Karmada did not put there", []string{"appliedMessage | resource(kind", "spec.conflictResolution | "}}},
		},
		{
			name: "the member does not know the kind", b: refusedThere(`no matches for kind "Cache" in version "demo.kairship.io/v1"`),
			want: []finding{{model.FindingAPINotEnabled, model.SeverityError, "tokyo", "does not serve its kind", []string{"appliedMessage"}}},
		},
		{
			name: "an override put in what the member refuses, by its path",
			b:    refusedThere(`Deployment.apps "cart" is invalid: spec.template.spec.containers[0].image: Required value`),
			in:   Diagnosis{Places: inPlace(Place{Overrides: overridden(model.FieldChange{Path: image.Path, From: image.From})})},
			want: []finding{{model.FindingOverrideBroke, model.SeverityError, "tokyo", "refused what OverridePolicy shop/mirror put into it", []string{"appliedMessage", "OverridePolicy shop/mirror | /spec/template/spec/containers[name=web]/image | web:1 → nothing"}}},
		},
		{
			name: "an override put in what the member refuses, by its value",
			b:    refusedThere(`admission webhook denied the request: image registry.example.com/web:1 is not allowed`),
			in:   Diagnosis{Places: inPlace(Place{Overrides: overridden(image)})},
			want: []finding{{model.FindingOverrideBroke, model.SeverityError, "tokyo", "is not allowed", []string{"appliedMessage", "OverridePolicy shop/mirror | "}}},
		},
		{
			name: "a refusal that is not about what an override changed is not laid to it",
			b:    refusedThere(`spec.template.spec.containers[0].imagePullPolicy: Unsupported value`),
			in:   Diagnosis{Places: inPlace(Place{Overrides: overridden(image)})},
			want: []finding{{model.FindingApplyFailed, model.SeverityError, "tokyo", "imagePullPolicy", []string{"appliedMessage"}}},
		},
		{
			name: "Karmada cannot apply an override and sends nothing", b: bound(func(b *model.ResourceBinding) { b.Members = b.Members[:1] }),
			in:   Diagnosis{Events: []*model.KubernetesEvent{{Reason: "ApplyOverridePolicyFailed", Message: "Apply override policy(shop/mirror) for cluster(tokyo) failed."}}},
			want: []finding{{model.FindingOverrideBroke, model.SeverityError, "tokyo", "override policy(shop/mirror)", []string{"Deployment shop/cart | events[reason=ApplyOverridePolicyFailed] | Apply override"}}},
		},
		{
			name: "it has not arrived for long", b: bound(func(b *model.ResourceBinding) { b.Members = b.Members[:1] }),
			want: []finding{{model.FindingNotYetApplied, model.SeverityWarning, "tokyo", "nothing has been heard", []string{"status.aggregatedStatus | nothing of tokyo"}}},
		},
		{
			name: "a cluster that is offline hides what is in it", b: bound(sick), clusters: with(both(), "tokyo", model.ClusterOffline, "no route to host"),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("CrashLoopBackOff", ""))}})},
			want: []finding{{model.FindingClusterOffline, model.SeverityError, "tokyo", "no route to host", []string{"Cluster tokyo | status.conditions[type=Ready] | FALSE"}}},
		},
		{
			name: "a cluster that is not ready", clusters: with(both(), "tokyo", model.ClusterNotReady, "no nodes"),
			want: []finding{{model.FindingClusterNotReady, model.SeverityError, "tokyo", "no nodes", []string{"Cluster tokyo"}}},
		},
		{
			name: "it is being moved away, and is not well where it goes: that comes first", b: bound(sick, func(b *model.ResourceBinding) {
				b.Clusters = b.Clusters[:1]
				b.Evictions = []model.Eviction{{ClusterName: "hangzhou", Reason: "TaintUntolerated", Message: "taint x", Producer: "TaintManager"}}
			}),
			want: []finding{
				{model.FindingUnhealthy, model.SeverityError, "tokyo", "0 of 2 available", nil},
				{model.FindingEvicting, model.SeverityWarning, "hangzhou", "moved away from hangzhou: taint x", []string{"spec.gracefulEvictionTasks[fromCluster=hangzhou] | TaintUntolerated taint x", "producer | TaintManager"}},
			},
		},
		{
			name: "it stays where the scheduler does not want it any more", b: bound(func(b *model.ResourceBinding) { b.Clusters = b.Clusters[:1] }),
			want: []finding{{model.FindingEvicting, model.SeverityWarning, "hangzhou", "still in hangzhou", nil}},
		},
		{
			name: "its pods crash, even where it has just changed", b: bound(sick), now: epoch.Add(10 * time.Second),
			in: Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("CrashLoopBackOff", "back-off"), lastEnded("Error", "panic: no licence")), podOf()}})},
			want: []finding{{model.FindingCrashLoop, model.SeverityError, "tokyo", "tokyo: 1 of 2 pods: container web: CrashLoopBackOff: Error, exit code 1: panic: no licence", []string{
				"Pod shop/cart-1 in tokyo | status.containerStatuses[name=web].state.waiting | CrashLoopBackOff: back-off", "lastState.terminated | Error, exit code 1: panic"}}},
		},
		{
			name: "its pods use too much memory", b: bound(sick),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("CrashLoopBackOff", ""), lastEnded("OOMKilled", ""))}})},
			want: []finding{{model.FindingOutOfMemory, model.SeverityError, "tokyo", "more memory than it may", nil}},
		},
		{
			name: "its image cannot be pulled", b: bound(sick),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("ImagePullBackOff", "not found"))}})},
			want: []finding{{model.FindingImagePull, model.SeverityError, "tokyo", "cannot get registry.example.com/web:1", []string{"state.waiting | ImagePullBackOff: not found", "spec.containers[name=web].image | registry.example.com/web:1"}}},
		},
		{
			name: "the image that cannot be pulled was put in by an override", b: bound(sick),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("ErrImagePull", "not found"))}, Overrides: overridden(image)})},
			want: []finding{{model.FindingOverrideBroke, model.SeverityError, "tokyo", "OverridePolicy shop/mirror put that image in", []string{"state.waiting", "image | registry", "OverridePolicy shop/mirror | "}}},
		},
		{
			name: "no node takes its pods", b: bound(sick),
			in: Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(func(p *model.Pod) {
				p.Phase, p.Containers = model.PodPending, nil
				p.Conditions = []model.Condition{{Type: "PodScheduled", Status: model.FactFalse, Reason: "Unschedulable", Message: "0/3 nodes: insufficient cpu"}}
			})}})},
			want: []finding{{model.FindingPodUnschedulable, model.SeverityError, "tokyo", "0/3 nodes: insufficient cpu", []string{"Pod shop/cart-1 in tokyo | status.conditions[type=PodScheduled] | FALSE Unschedulable"}}},
		},
		{
			name: "its pods wait for what the cluster does not have", b: bound(sick),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(waiting("CreateContainerConfigError", `configmap "prices" not found`))}})},
			want: []finding{{model.FindingDependencyWaiting, model.SeverityError, "tokyo", `configmap "prices" not found`, []string{"state.waiting"}}},
		},
		{
			name: "an event of the member tells why it makes no pods", b: bound(sick),
			in: Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{}, Events: []*model.KubernetesEvent{
				{Type: model.EventWarning, Reason: "FailedCreate", Message: "exceeded quota: compute", LastSeen: epoch, Regarding: model.ObjectReference{Kind: "ReplicaSet", Name: "cart-7"}},
				{Type: model.EventNormal, Reason: "Scaled", LastSeen: oneHour}}})},
			want: []finding{{model.FindingPodFailed, model.SeverityError, "tokyo", "exceeded quota: compute", []string{"ReplicaSet cart-7 in tokyo | events[reason=FailedCreate] | exceeded", "health"}}},
		},
		{
			name: "it is not well, and nobody knows why", b: bound(sick),
			want: []finding{{model.FindingUnhealthy, model.SeverityError, "tokyo", "0 of 2 available", []string{"aggregatedStatus[clusterName=tokyo].health | 0 of 2"}}},
		},
		{
			name: "what has just changed is on its way", b: bound(sick), now: epoch.Add(30 * time.Second),
			want: []finding{{model.FindingRollout, model.SeverityInfo, "tokyo", "0 of 2 available", nil}},
		},
		{
			name: "a Job failed, and its pod tells more", w: deployment(ofKind(model.KindJob)), b: bound(tokyo(func(i *model.BindingMember) {
				i.Status = []byte(`{"failed":1,"conditions":[{"type":"Failed","status":"True","reason":"BackoffLimitExceeded","message":"too often"}]}`)
			}), func(b *model.ResourceBinding) { b.Clusters, b.Members = b.Clusters[:1], b.Members[1:] }),
			in:   Diagnosis{Places: inPlace(Place{Pods: []*model.Pod{podOf(func(p *model.Pod) { p.Phase, p.Reason, p.Containers = model.PodFailed, "Error", nil })}})},
			want: []finding{{model.FindingJobFailed, model.SeverityError, "tokyo", "too often", []string{"health | too often", "Pod shop/cart-1 in tokyo | status.phase | FAILED Error"}}},
		},
		{
			name: "it needs what the control plane does not have", in: Diagnosis{Dependencies: []DependencyState{{Dependency: model.Dependency{Ref: configMap}}}},
			want: []finding{{model.FindingDependencyWaiting, model.SeverityWarning, "", "it needs ConfigMap shop/prices, which the control plane does not have", []string{"ResourceBinding"}}},
		},
		{
			name: "it needs what does not go where it goes",
			in: Diagnosis{Dependencies: []DependencyState{{Dependency: model.Dependency{Ref: configMap}, Exists: true,
				Propagation: &model.Propagation{Targets: []*model.PropagationTarget{{ClusterName: "hangzhou", Applied: yes(ReasonApplied)}}}}}},
			want: []finding{{model.FindingDependencyWaiting, model.SeverityWarning, "tokyo", "does not go to tokyo", nil}},
		},
		{
			name: "it needs what a cluster refused",
			in: Diagnosis{Dependencies: []DependencyState{{Dependency: model.Dependency{Ref: configMap}, Exists: true,
				Propagation: &model.Propagation{Targets: []*model.PropagationTarget{{ClusterName: "hangzhou", Applied: yes(ReasonApplied)},
					{ClusterName: "tokyo", Applied: say(no(ReasonApplyFailed), "too large")}}}}}},
			want: []finding{{model.FindingDependencyWaiting, model.SeverityError, "tokyo", "tokyo does not hold: too large", []string{"ResourceBinding", "ConfigMap shop/prices | applied in tokyo | ApplyFailed too large"}}},
		},
		{
			name: "it waits for what takes it along", w: deployment(unclaimed), b: bound(func(b *model.ResourceBinding) {
				b.Conditions, b.Clusters, b.Members = nil, nil, nil
				b.RequiredBy = []model.DependentBinding{{Ref: BindingRef("asia", "shop", "web-deployment")}}
			}),
			want: []finding{{model.FindingDependencyWaiting, model.SeverityWarning, "", "shop/web-deployment", []string{"spec.requiredBy | shop/web-deployment"}}},
		},
		{
			name: "a read store that does not follow comes before everything", b: refusedThere("no"),
			in: Diagnosis{Freshness: &model.Freshness{State: model.FreshnessStopped, Message: "the sync has ended", SyncedAt: at(0)}},
			want: []finding{
				{model.FindingStoreStale, model.SeverityWarning, "", "does not follow instance asia", []string{"Instance asia | freshness.state | STOPPED since 2025-06-01T12:00:00Z: the sync has ended"}},
				{model.FindingApplyFailed, model.SeverityError, "tokyo", "no", nil},
			},
		},
		{
			name: "what comes from a member that is not followed may be old",
			in:   Diagnosis{Places: inPlace(Place{Freshness: &model.Freshness{State: model.FreshnessStale}})},
			want: []finding{{model.FindingStoreStale, model.SeverityWarning, "tokyo", "does not follow tokyo", []string{"Cluster tokyo | freshness.state | STALE"}}},
		},
		{
			name: "it is being deleted", w: deployment(func(w *model.WorkloadMeta) { w.DeletedAt = at(0) }),
			want: []finding{{model.FindingDeleting, model.SeverityWarning, "", "being deleted", []string{"metadata.deletionTimestamp | 2025-06-01T12:00:00Z"}}},
		},
	}
	seen := map[model.FindingCode]bool{}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w, clusters, now := c.w, c.clusters, c.now
			if w == nil {
				w = deployment()
			}
			b := c.b
			if b == nil && !c.unbound {
				b = bound()
			}
			if clusters == nil {
				clusters = both()
			}
			if now.IsZero() {
				now = oneHour
			}
			in := c.in
			in.Object, in.Workload, in.Clusters, in.Now = &w.Object, w, clusters, now
			in.Propagation = Compute(w, b, clusters)
			got := Diagnose(in)
			if len(got) != len(c.want) {
				t.Fatalf("got %d findings, want %d: %+v", len(got), len(c.want), got)
			}
			for i, want := range c.want {
				seen[want.code] = true
				check(t, got[i], want)
			}
		})
	}
	for _, code := range stages {
		if !seen[code] {
			t.Errorf("no case finds %s", code)
		}
	}
}

func check(t *testing.T, got model.Finding, want finding) {
	t.Helper()
	cluster := ""
	if got.ClusterName != nil {
		cluster = *got.ClusterName
	}
	if diff := cmp.Diff([]any{want.code, want.severity, want.cluster}, []any{got.Code, got.Severity, cluster}); diff != "" {
		t.Errorf("finding (-want +got):\n%s\nmessage: %s", diff, got.Message)
	}
	if !strings.Contains(got.Message, want.message) {
		t.Errorf("message %q does not say %q", got.Message, want.message)
	}
	if got.Remedy == "" || len(got.Evidence) == 0 {
		t.Errorf("%s: remedy %q, evidence %v: neither may be missing", got.Code, got.Remedy, got.Evidence)
	}
	if want.evidence != nil && len(got.Evidence) != len(want.evidence) {
		t.Errorf("evidence %+v, want %d pieces", got.Evidence, len(want.evidence))
		return
	}
	for i, part := range want.evidence {
		e := got.Evidence[i]
		if line := e.Object + " | " + e.Field + " | " + e.Value; !strings.Contains(line, part) {
			t.Errorf("evidence %q does not say %q", line, part)
		}
	}
}

func TestTheGraphAndTheOrderKnowTheSameFindings(t *testing.T) {
	contract, err := os.ReadFile("../../schema/propagation.graphqls")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(contract), "enum FindingCode {")
	body, _, _ := strings.Cut(rest, "}")
	var want []model.FindingCode
	for _, line := range strings.Split(body, "\n") {
		if line = strings.TrimSpace(line); line != "" && line[0] != '"' {
			want = append(want, model.FindingCode(line))
		}
	}
	got := slices.Clone(stages)
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("findings (-schema +stages):\n%s", diff)
	}
}

func TestLongEvidenceIsCutBetweenCharacters(t *testing.T) {
	got := cut(strings.Repeat("é", longValue))
	if !strings.HasSuffix(got, "é …") || len(got) > longValue+5 {
		t.Errorf("got %d bytes that end in %q", len(got), got[len(got)-8:])
	}
}
