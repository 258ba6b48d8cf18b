package e2e

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"
)

// fleetQuery is the one query that shows everything: the product in one answer.
const fleetQuery = `{instances{nodes{name state clusters{nodes{name state syncMode freshness{state}}} workloads(first:50){` + fleetRows

// demoQuery is the same for the demo alone, whatever else other tests made.
const demoQuery = `{instances(filter:{names:["asia","europe"]}){nodes{name state clusters{nodes{name state syncMode freshness{state}}}
	workloads(first:50, filter:{namespaces:["shop","payments","platform"]}){` + fleetRows

const fleetRows = `totalCount nodes{
	__typename namespace name state stateReason propagation{policy{__typename name} scheduled{value} applied{value} healthy{value reason}
	targets{cluster{name} desiredReplicas status{ready} freshness{state}}}}}}}}`

type fleetAnswer struct {
	Instances struct {
		Nodes []struct {
			Name, State string
			Clusters    *struct {
				Nodes []struct {
					Name, State, SyncMode string
					Freshness             struct{ State string }
				}
			}
			Workloads *struct {
				TotalCount int
				Nodes      []gotWorkload
			}
		}
	}
}

type gotWorkload struct {
	Typename    string `json:"__typename"`
	Namespace   string
	Name        string
	State       string
	StateReason string
	Propagation struct {
		Policy *struct {
			Typename string `json:"__typename"`
			Name     string
		}
		Scheduled, Applied struct{ Value string }
		Healthy            struct{ Value, Reason string }
		Targets            []struct {
			Cluster         *struct{ Name string }
			DesiredReplicas *int
			Status          *struct{ Ready *int }
			Freshness       struct{ State string }
		}
	}
}

// expectation is playground/demo/expected.yaml.
type expectation struct {
	Instances map[string]struct {
		Workloads []workload `json:"workloads"`
		// Resources is what else is propagated; the graph does not show it yet.
		Resources []any `json:"resources"`
	} `json:"instances"`
}

// workload is what is expected of, and found about, one workload.
type workload struct {
	Kind        string   `json:"kind"`
	Namespace   string   `json:"namespace"`
	Name        string   `json:"name"`
	State       string   `json:"state"`
	StateReason string   `json:"stateReason,omitempty"`
	Policy      *policy  `json:"policy,omitempty"`
	Scheduled   string   `json:"scheduled"`
	Applied     string   `json:"applied"`
	Healthy     string   `json:"healthy"`
	Targets     []target `json:"targets"`
}

type policy struct {
	Kind string `json:"kind"`
	Name string `json:"name"`
}

type target struct {
	Cluster         string `json:"cluster"`
	DesiredReplicas *int   `json:"desiredReplicas,omitempty"`
	Ready           *int   `json:"ready,omitempty"`
}

func (w *workload) key() string { return w.Namespace + "/" + w.Kind + "/" + w.Name }

func expected(t *testing.T) expectation {
	t.Helper()
	raw, err := os.ReadFile("../playground/demo/expected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var e expectation
	if err := yaml.UnmarshalStrict(raw, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// found brings an answer into the form of the expectation.
func found(got gotWorkload) workload {
	w := workload{Kind: got.Typename, Namespace: got.Namespace, Name: got.Name, State: got.State, StateReason: got.StateReason,
		Scheduled: got.Propagation.Scheduled.Value, Applied: got.Propagation.Applied.Value, Healthy: got.Propagation.Healthy.Value, Targets: []target{}}
	if p := got.Propagation.Policy; p != nil {
		w.Policy = &policy{Kind: p.Typename, Name: p.Name}
	}
	for _, tg := range got.Propagation.Targets {
		out := target{DesiredReplicas: tg.DesiredReplicas}
		if tg.Cluster != nil {
			out.Cluster = tg.Cluster.Name
		}
		if tg.Status != nil {
			out.Ready = tg.Status.Ready
		}
		w.Targets = append(w.Targets, out)
	}
	return w
}

// settled is how long the slowest fault of the demo takes to show: a minute of grace before what does
// not become ready is called degraded, and what it takes to crash.
const settled = 4 * time.Minute

func TestTheDemoFleetIsWhatItWasMadeToBe(t *testing.T) { demoSettles(t) }

// demoSettles waits until the demo is what is expected of it.
func demoSettles(t *testing.T) {
	t.Helper()
	want := expected(t)
	eventually(t, settled, func() error {
		got, err := read[fleetAnswer](t, demoQuery, nil)
		if err != nil {
			return err
		}
		if n := len(got.Instances.Nodes); n != len(want.Instances) {
			return fmt.Errorf("%d instances, want %d", n, len(want.Instances))
		}
		ready := 0
		for _, in := range got.Instances.Nodes {
			if in.State != "RUNNING" {
				return fmt.Errorf("instance %s is %s", in.Name, in.State)
			}
			for _, c := range in.Clusters.Nodes {
				if c.State == "READY" && c.Freshness.State == "LIVE" {
					ready++
				}
			}
			var workloads []workload
			for _, w := range in.Workloads.Nodes {
				workloads = append(workloads, found(w))
			}
			if diff := compare(want.Instances[in.Name].Workloads, workloads); diff != "" {
				return fmt.Errorf("instance %s (-expected.yaml +answer):\n%s", in.Name, diff)
			}
		}
		if ready != 4 {
			return fmt.Errorf("%d clusters READY and LIVE, want 4", ready)
		}
		return nil
	})
}

// compare compares what the expectation says; what it leaves out is not compared.
func compare(want, got []workload) string {
	byKey := func(a, b workload) int { return cmp.Compare(a.key(), b.key()) }
	want, got = slices.Clone(want), slices.Clone(got)
	slices.SortFunc(want, byKey)
	slices.SortFunc(got, byKey)
	said := map[string]workload{}
	for _, w := range want {
		said[w.key()] = w
	}
	for i := range got {
		w, ok := said[got[i].key()]
		if !ok {
			continue
		}
		if w.StateReason == "" {
			got[i].StateReason = ""
		}
		for j := range got[i].Targets {
			k := slices.IndexFunc(w.Targets, func(tg target) bool { return tg.Cluster == got[i].Targets[j].Cluster })
			if k >= 0 && w.Targets[k].Ready == nil {
				got[i].Targets[j].Ready = nil
			}
		}
	}
	return gocmp.Diff(want, got)
}

var (
	bindingsResource = schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}
	clustersResource = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
)

// karmadaTargets is the same numbers from Karmada's own API: kind/namespace/name → cluster → numbers.
func karmadaTargets(t *testing.T, instance string) map[string]map[string]target {
	t.Helper()
	list, err := karmada(t, instance).Resource(bindingsResource).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]target{}
	for _, b := range list.Items {
		kind, _, _ := unstructured.NestedString(b.Object, "spec", "resource", "kind")
		name, _, _ := unstructured.NestedString(b.Object, "spec", "resource", "name")
		targets := map[string]target{}
		clusters, _, _ := unstructured.NestedSlice(b.Object, "spec", "clusters")
		for _, c := range clusters {
			m := c.(map[string]any)
			tg := target{Cluster: m["name"].(string)}
			if n, ok := m["replicas"].(int64); ok {
				tg.DesiredReplicas = ptr(int(n))
			}
			targets[tg.Cluster] = tg
		}
		items, _, _ := unstructured.NestedSlice(b.Object, "status", "aggregatedStatus")
		for _, i := range items {
			m := i.(map[string]any)
			cluster := m["clusterName"].(string)
			tg, ok := targets[cluster]
			if !ok {
				continue
			}
			for _, field := range []string{"readyReplicas", "numberReady"} {
				if n, ok, _ := unstructured.NestedInt64(m, "status", field); ok {
					tg.Ready = ptr(int(n))
				}
			}
			targets[cluster] = tg
		}
		out[kind+"/"+b.GetNamespace()+"/"+name] = targets
	}
	return out
}

func ptr[T any](v T) *T { return &v }

func TestEveryTargetHasTheNumbersOfKarmadasBinding(t *testing.T) {
	eventually(t, time.Minute, func() error {
		got, err := read[fleetAnswer](t, fleetQuery, nil)
		if err != nil {
			return err
		}
		compared := 0
		for _, in := range got.Instances.Nodes {
			truth := karmadaTargets(t, in.Name)
			for _, w := range in.Workloads.Nodes {
				bound := truth[w.Typename+"/"+w.Namespace+"/"+w.Name]
				if len(bound) != len(w.Propagation.Targets) {
					return fmt.Errorf("%s %s/%s of %s has %d targets, its binding %d", w.Typename, w.Namespace, w.Name, in.Name, len(w.Propagation.Targets), len(bound))
				}
				for _, tg := range w.Propagation.Targets {
					want := bound[tg.Cluster.Name]
					ready := 0
					if want.Ready != nil {
						ready = *want.Ready
					}
					if !same(tg.DesiredReplicas, want.DesiredReplicas) || tg.Status != nil && tg.Status.Ready != nil && *tg.Status.Ready != ready {
						return fmt.Errorf("%s %s/%s of %s in %s: %+v, Karmada says %+v", w.Typename, w.Namespace, w.Name, in.Name, tg.Cluster.Name, tg, want)
					}
					compared++
				}
			}
		}
		if compared < 30 {
			return fmt.Errorf("only %d targets were compared", compared)
		}
		return nil
	})
}

// same compares replicas; a kind without replicas has none here and may have none or zero there.
func same(got, want *int) bool {
	if got == nil {
		return want == nil || *want == 0
	}
	return want != nil && *got == *want || want == nil && *got == 0
}

func TestClustersAreWhatKarmadaSays(t *testing.T) {
	got := into[fleetAnswer](t, fleetQuery, nil)
	for _, in := range got.Instances.Nodes {
		list, err := karmada(t, in.Name).Resource(clustersResource).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		want := map[string]string{}
		for _, c := range list.Items {
			mode, _, _ := unstructured.NestedString(c.Object, "spec", "syncMode")
			want[c.GetName()] = strings.ToUpper(mode)
		}
		seen := map[string]string{}
		for _, c := range in.Clusters.Nodes {
			seen[c.Name] = c.SyncMode
		}
		if diff := gocmp.Diff(want, seen); diff != "" {
			t.Errorf("clusters of %s (-Karmada +Kairship):\n%s", in.Name, diff)
		}
	}
}
