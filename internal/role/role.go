// Package role says which roles people can be given on an instance, and what each allows: those that
// every instance has, and those that the platform's operators write as ClusterRoles of the host cluster.
// It is pure: it must not know who has a role, nor where it is in force.
package role

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// AnnotationDescription on a ClusterRole of the host cluster tells people what the role allows.
const AnnotationDescription = v1alpha1.AnnotationPrefix + "description"

// Selector of the ClusterRoles of the host cluster that are roles.
const Selector = v1alpha1.LabelRole + "=true"

// maxDescription is what a GlobalResource takes.
const maxDescription = 1024

// Description is what global management is told of a role.
type Description struct {
	Name        string
	Description string
}

// Descriptions are the roles that can be bound: those that every instance has, and after them those of
// the operators that are not refused, by name.
func Descriptions(roles []rbacv1.ClusterRole) []Description {
	out := []Description{
		{string(v1alpha1.RoleAdmin), "May do everything."},
		{string(v1alpha1.RoleEditor), "May change everything but permissions and member clusters."},
		{string(v1alpha1.RoleViewer), "May read everything but Secrets."},
	}
	byName := map[string]Description{}
	for i := range roles {
		if Refused(&roles[i]) != nil {
			continue
		}
		text := []rune(roles[i].Annotations[AnnotationDescription])
		byName[roles[i].Name] = Description{roles[i].Name, string(text[:min(len(text), maxDescription)])}
	}
	for _, name := range slices.Sorted(maps.Keys(byName)) {
		out = append(out, byName[name])
	}
	return out
}

// Offered says whether a ClusterRole of the host cluster is meant as a role.
func Offered(r *rbacv1.ClusterRole) bool { return r.Labels[v1alpha1.LabelRole] == "true" }

// named is what an AccessBinding can name.
var named = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Refused says why a ClusterRole of the host cluster cannot be a role; nil when it can. Whoever holds a
// role could otherwise give themselves every other right: by writing permissions that they do not have,
// by acting as somebody else, or by a token of an account that may more.
func Refused(r *rbacv1.ClusterRole) error {
	if !Offered(r) {
		return fmt.Errorf("ClusterRole %q of the host cluster is not labelled %s", r.Name, Selector)
	}
	if !named.MatchString(r.Name) {
		return fmt.Errorf("ClusterRole %q of the host cluster: the name of a role may have at most 63 lower case letters, digits and '-'", r.Name)
	}
	for i := range r.Rules {
		for _, f := range forbidden {
			if f.grantedBy(&r.Rules[i]) {
				return fmt.Errorf("ClusterRole %q of the host cluster grants %s, with which its holders could give themselves any other right; bind the role %s to whom that is meant for",
					r.Name, f, v1alpha1.RoleAdmin)
			}
		}
	}
	return nil
}

// right is one verb on one resource.
type right struct{ verb, group, resource string }

func (r right) String() string {
	if r.group == "" {
		return fmt.Sprintf("%q on %s", r.verb, r.resource)
	}
	return fmt.Sprintf("%q on %s.%s", r.verb, r.resource, r.group)
}

var forbidden = []right{
	{"escalate", rbacv1.GroupName, "clusterroles"},
	{"escalate", rbacv1.GroupName, "roles"},
	{"bind", rbacv1.GroupName, "clusterroles"},
	{"bind", rbacv1.GroupName, "roles"},
	{"impersonate", "", "users"},
	{"impersonate", "", "groups"},
	{"impersonate", "", "serviceaccounts"},
	{"impersonate", "authentication.k8s.io", "userextras"},
	{"impersonate", "authentication.k8s.io", "uids"},
	{"create", "", "serviceaccounts/token"},
}

// grantedBy says whether a rule holds the right, be it for objects of some names only.
func (r right) grantedBy(rule *rbacv1.PolicyRule) bool {
	resource, sub, hasSub := strings.Cut(r.resource, "/")
	return slices.ContainsFunc(rule.Verbs, func(v string) bool { return v == r.verb || v == rbacv1.VerbAll }) &&
		slices.ContainsFunc(rule.APIGroups, func(g string) bool { return g == r.group || g == rbacv1.APIGroupAll }) &&
		slices.ContainsFunc(rule.Resources, func(s string) bool {
			return s == r.resource || s == rbacv1.ResourceAll || hasSub && s == "*/"+sub ||
				// The extra fields of a user are each a subresource.
				strings.HasPrefix(s, resource+"/") && !hasSub && r.verb == "impersonate"
		})
}
