package rbac

import (
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

func called(name string, b v1alpha1.AccessBinding) v1alpha1.AccessBinding {
	b.Name = name
	return b
}

// someBindings are of people with every kind of right.
func someBindings() []v1alpha1.AccessBinding {
	managed := called("from-outside", binding("User", "kairship:oidc:vera", v1alpha1.RoleViewer, "asia"))
	managed.Labels = map[string]string{v1alpha1.LabelGlobalManagement: "ghippo"}
	given := called("given", binding("Group", "kairship:oidc:eu", v1alpha1.RoleEditor, "asia", "shop"))
	given.Annotations = map[string]string{AnnotationGrantedBy: "kairship:oidc:ada"}
	return []v1alpha1.AccessBinding{
		called("ada", binding("User", "kairship:oidc:ada", v1alpha1.RoleAdmin, "asia")),
		called("everywhere", binding("User", "kairship:oidc:rita", v1alpha1.RoleViewer, "")),
		called("nick", binding("User", "kairship:oidc:nick", v1alpha1.RoleAdmin, "asia", "shop", "pay")),
		called("owner", binding("User", "kairship:oidc:olga", v1alpha1.RoleAdmin, "")),
		called("europe", binding("User", "kairship:oidc:ed", v1alpha1.RoleEditor, "europe")),
		called("wide", binding("User", "kairship:oidc:wade", v1alpha1.RoleAdmin, "", "shop")),
		managed, given,
	}
}

func TestRolesAreGivenByThoseWhoHaveAllRightsThere(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(someBindings(), nil))
	for _, tc := range []struct {
		who, instance string
		namespaces    []string
		may           bool
	}{
		{"olga", "", nil, true}, {"olga", "asia", nil, true},
		{"ada", "asia", nil, true}, {"ada", "asia", []string{"shop"}, true}, {"ada", "europe", nil, false}, {"ada", "", nil, false},
		{"nick", "asia", []string{"shop"}, true}, {"nick", "asia", []string{"pay", "shop"}, true}, {"nick", "asia", []string{"shop", "platform"}, false}, {"nick", "asia", nil, false},
		{"wade", "asia", []string{"shop"}, true}, {"wade", "europe", []string{"shop"}, true}, {"wade", "", []string{"shop"}, false}, {"wade", "asia", nil, false},
		{"ed", "europe", []string{"shop"}, false}, {"rita", "asia", []string{"shop"}, false}, {"nobody", "asia", []string{"shop"}, false},
	} {
		if got := a.Scope(auth.NewPrincipal("oidc", tc.who, nil)).Grants(tc.instance, tc.namespaces); got != tc.may {
			t.Errorf("%s in %q of %q: %t", tc.who, tc.namespaces, tc.instance, got)
		}
	}
}

func TestWhoHasWhichRoleIsForThoseWhoGiveThemAndForWhoHasIt(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(someBindings(), nil))
	for who, want := range map[string]string{
		"olga":   "ada europe everywhere from-outside given nick owner wide",
		"ada":    "ada everywhere from-outside given nick owner wide",
		"nick":   "given nick wide",
		"wade":   "given wide",
		"rita":   "everywhere",
		"vera":   "from-outside",
		"ed":     "europe given", // of the group eu
		"nobody": "",
	} {
		p := auth.NewPrincipal("oidc", who, map[string][]string{"ed": {"eu"}}[who])
		var names []string
		for _, b := range a.AccessBindings(p, a.Scope(p)) {
			names = append(names, b.Name)
			if one := a.AccessBinding(p, a.Scope(p), b.Name); one == nil || one.UID != b.UID || one.Name != b.Name {
				t.Errorf("%s: by its name %q is %v", who, b.Name, one)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s sees %q, want %q", who, got, want)
		}
		if !slices.Contains(names, "europe") && a.AccessBinding(p, a.Scope(p), "europe") != nil {
			t.Errorf("%s gets a hidden one by its name", who)
		}
	}
}

func TestWhereABindingComesFrom(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(someBindings(), nil))
	olga := auth.NewPrincipal("oidc", "olga", nil)
	for name, want := range map[string]model.AccessSource{"given": model.AccessFromKairship, "from-outside": model.AccessFromGlobalManagement, "ada": model.AccessFromManifest} {
		if b := a.AccessBinding(olga, a.Scope(olga), name); b.Source != want || (b.SourceName != nil) != (name == "from-outside") || (b.GrantedBy != nil) != (name == "given") {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

func TestTheLastOwnerIsKnown(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(someBindings(), nil))
	if a.OtherOwners("owner") || !a.OtherOwners("ada") {
		t.Error("there is one owner, olga by the binding owner")
	}
	if NewAuthorizer([]string{"kairship:host:admins"}).OtherOwners("owner") {
		t.Error("the administrators' group counts, though perhaps nobody is in it")
	}
}

// What is said of all instances names instances that not everybody sees.
func TestTheMessagesOfABindingOnAllInstancesAreForThoseWhoSeeAllInstances(t *testing.T) {
	everywhere := called("everywhere", binding("User", "kairship:oidc:rita", v1alpha1.RoleViewer, ""))
	everywhere.Status.Conditions = []metav1.Condition{{Type: "Applied", Status: "False", Reason: "NotEverywhere", Message: "in force in 2 of 3 instances; europe: Karmada does not answer"}}
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(append(someBindings(), everywhere), nil))
	for who, sees := range map[string]bool{"olga": true, "ada": false, "rita": false} {
		p := auth.NewPrincipal("oidc", who, nil)
		for _, b := range a.AccessBindings(p, a.Scope(p)) {
			for _, c := range b.Conditions {
				if (c.Message != "") != sees {
					t.Errorf("%s is told %q", who, c.Message)
				}
			}
		}
	}
}

func TestWhatSomebodyHasGivenIsCounted(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings(someBindings(), nil))
	for _, tc := range []struct {
		by, instance string
		n            int
	}{{"kairship:oidc:ada", "asia", 1}, {"kairship:oidc:ada", "europe", 0}, {"kairship:oidc:nick", "asia", 0}} {
		if got := a.Given(tc.by, tc.instance); got != tc.n {
			t.Errorf("%s has given %d roles on %s, want %d", tc.by, got, tc.instance, tc.n)
		}
	}
}
