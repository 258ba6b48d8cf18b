package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// formNamespace is where forms are tried; it goes to no member by itself.
const formNamespace = "e2e-forms"

var formServices = schema.GroupVersionResource{Version: "v1", Resource: "services"}

func makeFormNamespace(t *testing.T) {
	t.Helper()
	removeNamespace(t, formNamespace)
	leaveNothing(t, formNamespace)
	if got := apply(t, map[string]any{"manifests": `{apiVersion: v1, kind: Namespace, metadata: {name: ` + formNamespace + `, labels: {namespace.karmada.io/skip-auto-propagation: "true"}}}`}); got.outcomes() != "CREATED" {
		t.Fatalf("%+v", got)
	}
}

// wholeForm selects every field of a form.
func wholeForm(t *testing.T) string {
	t.Helper()
	p := loadSchema(t)
	return p.plain(p.Types["WorkloadForm"])
}

// asInput is a form without what the graph adds to answers.
func asInput(value any) any {
	switch v := value.(type) {
	case map[string]any:
		delete(v, "__typename")
		for name := range v {
			v[name] = asInput(v[name])
		}
	case []any:
		for i := range v {
			v[i] = asInput(v[i])
		}
	}
	return value
}

// formIn is the form of a workload that the graph has by an id, and the version that it is of.
func formIn(t *testing.T, id string, version func() string) map[string]any {
	t.Helper()
	var form map[string]any
	eventually(t, 30*time.Second, func() error {
		out := ask(t, `query($id: ID!) { node(id: $id) { ... on Workload { resourceVersion form `+wholeForm(t)+` } } }`, map[string]any{"id": id})
		var data struct {
			Node *struct {
				ResourceVersion string
				Form            map[string]any
			}
		}
		if len(out.Errors) > 0 || json.Unmarshal(out.Data, &data) != nil || data.Node == nil || data.Node.ResourceVersion != version() {
			return fmt.Errorf("the read store has %.200s, %v", out.Data, out.Errors)
		}
		form = asInput(data.Node.Form).(map[string]any)
		return nil
	})
	return form
}

// writtenIn is an object as Karmada holds it, without what each write changes.
func writtenIn(t *testing.T, gvr schema.GroupVersionResource, name string) (*unstructured.Unstructured, string) {
	t.Helper()
	o, err := karmada(t, "asia").Resource(gvr).Namespace(formNamespace).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	version := o.GetResourceVersion()
	o.SetResourceVersion("")
	o.SetManagedFields(nil)
	o.SetGeneration(0)
	delete(o.Object, "status")
	return o, version
}

// Workloads with every field are read, changed by the form in one field, and written back: they differ in it alone.
func TestAFormChangesOneFieldAndNothingElse(t *testing.T) {
	whole(t)
	makeFormNamespace(t)
	manifests := strings.NewReplacer("CONTAINERS", formContainers, "PODS", formPods, "namespace: e2e-visit", "namespace: "+formNamespace).Replace(formWorkloads)
	if got := apply(t, map[string]any{"manifests": manifests}); got.outcomes() != "CREATED CREATED CREATED" {
		t.Fatalf("%+v", got)
	}
	const update = `mutation($in: UpdateWorkloadInput!) { updateWorkload(input: $in) { workload { resourceVersion } userErrors { code message field } } }`
	for kind, edits := range map[string]map[string]func(form map[string]any){
		"Deployment": {
			"nothing": func(map[string]any) {},
			"/spec/template/spec/containers/1/image": func(form map[string]any) {
				form["containers"].([]any)[1].(map[string]any)["image"] = "registry.example.com/form:3"
			},
			"/spec/template/spec/containers/0/env/1/valueFrom/configMapKeyRef/key": func(form map[string]any) {
				form["containers"].([]any)[0].(map[string]any)["env"].([]any)[1].(map[string]any)["valueFrom"].(map[string]any)["configMapKeyRef"].(map[string]any)["key"] = "other"
			},
			"/spec/progressDeadlineSeconds": func(form map[string]any) { form["progressDeadlineSeconds"] = 301 },
			"/spec/template/spec/volumes/6/projected/sources/3/serviceAccountToken/audience": func(form map[string]any) {
				form["volumes"].([]any)[6].(map[string]any)["projected"].(map[string]any)["sources"].([]any)[3].(map[string]any)["serviceAccountToken"].(map[string]any)["audience"] = "another"
			},
			"/spec/template/spec/nodeName": func(form map[string]any) { form["nodeName"] = nil },
		},
		"StatefulSet": {"nothing": func(map[string]any) {}, "/spec/replicas": func(form map[string]any) { form["replicas"] = 2 }},
		"CronJob":     {"nothing": func(map[string]any) {}, "/spec/jobTemplate/spec/backoffLimit": func(form map[string]any) { form["backoffLimit"] = 4 }},
	} {
		gvr := formGVRs[kind]
		id := model.Ref{Instance: "asia", GVK: gvr.GroupVersion().WithKind(kind), Namespace: formNamespace, Name: "e2e-form"}.ID()
		for field, edit := range edits {
			before, version := writtenIn(t, gvr, "e2e-form")
			form := formIn(t, id, func() string { return version })
			edit(form)
			out := ask(t, update, map[string]any{"in": map[string]any{"id": id, "resourceVersion": version, "form": form}})
			if len(out.Errors) > 0 || strings.Contains(string(out.Data), "message") {
				t.Fatalf("%s %s: %s %v", kind, field, out.Data, out.Errors)
			}
			after, newer := writtenIn(t, gvr, "e2e-form")
			if got := differing("", before.Object, after.Object); field == "nothing" && (len(got) > 0 || newer != version) || field != "nothing" && !slices.Equal(got, []string{field}) {
				t.Errorf("%s: %s changes %s", kind, field, got)
			}
			// What was read before is not written over what it became.
			if field != "nothing" {
				if got := mutated(t, token, "updateWorkload", map[string]any{"id": id, "resourceVersion": version, "form": form}); !slices.Equal(got, []string{"CONFLICT input.resourceVersion"}) {
					t.Errorf("%s: an old version is answered %s", kind, got)
				}
			}
		}
		// Its form makes another one of which the form is the same.
		_, version := writtenIn(t, gvr, "e2e-form")
		form := formIn(t, id, func() string { return version })
		if got := mutated(t, token, "createWorkload", map[string]any{"instance": "asia", "kind": map[string]string{"Deployment": "DEPLOYMENT", "StatefulSet": "STATEFUL_SET", "CronJob": "CRON_JOB"}[kind],
			"namespace": formNamespace, "name": "e2e-form-2", "form": form}); len(got) > 0 {
			t.Fatalf("a %s of the form is refused: %s", kind, got)
		}
		_, version = writtenIn(t, gvr, "e2e-form-2")
		again := formIn(t, model.Ref{Instance: "asia", GVK: gvr.GroupVersion().WithKind(kind), Namespace: formNamespace, Name: "e2e-form-2"}.ID(), func() string { return version })
		delete(form, "hidden")
		delete(again, "hidden")
		if diff := cmp.Diff(form, again); diff != "" {
			t.Errorf("%s (-form +form of what it made):\n%s", kind, diff)
		}
	}
}

// differing are the places in which two documents differ, by position.
func differing(at string, a, b any) (out []string) {
	switch a := a.(type) {
	case map[string]any:
		if b, ok := b.(map[string]any); ok {
			for name := range a {
				out = append(out, differing(at+"/"+name, a[name], b[name])...)
			}
			for name := range b {
				if _, there := a[name]; !there {
					out = append(out, at+"/"+name)
				}
			}
			return out
		}
	case []any:
		if b, ok := b.([]any); ok && len(a) == len(b) {
			for i := range a {
				out = append(out, differing(fmt.Sprintf("%s/%d", at, i), a[i], b[i])...)
			}
			return out
		}
	}
	if !cmp.Equal(a, b) {
		out = []string{at}
	}
	return out
}

// A workload goes to the members that are named, and is there as its overrides say; its Service follows it.
func TestAWorkloadIsMadeWithItsPoliciesAndItsServiceFollows(t *testing.T) {
	whole(t)
	removeNamespace(t, formNamespace)
	leaveNothing(t, formNamespace)
	if got := apply(t, map[string]any{"manifests": `{apiVersion: v1, kind: Namespace, metadata: {name: ` + formNamespace + `}}`}); got.outcomes() != "CREATED" {
		t.Fatalf("%+v", got)
	}
	create := map[string]any{"instance": "asia", "kind": "DEPLOYMENT", "namespace": formNamespace, "name": "made",
		"form":      map[string]any{"replicas": 0, "containers": []any{map[string]any{"name": "web", "image": "registry.example/web:1", "env": []any{map[string]any{"name": "A", "value": "a"}}}}},
		"placement": map[string]any{"clusters": []any{"tokyo", "singapore"}},
		"overrides": []any{map[string]any{"clusters": []any{"tokyo"}, "labels": []any{map[string]any{"key": "where", "value": "tokyo"}}, "containers": []any{
			map[string]any{"name": "web", "image": "registry.example/web:tokyo", "args": []any{"--tokyo"}, "env": []any{map[string]any{"name": "B", "value": "b"}}}}}}}
	const made = `mutation($in: CreateWorkloadInput!) { createWorkload(input: $in) { workload { id } overridePolicy { name } policy { name } objects { kind name outcome } userErrors { code message field } } }`
	out := ask(t, made, map[string]any{"in": create})
	for _, want := range []string{`"overridePolicy":{"name":"made-deployment"}`, `"policy":{"name":"made-deployment"}`, `{"kind":"Deployment","name":"made","outcome":"CREATED"}`} {
		if !strings.Contains(strings.ReplaceAll(string(out.Data), " ", ""), want) {
			t.Fatalf("no %s in %s %v", want, out.Data, out.Errors)
		}
	}
	in := func(member string, gvr schema.GroupVersionResource) (*unstructured.Unstructured, error) {
		return karmada(t, member).Resource(gvr).Namespace(formNamespace).Get(t.Context(), "made", metav1.GetOptions{})
	}
	for member, want := range map[string]string{"tokyo": "image:registry.example/web:tokyo", "singapore": "image:registry.example/web:1"} {
		eventually(t, time.Minute, func() error {
			o, err := in(member, formGVRs["Deployment"])
			if err != nil {
				return err
			}
			containers := fieldOf(o, "spec", "template", "spec", "containers")
			if here := o.GetLabels()["where"] == "tokyo" && strings.Contains(containers, "[--tokyo]") && strings.Contains(containers, "name:B"); !strings.Contains(containers, want) || here != (member == "tokyo") {
				return fmt.Errorf("in %s it is %v %s", member, o.GetLabels(), containers)
			}
			return nil
		})
	}
	// What is there already is said, and nothing of it is changed or left.
	if got := mutated(t, token, "createWorkload", create); !slices.Equal(got, []string{"CONFLICT input.overrides"}) {
		t.Errorf("the same again is answered %s", got)
	}
	id := model.Ref{Instance: "asia", GVK: verbKinds["deployments"], Namespace: formNamespace, Name: "made"}.ID()
	service := map[string]any{"instance": "asia", "namespace": formNamespace, "name": "made", "workload": id, "ports": []any{map[string]any{"port": 80, "targetPort": "8080"}}}
	if got := mutated(t, token, "createService", service); len(got) > 0 {
		t.Fatalf("the Service is refused: %s", got)
	}
	for _, member := range []string{"tokyo", "singapore"} {
		eventually(t, time.Minute, func() error {
			o, err := in(member, formServices)
			if err == nil && fieldOf(o, "spec", "selector") != "map[app.kubernetes.io/name:made]" {
				err = fmt.Errorf("it selects %s", fieldOf(o, "spec", "selector"))
			}
			return err
		})
	}
	if _, err := in("hangzhou", formServices); !apierrors.IsNotFound(err) {
		t.Errorf("in hangzhou, where the workload is not, the Service is %v", err)
	}
	// An Editor of the namespace may do all of it: its overrides are within what an Editor's may be.
	create["namespace"], create["name"], create["dryRun"] = "shop", "by-an-editor", true
	if got := mutated(t, idTokenOf(t, "editor"), "createWorkload", create); len(got) > 0 {
		t.Errorf("an Editor is answered %s", got)
	}
}
