package access

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/role"
)

// The ClusterRoles that every Karmada has. Instances of one Karmada share them.
const (
	roleAdmin      = namePrefix + "admin"
	roleEditor     = namePrefix + "editor"
	roleEditorData = namePrefix + "editor:data"
	roleViewer     = namePrefix + "viewer"
	// roleCustom begins the names of those that the operators wrote.
	roleCustom = namePrefix + "role:"
)

// The names of bindings carry the instance: two instances of one Karmada have each their own.
func administratorsOf(instance string) string { return namePrefix + "administrators:" + instance }
func editorsOf(instance string) string        { return namePrefix + "editors:" + instance }
func bindingOf(instance, name string) string {
	return namePrefix + "binding:" + instance + ":" + name
}

// input is what the permissions inside an instance depend on.
type input struct {
	instance    string
	adminGroups []string
	// bindings whose scope the instance is in, by name.
	bindings []v1alpha1.AccessBinding
	// roles of the operators, by name.
	roles map[string]*rbacv1.ClusterRole
	// namespaces that are there, and stay.
	namespaces map[string]bool
	// definitions are the names of its CustomResourceDefinitions.
	definitions []string
}

// plan is what an instance is to have.
type plan struct {
	// roles and administrators come first: nobody is to lose a right on the way to a new form of it.
	roles          []object
	administrators object
	bindings       []object
	// results are what becomes of each AccessBinding once all of that is written.
	results map[string]result
}

// result is whether an AccessBinding is in force in an instance.
type result struct {
	uid        types.UID
	generation int64
	applied    bool
	// reason is why not.
	reason  string
	message string
}

// desired is what an instance is to have.
func desired(in input) plan {
	p := plan{results: map[string]result{}}
	var admins []rbacv1.Subject
	for _, group := range in.adminGroups {
		admins = append(admins, subject(v1alpha1.SubjectGroup, group))
	}
	p.administrators = newBinding(in.instance, "", administratorsOf(in.instance), "cluster-admin", admins)

	users := map[string][]string{roleAdmin: nil, roleEditor: nil, roleEditorData: nil, roleViewer: nil}
	custom := map[string][]rbacv1.PolicyRule{}
	editors := map[string][]rbacv1.Subject{}
	editing := map[string][]string{}
	for i := range in.bindings {
		b := &in.bindings[i]
		r := result{uid: b.UID, generation: b.Generation}
		name, why := in.roleOf(b, custom)
		if why != nil {
			r.reason, r.message = why.reason, why.message
			p.results[b.Name] = r
			continue
		}
		users[name] = append(users[name], b.Name)
		s := subject(b.Spec.Subject.Kind, b.Spec.Subject.Name)
		where, missing := in.places(b)
		for _, namespace := range where {
			p.bindings = append(p.bindings, newBinding(in.instance, namespace, bindingOf(in.instance, b.Name), name, []rbacv1.Subject{s}, b.Name))
		}
		var remarks []string
		if len(missing) > 0 {
			remarks = append(remarks, "waits for namespaces that are not there: "+listed(missing))
		}
		if b.Spec.Role == v1alpha1.RoleEditor {
			users[roleEditorData] = append(users[roleEditorData], b.Name)
			if len(b.Spec.Scope.Namespaces) == 0 {
				where = slices.Sorted(maps.Keys(in.namespaces))
			}
			var withheld []string
			for _, namespace := range where {
				if role.Reserved(namespace) {
					withheld = append(withheld, namespace)
					continue
				}
				editors[namespace] = append(editors[namespace], s)
				editing[namespace] = append(editing[namespace], b.Name)
			}
			if len(b.Spec.Scope.Namespaces) > 0 && len(withheld) > 0 {
				remarks = append(remarks, "Secrets and ConfigMaps are for Admins only in "+listed(withheld))
			}
		}
		r.applied, r.message = len(where) > 0 || len(b.Spec.Scope.Namespaces) == 0, strings.Join(remarks, "; ")
		if !r.applied {
			r.reason = v1alpha1.ReasonNamespacesNotFound
		}
		p.results[b.Name] = r
	}
	for _, namespace := range slices.Sorted(maps.Keys(editors)) {
		p.bindings = append(p.bindings, newBinding(in.instance, namespace, editorsOf(in.instance), roleEditorData, editors[namespace], editing[namespace]...))
	}
	p.roles = []object{
		newRole(roleAdmin, role.Admin(), users[roleAdmin]),
		newRole(roleEditor, role.Editor(in.definitions), users[roleEditor]),
		newRole(roleEditorData, role.EditorData(), users[roleEditorData]),
		newRole(roleViewer, role.Viewer(in.definitions), users[roleViewer]),
	}
	for _, name := range slices.Sorted(maps.Keys(custom)) {
		p.roles = append(p.roles, newRole(name, custom[name], users[name]))
	}
	return p
}

// trouble is why something is not in force.
type trouble struct{ reason, message string }

// roleOf is the ClusterRole for a binding, noted in custom when it is one of the operators'.
func (in input) roleOf(b *v1alpha1.AccessBinding, custom map[string][]rbacv1.PolicyRule) (string, *trouble) {
	if why := refusedSubject(b); why != nil {
		return "", why
	}
	switch b.Spec.Role {
	case v1alpha1.RoleAdmin:
		return roleAdmin, nil
	case v1alpha1.RoleEditor:
		return roleEditor, nil
	case v1alpha1.RoleViewer:
		return roleViewer, nil
	}
	r := in.roles[string(b.Spec.Role)]
	if r == nil {
		return "", &trouble{v1alpha1.ReasonRoleNotFound, fmt.Sprintf("there is no ClusterRole %q labelled %s in the host cluster", b.Spec.Role, role.Selector)}
	}
	if err := role.Refused(r); err != nil {
		return "", &trouble{v1alpha1.ReasonRoleRefused, err.Error()}
	}
	name := roleCustom + r.Name
	custom[name] = r.Rules
	return name, nil
}

// refusedSubject says why nobody can be bound by a name: the API refuses it as well, unless the object
// was there before it did.
func refusedSubject(b *v1alpha1.AccessBinding) *trouble {
	s := b.Spec.Subject
	if strings.HasPrefix(s.Name, "system:") {
		return &trouble{v1alpha1.ReasonSubjectRefused, fmt.Sprintf("spec.subject.name %q begins with 'system:': such names are Kubernetes' own", s.Name)}
	}
	if s.Name == "" || s.Kind != v1alpha1.SubjectUser && s.Kind != v1alpha1.SubjectGroup {
		return &trouble{v1alpha1.ReasonSubjectRefused, "spec.subject must be a User or a Group with a name"}
	}
	return nil
}

// places are the namespaces in which a binding holds, with "" for everywhere, and those that are missing.
func (in input) places(b *v1alpha1.AccessBinding) (where, missing []string) {
	if len(b.Spec.Scope.Namespaces) == 0 {
		return []string{""}, nil
	}
	for _, namespace := range slices.Compact(slices.Sorted(slices.Values(b.Spec.Scope.Namespaces))) {
		if in.namespaces[namespace] {
			where = append(where, namespace)
		} else {
			missing = append(missing, namespace)
		}
	}
	return where, missing
}

func subject(kind, name string) rbacv1.Subject {
	return rbacv1.Subject{APIGroup: rbacv1.GroupName, Kind: kind, Name: name}
}

// listed is a list for people.
func listed(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
