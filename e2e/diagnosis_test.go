package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/yaml"
)

// finding is one reason why an object is not where it should be.
type finding struct {
	Code, Severity, Message, Remedy string
	ClusterName                     *string
	Evidence                        []struct{ Object, Field, Value string }
}

const diagnosis = `propagation { diagnosis { code severity clusterName message remedy evidence { object field value } } }`

// diagnosed fails as first does, for one object of asia's control plane, of any kind.
func diagnosed(t *testing.T, apiVersion, kind, namespace, name, code, cluster string, says ...string) error {
	t.Helper()
	out := ask(t, `query($v: String!, $k: String!, $ns: String, $n: String!) { instance(name: "asia") { resource(apiVersion: $v, kind: $k, namespace: $ns, name: $n) { `+diagnosis+` } } }`,
		map[string]any{"v": apiVersion, "k": kind, "ns": namespace, "n": name})
	if len(out.Errors) > 0 {
		return fmt.Errorf("errors: %+v", out.Errors) // a component that is stopped may take its time to be gone
	}
	var data struct {
		Instance struct {
			Resource *struct {
				Propagation *struct{ Diagnosis []finding }
			}
		}
	}
	if err := json.Unmarshal(out.Data, &data); err != nil {
		t.Fatalf("decoding %s: %v", out.Data, err)
	}
	var found []finding
	if r := data.Instance.Resource; r != nil && r.Propagation != nil {
		found = r.Propagation.Diagnosis
	}
	return first(found, code, cluster, says...)
}

// first fails unless the first finding has the code, names the cluster ("" for none), says what is wanted,
// and has evidence and a remedy.
func first(found []finding, code, cluster string, says ...string) error {
	if len(found) == 0 {
		return fmt.Errorf("there is no finding, want %s", code)
	}
	f := found[0]
	where := ""
	if f.ClusterName != nil {
		where = *f.ClusterName
	}
	if f.Code != code || where != cluster || f.Remedy == "" || len(f.Evidence) == 0 {
		return fmt.Errorf("the first finding is %+v, want %s in %q with evidence and a remedy", f, code, cluster)
	}
	all := f.Message
	for _, e := range f.Evidence {
		all += " " + e.Object + " " + e.Field + " " + e.Value
	}
	for _, want := range says {
		if !strings.Contains(all, want) {
			return fmt.Errorf("%q says nothing of %q", all, want)
		}
	}
	return nil
}

func TestEachFaultOfTheDemoFleetGetsItsFinding(t *testing.T) {
	for _, c := range []struct {
		name, apiVersion, kind, namespace, object string
		code, cluster                             string
		says                                      []string
	}{
		{"no policy selects it", "apps/v1", "Deployment", "shop", "coupon-experiment", "NO_POLICY", "", []string{"coupon-experiment"}},
		{"two policies select it", "apps/v1", "Deployment", "payments", "receipts", "CLAIMED_BY_ANOTHER_POLICY", "", []string{"receipts-tokyo", "receipts-everywhere", "priority"}},
		{"no cluster has the label its policy asks for", "apps/v1", "Deployment", "payments", "card-vault", "AFFINITY_NOT_MATCHED", "", []string{"hangzhou", "singapore", "tokyo", "pci-dss-level-1"}},
		{"it crashes in one member", "apps/v1", "Deployment", "payments", "fraud-check", "CRASH_LOOP", "singapore", []string{"CrashLoopBackOff", "licence server unreachable"}},
		{"a member lacks its type", "demo.kairship.io/v1", "Cache", "platform", "page-cache", "API_NOT_ENABLED", "", []string{"singapore", "demo.kairship.io/v1"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eventually(t, 30*time.Second, func() error {
				return diagnosed(t, c.apiVersion, c.kind, c.namespace, c.object, c.code, c.cluster, c.says...)
			})
		})
	}
}

// Of everything else in the demo nothing is found that would have to be mended.
func TestWhatIsWellHasNothingToMend(t *testing.T) {
	faults := []string{"coupon-experiment", "card-vault", "fraud-check"}
	eventually(t, 30*time.Second, func() error {
		data, err := read[struct {
			Workloads struct {
				Nodes []struct {
					Name, State string
					Propagation *struct{ Diagnosis []finding }
				}
			}
		}](t, `{ workloads(first: 100, filter: {namespaces: ["shop", "payments", "platform"], states: [RUNNING, STOPPED, COMPLETED, PAUSED]}) { nodes { name state `+diagnosis+` } } }`, nil)
		if err != nil {
			return err
		}
		if len(data.Workloads.Nodes) < 20 {
			return fmt.Errorf("only %d workloads are well", len(data.Workloads.Nodes))
		}
		for _, w := range data.Workloads.Nodes {
			for _, f := range w.Propagation.Diagnosis {
				if f.Severity != "INFO" && !slices.Contains(faults, w.Name) {
					return fmt.Errorf("%s is %s and has %+v", w.Name, w.State, f)
				}
			}
		}
		return nil
	})
}

const whyNamespace = "e2e-why"

// whyApp is a Deployment with its PropagationPolicy; the placement is YAML in one line.
func whyApp(name, spec, placement string) string {
	return fmt.Sprintf(`apiVersion: apps/v1
kind: Deployment
metadata: {name: %[1]s, namespace: `+whyNamespace+`, labels: {app: %[1]s}}
spec:
  replicas: 1
  selector: {matchLabels: {app: %[1]s}}
  template:
    metadata: {labels: {app: %[1]s}}
    spec: {containers: [{name: app, image: "registry.example.com/app:1"%[2]s}]}
---
apiVersion: policy.karmada.io/v1alpha1
kind: PropagationPolicy
metadata: {name: %[1]s, namespace: `+whyNamespace+`}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: %[1]s}]
%[3]s
---
`, name, spec, placement)
}

// why makes a namespace for faults, and removes it with all that is in it.
func why(t *testing.T, manifests string) {
	t.Helper()
	asia := karmada(t, "asia")
	namespaces := asia.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	t.Cleanup(func() {
		if err := namespaces.Delete(context.Background(), whyNamespace, metav1.DeleteOptions{}); err != nil {
			t.Log(err)
		}
	})
	got := apply(t, map[string]any{"instance": "asia", "manifests": "apiVersion: v1\nkind: Namespace\nmetadata: {name: " + whyNamespace + "}\n---\n" + manifests, "force": true})
	for _, d := range got.ApplyManifests.Documents {
		if d.Error != nil {
			t.Fatalf("%s %s: %+v", d.Kind, d.Name, d.Error)
		}
	}
}

func TestFaultsThatPeopleMakeGetTheirFindings(t *testing.T) {
	everywhere := "  placement: {clusterAffinity: {clusterNames: [hangzhou, singapore, tokyo]}}"
	only := func(cluster string) string {
		return "  placement: {clusterAffinity: {clusterNames: [" + cluster + "]}}"
	}
	taint(t, "tokyo")
	held(t, "hangzhou", "held")
	why(t, whyApp("suspended", "", "  suspension: {dispatching: true}\n"+only("hangzhou"))+
		whyApp("spread", "", "  placement:\n    clusterAffinity: {clusterNames: [hangzhou, singapore]}\n    spreadConstraints: [{spreadByField: cluster, minGroups: 3, maxGroups: 5}]")+
		whyApp("huge", `, resources: {requests: {cpu: "5000"}}`, "  placement:\n    clusterAffinity: {clusterNames: [hangzhou, singapore]}\n    replicaScheduling: {replicaSchedulingType: Divided, replicaDivisionPreference: Aggregated}")+
		whyApp("held", "", only("hangzhou"))+
		whyApp("broken", "", only("singapore"))+
		`apiVersion: policy.karmada.io/v1alpha1
kind: OverridePolicy
metadata: {name: no-image, namespace: `+whyNamespace+`}
spec:
  resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: broken}]
  overrideRules:
  - overriders: {plaintext: [{path: /spec/template/spec/containers/0/image, operator: replace, value: ""}]}
---
`+whyApp("needy", `, envFrom: [{configMapRef: {name: nowhere}}]`, "  propagateDeps: true\n"+everywhere))
	for _, c := range []struct {
		name, object, code, cluster string
		says                        []string
	}{
		{"sending it is suspended", "suspended", "DISPATCHING_SUSPENDED", "hangzhou", []string{"suspen"}},
		{"there are too few clusters to spread over", "spread", "SPREAD_NOT_SATISFIED", "", []string{"cluster"}},
		{"no cluster has room", "huge", "NOT_ENOUGH_ROOM", "", []string{"not enough"}},
		{"its cluster is tainted", placedAfter(t, func(name string) string { return whyApp(name, "", only("tokyo")) }), "TAINT_NOT_TOLERATED", "", []string{"tokyo", "e2e.kairship.io/closed"}},
		{"the member holds a namesake", "held", "RESOURCE_CONFLICT", "hangzhou", []string{"held"}},
		{"an override made it what the API server refuses", "broken", "OVERRIDE_BROKE_IT", "singapore", []string{"no-image", "image", "Required value"}},
		{"it needs what is not there", "needy", "WAITING_FOR_DEPENDENCY", "", []string{"nowhere"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			eventually(t, 2*time.Minute, func() error {
				return diagnosed(t, "apps/v1", "Deployment", whyNamespace, c.object, c.code, c.cluster, c.says...)
			})
		})
	}
}

// placedAfter makes an app that the scheduler places only once it knows of a taint: from its cache, which follows in a
// moment, it may yet place one where it should not. It gives the name of the first one that it did not.
func placedAfter(t *testing.T, app func(name string) string) string {
	t.Helper()
	bindings := karmada(t, "asia").Resource(bindingsResource).Namespace(whyNamespace)
	const within = 2 * time.Minute
	attempts := 0
	for start := time.Now(); time.Since(start) < within; attempts++ {
		name := fmt.Sprintf("tainted-%d", attempts)
		apply(t, map[string]any{"instance": "asia", "manifests": app(name)})
		placed := false
		eventually(t, time.Minute, func() error {
			binding, err := bindings.Get(t.Context(), name+"-deployment", metav1.GetOptions{})
			if err != nil {
				return err
			}
			conditions, _, err := unstructured.NestedSlice(binding.Object, "status", "conditions")
			for _, c := range conditions {
				if c, ok := c.(map[string]any); ok && c["type"] == "Scheduled" {
					placed = c["status"] == "True"
					return err
				}
			}
			return fmt.Errorf("%s is not scheduled yet", name)
		})
		if !placed {
			return name
		}
	}
	t.Fatalf("the scheduler placed %d workloads within %s on a cluster that is tainted", attempts, within)
	return ""
}

// taint closes a cluster to what is new, until the test ends.
func taint(t *testing.T, cluster string) {
	t.Helper()
	clusters := karmada(t, "asia").Resource(schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"})
	patch := func(taints string) {
		if _, err := clusters.Patch(t.Context(), cluster, types.MergePatchType, []byte(`{"spec":{"taints":`+taints+`}}`), metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		if _, err := clusters.Patch(context.Background(), cluster, types.MergePatchType, []byte(`{"spec":{"taints":null}}`), metav1.PatchOptions{}); err != nil {
			t.Error(err)
		}
	})
	patch(`[{"key":"e2e.kairship.io/closed","value":"yes","effect":"NoSchedule"}]`)
}

// held makes an object in a member that somebody else has made before Karmada, until the test ends.
func held(t *testing.T, cluster, name string) {
	t.Helper()
	member := karmada(t, cluster)
	namespaces := member.Resource(schema.GroupVersionResource{Version: "v1", Resource: "namespaces"})
	object := func(manifest string) *unstructured.Unstructured {
		o := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(manifest), &o.Object); err != nil {
			t.Fatal(err)
		}
		return o
	}
	if _, err := namespaces.Create(t.Context(), object("apiVersion: v1\nkind: Namespace\nmetadata: {name: "+whyNamespace+"}"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := namespaces.Delete(context.Background(), whyNamespace, metav1.DeleteOptions{}); err != nil {
			t.Log(err)
		}
	})
	deployment := object(strings.Split(whyApp(name, "", ""), "---")[0])
	if _, err := member.Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}).Namespace(whyNamespace).
		Create(t.Context(), deployment, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
}

func TestAReadStoreThatDoesNotFollowIsTheFirstFinding(t *testing.T) {
	whole(t)
	stop(t, "clusterpedia-synchro")
	synchroStopped(t)
	eventually(t, time.Minute, func() error {
		return diagnosed(t, "apps/v1", "Deployment", "payments", "fraud-check", "STORE_STALE", "")
	})
}

func TestOverridesAreExplained(t *testing.T) {
	type change struct{ Path, From, To string }
	for _, c := range []struct {
		name, kind, namespace, object string
		policies                      map[string]string // by cluster
		want                          map[string]change
	}{
		{"an image from the registry of each region", "DEPLOYMENT", "shop", "storefront",
			map[string]string{"hangzhou": "storefront-registry", "singapore": "storefront-registry", "tokyo": "storefront-registry"},
			map[string]change{
				"hangzhou":  {"/spec/template/spec/containers[name=web]/image", "registry.example.com/shop/storefront:2.14.0", "registry.cn-hangzhou.example.com/shop/storefront:2.14.0"},
				"singapore": {"/spec/template/spec/containers[name=web]/image", "registry.example.com/shop/storefront:2.14.0", "registry.ap-southeast-1.example.com/shop/storefront:2.14.0"},
				"tokyo":     {"/spec/template/spec/containers[name=web]/image", "registry.example.com/shop/storefront:2.14.0", "registry.asia-northeast1.example.com/shop/storefront:2.14.0"},
			}},
		{"one more variable in one cluster", "DEPLOYMENT", "shop", "cart",
			map[string]string{"singapore": "cart-tax"},
			map[string]change{"singapore": {Path: "/spec/template/spec/containers[name=cart]/env[name=GST_RATE]"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			data := into[struct {
				Instance struct {
					Workload struct {
						Propagation struct {
							OverridePolicies []struct{ Name string }
							Targets          []struct {
								ClusterName string
								Overrides   []struct {
									PolicyName string
									Note       string
									Policy     *struct{ Name, UID string }
									Changes    []change
								}
							}
						}
					}
				}
			}](t, fmt.Sprintf(`{ instance(name: "asia") { workload(kind: %s, namespace: %q, name: %q) { propagation { overridePolicies { name }
				targets { clusterName overrides { policyName note policy { name uid } changes { path from to } } } } } } }`, c.kind, c.namespace, c.object), nil)
			for _, target := range data.Instance.Workload.Propagation.Targets {
				want, changed := c.want[target.ClusterName]
				if !changed {
					if len(target.Overrides) != 0 {
						t.Errorf("%s: overrides %+v, want none", target.ClusterName, target.Overrides)
					}
					continue
				}
				if len(target.Overrides) != 1 || target.Overrides[0].PolicyName != c.policies[target.ClusterName] || len(target.Overrides[0].Changes) != 1 ||
					target.Overrides[0].Policy == nil || target.Overrides[0].Policy.UID == "" || target.Overrides[0].Note != "" {
					t.Errorf("%s: overrides %+v", target.ClusterName, target.Overrides)
					continue
				}
				got := target.Overrides[0].Changes[0]
				if got.Path != want.Path || want.From != "" && got != want {
					t.Errorf("%s: change %+v, want %+v", target.ClusterName, got, want)
				}
			}
			if n := len(data.Instance.Workload.Propagation.OverridePolicies); n != 1 {
				t.Errorf("%d override policies, want one", n)
			}
		})
	}
}
