package rbac

import (
	"cmp"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// AnnotationGrantedBy is on every AccessBinding that somebody made through Kairship; its value is who.
const AnnotationGrantedBy = v1alpha1.AnnotationPrefix + "granted-by"

// Grants reports whether the principal may give and take roles on an instance, in some namespaces or in all when there are none:
// they have to be Admin there, or they could give more than they have. An empty instance is all of them.
func (s Scope) Grants(instance string, namespaces []string) bool {
	if s.all {
		return true
	}
	return instance != "" && slices.ContainsFunc(s.grants(instance), func(g grant) bool {
		return g.role.Name == string(v1alpha1.RoleAdmin) && within(namespaces, g.namespaces)
	})
}

// within reports whether a role in wider namespaces covers some; none are all.
func within(namespaces, wider []string) bool {
	if len(wider) == 0 {
		return true
	}
	return len(namespaces) > 0 && !slices.ContainsFunc(namespaces, func(n string) bool { return !slices.Contains(wider, n) })
}

// Admin reports whether the principal is Admin of anything on an instance: of all of it, or of some namespaces.
func (s Scope) Admin(instance string) bool {
	return s.all || slices.ContainsFunc(s.grants(instance), func(g grant) bool { return g.role.Name == string(v1alpha1.RoleAdmin) })
}

// AccessBindings are those that a principal may see, by name: all for owners, those in force on a whole instance for its Admins,
// those in namespaces for the Admins of these, and everybody's own.
func (a *Authorizer) AccessBindings(p auth.Principal, s Scope) []*model.AccessBinding {
	a.mu.RLock()
	known := a.bindings.known
	a.mu.RUnlock()
	var out []*model.AccessBinding
	for _, b := range known {
		if !shows(p, s, b) {
			continue
		}
		if b.Instance == nil && !s.all {
			b = withoutMessages(b)
		}
		out = append(out, b)
	}
	return out
}

// withoutMessages is a binding on all instances as those see it who may not see all instances: its messages name them.
func withoutMessages(b *model.AccessBinding) *model.AccessBinding {
	out := *b
	out.Conditions = slices.Clone(b.Conditions)
	for i := range out.Conditions {
		out.Conditions[i].Message = ""
	}
	return &out
}

func shows(p auth.Principal, s Scope, b *model.AccessBinding) bool {
	switch {
	case s.all:
		return true
	case b.Subject.Kind == model.SubjectUser && b.Subject.Name == p.Name,
		b.Subject.Kind == model.SubjectGroup && slices.Contains(p.Groups, b.Subject.Name):
		return true
	case b.Instance != nil:
		return s.Grants(*b.Instance, b.Namespaces)
	}
	// It is in force on every instance.
	for instance := range s.instances {
		if s.Grants(instance, b.Namespaces) {
			return true
		}
	}
	return false
}

// AccessBinding is the one of a name, if the principal may see it; nil otherwise.
func (a *Authorizer) AccessBinding(p auth.Principal, s Scope, name string) *model.AccessBinding {
	known := a.AccessBindings(p, s)
	i, found := slices.BinarySearchFunc(known, name, func(b *model.AccessBinding, name string) int { return cmp.Compare(b.Name, name) })
	if !found {
		return nil
	}
	return known[i]
}

// Holds reports whether a binding is among those that are known.
func (a *Authorizer) Holds(name, uid string) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.ContainsFunc(a.bindings.known, func(b *model.AccessBinding) bool { return b.Name == name && b.UID == uid })
}

// Given is how many bindings on an instance somebody has made through Kairship.
func (a *Authorizer) Given(by, instance string) (n int) {
	a.mu.RLock()
	defer a.mu.RUnlock()
	for _, b := range a.bindings.known {
		if b.GrantedBy != nil && *b.GrantedBy == by && b.Instance != nil && *b.Instance == instance {
			n++
		}
	}
	return n
}

// OtherOwners reports whether another binding makes somebody an owner when one is gone. The administrators' groups do not count: who is
// in them is not known here, and perhaps nobody is.
func (a *Authorizer) OtherOwners(without string) bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.ContainsFunc(a.bindings.known, func(b *model.AccessBinding) bool { return b.Name != without && Owner(b) })
}

// AdminGroups are the groups whose members are owners without a binding.
func (a *Authorizer) AdminGroups() []string { return slices.Clone(a.adminGroups) }

// Owner reports whether a binding makes its subject an owner.
func Owner(b *model.AccessBinding) bool {
	return b.Role == string(v1alpha1.RoleAdmin) && b.Instance == nil && len(b.Namespaces) == 0
}

// ModelOf is an AccessBinding as people see it.
func (a *Authorizer) ModelOf(b *v1alpha1.AccessBinding) *model.AccessBinding {
	out := bindingModel(b, nil)
	if out.RoleKind == model.RoleUnknown && slices.Contains(a.Roles(), out.Role) {
		out.RoleKind = model.RoleCustom
	}
	return out
}

// Roles are the names of the roles that can be given.
func (a *Authorizer) Roles() []string {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return slices.Clone(a.bindings.roles)
}

// bindingModel is an AccessBinding as people see it.
func bindingModel(b *v1alpha1.AccessBinding, r *role.Role) *model.AccessBinding {
	out := &model.AccessBinding{
		Name: b.Name, UID: string(b.UID), Subject: model.AccessSubject{Kind: model.SubjectUser, Name: b.Spec.Subject.Name}, Role: string(b.Spec.Role),
		RoleKind: model.RoleUnknown, Namespaces: slices.Compact(slices.Sorted(slices.Values(b.Spec.Scope.Namespaces))),
		Source: model.AccessFromManifest, CreatedAt: b.CreationTimestamp.UTC(), Conditions: []model.Condition{},
	}
	if out.Namespaces == nil {
		out.Namespaces = []string{}
	}
	if b.Spec.Subject.Kind == v1alpha1.SubjectGroup {
		out.Subject.Kind = model.SubjectGroup
	}
	switch {
	case slices.Contains([]v1alpha1.AccessRole{v1alpha1.RoleAdmin, v1alpha1.RoleEditor, v1alpha1.RoleViewer}, b.Spec.Role):
		out.RoleKind = model.RoleBuiltIn
	case r != nil:
		out.RoleKind = model.RoleCustom
	}
	if instance := b.Spec.Scope.Instance; instance != "" {
		out.Instance = &instance
	}
	if by := b.Annotations[AnnotationGrantedBy]; by != "" {
		out.Source, out.GrantedBy = model.AccessFromKairship, &by
	}
	if source := b.Labels[v1alpha1.LabelGlobalManagement]; source != "" {
		out.Source, out.SourceName = model.AccessFromGlobalManagement, &source
	}
	for _, c := range b.Status.Conditions {
		since := c.LastTransitionTime.UTC()
		out.Conditions = append(out.Conditions, model.Condition{Type: c.Type, Status: statusOf(c.Status), Reason: c.Reason, Message: c.Message, Since: &since})
	}
	return out
}

func statusOf(s metav1.ConditionStatus) model.FactValue {
	return model.FactValue(strings.ToUpper(string(s)))
}
