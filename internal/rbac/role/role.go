// Package role defines the roles that people can be given on an instance, and what each allows: those that every
// instance has, and those that the platform's operators write as ClusterRoles of the host cluster. It is pure: it must
// not know who has a role, nor where it is in force.
package role

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// AnnotationDescription on a ClusterRole of the host cluster describes to people what the role allows.
const AnnotationDescription = v1alpha1.AnnotationPrefix + "description"

// Selector of the ClusterRoles of the host cluster that are roles.
const Selector = v1alpha1.LabelRole + "=true"

// maxDescription is the limit of a GlobalResource.
const maxDescription = 1024

// Description is what is reported of a role to global management.
type Description struct {
	Name        string
	Description string
}

// Descriptions are the roles that can be bound: those that every instance has, and after them those of the operators
// that are not refused, by name.
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

// Offered reports whether a ClusterRole of the host cluster is meant as a role.
func Offered(r *rbacv1.ClusterRole) bool { return r.Labels[v1alpha1.LabelRole] == "true" }

// named matches the role names that an AccessBinding can have.
var named = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Refused says why a ClusterRole of the host cluster cannot be a role; nil when it can. A refused role would let its
// holders give themselves every other right, there or in the members: see forbidden.
func Refused(r *rbacv1.ClusterRole) error {
	if !Offered(r) {
		return fmt.Errorf("ClusterRole %q of the host cluster is not labelled %s", r.Name, Selector)
	}
	if !named.MatchString(r.Name) {
		return fmt.Errorf("ClusterRole %q of the host cluster: the name of a role may have at most 63 lower case letters, digits and '-'", r.Name)
	}
	for i := range r.Rules {
		for _, f := range forbidden {
			if f.group == "" && everySecret(&r.Rules[i]) {
				continue // reported below, for the whole group
			}
			if verb := f.grantedBy(&r.Rules[i]); verb != "" {
				return fmt.Errorf("ClusterRole %q of the host cluster grants %q on %s, with which its holders could give themselves any other right; bind the role %s to whom that is meant for",
					r.Name, verb, f, v1alpha1.RoleAdmin)
			}
		}
		if everySecret(&r.Rules[i]) {
			return fmt.Errorf("ClusterRole %q of the host cluster grants \"*\" in the core group, and with it the Secrets that hold the credentials of the members; name the resources that are meant",
				r.Name)
		}
	}
	return nil
}
