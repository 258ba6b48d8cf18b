package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
)

// These tests compare what the graph reads with what the API servers say themselves, each list as a whole.
// Nothing here knows what the demo is made of: whatever there is has to be there.

func gvr(group, version, resource string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: group, Version: version, Resource: resource}
}

var (
	podsKind       = gvr("", "v1", "pods")
	eventsKind     = gvr("", "v1", "events")
	namespacesKind = gvr("", "v1", "namespaces")
	servicesKind   = gvr("", "v1", "services")
	secretsKind    = gvr("", "v1", "secrets")
	crdsKind       = gvr("apiextensions.k8s.io", "v1", "customresourcedefinitions")
	workloadsKinds = map[string]schema.GroupVersionResource{
		"CronJob": gvr("batch", "v1", "cronjobs"), "DaemonSet": gvr("apps", "v1", "daemonsets"), "Deployment": gvr("apps", "v1", "deployments"),
		"Job": gvr("batch", "v1", "jobs"), "StatefulSet": gvr("apps", "v1", "statefulsets"),
	}
	policiesKinds = map[string]schema.GroupVersionResource{}
)

func init() {
	for kind, resource := range map[string]string{"ClusterOverridePolicy": "clusteroverridepolicies", "ClusterPropagationPolicy": "clusterpropagationpolicies",
		"OverridePolicy": "overridepolicies", "PropagationPolicy": "propagationpolicies"} {
		policiesKinds[kind] = gvr("policy.karmada.io", "v1alpha1", resource)
	}
}

var (
	clientsLock sync.Mutex
	clients     = map[string]dynamic.Interface{}
)

// client is as karmada, but made once for each cluster: these tests read much.
func client(t *testing.T, cluster string) dynamic.Interface {
	t.Helper()
	clientsLock.Lock()
	defer clientsLock.Unlock()
	if clients[cluster] == nil {
		c, err := dynamic.NewForConfig(config(t, cluster))
		if err != nil {
			t.Fatal(err)
		}
		clients[cluster] = c
	}
	return clients[cluster]
}

// truth is what an API server holds of a kind, by namespace and name.
func truth(t *testing.T, cluster string, kind schema.GroupVersionResource, namespace string) []unstructured.Unstructured {
	t.Helper()
	list, err := client(t, cluster).Resource(kind).Namespace(namespace).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatalf("%s of %s: %v", kind.Resource, cluster, err)
	}
	return list.Items
}

// truths is what an API server holds of several kinds; each object is said to be of its kind.
func truths(t *testing.T, cluster string, kinds map[string]schema.GroupVersionResource, namespace string) []unstructured.Unstructured {
	t.Helper()
	var out []unstructured.Unstructured
	for kind, resource := range kinds {
		for _, o := range truth(t, cluster, resource, namespace) {
			o.SetKind(kind)
			out = append(out, o)
		}
	}
	return out
}

// demoOnly is the objects of the demo, where a test asks for each by itself: a fleet may be seeded with very many.
func demoOnly(objects []unstructured.Unstructured) []unstructured.Unstructured {
	return slices.DeleteFunc(objects, func(o unstructured.Unstructured) bool {
		return o.GetNamespace() != "" && !slices.Contains([]string{"shop", "payments", "platform"}, o.GetNamespace())
	})
}

func nested(o *unstructured.Unstructured, path ...string) string {
	s, _, _ := unstructured.NestedString(o.Object, path...)
	return s
}

func slice(o *unstructured.Unstructured, path ...string) []map[string]any {
	list, _, _ := unstructured.NestedSlice(o.Object, path...)
	out := make([]map[string]any, 0, len(list))
	for _, one := range list {
		if m, ok := one.(map[string]any); ok {
			out = append(out, m)
		}
	}
	return out
}

// eachMember runs a test for every member of the fleet.
func eachMember(t *testing.T, test func(t *testing.T, instance, cluster string)) {
	t.Helper()
	for instance, clusters := range members {
		for _, cluster := range clusters {
			t.Run(cluster, func(t *testing.T) { test(t, instance, cluster) })
		}
	}
}

func TestListsOfAMemberHoldWhatItsAPIServerHolds(t *testing.T) {
	eachMember(t, func(t *testing.T, instance, cluster string) {
		for _, c := range []struct {
			list  string
			kinds map[string]schema.GroupVersionResource
		}{
			{"nodeList", map[string]schema.GroupVersionResource{"Node": gvr("", "v1", "nodes")}},
			{"pods", map[string]schema.GroupVersionResource{"Pod": podsKind}},
			{"namespaces", map[string]schema.GroupVersionResource{"Namespace": namespacesKind}},
			{"workloads", workloadsKinds},
			{"events", map[string]schema.GroupVersionResource{"Event": eventsKind}},
		} {
			t.Run(c.list, func(t *testing.T) {
				sameAs(t, ofCluster(instance, cluster, c.list, ""), func() []string { return keys(truths(t, cluster, c.kinds, ""), nil) })
			})
		}
	})
}

func TestPodsOfAMemberAreFilteredAsKubectlFiltersThem(t *testing.T) {
	eachMember(t, func(t *testing.T, instance, cluster string) {
		pods := func() []unstructured.Unstructured {
			return truths(t, cluster, map[string]schema.GroupVersionResource{"Pod": podsKind}, "")
		}
		for filter, keep := range map[string]func(*unstructured.Unstructured) bool{
			`namespaces: ["payments", "shop"]`: func(o *unstructured.Unstructured) bool {
				return o.GetNamespace() == "payments" || o.GetNamespace() == "shop"
			},
			`nameContains: "-a"`: func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), "-a") },
			`phases: [RUNNING]`:  func(o *unstructured.Unstructured) bool { return nested(o, "status", "phase") == "Running" },
			`phases: [PENDING,FAILED]`: func(o *unstructured.Unstructured) bool {
				return slices.Contains([]string{"Pending", "Failed"}, nested(o, "status", "phase"))
			},
			`labelSelector: "app"`: hasLabels("app"),
		} {
			t.Run(filter, func(t *testing.T) {
				sameAs(t, ofCluster(instance, cluster, "pods", "filter: {"+filter+"}"), func() []string { return keys(pods(), keep) })
			})
		}
	})
}

func hasLabels(selector string) func(*unstructured.Unstructured) bool {
	parsed, err := labels.Parse(selector)
	return func(o *unstructured.Unstructured) bool {
		return err == nil && parsed.Matches(labels.Set(o.GetLabels()))
	}
}

// bindingsOf is the bindings of an instance, of both kinds.
func bindingsOf(t *testing.T, instance string) []unstructured.Unstructured {
	t.Helper()
	return truths(t, instance, map[string]schema.GroupVersionResource{"ResourceBinding": bindingsResource,
		"ClusterResourceBinding": gvr("work.karmada.io", "v1alpha2", "clusterresourcebindings")}, "")
}

// placed says whether a binding's object is placed in a cluster, of itself or with what depends on it.
func placed(o *unstructured.Unstructured, cluster string) bool {
	lists := [][]map[string]any{slice(o, "spec", "clusters")}
	for _, by := range slice(o, "spec", "requiredBy") {
		lists = append(lists, slice(&unstructured.Unstructured{Object: by}, "clusters"))
	}
	return slices.ContainsFunc(slices.Concat(lists...), func(m map[string]any) bool { return m["name"] == cluster })
}

func TestBindingsOfAMemberAreThoseThatKarmadaPlacedThere(t *testing.T) {
	eachMember(t, func(t *testing.T, instance, cluster string) {
		sameAs(t, ofCluster(instance, cluster, "bindings", ""), func() []string {
			return keys(bindingsOf(t, instance), func(o *unstructured.Unstructured) bool { return placed(o, cluster) })
		})
		sameAs(t, ofCluster(instance, cluster, "evictions", ""), func() []string {
			return keys(bindingsOf(t, instance), func(o *unstructured.Unstructured) bool {
				return slices.ContainsFunc(slice(o, "spec", "gracefulEvictionTasks"), func(m map[string]any) bool { return m["fromCluster"] == cluster })
			})
		})
	})
}

func TestAClusterIsWhatKarmadaKnowsOfIt(t *testing.T) {
	eachMember(t, func(t *testing.T, instance, cluster string) {
		eventually(t, 30*time.Second, func() error {
			o, err := client(t, instance).Resource(clustersResource).Get(t.Context(), cluster, metav1.GetOptions{})
			if err != nil {
				return err
			}
			data, err := read[struct {
				Instance struct {
					Cluster struct {
						Schedulable       bool
						KubernetesVersion string
						Region, Provider  *string
						Zones             []string
						Taints            []struct{ Key string }
						APIEnablements    []struct {
							GroupVersion string
							Kinds        []string
						}
						Nodes      struct{ Total, Ready int }
						Conditions []struct{ Type, Status string }
						Freshness  struct{ State string }
					}
				}
			}](t, fmt.Sprintf(`{ instance(name: %q) { cluster(name: %q) { schedulable kubernetesVersion region provider zones taints { key }
				apiEnablements { groupVersion kinds } nodes { total ready } conditions { type status } freshness { state } } } }`, instance, cluster), nil)
			if err != nil {
				return err
			}
			got := data.Instance.Cluster
			total, _, _ := unstructured.NestedInt64(o.Object, "status", "nodeSummary", "totalNum")
			ready, _, _ := unstructured.NestedInt64(o.Object, "status", "nodeSummary", "readyNum")
			enabled := map[string][]string{}
			for _, e := range slice(o, "status", "apiEnablements") {
				for _, r := range slice(&unstructured.Unstructured{Object: e}, "resources") {
					gv := e["groupVersion"].(string)
					enabled[gv] = append(enabled[gv], r["kind"].(string))
				}
			}
			seen := map[string][]string{}
			for _, e := range got.APIEnablements {
				seen[e.GroupVersion] = e.Kinds
			}
			for _, all := range []map[string][]string{enabled, seen} {
				for gv := range all {
					slices.Sort(all[gv])
					all[gv] = slices.Compact(all[gv])
				}
			}
			if diff := gocmp.Diff(enabled, seen); diff != "" {
				return fmt.Errorf("enabled APIs:\n%.2000s", diff)
			}
			version := nested(o, "status", "kubernetesVersion")
			if err := sameAsMember(o, got.Region, got.Provider, got.Zones, got.Schedulable); err != nil {
				return err
			}
			type condition struct{ Type, Status string }
			var held, told []condition
			for _, c := range slice(o, "status", "conditions") {
				held = append(held, condition{c["type"].(string), strings.ToUpper(c["status"].(string))})
			}
			for _, c := range got.Conditions {
				told = append(told, condition(c))
			}
			byType := func(a, b condition) int { return strings.Compare(a.Type, b.Type) }
			slices.SortFunc(held, byType)
			slices.SortFunc(told, byType)
			if diff := gocmp.Diff(held, told); diff != "" {
				return fmt.Errorf("conditions (-Karmada +told):\n%s", diff)
			}
			if got.KubernetesVersion != version || got.Nodes.Total != int(total) || got.Nodes.Ready != int(ready) || len(got.Taints) != len(slice(o, "spec", "taints")) || got.Freshness.State != "LIVE" {
				return fmt.Errorf("%+v; Karmada says version %s, %d of %d nodes, taints %v", got, version, ready, total, slice(o, "spec", "taints"))
			}
			return nil
		})
	})
}

// sameAsMember compares what is told of a member with its Cluster object, and with what the demo gives every member.
func sameAsMember(o *unstructured.Unstructured, region, provider *string, zones []string, schedulable bool) error {
	or := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	wantZones, _, _ := unstructured.NestedStringSlice(o.Object, "spec", "zones")
	wantRegion, wantProvider := nested(o, "spec", "region"), nested(o, "spec", "provider")
	if wantRegion == "" || wantProvider == "" {
		return fmt.Errorf("region %q and provider %q of %s: the demo has to give both, or nothing is compared", wantRegion, wantProvider, o.GetName())
	}
	if or(region) != wantRegion || or(provider) != wantProvider || !slices.Equal(zones, wantZones) {
		return fmt.Errorf("region %q, provider %q, zones %v; Karmada has %q, %q, %v", or(region), or(provider), zones, wantRegion, wantProvider, wantZones)
	}
	want := slices.ContainsFunc(slice(o, "status", "conditions"), func(c map[string]any) bool { return c["type"] == "Ready" && c["status"] == "True" }) &&
		!slices.ContainsFunc(slice(o, "spec", "taints"), func(taint map[string]any) bool {
			return taint["effect"] == "NoSchedule" || taint["effect"] == "NoExecute"
		})
	if schedulable != want {
		return fmt.Errorf("schedulable is %v; by Karmada's conditions and taints it is %v", schedulable, want)
	}
	return nil
}

func TestNamespacesOfAnInstanceHoldWhatIsCountedInThem(t *testing.T) {
	for instance := range members {
		eventually(t, 30*time.Second, func() error {
			want := map[string][2]int{}
			for _, n := range truth(t, instance, namespacesKind, "") {
				want[n.GetName()] = [2]int{}
			}
			count := func(i int, kinds map[string]schema.GroupVersionResource) {
				for _, o := range truths(t, instance, kinds, "") {
					if c, ok := want[o.GetNamespace()]; ok {
						c[i]++
						want[o.GetNamespace()] = c
					}
				}
			}
			count(0, workloadsKinds)
			count(1, policiesKinds)
			nodes, err := of(instance, "namespaces", "").asking("... on Namespace { counts { workloads policies } }").all(t)
			if err != nil {
				return err
			}
			got := map[string][2]int{}
			for _, n := range nodes {
				var counts struct {
					Counts struct{ Workloads, Policies int }
				}
				if err := json.Unmarshal(n.Raw, &counts); err != nil {
					return err
				}
				got[n.Name] = [2]int{counts.Counts.Workloads, counts.Counts.Policies}
			}
			if diff := gocmp.Diff(want, got); diff != "" {
				return fmt.Errorf("%s (-API server +Kairship):\n%s", instance, diff)
			}
			return nil
		})
	}
}

func TestEventsOfAnInstanceAreThoseOfItsAPIServer(t *testing.T) {
	for instance := range members {
		events := func(cluster, namespace, selector string) func() []string {
			return func() []string { return eventKeys(t, cluster, namespace, selector) }
		}
		sameAs(t, of(instance, "events", "").by(200), events(instance, "", ""))
		sameAs(t, of(instance, "events", `filter: {namespaces: ["shop"]}`).by(200), events(instance, "shop", ""))
		sameAs(t, of(instance, "events", `filter: {types: [WARNING]}`).by(200), events(instance, "", "type=Warning"))
		sameAs(t, of(instance, "events", `filter: {regardingKinds: ["ResourceBinding"]}`).by(200), events(instance, "", "involvedObject.kind=ResourceBinding"))
		member := members[instance][0]
		sameAs(t, of(instance, "events", fmt.Sprintf("filter: {clusters: [%q]}", member)).by(200), events(member, "", ""))
	}
}
