package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
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
	"jobs": {Group: "batch", Version: "v1", Kind: "Job"}, "configmaps": {Version: "v1", Kind: "ConfigMap"}, "services": {Version: "v1", Kind: "Service"}, "namespaces": {Version: "v1", Kind: "Namespace"},
	"propagationpolicies": {Group: "policy.karmada.io", Version: "v1alpha1", Kind: "PropagationPolicy"}, "federatedresourcequotas": {Group: "policy.karmada.io", Version: "v1alpha1", Kind: "FederatedResourceQuota"},
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

func quotaManifest(name string) string {
	return fmt.Sprintf("{apiVersion: policy.karmada.io/v1alpha1, kind: FederatedResourceQuota, metadata: {namespace: %s, name: %s}, spec: {overall: {pods: \"1000\"}}}", verbsNamespace, name)
}

// quotaInput is a FederatedResourceQuota by its typed input.
func quotaInput(name, pods string) map[string]any {
	return map[string]any{"name": name, "namespace": verbsNamespace, "overall": []any{map[string]any{"resource": "pods", "quantity": pods}}}
}

// verbsOf are the mutations that are tried here; known is the revision and the versions that some need.
func verbsOf(revision, policyVersion, formVersion, quotaVersion string) map[string]verb {
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
		"createWorkload": {"deployments", "made", map[string]any{"instance": "asia", "kind": "DEPLOYMENT", "namespace": verbsNamespace, "name": "made",
			"form":      map[string]any{"containers": []any{map[string]any{"name": "web", "image": "registry.example/web:1"}}, "replicas": 0},
			"overrides": []any{map[string]any{"clusters": []any{"tokyo"}, "containers": []any{map[string]any{"name": "web", "image": "registry.example/web:tokyo"}}}}},
			map[string]any{"instance": "asia", "kind": "DEPLOYMENT", "namespace": verbsNamespace, "name": "made", "form": map[string]any{"containers": []any{
				map[string]any{"name": "web", "image": "registry.example/web:1", "ports": []any{map[string]any{"containerPort": 70000}}}}}}, "form.containers.0.ports.0.containerPort",
			imageIs("registry.example/web:1")},
		"updateWorkload": deployment("form", map[string]any{"resourceVersion": formVersion, "form": map[string]any{"replicas": 0, "podAnnotations": []any{map[string]any{"key": "a", "value": "b"}}}},
			map[string]any{"resourceVersion": formVersion, "form": map[string]any{"schedule": "* * * * *"}}, "form.schedule", is("map[a:b]", "spec", "template", "metadata", "annotations")),
		"createService": {"services", "made", map[string]any{"instance": "asia", "namespace": verbsNamespace, "name": "made", "ports": []any{map[string]any{"port": 80}},
			"selector": []any{map[string]any{"key": "app", "value": "made"}}, "clusters": []any{"tokyo"}},
			map[string]any{"instance": "asia", "namespace": verbsNamespace, "name": "made", "ports": []any{map[string]any{"port": 80}},
				"selector": []any{map[string]any{"key": "app", "value": "made"}}, "clusters": []any{"atlantis"}}, "clusters.0", is("map[app:made]", "spec", "selector")},
		"createPolicy": {"propagationpolicies", "create", map[string]any{"instance": "asia", "manifest": policyManifest("create", "tokyo", "")},
			map[string]any{"instance": "asia", "manifest": "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}"}, "manifest", is("[tokyo]", "spec", "placement", "clusterAffinity", "clusterNames")},
		"updatePolicy": {"propagationpolicies", "update", map[string]any{"resourceVersion": policyVersion, "manifest": policyManifest("update", "tokyo", "")},
			map[string]any{"resourceVersion": policyVersion, "manifest": policyManifest("another", "tokyo", "")}, "manifest", is("[tokyo]", "spec", "placement", "clusterAffinity", "clusterNames")},
		"createKarmadaResource": {"federatedresourcequotas", "create", map[string]any{"instance": "asia", "federatedResourceQuota": quotaInput("create", "2k")},
			map[string]any{"instance": "asia", "federatedResourceQuota": quotaInput("create", "many")}, "federatedResourceQuota.overall.0.quantity", is("2k", "spec", "overall", "pods")},
		"updateKarmadaResource": {"federatedresourcequotas", "update", map[string]any{"resourceVersion": quotaVersion, "federatedResourceQuota": quotaInput("update", "3k")},
			map[string]any{"resourceVersion": quotaVersion, "federatedResourceQuota": quotaInput("another", "3k")}, "federatedResourceQuota.name", is("3k", "spec", "overall", "pods")},
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
---
apiVersion: batch/v1
kind: Job
metadata: {name: hold, namespace: e2e-verbs}
spec: {template: {spec: {restartPolicy: Never, containers: [{name: web, image: registry.example/web:1}]}}}
`

// makeVerbObjects makes what verbs are tried on.
func makeVerbObjects(t *testing.T) {
	t.Helper()
	text := verbObjects
	for _, name := range []string{"restart", "pause", "resume", "rollback", "image", "reschedule", "form"} {
		text += fmt.Sprintf("---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: %s, namespace: %s}\nspec: {paused: %t, selector: {matchLabels: {app: %s}}, template: {metadata: {labels: {app: %s}}, spec: {containers: [{name: web, image: 'registry.example/web:1'}]}}}\n",
			name, verbsNamespace, name == "resume", name, name)
	}
	for _, name := range []string{"delete", "patch", "protect"} {
		text += fmt.Sprintf("---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s, namespace: %s}\ndata: {a: \"1\"}\n", name, verbsNamespace)
	}
	for _, name := range []string{"update", "leave"} {
		text += "---\n" + policyManifest(name, "singapore", "") + "\n"
	}
	text += "---\n" + quotaManifest("update") + "\n"
	// What no policy claims cannot be scheduled anew.
	text += fmt.Sprintf("---\n{apiVersion: policy.karmada.io/v1alpha1, kind: PropagationPolicy, metadata: {namespace: %s, name: reschedule}, spec: {suspension: {dispatching: true}, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: reschedule}], placement: {clusterAffinity: {clusterNames: [tokyo]}}}}\n", verbsNamespace)
	if got := apply(t, map[string]any{"manifests": text}); strings.Contains(got.outcomes(), "FAILED") || len(got.ApplyManifests.UserErrors) > 0 {
		t.Fatalf("%+v", got)
	}
}

// A mutation of the schema that is tried nowhere fails here.
func TestEveryVerbDoesWhatItSaysAndNothingElse(t *testing.T) {
	whole(t)
	elsewhere := []string{"applyManifests", "scaleWorkload", "issueKubeconfig", "revokeKubeconfigs", "updateCluster", "setClusterSchedulable", "grantAccess", "revokeAccess",
		"createInstance", "attachInstance", "updateInstance", "updateInstanceSettings", "deleteInstance", "cancelOperation",
		"joinCluster", "unjoinCluster", "promoteResource"}
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
	eventually(t, 30*time.Second, func() error {
		if at("deployments", "reschedule").GetAnnotations()["propagationpolicy.karmada.io/name"] != "reschedule" {
			return fmt.Errorf("no policy claims the Deployment that is to be scheduled anew")
		}
		return nil
	})
	revision := firstRevision(t, string(at("deployments", "rollback").GetUID()))
	if got := ask(t, `mutation($id: ID!) { updateWorkloadImage(input: {id: $id, container: "web", image: "registry.example/web:2"}) { userErrors { message } } }`,
		map[string]any{"id": idIn(verbKinds["deployments"], "rollback")}); len(got.Errors) > 0 || strings.Contains(string(got.Data), "message") {
		t.Fatal(string(got.Data), got.Errors)
	}
	verbs := verbsOf(revision, at("propagationpolicies", "update").GetResourceVersion(), at("deployments", "form").GetResourceVersion(),
		at("federatedresourcequotas", "update").GetResourceVersion())
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
	// Workloads of other kinds than the one that a verb was tried on above.
	for _, step := range []struct{ verb, resource, object, suspended string }{
		{"pauseWorkload", "jobs", "hold", "true"}, {"resumeWorkload", "jobs", "hold", "false"},
		{"resumeWorkload", "cronjobs", "suspend", "false"}, {"pauseWorkload", "cronjobs", "suspend", "true"},
	} {
		if got := mutated(t, token, step.verb, map[string]any{"id": idIn(verbKinds[step.resource], step.object)}); len(got) > 0 {
			t.Errorf("%s of %s: %s", step.verb, step.resource, got)
		}
		if err := is(step.suspended, "spec", "suspend")(at(step.resource, step.object)); err != nil {
			t.Errorf("%s of %s: %v", step.verb, step.resource, err)
		}
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

// saidOf is what people say of an object: Karmada keeps the status of what it propagates.
func saidOf(o *unstructured.Unstructured) map[string]any {
	if o == nil {
		return nil
	}
	said := o.DeepCopy().Object
	unstructured.RemoveNestedField(said, "status")
	unstructured.RemoveNestedField(said, "metadata", "resourceVersion")
	unstructured.RemoveNestedField(said, "metadata", "managedFields")
	return said
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
		if diff := cmp.Diff(saidOf(before), saidOf(now)); diff != "" {
			t.Fatalf("%s changed it:\n%s", after, diff)
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
	if v.input["resourceVersion"] != nil { // another writer was there in between
		if got := mutated(t, token, name, asked(v.input, "resourceVersion", "1")); !slices.Equal(got, []string{"CONFLICT input.resourceVersion"}) {
			t.Errorf("an old version is answered %s", got)
		}
		unchanged("an old version")
	}
	// A client that lost the answer sends it again: it is told the first outcome, though what it names is gone or has another version now.
	once := fmt.Sprintf("%s %d", name, time.Now().UnixNano())
	for range 2 {
		if got := mutated(t, token, name, asked(v.input, "clientMutationId", once)); len(got) > 0 {
			t.Fatalf("it is refused: %s", got)
		}
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
		{"deleteResource", map[string]any{"id": id}, []string{"BAD_USER_INPUT input.id"}},
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
