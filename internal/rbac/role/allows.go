package role

import (
	"fmt"
	"hash/fnv"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// Role is what its holder may do.
type Role struct {
	Name string
	// Version changes with the rules of a role.
	Version uint64
	rules   []rbacv1.PolicyRule
	// data is what the role additionally allows in namespaces that are not Reserved.
	data []rbacv1.PolicyRule
}

// The roles that every instance has, as far as they are known without the definitions of a Karmada: only Karmada
// decides the rest.
var builtIn = map[v1alpha1.AccessRole]*Role{
	v1alpha1.RoleAdmin:  newRole(string(v1alpha1.RoleAdmin), Admin()),
	v1alpha1.RoleEditor: editor(),
	v1alpha1.RoleViewer: newRole(string(v1alpha1.RoleViewer), Viewer(nil)),
}

func editor() *Role {
	r := newRole(string(v1alpha1.RoleEditor), Editor(nil))
	r.data = EditorData()
	return r
}

// Find returns the role of a name, among those that every instance has and some ClusterRoles of the host cluster; nil
// when there is none or it is refused.
func Find(name v1alpha1.AccessRole, custom []rbacv1.ClusterRole) *Role {
	if r := builtIn[name]; r != nil {
		return r
	}
	i := slices.IndexFunc(custom, func(r rbacv1.ClusterRole) bool { return r.Name == string(name) })
	if i < 0 || Refused(&custom[i]) != nil {
		return nil
	}
	rules, data := Divided(custom[i].Rules)
	r := newRole(custom[i].Name, rules)
	r.data, r.Version = data, newRole(custom[i].Name, custom[i].Rules).Version
	return r
}

func newRole(name string, rules []rbacv1.PolicyRule) *Role {
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%q", rules)
	return &Role{Name: name, Version: h.Sum64(), rules: rules}
}

// Allows reports whether the role allows a verb on all objects of a resource, as Kubernetes evaluates rules. Rights to
// named objects only do not count: they allow no list.
func (r *Role) Allows(verb string, resource schema.GroupResource) bool {
	return allows(r.rules, verb, resource)
}

// AllowsIn is Allows for one namespace, where a role may allow more.
func (r *Role) AllowsIn(namespace, verb string, resource schema.GroupResource) bool {
	return r.Allows(verb, resource) || namespace != "" && !Reserved(namespace) && allows(r.data, verb, resource)
}

// Writes reports whether the role allows writing anything at all, even named objects only.
func (r *Role) Writes() bool {
	return slices.ContainsFunc(slices.Concat(r.rules, r.data), func(rule rbacv1.PolicyRule) bool {
		return has(rule.Verbs, "patch", rbacv1.VerbAll) && slices.ContainsFunc(rule.Resources, func(resource string) bool { return suffix(resource) == "" })
	})
}

func allows(rules []rbacv1.PolicyRule, verb string, resource schema.GroupResource) bool {
	return slices.ContainsFunc(rules, func(rule rbacv1.PolicyRule) bool {
		return len(rule.ResourceNames) == 0 && has(rule.Verbs, verb, rbacv1.VerbAll) &&
			has(rule.APIGroups, resource.Group, rbacv1.APIGroupAll) && covers(rule.Resources, resource.Resource)
	})
}

func has(values []string, value, star string) bool {
	return slices.Contains(values, value) || slices.Contains(values, star)
}

// covers reports whether a rule's resources include the resource: "*" is all, with their subresources, and "*/scale"
// one subresource of all.
func covers(resources []string, resource string) bool {
	return slices.ContainsFunc(resources, func(r string) bool {
		return r == rbacv1.ResourceAll || r == resource || len(r) > 2 && r[:2] == "*/" && suffix(resource) == r[1:]
	})
}

// suffix is the subresource with its slash; empty when there is none.
func suffix(resource string) string {
	for i := range resource {
		if resource[i] == '/' {
			return resource[i:]
		}
	}
	return ""
}
