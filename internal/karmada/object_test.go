package karmada

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

func ref(kind model.WorkloadKind, ns, name string) model.Ref {
	return model.Ref{Instance: "asia", GVK: kind.GVK(), Namespace: ns, Name: name}
}

// merge opens an object and merges fields into it.
func merge(t *testing.T, who auth.Principal, ref model.Ref, uid string, fields map[string]any, dry bool) ([]byte, error) {
	t.Helper()
	return mergeBy(t, connect(t, server.Config), who, ref, uid, fields, dry)
}

func mergeBy(t *testing.T, conn *connection, who auth.Principal, ref model.Ref, uid string, fields map[string]any, dry bool) ([]byte, error) {
	t.Helper()
	o, err := Open(t.Context(), conn, who, ref, dry)
	if err != nil {
		return nil, err
	}
	return o.Merge(t.Context(), Expected{UID: uid}, fields)
}

func scaled(to int32) map[string]any { return map[string]any{"spec": map[string]any{"replicas": to}} }

func TestAPatchAnswersWithTheObjectAsItIsNow(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	uid := string(get(t, deploymentKind, ns, "cart").GetUID())

	scale := func(to int32, dry bool) *unstructured.Unstructured {
		t.Helper()
		raw, err := merge(t, admin, ref(model.KindDeployment, ns, "cart"), uid, scaled(to), dry)
		if err != nil {
			t.Fatal(err)
		}
		u := mustJSON(t, raw)
		if got, _, _ := unstructured.NestedFieldNoCopy(u.Object, "spec", "replicas"); got != float64(to) {
			t.Errorf("the answer asks for %v replicas, want %d", got, to)
		}
		return u
	}
	scale(7, true)
	if got := replicas(t, ns, "cart"); got != 2 {
		t.Errorf("a dry run scaled it to %d", got)
	}
	answer := scale(5, false)
	if got := replicas(t, ns, "cart"); got != 5 {
		t.Errorf("it asks for %d replicas, want 5", got)
	}
	if now := get(t, deploymentKind, ns, "cart").GetResourceVersion(); answer.GetResourceVersion() != now {
		t.Errorf("the answer is version %s, the object %s", answer.GetResourceVersion(), now)
	}
	scale(0, false)

	// The manifest that asks for two does not undo the change unsaid.
	expect(t, ns, apply(t, Request{Manifests: deployment(ns, "cart", 2)}),
		`0 Deployment @/cart FAILED CONFLICT [spec.replicas] spec.replicas is owned by "kairship" using apps/v1 (force takes fields over)`)
}

func TestAPatchKeepsOtherFieldsAndRemovesWhatIsNil(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	uid := string(get(t, deploymentKind, ns, "cart").GetUID())
	annotate := func(fields map[string]any) map[string]string {
		t.Helper()
		given := map[string]any{"metadata": map[string]any{"annotations": fields}}
		raw, err := merge(t, admin, ref(model.KindDeployment, ns, "cart"), uid, given, false)
		if err != nil {
			t.Fatal(err)
		}
		if metadata := given["metadata"].(map[string]any); metadata["uid"] != nil { //nolint:forcetypeassert // it is what is given above
			t.Error("what the caller gave was written to")
		}
		return mustJSON(t, raw).GetAnnotations()
	}
	if diff := cmp.Diff(map[string]string{"a": "1", "b": "2"}, annotate(map[string]any{"a": "1", "b": "2"})); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]string{"b": "2"}, annotate(map[string]any{"a": nil})); diff != "" {
		t.Errorf("annotations (-want +got):\n%s", diff)
	}
	if got := replicas(t, ns, "cart"); got != 2 {
		t.Errorf("it asks for %d replicas, want 2", got)
	}
}

func TestAPatchIsRefused(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	cart := ref(model.KindDeployment, ns, "cart")
	cases := []struct {
		name string
		who  auth.Principal
		ref  model.Ref
		uid  string
		want model.UserError
	}{
		{"what is not there", admin, ref(model.KindStatefulSet, ns, "cart"), "", model.UserError{Code: "NOT_FOUND", Message: `statefulsets.apps "cart" not found`}},
		{"a namesake", admin, cart, "11111111-2222-3333-4444-555555555555", model.UserError{Code: "CONFLICT"}},
		{"someone who may not", reader, cart, "", model.UserError{Code: "FORBIDDEN",
			Message: `deployments.apps "cart" is forbidden: User "kairship:host:rita" cannot patch resource "deployments" in API group "apps" in the namespace "` + ns + `"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw, err := merge(t, c.who, c.ref, c.uid, scaled(1), false)
			refused := (*Refused)(nil)
			if raw != nil || !errors.As(err, &refused) {
				t.Fatalf("got %s, error %v; want a refusal", raw, err)
			}
			if c.want.Message == "" { // the server's words, with uids
				t.Log(refused.Field, refused.Message)
				refused.Message, refused.Field = "", nil
			}
			if diff := cmp.Diff(c.want, refused.UserError); diff != "" {
				t.Errorf("user error (-want +got):\n%s", diff)
			}
		})
	}
	if got := replicas(t, ns, "cart"); got != 2 {
		t.Errorf("it was scaled to %d after all", got)
	}
}

// Whatever else the patch says of its object, the one that is meant is the one that is patched.
func TestTheUIDThatIsMeantWins(t *testing.T) {
	given := map[string]any{"metadata": map[string]any{"uid": "another", "labels": map[string]any{"a": "b"}}}
	want := map[string]any{"metadata": map[string]any{"uid": "meant", "labels": map[string]any{"a": "b"}}}
	if diff := cmp.Diff(want, Expected{UID: "meant"}.in(given)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlyObjectsOfTheControlPlaneAreOpened(t *testing.T) {
	cart := ref(model.KindDeployment, "shop", "cart")
	at := func(edit func(*model.Ref)) model.Ref { r := cart; edit(&r); return r }
	for name, of := range map[string]model.Ref{
		"of a member":                   at(func(r *model.Ref) { r.Cluster = "tokyo" }),
		"of a kind that is not served":  at(func(r *model.Ref) { r.GVK.Group = "apps.kruise.io" }),
		"with a path for a name":        at(func(r *model.Ref) { r.Name = "../secrets/x" }),
		"with a path for a namespace":   at(func(r *model.Ref) { r.Namespace = ".." }),
		"in no namespace":               at(func(r *model.Ref) { r.Namespace = "" }),
		"of no namespaced kind, in one": {Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Namespace: "shop", Name: "a"},
	} {
		_, err := Open(t.Context(), connect(t, server.Config), admin, of, false)
		if e := (*model.Error)(nil); !errors.As(err, &e) || e.Code != model.CodeBadUserInput {
			t.Errorf("%s: %v, want BAD_USER_INPUT", name, err)
		}
	}
}

// open opens an object as the admin.
func open(t *testing.T, ref model.Ref) *Object {
	t.Helper()
	o, err := Open(t.Context(), connect(t, server.Config), admin, ref, false)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func labelled(key string) func(map[string]any) error {
	return func(object map[string]any) error {
		metadata := object["metadata"].(map[string]any) //nolint:forcetypeassert // every object has it
		labels, _ := metadata["labels"].(map[string]any)
		if labels == nil {
			labels = map[string]any{}
			metadata["labels"] = labels
		}
		labels[key] = "yes"
		return nil
	}
}

func TestAnEditIsMadeOfWhatTheObjectIsByThen(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	tries := 0
	raw, err := o.Edit(t.Context(), Expected{}, func(object map[string]any) error {
		if tries++; tries < editAttempts { // somebody else is quicker
			if _, err := o.Edit(t.Context(), Expected{}, labelled(fmt.Sprintf("other-%d", tries))); err != nil {
				t.Fatal(err)
			}
		}
		return labelled("mine")(object)
	})
	if err != nil {
		t.Fatal(err)
	}
	labels := mustJSON(t, raw).GetLabels()
	for _, want := range []string{"mine", "other-1", "other-2", "other-3"} {
		if labels[want] == "" {
			t.Errorf("label %q is lost: %v", want, labels)
		}
	}
	if got := replicas(t, ns, "cart"); got != 2 {
		t.Errorf("what was not edited became %d", got)
	}
}

func TestAnEditThatIsAlwaysTooLateIsAConflict(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	tries := 0
	_, err := o.Edit(t.Context(), Expected{}, func(object map[string]any) error {
		tries++
		if _, err := o.Edit(t.Context(), Expected{}, labelled(fmt.Sprintf("other-%d", tries))); err != nil {
			t.Fatal(err)
		}
		return labelled("mine")(object)
	})
	if !IsOutdated(err) || tries != editAttempts {
		t.Errorf("after %d tries: %v", tries, err)
	}
}

func TestAnEditOfAVersionThatIsGoneIsAConflictAndNothingIsWritten(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	read := get(t, deploymentKind, ns, "cart")
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	if _, err := o.Edit(t.Context(), Expected{}, labelled("other")); err != nil {
		t.Fatal(err)
	}
	for name, expected := range map[string]Expected{
		"resourceVersion": {ResourceVersion: read.GetResourceVersion()}, "uid": {UID: "11111111-2222-3333-4444-555555555555"},
	} {
		_, err := o.Edit(t.Context(), expected, labelled("mine"))
		refused := (*Refused)(nil)
		if !errors.As(err, &refused) || refused.Code != string(model.CodeConflict) || !refused.About("metadata", name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if labels := get(t, deploymentKind, ns, "cart").GetLabels(); labels["mine"] != "" {
		t.Errorf("it was written: %v", labels)
	}
	// What it was then can still be told.
	before, err := o.At(t.Context(), read.GetResourceVersion())
	if err != nil || mustJSON(t, before).GetLabels()["other"] != "" || mustJSON(t, before).GetUID() != read.GetUID() {
		t.Errorf("it was %s, %v", before, err)
	}
}

// A workload that rolls out reports all the time: nobody has changed it.
func TestAStatusThatChangedIsNoConflict(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	read := get(t, deploymentKind, ns, "cart")
	report := func(replicas int32) {
		t.Helper()
		d := &appsv1.Deployment{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: "cart"}}
		patch := fmt.Appendf(nil, `{"status":{"replicas":%d}}`, replicas)
		if err := server.Client.Status().Patch(t.Context(), d, client.RawPatch(types.MergePatchType, patch)); err != nil {
			t.Fatal(err)
		}
	}
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	report(1)
	tries := 0
	raw, err := o.Edit(t.Context(), Expected{UID: string(read.GetUID()), ResourceVersion: read.GetResourceVersion()}, func(object map[string]any) error {
		if tries++; tries == 1 {
			report(2) // in between, too
		}
		return labelled("mine")(object)
	})
	if err != nil || mustJSON(t, raw).GetLabels()["mine"] != "yes" {
		t.Fatalf("%s, %v", raw, err)
	}
	report(1)
	if _, same := o.SameAs(t.Context(), read.GetResourceVersion()); same {
		t.Error("with another label it is the same")
	}
	if _, err := o.Edit(t.Context(), Expected{ResourceVersion: read.GetResourceVersion()}, labelled("again")); !IsOutdated(err) {
		t.Errorf("the version before somebody changed it is answered %v", err)
	}
}

func TestAnEditThatChangesNothingIsNotSent(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	before := get(t, deploymentKind, ns, "cart").GetResourceVersion()
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	raw, err := o.Edit(t.Context(), Expected{}, func(map[string]any) error { return nil })
	if err != nil || mustJSON(t, raw).GetResourceVersion() != before || get(t, deploymentKind, ns, "cart").GetResourceVersion() != before {
		t.Errorf("%s, %v", raw, err)
	}
	o, err = Open(t.Context(), connect(t, server.Config), reader, ref(model.KindDeployment, ns, "cart"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Edit(t.Context(), Expected{}, func(map[string]any) error { return nil }); !IsForbidden(err) {
		t.Errorf("who may not write is answered %v", err)
	}
	gone := errors.New("changed my mind")
	if _, err := o.Edit(t.Context(), Expected{}, func(map[string]any) error { return gone }); !errors.Is(err, gone) {
		t.Errorf("an error of the change is %v", err)
	}
}

func TestAnObjectIsMadeAndDeleted(t *testing.T) {
	ns := namespace(t)
	config := model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}, Namespace: ns, Name: "settings"}
	body := map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "settings", "namespace": ns}, "data": map[string]any{"a": "1"}}
	o := open(t, config)
	if _, err := o.Trying().Create(t.Context(), body); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Get(t.Context()); !IsAbsent(err) {
		t.Errorf("a dry run made it: %v", err)
	}
	raw, err := o.Create(t.Context(), body)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := o.Create(t.Context(), body); !IsOutdated(err) {
		t.Errorf("made again: %v, want a CONFLICT", err)
	}
	if err := o.Delete(t.Context(), Expected{UID: "11111111-2222-3333-4444-555555555555"}); err == nil {
		t.Error("a namesake was deleted")
	} else if refused := (*Refused)(nil); !errors.As(err, &refused) || !refused.About("metadata", "uid") {
		t.Errorf("a namesake: %v", err)
	}
	if err := o.Trying().Delete(t.Context(), Expected{}); err != nil {
		t.Error(err)
	}
	if err := o.Delete(t.Context(), Expected{UID: string(mustJSON(t, raw).GetUID())}); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Get(t.Context()); !IsAbsent(err) {
		t.Errorf("it is still there: %v", err)
	}
	if err := o.Delete(t.Context(), Expected{}); !IsAbsent(err) {
		t.Errorf("deleted again: %v", err)
	}
}

func TestAPatchOfEachTypeIsMade(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	for i, p := range []struct {
		kind  types.PatchType
		patch string
	}{
		{types.MergePatchType, `{"spec":{"replicas":3}}`}, {types.StrategicMergePatchType, `{"spec":{"replicas":4}}`},
		{types.JSONPatchType, `[{"op":"replace","path":"/spec/replicas","value":5}]`},
		{types.ApplyYAMLPatchType, deployment(ns, "cart", 6)},
	} {
		if _, err := o.Patch(t.Context(), p.kind, []byte(p.patch), p.kind == types.ApplyYAMLPatchType); err != nil {
			t.Errorf("%s: %v", p.kind, err)
		}
		if got := replicas(t, ns, "cart"); got != int64(i+3) {
			t.Errorf("after %s it asks for %d replicas", p.kind, got)
		}
	}
}

func TestAPatchIsOneDocument(t *testing.T) {
	for text, good := range map[string]bool{
		"metadata: {labels: {a: b}}": true, "---\nmetadata: {labels: {a: b}}\n---\n": true, `{"metadata":{"labels":{"a":"b"}}}`: true,
		"metadata: {labels: {a: b}}\n---\nmetadata: {labels: {a: c}}": false, "": false,
	} {
		_, release, err := ReadPatch(t.Context(), admin, "patch", text, false)
		if (err == nil) != good {
			t.Errorf("%q: %v", text, err)
		}
		if err == nil {
			release()
		}
	}
}

// A patch that means nothing for the object is what is wrong, whatever status the API server gives it.
func TestASenselessPatchIsToldAsSuch(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	o := open(t, ref(model.KindDeployment, ns, "cart"))
	for _, patch := range []string{
		`{"spec":{"template":{"spec":{"containers":[{"image":"nameless:1"}]}}}}`,
		`{"spec":{"template":{"spec":{"containers":[{"$patch":"explode","name":"a"}]}}}}`,
		`{"spec":{"template":{"spec":{"containers":"none"}}}}`,
		`{"spec":{"template":{"spec":{"containers":[1,2]}}}}`,
		`{"spec":{"nonsense":[{"$patch":"delete","name":"a"}]}}`,
		`{"spec":{"template":{"spec":{"$setElementOrder/containers":["a"],"containers":[{"name":"b"}]}}}}`,
		`{"spec":{"strategy":{"$retainKeys":"type"}}}`,
		`{"spec":[]}`,
	} {
		_, err := o.Patch(t.Context(), types.StrategicMergePatchType, []byte(patch), false)
		refused := (*Refused)(nil)
		if !errors.As(err, &refused) || refused.Code != string(model.CodeBadUserInput) {
			t.Errorf("%s: %v", patch, err)
		}
	}
}

// What is only tried is told to nobody as written: people would be shown it, and lose sight of what they tried to delete.
func TestWhatIsOnlyTriedIsNotToldAsWritten(t *testing.T) {
	ns := namespace(t)
	var told []Written
	conn := Watched{Connection: connect(t, server.Config), Wrote: func(w Written) { told = append(told, w) }}
	config := model.Ref{Instance: "asia", GVK: configMapKind, Namespace: ns, Name: "settings"}
	o, err := Open(t.Context(), conn, admin, config, false)
	if err != nil {
		t.Fatal(err)
	}
	body := func() map[string]any {
		return map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"name": "settings", "namespace": ns}}
	}
	for name, do := range map[string]func(*Object) error{
		"a creation": func(o *Object) error { _, err := o.Create(t.Context(), body()); return err },
		"a change": func(o *Object) error {
			_, err := o.Merge(t.Context(), Expected{}, map[string]any{"data": map[string]any{"a": "1"}})
			return err
		},
		"a deletion": func(o *Object) error { return o.Delete(t.Context(), Expected{}) },
	} {
		t.Run(name, func(t *testing.T) {
			if name != "a creation" {
				if _, err := o.Create(t.Context(), body()); err != nil {
					t.Fatal(err)
				}
			}
			told = nil
			if err := do(o.Trying()); err != nil {
				t.Fatal(err)
			}
			if len(told) != 0 {
				t.Errorf("it is told as %+v", told)
			}
			if err := do(o); err != nil {
				t.Fatal(err)
			}
			if len(told) != 1 || told[0].Ref != config || (told[0].Object == nil) != (name == "a deletion") {
				t.Errorf("the real one is told as %+v", told)
			}
			if err := o.Delete(t.Context(), Expected{}); err != nil && !IsAbsent(err) {
				t.Fatal(err)
			}
		})
	}
}
