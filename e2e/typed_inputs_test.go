package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
)

const typedNamespace = "e2e-typed"

// typedWhole are objects with everything that Karmada takes at once, by the field of the input; change is a path of the input, and
// where it is in the object.
var typedWhole = map[string]struct {
	kind, resource, input string
	cluster               bool
	change                []string
	to                    any
	path                  string
}{
	"propagationPolicy": {kind: "PropagationPolicy", resource: "propagationpolicies", input: typedPropagation,
		change: []string{"placement", "spreadConstraints", "0", "maxGroups"}, to: 3, path: "/placement/spreadConstraints/0/maxGroups"},
	"clusterPropagationPolicy": {kind: "ClusterPropagationPolicy", resource: "clusterpropagationpolicies", input: typedPropagation, cluster: true,
		change: []string{"failover", "application", "gracePeriodSeconds"}, to: 90, path: "/failover/application/gracePeriodSeconds"},
	"overridePolicy": {kind: "OverridePolicy", resource: "overridepolicies", input: typedOverride,
		change: []string{"overrideRules", "0", "overriders", "plaintext", "0", "value"}, to: `{"b":2}`, path: "/overrideRules/0/overriders/plaintext/0/value"},
	"clusterOverridePolicy": {kind: "ClusterOverridePolicy", resource: "clusteroverridepolicies", input: typedOverride, cluster: true,
		change: []string{"overrideRules", "1", "overriders", "imageOverrider", "0", "value"}, to: "other.example", path: "/overrideRules/1/overriders/imageOverrider/0/value"},
	"federatedHPA": {kind: "FederatedHPA", resource: "federatedhpas", input: `
target: {apiVersion: apps/v1, kind: Deployment, name: none}
minReplicas: 2
maxReplicas: 4
metrics:
- {type: RESOURCE, name: cpu, target: {type: UTILIZATION, quantity: 70%}}
- {type: PODS, name: requests, selector: {matchLabels: [{key: a, value: b}]}, target: {type: AVERAGE_VALUE, quantity: "10"}}
behavior: {scaleDown: {stabilizationWindowSeconds: 60, selectPolicy: MIN, policies: [{type: PODS, value: 1, periodSeconds: 60}]}}`,
		change: []string{"metrics", "0", "target", "quantity"}, to: "80%", path: "/metrics/0/resource/target/averageUtilization"},
	"cronFederatedHPA": {kind: "CronFederatedHPA", resource: "cronfederatedhpas", input: `
target: {apiVersion: apps/v1, kind: Deployment, name: none}
schedules: [{name: up, schedule: "0 8 * * *", timeZone: Asia/Shanghai, targetReplicas: 3, suspended: true, successfulHistoryLimit: 5, failedHistoryLimit: 2}]`,
		change: []string{"schedules", "0", "targetReplicas"}, to: 4, path: "/rules/0/targetReplicas"},
	"multiClusterService": {kind: "MultiClusterService", resource: "multiclusterservices", input: `
types: [CROSS_CLUSTER]
ports: [{name: web, port: 80}]
providerClusters: [tokyo]
consumerClusters: [singapore]`, change: []string{"ports", "0", "port"}, to: 81, path: "/ports/0/port"},
	"federatedResourceQuota": {kind: "FederatedResourceQuota", resource: "federatedresourcequotas", input: `
overall: [{resource: cpu, quantity: "100"}, {resource: memory, quantity: 10Gi}]
staticAssignments: [{clusterName: tokyo, hard: [{resource: cpu, quantity: "1"}]}]`, change: []string{"overall", "1", "quantity"}, to: "11Gi", path: "/overall/memory"},
	"clusterTaintPolicy": {kind: "ClusterTaintPolicy", resource: "clustertaintpolicies", cluster: true, input: `
targetClusters: {clusterNames: [none]}
addOnConditions: [{conditionType: Ready, operator: IN, statusValues: ["FALSE"]}]
removeOnConditions: [{conditionType: Ready, operator: NOT_IN, statusValues: ["FALSE"]}]
taints: [{key: e2e, value: a, effect: NO_SCHEDULE}]`, change: []string{"taints", "0", "value"}, to: "b", path: "/taints/0/value"},
}

const typedPropagation = `
labels: [{key: team, value: blue}]
annotations: [{key: purpose, value: tried}]
resourceSelectors:
- {apiVersion: v1, kind: ConfigMap, namespace: e2e-typed, name: none, labelSelector: {matchLabels: [{key: a, value: b}], matchExpressions: [{key: c, operator: IN, values: [d]}]}}
propagateDeps: true
placement:
  clusterAffinities:
  - affinityName: near
    clusterNames: [tokyo]
    exclude: [hangzhou]
    labelSelector: {matchExpressions: [{key: stage, operator: EXISTS}]}
    fieldSelector: {matchExpressions: [{key: provider, operator: NOT_IN, values: [none]}]}
    overflowAffinities: [{affinityName: far, clusterNames: [singapore]}]
  clusterTolerations: [{key: gone, operator: EXISTS, effect: NO_EXECUTE, tolerationSeconds: 30}]
  spreadConstraints: [{spreadByField: CLUSTER, minGroups: 1, maxGroups: 2}, {spreadByField: REGION, minGroups: 1, maxGroups: 2}]
  replicaScheduling: {type: DIVIDED, divisionPreference: WEIGHTED, weightPreference: {dynamicWeight: AVAILABLE_REPLICAS}}
priority: 7
preemption: NEVER
dependentOverrides: [none]
schedulerName: default-scheduler
failover:
  application: {decisionConditions: {tolerationSeconds: 60}, purgeMode: GRACEFULLY, gracePeriodSeconds: 60, statePreservation: {rules: [{aliasLabelName: kept, jsonPath: "{.x}"}]}}
  cluster: {purgeMode: DIRECTLY}
conflictResolution: OVERWRITE
activationPreference: LAZY
suspension: {dispatchingOnClusters: [tokyo]}
preserveResourcesOnDeletion: true`

const typedOverride = `
labels: [{key: team, value: blue}]
resourceSelectors: [{apiVersion: v1, kind: ConfigMap, namespace: e2e-typed, name: none}]
overrideRules:
- targetCluster: {clusterNames: [tokyo]}
  overriders:
    labelsOverrider: [{operator: ADD, value: [{key: a, value: b}]}]
    annotationsOverrider: [{operator: REPLACE, value: [{key: a, value: b}]}]
    plaintext: [{path: /data/a, operator: ADD, value: '{"a":1}'}, {path: /data/b, operator: REMOVE}]
    fieldOverrider: [{fieldPath: /data/c, json: [{subPath: /x, operator: REPLACE, value: '"other"'}]}]
- overriders:
    imageOverrider: [{component: REGISTRY, operator: REPLACE, value: r.example, predicate: {path: /spec/template/spec/containers/0/image}}]
    commandOverrider: [{containerName: web, operator: ADD, value: [one]}]
    argsOverrider: [{containerName: web, operator: REMOVE, value: [two]}]
    fieldOverrider: [{fieldPath: /data/d, yaml: [{subPath: /x, operator: ADD, value: "3"}]}]`

func yamlValue(t *testing.T, text string) map[string]any {
	t.Helper()
	var out map[string]any
	if err := yaml.Unmarshal([]byte(text), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// selectionOf is what an input says, as a selection: its fields have the same names in what is read.
func selectionOf(t *testing.T, input string) string {
	t.Helper()
	data := into[struct {
		Type struct {
			InputFields []struct {
				Name string
				Type typeRef
			}
		} `json:"__type"`
	}](t, `query($n: String!) {__type(name: $n) {inputFields(includeDeprecated: true) {name type {kind name ofType {kind name ofType {kind name ofType {kind name}}}}}}}`, map[string]any{"n": input})
	var out []string
	for _, f := range data.Type.InputFields {
		kind, name := f.Type.named()
		if kind == "INPUT_OBJECT" {
			out = append(out, f.Name+selectionOf(t, name))
			continue
		}
		out = append(out, f.Name)
	}
	return "{" + strings.Join(out, " ") + "}"
}

type typeRef struct {
	Kind, Name string
	OfType     *typeRef
}

func (r *typeRef) named() (kind, name string) {
	for r.OfType != nil {
		r = r.OfType
	}
	return r.Kind, r.Name
}

// Every kind with a typed input is made by it, read by its names, sent back, and changed in one field: Karmada's object differs in that
// field only.
func TestTypedInputsGoBothWays(t *testing.T) {
	whole(t)
	removeNamespace(t, typedNamespace)
	leaveNothing(t, typedNamespace)
	if got := apply(t, map[string]any{"manifests": `{apiVersion: v1, kind: Namespace, metadata: {name: e2e-typed, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}`}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	for field := range typedWhole {
		t.Run(field, func(t *testing.T) { typedBothWays(t, field) })
	}
}

func typedBothWays(t *testing.T, field string) {
	t.Helper()
	c := typedWhole[field]
	inputType := strings.ToUpper(field[:1]) + field[1:]
	gvk := schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: c.kind}
	create, update, output, read := "createKarmadaResource", "updateKarmadaResource", "KubernetesResource", "resource"
	switch {
	case strings.HasSuffix(field, "onPolicy"), strings.HasSuffix(field, "ridePolicy"):
		create, update, output, read = "createPolicy", "updatePolicy", c.kind, "policy"
		inputType = strings.TrimPrefix(c.kind, "Cluster")
	case strings.HasSuffix(field, "HPA"):
		gvk.Group, output = "autoscaling.karmada.io", "Autoscaler"
	case field == "multiClusterService":
		gvk.Group = "networking.karmada.io"
	}
	selection := selectionOf(t, inputType+"Input")
	if output == "KubernetesResource" { // what it says stands apart from what every object has
		own := selection
		for _, name := range []string{"name ", "namespace ", "labels{key value} ", "annotations{key value} "} {
			own = strings.Replace(own, name, "", 1)
		}
		selection = "{name namespace labels{key value} annotations{key value} " + field + own + "}"
	}
	selection = strings.Replace(selection, "{", "{resourceVersion ", 1)
	mutate := func(verb string, input map[string]any) (map[string]any, []string) {
		t.Helper()
		query := fmt.Sprintf("mutation($in: %sInput!) { %s(input: $in) { %s { ... on %s %s } userErrors { code message field } } }",
			strings.ToUpper(verb[:1])+verb[1:], verb, read, output, selection)
		out := ask(t, query, map[string]any{"in": input})
		if len(out.Errors) > 0 {
			t.Fatalf("%+v", out.Errors)
		}
		var data map[string]map[string]any
		if err := json.Unmarshal(out.Data, &data); err != nil {
			t.Fatal(err)
		}
		var problems []string
		for _, p := range data[verb]["userErrors"].([]any) { //nolint:forcetypeassert // by the schema
			problems = append(problems, fmt.Sprint(p))
		}
		object, _ := data[verb][read].(map[string]any)
		if inner, ok := object[field].(map[string]any); ok {
			delete(object, field)
			for k, v := range inner {
				object[k] = v
			}
		}
		return object, problems
	}
	input := yamlValue(t, c.input)
	input["name"] = "whole"
	ref := model.Ref{Instance: "asia", GVK: gvk, Name: "whole"}
	of := karmada(t, "asia").Resource(gvk.GroupVersion().WithResource(c.resource))
	get := func() *unstructured.Unstructured {
		t.Helper()
		g := of.Get
		if !c.cluster {
			g = of.Namespace(typedNamespace).Get
		}
		o, err := g(t.Context(), "whole", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if c.cluster {
		remove := func() {
			if err := of.Delete(t.Context(), "whole", metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
				t.Error(err)
			}
		}
		remove()
		defer remove()
	} else {
		input["namespace"], ref.Namespace = typedNamespace, typedNamespace
	}
	made, problems := mutate(create, map[string]any{"instance": "asia", field: input})
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if missing := notIn(input, made, ""); len(missing) > 0 {
		t.Errorf("what was given is not what is read: %s\n%v", missing, made)
	}
	delete(made, "resourceVersion")
	if c.cluster {
		delete(made, "namespace")
	}
	before := get()
	change := func() {
		t.Helper()
		for range 10 { // Karmada writes a status in between
			if _, problems = mutate(update, map[string]any{"id": ref.ID(), "resourceVersion": get().GetResourceVersion(), field: made}); !strings.Contains(fmt.Sprint(problems), "CONFLICT") {
				break
			}
		}
		if len(problems) > 0 {
			t.Fatal(problems)
		}
	}
	change()
	if now := get(); now.GetGeneration() != before.GetGeneration() || !reflect.DeepEqual(now.Object["spec"], before.Object["spec"]) {
		t.Fatalf("sending back what was read changed it to %v", now.Object["spec"])
	}
	put(made, c.change, c.to)
	change()
	after := get()
	got := pathsOf(before.Object["spec"], after.Object["spec"], "")
	for i := range got { // a value that Karmada does not look into is one
		if value, _, ok := strings.Cut(got[i], "/value/"); ok {
			got[i] = value + "/value"
		}
	}
	if got = slices.Compact(got); !slices.Equal(got, []string{c.path}) {
		t.Errorf("the change is of %s, want %s", got, c.path)
	}
	if !reflect.DeepEqual(before.GetLabels(), after.GetLabels()) || !reflect.DeepEqual(before.GetAnnotations(), after.GetAnnotations()) {
		t.Errorf("the labels were %v and are %v", before.GetLabels(), after.GetLabels())
	}
}

// put sets a value at a path.
func put(value any, path []string, to any) {
	for _, name := range path[:len(path)-1] {
		value = inside(value, name)
	}
	if m, ok := value.(map[string]any); ok {
		m[path[len(path)-1]] = to
	}
}

func inside(value any, name string) any {
	switch v := value.(type) {
	case map[string]any:
		return v[name]
	case []any:
		var i int
		if _, err := fmt.Sscan(name, &i); err == nil && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// notIn are the paths of what one value says and the other does not.
func notIn(want, got any, path string) (out []string) {
	switch w := want.(type) {
	case map[string]any:
		g, _ := got.(map[string]any)
		for k, v := range w {
			out = append(out, notIn(v, g[k], path+"/"+k)...)
		}
		return out
	case []any:
		g, _ := got.([]any)
		if len(g) < len(w) {
			return []string{path}
		}
		if len(w) > 0 && path == "/labels" || path == "/annotations" {
			return nil // Karmada adds some
		}
		for i := range w {
			out = append(out, notIn(w[i], g[i], fmt.Sprintf("%s/%d", path, i))...)
		}
		return out
	}
	if fmt.Sprint(want) != fmt.Sprint(got) {
		out = append(out, path)
	}
	return out
}

// pathsOf are the paths at which two values are different.
func pathsOf(a, b any, path string) (out []string) {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		for k := range x {
			out = append(out, pathsOf(x[k], y[k], path+"/"+k)...)
		}
		for k := range y {
			if _, ok := x[k]; !ok {
				out = append(out, path+"/"+k)
			}
		}
		return out
	case []any:
		y, _ := b.([]any)
		if len(x) != len(y) {
			return []string{path}
		}
		for i := range x {
			out = append(out, pathsOf(x[i], y[i], fmt.Sprintf("%s/%d", path, i))...)
		}
		return out
	}
	if !reflect.DeepEqual(a, b) {
		out = append(out, path)
	}
	return out
}

// What Karmada's webhooks refuse is said with the field of the input.
func TestWhatKarmadaRefusesNamesTheInput(t *testing.T) {
	whole(t)
	for name, c := range map[string]struct{ verb, field, input, want string }{
		"two constraints by cluster": {"createPolicy", "clusterPropagationPolicy", `{resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: none}], placement: {spreadConstraints: [{spreadByField: CLUSTER}, {spreadByField: CLUSTER}]}}`,
			"placement.spreadConstraints"},
		"no constraint by cluster": {"createPolicy", "clusterPropagationPolicy", `{resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: none}], placement: {spreadConstraints: [{spreadByField: REGION}]}}`,
			"placement.spreadConstraints"},
		"preemption without a name": {"createPolicy", "clusterPropagationPolicy", `{preemption: ALWAYS, resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: a}, {apiVersion: v1, kind: ConfigMap}]}`,
			"resourceSelectors.1.name"},
		"failover without what it needs": {"createPolicy", "clusterPropagationPolicy", `{resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: a}], failover: {application: {purgeMode: NEVER}}}`, "propagateDeps"},
		"a key that no cluster has": {"createPolicy", "clusterPropagationPolicy", `{resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: a}], placement: {clusterAffinity: {fieldSelector: {matchExpressions: [{key: planet, operator: IN, values: [mars]}]}}}}`,
			"placement.clusterAffinity.fieldSelector"},
		"a taint twice": {"createKarmadaResource", "clusterTaintPolicy", `{targetClusters: {clusterNames: [none]}, taints: [{key: a, effect: NO_SCHEDULE}, {key: a, effect: NO_SCHEDULE}]}`, "taints.0"},
	} {
		t.Run(name, func(t *testing.T) {
			input := yamlValue(t, c.input)
			input["name"] = "e2e-refused"
			got := mutated(t, token, c.verb, map[string]any{"instance": "asia", "dryRun": true, c.field: input})
			if want := "BAD_USER_INPUT input." + c.field + "." + c.want; !slices.Equal(got, []string{want}) {
				t.Errorf("is answered %s, want %s", got, want)
			}
		})
	}
}

// The kinds of Karmada without a typed input are made, changed and deleted as manifests, with the API server's own checks. Those through
// which more can be done than one's own role allows are for Admins.
func TestOtherKindsOfKarmadaByManifest(t *testing.T) {
	whole(t)
	for _, c := range []struct {
		apiVersion, kind, namespace, spec, patch, wrong string
		// editors says that an Editor of the namespace may, too.
		editors bool
	}{
		{"networking.karmada.io/v1alpha1", "MultiClusterIngress", "shop", `{rules: [{host: a.example, http: {paths: [{path: /, pathType: Prefix, backend: {service: {name: none, port: {number: 80}}}}]}}]}`,
			`{"metadata":{"labels":{"tried":"yes"}}}`, `{rules: 7}`, true},
		{"apps.karmada.io/v1alpha1", "WorkloadRebalancer", "", `{workloads: [{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: none}]}`,
			`{"spec":{"ttlSecondsAfterFinished":600}}`, `{workloads: 7}`, false},
		{"remedy.karmada.io/v1alpha1", "Remedy", "", `{clusterAffinity: {clusterNames: [none]}, actions: [TrafficControl]}`,
			`{"spec":{"clusterAffinity":{"clusterNames":["nowhere"]}}}`, `{actions: 7}`, false},
		{"config.karmada.io/v1alpha1", "ResourceInterpreterCustomization", "", `{target: {apiVersion: e2e.example/v1, kind: Nothing}, customizations: {statusReflection: {luaScript: "function ReflectStatus(obj) return {} end"}}}`,
			`{"metadata":{"labels":{"tried":"yes"}}}`, `{target: {apiVersion: e2e.example/v1, kind: Nothing}, customizations: {statusReflection: {luaScript: "no lua"}}}`, false},
		{"search.karmada.io/v1alpha1", "ResourceRegistry", "", `{targetCluster: {clusterNames: [none]}, resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]}`,
			`{"metadata":{"labels":{"tried":"yes"}}}`, `{resourceSelectors: 7}`, false},
	} {
		t.Run(c.kind, func(t *testing.T) {
			manifest := func(spec string) string {
				namespace := ""
				if c.namespace != "" {
					namespace = ", namespace: " + c.namespace
				}
				return fmt.Sprintf("{apiVersion: %s, kind: %s, metadata: {name: e2e-other%s}, spec: %s}", c.apiVersion, c.kind, namespace, spec)
			}
			gv, err := schema.ParseGroupVersion(c.apiVersion)
			if err != nil {
				t.Fatal(err)
			}
			id := model.Ref{Instance: "asia", GVK: gv.WithKind(c.kind), Namespace: c.namespace, Name: "e2e-other"}.ID()
			served := into[struct {
				Instance struct {
					APIResources []struct{ Group, Kind string }
				}
			}](t, `{instance(name: "asia") {apiResources {group kind}}}`, nil).Instance.APIResources
			if !slices.Contains(served, struct{ Group, Kind string }{gv.Group, c.kind}) {
				t.Skip("karmada-search is no part of this fleet: its API is not served")
			}
			made := apply(t, map[string]any{"manifests": manifest(c.spec)})
			if got := made.outcomes(); got != "CREATED" {
				t.Fatalf("applied: %+v", made)
			}
			defer mutated(t, token, "deleteResource", map[string]any{"id": id})
			if got := apply(t, map[string]any{"manifests": manifest(c.wrong), "dryRun": true}); got.outcomes() != "FAILED" {
				t.Errorf("what is wrong is answered %+v", got)
			}
			if got := mutated(t, token, "patchResource", map[string]any{"id": id, "patch": c.patch}); len(got) > 0 {
				t.Errorf("patched: %s", got)
			}
			editor := idTokenOf(t, "editor")
			got := mutated(t, editor, "patchResource", map[string]any{"id": id, "patch": c.patch, "dryRun": true})
			if may := len(got) == 0; may != c.editors || !may && (len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN")) {
				t.Errorf("an Editor who patches it is answered %s; may they: %t", got, c.editors)
			}
			got = mutated(t, editor, "deleteResource", map[string]any{"id": id, "dryRun": true})
			if may := len(got) == 0; may != c.editors || !may && (len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN")) {
				t.Errorf("an Editor who deletes it is answered %s; may they: %t", got, c.editors)
			}
			if got := mutated(t, token, "deleteResource", map[string]any{"id": id}); len(got) > 0 {
				t.Errorf("deleted: %s", got)
			}
		})
	}
}

// What only Admins may write stays so through the typed inputs.
func TestTypedInputsGiveNoRights(t *testing.T) {
	whole(t)
	for field, input := range map[string]string{
		"clusterTaintPolicy": `{name: e2e-rights, targetClusters: {clusterNames: [none]}, taints: [{key: a, effect: NO_SCHEDULE}]}`,
	} {
		if got := mutated(t, idTokenOf(t, "editor"), "createKarmadaResource", map[string]any{"instance": "asia", "dryRun": true, field: yamlValue(t, input)}); len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN") {
			t.Errorf("an Editor's %s is answered %s", field, got)
		}
	}
	override := yamlValue(t, `{name: e2e-rights, namespace: shop, resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: none}], overrideRules: [{overriders: {plaintext: [{path: /kind, operator: REPLACE, value: '"ClusterRoleBinding"'}]}}]}`)
	if got := mutated(t, idTokenOf(t, "editor"), "createPolicy", map[string]any{"instance": "asia", "dryRun": true, "overridePolicy": override}); len(got) != 1 {
		t.Errorf("an Editor's override of the kind is answered %s", got)
	}
}
