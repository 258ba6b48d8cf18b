package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Where the verbs are tried.
const verbsNamespace = "e2e-verbs"

// Kinds that verbs are tried on, by what they are called in paths.
var verbKinds = map[string]schema.GroupVersionKind{
	"deployments": {Group: "apps", Version: "v1", Kind: "Deployment"}, "cronjobs": {Group: "batch", Version: "v1", Kind: "CronJob"},
	"jobs": {Group: "batch", Version: "v1", Kind: "Job"}, "configmaps": {Version: "v1", Kind: "ConfigMap"}, "namespaces": {Version: "v1", Kind: "Namespace"},
	"propagationpolicies": {Group: "policy.karmada.io", Version: "v1alpha1", Kind: "PropagationPolicy"},
}

// verb is a mutation as it is tried on an object of its own.
type verb struct {
	// resource and object are what it is done to; none for a cluster or a binding.
	resource, object string
	// input is what it is asked with beside the object's id, dryRun and uid.
	input map[string]any
	// wrong is an input that is refused, and field the field that is named then.
	wrong map[string]any
	field string
	// done fails with what is to be seen in Karmada when it is not done yet. The object is nil when it does not exist.
	done func(object *unstructured.Unstructured) error
}

// fieldOf is a field of an object as text.
func fieldOf(o *unstructured.Unstructured, path ...string) string {
	if o == nil {
		return "gone"
	}
	v, _, _ := unstructured.NestedFieldNoCopy(o.Object, path...)
	return fmt.Sprint(v)
}

func is(want string, path ...string) func(*unstructured.Unstructured) error {
	return func(o *unstructured.Unstructured) error {
		if got := fieldOf(o, path...); got != want {
			return fmt.Errorf("%s is %s, want %s", strings.Join(path, "."), got, want)
		}
		return nil
	}
}

func isGone(o *unstructured.Unstructured) error {
	if o != nil && o.GetDeletionTimestamp() == nil {
		return fmt.Errorf("%s is still there", o.GetName())
	}
	return nil
}

func imageIs(want string) func(*unstructured.Unstructured) error {
	return func(o *unstructured.Unstructured) error {
		if got := fieldOf(o, "spec", "template", "spec", "containers"); !strings.Contains(got, "image:"+want+" ") {
			return fmt.Errorf("its containers are %s, want image %s", got, want)
		}
		return nil
	}
}

func policyManifest(name, cluster, version string) string {
	return fmt.Sprintf("{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: %s, name: %s%s}, spec: {resourceSelectors: [{apiVersion: v1, kind: ConfigMap, name: none}], placement: {clusterAffinity: {clusterNames: [%s]}}}}",
		verbsNamespace, name, version, cluster)
}

// verbsOf are the mutations that are tried here; known is the revision and the versions that some need.
func verbsOf(revision, policyVersion string) map[string]verb {
	deployment := func(name string, input, wrong map[string]any, field string, done func(*unstructured.Unstructured) error) verb {
		return verb{"deployments", name, input, wrong, field, done}
	}
	some := map[string]any{}
	return map[string]verb{
		"restartWorkload": deployment("restart", nil, nil, "", func(o *unstructured.Unstructured) error {
			if fieldOf(o, "spec", "template", "metadata", "annotations", "kubectl.kubernetes.io/restartedAt") == "<nil>" {
				return fmt.Errorf("it is not marked as restarted")
			}
			return nil
		}),
		"pauseWorkload": deployment("pause", nil, nil, "", is("true", "spec", "paused")),
		"resumeWorkload": deployment("resume", nil, nil, "", func(o *unstructured.Unstructured) error {
			return or(is("<nil>", "spec", "paused")(o), is("false", "spec", "paused")(o))
		}),
		"rollbackWorkload": deployment("rollback", map[string]any{"revision": revision}, map[string]any{"revision": "4711"}, "revision", imageIs("registry.example/web:1")),
		"updateWorkloadImage": deployment("image", map[string]any{"container": "web", "image": "registry.example/web:3"},
			map[string]any{"container": "none", "image": "registry.example/web:3"}, "container", imageIs("registry.example/web:3")),
		"suspendCronJob":     {"cronjobs", "suspend", some, nil, "", is("true", "spec", "suspend")},
		"rerunJob":           {"jobs", "rerun", some, nil, "", nil},
		"rescheduleWorkload": deployment("reschedule", nil, nil, "", nil),
		"deleteResource":     {"configmaps", "delete", some, nil, "", isGone},
		"patchResource": {"configmaps", "patch", map[string]any{"patch": `{"data":{"a":"2"}}`}, map[string]any{"patch": "[]"}, "patch",
			is("2", "data", "a")},
		"protectResource": {"configmaps", "protect", some, nil, "", is("Always", "metadata", "labels", "resourcetemplate.karmada.io/deletion-protected")},
		"createNamespace": {"namespaces", verbsNamespace + "-new", map[string]any{"instance": "asia", "name": verbsNamespace + "-new", "propagate": false},
			map[string]any{"instance": "asia", "name": "Not_A_Name"}, "name", is("true", "metadata", "labels", "namespace.karmada.io/skip-auto-propagation")},
		"deleteNamespace": {"namespaces", verbsNamespace + "-old", map[string]any{"cascade": true}, map[string]any{"cascade": false}, "cascade", isGone},
		"createPolicy": {"propagationpolicies", "create", map[string]any{"instance": "asia", "manifest": policyManifest("create", "tokyo", "")},
			map[string]any{"instance": "asia", "manifest": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"}, "manifest", is("[tokyo]", "spec", "placement", "clusterAffinity", "clusterNames")},
		"updatePolicy": {"propagationpolicies", "update", map[string]any{"resourceVersion": policyVersion, "manifest": policyManifest("update", "tokyo", "")},
			map[string]any{"resourceVersion": policyVersion, "manifest": policyManifest("another", "tokyo", "")}, "manifest", is("[tokyo]", "spec", "placement", "clusterAffinity", "clusterNames")},
		"deletePolicy": {"propagationpolicies", "leave", some, nil, "", isGone},
	}
}

func or(a, b error) error {
	if a == nil {
		return nil
	}
	return b
}

const verbObjects = `
apiVersion: v1
kind: Namespace
metadata: {name: e2e-verbs, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}
---
apiVersion: v1
kind: Namespace
metadata: {name: e2e-verbs-old, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: held, namespace: e2e-verbs-old}
data: {a: "1"}
---
apiVersion: batch/v1
kind: CronJob
metadata: {name: suspend, namespace: e2e-verbs}
spec:
  schedule: "0 0 1 1 *"
  jobTemplate: {spec: {template: {spec: {restartPolicy: Never, containers: [{name: web, image: registry.example/web:1}]}}}}
---
apiVersion: batch/v1
kind: Job
metadata: {name: rerun, namespace: e2e-verbs, labels: {kept: "yes"}}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: web, image: registry.example/web:1}]}}}
`

// makeVerbObjects makes what verbs are tried on.
func makeVerbObjects(t *testing.T) {
	t.Helper()
	text := verbObjects
	for _, name := range []string{"restart", "pause", "resume", "rollback", "image", "reschedule"} {
		text += fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: %s}\nspec: {paused: %t, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: web, image: 'registry.example/web:1'}]}}}\n",
			name, verbsNamespace, name == "resume", name, name)
	}
	for _, name := range []string{"delete", "patch", "protect"} {
		text += fmt.Sprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata: {a: \"1\"}\n", name, verbsNamespace)
	}
	for _, name := range []string{"update", "leave"} {
		text += "---\n" + policyManifest(name, "singapore", "") + "\n"
	}
	if got := apply(t, map[string]any{"manifests": text}); strings.Contains(got.outcomes(), "FAILED") || len(got.ApplyManifests.UserErrors) > 0 {
		t.Fatalf("%+v", got)
	}
}

// A mutation of the schema that is tried nowhere fails here.
func TestEveryVerbDoesWhatItSaysAndNothingElse(t *testing.T) {
	whole(t)
	elsewhere := []string{"applyManifests", "scaleWorkload", "issueKubeconfig", "revokeKubeconfigs", "updateCluster", "setClusterSchedulable", "grantAccess", "revokeAccess"}
	for _, name := range []string{verbsNamespace, verbsNamespace + "-old", verbsNamespace + "-new"} {
		removeNamespace(t, name)
		leaveNothing(t, name)
	}
	makeVerbObjects(t)
	asia := karmada(t, "asia")
	at := func(resource, name string) *unstructured.Unstructured {
		gvk := verbKinds[resource]
		c := asia.Resource(gvk.GroupVersion().WithResource(resource))
		get := c.Get
		if resource != "namespaces" {
			get = c.Namespace(verbsNamespace).Get
		}
		o, err := get(t.Context(), name, metav1.GetOptions{})
		if apierrors.IsNotFound(err) {
			return nil
		}
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	revision := firstRevision(t, string(at("deployments", "rollback").GetUID()))
	if got := ask(t, `mutation($id: ID!) { updateWorkloadImage(input: {id: $id, container: "web", image: "registry.example/web:2"}) { userErrors { message } } }`,
		map[string]any{"id": idIn(verbKinds["deployments"], "rollback")}); len(got.Errors) > 0 || strings.Contains(string(got.Data), "message") {
		t.Fatal(string(got.Data), got.Errors)
	}
	verbs := verbsOf(revision, at("propagationpolicies", "update").GetResourceVersion())
	for _, name := range mutationNames(t) {
		v, ok := verbs[name]
		if !ok {
			if !slices.Contains(elsewhere, name) {
				t.Errorf("nothing tries %s", name)
			}
			continue
		}
		t.Run(name, func(t *testing.T) { tryVerb(t, name, v, at) })
	}
}

func mutationNames(t *testing.T) (out []string) {
	t.Helper()
	data := into[struct {
		Type struct{ Fields []struct{ Name string } } `json:"__type"`
	}](t, `{__type(name: "Mutation") {fields {name}}}`, nil)
	for _, f := range data.Type.Fields {
		out = append(out, f.Name)
	}
	return out
}

func idIn(gvk schema.GroupVersionKind, name string) string {
	ref := model.Ref{Instance: "asia", GVK: gvk, Namespace: verbsNamespace, Name: name}
	if gvk.Kind == "Namespace" {
		ref.Namespace = ""
	}
	return ref.ID()
}

// firstRevision waits until the first revision of a workload is recorded.
func firstRevision(t *testing.T, uid string) (revision string) {
	t.Helper()
	eventually(t, 30*time.Second, func() error {
		list, err := karmada(t, "asia").Resource(schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "controllerrevisions"}).Namespace(verbsNamespace).
			List(t.Context(), metav1.ListOptions{LabelSelector: model.LabelWorkloadUID + "=" + uid})
		if err != nil || len(list.Items) == 0 {
			return fmt.Errorf("no revision is recorded: %w", err)
		}
		revision = fieldOf(&list.Items[0], "revision")
		return nil
	})
	return revision
}

// mutated asks for a mutation, and returns what is wrong: the codes and fields of its user errors, or of its errors.
func mutated(t *testing.T, bearer, name string, input map[string]any) (problems []string) {
	t.Helper()
	query := fmt.Sprintf("mutation($in: %sInput!) { %s(input: $in) { userErrors { code message field } } }", strings.ToUpper(name[:1])+name[1:], name)
	out := askAs(t, bearer, query, map[string]any{"in": input})
	for _, e := range out.Errors {
		problems = append(problems, e.Extensions.Code)
	}
	var data map[string]*struct {
		UserErrors []struct {
			Code, Message string
			Field         []string
		}
	}
	if err := json.Unmarshal(out.Data, &data); err != nil {
		t.Fatalf("%s: %v", out.Data, err)
	}
	if got := data[name]; got != nil {
		for _, e := range got.UserErrors {
			t.Logf("%s: %s", name, e.Message)
			problems = append(problems, strings.TrimSpace(e.Code+" "+strings.Join(e.Field, ".")))
		}
	}
	return problems
}

func tryVerb(t *testing.T, name string, v verb, at func(resource, name string) *unstructured.Unstructured) {
	t.Helper()
	asked := func(input map[string]any, more ...any) map[string]any {
		out := map[string]any{}
		if input["instance"] == nil {
			out["id"] = idIn(verbKinds[v.resource], v.object)
		}
		for k, value := range input {
			out[k] = value
		}
		for pair := range slices.Chunk(more, 2) {
			out[pair[0].(string)] = pair[1] //nolint:forcetypeassert // pairs of a name and a value
		}
		return out
	}
	before := at(v.resource, v.object)
	unchanged := func(after string) {
		t.Helper()
		now := at(v.resource, v.object)
		if (now == nil) != (before == nil) || now != nil && now.GetResourceVersion() != before.GetResourceVersion() {
			t.Fatalf("%s changed it to %v", after, now)
		}
	}
	if got := mutated(t, token, name, asked(v.input, "dryRun", true)); len(got) > 0 {
		t.Errorf("a dry run is refused: %s", got)
	}
	unchanged("a dry run")
	if got := mutated(t, idTokenOf(t, "viewer"), name, asked(v.input)); len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN") && !strings.HasPrefix(got[0], "NOT_FOUND") {
		t.Errorf("somebody who may only read is answered %s", got)
	}
	unchanged("a viewer")
	if v.wrong != nil {
		if got := mutated(t, token, name, asked(v.wrong)); !slices.Equal(got, []string{"BAD_USER_INPUT input." + v.field}) {
			t.Errorf("a wrong input is answered %s, want one error about input.%s", got, v.field)
		}
		unchanged("a wrong input")
	}
	if v.input["instance"] == nil {
		if got := mutated(t, token, name, asked(v.input, "uid", "11111111-2222-3333-4444-555555555555")); !slices.Equal(got, []string{"CONFLICT input.uid"}) {
			t.Errorf("a namesake is answered %s", got)
		}
		unchanged("an uid of another object")
	}
	if got := mutated(t, token, name, asked(v.input)); len(got) > 0 {
		t.Fatalf("it is refused: %s", got)
	}
	switch name {
	case "rescheduleWorkload":
		rescheduled(t, v.object)
	case "protectResource":
		if err := v.done(at(v.resource, v.object)); err != nil {
			t.Error(err)
		}
		// Or its namespace could not be deleted, which is refused then.
		if got := mutated(t, token, "deleteNamespace", map[string]any{"id": idIn(verbKinds["namespaces"], verbsNamespace), "cascade": true}); !slices.Equal(got, []string{"BAD_USER_INPUT input.id"}) {
			t.Errorf("the namespace of what is protected: %s", got)
		}
		if got := mutated(t, token, name, asked(map[string]any{"protected": false})); len(got) > 0 {
			t.Errorf("taking it back: %s", got)
		}
	case "rerunJob":
		now := at(v.resource, v.object)
		if now == nil || now.GetUID() == before.GetUID() || now.GetLabels()["kept"] != "yes" {
			t.Errorf("the Job is %v", now)
		}
	default:
		if err := v.done(at(v.resource, v.object)); err != nil {
			t.Error(err)
		}
	}
	eventually(t, 10*time.Second, func() error {
		data, err := read[struct {
			AuditEvents struct {
				Nodes []struct{ Action, Outcome, Name string }
			}
		}](t, `query($n: String!) { auditEvents(first: 50, filter: {nameContains: $n, instances: ["asia"]}) { nodes { action outcome name } } }`, map[string]any{"n": v.object})
		if err != nil {
			return err
		}
		for _, e := range data.AuditEvents.Nodes {
			if e.Action == name && e.Outcome == "SUCCEEDED" && e.Name == v.object {
				return nil
			}
		}
		return fmt.Errorf("the audit log has no %s of %s that succeeded: %+v", name, v.object, data.AuditEvents.Nodes)
	})
}

// rescheduled expects that Karmada was asked to schedule a workload anew.
func rescheduled(t *testing.T, workload string) {
	t.Helper()
	list, err := karmada(t, "asia").Resource(schema.GroupVersionResource{Group: "apps.karmada.io", Version: "v1alpha1", Resource: "workloadrebalancers"}).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(list.Items, func(o unstructured.Unstructured) bool {
		return strings.Contains(fieldOf(&o, "spec", "workloads"), "name:"+workload+" namespace:"+verbsNamespace)
	}) {
		t.Error("no WorkloadRebalancer names it")
	}
}

// A protected object stays, whoever deletes it.
func TestWhatIsProtectedIsNotDeleted(t *testing.T) {
	whole(t)
	removeNamespace(t, "e2e-protected")
	leaveNothing(t, "e2e-protected")
	if got := apply(t, map[string]any{"manifests": `
{apiVersion: v1, kind: Namespace, metadata: {name: e2e-protected, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: keep, namespace: e2e-protected}}`}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	id := model.Ref{Instance: "asia", GVK: verbKinds["configmaps"], Namespace: "e2e-protected", Name: "keep"}.ID()
	for _, step := range []struct {
		verb  string
		input map[string]any
		want  []string
	}{
		{"protectResource", map[string]any{"id": id}, nil},
		{"deleteResource", map[string]any{"id": id}, []string{"BAD_USER_INPUT"}},
		{"protectResource", map[string]any{"id": id, "protected": false}, nil},
		{"deleteResource", map[string]any{"id": id}, nil},
	} {
		if got := mutated(t, token, step.verb, step.input); !slices.Equal(got, step.want) {
			t.Fatalf("%s of %v is answered %s, want %s", step.verb, step.input, got, step.want)
		}
	}
}

// Two people edit the same object: the second one learns what the first one did, and what theirs would still change.
func TestAConflictSaysWhatIsDifferent(t *testing.T) {
	whole(t)
	removeNamespace(t, "e2e-conflict")
	leaveNothing(t, "e2e-conflict")
	if got := apply(t, map[string]any{"manifests": `
{apiVersion: v1, kind: Namespace, metadata: {name: e2e-conflict, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}
---
{apiVersion: v1, kind: Secret, metadata: {name: both, namespace: e2e-conflict}, stringData: {password: correct-horse}}
---
{apiVersion: v1, kind: ConfigMap, metadata: {name: both, namespace: e2e-conflict}, data: {a: "1", b: "1"}}`}); strings.Contains(got.outcomes(), "FAILED") {
		t.Fatalf("%+v", got)
	}
	const patch = `mutation($in: PatchResourceInput!) { patchResource(input: $in) { resource { resourceVersion } conflict { object { resourceVersion } theirs { path from to } yours { path from to } } userErrors { code field } } }`
	type patched struct {
		PatchResource struct {
			Resource *struct{ ResourceVersion string }
			Conflict *struct {
				Object        *struct{ ResourceVersion string }
				Theirs, Yours []struct{ Path, From, To string }
			}
			UserErrors []struct {
				Code  string
				Field []string
			}
		}
	}
	for kind, patches := range map[string][2]string{"ConfigMap": {`{"data":{"a":"ann"}}`, `{"data":{"b":"bob"}}`}, "Secret": {`{"stringData":{"password":"battery-staple"}}`, `{"metadata":{"labels":{"b":"bob"}}}`}} {
		id := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: kind}, Namespace: "e2e-conflict", Name: "both"}.ID()
		o, err := karmada(t, "asia").Resource(schema.GroupVersionResource{Version: "v1", Resource: strings.ToLower(kind) + "s"}).Namespace("e2e-conflict").Get(t.Context(), "both", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		first := into[patched](t, patch, map[string]any{"in": map[string]any{"id": id, "resourceVersion": o.GetResourceVersion(), "patch": patches[0]}}).PatchResource
		if first.Resource == nil || first.Conflict != nil {
			t.Fatalf("the first change of the %s: %+v", kind, first)
		}
		out := ask(t, patch, map[string]any{"in": map[string]any{"id": id, "resourceVersion": o.GetResourceVersion(), "patch": patches[1]}})
		var second patched
		if err := json.Unmarshal(out.Data, &second); err != nil {
			t.Fatal(err)
		}
		got := second.PatchResource
		if got.Resource != nil || got.Conflict == nil || len(got.UserErrors) != 1 || got.UserErrors[0].Code != "CONFLICT" || strings.Join(got.UserErrors[0].Field, ".") != "input.resourceVersion" {
			t.Fatalf("the second change of the %s is answered %s", kind, out.Data)
		}
		if got.Conflict.Object == nil || got.Conflict.Object.ResourceVersion != first.Resource.ResourceVersion || len(got.Conflict.Theirs) != 1 || len(got.Conflict.Yours) == 0 {
			t.Errorf("the conflict about the %s is %+v", kind, got.Conflict)
		}
		for _, secret := range []string{"correct-horse", "battery-staple", "Y29ycmVjdC1ob3JzZQ", "YmF0dGVyeS1zdGFwbGU"} {
			if strings.Contains(string(out.Data), secret) {
				t.Errorf("a value of the %s is shown: %s", kind, out.Data)
			}
		}
	}
}

// Labels, taints and the pause of scheduling of a member are set and taken back; others that it has stay.
func TestAMembersLabelsAndTaintsAreChanged(t *testing.T) {
	whole(t)
	id := model.ClusterID("europe", "frankfurt")
	clusters := karmada(t, "europe").Resource(schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"})
	state := func() string {
		o, err := clusters.Get(t.Context(), "frankfurt", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		taints, _, _ := unstructured.NestedSlice(o.Object, "spec", "taints")
		return fmt.Sprint(o.GetLabels(), taints)
	}
	before := state()
	restore := func() {
		mutated(t, token, "updateCluster", map[string]any{"id": id, "removeLabels": []string{"e2e-verbs"}, "removeTaints": []any{map[string]any{"key": "e2e-verbs"}}})
		mutated(t, token, "setClusterSchedulable", map[string]any{"id": id, "schedulable": true})
	}
	restore()
	for _, step := range []struct {
		verb  string
		input map[string]any
		want  []string
		has   string
	}{
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "e2e-verbs", "value": "yes"}}, "dryRun": true}, nil, before},
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "not a key", "value": "yes"}}}, []string{"BAD_USER_INPUT input.labels"}, before},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "a/b/c", "effect": "NO_SCHEDULE"}}}, []string{"BAD_USER_INPUT input.taints"}, before},
		{"updateCluster", map[string]any{"labels": []any{map[string]any{"key": "e2e-verbs", "value": "yes"}}}, nil, "e2e-verbs:yes"},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "e2e-verbs", "value": "v", "effect": "NO_SCHEDULE"}}}, nil, "effect:NoSchedule key:e2e-verbs value:v"},
		{"updateCluster", map[string]any{"taints": []any{map[string]any{"key": "e2e-verbs", "effect": "PREFER_NO_SCHEDULE"}}}, []string{"BAD_USER_INPUT input.taints"}, "effect:NoSchedule key:e2e-verbs value:v"},
		{"setClusterSchedulable", map[string]any{"schedulable": false}, nil, "cluster.karmada.io/unschedulable"},
		{"setClusterSchedulable", map[string]any{"schedulable": true}, nil, "effect:NoSchedule key:e2e-verbs value:v"},
	} {
		step.input["id"] = id
		if got := mutated(t, token, step.verb, step.input); !slices.Equal(got, step.want) {
			t.Errorf("%s with %v is answered %s, want %s", step.verb, step.input, got, step.want)
		}
		if now := state(); !strings.Contains(now, step.has) {
			t.Errorf("after %s with %v it is %s, want %s", step.verb, step.input, now, step.has)
		}
	}
	restore()
	if now := state(); now != before {
		t.Errorf("it was %s and is %s", before, now)
	}
	if got := mutated(t, idTokenOf(t, "editor"), "setClusterSchedulable", map[string]any{"id": model.ClusterID("asia", "tokyo"), "schedulable": false}); len(got) != 1 || !strings.HasPrefix(got[0], "FORBIDDEN") {
		t.Errorf("an Editor is answered %s", got)
	}
}

// What somebody is given works at once, is seen by those who may, and is gone when it is taken.
func TestARoleIsGivenSeenAndTaken(t *testing.T) {
	whole(t)
	stranger := idTokenOf(t, "stranger")
	const subject, role = "kairship:oidc:stranger", "Viewer"
	input := map[string]any{"subject": map[string]any{"kind": "USER", "name": subject}, "role": role, "instance": "asia", "namespaces": []string{"shop"}}
	bindings := func(bearer string) (out []struct{ ID, Source, GrantedBy string }) {
		var data struct {
			AccessBindings struct {
				Nodes []struct{ ID, Source, GrantedBy string }
			}
		}
		answer := askAs(t, bearer, `{ accessBindings(first: 200, filter: {subjectContains: "oidc:stranger", instances: ["asia"]}) { nodes { id source grantedBy } } }`, nil)
		if err := json.Unmarshal(answer.Data, &data); err != nil {
			t.Fatalf("%s %v", answer.Data, err)
		}
		return data.AccessBindings.Nodes
	}
	for _, b := range bindings(token) { // of a run before
		mutated(t, token, "revokeAccess", map[string]any{"id": b.ID})
	}
	for _, tc := range []struct {
		name, bearer string
		change       map[string]any
		want         string
	}{
		{"an Editor gives it", idTokenOf(t, "editor"), nil, "FORBIDDEN"},
		{"a name without an origin", token, map[string]any{"subject": map[string]any{"kind": "USER", "name": "stranger"}}, "BAD_USER_INPUT input.subject"},
		{"a name of Kubernetes' own", token, map[string]any{"subject": map[string]any{"kind": "GROUP", "name": "system:masters"}}, "BAD_USER_INPUT input.subject"},
		{"a role that is none", token, map[string]any{"role": "cluster-admin"}, "BAD_USER_INPUT input.role"},
		{"a namespace that cannot be", token, map[string]any{"namespaces": []string{"../shop"}}, "BAD_USER_INPUT input.namespaces"},
		{"an instance that is not there", token, map[string]any{"instance": "africa"}, "NOT_FOUND input.instance"},
	} {
		wrong := map[string]any{}
		for _, from := range []map[string]any{input, tc.change} {
			for k, v := range from {
				wrong[k] = v
			}
		}
		if got := mutated(t, tc.bearer, "grantAccess", wrong); len(got) != 1 || got[0] != tc.want {
			t.Errorf("%s: answered %s, want %s", tc.name, got, tc.want)
		}
	}
	if got := mutated(t, token, "grantAccess", input); len(got) > 0 {
		t.Fatal(got)
	}
	if got := mutated(t, token, "grantAccess", input); !slices.Equal(got, []string{"CONFLICT input.subject"}) {
		t.Errorf("given again: %s", got)
	}
	sees := func(want bool) {
		t.Helper()
		took := eventually(t, 5*time.Second, func() error {
			out := askAs(t, stranger, `{instance(name:"asia"){workloads(first:1){nodes{name}}}}`, nil)
			if seen := len(out.Errors) == 0; seen != want {
				return fmt.Errorf("seen: %t, want %t: %v", seen, want, out.Errors)
			}
			return nil
		})
		t.Logf("seen: %t after %s", want, took)
	}
	sees(true)
	for name, bearer := range map[string]string{"an administrator": token, "who has it": stranger} {
		if got := bindings(bearer); len(got) != 1 || got[0].Source != "KAIRSHIP" || got[0].GrantedBy == "" {
			t.Errorf("%s sees %+v", name, got)
		}
	}
	given := bindings(token)[0]
	if got := bindings(idTokenOf(t, "editor")); len(got) != 0 {
		t.Errorf("an Editor sees %+v", got)
	}
	if got := mutated(t, stranger, "revokeAccess", map[string]any{"id": given.ID}); len(got) != 1 || got[0] != "FORBIDDEN" {
		t.Errorf("who has it takes it: %s", got)
	}
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID, "dryRun": true}); len(got) > 0 || len(bindings(token)) != 1 {
		t.Errorf("a dry run: %s, left %v", got, bindings(token))
	}
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID}); len(got) > 0 {
		t.Fatal(got)
	}
	sees(false)
	if got := mutated(t, token, "revokeAccess", map[string]any{"id": given.ID}); !slices.Equal(got, []string{"NOT_FOUND input.id"}) {
		t.Errorf("taken again: %s", got)
	}
}

// A client that lost the answer sends the mutation again: it is done once, and both are told the same.
func TestAMutationThatIsSentAgainIsDoneOnce(t *testing.T) {
	whole(t)
	removeNamespace(t, "e2e-again")
	leaveNothing(t, "e2e-again")
	run := fmt.Sprint(time.Now().UnixNano())
	if got := apply(t, map[string]any{"clientMutationId": "apply " + run, "manifests": `
{apiVersion: v1, kind: Namespace, metadata: {name: e2e-again, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}
---
{apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: e2e-again}, spec: {selector: {matchLabels: {app: web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "registry.example/web:1"}]}}}}`}); got.outcomes() != "CREATED CREATED" {
		t.Fatalf("%+v", got)
	}
	id := model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: "e2e-again", Name: "web"}.ID()
	restart := func(mutation string) string {
		out := ask(t, `mutation($in: RestartWorkloadInput!) { restartWorkload(input: $in) { workload { resourceVersion } clientMutationId userErrors { code field } } }`,
			map[string]any{"in": map[string]any{"id": id, "clientMutationId": mutation}})
		if len(out.Errors) > 0 {
			t.Fatal(out.Errors)
		}
		return string(out.Data)
	}
	first := restart("restart " + run)
	if again := restart("restart " + run); again != first || !strings.Contains(first, "resourceVersion") {
		t.Errorf("first %s, then %s", first, again)
	}
	// Of many at once, one is done.
	answers := make([]string, 8)
	var all sync.WaitGroup
	for i := range answers {
		all.Go(func() { answers[i] = restart("at once " + run) })
	}
	all.Wait()
	for _, a := range answers {
		if a != answers[0] {
			t.Errorf("one is answered %s, another %s", answers[0], a)
		}
	}
	if got := mutated(t, token, "scaleWorkload", map[string]any{"id": id, "replicas": 3, "clientMutationId": "scale " + run}); len(got) > 0 {
		t.Error(got)
	}
	if got := mutated(t, token, "scaleWorkload", map[string]any{"id": id, "replicas": 4, "clientMutationId": "scale " + run}); !slices.Equal(got, []string{"CONFLICT input.clientMutationId"}) {
		t.Errorf("with another input: %s", got)
	}
}
