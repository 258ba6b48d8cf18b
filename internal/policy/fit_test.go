package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

// cluster is a member that fits everything: it serves Deployments, has no taints and room for ten pods of
// one core and 1 GiB.
func cluster(name string, change ...func(*model.Cluster)) *model.Cluster {
	provider, region := "acme", "jp"
	c := &model.Cluster{
		InstanceName: "asia", Name: name, Provider: &provider, Region: &region, Zones: []string{"jp-a", "jp-b"},
		Labels: []model.KeyValue{{Key: "tier", Value: "gold"}}, State: model.ClusterReady,
		APIEnablements: []model.APIEnablement{{GroupVersion: "v1", Kinds: []string{"ConfigMap"}}, {GroupVersion: "apps/v1", Kinds: []string{"DaemonSet", "Deployment"}}},
		Resources:      roomFor(10),
	}
	for _, f := range change {
		f(c)
	}
	return c
}

// roomFor is what a cluster has that is half full and has room for n more pods of one core and 1 GiB.
func roomFor(n int) *model.ResourceSummary {
	amounts := func(n float64) model.ResourceAmounts {
		return model.ResourceAmounts{CPU: model.CPUAmount{Cores: n}, Memory: model.MemoryAmount{Bytes: n * (1 << 30)}, Pods: int(n)}
	}
	return &model.ResourceSummary{Allocatable: amounts(float64(n) + 20), Allocated: amounts(15), Allocating: amounts(5)}
}

func with(room int) func(*model.Cluster) {
	return func(c *model.Cluster) { c.Resources = roomFor(room) }
}

func in(region string) func(*model.Cluster) {
	return func(c *model.Cluster) {
		c.Region = &region
		if region == "" {
			c.Region = nil
		}
	}
}

func tainted(effect model.TaintEffect) func(*model.Cluster) {
	return func(c *model.Cluster) {
		c.Taints = append(c.Taints, model.Taint{Key: "dedicated", Value: "gpu", Effect: effect})
	}
}

func placement(t *testing.T, text string) *model.Placement {
	t.Helper()
	return &decode(t, model.PolicyPropagation, "spec: {placement: {"+text+"}}").Propagation.Placement
}

// wants is a Deployment of n replicas of one core and 1 GiB.
func wants(n int32) *policy.Request {
	return &policy.Request{GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Replicas: &n, Cores: 1, Bytes: 1 << 30}
}

const (
	aggregated    = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}"
	dynamic       = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}"
	static        = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: {staticWeightList: [{targetCluster: {}, weight: 1}]}}"
	evenlyDivided = "replicaScheduling: {replicaSchedulingType: Divided}"
	duplicated    = "replicaScheduling: {replicaSchedulingType: Duplicated}"
)

func TestAClusterFits(t *testing.T) {
	affinity := func(text string) string { return "clusterAffinity: {" + text + "}" }
	fields := func(text string) string { return affinity("fieldSelector: {matchExpressions: [" + text + "]}") }
	tolerate := func(text string) string { return "clusterTolerations: [" + text + "]" }
	no := func(codes ...model.UnfitCode) []model.UnfitCode { return codes }
	gpu := cluster("tokyo", tainted(model.TaintNoSchedule))
	nowhere := cluster("nowhere", func(c *model.Cluster) { c.Region, c.Provider, c.Zones, c.Labels = nil, nil, nil, nil })
	cases := []struct {
		name      string
		placement string
		want      *policy.Request
		cluster   *model.Cluster
		unfit     []model.UnfitCode
	}{
		{"under an empty placement", "", wants(1), cluster("tokyo"), nil},
		{"named", affinity("clusterNames: [paris, tokyo]"), wants(1), cluster("tokyo"), nil},
		{"not named", affinity("clusterNames: [paris]"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"named and excluded", affinity("clusterNames: [tokyo], exclude: [tokyo]"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"labels match", affinity("labelSelector: {matchLabels: {tier: gold}}"), wants(1), cluster("tokyo"), nil},
		{"labels do not match", affinity("labelSelector: {matchLabels: {tier: iron}}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"labels match and the name does not", affinity("labelSelector: {matchLabels: {tier: gold}}, clusterNames: [paris]"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"a label selector that Kubernetes refuses", affinity("labelSelector: {matchExpressions: [{key: tier, operator: In}]}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"region in the list", fields("{key: region, operator: In, values: [jp, cn]}"), wants(1), cluster("tokyo"), nil},
		{"region not in the list", fields("{key: region, operator: In, values: [cn]}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"a cluster without region is not in the list", fields("{key: region, operator: In, values: [jp]}"), wants(1), nowhere, no(model.UnfitAffinity)},
		{"a cluster without region is in none of the others", fields("{key: region, operator: NotIn, values: [jp]}"), wants(1), nowhere, nil},
		{"provider is there", fields("{key: provider, operator: Exists}"), wants(1), cluster("tokyo"), nil},
		{"provider is not there", fields("{key: provider, operator: Exists}"), wants(1), nowhere, no(model.UnfitAffinity)},
		{"a field that clusters do not have", fields("{key: planet, operator: In, values: [earth]}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"a field selector that Kubernetes refuses", fields("{key: region, operator: Exists, values: [jp]}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"one of its zones in the list", fields("{key: zone, operator: In, values: [jp-b, x]}"), wants(1), cluster("tokyo"), nil},
		{"one of its zones in the list of those it must not have", fields("{key: zone, operator: NotIn, values: [jp-b]}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"no zone, none in the list", fields("{key: zone, operator: NotIn, values: [jp-b]}"), wants(1), nowhere, nil},
		{"no zone, which there must be", fields("{key: zone, operator: Exists}"), wants(1), nowhere, no(model.UnfitAffinity)},
		{"no zone, which there must not be", fields("{key: zone, operator: DoesNotExist}"), wants(1), nowhere, nil},
		{"zones are not compared as numbers", fields("{key: zone, operator: Gt, values: ['1']}"), wants(1), cluster("tokyo"), no(model.UnfitAffinity)},

		{"in one of the groups", "clusterAffinities: [{affinityName: a, clusterNames: [paris]}, {affinityName: b, clusterNames: [tokyo]}]", wants(1), cluster("tokyo"), nil},
		{"in none of the groups", "clusterAffinities: [{affinityName: a, clusterNames: [paris]}, {affinityName: b, clusterNames: [rome]}]", wants(1), cluster("tokyo"), no(model.UnfitAffinity)},
		{"in a group to overflow to", "clusterAffinities: [{affinityName: a, clusterNames: [paris], overflowAffinities: [{affinityName: o, clusterNames: [tokyo]}]}]", wants(1), cluster("tokyo"), nil},
		{"in a group to overflow to, without replicas", "clusterAffinities: [{affinityName: a, clusterNames: [paris], overflowAffinities: [{affinityName: o, clusterNames: [tokyo]}]}]",
			&policy.Request{GVK: wants(1).GVK}, cluster("tokyo"), no(model.UnfitAffinity)},

		{"a taint that is not tolerated", "", wants(1), gpu, no(model.UnfitTaint)},
		{"a taint that evicts", "", wants(1), cluster("tokyo", tainted(model.TaintNoExecute)), no(model.UnfitTaint)},
		{"a taint that only prefers others", "", wants(1), cluster("tokyo", tainted(model.TaintPreferNoSchedule)), nil},
		{"tolerated by key and value", tolerate("{key: dedicated, value: gpu}"), wants(1), gpu, nil},
		{"another value", tolerate("{key: dedicated, value: cpu}"), wants(1), gpu, no(model.UnfitTaint)},
		{"no value, which is not any value", tolerate("{key: dedicated}"), wants(1), gpu, no(model.UnfitTaint)},
		{"any value", tolerate("{key: dedicated, operator: Exists}"), wants(1), gpu, nil},
		{"any taint", tolerate("{operator: Exists}"), wants(1), gpu, nil},
		{"tolerated for another effect", tolerate("{key: dedicated, operator: Exists, effect: NoExecute}"), wants(1), gpu, no(model.UnfitTaint)},
		{"tolerated for its effect", tolerate("{key: dedicated, operator: Exists, effect: NoSchedule}"), wants(1), gpu, nil},
		{"not tolerated where it already is", "", &policy.Request{GVK: wants(1).GVK, Scheduled: map[string]int32{"tokyo": 1}}, gpu, nil},

		{"an API that is not served", "", &policy.Request{GVK: schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}}, cluster("tokyo"), no(model.UnfitAPINotEnabled)},
		{"a kind of an API that is served", "", &policy.Request{GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "StatefulSet"}}, cluster("tokyo"), no(model.UnfitAPINotEnabled)},
		{"a kind of the core group", "", &policy.Request{GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}}, cluster("tokyo"), nil},
		{"an API that went away where the object is", "", &policy.Request{GVK: schema.GroupVersionKind{Group: "batch", Version: "v1", Kind: "Job"}, Scheduled: map[string]int32{"tokyo": 0}}, cluster("tokyo"), nil},

		{"spread by region, and it has none", "spreadConstraints: [{spreadByField: region, maxGroups: 2}]", wants(1), nowhere, no(model.UnfitSpread)},
		{"spread by zone, and it has none", "spreadConstraints: [{spreadByField: zone, maxGroups: 2}]", wants(1), nowhere, no(model.UnfitSpread)},
		{"spread by provider, and it has none", "spreadConstraints: [{spreadByField: provider, maxGroups: 2}]", wants(1), nowhere, no(model.UnfitSpread)},
		{"spread by cluster", "spreadConstraints: [{spreadByField: cluster, maxGroups: 2}]", wants(1), nowhere, nil},

		{"being moved away from", "", &policy.Request{GVK: wants(1).GVK, Evicting: []string{"tokyo"}}, cluster("tokyo"), no(model.UnfitEviction)},
		{"being removed", "", wants(1), cluster("tokyo", func(c *model.Cluster) { c.State = model.ClusterRemoving }), no(model.UnfitNotReady)},
		{"offline, which its taints tell and nothing else", "", wants(1), cluster("tokyo", func(c *model.Cluster) { c.State = model.ClusterOffline }), nil},

		{"no room, divided by room", aggregated, wants(1), cluster("tokyo", with(0)), no(model.UnfitNoRoom)},
		{"no room, divided by dynamic weight", dynamic, wants(1), cluster("tokyo", with(0)), no(model.UnfitNoRoom)},
		{"no room, which nobody asks for copies", duplicated, wants(1), cluster("tokyo", with(0)), nil},
		{"no room, which nobody asks for given weights", static, wants(1), cluster("tokyo", with(0)), nil},
		{"no room, which nobody asks for equal weights", evenlyDivided, wants(1), cluster("tokyo", with(0)), nil},
		{"no room for more, where it is already", aggregated, &policy.Request{GVK: wants(1).GVK, Replicas: wants(2).Replicas, Cores: 1, Scheduled: map[string]int32{"tokyo": 2}}, cluster("tokyo", with(0)), nil},
		{"what it has was not reported", aggregated, wants(1), cluster("tokyo", func(c *model.Cluster) { c.Resources = nil }), no(model.UnfitNoRoom)},
		{"no room, without replicas", aggregated, &policy.Request{GVK: wants(1).GVK}, cluster("tokyo", with(0)), nil},

		{"everything at once, in the scheduler's order", affinity("clusterNames: [paris]"), &policy.Request{GVK: schema.GroupVersionKind{Version: "v1", Kind: "Secret"}, Evicting: []string{"tokyo"}}, gpu,
			no(model.UnfitAPINotEnabled, model.UnfitTaint, model.UnfitAffinity, model.UnfitEviction)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := policy.Fit(placement(t, c.placement), c.want, c.cluster)
			var codes []model.UnfitCode
			for _, r := range got.Reasons {
				codes = append(codes, r.Code)
				if r.Message == "" {
					t.Errorf("%s comes without a message", r.Code)
				}
			}
			if diff := cmp.Diff(c.unfit, codes); diff != "" {
				t.Error(diff)
			}
			if got.Fits != (len(c.unfit) == 0) || got.ClusterName != c.cluster.Name {
				t.Errorf("the verdict is %+v", got)
			}
		})
	}
}

func TestAVerdictSaysWhatWasCompared(t *testing.T) {
	got := policy.Fit(placement(t, "clusterAffinity: {labelSelector: {matchLabels: {tier: iron}}}"),
		&policy.Request{GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "StatefulSet"}}, cluster("tokyo", tainted(model.TaintNoExecute)))
	want := []model.UnfitReason{
		{Code: model.UnfitAPINotEnabled, Message: "the cluster does not serve apps/v1 StatefulSet", Field: "status.apiEnablements", Value: "apps/v1: DaemonSet, Deployment"},
		{Code: model.UnfitTaint, Message: "the placement does not tolerate a taint of the cluster", Field: "spec.taints", Value: "dedicated=gpu:NoExecute"},
		{Code: model.UnfitAffinity, Message: "spec.placement.clusterAffinity.labelSelector of the policy leaves the cluster out", Field: "metadata.labels", Value: "tier=gold"},
	}
	if diff := cmp.Diff(want, got.Reasons); diff != "" {
		t.Error(diff)
	}
	full := policy.Fit(placement(t, aggregated), wants(1), cluster("tokyo", with(0)))
	if r := full.Reasons[0]; r.Message != "the cluster has no room for one replica: one asks for 1000m CPU and 1024Mi memory" || r.Value != "free: 0m CPU, 0Mi memory, 0 pods" {
		t.Errorf("room is said as %+v", r)
	}
}

func TestRoomIsWhatIsLeftOfTheScarcest(t *testing.T) {
	cases := []struct {
		name   string
		change func(s *model.ResourceSummary)
		want   *policy.Request
		room   int32
	}{
		{"all alike", func(*model.ResourceSummary) {}, wants(1), 10},
		{"few pods", func(s *model.ResourceSummary) { s.Allocated.Pods += 7 }, wants(1), 3},
		{"little CPU", func(s *model.ResourceSummary) { s.Allocated.CPU.Cores += 7.5 }, wants(1), 2},
		{"little memory", func(s *model.ResourceSummary) { s.Allocating.Memory.Bytes += 6 << 30 }, wants(1), 4},
		{"requests of nothing", func(s *model.ResourceSummary) { s.Allocated.CPU.Cores = 1000 }, &policy.Request{}, 10},
		{"more in use than there is", func(s *model.ResourceSummary) { s.Allocated.Pods = 1000 }, wants(1), 0},
		{"tenths of a core that floats do not hold", func(s *model.ResourceSummary) {
			s.Allocatable.CPU.Cores, s.Allocated.CPU.Cores, s.Allocating.CPU.Cores = 1, 0.9, 0
		}, &policy.Request{Cores: 0.1}, 1},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := roomFor(10)
			c.change(s)
			if got := policy.Room(c.want, &model.Cluster{Resources: s}); got != c.room {
				t.Errorf("room for %d, want %d", got, c.room)
			}
		})
	}
}

func TestWhereAnObjectCouldGo(t *testing.T) {
	spread := func(text string) string { return "spreadConstraints: [" + text + "]" }
	groups := "clusterAffinities: [{affinityName: main, clusterNames: [a, b]}, {affinityName: backup, clusterNames: [c]}]"
	abc := []*model.Cluster{cluster("a"), cluster("b"), cluster("c")}
	regions := []*model.Cluster{cluster("a", in("jp")), cluster("b", in("jp")), cluster("c", in("cn")), cluster("d", in(""))}
	cases := []struct {
		name      string
		placement string
		want      *policy.Request
		clusters  []*model.Cluster
		fits      []string
		group     string
		unfit     []string
	}{
		{"everywhere", "", wants(1), abc, []string{"a", "b", "c"}, "", nil},
		{"nowhere, as no cluster fits on its own", "clusterAffinity: {clusterNames: [x]}", wants(1), abc, nil, "", nil},
		{"in the first group", groups, wants(1), abc, []string{"a", "b"}, "main", nil},
		{"in the second group, as the first has only taints", groups, wants(1),
			[]*model.Cluster{cluster("a", tainted(model.TaintNoSchedule)), cluster("b", tainted(model.TaintNoSchedule)), cluster("c")}, []string{"c"}, "backup", nil},
		{"in the second group, as the first has no room", groups + ", " + aggregated, wants(5),
			[]*model.Cluster{cluster("a", with(2)), cluster("b", with(2)), cluster("c", with(5))}, []string{"c"}, "backup", nil},
		{"in no group: the first is told", groups + ", " + aggregated, wants(50), abc, []string{"a", "b"}, "", []string{"NOT_ENOUGH_ROOM "}},

		{"over enough clusters", spread("{spreadByField: cluster, minGroups: 3, maxGroups: 3}"), wants(1), abc, []string{"a", "b", "c"}, "", nil},
		{"over too few clusters", spread("{spreadByField: cluster, minGroups: 4, maxGroups: 4}"), wants(1), abc, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED at least 4 clusters, and 3 fit"}},
		{"over clusters without a limit, which the scheduler reads as none", spread("{spreadByField: cluster, minGroups: 1}"), wants(1), abc, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED no maxGroups"}},
		{"over clusters, but not with given weights", spread("{spreadByField: cluster, minGroups: 9, maxGroups: 9}") + ", " + static, wants(1), abc, []string{"a", "b", "c"}, "", nil},
		{"over clusters, but not with equal weights", spread("{spreadByField: cluster, minGroups: 9, maxGroups: 9}") + ", " + evenlyDivided, wants(1), abc, []string{"a", "b", "c"}, "", nil},
		{"over clusters that have no room together", spread("{spreadByField: cluster, maxGroups: 2}") + ", " + aggregated, wants(25), abc, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED no 2 clusters have room for all 25"}},
		{"over clusters of which the roomiest will do", spread("{spreadByField: cluster, maxGroups: 1}") + ", " + aggregated, wants(15),
			[]*model.Cluster{cluster("a"), cluster("b", with(15))}, []string{"a", "b"}, "", nil},
		{"over clusters, one of them full", spread("{spreadByField: cluster, minGroups: 2, maxGroups: 2}") + ", " + aggregated, wants(5),
			[]*model.Cluster{cluster("a", with(0)), cluster("b")}, []string{"b"}, "", nil},
		{"copies do not ask for room", spread("{spreadByField: cluster, maxGroups: 2}"), wants(2500), abc, []string{"a", "b", "c"}, "", nil},

		{"over enough regions", spread("{spreadByField: region, minGroups: 2, maxGroups: 2}"), wants(1), regions, []string{"a", "b", "c"}, "", nil},
		{"over too few regions", spread("{spreadByField: region, minGroups: 3, maxGroups: 3}"), wants(1), regions, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED at least 3 regions, and clusters of 2 fit"}},
		{"over regions without a limit", spread("{spreadByField: region}"), wants(1), regions, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED no maxGroups"}},
		{"over regions with enough clusters", spread("{spreadByField: region, maxGroups: 1}, {spreadByField: cluster, minGroups: 2, maxGroups: 2}"), wants(1), regions, []string{"a", "b", "c"}, "", nil},
		{"over one region or two, of which it takes both", spread("{spreadByField: region, minGroups: 1, maxGroups: 2}, {spreadByField: cluster, minGroups: 3, maxGroups: 3}"), wants(1), regions, []string{"a", "b", "c"}, "", nil},
		{"over regions with too few clusters", spread("{spreadByField: region, maxGroups: 1}, {spreadByField: cluster, minGroups: 3, maxGroups: 3}"), wants(1), regions, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED at least 3 clusters in at most 1 regions, and 2 fit"}},
		{"over zones alone, which the scheduler cannot", spread("{spreadByField: zone, maxGroups: 2}"), wants(1), abc, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED asks for neither"}},
		{"over a label alone, which the scheduler cannot", spread("{spreadByLabel: rack, maxGroups: 2}"), wants(1), abc, []string{"a", "b", "c"}, "", []string{"SPREAD_NOT_SATISFIED asks for neither"}},

		{"not for lack of room", aggregated, wants(31), abc, []string{"a", "b", "c"}, "", []string{"NOT_ENOUGH_ROOM room for 30 of 31 replicas"}},
		{"with what is there already", aggregated, &policy.Request{GVK: wants(1).GVK, Replicas: wants(31).Replicas, Cores: 1, Scheduled: map[string]int32{"a": 1}}, abc, []string{"a", "b", "c"}, "", nil},
		{"not where all are full", aggregated, wants(1), []*model.Cluster{cluster("a", with(0))}, nil, "", []string{"NOT_ENOUGH_ROOM room for 0 of 1"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := policy.Place(placement(t, c.placement), c.want, c.clusters)
			var fits, unfit []string
			for _, v := range got.Verdicts {
				if v.Fits {
					fits = append(fits, v.ClusterName)
				}
			}
			for _, r := range got.Unfit {
				unfit = append(unfit, fmt.Sprintf("%s %s", r.Code, r.Message))
			}
			if diff := cmp.Diff(c.fits, fits); diff != "" {
				t.Error(diff)
			}
			if got.Group != c.group || len(got.Verdicts) != len(c.clusters) {
				t.Errorf("group %q of %d verdicts, want %q of %d", got.Group, len(got.Verdicts), c.group, len(c.clusters))
			}
			if diff := cmp.Diff(c.unfit, unfit, cmp.Comparer(sameStart)); diff != "" {
				t.Error(diff)
			}
			if got.Placed() != (len(c.unfit) == 0 && len(c.fits) > 0) {
				t.Errorf("placed: %v", got.Placed())
			}
		})
	}
}

// sameStart compares a reason with one of which only the code and some words are given.
func sameStart(a, b string) bool {
	codeA, textA, _ := strings.Cut(a, " ")
	codeB, textB, _ := strings.Cut(b, " ")
	return codeA == codeB && (strings.Contains(textA, textB) || strings.Contains(textB, textA))
}
