package role

import (
	"maps"
	"slices"
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
)

// What a role allows is listed kind by kind: permissions only ever add, so "everything but" cannot be expressed, and a
// "*" for resources includes their subresources: pods/exec, nodes/proxy, and clusters/proxy, which leads to the
// members. A "*" is used here only for groups whose subresources are no more than status and scale.
//
// What is left out, and why:
//   - secrets, for Viewers: they are credentials. Works, for all but Admins: they hold every propagated Secret
//     unmasked.
//   - clusters/proxy, the search and the proxy of search.karmada.io: through them members are read and written with
//     the rights that Karmada has. Rights in members are given separately.
//   - Secrets, and writing ConfigMaps and what routes requests to a server, in the namespaces of the control plane
//     itself, for Editors (see EditorData): they contain the members' credentials, the authority that aggregated API
//     servers trust, and the Services by which these are found.
//   - for Editors, writes of whatever decides what others may do, or acts with rights that the writer does not have:
//     RBAC, tokens, certificates, admission webhooks and policies, APIServices, CustomResourceDefinitions (their
//     conversion webhooks see and change objects), Works and bindings (Karmada applies them to members as itself),
//     interpreters (they change any propagated template), resource registries (they copy members' objects elsewhere),
//     Leases (they elect leaders), quotas, limits, nodes, flow control, and volumes and drivers that may reach into a
//     node (PersistentVolumes may name host paths). Policies may name only what is not left out: see
//     internal/rbac/admission.
//   - for Editors, writes of member clusters and of what acts on them: clusters, cluster taint policies, remedies.
//     They may create namespaces; to change or delete one is for Admins, as its labels decide how strictly its pods
//     are checked.
//
// What a workload may do in a member is for that member's own admission to decide: a user who may run pods in a
// namespace may use its ServiceAccounts there, as with Kubernetes' own role "edit".
var (
	read  = []string{"get", "list", "watch"}
	write = []string{"create", "update", "patch", "delete", "deletecollection"}
	// connect opens a stream: by GET for WebSockets, by POST for SPDY.
	connect = []string{"get", "create"}
)

// reads is those of the verbs that only read.
func reads(verbs []string) []string {
	if slices.Contains(verbs, rbacv1.VerbAll) {
		return read
	}
	return slices.DeleteFunc(slices.Clone(verbs), func(v string) bool { return !slices.Contains(read, v) })
}

// writes reports whether one of the verbs does more than read.
func writes(verbs []string) bool {
	return slices.ContainsFunc(verbs, func(v string) bool { return !slices.Contains(read, v) })
}

// Admin may do everything.
func Admin() []rbacv1.PolicyRule {
	return []rbacv1.PolicyRule{
		{Verbs: []string{"*"}, APIGroups: []string{"*"}, Resources: []string{"*"}},
		{Verbs: []string{"*"}, NonResourceURLs: []string{"*"}},
	}
}

// Viewer may read the resources listed here, and those that the CustomResourceDefinitions of a Karmada, by their names,
// define in addition.
func Viewer(definitions []string) []rbacv1.PolicyRule {
	return append([]rbacv1.PolicyRule{
		rule(read, "", "bindings", "componentstatuses", "configmaps", "endpoints", "events", "limitranges",
			"namespaces", "namespaces/status", "nodes", "nodes/status", "persistentvolumeclaims", "persistentvolumeclaims/status",
			"persistentvolumes", "persistentvolumes/status", "pods", "pods/log", "pods/status", "podtemplates",
			"replicationcontrollers", "replicationcontrollers/scale", "replicationcontrollers/status",
			"resourcequotas", "resourcequotas/status", "serviceaccounts", "services", "services/status"),
		all(read, "admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "autoscaling",
			"batch", "certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "events.k8s.io",
			"flowcontrol.apiserver.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
			"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io"),
		all(read, "apps.karmada.io", "autoscaling.karmada.io", "config.karmada.io", "multicluster.x-k8s.io",
			"networking.karmada.io", "policy.karmada.io", "remedy.karmada.io"),
		all(read, "custom.metrics.k8s.io", "external.metrics.k8s.io", "metrics.k8s.io"),
		rule(read, "cluster.karmada.io", "clusters", "clusters/status"),
		rule(read, "search.karmada.io", "resourceregistries", "resourceregistries/status"),
		rule(read, "work.karmada.io", "clusterresourcebindings", "clusterresourcebindings/status", "resourcebindings", "resourcebindings/status"),
	}, defined(read, definitions)...)
}

// Editor may read what a Viewer may, and write most of it.
func Editor(definitions []string) []rbacv1.PolicyRule {
	rules := append(Viewer(definitions),
		rule(write, "", "events", "persistentvolumeclaims", "pods", "pods/ephemeralcontainers",
			"podtemplates", "replicationcontrollers", "replicationcontrollers/scale"),
		rule([]string{"create"}, "", "namespaces", "pods/eviction"),
		rule(connect, "", "pods/attach", "pods/exec", "pods/portforward"),
		all(write, "apps", "autoscaling", "batch", "events.k8s.io", "networking.k8s.io", "policy", "scheduling.k8s.io"),
		rule(write, "storage.k8s.io", "storageclasses", "volumeattributesclasses"),
		rule(write, "resource.k8s.io", "resourceclaims", "resourceclaimtemplates"),
		all(write, "apps.karmada.io"),
		rule(write, policyGroup, policyKinds...),
	)
	return append(rules, defined(write, definitions)...)
}

// guarded is the resources that in the namespaces of the control plane only its Admins may write, by API group: what
// its servers trust, how they are found, who acts for them, and what Karmada propagates from there into the members.
var guarded = map[string][]string{
	"":                       {"configmaps", "endpoints", "serviceaccounts", "services"},
	"autoscaling.karmada.io": {"cronfederatedhpas", "federatedhpas"},
	"discovery.k8s.io":       {"endpointslices"},
	"multicluster.x-k8s.io":  {"serviceexports", "serviceimports"},
	"networking.karmada.io":  {"multiclusteringresses", "multiclusterservices"},
}

// guards reports whether a rule's resource, or the resource of a subresource, is guarded in one of the groups.
func guards(groups []string, resource string) bool {
	name := strings.TrimSuffix(resource, suffix(resource))
	for group, names := range guarded {
		if has(groups, group, rbacv1.APIGroupAll) && (slices.Contains(names, name) || name == rbacv1.ResourceAll) {
			return true
		}
	}
	return false
}

// EditorData is what an Editor may do in addition, in every namespace of their scope that is not reserved.
func EditorData() []rbacv1.PolicyRule {
	rules := []rbacv1.PolicyRule{rule(append(slices.Clone(read), write...), "", "secrets")}
	for _, group := range slices.Sorted(maps.Keys(guarded)) {
		if group == "" {
			rules = append(rules, rule(write, group, guarded[group]...))
			continue
		}
		rules = append(rules, all(write, group))
	}
	return rules
}

// policyKinds are the policies of Karmada that propagate objects into members.
var policyKinds = []string{"clusteroverridepolicies", "clusterpropagationpolicies", "overridepolicies", "propagationpolicies"}

const policyGroup = "policy.karmada.io"

// writesPolicies reports whether a rule allows writing policies, even named ones only.
func writesPolicies(r *rbacv1.PolicyRule) bool {
	return writes(r.Verbs) &&
		has(r.APIGroups, policyGroup, rbacv1.APIGroupAll) &&
		slices.ContainsFunc(policyKinds, func(kind string) bool { return has(r.Resources, kind, rbacv1.ResourceAll) })
}

// WritesPolicies reports whether rules allow writing policies.
func WritesPolicies(rules []rbacv1.PolicyRule) bool {
	return slices.ContainsFunc(rules, func(r rbacv1.PolicyRule) bool { return writesPolicies(&r) })
}

// WithoutPolicyWrites is the rules without the right to write policies: those parts of rules that include it become
// read-only.
func WithoutPolicyWrites(rules []rbacv1.PolicyRule) []rbacv1.PolicyRule {
	var out []rbacv1.PolicyRule
	for _, r := range rules {
		if !writesPolicies(&r) {
			out = append(out, r)
			continue
		}
		includes := func(group string) bool { return group == policyGroup || group == rbacv1.APIGroupAll }
		if others := slices.DeleteFunc(slices.Clone(r.APIGroups), includes); len(others) > 0 {
			rest := r
			rest.APIGroups = others
			out = append(out, rest)
		}
		r.APIGroups = slices.DeleteFunc(slices.Clone(r.APIGroups), func(group string) bool { return !includes(group) })
		if r.Verbs = reads(r.Verbs); len(r.Verbs) > 0 {
			out = append(out, r)
		}
	}
	return out
}

// Reserved reports whether a namespace belongs to the control plane itself.
func Reserved(namespace string) bool {
	return strings.HasPrefix(namespace, "kube-") || strings.HasPrefix(namespace, "karmada-")
}

func rule(verbs []string, group string, resources ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: verbs, APIGroups: []string{group}, Resources: resources}
}

func all(verbs []string, groups ...string) rbacv1.PolicyRule {
	return rbacv1.PolicyRule{Verbs: verbs, APIGroups: groups, Resources: []string{"*"}}
}

// defined is a rule for each group of CustomResourceDefinitions, whose names are "plural.group". Karmada's own are left
// out: their rules are listed above.
func defined(verbs, definitions []string) []rbacv1.PolicyRule {
	groups := map[string][]string{}
	var order []string
	for _, name := range slices.Compact(slices.Sorted(slices.Values(definitions))) {
		plural, group, ok := strings.Cut(name, ".")
		if !ok || strings.HasSuffix(group, ".karmada.io") || group == "multicluster.x-k8s.io" {
			continue
		}
		if groups[group] == nil {
			order = append(order, group)
		}
		groups[group] = append(groups[group], plural, plural+"/scale", plural+"/status")
	}
	slices.Sort(order)
	rules := make([]rbacv1.PolicyRule, 0, len(order))
	for _, group := range order {
		rules = append(rules, rule(verbs, group, groups[group]...))
	}
	return rules
}
