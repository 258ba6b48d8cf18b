package rbac

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
)

func TestACredentialForOneInstanceOpensNoOther(t *testing.T) {
	secrets, deployments := schema.GroupResource{Resource: "secrets"}, schema.GroupResource{Group: "apps", Resource: "deployments"}
	a := NewAuthorizer([]string{"kairship:oidc:owners"})
	binding := func(role v1alpha1.AccessRole, instance string, namespaces ...string) v1alpha1.AccessBinding {
		return v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectGroup, Name: "kairship:oidc:team"},
			Role: role, Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}
	}
	a.SetBindings(NewBindings([]v1alpha1.AccessBinding{binding(v1alpha1.RoleEditor, "asia", "shop"), binding(v1alpha1.RoleViewer, "europe")}, nil))
	for _, tc := range []struct {
		name, group string
		sees, acts  bool
		namespaces  []string
	}{
		{name: "an owner", group: "kairship:oidc:owners", sees: true, acts: true},
		{name: "one of a team", group: "kairship:oidc:team", sees: true, acts: true, namespaces: []string{"shop"}},
		{name: "a stranger", group: "kairship:oidc:others"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			p := auth.Principal{Name: "kairship:oidc:ann", Groups: []string{tc.group}, Instance: "asia"}
			s := a.Scope(p)
			if s.All() || s.Instance("europe") || s.Whole("europe") || !s.Sees("europe", deployments).None() || len(s.Acting("europe", p).Groups) > 0 {
				t.Errorf("it opens europe: %+v", s)
			}
			if s.Empty() == tc.sees || s.Instance("asia") != tc.sees || slices.Contains(s.Acting("asia", p).Groups, tc.group) != tc.acts {
				t.Errorf("it does not open asia as it should: %+v", s)
			}
			if got := s.Sees("asia", deployments); !slices.Equal(got.Names(), tc.namespaces) || got.All() != (tc.group == "kairship:oidc:owners") {
				t.Errorf("it shows Deployments in %v", got)
			}
			if got := s.May("asia", "delete", secrets); got.All() != (tc.group == "kairship:oidc:owners") {
				t.Errorf("it lets Secrets be deleted in %v", got)
			}
		})
	}
}

func TestWhoWaitsIsToldToLookAgain(t *testing.T) {
	a := NewAuthorizer(nil)
	changed := a.Changed()
	a.Recheck()
	select {
	case <-changed:
	default:
		t.Error("nobody was told")
	}
	if again := a.Changed(); again == changed {
		t.Error("there is no other channel")
	}
}

func TestEditorsMayDoMoreWhereNothingIsReserved(t *testing.T) {
	secrets := schema.GroupResource{Resource: "secrets"}
	scope := func(namespaces ...string) Scope {
		a := NewAuthorizer(nil)
		a.SetBindings(NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:ann"},
			Role: v1alpha1.RoleEditor, Scope: v1alpha1.AccessScope{Instance: "asia", Namespaces: namespaces}}}}, nil))
		return a.Scope(auth.Principal{Name: "kairship:oidc:ann"})
	}
	some := scope("shop", "kube-system")
	if got := some.Sees("asia", secrets).Names(); !slices.Equal(got, []string{"shop"}) {
		t.Errorf("Secrets are seen in %v", got)
	}
	for namespace, want := range map[string]bool{"shop": true, "kube-system": false, "payments": false, "": false} {
		if got := some.MayIn("asia", "update", secrets, namespace); got != want {
			t.Errorf("in %q of some namespaces: %v, want %v", namespace, got, want)
		}
	}
	whole := scope()
	for namespace, want := range map[string]bool{"shop": true, "karmada-system": false, "": false} {
		if got := whole.MayIn("asia", "update", secrets, namespace); got != want {
			t.Errorf("in %q of all namespaces: %v, want %v", namespace, got, want)
		}
	}
	if !whole.Sees("asia", secrets).None() || whole.MayIn("europe", "update", secrets, "shop") {
		t.Error("more is allowed than was given")
	}
}
