package rbac

import (
	"cmp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// Bindings is who has which role where, from the AccessBindings and the roles of the host cluster.
type Bindings struct {
	// entries are by subject: its kind, a blank and its name.
	entries map[string][]entry
	// known is every binding that is not being deleted, by name, and roles the names of the roles that can be given.
	known []*model.AccessBinding
	roles []string
}

type entry struct {
	instance string // empty for all
	grant    grant
}

// NewBindings evaluates bindings and roles. A binding that is being deleted, that names nobody who could be a
// principal, or whose role is missing or refused, grants nothing; controllers/access reports that in its status.
func NewBindings(bindings []v1alpha1.AccessBinding, roles []rbacv1.ClusterRole) *Bindings {
	b := &Bindings{entries: map[string][]entry{}}
	known := map[v1alpha1.AccessRole]*role.Role{}
	for _, d := range role.Descriptions(roles) {
		b.roles = append(b.roles, d.Name)
	}
	for i := range bindings {
		binding := &bindings[i]
		subject := binding.Spec.Subject
		if binding.DeletionTimestamp != nil {
			continue
		}
		r, looked := known[binding.Spec.Role]
		if !looked {
			r = role.Find(binding.Spec.Role, roles)
			known[binding.Spec.Role] = r
		}
		b.known = append(b.known, bindingModel(binding, r))
		if r == nil || subject.Name == "" || strings.HasPrefix(subject.Name, "system:") || subject.Padded() {
			continue
		}
		namespaces := slices.Clone(binding.Spec.Scope.Namespaces)
		slices.Sort(namespaces)
		key := subjectKey(subject.Kind, subject.Name)
		g := grant{role: r, namespaces: slices.Compact(namespaces)}
		if subject.Kind == v1alpha1.SubjectGroup {
			g.group = subject.Name
		}
		b.entries[key] = append(b.entries[key], entry{binding.Spec.Scope.Instance, g})
	}
	slices.SortFunc(b.known, func(x, y *model.AccessBinding) int { return cmp.Compare(x.Name, y.Name) })
	return b
}

func subjectKey(kind, name string) string { return kind + " " + name }

// scope is what a principal may see by their bindings and those of their groups.
func (b *Bindings) scope(p auth.Principal) Scope {
	s := Scope{instances: map[string][]grant{}}
	if p.Name == "" {
		return Scope{}
	}
	var groups []string
	add := func(entries []entry) {
		for _, e := range entries {
			if e.grant.group != "" {
				groups = append(groups, e.grant.group)
			}
			switch {
			case e.instance != "":
				s.instances[e.instance] = append(s.instances[e.instance], e.grant)
			case e.grant.role.Name == string(v1alpha1.RoleAdmin) && len(e.grant.namespaces) == 0:
				s.all = true
			default:
				s.everywhere = append(s.everywhere, e.grant)
			}
		}
	}
	add(b.entries[subjectKey(v1alpha1.SubjectUser, p.Name)])
	for _, group := range p.Groups {
		add(b.entries[subjectKey(v1alpha1.SubjectGroup, group)])
	}
	if s.all {
		return Scope{all: true, groups: groups}
	}
	return s
}
