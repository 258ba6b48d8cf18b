package rbac

import (
	"github.com/kairship-io/kairship/internal/auth"

	stdcmp "cmp"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	rbacv1 "k8s.io/api/rbac/v1"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func binding(kind, name string, role v1alpha1.AccessRole, instance string, namespaces ...string) v1alpha1.AccessBinding {
	return v1alpha1.AccessBinding{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: kind, Name: name}, Role: role, Scope: v1alpha1.AccessScope{Instance: instance, Namespaces: namespaces}}}
}

var (
	deployments = schema.GroupResource{Group: "apps", Resource: "deployments"}
	secrets     = schema.GroupResource{Resource: "secrets"}
)

func TestScope(t *testing.T) {
	deleted := binding("User", "kairship:oidc:mary", v1alpha1.RoleAdmin, "")
	deleted.DeletionTimestamp = &metav1.Time{Time: time.Unix(0, 0)}
	operator := rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "operator", Labels: map[string]string{"kairship.io/role": "true"}},
		Rules: []rbacv1.PolicyRule{{Verbs: []string{"list"}, APIGroups: []string{"apps"}, Resources: []string{"*"}},
			{Verbs: []string{"list"}, APIGroups: []string{""}, Resources: []string{"secrets"}, ResourceNames: []string{"one"}},
			{Verbs: []string{"patch"}, APIGroups: []string{"apps"}, Resources: []string{"*/scale"}}}}
	unlabelled := operator
	unlabelled.Labels, unlabelled.Name = nil, "stray"
	for name, c := range map[string]struct {
		bindings []v1alpha1.AccessBinding
		// mary of the group eu, unless said otherwise
		who    string
		groups []string
		// what mary of the group eu may list in the instances asia and europe
		deployments, secrets, works [2]Namespaces
		all, empty                  bool
	}{
		"nothing":                    {empty: true},
		"somebody else's":            {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mar", v1alpha1.RoleAdmin, "")}, empty: true},
		"of another origin":          {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:host:mary", v1alpha1.RoleAdmin, "")}, empty: true},
		"a group of her name":        {bindings: []v1alpha1.AccessBinding{binding("Group", "kairship:oidc:mary", v1alpha1.RoleAdmin, "")}, empty: true},
		"a user of her group":        {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:eu", v1alpha1.RoleAdmin, "")}, empty: true},
		"Kubernetes' own name":       {bindings: []v1alpha1.AccessBinding{binding("User", "system:masters", v1alpha1.RoleAdmin, "")}, empty: true},
		"a name with a blank before": {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc: mary", v1alpha1.RoleAdmin, "")}, who: " mary", empty: true},
		"a name with a tab behind":   {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary\t", v1alpha1.RoleAdmin, "")}, who: "mary\t", empty: true},
		"a group with a blank":       {bindings: []v1alpha1.AccessBinding{binding("Group", "kairship:oidc:eu ", v1alpha1.RoleAdmin, "")}, groups: []string{"eu "}, empty: true},
		"a binding that goes":        {bindings: []v1alpha1.AccessBinding{deleted}, empty: true},
		"a role that is not there":   {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", "nobody", "")}, empty: true},
		"a role that is no role":     {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", "stray", "")}, empty: true},
		"everything":                 {bindings: []v1alpha1.AccessBinding{binding("Group", "kairship:oidc:eu", v1alpha1.RoleAdmin, "")}, all: true, deployments: [2]Namespaces{AllNamespaces, AllNamespaces}, secrets: [2]Namespaces{AllNamespaces, AllNamespaces}, works: [2]Namespaces{AllNamespaces, AllNamespaces}},
		"everything of one":          {bindings: []v1alpha1.AccessBinding{binding("Group", "kairship:oidc:eu", v1alpha1.RoleAdmin, "europe")}, deployments: [2]Namespaces{{}, AllNamespaces}, secrets: [2]Namespaces{{}, AllNamespaces}, works: [2]Namespaces{{}, AllNamespaces}},
		"some namespaces of all":     {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleAdmin, "", "b", "a", "b")}, deployments: [2]Namespaces{{names: []string{"a", "b"}}, {names: []string{"a", "b"}}}, secrets: [2]Namespaces{{names: []string{"a", "b"}}, {names: []string{"a", "b"}}}, works: [2]Namespaces{{names: []string{"a", "b"}}, {names: []string{"a", "b"}}}},
		"a reader of all":            {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleViewer, "")}, deployments: [2]Namespaces{AllNamespaces, AllNamespaces}},
		"an editor and a reader":     {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleEditor, "asia", "shop"), binding("Group", "kairship:oidc:eu", v1alpha1.RoleViewer, "europe")}, deployments: [2]Namespaces{{names: []string{"shop"}}, AllNamespaces}, secrets: [2]Namespaces{{names: []string{"shop"}}, {}}},
		"two roles in two places":    {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleAdmin, "asia", "pay"), binding("Group", "kairship:oidc:eu", v1alpha1.RoleViewer, "asia", "shop")}, deployments: [2]Namespaces{{names: []string{"pay", "shop"}}, {}}, secrets: [2]Namespaces{{names: []string{"pay"}}, {}}, works: [2]Namespaces{{names: []string{"pay"}}, {}}},
		"a role of the operators":    {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", "operator", "asia")}, deployments: [2]Namespaces{AllNamespaces, {}}},
		"everywhere and one's part":  {bindings: []v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleViewer, "", "pay"), binding("User", "kairship:oidc:mary", v1alpha1.RoleViewer, "asia", "shop")}, deployments: [2]Namespaces{{names: []string{"pay", "shop"}}, {names: []string{"pay"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			a := NewAuthorizer(nil)
			a.SetBindings(NewBindings(c.bindings, []rbacv1.ClusterRole{operator, unlabelled}))
			s := a.Scope(auth.NewPrincipal("oidc", stdcmp.Or(c.who, "mary"), append(c.groups, "eu")))
			if s.All() != c.all || s.Empty() != c.empty {
				t.Errorf("all %v, empty %v", s.All(), s.Empty())
			}
			for i, instance := range []string{"asia", "europe"} {
				for resource, want := range map[schema.GroupResource]Namespaces{deployments: c.deployments[i], secrets: c.secrets[i], works: c.works[i]} {
					if diff := cmp.Diff(want, s.Sees(instance, resource), cmp.AllowUnexported(Namespaces{})); diff != "" {
						t.Errorf("%s in %s: -want +got:\n%s", resource, instance, diff)
					}
				}
				if some := !c.deployments[i].None(); s.Instance(instance) != some || s.Whole(instance) != c.deployments[i].All() {
					t.Errorf("%s: seen %v, whole %v", instance, s.Instance(instance), s.Whole(instance))
				}
			}
			if !a.Scope(auth.Principal{}).Empty() {
				t.Error("nobody sees something")
			}
		})
	}
}

func TestARoleIsReadAsKubernetesReadsIt(t *testing.T) {
	a := NewAuthorizer(nil)
	a.SetBindings(NewBindings([]v1alpha1.AccessBinding{binding("User", "kairship:oidc:mary", v1alpha1.RoleEditor, "asia")}, nil))
	s := a.Scope(auth.NewPrincipal("oidc", "mary", nil))
	for what, may := range map[[3]string]bool{
		{"patch", "apps", "deployments"}:                       true,
		{"patch", "apps", "deployments/scale"}:                 true,
		{"delete", "policy.karmada.io", "propagationpolicies"}: true,
		{"delete", "cluster.karmada.io", "clusters"}:           false,
		{"list", "cluster.karmada.io", "clusters"}:             true,
		{"get", "cluster.karmada.io", "clusters/proxy"}:        false,
		{"create", "", "namespaces"}:                           true,
		{"delete", "", "namespaces"}:                           false,
		{"escalate", "rbac.authorization.k8s.io", "roles"}:     false,
	} {
		if got := !s.May("asia", what[0], schema.GroupResource{Group: what[1], Resource: what[2]}).None(); got != may {
			t.Errorf("%v: %v", what, got)
		}
	}
}

func TestWhoeverWaitsLearnsThatTheBookIsAnother(t *testing.T) {
	a := NewAuthorizer(nil)
	mary := auth.NewPrincipal("oidc", "mary", nil)
	before := a.Changed()
	select {
	case <-before:
		t.Fatal("it has not changed")
	default:
	}
	a.SetBindings(NewBindings([]v1alpha1.AccessBinding{binding("User", mary.Name, v1alpha1.RoleViewer, "asia")}, nil))
	<-before
	if !a.Scope(mary).Instance("asia") {
		t.Error("the new book is not read")
	}
	select {
	case <-a.Changed():
		t.Error("it has not changed again")
	default:
	}
}

func TestScopesAreEqualByTheirKeysOnly(t *testing.T) {
	m := auth.NewPrincipal("oidc", "m", []string{"g", "h", "owners"})
	scope := func(roles []rbacv1.ClusterRole, bindings ...v1alpha1.AccessBinding) Scope {
		a := NewAuthorizer(nil)
		a.SetBindings(NewBindings(bindings, roles))
		return a.Scope(m)
	}
	custom := func(verbs ...string) []rbacv1.ClusterRole {
		return []rbacv1.ClusterRole{{ObjectMeta: metav1.ObjectMeta{Name: "custom", Labels: map[string]string{v1alpha1.LabelRole: "true"}},
			Rules: []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{""}, Resources: []string{"pods"}}}}}
	}
	viewer := binding("User", m.Name, v1alpha1.RoleViewer, "a")
	part := binding("User", m.Name, v1alpha1.RoleViewer, "a", "x", "y")
	keys := map[string]string{}
	for name, s := range map[string]Scope{
		"none": {}, "viewer of a": scope(nil, viewer), "editor of a": scope(nil, binding("User", m.Name, v1alpha1.RoleEditor, "a")),
		"viewer of b": scope(nil, binding("User", m.Name, v1alpha1.RoleViewer, "b")), "viewer of all": scope(nil, binding("User", m.Name, v1alpha1.RoleViewer, "")),
		"a's x": scope(nil, binding("User", m.Name, v1alpha1.RoleViewer, "a", "x")), "a's x, y": scope(nil, part), "a and a part of it": scope(nil, viewer, part),
		"by a group": scope(nil, binding("Group", "kairship:oidc:g", v1alpha1.RoleViewer, "a")), "by another": scope(nil, binding("Group", "kairship:oidc:h", v1alpha1.RoleViewer, "a")),
		"owner": scope(nil, binding("User", m.Name, v1alpha1.RoleAdmin, "")), "owner by a group": scope(nil, binding("Group", "kairship:oidc:g", v1alpha1.RoleAdmin, "")),
		"owner by the flag": NewAuthorizer([]string{"kairship:oidc:owners"}).Scope(m), "a custom role": scope(custom("list"), binding("User", m.Name, "custom", "a")),
		"the role with another verb": scope(custom("list", "create"), binding("User", m.Name, "custom", "a")), "with Works": scope(nil, viewer).Carrying(),
	} {
		if other, there := keys[s.Key()]; there {
			t.Errorf("%s and %s have one key", name, other)
		}
		keys[s.Key()] = name
	}
	if a, b := scope(nil, viewer, part), scope(nil, part, viewer, part); a.Key() != b.Key() {
		t.Errorf("the order of bindings makes another scope:\n%s\n\n%s", a.Key(), b.Key())
	}
}

func TestAnInstanceSeesOnlyTheGroupsThatAreBoundThere(t *testing.T) {
	a := NewAuthorizer([]string{"kairship:host:admins"})
	a.SetBindings(NewBindings([]v1alpha1.AccessBinding{
		binding("Group", "kairship:oidc:eu", v1alpha1.RoleViewer, "europe"), binding("Group", "kairship:oidc:all", v1alpha1.RoleViewer, ""),
		binding("User", "kairship:oidc:mary", v1alpha1.RoleEditor, "asia"), binding("Group", "kairship:oidc:owners", v1alpha1.RoleAdmin, ""),
	}, nil))
	for name, c := range map[string]struct {
		groups       []string
		asia, europe []string
	}{
		"by name":             {nil, nil, nil},
		"an unrelated group":  {[]string{"book-club"}, nil, nil},
		"a group of one":      {[]string{"eu", "book-club"}, nil, []string{"kairship:oidc:eu"}},
		"a group of all":      {[]string{"eu", "all"}, []string{"kairship:oidc:all"}, []string{"kairship:oidc:all", "kairship:oidc:eu"}},
		"an owner by a group": {[]string{"owners", "book-club"}, []string{"kairship:oidc:owners"}, []string{"kairship:oidc:owners"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := auth.NewPrincipal("oidc", "mary", c.groups)
			for instance, want := range map[string][]string{"asia": c.asia, "europe": c.europe} {
				if diff := cmp.Diff(auth.Principal{Name: p.Name, Groups: want}, a.Scope(p).Acting(instance, p), cmpopts.EquateEmpty()); diff != "" {
					t.Errorf("%s: -want +got:\n%s", instance, diff)
				}
			}
		})
	}
	p := auth.NewPrincipal("host", "root", []string{"admins", "other"})
	if got := a.Scope(p).Acting("asia", p); len(got.Groups) != 1 || got.Groups[0] != "kairship:host:admins" {
		t.Errorf("an administrator acts by %q", got.Groups)
	}
}
