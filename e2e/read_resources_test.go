package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// claims is the label with which a policy marks what it claims.
var claims = map[string]string{"PropagationPolicy": "propagationpolicy.karmada.io/permanent-id", "ClusterPropagationPolicy": "clusterpropagationpolicy.karmada.io/permanent-id"}

func TestPoliciesAreListedWithWhatTheyClaimAndWhere(t *testing.T) {
	for instance, clusters := range members {
		policies := func(keep func(*unstructured.Unstructured) bool) func() []string {
			return func() []string { return keys(truths(t, instance, policiesKinds, ""), keep) }
		}
		sameAs(t, of(instance, "policies", ""), policies(nil))
		sameAs(t, of(instance, "policies", `filter: {namespaces: ["shop"]}`), policies(func(o *unstructured.Unstructured) bool { return o.GetNamespace() == "shop" }))
		sameAs(t, of(instance, "policies", `filter: {nameContains: "ca"}`), policies(func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), "ca") }))
		for kind := range policiesKinds {
			sameAs(t, of(instance, "policies", "filter: {kinds: ["+policyEnum(kind)+"]}"), policies(func(o *unstructured.Unstructured) bool { return o.GetKind() == kind }))
		}
		sameAs(t, of(instance, "policies", `filter: {selects: {apiVersion: "apps/v1", kind: "DaemonSet"}}`), policies(func(o *unstructured.Unstructured) bool {
			return slices.ContainsFunc(slice(o, "spec", "resourceSelectors"), func(m map[string]any) bool { return m["kind"] == "DaemonSet" && m["apiVersion"] == "apps/v1" }) ||
				strings.Contains(o.GetKind(), "Override") && len(slice(o, "spec", "resourceSelectors")) == 0
		}))
		for kind, label := range claims {
			for _, p := range demoOnly(truth(t, instance, policiesKinds[kind], "")) {
				t.Run(kind+" "+p.GetNamespace()+"/"+p.GetName(), func(t *testing.T) {
					id := p.GetLabels()[label]
					claimed := func() []string {
						return keys(truths(t, instance, workloadsKinds, ""), func(o *unstructured.Unstructured) bool { return o.GetLabels()[label] == id })
					}
					args := fmt.Sprintf("kind: %s, name: %q", policyEnum(kind), p.GetName())
					name := p.GetName()
					if p.GetNamespace() != "" {
						args += fmt.Sprintf(", namespace: %q", p.GetNamespace())
						name = p.GetNamespace() + "/" + name
					}
					sameAs(t, field{in: fmt.Sprintf("instance(name: %q) { policy(%s) { ... on %s { %%s } } }", instance, args, kind), name: "matched"}.by(2), claimed)
					sameAs(t, of(instance, "workloads", fmt.Sprintf("filter: {policy: %q}", name)), claimed)
					reached := func() []string {
						out, bindings := []string{}, bindingsOf(t, instance)
						for _, cluster := range clusters {
							if slices.ContainsFunc(bindings, func(b unstructured.Unstructured) bool { return b.GetLabels()[label] == id && placed(&b, cluster) }) {
								out = append(out, cluster)
							}
						}
						return out
					}
					eventually(t, 20*time.Second, func() error {
						got, err := read[struct {
							Instance struct {
								Policy struct{ Clusters []struct{ Name string } }
							}
						}](t,
							fmt.Sprintf("{ instance(name: %q) { policy(%s) { ... on %s { clusters { name } } } } }", instance, args, kind), nil)
						if err != nil {
							return err
						}
						names := []string{}
						for _, c := range got.Instance.Policy.Clusters {
							names = append(names, c.Name)
						}
						if diff := gocmp.Diff(reached(), names); diff != "" {
							return fmt.Errorf("clusters (-Karmada +Kairship):\n%s", diff)
						}
						return nil
					})
				})
			}
		}
	}
}

func TestResourcesOfAnyKindAreThoseOfTheAPIServer(t *testing.T) {
	for _, c := range []struct {
		apiVersion, kind string
		resource         schema.GroupVersionResource
	}{
		{"v1", "ConfigMap", gvr("", "v1", "configmaps")},
		{"v1", "Service", servicesKind},
		{"v1", "Secret", secretsKind},
		{"v1", "ServiceAccount", gvr("", "v1", "serviceaccounts")},
		{"apps/v1", "Deployment", workloadsKinds["Deployment"]},
		{"rbac.authorization.k8s.io/v1", "ClusterRole", gvr("rbac.authorization.k8s.io", "v1", "clusterroles")},
		{"apiextensions.k8s.io/v1", "CustomResourceDefinition", crdsKind},
		{"demo.kairship.io/v1", "Cache", gvr("demo.kairship.io", "v1", "caches")},
		{"policy.karmada.io/v1alpha1", "PropagationPolicy", policiesKinds["PropagationPolicy"]},
		{"work.karmada.io/v1alpha2", "ResourceBinding", bindingsResource},
	} {
		t.Run(c.kind, func(t *testing.T) {
			one := map[string]schema.GroupVersionResource{c.kind: c.resource}
			args := fmt.Sprintf("apiVersion: %q, kind: %q", c.apiVersion, c.kind)
			sameAs(t, of("asia", "resources", args).by(7), func() []string { return keys(truths(t, "asia", one, ""), nil) })
			sameAs(t, of("asia", "resources", args+`, filter: {nameContains: "ca"}`), func() []string {
				return keys(truths(t, "asia", one, ""), func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), "ca") })
			})
			if all := truth(t, "asia", c.resource, ""); len(all) > 0 {
				o := all[0]
				args := fmt.Sprintf("%s, name: %q", args, o.GetName())
				if o.GetNamespace() != "" {
					args += fmt.Sprintf(", namespace: %q", o.GetNamespace())
				}
				got := into[struct{ Instance struct{ Resource *node } }](t, fmt.Sprintf(`{ instance(name: "asia") { resource(%s) { uid kind apiVersion namespace name } } }`, args), nil).Instance.Resource
				if got == nil || got.UID != string(o.GetUID()) || got.Kind != c.kind || got.APIVersion != c.apiVersion {
					t.Errorf("resource(%s): %+v, want uid %s", args, got, o.GetUID())
				}
			}
		})
	}
}

func TestValuesOfSecretsAreShownNowhere(t *testing.T) {
	name := "read-test"
	secrets := client(t, "asia").Resource(secretsKind).Namespace("shop")
	const value = "c2VjcmV0LW9mLXRoZS1yZWFkLXRlc3Q=" // "secret-of-the-read-test"
	secret := &unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Secret", "metadata": map[string]any{"name": name, "namespace": "shop",
		"annotations": map[string]any{"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"password":"` + value + `"}}`}}, "data": map[string]any{"password": value}}}
	if _, err := secrets.Create(t.Context(), secret, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = secrets.Delete(context.Background(), name, metav1.DeleteOptions{}) })
	const fields = `{ id uid name keys { name bytes } annotations { key value } yaml: manifest json: manifest(format: JSON) }`
	for _, query := range []string{
		`{ instance(name: "asia") { resource(apiVersion: "v1", kind: "Secret", namespace: "shop", name: "read-test") ` + fields + ` } }`,
		`{ instance(name: "asia") { resources(apiVersion: "v1", kind: "Secret", filter: {namespaces: ["shop"]}) { nodes ` + fields + ` } } }`,
	} {
		out := ask(t, query, nil)
		text := string(out.Data)
		if len(out.Errors) > 0 || !strings.Contains(text, `"password"`) || !strings.Contains(text, `"bytes":23`) {
			t.Errorf("%s: %+v %.1000s", query, out.Errors, text)
		}
		if strings.Contains(text, value) || strings.Contains(text, "secret-of-the-read-test") {
			t.Errorf("%s shows the value: %s", query, text)
		}
	}
}

func TestACustomResourceHasItsPolicyAndClusters(t *testing.T) {
	binding, err := client(t, "asia").Resource(bindingsResource).Namespace("platform").Get(t.Context(), "page-cache-cache", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	got := into[struct {
		Instance struct {
			Resource struct {
				UID         string
				Binding     *node
				Propagation struct {
					Policy    *node
					Scheduled struct{ Value string }
					Targets   []any
				}
			}
		}
	}](t, `{ instance(name: "asia") { resource(apiVersion: "demo.kairship.io/v1", kind: "Cache", namespace: "platform", name: "page-cache") {
		uid binding { uid name } propagation { policy { name } scheduled { value } targets { cluster { name } } } } } }`, nil).Instance.Resource
	if got.UID != nested(binding, "spec", "resource", "uid") || got.Binding == nil || got.Binding.UID != string(binding.GetUID()) ||
		got.Propagation.Policy == nil || got.Propagation.Policy.Name != binding.GetAnnotations()["propagationpolicy.karmada.io/name"] || len(got.Propagation.Targets) != len(slice(binding, "spec", "clusters")) {
		t.Errorf("%+v, its binding is %v", got, binding.Object)
	}
}

func TestSearchFindsWhatIsCalledSoAnywhere(t *testing.T) {
	kinds := map[string]schema.GroupVersionResource{"Deployment": workloadsKinds["Deployment"], "Service": servicesKind, "ConfigMap": gvr("", "v1", "configmaps"), "Namespace": namespacesKind}
	for _, text := range []string{"ca", "gateway", "o"} {
		f := field{in: "%s", name: "search", args: fmt.Sprintf("text: %q, kinds: [%s]", text, `"`+strings.Join(slices.Sorted(maps.Keys(kinds)), `", "`)+`"`), more: "... on KubernetesObject { instance { name } }"}
		for _, first := range []int{4, 50} {
			eventually(t, 30*time.Second, func() error {
				want := []string{}
				for instance, clusters := range members {
					for _, place := range append([]string{instance}, clusters...) {
						for _, k := range keys(truths(t, place, kinds, ""), func(o *unstructured.Unstructured) bool { return strings.Contains(o.GetName(), text) }) {
							want = append(want, place+" "+k)
						}
					}
				}
				nodes, err := f.by(first).all(t)
				if err != nil {
					return err
				}
				got := []string{}
				for _, n := range nodes {
					var at struct{ Instance struct{ Name string } }
					if err := json.Unmarshal(n.Raw, &at); err != nil {
						return err
					}
					place := at.Instance.Name
					if n.Cluster != nil {
						place = n.Cluster.Name
					}
					got = append(got, place+" "+n.key())
				}
				slices.Sort(want)
				slices.Sort(got)
				if diff := gocmp.Diff(want, got); diff != "" {
					return fmt.Errorf("%q, pages of %d (-API servers +Kairship):\n%s", text, first, diff)
				}
				return nil
			})
		}
	}
}

func TestTheOverviewAddsUpWhatThereIs(t *testing.T) {
	eventually(t, 90*time.Second, func() error {
		clusters, nodes := 0, 0
		workloads, policies := map[string]int{}, map[string]int{}
		for instance, names := range members {
			clusters += len(names)
			for _, cluster := range names {
				nodes += len(truth(t, cluster, gvr("", "v1", "nodes"), ""))
			}
			for kind, resource := range workloadsKinds {
				workloads[kind] += len(truth(t, instance, resource, ""))
			}
			for kind, resource := range policiesKinds {
				policies[kind] += len(truth(t, instance, resource, ""))
			}
		}
		data, err := read[struct {
			Overview struct {
				Clusters, Nodes struct{ Total, Ready int }
				Workloads       []struct {
					Kind  string
					Total int
				}
				Policies []struct {
					Kind  string
					Total int
				}
			}
		}](t, `{ overview { clusters { total ready } nodes { total ready } workloads { kind total } policies { kind total } } }`, nil)
		if err != nil {
			return err
		}
		got := data.Overview
		seen, bodies := map[string]int{}, map[string]int{}
		for _, w := range got.Workloads {
			seen[w.Kind] = w.Total
		}
		for _, p := range got.Policies {
			bodies[p.Kind] = p.Total
		}
		if got.Clusters.Total != clusters || got.Nodes.Total != nodes {
			return fmt.Errorf("%+v; there are %d clusters with %d nodes", got, clusters, nodes)
		}
		if diff := gocmp.Diff(workloads, seen) + gocmp.Diff(policies, bodies); diff != "" {
			return fmt.Errorf("(-API servers +Kairship):\n%s", diff)
		}
		return nil
	})
}

func TestTheKindsOfAnInstanceAreThoseThatItServes(t *testing.T) {
	api, err := discovery.NewDiscoveryClientForConfig(config(t, "asia"))
	if err != nil {
		t.Fatal(err)
	}
	_, lists, err := api.ServerGroupsAndResources()
	if err != nil {
		t.Fatal(err)
	}
	want := map[string][]string{}
	for _, list := range lists {
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				verbs := slices.Clone([]string(r.Verbs))
				slices.Sort(verbs)
				want[list.GroupVersion+" "+r.Kind+" "+r.Name] = verbs
			}
		}
	}
	got := map[string][]string{}
	for _, r := range into[struct {
		Instance struct {
			APIResources []struct {
				APIVersion, Kind, Name string
				Verbs                  []string
			}
		}
	}](t, `{ instance(name: "asia") { apiResources { apiVersion kind name verbs } } }`, nil).Instance.APIResources {
		got[r.APIVersion+" "+r.Kind+" "+r.Name] = r.Verbs
	}
	if diff := gocmp.Diff(want, got); diff != "" {
		t.Errorf("(-API server +Kairship):\n%s", diff)
	}
}

// policyEnum is a kind of policy as the schema names it.
func policyEnum(kind string) string { return strings.TrimSuffix(enum(kind), "_POLICY") }
