package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestWorkloadsAreFilteredExactly(t *testing.T) {
	for instance, clusters := range members {
		workloads := func() []unstructured.Unstructured { return truths(t, instance, workloadsKinds, "") }
		filters := map[string]func(*unstructured.Unstructured) bool{
			"":                    nil,
			`kinds: [DEPLOYMENT]`: func(o *unstructured.Unstructured) bool { return o.GetKind() == "Deployment" },
			`kinds: [JOB, CRON_JOB]`: func(o *unstructured.Unstructured) bool {
				return slices.Contains([]string{"Job", "CronJob"}, o.GetKind())
			},
			`namespaces: ["shop"]`:       func(o *unstructured.Unstructured) bool { return o.GetNamespace() == "shop" },
			`nameContains: "ar"`:         func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), "ar") },
			`nameContains: "cart"`:       func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), "cart") },
			`labelSelector: "app"`:       hasLabels("app"),
			`labelSelector: "app=cart"`:  hasLabels("app=cart"),
			`labelSelector: "app!=cart"`: hasLabels("app!=cart"),
			`labelSelector: "!app"`:      hasLabels("!app"),
			`kinds: [DEPLOYMENT], namespaces: ["shop", "payments"], nameContains: "a"`: func(o *unstructured.Unstructured) bool {
				return o.GetKind() == "Deployment" && slices.Contains([]string{"shop", "payments"}, o.GetNamespace()) && strings.Contains(o.GetName(), "a")
			},
		}
		for filter, keep := range filters {
			t.Run(instance+" "+filter, func(t *testing.T) {
				sameAs(t, of(instance, "workloads", "filter: {"+filter+"}"), func() []string { return keys(workloads(), keep) })
			})
		}
		for _, cluster := range clusters {
			t.Run("placed in "+cluster, func(t *testing.T) {
				sameAs(t, of(instance, "workloads", fmt.Sprintf("filter: {clusters: [%q]}", cluster)), func() []string {
					there := map[string]bool{}
					for _, b := range bindingsOf(t, instance) {
						if placed(&b, cluster) {
							there[nested(&b, "spec", "resource", "kind")+" "+nested(&b, "spec", "resource", "namespace")+"/"+nested(&b, "spec", "resource", "name")] = true
						}
					}
					return keys(workloads(), func(o *unstructured.Unstructured) bool { return there[key(o)] })
				})
			})
		}
		t.Run(instance+" by state", func(t *testing.T) { statesAreExact(t, instance) })
		t.Run(instance+" in order", func(t *testing.T) { ordersAreExact(t, instance, workloads()) })
	}
}

// statesAreExact compares the lists by state with the states of the whole list.
func statesAreExact(t *testing.T, instance string) {
	t.Helper()
	eventually(t, 30*time.Second, func() error {
		all, err := of(instance, "workloads", "").asking("... on Workload { state }").all(t)
		if err != nil {
			return err
		}
		byState := map[string][]string{}
		for _, n := range all {
			byState[n.State] = append(byState[n.State], n.key())
		}
		for _, state := range []string{"RUNNING", "PROGRESSING", "DEGRADED", "STOPPED", "PAUSED", "NOT_PROPAGATED", "COMPLETED", "FAILED", "DELETING", "UNKNOWN"} {
			for _, first := range []int{1, 50} {
				got, err := of(instance, "workloads", "filter: {states: ["+state+"]}").by(first).all(t)
				if err != nil {
					return err
				}
				want := byState[state]
				slices.Sort(want)
				if diff := gocmp.Diff(append([]string{}, want...), sortedKeys(got)); diff != "" {
					return fmt.Errorf("%s, pages of %d (-all +filtered):\n%s", state, first, diff)
				}
			}
		}
		return nil
	})
}

// ordersAreExact compares each order with one that is computed: by bytes, and kinds by name where all else is
// equal.
func ordersAreExact(t *testing.T, instance string, workloads []unstructured.Unstructured) {
	t.Helper()
	byName := func(a, b unstructured.Unstructured) int {
		return slices.Compare([]string{a.GetNamespace(), a.GetName(), a.GetKind()}, []string{b.GetNamespace(), b.GetName(), b.GetKind()})
	}
	byCreation := func(a, b unstructured.Unstructured) int {
		if c := a.GetCreationTimestamp().Compare(b.GetCreationTimestamp().Time); c != 0 {
			return c
		}
		return byName(a, b)
	}
	for name, compare := range map[string]func(a, b unstructured.Unstructured) int{"NAME": byName, "CREATED_AT": byCreation} {
		for _, direction := range []string{"ASC", "DESC"} {
			want := slices.Clone(workloads)
			slices.SortFunc(want, compare)
			if direction == "DESC" {
				slices.Reverse(want)
			}
			names := make([]string, len(want))
			for i := range want {
				names[i] = key(&want[i])
			}
			for _, first := range []int{3, 50} {
				eventually(t, 20*time.Second, func() error {
					got, err := of(instance, "workloads", fmt.Sprintf("orderBy: {field: %s, direction: %s}", name, direction)).by(first).all(t)
					if err != nil {
						return err
					}
					if diff := gocmp.Diff(names, nodeKeys(got)); diff != "" {
						return fmt.Errorf("%s %s, pages of %d (-API server +Kairship):\n%s", name, direction, first, diff)
					}
					return nil
				})
			}
		}
	}
}

// ownedBy says who controls an object.
func ownerUID(o *unstructured.Unstructured) string {
	if c := metav1.GetControllerOf(o); c != nil {
		return string(c.UID)
	}
	return ""
}

// podsOf is the pods of a workload in a member, directly or by way of one other object.
func podsOf(t *testing.T, cluster, kind, namespace, name string) []string {
	t.Helper()
	w, err := client(t, cluster).Resource(workloadsKinds[kind]).Namespace(namespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		return nil // it is not there
	}
	owners := map[string]bool{string(w.GetUID()): true}
	for _, resource := range []schema.GroupVersionResource{gvr("apps", "v1", "replicasets"), gvr("batch", "v1", "jobs")} {
		for _, between := range truth(t, cluster, resource, namespace) {
			if ownerUID(&between) == string(w.GetUID()) {
				owners[string(between.GetUID())] = true
			}
		}
	}
	out := []string{}
	for _, p := range truth(t, cluster, podsKind, namespace) {
		if owners[ownerUID(&p)] {
			out = append(out, cluster+" "+p.GetNamespace()+"/"+p.GetName())
		}
	}
	return out
}

func TestPodsOfAWorkloadAreThoseThatItsMembersMadeForIt(t *testing.T) {
	for instance, clusters := range members {
		for kind, resource := range workloadsKinds {
			for _, w := range demoOnly(truth(t, instance, resource, "")) {
				t.Run(kind+" "+w.GetNamespace()+"/"+w.GetName(), func(t *testing.T) {
					f := field{in: fmt.Sprintf(`instance(name: %q) { workload(kind: %s, namespace: %q, name: %q) { %%s } }`, instance, enum(kind), w.GetNamespace(), w.GetName()), name: "pods"}
					eventually(t, 30*time.Second, func() error {
						want := []string{}
						for _, b := range bindingsOf(t, instance) {
							if nested(&b, "spec", "resource", "uid") != string(w.GetUID()) {
								continue
							}
							for _, cluster := range clusters {
								if placed(&b, cluster) {
									want = append(want, podsOf(t, cluster, kind, w.GetNamespace(), w.GetName())...)
								}
							}
						}
						nodes, err := f.by(3).all(t)
						if err != nil {
							return err
						}
						got := []string{}
						for _, n := range nodes {
							got = append(got, n.Cluster.Name+" "+n.Namespace+"/"+n.Name)
						}
						slices.Sort(want)
						slices.Sort(got)
						if diff := gocmp.Diff(want, got); diff != "" {
							return fmt.Errorf("(-members +Kairship):\n%s", diff)
						}
						return nil
					})
				})
			}
		}
	}
}

// enum is a kind as the schema names it.
func enum(kind string) string {
	var out strings.Builder
	for i, r := range kind {
		if i > 0 && r >= 'A' && r <= 'Z' {
			out.WriteByte('_')
		}
		out.WriteRune(r)
	}
	return strings.ToUpper(out.String())
}

func TestServicesOfAWorkloadAreThoseThatSelectItsPods(t *testing.T) {
	for instance := range members {
		services := truth(t, instance, servicesKind, "")
		for kind, resource := range workloadsKinds {
			for _, w := range demoOnly(truth(t, instance, resource, "")) {
				path := []string{"spec", "template", "metadata", "labels"}
				if kind == "CronJob" {
					path = append([]string{"spec", "jobTemplate"}, path...)
				}
				pod, _, _ := unstructured.NestedStringMap(w.Object, path...)
				f := field{in: fmt.Sprintf(`instance(name: %q) { workload(kind: %s, namespace: %q, name: %q) { %%s } }`, instance, enum(kind), w.GetNamespace(), w.GetName()), name: "services"}
				sameAs(t, f, func() []string {
					out := []string{}
					for _, s := range services {
						selector, _, _ := unstructured.NestedStringMap(s.Object, "spec", "selector")
						if s.GetNamespace() == w.GetNamespace() && len(selector) > 0 && labels.SelectorFromSet(selector).Matches(labels.Set(pod)) {
							out = append(out, "Service "+s.GetNamespace()+"/"+s.GetName())
						}
					}
					slices.Sort(out)
					return out
				})
			}
		}
	}
}

func TestEventsOfAWorkloadAreAboutItOrItsBinding(t *testing.T) {
	for instance := range members {
		for kind, resource := range workloadsKinds {
			for _, w := range demoOnly(truth(t, instance, resource, "")) {
				about := []string{"involvedObject.uid=" + string(w.GetUID())}
				for _, b := range truth(t, instance, bindingsResource, w.GetNamespace()) {
					if nested(&b, "spec", "resource", "uid") == string(w.GetUID()) {
						about = append(about, "involvedObject.uid="+string(b.GetUID()))
					}
				}
				f := field{in: fmt.Sprintf(`instance(name: %q) { workload(kind: %s, namespace: %q, name: %q) { %%s } }`, instance, enum(kind), w.GetNamespace(), w.GetName()), name: "events"}
				sameAs(t, f, func() []string { return eventKeys(t, instance, w.GetNamespace(), about...) })
			}
		}
	}
}
