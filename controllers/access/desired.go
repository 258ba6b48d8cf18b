package access

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/types"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	identity "github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// The ClusterRoles that every Karmada has. Instances of one Karmada share them.
const (
	roleAdmin      = namePrefix + "admin"
	roleEditor     = namePrefix + "editor"
	roleEditorData = roleEditor + dataSuffix
	roleViewer     = namePrefix + "viewer"
	// roleImpersonable names the proxy of the members and allows nothing: Karmada makes its subjects known to the
	// members, by name.
	roleImpersonable = namePrefix + "impersonable"
	// roleMembers lets people reach the members, each of which then applies its own permissions.
	roleMembers = namePrefix + "members"
	// roleCustom is the prefix of roles that the operators wrote.
	roleCustom = namePrefix + "role:"
)

// dataSuffix ends the name of the part of a role that holds only in namespaces other than the control plane's.
const dataSuffix = ":data"

func dataOf(role string) string { return role + dataSuffix }

// The names of bindings contain the instance: two instances of one Karmada each have their own.
func administratorsOf(instance string) string { return namePrefix + "administrators:" + instance }
func editorsOf(instance string) string        { return namePrefix + "editors:" + instance }
func impersonableOf(instance string) string   { return namePrefix + "impersonable:" + instance }
func membersOf(instance string) string        { return namePrefix + "members:" + instance }
func readersOf(instance string) string        { return namePrefix + "readers:" + instance }

// localOf names the binding of the same instance whose subjects have rights in the Karmada only.
func localOf(name string) string { return name + ":local" }
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
	// namespaces that exist and are not being deleted.
	namespaces map[string]bool
	// definitions are the names of its CustomResourceDefinitions.
	definitions []string
	// clusters are the names of its members; nil while they are not known.
	clusters []string
	// unguarded is why what policies carry into the members is not bounded; nil when it is.
	unguarded error
	// seen are the users who were seen with one of its groups, the latest first.
	seen []string
}

// groups returns the groups that are bound in the instance.
func (in input) groups() []string {
	groups := slices.Clone(in.adminGroups)
	for i := range in.bindings {
		if s := in.bindings[i].Spec.Subject; s.Kind == v1alpha1.SubjectGroup {
			groups = append(groups, s.Name)
		}
	}
	slices.Sort(groups)
	return slices.Compact(groups)
}

// plan is the desired state of an instance.
type plan struct {
	// roles and administrators are written first: nobody may lose a right while its form changes.
	roles          []object
	administrators object
	bindings       []object
	// members are the objects that give people their permissions in the members.
	members []object
	// unlisted is how many people the members will not know, because the binding is full.
	unlisted int
	// results are the outcome for each AccessBinding once all of that is written.
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

// desired returns the desired state of an instance.
func desired(in input) plan {
	p := plan{results: map[string]result{}}
	var admins []rbacv1.Subject
	for _, group := range in.adminGroups {
		admins = append(admins, subject(v1alpha1.SubjectGroup, group))
	}
	p.administrators = newBinding(in.instance, "", administratorsOf(in.instance), "cluster-admin", admins).toMembers()

	users := map[string][]string{roleAdmin: nil, roleEditor: nil, roleEditorData: nil, roleViewer: nil}
	custom := map[string][]rbacv1.PolicyRule{}
	editors := map[place]*group{}
	var bound, readers []rbacv1.Subject
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
		everywhere := len(b.Spec.Scope.Namespaces) == 0
		where, missing := in.places(b)
		for _, namespace := range where {
			o := newBinding(in.instance, namespace, bindingOf(in.instance, b.Name), name, []rbacv1.Subject{s}, b.Name)
			// What an Editor of everything may do in the members comes from readers and editors, below.
			if signsIn(s) && !role.Reserved(namespace) && (name != roleEditor || !everywhere) {
				o = o.toMembers()
			}
			p.bindings = append(p.bindings, o)
		}
		if signsIn(s) && len(where) > 0 {
			bound = append(bound, s)
		}
		var remarks []string
		if len(missing) > 0 {
			remarks = append(remarks, "waits for namespaces that are not there: "+listed(missing))
		}
		if in.unguarded != nil && (b.Spec.Role == v1alpha1.RoleEditor || role.WritesPolicies(custom[name])) {
			remarks = append(remarks, "policies are for Admins only: "+in.unguarded.Error())
		}
		_, data := role.Divided(custom[name])
		if b.Spec.Role == v1alpha1.RoleEditor || len(data) > 0 {
			users[dataOf(name)] = append(users[dataOf(name)], b.Name)
			if everywhere {
				where = slices.Sorted(maps.Keys(in.namespaces))
			}
			if everywhere && b.Spec.Role == v1alpha1.RoleEditor && signsIn(s) {
				readers = append(readers, s)
			}
			var withheld []string
			for _, namespace := range where {
				if role.Reserved(namespace) {
					withheld = append(withheld, namespace)
					continue
				}
				if b.Spec.Role != v1alpha1.RoleEditor {
					o := newBinding(in.instance, namespace, bindingOf(in.instance, b.Name)+dataSuffix, dataOf(name), []rbacv1.Subject{s}, b.Name)
					if signsIn(s) {
						o = o.toMembers()
					}
					p.bindings = append(p.bindings, o)
					continue
				}
				at := place{namespace, !signsIn(s)}
				if editors[at] == nil {
					editors[at] = &group{}
				}
				editors[at].add(s, b.Name)
			}
			if !everywhere && len(withheld) > 0 {
				remarks = append(remarks, "Secrets and ConfigMaps are for Admins only in "+listed(withheld))
			}
		}
		r.applied, r.message = len(where) > 0 || everywhere, strings.Join(remarks, "; ")
		if !r.applied {
			r.reason = v1alpha1.ReasonNamespacesNotFound
		}
		p.results[b.Name] = r
	}
	for _, at := range slices.SortedFunc(maps.Keys(editors), place.compare) {
		name, g := editorsOf(in.instance), editors[at].fitting(p.results)
		if at.local {
			p.bindings = append(p.bindings, newBinding(in.instance, at.namespace, localOf(name), roleEditorData, g.subjects, g.of...))
		} else {
			p.bindings = append(p.bindings, newBinding(in.instance, at.namespace, name, roleEditorData, g.subjects, g.of...).toMembers())
		}
	}
	p.roles = []object{
		newRole(roleAdmin, role.Admin(), users[roleAdmin]).toMembers(),
		newRole(roleEditor, in.bounded(role.Editor(in.definitions)), users[roleEditor]).toMembers(),
		newRole(roleEditorData, append(in.bounded(role.Editor(in.definitions)), role.EditorData()...), users[roleEditorData]).toMembers(),
		newRole(roleViewer, role.Viewer(in.definitions), users[roleViewer]).toMembers(),
	}
	for _, name := range slices.Sorted(maps.Keys(custom)) {
		rules, data := role.Divided(custom[name])
		p.roles = append(p.roles, newRole(name, in.bounded(rules), users[name]).toMembers())
		if len(data) > 0 {
			p.roles = append(p.roles, newRole(dataOf(name), data, users[dataOf(name)]).toMembers())
		}
	}
	p.members, p.unlisted = in.members(admins, bound, readers)
	return p
}

// bounded returns the rules of a role other than Admin. They may not write policies where nothing bounds what policies
// carry into the members: with them one could make anything there.
func (in input) bounded(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if in.unguarded == nil {
		return rules
	}
	return role.WithoutPolicyWrites(rules)
}

// members returns what gives people access to the members: who is known there, who may reach them, what Editors of
// everything may read there, and the policy that propagates what each may do. People seen only with a group reach them
// through the group.
func (in input) members(admins, bound, readers []rbacv1.Subject) (out []object, unlisted int) {
	proxy := func(verbs []string, names ...string) []rbacv1.PolicyRule {
		return []rbacv1.PolicyRule{{Verbs: verbs, APIGroups: []string{clusterv1alpha1.GroupName}, Resources: []string{"clusters/proxy"}, ResourceNames: names}}
	}
	people := slices.Concat(admins, bound)
	for _, user := range in.seen {
		people = append(people, subject(v1alpha1.SubjectUser, user))
	}
	people, unlisted = fitting(people)
	out = []object{
		newRole(roleImpersonable, proxy([]string{"impersonate-in-members"}), nil),
		newBinding(in.instance, "", impersonableOf(in.instance), roleImpersonable, people),
	}
	if in.clusters != nil {
		// By name: "*" is a name as well, for which Karmada itself makes the requests, with its own rights.
		var rules []rbacv1.PolicyRule
		if len(in.clusters) > 0 {
			rules = proxy([]string{"get", "create", "update", "patch", "delete"}, in.clusters...)
		}
		out = append(out, newRole(roleMembers, rules, nil))
	}
	if len(bound) > 0 {
		bound, _ = fitting(bound)
		out = append(out, newBinding(in.instance, "", membersOf(in.instance), roleMembers, bound))
	}
	if len(readers) > 0 {
		readers, _ = fitting(readers) // those left over are among the unlisted
		out = append(out, newBinding(in.instance, "", readersOf(in.instance), roleViewer, readers).toMembers())
	}
	return append(out, newPolicy(in.instance)), unlisted
}

// maxListed bounds the subjects of one binding, in bytes as stored: an object of 1 MiB, which etcd and the API servers
// of the members accept. It has room for more than 10,000 people.
const maxListed = 1 << 20

// fitting returns the subjects that one binding has room for, and how many are left over.
func fitting(subjects []rbacv1.Subject) (kept []rbacv1.Subject, left int) {
	// What a subject takes in addition to its name.
	const overhead = 48
	size := 0
	for i, s := range subjects {
		if size += len(s.Name) + overhead; size > maxListed {
			return subjects[:i], len(subjects) - i
		}
	}
	return subjects, 0
}

// signsIn reports whether a subject can sign in to Kairship. In a member, a name without an origin may be somebody
// else's.
func signsIn(s rbacv1.Subject) bool { return identity.CheckGroups([]string{s.Name}) == nil }

// place is where Editors have access to the data of a namespace: in the Karmada and the members, or in the Karmada
// only.
type place struct {
	namespace string
	local     bool
}

func (p place) compare(q place) int {
	return cmp.Or(cmp.Compare(p.namespace, q.namespace), cmp.Compare(fmt.Sprint(p.local), fmt.Sprint(q.local)))
}

// group holds the subjects of a binding that several AccessBindings share, and the names of these.
type group struct {
	subjects []rbacv1.Subject
	of       []string
}

func (g *group) add(s rbacv1.Subject, of string) {
	g.subjects, g.of = append(g.subjects, s), append(g.of, of)
}

// fitting is a group as far as one binding has room for it. Whose AccessBindings are left over is told there.
func (g *group) fitting(results map[string]result) *group {
	kept, left := fitting(g.subjects)
	if left == 0 {
		return g
	}
	for _, name := range g.of[len(kept):] {
		r := results[name]
		const full = "Secrets and ConfigMaps are not in force in every namespace: too many people have the role there; give it to a group"
		if !strings.Contains(r.message, full) {
			r.message = strings.TrimPrefix(r.message+"; "+full, "; ")
		}
		results[name] = r
	}
	return &group{kept, g.of[:len(kept)]}
}

// trouble is why something is not in force.
type trouble struct{ reason, message string }

// roleOf returns the ClusterRole for a binding, and adds it to custom when it is one of the operators'.
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

// refusedSubject returns why a subject cannot be bound: the API refuses it as well, except in objects that are older
// than that check.
func refusedSubject(b *v1alpha1.AccessBinding) *trouble {
	s := b.Spec.Subject
	if strings.HasPrefix(s.Name, "system:") {
		return &trouble{v1alpha1.ReasonSubjectRefused, fmt.Sprintf("spec.subject.name %q begins with 'system:': such names are Kubernetes' own", s.Name)}
	}
	if s.Padded() {
		return &trouble{v1alpha1.ReasonSubjectRefused, fmt.Sprintf("spec.subject.name %q has white space at an end, or after its origin: take it away", s.Name)}
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

// listed formats a list for people.
func listed(names []string) string {
	const most = 10
	if len(names) > most {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
	}
	return strings.Join(names, ", ")
}
