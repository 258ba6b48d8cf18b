package actions

import (
	"bytes"
	"context"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
	"github.com/kairship-io/kairship/internal/typed"
)

// connected is a connection to an API server of a test.
type connected struct {
	cfg    *rest.Config
	mapper meta.ResettableRESTMapper
}

func (c *connected) Instance() string                  { return "asia" }
func (c *connected) Mapper() meta.ResettableRESTMapper { return c.mapper }

func (c *connected) As(p auth.Principal) (*rest.Config, error) {
	cfg := rest.CopyConfig(c.cfg)
	cfg.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	return cfg, nil
}

// onServer gives a runner on an API server with Karmada's kinds, and a client of it.
func onServer(t *testing.T) (*Runner, dynamic.Interface) {
	t.Helper()
	group := func(name string) testenv.Definitions {
		return func() ([]string, error) { return testenv.GroupDefinitions(name) }
	}
	r, server := serving(t, group("policy"), group("autoscaling"), group("networking"))
	client, err := dynamic.NewForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	return r, client
}

// serving gives a runner on an API server with some kinds.
func serving(t *testing.T, definitions ...testenv.Definitions) (*Runner, *testenv.Server) {
	t.Helper()
	server := testenv.Start(t, definitions...)
	disco, err := discovery.NewDiscoveryClientForConfig(server.Config)
	if err != nil {
		t.Fatal(err)
	}
	if err := server.Client.Create(t.Context(), &rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "test-owners"},
		RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "kairship:host:owners"}}}); err != nil {
		t.Fatal(err)
	}
	if err := server.UntilGranted(t.Context()); err != nil {
		t.Fatal(err)
	}
	conn := &connected{server.Config, restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))}
	_, r := start(t)
	r.Connect = func(rbac.Scope, string) (karmada.Connection, error) { return conn, nil }
	return r, server
}

func yamlObject(t *testing.T, text string) map[string]any {
	t.Helper()
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func fieldsOf(problems []model.UserError) (out []string) {
	for _, p := range problems {
		out = append(out, p.Code+" "+strings.Join(p.Field, "."))
	}
	return out
}

// Every kind is made and changed by its typed input: the difference is what was changed, and what others wrote stays.
func TestTypedInputsOnAnAPIServer(t *testing.T) {
	r, client := onServer(t)
	for _, k := range append(append([]typed.Kind{}, typed.Policies...), typed.KarmadaKinds...) {
		t.Run(k.Field, func(t *testing.T) { madeAndChanged(t, r, client, &k) })
	}
	t.Run("Karmada's samples", func(t *testing.T) { samplesAreEdited(t, r, client) })
	t.Run("conflict", func(t *testing.T) { twoWriters(t, r, client) })
	t.Run("nulls in lists", func(t *testing.T) { nullsStay(t, r, client) })
	t.Run("refusals", func(t *testing.T) { refusals(t, r) })
}

// typedInputs are what each kind is made of, and a change of one field of it with where that is in the object.
var typedInputs = map[string]struct{ make, change, path string }{
	"propagationPolicy": {`{resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], placement: {spreadConstraints: [{spreadByField: CLUSTER, minGroups: 1, maxGroups: 2}]}}`,
		`{placement: {spreadConstraints: [{spreadByField: CLUSTER, maxGroups: 3}]}}`, "/placement/spreadConstraints"},
	"clusterPropagationPolicy": {`{resourceSelectors: [{apiVersion: v1, kind: Namespace, name: web}], priority: 3, failover: {cluster: {purgeMode: DIRECTLY}}}`, `{priority: 0}`, "/priority"},
	"overridePolicy": {`{overrideRules: [{overriders: {plaintext: [{path: /a, operator: ADD, value: '{"a":1}'}, {path: /b, operator: REMOVE}]}}]}`,
		`{overrideRules: [{overriders: {plaintext: [{path: /a, operator: ADD, value: "2"}, {path: /b, operator: REMOVE}]}}]}`, "/overrideRules"},
	"clusterOverridePolicy": {`{overrideRules: [{targetCluster: {clusterNames: [tokyo]}, overriders: {imageOverrider: [{component: REGISTRY, operator: REPLACE, value: r.example}]}}]}`,
		`{overrideRules: [{targetCluster: {clusterNames: []}, overriders: {}}]}`, "/overrideRules"},
	"federatedHPA": {`{target: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3, metrics: [{type: RESOURCE, name: cpu, target: {type: UTILIZATION, quantity: 70%}}]}`,
		`{maxReplicas: 5}`, "/maxReplicas"},
	"cronFederatedHPA": {`{target: {apiVersion: apps/v1, kind: Deployment, name: web}, schedules: [{name: up, schedule: "0 8 * * *", targetReplicas: 3}]}`,
		`{schedules: [{name: up, schedule: "0 9 * * *"}]}`, "/rules"},
	"multiClusterService":    {`{types: [CROSS_CLUSTER], ports: [{name: web, port: 80}], providerClusters: [tokyo]}`, `{providerClusters: [tokyo, singapore]}`, "/providerClusters"},
	"federatedResourceQuota": {`{overall: [{resource: cpu, quantity: "4"}], staticAssignments: [{clusterName: tokyo, hard: [{resource: cpu, quantity: "1"}]}]}`, `{overall: [{resource: cpu, quantity: "5"}]}`, "/overall/cpu"},
	"clusterTaintPolicy": {`{targetClusters: {clusterNames: [tokyo]}, taints: [{key: down, value: "", effect: NO_SCHEDULE}], addOnConditions: [{conditionType: Ready, operator: IN, statusValues: ["FALSE", "UNKNOWN"]}]}`,
		`{targetClusters: {clusterNames: [singapore]}}`, "/targetClusters/clusterNames"},
}

func create(ctx context.Context, r *Runner, field string, input map[string]any) (model.KubernetesObject, []model.UserError, error) {
	if typed.ByField(typed.Policies, field) != nil {
		p, problems, err := Run(ctx, r, &CreatePolicy{Instance: "asia", Typed: Typed{field: input}}, nil)
		return p, problems, err
	}
	return Run(ctx, r, &CreateKarmadaResource{Instance: "asia", Typed: Typed{field: input}}, nil)
}

func update(ctx context.Context, r *Runner, ref model.Ref, version, field string, input map[string]any) (Changed, []model.UserError, error) {
	if typed.ByField(typed.Policies, field) != nil {
		out, problems, err := Run(ctx, r, &UpdatePolicy{OnResource: OnResource{ID: ref.ID()}, ResourceVersion: version, Typed: Typed{field: input}}, nil)
		return Changed{Object: out.Policy, Conflict: out.Conflict}, problems, err
	}
	return Run(ctx, r, &UpdateKarmadaResource{OnResource: OnResource{ID: ref.ID()}, ResourceVersion: version, Typed: Typed{field: input}}, nil)
}

func clientOf(client dynamic.Interface, ref model.Ref) dynamic.ResourceInterface {
	of := client.Resource(catalog.ByGVK(ref.GVK).GVR())
	if ref.Namespace != "" {
		return of.Namespace(ref.Namespace)
	}
	return of
}

func madeAndChanged(t *testing.T, r *Runner, client dynamic.Interface, k *typed.Kind) {
	t.Helper()
	in := typedInputs[k.Field]
	input := yamlObject(t, in.make)
	input["name"] = "made"
	ref := model.Ref{Instance: "asia", GVK: k.GVK, Name: "made"}
	if k.Namespaced {
		input["namespace"], ref.Namespace = "default", "default"
	}
	out, problems, err := create(ann(t), r, k.Field, input)
	if err != nil || len(problems) > 0 || out.ObjectRef() != ref {
		t.Fatalf("made %v, %v, %v", out, problems, err)
	}
	if _, problems, _ := create(ann(t), r, k.Field, input); len(problems) != 1 || problems[0].Code != "CONFLICT" {
		t.Errorf("made again: %v", problems)
	}
	before, err := clientOf(client, ref).Get(t.Context(), "made", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if changed, problems, err := update(ann(t), r, ref, before.GetResourceVersion(), k.Field, overlay.Read(k.Form, before.Object)); err != nil || len(problems) > 0 || changed.Object == nil {
		t.Fatalf("sent back: %v, %v", problems, err)
	}
	if now, _ := clientOf(client, ref).Get(t.Context(), "made", metav1.GetOptions{}); now.GetResourceVersion() != before.GetResourceVersion() {
		t.Error("sending back what was read changed it")
	}
	if _, problems, err := update(ann(t), r, ref, before.GetResourceVersion(), k.Field, yamlObject(t, in.change)); err != nil || len(problems) > 0 {
		t.Fatalf("changed: %v, %v", problems, err)
	}
	after, err := clientOf(client, ref).Get(t.Context(), "made", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := specDifference(before.Object["spec"], after.Object["spec"], ""); len(got) != 1 || got[0] != in.path {
		t.Errorf("the change is of %s, want %s", got, in.path)
	}
}

// specDifference are the paths at which two values are different; lists are one value.
func specDifference(a, b any, path string) (out []string) {
	x, ok := a.(map[string]any)
	y, also := b.(map[string]any)
	if !ok || !also {
		if !reflect.DeepEqual(a, b) {
			out = append(out, path)
		}
		return out
	}
	for k := range x {
		out = append(out, specDifference(x[k], y[k], path+"/"+k)...)
	}
	for k := range y {
		if _, ok := x[k]; !ok {
			out = append(out, path+"/"+k)
		}
	}
	return out
}

// samplesAreEdited edits one field of each policy among Karmada's own samples.
func samplesAreEdited(t *testing.T, r *Runner, client dynamic.Interface) {
	files, err := testenv.Samples()
	if err != nil {
		t.Fatal(err)
	}
	edited := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, doc := range bytes.Split(text, []byte("\n---")) {
			raw, err := yaml.YAMLToJSON(doc)
			if err != nil {
				continue // a template
			}
			o := &unstructured.Unstructured{}
			if utiljson.Unmarshal(raw, &o.Object) != nil || o.Object == nil {
				continue
			}
			for _, k := range typed.Policies {
				if o.GroupVersionKind() != k.GVK {
					continue
				}
				ref := model.Ref{Instance: "asia", GVK: k.GVK, Name: o.GetName()}
				if k.Namespaced {
					ref.Namespace = "default"
					o.SetNamespace("default")
				}
				_ = clientOf(client, ref).Delete(t.Context(), ref.Name, metav1.DeleteOptions{})
				before, err := clientOf(client, ref).Create(t.Context(), o, metav1.CreateOptions{})
				if err != nil {
					t.Fatalf("%s: %v", file, err)
				}
				input := overlay.Read(k.Form, before.Object)
				input["resourceSelectors"] = append(input["resourceSelectors"].([]any), map[string]any{"apiVersion": "v1", "kind": "Secret", "name": "another"}) //nolint:forcetypeassert // it is read
				if _, problems, err := update(ann(t), r, ref, before.GetResourceVersion(), k.Field, input); err != nil || len(problems) > 0 {
					t.Fatalf("%s: %v, %v", file, problems, err)
				}
				after, err := clientOf(client, ref).Get(t.Context(), ref.Name, metav1.GetOptions{})
				if err != nil {
					t.Fatal(err)
				}
				if got := specDifference(before.Object["spec"], after.Object["spec"], ""); !cmp.Equal(got, []string{"/resourceSelectors"}) {
					t.Errorf("%s: the change is of %s", file, got)
				}
				edited++
			}
		}
	}
	if edited < 10 {
		t.Errorf("only %d samples were edited", edited)
	}
}

// twoWriters has another one write in between: nothing is changed, and both differences are said.
func twoWriters(t *testing.T, r *Runner, client dynamic.Interface) {
	ref := model.Ref{Instance: "asia", GVK: typed.Policies[0].GVK, Namespace: "default", Name: "both"}
	input := yamlObject(t, `{name: both, namespace: default, priority: 1, resourceSelectors: [{apiVersion: v1, kind: ConfigMap}]}`)
	if _, problems, err := create(ann(t), r, "propagationPolicy", input); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	read, err := clientOf(client, ref).Get(t.Context(), "both", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	version := read.GetResourceVersion()
	if _, problems, err := update(ann(t), r, ref, version, "propagationPolicy", map[string]any{"priority": int64(2)}); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	out, problems, err := update(ann(t), r, ref, version, "propagationPolicy", map[string]any{"propagateDeps": true})
	if diff := cmp.Diff([]string{"CONFLICT input.resourceVersion"}, fieldsOf(problems)); err != nil || diff != "" {
		t.Fatal(diff, err)
	}
	if out.Conflict == nil || len(out.Conflict.Theirs) != 1 || out.Conflict.Theirs[0].Path != "/spec/priority" || len(out.Conflict.Yours) != 1 || out.Conflict.Yours[0].Path != "/spec/propagateDeps" {
		t.Errorf("the conflict is %+v", out.Conflict)
	}
	patch := &PatchResource{OnResource: OnResource{ID: ref.ID()}, ResourceVersion: version, Type: model.PatchMerge, Patch: `{"spec":{"preemption":"Always"}}`}
	if out, problems, err := Run(ann(t), r, patch, nil); err != nil || len(problems) != 1 || out.Conflict == nil || len(out.Conflict.Yours) != 1 || out.Conflict.Yours[0].Path != "/spec/preemption" {
		t.Errorf("the conflict of a patch is %+v, %v, %v", out.Conflict, problems, err)
	}
	// To tell what a change would do, it is tried and not made.
	now, err := clientOf(client, ref).Get(t.Context(), "both", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if got := specDifference(read.Object["spec"], now.Object["spec"], ""); !cmp.Equal(got, []string{"/priority"}) {
		t.Errorf("after two conflicts, what is different is %s", got)
	}
}

// nullsStay changes an item beside one whose value holds a null: a merge patch would lose it.
func nullsStay(t *testing.T, r *Runner, client dynamic.Interface) {
	ref := model.Ref{Instance: "asia", GVK: typed.Policies[2].GVK, Namespace: "default", Name: "nulls"}
	if _, problems, err := create(ann(t), r, "overridePolicy", yamlObject(t, `{name: nulls, namespace: default, annotations: [{key: a/b, value: "1"}],
		overrideRules: [{overriders: {plaintext: [{path: /a, operator: ADD, value: '{"x":null,"y":[null,{"z":null}]}'}, {path: /b, operator: ADD, value: "1"}]}}]}`)); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	before, err := clientOf(client, ref).Get(t.Context(), "nulls", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	given := overlay.Read(typed.Policies[2].Form, before.Object)
	given["annotations"] = []any{map[string]any{"key": "c/d", "value": "2"}}
	rules, _ := given["overrideRules"].([]any)
	plaintext, _ := rules[0].(map[string]any)["overriders"].(map[string]any)["plaintext"].([]any) //nolint:forcetypeassert // it is read
	plaintext[1].(map[string]any)["value"] = "2"                                                  //nolint:forcetypeassert // it is read
	if _, problems, err := update(ann(t), r, ref, before.GetResourceVersion(), "overridePolicy", given); err != nil || len(problems) > 0 {
		t.Fatal(problems, err)
	}
	after, err := clientOf(client, ref).Get(t.Context(), "nulls", metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	want := before.DeepCopy()
	wanted, _, _ := unstructured.NestedSlice(want.Object, "spec", "overrideRules")
	changed, _, _ := unstructured.NestedSlice(wanted[0].(map[string]any), "overriders", "plaintext") //nolint:forcetypeassert // just made
	changed[1].(map[string]any)["value"] = int64(2)                                                  //nolint:forcetypeassert // just made
	if diff := cmp.Diff(map[string]any{"overrideRules": []any{map[string]any{"overriders": map[string]any{"plaintext": changed}}}}, after.Object["spec"]); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string]string{"c/d": "2"}, after.GetAnnotations()); diff != "" {
		t.Error(diff)
	}
}

func refusals(t *testing.T, r *Runner) {
	ref := model.Ref{Instance: "asia", GVK: typed.Policies[0].GVK, Namespace: "default", Name: "made"}
	name := `name: refused, namespace: default`
	for title, c := range map[string]struct {
		run  func(ctx context.Context) ([]model.UserError, error)
		want string
	}{
		"the API server's": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := create(ctx, r, "propagationPolicy", yamlObject(t, `{`+name+`}`))
			return p, err
		}, "BAD_USER_INPUT input.propagationPolicy.resourceSelectors"},
		"the API server's about an item": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := create(ctx, r, "cronFederatedHPA", yamlObject(t, `{`+name+`, target: {kind: Deployment, name: a}, schedules: [{name: up, schedule: "* * * * *", failedHistoryLimit: 99}]}`))
			return p, err
		}, "BAD_USER_INPUT input.cronFederatedHPA.schedules.0.failedHistoryLimit"},
		"Kairship's own": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := create(ctx, r, "federatedResourceQuota", yamlObject(t, `{`+name+`, overall: [{resource: cpu, quantity: much}]}`))
			return p, err
		}, "BAD_USER_INPUT input.federatedResourceQuota.overall.0.quantity"},
		"nothing": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := Run(ctx, r, &CreatePolicy{Instance: "asia"}, nil)
			return p, err
		}, "BAD_USER_INPUT input"},
		"two ways": {func(ctx context.Context) ([]model.UserError, error) {
			manifest := "{}"
			_, p, err := Run(ctx, r, &CreatePolicy{Instance: "asia", Manifest: &manifest, Typed: Typed{"overridePolicy": {}}}, nil)
			return p, err
		}, "BAD_USER_INPUT input.overridePolicy"},
		"another kind": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := update(ctx, r, ref, "1", "overridePolicy", map[string]any{})
			return p, err
		}, "BAD_USER_INPUT input.overridePolicy"},
		"another name": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := update(ctx, r, ref, "1", "propagationPolicy", map[string]any{"name": "other"})
			return p, err
		}, "BAD_USER_INPUT input.propagationPolicy.name"},
		"no version": {func(ctx context.Context) ([]model.UserError, error) {
			_, p, err := update(ctx, r, ref, "", "propagationPolicy", map[string]any{})
			return p, err
		}, "BAD_USER_INPUT input.resourceVersion"},
		"what does not exist": {func(ctx context.Context) ([]model.UserError, error) {
			ref := ref
			ref.Name = "none"
			_, p, err := update(ctx, r, ref, "1", "propagationPolicy", map[string]any{})
			return p, err
		}, "NOT_FOUND input.id"},
	} {
		t.Run(title, func(t *testing.T) {
			problems, err := c.run(ann(t))
			if got := fieldsOf(problems); err != nil || len(got) != 1 || got[0] != c.want {
				t.Errorf("is answered %s, %v; want %s\n%+v", got, err, c.want, problems)
			}
		})
	}
}
