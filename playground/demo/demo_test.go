package demo

import (
	"fmt"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/playground/internal/fleet"
)

type target struct {
	Cluster         string
	DesiredReplicas *int64
	Ready           *int64
}

type expectation struct {
	Kind, Namespace, Name, State string
	Policy                       *struct{ Kind, Name string }
	Scheduled, Applied, Healthy  string
	Targets                      []target
}

type expected struct {
	Instances map[string]struct{ Workloads, Resources []expectation }
}

func load(t *testing.T) expected {
	t.Helper()
	b, err := os.ReadFile("expected.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var e expected
	if err := yaml.Unmarshal(b, &e); err != nil {
		t.Fatal(err)
	}
	return e
}

func objects(t *testing.T, cluster string) []*unstructured.Unstructured {
	t.Helper()
	ranks, err := Objects(cluster)
	if err != nil {
		t.Fatal(err)
	}
	return slices.Concat(ranks...)
}

var workloadKinds = []string{"Deployment", "StatefulSet", "DaemonSet", "Job", "CronJob"}

func TestEveryWorkloadHasAnExpectationAndTheOtherWayRound(t *testing.T) {
	for instance, e := range load(t).Instances {
		var want, got []string
		for _, w := range e.Workloads {
			want = append(want, w.Kind+" "+w.Namespace+"/"+w.Name)
		}
		for _, o := range objects(t, instance) {
			if slices.Contains(workloadKinds, o.GetKind()) {
				got = append(got, o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName())
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-expected +deployed):\n%s", instance, diff)
		}
	}
}

func TestExpectationsNamePoliciesAndClustersThatExist(t *testing.T) {
	for instance, e := range load(t).Instances {
		i, ok := fleet.Demo().Instance(instance)
		if !ok {
			t.Fatalf("there is no instance %s", instance)
		}
		var members []string
		for _, m := range i.Members {
			members = append(members, m.Name)
		}
		policies := map[string]bool{}
		for _, o := range objects(t, instance) {
			policies[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = true
		}
		for _, w := range slices.Concat(e.Workloads, e.Resources) {
			if w.Policy != nil {
				ns := w.Namespace
				if w.Policy.Kind == "ClusterPropagationPolicy" {
					ns = ""
				}
				if !policies[w.Policy.Kind+" "+ns+"/"+w.Policy.Name] {
					t.Errorf("%s %s/%s expects %s %s, which is not deployed", w.Kind, w.Namespace, w.Name, w.Policy.Kind, w.Policy.Name)
				}
			}
			for _, target := range w.Targets {
				if !slices.Contains(members, target.Cluster) {
					t.Errorf("%s %s/%s expects cluster %s, which %s does not have", w.Kind, w.Namespace, w.Name, target.Cluster, instance)
				}
			}
		}
	}
}

// A divided workload is spread without loss, a copied one is whole in each cluster.
func TestExpectedReplicasAddUpToTheTemplates(t *testing.T) {
	for instance, e := range load(t).Instances {
		replicas, divided := map[string]int64{}, map[string]bool{}
		for _, o := range objects(t, instance) {
			if n, ok, _ := unstructured.NestedInt64(o.Object, "spec", "replicas"); ok {
				replicas[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = n
			}
			if least, ok, _ := unstructured.NestedInt64(o.Object, "spec", "minReplicas"); ok { // of an autoscaler
				of, _, _ := unstructured.NestedMap(o.Object, "spec", "scaleTargetRef")
				key := fmt.Sprintf("%v %s/%v", of["kind"], o.GetNamespace(), of["name"])
				replicas[key] = max(replicas[key], least)
			}
			how, _, _ := unstructured.NestedString(o.Object, "spec", "placement", "replicaScheduling", "replicaSchedulingType")
			divided[o.GetKind()+" "+o.GetNamespace()+"/"+o.GetName()] = how == "Divided"
		}
		for _, w := range e.Workloads {
			want, ok := replicas[w.Kind+" "+w.Namespace+"/"+w.Name]
			if !ok || len(w.Targets) == 0 {
				continue
			}
			split := divided[w.Policy.Kind+" "+w.Namespace+"/"+w.Policy.Name]
			var sum int64
			for _, target := range w.Targets {
				sum += *target.DesiredReplicas
				if !split && *target.DesiredReplicas != want {
					t.Errorf("%s/%s is copied, but %s is expected to have %d of %d", w.Namespace, w.Name, target.Cluster, *target.DesiredReplicas, want)
				}
			}
			if split && sum != want {
				t.Errorf("%s/%s is divided into %d, but asks for %d", w.Namespace, w.Name, sum, want)
			}
		}
	}
}

func TestADaemonSetIsExpectedOnEveryNode(t *testing.T) {
	nodes := map[string]int64{}
	for _, m := range fleet.Demo().Members() {
		for _, p := range m.Pools {
			nodes[m.Name] += int64(p.Count)
		}
	}
	for _, e := range load(t).Instances {
		for _, w := range e.Workloads {
			if w.Kind != "DaemonSet" {
				continue
			}
			for _, target := range w.Targets {
				if *target.Ready != nodes[target.Cluster] {
					t.Errorf("%s is expected %d times in %s, which has %d nodes", w.Name, *target.Ready, target.Cluster, nodes[target.Cluster])
				}
			}
		}
	}
}

func TestEveryKindOfPolicyAndDivisionIsShown(t *testing.T) {
	var kinds, divisions []string
	for _, cluster := range []string{"asia", "europe"} {
		for _, o := range objects(t, cluster) {
			kinds = append(kinds, o.GetKind())
			placement := []string{"spec", "placement", "replicaScheduling"}
			division, _, _ := unstructured.NestedString(o.Object, append(placement, "replicaDivisionPreference")...)
			dynamic, _, _ := unstructured.NestedString(o.Object, append(placement, "weightPreference", "dynamicWeight")...)
			divisions = append(divisions, division+dynamic)
		}
	}
	for _, want := range append(workloadKinds, "PropagationPolicy", "ClusterPropagationPolicy", "OverridePolicy", "ClusterOverridePolicy", "FederatedHPA", "CronFederatedHPA", "ConfigMap", "Secret", "Ingress", "Cache") {
		if !slices.Contains(kinds, want) {
			t.Errorf("the demo has no %s", want)
		}
	}
	for _, want := range []string{"", "Weighted", "WeightedAvailableReplicas", "Aggregated"} {
		if !slices.Contains(divisions, want) {
			t.Errorf("no policy divides by %q", want)
		}
	}
}

func TestWhatOthersNeedComesFirst(t *testing.T) {
	at := map[string]int{}
	for i, o := range objects(t, "asia") {
		at[o.GetKind()+" "+o.GetName()] = i
	}
	for _, order := range [][2]string{
		{"Namespace shop", "Deployment storefront"}, {"CustomResourceDefinition caches.demo.kairship.io", "Cache page-cache"},
		{"OverridePolicy storefront-registry", "Deployment storefront"}, {"PropagationPolicy cart", "Deployment cart"},
		{"Deployment search", "FederatedHPA search"},
	} {
		if at[order[0]] >= at[order[1]] {
			t.Errorf("%s comes after %s", order[0], order[1])
		}
	}
}

func TestAClusterWithoutAFolderGetsNothing(t *testing.T) {
	if got := objects(t, "tokyo"); len(got) != 0 {
		t.Errorf("tokyo gets %d objects", len(got))
	}
}
