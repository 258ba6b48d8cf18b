package access

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

const (
	ann = "kairship:oidc:ann"
	bob = "kairship:oidc:bob"
)

func accessBinding(name, user string, role v1alpha1.AccessRole, scope v1alpha1.AccessScope) v1alpha1.AccessBinding {
	return v1alpha1.AccessBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name, Generation: 1},
		Spec:       v1alpha1.AccessBindingSpec{Subject: v1alpha1.AccessSubject{Kind: "User", Name: user}, Role: role, Scope: scope},
	}
}

func in(namespaces ...string) v1alpha1.AccessScope {
	return v1alpha1.AccessScope{Namespaces: namespaces}
}

func TestWhatAnInstanceIsToHave(t *testing.T) {
	restarter := &rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "restarter", Labels: map[string]string{"kairship.io/role": "true"}}}
	grabber := &rbacv1.ClusterRole{
		ObjectMeta: metav1.ObjectMeta{Name: "grabber", Labels: map[string]string{"kairship.io/role": "true"}},
		Rules:      []rbacv1.PolicyRule{{Verbs: []string{"impersonate"}, APIGroups: []string{""}, Resources: []string{"users"}}},
	}
	for name, tt := range map[string]struct {
		binding v1alpha1.AccessBinding
		want    []string
		custom  []string
		result  result
	}{
		"an Admin everywhere": {accessBinding("b", ann, "Admin", in()), []string{
			"kairship:binding:asia:b → kairship:admin: kairship:oidc:ann (and members)",
		}, nil, result{applied: true}},
		"an Admin in a namespace": {accessBinding("b", ann, "Admin", in("shop")), []string{
			"shop/kairship:binding:asia:b → kairship:admin: kairship:oidc:ann (and members)",
		}, nil, result{applied: true}},
		"an Editor everywhere has the data of all but the control plane": {accessBinding("b", ann, "Editor", in()), []string{
			"kairship:binding:asia:b → kairship:editor: kairship:oidc:ann",
			"default/kairship:editors:asia → kairship:editor:data: kairship:oidc:ann (and members)",
			"shop/kairship:editors:asia → kairship:editor:data: kairship:oidc:ann (and members)",
		}, nil, result{applied: true}},
		"an Editor in the control plane's namespace": {accessBinding("b", ann, "Editor", in("karmada-system", "shop")), []string{
			"karmada-system/kairship:binding:asia:b → kairship:editor: kairship:oidc:ann",
			"shop/kairship:binding:asia:b → kairship:editor: kairship:oidc:ann (and members)",
			"shop/kairship:editors:asia → kairship:editor:data: kairship:oidc:ann (and members)",
		}, nil, result{applied: true, message: "Secrets and ConfigMaps are for Admins only in karmada-system"}},
		"a Viewer where a namespace is missing": {accessBinding("b", ann, "Viewer", in("shop", "moon")), []string{
			"shop/kairship:binding:asia:b → kairship:viewer: kairship:oidc:ann (and members)",
		}, nil, result{applied: true, message: "waits for namespaces that are not there: moon"}},
		"a Viewer where all are missing": {accessBinding("b", ann, "Viewer", in("moon", "mars")), nil, nil,
			result{reason: "NamespacesNotFound", message: "waits for namespaces that are not there: mars, moon"}},
		"a role of the operators": {accessBinding("b", ann, "restarter", in()), []string{
			"kairship:binding:asia:b → kairship:role:restarter: kairship:oidc:ann (and members)",
		}, []string{"kairship:role:restarter"}, result{applied: true}},
		"a role that is not there": {accessBinding("b", ann, "nobody", in()), nil, nil,
			result{reason: "RoleNotFound", message: `there is no ClusterRole "nobody" labelled kairship.io/role=true in the host cluster`}},
		"a role that is refused": {accessBinding("b", ann, "grabber", in()), nil, nil,
			result{reason: "RoleRefused", message: `ClusterRole "grabber" of the host cluster grants "impersonate" on users, with which its holders could give themselves any other right; bind the role Admin to whom that is meant for`}},
		"a name that may be somebody else's in a member": {accessBinding("b", "ann", "Editor", in("shop")), []string{
			"shop/kairship:binding:asia:b → kairship:editor: ann",
			"shop/kairship:editors:asia:local → kairship:editor:data: ann",
		}, nil, result{applied: true}},
		"a name of Kubernetes' own": {accessBinding("b", "system:admin", "Admin", in()), nil, nil,
			result{reason: "SubjectRefused", message: `spec.subject.name "system:admin" begins with 'system:': such names are Kubernetes' own`}},
		"a name that ends with a blank": {accessBinding("b", ann+" ", "Admin", in()), nil, nil,
			result{reason: "SubjectRefused", message: `spec.subject.name "kairship:oidc:ann " has white space at an end, or after its origin: take it away`}},
		"the name of the administrators' own": {accessBinding("administrators", ann, "Viewer", in()), []string{
			"kairship:binding:asia:administrators → kairship:viewer: kairship:oidc:ann (and members)",
		}, nil, result{applied: true}},
	} {
		t.Run(name, func(t *testing.T) {
			p := desired(input{
				instance: "asia", adminGroups: []string{"kairship:host:b", "kairship:host:a", "kairship:host:b"},
				bindings: []v1alpha1.AccessBinding{tt.binding}, roles: map[string]*rbacv1.ClusterRole{"restarter": restarter, "grabber": grabber},
				namespaces: map[string]bool{"shop": true, "default": true, "kube-system": true, "karmada-cluster": true, "karmada-system": true, "karmada-es-tokyo": true},
			})
			var got, roles []string
			for _, o := range append([]object{p.administrators}, p.bindings...) {
				got = append(got, shown(o))
			}
			for _, o := range p.roles {
				roles = append(roles, o.name)
			}
			want := append([]string{"kairship:administrators:asia → cluster-admin: kairship:host:a kairship:host:b (and members)"}, tt.want...)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("bindings (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append([]string{"kairship:admin", "kairship:editor", "kairship:editor:data", "kairship:viewer"}, tt.custom...), roles); diff != "" {
				t.Errorf("roles (-want +got):\n%s", diff)
			}
			tt.result.generation = 1
			if got := p.results[tt.binding.Name]; got != tt.result {
				t.Errorf("want %+v, got %+v", tt.result, got)
			}
		})
	}
}

// shown is a binding for people.
func shown(o object) string {
	names := make([]string, 0, len(o.subjects))
	for _, s := range o.subjects {
		names = append(names, s.Name)
	}
	out := fmt.Sprintf("%s → %s: %s", strings.TrimPrefix(o.key(), "/"), o.role, strings.Join(names, " "))
	if o.inMembers {
		out += " (and members)"
	}
	return out
}

func TestWhoTheMembersKnowAndWhatTheyAreToHave(t *testing.T) {
	devs := accessBinding("devs", "kairship:oidc:devs", "Viewer", in())
	devs.Spec.Subject.Kind = "Group"
	p := desired(input{
		instance: "asia", adminGroups: []string{"kairship:host:admins"}, namespaces: map[string]bool{"shop": true},
		clusters: []string{"hangzhou", "tokyo"}, seen: []string{"kairship:oidc:cat", ann},
		bindings: []v1alpha1.AccessBinding{
			accessBinding("a", ann, "Viewer", in("shop")), accessBinding("b", bob, "Editor", in()), accessBinding("c", "plain", "Editor", in()),
			accessBinding("d", "kairship:oidc:nowhere", "Viewer", in("moon")), accessBinding("e", "kairship:oidc:roleless", "nobody", in()),
			accessBinding("f", "system:admin", "Admin", in()), devs,
		},
	})
	var bindings []string
	roles := map[string][]rbacv1.PolicyRule{}
	for _, o := range p.members {
		switch o.watch {
		case clusterRoles:
			roles[o.name] = o.rules
		case clusterRoleBindings:
			bindings = append(bindings, shown(o))
		}
		if o.inMembers != (o.role == roleViewer) || len(o.of) > 0 {
			t.Errorf("%s: in members %v, of %v", o, o.inMembers, o.of)
		}
	}
	if diff := cmp.Diff([]string{
		"kairship:impersonable:asia → kairship:impersonable: kairship:host:admins kairship:oidc:devs kairship:oidc:ann kairship:oidc:bob kairship:oidc:cat",
		"kairship:members:asia → kairship:members: kairship:oidc:devs kairship:oidc:ann kairship:oidc:bob",
		"kairship:readers:asia → kairship:viewer: kairship:oidc:bob (and members)",
	}, bindings); diff != "" {
		t.Errorf("bindings (-want +got):\n%s", diff)
	}
	proxy := rbacv1.PolicyRule{APIGroups: []string{"cluster.karmada.io"}, Resources: []string{"clusters/proxy"}}
	inert, useful := proxy, proxy
	inert.Verbs = []string{"impersonate-in-members"}
	useful.Verbs, useful.ResourceNames = []string{"get", "create", "update", "patch", "delete"}, []string{"hangzhou", "tokyo"}
	if diff := cmp.Diff(map[string][]rbacv1.PolicyRule{roleImpersonable: {inert}, roleMembers: {useful}}, roles); diff != "" {
		t.Errorf("roles (-want +got):\n%s", diff)
	}
}

func TestARoleForMembersNamesNoneWhereThereAreNone(t *testing.T) {
	rules := func(clusters []string) ([]rbacv1.PolicyRule, bool) {
		p := desired(input{instance: "asia", clusters: clusters})
		i := slices.IndexFunc(p.members, func(o object) bool { return o.name == roleMembers })
		if i < 0 {
			return nil, false
		}
		return p.members[i].rules, true
	}
	// A rule without names would be one for all, "*" included.
	if got, ok := rules([]string{}); !ok || len(got) != 0 {
		t.Errorf("without members: %v, %+v", ok, got)
	}
	if got, ok := rules(nil); ok {
		t.Errorf("while the members are not known it is to stay as it is, not to be %+v", got)
	}
}

func TestMorePeopleThanABindingHoldsAreCounted(t *testing.T) {
	in := input{instance: "asia", adminGroups: []string{"kairship:host:admins"}}
	for i := range 20_000 {
		in.seen = append(in.seen, fmt.Sprintf("kairship:oidc:somebody-%05d@example.com", i))
	}
	p := desired(in)
	i := slices.IndexFunc(p.members, func(o object) bool { return o.name == impersonableOf("asia") })
	subjects := p.members[i].subjects
	if n := len(subjects); n < 10_000 || n+p.unlisted != 20_001 {
		t.Errorf("%d are listed and %d are not", n, p.unlisted)
	}
	stored, err := (&rbacv1.ClusterRoleBinding{Subjects: subjects}).Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if len(stored) > 1<<20 {
		t.Errorf("they take %d bytes", len(stored))
	}
	if subjects[0].Name != "kairship:host:admins" || subjects[1].Name != "kairship:oidc:somebody-00000@example.com" {
		t.Errorf("the first are %v", subjects[:2])
	}
}

func TestEditorsOfANamespaceShareOneBinding(t *testing.T) {
	p := desired(input{instance: "asia", namespaces: map[string]bool{"shop": true}, bindings: []v1alpha1.AccessBinding{
		accessBinding("a", bob, "Editor", in()), accessBinding("b", ann, "Editor", in("shop")), accessBinding("c", ann, "Editor", in()), accessBinding("d", "kairship:oidc:cat", "Viewer", in()),
	}})
	i := slices.IndexFunc(p.bindings, func(o object) bool { return o.name == "kairship:editors:asia" })
	want := []rbacv1.Subject{subject("User", ann), subject("User", bob)}
	if diff := cmp.Diff(want, p.bindings[i].subjects); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"a", "b", "c"}, p.bindings[i].of); diff != "" {
		t.Errorf("of (-want +got):\n%s", diff)
	}
}

// An object has an end: who is left over is told, in their own AccessBinding.
func TestEditorsOfANamespaceAreNoMoreThanABindingHolds(t *testing.T) {
	given := input{instance: "asia", namespaces: map[string]bool{"shop": true}}
	for i := range 4000 {
		given.bindings = append(given.bindings, accessBinding(fmt.Sprintf("b%04d", i), fmt.Sprintf("kairship:oidc:%s%04d", strings.Repeat("x", 240), i), v1alpha1.RoleEditor, in("shop")))
	}
	p := desired(given)
	i := slices.IndexFunc(p.bindings, func(o object) bool { return o.name == editorsOf("asia") })
	stored, err := (&rbacv1.RoleBinding{Subjects: p.bindings[i].subjects}).Marshal()
	if err != nil || len(stored) > 1<<20 {
		t.Errorf("they take %d bytes: %v", len(stored), err)
	}
	told := 0
	for _, r := range p.results {
		if strings.Contains(r.message, "give it to a group") {
			told++
		}
	}
	if listed := len(p.bindings[i].subjects); listed < 3000 || listed+told != 4000 {
		t.Errorf("%d are listed, and %d of 4000 are told that they are left over", listed, told)
	}
}

func TestAnObjectThatIsAsItWasWrittenIsLike(t *testing.T) {
	binding := newBinding("asia", "shop", "kairship:x", "kairship:viewer", []rbacv1.Subject{subject("User", "ann"), subject("Group", "g")})
	role := newRole("kairship:viewer", []rbacv1.PolicyRule{{Verbs: []string{"get"}, APIGroups: []string{""}, Resources: []string{"pods"}}}, nil)
	policy := newPolicy("asia")
	for name, tt := range map[string]struct {
		want object
		edit func(map[string]any)
		like bool
	}{
		"a binding":                  {binding, func(map[string]any) {}, true},
		"a role":                     {role, func(map[string]any) {}, true},
		"a role with a label more":   {role, func(o map[string]any) { put(o, "x", "metadata", "labels", "kairship.io/instance") }, true},
		"with what others added":     {binding, func(o map[string]any) { put(o, "b", "metadata", "annotations", "a") }, true},
		"without its label":          {binding, func(o map[string]any) { unstructured.RemoveNestedField(o, "metadata", "labels") }, false},
		"with the label for members": {binding, func(o map[string]any) { put(o, "true", "metadata", "labels", "kairship.io/members") }, false},
		"without the label for members": {binding.toMembers(), func(o map[string]any) {
			unstructured.RemoveNestedField(o, "metadata", "labels", "kairship.io/members")
		}, false},
		"a policy": {policy, func(map[string]any) {}, true},
		"a policy with what Karmada adds": {policy, func(o map[string]any) {
			spec := o["spec"].(map[string]any)["placement"].(map[string]any)
			spec["clusterTolerations"] = append(spec["clusterTolerations"].([]any),
				map[string]any{"key": "cluster.karmada.io/not-ready", "operator": "Exists", "effect": "NoExecute", "tolerationSeconds": int64(300)})
		}, true},
		"a policy for some members": {policy, func(o map[string]any) {
			put(o, []any{"tokyo"}, "spec", "placement", "clusterAffinity", "clusterNames")
		}, false},
		"a policy that leaves things": {policy, func(o map[string]any) { put(o, true, "spec", "preserveResourcesOnDeletion") }, false},
		"a policy for more": {policy, func(o map[string]any) {
			spec := o["spec"].(map[string]any)
			spec["resourceSelectors"] = append(spec["resourceSelectors"].([]any), map[string]any{"apiVersion": "v1", "kind": "Secret"})
		}, false},
		"of another instance":          {binding, func(o map[string]any) { put(o, "europe", "metadata", "labels", "kairship.io/instance") }, false},
		"with another role":            {binding, func(o map[string]any) { put(o, "kairship:admin", "roleRef", "name") }, false},
		"with a role of the namespace": {binding, func(o map[string]any) { put(o, "Role", "roleRef", "kind") }, false},
		"with a subject too many": {binding, func(o map[string]any) {
			o["subjects"] = append(o["subjects"].([]any), map[string]any{"kind": "User", "name": "eve"})
		}, false},
		"without a subject":             {binding, func(o map[string]any) { o["subjects"] = o["subjects"].([]any)[1:] }, false},
		"a role with a rule too many":   {role, func(o map[string]any) { o["rules"] = append(o["rules"].([]any), map[string]any{"verbs": []any{"*"}}) }, false},
		"a role that is tied to others": {role, func(o map[string]any) { put(o, []any{}, "aggregationRule", "clusterRoleSelectors") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			u, err := tt.want.body()
			if err != nil {
				t.Fatal(err)
			}
			tt.edit(u.Object)
			kept, err := keep(u)
			if err != nil {
				t.Fatal(err)
			}
			if got := tt.want.like(kept.(*held)); got != tt.like {
				t.Errorf("want %v, got %v", tt.like, got)
			}
		})
	}
}

func put(o map[string]any, value any, fields ...string) {
	// It fails only below what is no object; then the test does.
	_ = unstructured.SetNestedField(o, value, fields...)
}
