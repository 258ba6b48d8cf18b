package role

import (
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// right is verbs on one resource.
type right struct {
	verbs           []string
	group, resource string
}

func (r right) String() string {
	if r.group == "" {
		return r.resource
	}
	return r.resource + "." + r.group
}

// forbidden is what no custom role may grant, not even for named objects: each leads to every other right, in the
// Karmada or in its members. Writing policies is not included while admission policies limit what they propagate (see
// WithoutPolicyWrites), nor are Secrets and other guarded resources, which no role has in the namespaces of the control
// plane (see Divided).
var forbidden = func() []right {
	var (
		put   = []string{"create", "update", "patch"}
		every = []string{rbacv1.VerbAll}
		rbac  = rbacv1.GroupName
	)
	var out []right
	add := func(verbs []string, group string, resources ...string) {
		for _, r := range resources {
			out = append(out, right{verbs, group, r})
		}
	}
	// Granting permissions that one does not have.
	add([]string{"escalate", "bind"}, rbac, "clusterroles", "roles")
	// Acting as somebody else, by name, by a token, or by a certificate.
	add([]string{"impersonate"}, "", "users", "groups", "serviceaccounts")
	add([]string{"impersonate"}, "authentication.k8s.io", "users", "groups", "serviceaccounts", "userextras", "uids")
	add([]string{"create"}, "", "serviceaccounts/token")
	add(put, "certificates.k8s.io", "certificatesigningrequests/approval", "certificatesigningrequests/status")
	add([]string{"approve", "sign", "attest"}, "certificates.k8s.io", "signers")
	// What Karmada creates in the members as itself, and what changes it before.
	add(put, "work.karmada.io", "works", "resourcebindings", "clusterresourcebindings")
	add(put, "config.karmada.io", "resourceinterpretercustomizations", "resourceinterpreterwebhookconfigurations")
	// Access to the members with Karmada's credentials: through its proxy, by redirecting them to one's own address, or
	// through copies.
	add(every, "cluster.karmada.io", "clusters/proxy")
	add(put, "cluster.karmada.io", "clusters")
	add(every, "", "nodes/proxy") // every pod of a node
	add(every, "search.karmada.io", "proxying", "proxying/proxy", "search", "search/cache")
	add(put, "search.karmada.io", "resourceregistries")
	// What decides how strictly pods are checked, and what may name any path of a node.
	add([]string{"update", "patch"}, "", "namespaces")
	add(put, "", "persistentvolumes")
	// What sees, changes or admits what others write.
	add(append([]string{"delete", "deletecollection"}, put...), "admissionregistration.k8s.io", "validatingadmissionpolicies", "validatingadmissionpolicybindings")
	add(put, "admissionregistration.k8s.io", "mutatingadmissionpolicies", "mutatingadmissionpolicybindings",
		"mutatingwebhookconfigurations", "validatingwebhookconfigurations")
	add(put, "apiextensions.k8s.io", "customresourcedefinitions")
	add(put, "apiregistration.k8s.io", "apiservices")
	return out
}()

// grantedBy is the verb by which a rule grants the right, even for named objects only; empty when it does not.
func (r right) grantedBy(rule *rbacv1.PolicyRule) string {
	_, sub, hasSub := strings.Cut(r.resource, "/")
	covered := slices.ContainsFunc(rule.APIGroups, func(g string) bool { return g == r.group || g == rbacv1.APIGroupAll }) &&
		slices.ContainsFunc(rule.Resources, func(s string) bool {
			return s == r.resource || s == rbacv1.ResourceAll || hasSub && s == "*/"+sub ||
				// The extra fields of a user are each a subresource, as is each path behind a proxy.
				strings.HasPrefix(s, r.resource+"/") && (r.verbs[0] == "impersonate" || r.verbs[0] == rbacv1.VerbAll)
		})
	if !covered {
		return ""
	}
	for _, held := range rule.Verbs {
		for _, verb := range r.verbs {
			// Kubernetes extends a verb after a colon, or within the word: "impersonate:user-info".
			if held == verb || held == rbacv1.VerbAll || verb == rbacv1.VerbAll || verb == "impersonate" && strings.HasPrefix(held, verb) {
				if held == rbacv1.VerbAll && verb != rbacv1.VerbAll {
					return verb
				}
				return held
			}
		}
	}
	return ""
}

// everySecret reports whether a rule covers all Secrets without naming them.
func everySecret(rule *rbacv1.PolicyRule) bool {
	return has(rule.APIGroups, "", rbacv1.APIGroupAll) && slices.Contains(rule.Resources, rbacv1.ResourceAll)
}

// Divided splits the rules of a custom role into those valid wherever it is bound, and those valid additionally in
// namespaces that are not Reserved, as with EditorData: any right to Secrets, and writing guarded resources. The
// control plane's own namespaces hold the credentials of the members, and tokens for any account can be obtained there.
func Divided(rules []rbacv1.PolicyRule) (everywhere, data []rbacv1.PolicyRule) {
	for _, whole := range rules {
		for _, r := range apart(whole) {
			var held, readable, free []string
			for _, resource := range r.Resources {
				switch {
				case strings.TrimSuffix(resource, suffix(resource)) == "secrets" && has(r.APIGroups, "", rbacv1.APIGroupAll):
					held = append(held, resource)
				case writes(r.Verbs) && guards(r.APIGroups, resource):
					held, readable = append(held, resource), append(readable, resource)
				default:
					free = append(free, resource)
				}
			}
			with := func(verbs, resources []string) []rbacv1.PolicyRule {
				if len(verbs) == 0 || len(resources) == 0 {
					return nil
				}
				part := r
				part.Verbs, part.Resources = verbs, resources
				return []rbacv1.PolicyRule{part}
			}
			if len(held) == 0 {
				everywhere = append(everywhere, r)
				continue
			}
			data = append(data, with(r.Verbs, held)...)
			everywhere = append(everywhere, with(r.Verbs, free)...)
			everywhere = append(everywhere, with(reads(r.Verbs), readable)...) // reading it is allowed everywhere
		}
	}
	return everywhere, data
}

// apart splits a rule by group where one of its groups is guarded as a whole: a "*" for resources means other kinds in
// the others.
func apart(r rbacv1.PolicyRule) []rbacv1.PolicyRule {
	if len(r.APIGroups) < 2 || !slices.Contains(r.Resources, rbacv1.ResourceAll) || !guards(r.APIGroups, rbacv1.ResourceAll) {
		return []rbacv1.PolicyRule{r}
	}
	out := make([]rbacv1.PolicyRule, 0, len(r.APIGroups))
	for _, group := range r.APIGroups {
		one := r
		one.APIGroups = []string{group}
		out = append(out, one)
	}
	return out
}
