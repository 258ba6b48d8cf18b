package rbac

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// Scope is what a principal may see and do. Its zero value is nothing; only an Authorizer makes another one.
type Scope struct {
	all bool
	// groups are the groups by which the principal may see and do everything; only with all.
	groups []string
	// everywhere holds on every instance, instances on the named ones.
	everywhere []grant
	instances  map[string][]grant
	// carrying: see Carrying.
	carrying bool
}

// grant is a role on an instance, in some of its namespaces or in all.
type grant struct {
	role *role.Role
	// namespaces is sorted; empty for all.
	namespaces []string
	// group is the group by which the principal has the role; empty when it is bound to their name.
	group string
}

// Empty reports whether nothing may be seen: no request may be made on its behalf.
func (s Scope) Empty() bool { return !s.all && len(s.everywhere) == 0 && len(s.instances) == 0 }

// All reports whether everything may be seen and done.
func (s Scope) All() bool { return s.all }

// Instance reports whether anything of an instance may be seen.
func (s Scope) Instance(name string) bool {
	return s.all || len(s.everywhere) > 0 || len(s.instances[name]) > 0
}

// Whole reports whether a role holds on all of an instance, not only in some of its namespaces: counts over all
// namespaces are for those who may see them all.
func (s Scope) Whole(instance string) bool {
	return s.all || slices.ContainsFunc(s.grants(instance), func(g grant) bool { return len(g.namespaces) == 0 })
}

// Sees is the namespaces of an instance, and of its members, in which objects of a resource may be read. A principal
// who may read a cluster-scoped resource sees all of it: its Namespaces are All. For the resource "namespaces" it is
// the Namespace objects that may be read.
func (s Scope) Sees(instance string, resource schema.GroupResource) Namespaces {
	return s.where(instance, "list", resource)
}

// May is the namespaces in which a verb is allowed on a resource, which may be a subresource such as
// "deployments/scale".
func (s Scope) May(instance, verb string, resource schema.GroupResource) Namespaces {
	return s.where(instance, verb, resource)
}

// MayIn reports whether a verb is allowed on a resource in one namespace; "" is cluster-scoped objects, and all
// namespaces.
func (s Scope) MayIn(instance, verb string, resource schema.GroupResource, namespace string) bool {
	return s.May(instance, verb, resource).Has(namespace) || slices.ContainsFunc(s.grants(instance), func(g grant) bool {
		return len(g.namespaces) == 0 && g.role.AllowsIn(namespace, verb, resource)
	})
}

// Writes reports whether anything of an instance may be written, of any kind and anywhere: requests of those who may
// write nothing are refused before their body is read.
func (s Scope) Writes(instance string) bool {
	return s.all || slices.ContainsFunc(s.grants(instance), func(g grant) bool { return g.role.Writes() })
}

func (s Scope) where(instance, verb string, resource schema.GroupResource) Namespaces {
	if s.all || s.carrying && resource == works && s.Instance(instance) {
		return AllNamespaces
	}
	var out Namespaces
	for _, g := range s.grants(instance) {
		if len(g.namespaces) == 0 && g.role.Allows(verb, resource) {
			return AllNamespaces
		}
		for _, namespace := range g.namespaces {
			if g.role.AllowsIn(namespace, verb, resource) {
				out.names = append(out.names, namespace)
			}
		}
	}
	slices.Sort(out.names)
	out.names = slices.Compact(out.names)
	return out
}

// Acting is a principal as an instance is to see them: with the groups by which they have a role there, and no others.
// Karmada passes groups on to its members, and a member refuses a request for each group that it does not know, even
// one that has nothing to do with Kubernetes.
func (s Scope) Acting(instance string, p auth.Principal) auth.Principal {
	groups := slices.Clone(s.groups)
	for _, g := range s.grants(instance) {
		if g.group != "" {
			groups = append(groups, g.group)
		}
	}
	groups = slices.DeleteFunc(groups, func(g string) bool { return !slices.Contains(p.Groups, g) })
	slices.Sort(groups)
	return auth.Principal{Name: p.Name, Groups: slices.Compact(groups), Instance: p.Instance}
}

// only is the scope of a credential that is valid for one instance alone.
func (s Scope) only(instance string) Scope {
	grants := s.grants(instance)
	if s.all {
		admin := role.Find(v1alpha1.RoleAdmin, nil)
		grants = []grant{{role: admin}}
		for _, group := range s.groups {
			grants = append(grants, grant{role: admin, group: group})
		}
	}
	if len(grants) == 0 {
		return Scope{}
	}
	return Scope{instances: map[string][]grant{instance: grants}}
}

// AuditEvents is the resource whose list is the audit log of an instance.
var AuditEvents = v1alpha1.GroupVersion.WithResource("auditevents").GroupResource()

var works = schema.GroupResource{Group: "work.karmada.io", Resource: "works"}

// Carrying is the scope that also sees Works wherever it sees anything. A Work is in its cluster's namespace and holds
// Secrets unmasked, so hardly anybody may read Works; but what it reports of an object may be seen by everybody who may
// read that object. Use it only for Works found by the name of an object that the scope sees, and show nothing of them
// unmasked.
func (s Scope) Carrying() Scope {
	s.carrying = true
	return s
}

func (s Scope) grants(instance string) []grant {
	if len(s.everywhere) == 0 {
		return s.instances[instance]
	}
	return slices.Concat(s.everywhere, s.instances[instance])
}

// Held is a role that a principal holds: on one instance or, when it is empty, on all; in some namespaces or, when
// there are none, in all.
type Held struct {
	Role, Instance string
	Namespaces     []string
}

// Roles are the roles that the scope is made of, those on all instances first. A principal who may do everything is
// Owner.
func (s Scope) Roles() []Held {
	if s.all {
		return []Held{{Role: "Owner"}}
	}
	var out []Held
	add := func(instance string, grants []grant) {
		for _, g := range grants {
			out = append(out, Held{g.role.Name, instance, slices.Clone(g.namespaces)})
		}
	}
	add("", s.everywhere)
	for _, instance := range slices.Sorted(maps.Keys(s.instances)) {
		add(instance, s.instances[instance])
	}
	return out
}

// Key identifies a scope: equal keys mean that the same may be seen and done, and by the same groups.
func (s Scope) Key() string {
	lines := []string{fmt.Sprintf("%t %t", s.all, s.carrying)}
	for _, group := range s.groups {
		lines = append(lines, fmt.Sprintf("by %q", group))
	}
	add := func(instance string, grants []grant) {
		for _, g := range grants {
			lines = append(lines, fmt.Sprintf("in %q %q %d %q by %q", instance, g.role.Name, g.role.Version, g.namespaces, g.group))
		}
	}
	add("", s.everywhere)
	for instance, grants := range s.instances {
		add(instance, grants)
	}
	// Bindings come in any order, and several may give the same right.
	slices.Sort(lines)
	return strings.Join(slices.Compact(lines), "\n")
}

// Namespaces is a set of namespaces; its zero value is none.
type Namespaces struct {
	all   bool
	names []string
}

// AllNamespaces is every namespace, and cluster-scoped objects.
var AllNamespaces = Namespaces{all: true}

// None reports whether it is empty.
func (n Namespaces) None() bool { return !n.all && len(n.names) == 0 }

// All reports whether it is every namespace, and cluster-scoped objects.
func (n Namespaces) All() bool { return n.all }

// Names are the namespaces, sorted; nil for all and for none.
func (n Namespaces) Names() []string { return slices.Clone(n.names) }

// Has reports whether a namespace is in the set; "" is cluster-scoped objects.
func (n Namespaces) Has(namespace string) bool {
	if n.all {
		return true
	}
	_, found := slices.BinarySearch(n.names, namespace)
	return found
}

// Among is the given namespaces that are in the set; none given means all.
func (n Namespaces) Among(wanted []string) Namespaces {
	switch {
	case len(wanted) == 0:
		return n
	case n.all:
		out := slices.Clone(wanted)
		slices.Sort(out)
		return Namespaces{names: slices.Compact(out)}
	}
	var out Namespaces
	for _, name := range n.names {
		if slices.Contains(wanted, name) {
			out.names = append(out.names, name)
		}
	}
	return out
}
