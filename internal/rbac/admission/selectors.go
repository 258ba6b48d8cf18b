package admission

import (
	"fmt"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
)

const karmadaPolicies = "policy.karmada.io"

// Kinds are the kinds of Kubernetes that a policy may name, by group: the ones that Editors may write in namespaces of
// their own, and a few cluster-scoped ones. Left out, and so for Admins alone, are kinds that decide what others may do
// or how strictly they are checked: RBAC, Namespaces, quotas and limits, CustomResourceDefinitions, admission,
// webhooks, APIServices, certificates; kinds that reach a node (PersistentVolumes may name host paths, and so may CSI
// drivers); and ControllerRevisions, in which Kairship keeps a history. A selector names a kind exactly, so nothing
// else is needed to leave a kind out.
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

// Custom resources may be named, of any group with a dot except those of Kubernetes, Karmada, Clusterpedia and Kairship
// themselves.
const (
	customKind   = `^[a-z0-9-]+([.][a-z0-9-]+)+/[a-z0-9]+$`
	reservedKind = `^([a-z0-9-]+[.])*(k8s|kubernetes|karmada|kairship|clusterpedia)[.]io/`
)

// reservedNamespace matches the namespaces of the control plane, as role.Reserved does.
const reservedNamespace = `^(kube|karmada)-`

// named is the kinds that a policy may name, as the variable "kinds" writes them.
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

// selectors is the checks of what policies select, shared by all policies.
func selectors() ([]admissionregistrationv1.Variable, []admissionregistrationv1.Validation) {
	// Compares in lower case and by group only, so that no other version or spelling of a kind passes. A version with
	// two slashes is invalid, but Kubernetes' own parser reads it as a kind of the core group.
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

// propagation checks PropagationPolicies and ClusterPropagationPolicies.
func propagation() Policy {
	variables, validations := selectors()
	// With preemption Karmada claims what a selector names without checking whether it matches: one without a namespace
	// could name a cluster-scoped object.
	validations = append(validations, forbid(
		`variables.home == '' || !has(object.spec.preemption) || object.spec.preemption != 'Always' || variables.selectors.all(s, has(s.namespace) && s.namespace == variables.home)`,
		"", "spec.preemption: with Always, each of spec.resourceSelectors has to name the namespace of the policy"))
	// Karmada adds the policy's labels to an object that it moves to another cluster.
	aliases := `(has(object.spec.failover) ? ['application', 'cluster'] : []).filter(f, f in object.spec.failover && has(object.spec.failover[f].statePreservation) && has(object.spec.failover[f].statePreservation.rules))` +
		`.map(f, object.spec.failover[f].statePreservation.rules.filter(r, has(r.aliasLabelName) && ` + steers("r.aliasLabelName") + `).map(r, r.aliasLabelName)).filter(l, l.size() > 0)`
	labels, noLabel := findings("aliases", aliases, "spec.failover: statePreservation.rules[].aliasLabelName ",
		" is a label that steers Karmada or Kairship; allowed are labels without karmada.io and kairship.io")
	return policy("propagation",
		[]admissionregistrationv1.NamedRuleWithOperations{rule(karmadaPolicies, writes, "propagationpolicies", "clusterpropagationpolicies")},
		[]admissionregistrationv1.MatchCondition{unlessWorksWriter, unlessUnchanged},
		append(variables, labels), append(validations, noLabel))
}

// bindingsWriters are exempt from the policy about bindings: Karmada's scheduler, and the controller that deletes the
// content of a namespace.
const bindingsWriters = `(authorizer.group('work.karmada.io').resource('clusterresourcebindings').check('update').allowed() || ` +
	`request.operation == 'DELETE' && authorizer.group('work.karmada.io').resource('clusterresourcebindings').check('delete').allowed())`

// bindings protects the bindings that Karmada makes from a propagation policy. Without it an Admin of some namespaces
// could write them. Their labels matter as much as their spec: when one is deleted, Karmada finds by them what to
// remove from the members, whoever it belongs to.
func bindings() Policy {
	return policy("bindings",
		[]admissionregistrationv1.NamedRuleWithOperations{rule("work.karmada.io", all, "resourcebindings", "clusterresourcebindings")},
		[]admissionregistrationv1.MatchCondition{{Name: "may-not-write-bindings", Expression: "!" + bindingsWriters}}, nil, []admissionregistrationv1.Validation{forbid("false", "",
			"what is carried into members, and taken from there, is told by policies; bindings are written by Karmada and Admins of the instance")})
}
