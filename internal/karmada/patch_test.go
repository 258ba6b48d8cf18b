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

func scaling(ref model.Ref, uid string, replicas int32, dry bool) PatchRequest {
	return PatchRequest{Ref: ref, UID: uid, Fields: map[string]any{"spec": map[string]any{"replicas": replicas}}, DryRun: dry}
}

func TestAPatchAnswersWithTheObjectAsItIsNow(t *testing.T) {
	ns := namespace(t)
	apply(t, Request{Manifests: deployment(ns, "cart", 2)})
	uid := string(get(t, deploymentKind, ns, "cart").GetUID())

	scale := func(to int32, dry bool) *unstructured.Unstructured {
		t.Helper()
		raw, refused, err := Patch(t.Context(), connect(t, server.Config), admin, scaling(ref(model.KindDeployment, ns, "cart"), uid, to, dry))
		if err != nil || len(refused) > 0 {
			t.Fatalf("patch: error %v, user errors %v", err, refused)
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
		raw, refused, err := Patch(t.Context(), connect(t, server.Config), admin, PatchRequest{Ref: ref(model.KindDeployment, ns, "cart"), UID: uid, Fields: given})
		if err != nil || len(refused) > 0 {
			t.Fatalf("patch: error %v, user errors %v", err, refused)
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
			raw, refused, err := Patch(t.Context(), connect(t, server.Config), c.who, scaling(c.ref, c.uid, 1, false))
			if err != nil || raw != nil || len(refused) != 1 {
				t.Fatalf("got %s, user errors %v, error %v; want one user error", raw, refused, err)
			}
			if c.want.Message == "" { // the server's words, with uids
				t.Log(refused[0].Field, refused[0].Message)
				refused[0].Message, refused[0].Field = "", nil
			}
			if diff := cmp.Diff(c.want, refused[0]); diff != "" {
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
	req := PatchRequest{UID: "meant", Fields: map[string]any{"metadata": map[string]any{"uid": "another", "labels": map[string]any{"a": "b"}}}}
	want := map[string]any{"metadata": map[string]any{"uid": "meant", "labels": map[string]any{"a": "b"}}}
	if diff := cmp.Diff(want, req.fields()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestOnlyKnownKindsOfTheControlPlaneArePatched(t *testing.T) {
	cart := ref(model.KindDeployment, "shop", "cart")
	member, foreign := cart, cart
	member.Cluster, foreign.GVK.Group = "tokyo", "apps.kruise.io"
	for _, of := range []model.Ref{member, foreign} {
		if raw, refused, err := Patch(t.Context(), connect(t, server.Config), admin, scaling(of, "", 1, false)); err == nil || raw != nil || refused != nil {
			t.Errorf("%+v: got %s, %v, %v", of, raw, refused, err)
		}
	}
}
