// Package catalog is the table of the kinds that Kairship reads: it decides what the read store keeps, and where
// lists, edges and searches look. Kinds that are not in it are found by discovery. It does no I/O.
package catalog

import (
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Kept says whether the read store keeps the objects of a kind.
type Kept int

// Whether a kind is kept.
const (
	// No: they are read only from API servers, as the person who asks.
	No Kept = iota
	// ByDefault: unless an Instance chooses other kinds.
	ByDefault
	// Always: whatever an Instance chooses.
	Always
)

// Kind is one kind.
type Kind struct {
	GVK      schema.GroupVersionKind
	Resource string
	// ShortName is kubectl's short name of the resource; empty for none.
	ShortName  string
	Namespaced bool
	// ControlPlane and Member say whether the read store keeps it there.
	ControlPlane, Member Kept
	// Searched includes the kind in searches by name.
	Searched bool
	// Pinned asks the read store for this version, even where API servers prefer another.
	Pinned bool
}

// GVR is the kind's resource.
func (k *Kind) GVR() schema.GroupVersionResource {
	return k.GVK.GroupVersion().WithResource(k.Resource)
}

// KeptIn reports whether the read store keeps the kind by default in a member, or in control planes when member is
// empty.
func (k *Kind) KeptIn(member string) bool {
	if member == "" {
		return k.ControlPlane != No
	}
	return k.Member != No
}

// kinds is sorted by kind: lists of several kinds order objects of the same name so.
var kinds = []Kind{
	{gvk("policy.karmada.io", "v1alpha1", "ClusterOverridePolicy"), "clusteroverridepolicies", "cop", false, ByDefault, No, true, true},
	{gvk("policy.karmada.io", "v1alpha1", "ClusterPropagationPolicy"), "clusterpropagationpolicies", "cpp", false, ByDefault, No, true, true},
	{gvk("work.karmada.io", "v1alpha2", "ClusterResourceBinding"), "clusterresourcebindings", "crb", false, Always, No, false, true},
	{gvk("policy.karmada.io", "v1alpha1", "ClusterTaintPolicy"), "clustertaintpolicies", "", false, ByDefault, No, true, true},
	{gvk("", "v1", "ConfigMap"), "configmaps", "cm", true, ByDefault, ByDefault, true, false},
	{gvk("apps", "v1", "ControllerRevision"), "controllerrevisions", "", true, ByDefault, No, false, false},
	{gvk("autoscaling.karmada.io", "v1alpha1", "CronFederatedHPA"), "cronfederatedhpas", "cronfhpa", true, ByDefault, No, true, true},
	{gvk("batch", "v1", "CronJob"), "cronjobs", "cj", true, ByDefault, ByDefault, true, false},
	{gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), "customresourcedefinitions", "crd", false, ByDefault, No, true, true},
	{gvk("apps", "v1", "DaemonSet"), "daemonsets", "ds", true, ByDefault, ByDefault, true, false},
	{gvk("apps", "v1", "Deployment"), "deployments", "deploy", true, ByDefault, ByDefault, true, false},
	{gvk("", "v1", "Event"), "events", "ev", true, ByDefault, ByDefault, false, false},
	{gvk("autoscaling.karmada.io", "v1alpha1", "FederatedHPA"), "federatedhpas", "fhpa", true, ByDefault, No, true, true},
	{gvk("policy.karmada.io", "v1alpha1", "FederatedResourceQuota"), "federatedresourcequotas", "", true, ByDefault, No, true, true},
	{gvk("autoscaling", "v2", "HorizontalPodAutoscaler"), "horizontalpodautoscalers", "hpa", true, ByDefault, ByDefault, true, true},
	{gvk("networking.k8s.io", "v1", "Ingress"), "ingresses", "ing", true, ByDefault, ByDefault, true, false},
	{gvk("batch", "v1", "Job"), "jobs", "", true, ByDefault, ByDefault, true, false},
	{gvk("networking.karmada.io", "v1alpha1", "MultiClusterService"), "multiclusterservices", "mcs", true, ByDefault, No, true, true},
	{gvk("", "v1", "Namespace"), "namespaces", "ns", false, Always, Always, true, false},
	{gvk("", "v1", "Node"), "nodes", "no", false, No, ByDefault, true, false},
	{gvk("policy.karmada.io", "v1alpha1", "OverridePolicy"), "overridepolicies", "op", true, ByDefault, No, true, true},
	{gvk("", "v1", "PersistentVolumeClaim"), "persistentvolumeclaims", "pvc", true, ByDefault, ByDefault, true, false},
	{gvk("", "v1", "Pod"), "pods", "po", true, No, ByDefault, true, false},
	{gvk("policy.karmada.io", "v1alpha1", "PropagationPolicy"), "propagationpolicies", "pp", true, ByDefault, No, true, true},
	{gvk("apps", "v1", "ReplicaSet"), "replicasets", "rs", true, No, ByDefault, false, false},
	{gvk("work.karmada.io", "v1alpha2", "ResourceBinding"), "resourcebindings", "rb", true, Always, No, false, true},
	{gvk("", "v1", "Service"), "services", "svc", true, ByDefault, ByDefault, true, false},
	{gvk("", "v1", "ServiceAccount"), "serviceaccounts", "sa", true, ByDefault, No, true, false},
	{gvk("apps", "v1", "StatefulSet"), "statefulsets", "sts", true, ByDefault, ByDefault, true, false},
	{gvk("work.karmada.io", "v1alpha1", "Work"), "works", "wk", true, ByDefault, No, false, true},
}

func gvk(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

var byGVK, byGVR = index()

func index() (map[schema.GroupVersionKind]*Kind, map[schema.GroupVersionResource]*Kind) {
	byKind, byResource := map[schema.GroupVersionKind]*Kind{}, map[schema.GroupVersionResource]*Kind{}
	for i := range kinds {
		k := &kinds[i]
		byKind[k.GVK], byResource[k.GVR()] = k, k
	}
	return byKind, byResource
}

// Kinds returns all kinds, ordered by name. They must not be changed.
func Kinds() []Kind { return kinds }

// ByGVK finds a kind; nil for one that is not in the catalogue.
func ByGVK(gvk schema.GroupVersionKind) *Kind { return byGVK[gvk] }

// ByGVR finds a kind by its resource; nil for one that is not in the catalogue.
func ByGVR(gvr schema.GroupVersionResource) *Kind { return byGVR[gvr] }

// Rank returns the position of a resource in the order of kinds; -1 for one that is not in the catalogue.
func Rank(gvr schema.GroupVersionResource) int {
	return slices.IndexFunc(kinds, func(k Kind) bool { return k.GVR() == gvr })
}

// Resources returns the resources of the kinds with these names.
func Resources(names ...string) []schema.GroupVersionResource {
	out := make([]schema.GroupVersionResource, 0, len(names))
	for _, name := range names {
		for i := range kinds {
			if kinds[i].GVK.Kind == name {
				out = append(out, kinds[i].GVR())
			}
		}
	}
	return out
}
