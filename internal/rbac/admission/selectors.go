package admission

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

const karmadaPolicies = "policy.karmada.io"

// Kinds are those of Kubernetes' own that a policy may name, by group: the ones that Editors may write in
// namespaces of their own, and a few that belong to no namespace. Left out, and so for Admins alone, is what
// decides what others may do or how strictly they are watched: RBAC, Namespaces, quotas and limits,
// CustomResourceDefinitions, admission, webhooks, APIServices, certificates; what reaches a node
// (PersistentVolumes may name host paths, and so may CSI drivers); and ControllerRevisions, in which Kairship
// keeps a history. A selector names a kind exactly, so nothing else is needed to leave a kind out.
var Kinds = map[string][]string{
	"": {
		"ConfigMap", "Endpoints", "PersistentVolumeClaim", "Pod", "PodTemplate", "ReplicationController", "Secret", "Service", "ServiceAccount",
	},
	"apps":                      {"DaemonSet", "Deployment", "ReplicaSet", "StatefulSet"},
	"autoscaling":               {"HorizontalPodAutoscaler"},
	"batch":                     {"CronJob", "Job"},
	"discovery.k8s.io":          {"EndpointSlice"},
	"gateway.networking.k8s.io": {"BackendTLSPolicy", "GRPCRoute", "Gateway", "GatewayClass", "HTTPRoute", "ReferenceGrant", "TCPRoute", "TLSRoute", "UDPRoute"},
	"networking.k8s.io":         {"Ingress", "IngressClass", "NetworkPolicy"},
	"policy":                    {"PodDisruptionBudget"},
	"resource.k8s.io":           {"ResourceClaim", "ResourceClaimTemplate"},
	"scheduling.k8s.io":         {"PriorityClass"},
	"snapshot.storage.k8s.io":   {"VolumeSnapshot", "VolumeSnapshotClass"},
	"storage.k8s.io":            {"StorageClass", "VolumeAttributesClass"},
}

// Custom resources may be named, by any group with a dot but those of Kubernetes, Karmada, Clusterpedia and
// Kairship themselves.
const (
	customKind   = `^[a-z0-9-]+([.][a-z0-9-]+)+/[a-z0-9]+$`
	reservedKind = `^([a-z0-9-]+[.])*(k8s|kubernetes|karmada|kairship|clusterpedia)[.]io/`
)

// reservedNamespace is one of the control plane itself, as role.Reserved says.
const reservedNamespace = `^(kube|karmada)-`

// named are the kinds that a policy may name, as the variable "kinds" writes them.
func named() []string {
	var out []string
	for group, kinds := range Kinds {
		for _, kind := range kinds {
			out = append(out, strings.ToLower(group+"/"+kind))
		}
	}
	slices.Sort(out)
	return out
}

// selectors are the checks that all policies share: what they select.
func selectors() ([]admissionregistrationv1.Variable, []admissionregistrationv1.Validation) {
	// In small letters, and by their groups alone: no other version or spelling of a kind gets by. A version with
	// two slashes is none, of which Kubernetes' own parser makes a kind of the core group.
	kind := `((s.apiVersion.contains('/') ? s.apiVersion.split('/')[0] : '') + '/' + s.kind).lowerAscii()`
	allowed := fmt.Sprintf(`(%[1]s in variables.named || (%[1]s.matches(%[2]s) && !%[1]s.matches(%[3]s)))`, "k", quoted(customKind), quoted(reservedKind))
	variables := []admissionregistrationv1.Variable{
		{Name: "selectors", Expression: "has(object.spec.resourceSelectors) ? object.spec.resourceSelectors : []"},
		{Name: "named", Expression: list(named())},
		{Name: "home", Expression: "has(object.metadata.namespace) ? object.metadata.namespace : ''"},
	}
	kinds, noKind := findings("kinds",
		fmt.Sprintf(`[variables.selectors.filter(s, !s.apiVersion.matches('^([^/]+/)?[^/]+$') || ![%s].exists(k, %s)).map(s, s.apiVersion + ' ' + s.kind)].filter(l, l.size() > 0)`, kind, allowed),
		"spec.resourceSelectors: ", " may be carried into members only by policies that Admins of the instance write; allowed are workloads, Pods, "+
			"Services, Ingresses, ConfigMaps, Secrets, ServiceAccounts, PersistentVolumeClaims, what scales, protects or exposes them, and custom resources")
	elsewhere, notElsewhere := findings("elsewhere",
		`[variables.selectors.filter(s, has(s.namespace) && s.namespace != '' && `+
			`(variables.home != '' && s.namespace != variables.home || s.namespace.matches('`+reservedNamespace+`'))).map(s, s.namespace)].filter(l, l.size() > 0)`,
		"spec.resourceSelectors[].namespace: ", " is not for this policy; allowed is the namespace of the policy itself, "+
			"or, for a policy without one, any that does not begin with kube- or karmada-")
	return append(variables, kinds, elsewhere), []admissionregistrationv1.Validation{
		forbid("variables.selectors.size() > 0", "", "spec.resourceSelectors: an empty list selects everything that goes to a member; name each kind by its apiVersion and kind"),
		noKind,
		forbid(`!variables.home.matches('`+reservedNamespace+`')`,
			`'metadata.namespace: policies in ' + variables.home + ', which belongs to the control plane, are for Admins of the instance'`,
			"metadata.namespace: policies in this namespace, which belongs to the control plane, are for Admins of the instance"),
		notElsewhere,
	}
}

// propagation is about PropagationPolicies and ClusterPropagationPolicies.
func propagation() Policy {
	variables, validations := selectors()
	// With preemption Karmada claims what a selector names without asking whether it matches: one without a
	// namespace could name an object that has none.
	validations = append(validations, forbid(
		`variables.home == '' || !has(object.spec.preemption) || object.spec.preemption != 'Always' || variables.selectors.all(s, has(s.namespace) && s.namespace == variables.home)`,
		"", "spec.preemption: with Always, each of spec.resourceSelectors has to name the namespace of the policy"))
	// Karmada labels what it moves to another cluster as the policy says.
	aliases := `(has(object.spec.failover) ? ['application', 'cluster'] : []).filter(f, f in object.spec.failover && has(object.spec.failover[f].statePreservation) && has(object.spec.failover[f].statePreservation.rules))` +
		`.map(f, object.spec.failover[f].statePreservation.rules.filter(r, has(r.aliasLabelName) && ` + steers("r.aliasLabelName") + `).map(r, r.aliasLabelName)).filter(l, l.size() > 0)`
	labels, noLabel := findings("aliases", aliases, "spec.failover: statePreservation.rules[].aliasLabelName ",
		" is a label that steers Karmada or Kairship; allowed are labels without karmada.io and kairship.io")
	return policy("propagation",
		[]admissionregistrationv1.NamedRuleWithOperations{rule(karmadaPolicies, writes, "propagationpolicies", "clusterpropagationpolicies")},
		[]admissionregistrationv1.MatchCondition{unlessWorksWriter, unlessUnchanged},
		append(variables, labels), append(validations, noLabel))
}

// bindingsWriters are left alone by the policy about bindings: Karmada's scheduler is one, whatever else it may, and
// what takes away the content of a namespace.
const bindingsWriters = `(authorizer.group('work.karmada.io').resource('clusterresourcebindings').check('update').allowed() || ` +
	`request.operation == 'DELETE' && authorizer.group('work.karmada.io').resource('clusterresourcebindings').check('delete').allowed())`

// bindings are about what Karmada makes of a propagation policy. Only an Admin of some namespaces may write
// them without having a right to all. Their labels count as much as their spec: by them Karmada finds what to take
// from the members, whoever it belongs to, when one is deleted.
func bindings() Policy {
	return policy("bindings",
		[]admissionregistrationv1.NamedRuleWithOperations{rule("work.karmada.io", all, "resourcebindings", "clusterresourcebindings")},
		[]admissionregistrationv1.MatchCondition{{Name: "may-not-write-bindings", Expression: "!" + bindingsWriters}}, nil, []admissionregistrationv1.Validation{forbid("false", "",
			"what is carried into members, and taken from there, is told by policies; bindings are written by Karmada and Admins of the instance")})
}
