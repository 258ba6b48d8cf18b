package karmada

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// ranks is the order in which kinds are applied: dependencies first. Override policies go before propagation
// policies, which send objects on their way, and both before what they select, so that nothing arrives in a cluster
// without them.
var ranks = func() map[schema.GroupKind]int {
	ordered := [][]schema.GroupKind{
		{{Kind: "Namespace"}},
		{{Group: "apiextensions.k8s.io", Kind: "CustomResourceDefinition"}},
		{{Group: "policy.karmada.io", Kind: "ClusterOverridePolicy"}, {Group: "policy.karmada.io", Kind: "OverridePolicy"}},
		{{Group: "policy.karmada.io", Kind: "ClusterPropagationPolicy"}, {Group: "policy.karmada.io", Kind: "PropagationPolicy"},
			{Group: "policy.karmada.io", Kind: "ClusterTaintPolicy"}, {Group: "policy.karmada.io", Kind: "FederatedResourceQuota"}},
		{{Group: "scheduling.k8s.io", Kind: "PriorityClass"}, {Group: "storage.k8s.io", Kind: "StorageClass"},
			{Kind: "ResourceQuota"}, {Kind: "LimitRange"}, {Group: "networking.k8s.io", Kind: "NetworkPolicy"}},
		{{Kind: "ServiceAccount"}},
		{{Kind: "Secret"}, {Kind: "ConfigMap"}, {Kind: "PersistentVolume"}, {Kind: "PersistentVolumeClaim"}},
		{{Group: "rbac.authorization.k8s.io", Kind: "ClusterRole"}, {Group: "rbac.authorization.k8s.io", Kind: "Role"}},
		{{Group: "rbac.authorization.k8s.io", Kind: "ClusterRoleBinding"}, {Group: "rbac.authorization.k8s.io", Kind: "RoleBinding"}},
		{{Kind: "Service"}},
		{{Kind: "Pod"}, {Group: "apps", Kind: "Deployment"}, {Group: "apps", Kind: "StatefulSet"}, {Group: "apps", Kind: "DaemonSet"},
			{Group: "apps", Kind: "ReplicaSet"}, {Kind: "ReplicationController"}, {Group: "batch", Kind: "Job"}, {Group: "batch", Kind: "CronJob"}},
	}
	out := map[schema.GroupKind]int{}
	for i, kinds := range ordered {
		for _, k := range kinds {
			out[k] = i + 1
		}
	}
	return out
}()

// order sorts documents for applying: by rank, all other kinds last, and equals in the given order.
func order(docs []*document) []*document {
	out := slices.Clone(docs)
	rank := func(d *document) int {
		if r, ok := ranks[d.gvk.GroupKind()]; ok {
			return r
		}
		return len(ranks) + 1
	}
	slices.SortStableFunc(out, func(a, b *document) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}
