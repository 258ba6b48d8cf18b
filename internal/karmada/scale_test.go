package karmada

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

func ref(kind model.WorkloadKind, ns, name string) model.Ref {
	return model.Ref{Instance: "asia", GVK: kind.GVK(), Namespace: ns, Name: name}
}

func TestScaleAnswersWithTheObjectAsItIsNow(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	uid := string(get(t, deploymentKind, ns, "cart").GetUID())

	scale := func(to int32, dry bool) *unstructured.Unstructured {
		t.Helper()
		raw, invalid, err := Scale(t.Context(), connect(t, server.Config), admin, ScaleRequest{Ref: ref(model.KindDeployment, ns, "cart"), UID: uid, Replicas: to, DryRun: dry})
		if err != nil || len(invalid) > 0 {
			t.Fatalf("scale: error %v, user errors %v", err, invalid)
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

	// The manifest that asks for two does not undo the scaling unsaid.
	expect(t, ns, apply(t, Request{Manifests: deployment(ns, "cart", 2)}),
		`0 Deployment @/cart FAILED CONFLICT [spec.replicas] spec.replicas is owned by "kairship" using apps/v1 (force takes fields over)`)
}

func TestScaleIsRefused(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	at := func(edit func(*model.Ref)) model.Ref {
		r := ref(model.KindDeployment, ns, "cart")
		edit(&r)
		return r
	}
	cart := ref(model.KindDeployment, ns, "cart")
	const notThese = "id: is not the id of a Deployment or StatefulSet template: only these can be scaled"
	cases := []struct {
		name     string
		who      auth.Principal
		ref      model.Ref
		uid      string
		replicas int32
		want     model.UserError
	}{
		{"too few", admin, cart, "", -1, model.UserError{Code: "BAD_USER_INPUT", Field: []string{"replicas"}, Message: "replicas: -1 is out of range; 0 to 100000 are allowed"}},
		{"too many", admin, cart, "", 100_001, model.UserError{Code: "BAD_USER_INPUT", Field: []string{"replicas"}, Message: "replicas: 100001 is out of range; 0 to 100000 are allowed"}},
		{"a kind without replicas", admin, ref(model.KindDaemonSet, ns, "cart"), "", 1, model.UserError{Code: "BAD_USER_INPUT", Field: []string{"id"}, Message: notThese}},
		{"another kind of the same name", admin, at(func(r *model.Ref) { r.GVK.Group = "apps.kruise.io" }), "", 1, model.UserError{Code: "BAD_USER_INPUT", Field: []string{"id"}, Message: notThese}},
		{"an object of a member", admin, at(func(r *model.Ref) { r.Cluster = "tokyo" }), "", 1, model.UserError{Code: "BAD_USER_INPUT", Field: []string{"id"}, Message: notThese}},
		{"what is not there", admin, ref(model.KindStatefulSet, ns, "cart"), "", 1, model.UserError{Code: "NOT_FOUND", Message: `statefulsets.apps "cart" not found`}},
		{"a namesake", admin, cart, "11111111-2222-3333-4444-555555555555", 1, model.UserError{Code: "CONFLICT"}},
		{"someone who may not", reader, cart, "", 1, model.UserError{Code: "FORBIDDEN",
			Message: `deployments.apps "cart" is forbidden: User "kairship:host:rita" cannot patch resource "deployments" in API group "apps" in the namespace "` + ns + `"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			raw, invalid, err := Scale(t.Context(), connect(t, server.Config), c.who, ScaleRequest{Ref: c.ref, UID: c.uid, Replicas: c.replicas})
			if err != nil || raw != nil || len(invalid) != 1 {
				t.Fatalf("got %s, user errors %v, error %v; want one user error", raw, invalid, err)
			}
			if c.want.Message == "" { // the server's words, with uids
				t.Log(invalid[0].Field, invalid[0].Message)
				invalid[0].Message, invalid[0].Field = "", nil
			}
			if diff := cmp.Diff(c.want, invalid[0]); diff != "" {
				t.Errorf("user error (-want +got):\n%s", diff)
			}
		})
	}
	if got := replicas(t, ns, "cart"); got != 2 {
		t.Errorf("it was scaled to %d after all", got)
	}
}
