package schedule

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	workv1alpha2 "github.com/karmada-io/karmada/pkg/apis/work/v1alpha2"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
)

// member is a cluster that serves Deployments and has room for some pods.
func member(name, region string, pods int64, taints ...corev1.Taint) *clusterv1alpha1.Cluster {
	c := &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: clusterv1alpha1.ClusterSpec{Region: region, Taints: taints}}
	c.Status.APIEnablements = []clusterv1alpha1.APIEnablement{{GroupVersion: "apps/v1", Resources: []clusterv1alpha1.APIResource{{Kind: "Deployment"}}}}
	c.Status.Conditions = []metav1.Condition{{Type: clusterv1alpha1.ClusterConditionCompleteAPIEnablements, Status: metav1.ConditionTrue}}
	c.Status.ResourceSummary = &clusterv1alpha1.ResourceSummary{Allocatable: corev1.ResourceList{
		corev1.ResourcePods: *resource.NewQuantity(pods, resource.DecimalSI), corev1.ResourceCPU: *resource.NewQuantity(pods, resource.DecimalSI),
	}}
	return c
}

func three() []*clusterv1alpha1.Cluster {
	return []*clusterv1alpha1.Cluster{member("a", "x", 60), member("b", "x", 30), member("c", "y", 10, corev1.Taint{Key: "dedicated", Effect: corev1.TaintEffectNoSchedule})}
}

// under is a Deployment with replicas under a placement in YAML.
func under(t *testing.T, placement string, replicas int32) Request {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte("spec: {placement: {" + placement + "}}"))
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Policy(raw)
	if err != nil {
		t.Fatal(err)
	}
	b := (&Bound{Spec: workv1alpha2.ResourceBindingSpec{Replicas: replicas, ReplicaRequirements: &workv1alpha2.ReplicaRequirements{},
		Resource: workv1alpha2.ObjectReference{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "shop", Name: "cart", UID: "u"}}}).Under(spec)
	return Request{Clusters: three(), Spec: b.Spec}
}

// computed is the result of a request.
func computed(t *testing.T, req Request) Result {
	t.Helper()
	out, err := Schedule(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func show(r Result) string {
	var out []string
	for _, c := range r.Clusters {
		out = append(out, fmt.Sprintf("%s=%d", c.Name, c.Replicas))
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

const all = "clusterTolerations: [{operator: Exists}], "

func TestWhereKarmadaPlaces(t *testing.T) {
	const divided = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: "
	for _, tc := range []struct {
		name, placement string
		replicas        int32
		now             string
		want, problem   string
	}{
		{name: "everywhere that is tolerated", placement: "", replicas: 4, want: "a=4 b=4"},
		{name: "everywhere", placement: all, replicas: 4, want: "a=4 b=4 c=4"},
		{name: "by static weight", placement: all + divided + "Weighted, weightPreference: {staticWeightList: [{targetCluster: {clusterNames: [a]}, weight: 2}, {targetCluster: {clusterNames: [c]}, weight: 1}]}}", replicas: 7, want: "a=5 c=2"},
		{name: "by even weight, without a preference", placement: all + divided + "Weighted}", replicas: 6, want: "a=2 b=2 c=2"},
		{name: "a divided type alone is by even weight", placement: all + "replicaScheduling: {}", replicas: 3, want: "a=1 b=1 c=1"},
		{name: "by room", placement: all + divided + "Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}", replicas: 10, want: "a=6 b=3 c=1"},
		{name: "more than there is room for", placement: all + divided + "Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}", replicas: 101, problem: "not enough"},
		{name: "aggregated goes where it fits", placement: all + divided + "Aggregated}", replicas: 61, want: "a=41 b=20"},
		{name: "aggregated stays where it is", placement: all + divided + "Aggregated}", replicas: 12, now: "b=10", want: "b=12"},
		{name: "more replicas are divided by room, those that are there stay", placement: all + divided + "Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}", replicas: 12, now: "c=2", want: "a=6 b=3 c=3"},
		{name: "the first group that fits", placement: "clusterAffinities: [{affinityName: none, clusterNames: [nowhere]}, {affinityName: b, clusterNames: [b]}]", replicas: 2, want: "b=2"},
		{name: "no group fits", placement: "clusterAffinities: [{affinityName: none, clusterNames: [nowhere]}]", replicas: 2, problem: "0/3 clusters are available"},
		{name: "over two regions", placement: all + "spreadConstraints: [{spreadByField: region, minGroups: 2, maxGroups: 2}, {spreadByField: cluster, minGroups: 2, maxGroups: 2}]", replicas: 1, want: "a=1 c=1"},
		{name: "over more clusters than there are", placement: all + "spreadConstraints: [{spreadByField: cluster, minGroups: 4, maxGroups: 4}]", replicas: 1, now: "a=1", want: "a=1", problem: "spreadConstraint.MinGroups"},
		{name: "no placement is no place", placement: "clusterAffinity: {clusterNames: [nowhere]}", replicas: 1, now: "a=1", problem: "0/3 clusters are available"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			req := under(t, tc.placement, tc.replicas)
			if name, n, ok := strings.Cut(tc.now, "="); ok {
				var replicas int32
				_, _ = fmt.Sscan(n, &replicas)
				req.Spec.Clusters = []workv1alpha2.TargetCluster{{Name: name, Replicas: replicas}}
			}
			got := computed(t, req)
			if show(got) != tc.want || (tc.problem == "") != (got.Problem == "") || !strings.Contains(got.Problem, tc.problem) {
				t.Errorf("%s (%q), want %s (%q)", show(got), got.Problem, tc.want, tc.problem)
			}
		})
	}
}

func TestTheSchedulerLeavesAloneWhatHasNotChanged(t *testing.T) {
	const room = "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}"
	req := under(t, room, 10)
	applied, err := json.Marshal(req.Spec.Placement)
	if err != nil {
		t.Fatal(err)
	}
	req.Applied, req.Spec.Clusters = string(applied), []workv1alpha2.TargetCluster{{Name: "b", Replicas: 10}}
	if got := computed(t, req); !got.Kept || show(got) != "b=10" {
		t.Errorf("with the placement that was applied: %+v", got)
	}
	req.Spec.Replicas = 13
	if got := computed(t, req); got.Kept || show(got) != "a=2 b=11" {
		t.Errorf("with more replicas: %+v", got)
	}
	req.Spec.Replicas = 10
	req.Clusters[1].DeletionTimestamp = &metav1.Time{}
	if got := computed(t, req); got.Kept || show(got) != "a=10" {
		t.Errorf("with its cluster being removed: %+v", got)
	}
	used := under(t, "clusterAffinities: [{affinityName: a, clusterNames: [a]}, {affinityName: b, clusterNames: [b]}], "+room, 3)
	if applied, err = json.Marshal(used.Spec.Placement); err != nil {
		t.Fatal(err)
	}
	used.Applied, used.Status.SchedulerObservedAffinityName, used.Spec.Clusters = string(applied), "a", []workv1alpha2.TargetCluster{{Name: "a", Replicas: 3}}
	used.Spec.Placement.ClusterAffinities[1].ClusterNames = []string{"c"}
	if got := computed(t, used); !got.Kept {
		t.Errorf("with another group changed than the one in use: %+v", got)
	}
	used.Spec.Placement.ClusterAffinities[0].ClusterNames = []string{"b"}
	if got := computed(t, used); got.Kept || show(got) != "b=3" {
		t.Errorf("with the group in use changed: %+v", got)
	}
}

func TestWhatTheUIDDecidesIsSaid(t *testing.T) {
	req := under(t, all+"replicaScheduling: {replicaDivisionPreference: Weighted}", 4)
	if got := computed(t, req); got.Tie {
		t.Errorf("with a UID: %+v", got)
	}
	req.Spec.Resource.UID = ""
	if got := computed(t, req); !got.Tie {
		t.Errorf("without: %+v", got)
	}
	req.Spec.Replicas = 3
	if got := computed(t, req); got.Tie {
		t.Errorf("without, where it decides nothing: %+v", got)
	}
}

// Whatever the placement, replicas are neither lost nor made, nothing goes where it may not, the order of the clusters decides
// nothing, and the request stays as it was.
func TestPlacementsKeepTheirPromises(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same each time
	pick := func(of ...string) string { return of[random.IntN(len(of))] }
	placed := 0
	for i := range 1500 {
		kind := pick("", "replicaScheduling: {replicaSchedulingType: Duplicated}, ", "replicaScheduling: {replicaDivisionPreference: Aggregated}, ",
			"replicaScheduling: {replicaDivisionPreference: Weighted}, ", "replicaScheduling: {replicaDivisionPreference: Weighted, weightPreference: {dynamicWeight: AvailableReplicas}}, ")
		placement := kind + pick("", all) + pick("", "clusterAffinity: {exclude: [a]}, ", "clusterAffinity: {clusterNames: [a, c]}, ") +
			pick("", fmt.Sprintf("spreadConstraints: [{spreadByField: cluster, minGroups: %d, maxGroups: %d}]", 1+random.IntN(3), 1+random.IntN(3)),
				"spreadConstraints: [{spreadByField: region, minGroups: 1, maxGroups: 2}, {spreadByField: cluster, minGroups: 1, maxGroups: 3}]")
		req := under(t, placement, int32(1+random.IntN(80))) //nolint:gosec // small
		before := *req.Spec.DeepCopy()
		got := computed(t, req)
		if !reflect.DeepEqual(before, req.Spec) {
			t.Fatalf("%d: %s: the request was changed", i, placement)
		}
		slices.Reverse(req.Clusters)
		if again := computed(t, req); !reflect.DeepEqual(got, again) {
			t.Fatalf("%d: %s: %+v, and with the clusters the other way round %+v", i, placement, got, again)
		}
		if got.Problem != "" {
			continue
		}
		placed++
		var sum int32
		for _, c := range got.Clusters {
			sum += c.Replicas
			if c.Name == "c" && !strings.Contains(placement, all) || c.Name == "a" && strings.Contains(placement, "exclude") {
				t.Fatalf("%d: %s: it goes to %s", i, placement, c.Name)
			}
		}
		want := req.Spec.Replicas
		if kind == "" || strings.Contains(kind, "Duplicated") {
			want *= int32(len(got.Clusters)) //nolint:gosec // three
		}
		if sum != want {
			t.Fatalf("%d: %s: %d replicas of %d: %s", i, placement, sum, want, show(got))
		}
	}
	if placed < 500 {
		t.Errorf("only %d were placed", placed)
	}
}

func TestOddPlacementsAreNoPanic(t *testing.T) {
	for _, placement := range []string{
		"spreadConstraints: [{spreadByField: region, minGroups: 1, maxGroups: -1}]", "spreadConstraints: [{spreadByField: cluster, minGroups: -3, maxGroups: -3}]",
		"spreadConstraints: [{spreadByLabel: x}]", "replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Odd}", "clusterAffinities: []",
		"clusterAffinity: {labelSelector: {matchExpressions: [{key: '', operator: Odd}]}}",
	} {
		req := under(t, placement, 5)
		t.Log(placement, computed(t, req))
	}
	if got := computed(t, Request{}); !got.Kept {
		t.Error(got)
	}
	for i := range 40 {
		c := member(fmt.Sprint("r", i), fmt.Sprint("region", i), 9)
		c.Spec.ResourceModels = nil
		req := under(t, "spreadConstraints: [{spreadByField: region, minGroups: 2, maxGroups: 30}]", 1)
		for range i {
			req.Clusters = append(req.Clusters, c)
		}
		computed(t, req)
	}
}

func TestTheBindingOfANewObject(t *testing.T) {
	for _, tc := range []struct {
		kind, object string
		want         int32
		interpreted  bool
		fails        bool
	}{
		{kind: "apps/v1 Deployment", object: `{"spec":{"replicas":3,"template":{"spec":{"containers":[{"resources":{"requests":{"cpu":"2"}}}]}}}}`, want: 3, interpreted: true},
		{kind: "apps/v1 Deployment", object: `{"spec":{"replicas":"three"}}`, interpreted: true, fails: true},
		{kind: "batch/v1 Job", object: `{"spec":{"parallelism":2,"completions":5,"template":{"spec":{}}}}`, want: 2, interpreted: true},
		{kind: "v1 ConfigMap", object: `{}`, interpreted: true},
		{kind: "example.com/v1 Widget", object: `{}`},
		{kind: "v1 ConfigMap", object: `[]`, fails: true},
	} {
		apiVersion, kind, _ := strings.Cut(tc.kind, " ")
		ref := model.Ref{Namespace: "shop", Name: "a"}
		if group, version, ok := strings.Cut(apiVersion, "/"); ok {
			ref.GVK.Group, ref.GVK.Version = group, version
		} else {
			ref.GVK.Version = apiVersion
		}
		ref.GVK.Kind = kind
		b, interpreted, err := New(ref, "u", []byte(tc.object))
		if (err != nil) != tc.fails {
			t.Errorf("%s %s: %v", tc.kind, tc.object, err)
			continue
		}
		if err == nil && (b.Spec.Replicas != tc.want || interpreted != tc.interpreted) {
			t.Errorf("%s %s: %d replicas, interpreted %t", tc.kind, tc.object, b.Spec.Replicas, interpreted)
		}
	}
}

func TestWhatAnObjectDependsOnIsAsKarmadaFindsIt(t *testing.T) {
	const pod = `{"spec":{"serviceAccountName":"robot","volumes":[{"configMap":{"name":"settings"}},{"persistentVolumeClaim":{"claimName":"data"}}],"containers":[{"env":[{"valueFrom":{"secretKeyRef":{"name":"keys"}}}]}]}}`
	for _, tc := range []struct {
		name, apiVersion, kind, spec, want string
		known                              bool
	}{
		{"a Deployment", "apps/v1", "Deployment", `{"template":` + pod + `}`, "ConfigMap shop/settings, PersistentVolumeClaim shop/data, Secret shop/keys, ServiceAccount shop/robot", true},
		{"a StatefulSet makes claims itself", "apps/v1", "StatefulSet", `{"template":` + pod + `,"volumeClaimTemplates":[{"metadata":{"name":"data"}}]}`, "ConfigMap shop/settings, Secret shop/keys, ServiceAccount shop/robot", true},
		{"a CronJob", "batch/v1", "CronJob", `{"jobTemplate":{"spec":{"template":` + pod + `}}}`, "ConfigMap shop/settings, PersistentVolumeClaim shop/data, Secret shop/keys, ServiceAccount shop/robot", true},
		{"an Ingress", "networking.k8s.io/v1", "Ingress", `{"tls":[{"secretName":"cert"}]}`, "Secret shop/cert", true},
		{"a ServiceImport, by labels", "multicluster.x-k8s.io/v1alpha1", "ServiceImport", `{}`, "EndpointSlice shop/ kubernetes.io/service-name=derived-web, Service shop/derived-web", true},
		{"a ConfigMap needs nothing", "v1", "ConfigMap", `{}`, "", true},
		{"a kind that only the instance knows", "example.com/v1", "Widget", `{}`, "", false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ref := model.Ref{Instance: "asia", Namespace: "shop", Name: "web", GVK: schema.FromAPIVersionAndKind(tc.apiVersion, tc.kind)}
			found, known, err := Dependencies(ref, []byte(`{"metadata":{"namespace":"shop","name":"web"},"spec":`+tc.spec+`}`))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, d := range found {
				got = append(got, strings.TrimSpace(d.Ref.GVK.Kind+" "+d.Ref.Namespace+"/"+d.Ref.Name+" "+d.LabelSelector))
			}
			if text := strings.Join(got, ", "); text != tc.want || known != tc.known {
				t.Errorf("got %q %t, want %q %t", text, known, tc.want, tc.known)
			}
		})
	}
	if found, known, err := Dependencies(model.Ref{Name: "web", GVK: schema.FromAPIVersionAndKind("apps/v1", "Deployment")}, []byte(`{"spec":{"template":7}}`)); err == nil {
		t.Errorf("of a malformed object %v %t are found", found, known)
	}
}
