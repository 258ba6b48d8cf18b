package loaders

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/propagation"
)

// knownKind is a kind that the read store is made to hold, so that no discovery is needed to read it.
type knownKind struct {
	gvk        schema.GroupVersionKind
	resource   string
	namespaced bool
	// Where it is kept, and whether people search for it there.
	controlPlane, member, searched bool
}

// knownKinds is in the order in which lists of several kinds break ties of name: by kind.
var knownKinds = []knownKind{
	{gvk("policy.karmada.io", "v1alpha1", "ClusterOverridePolicy"), "clusteroverridepolicies", false, true, false, true},
	{gvk("policy.karmada.io", "v1alpha1", "ClusterPropagationPolicy"), "clusterpropagationpolicies", false, true, false, true},
	{gvk("work.karmada.io", "v1alpha2", "ClusterResourceBinding"), "clusterresourcebindings", false, true, false, false},
	{gvk("policy.karmada.io", "v1alpha1", "ClusterTaintPolicy"), "clustertaintpolicies", false, true, false, true},
	{gvk("", "v1", "ConfigMap"), "configmaps", true, true, true, true},
	{gvk("apps", "v1", "ControllerRevision"), "controllerrevisions", true, true, false, false},
	{gvk("autoscaling.karmada.io", "v1alpha1", "CronFederatedHPA"), "cronfederatedhpas", true, true, false, true},
	{gvk("batch", "v1", "CronJob"), "cronjobs", true, true, true, true},
	{gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition"), "customresourcedefinitions", false, true, false, true},
	{gvk("apps", "v1", "DaemonSet"), "daemonsets", true, true, true, true},
	{gvk("apps", "v1", "Deployment"), "deployments", true, true, true, true},
	{gvk("", "v1", "Event"), "events", true, true, true, false},
	{gvk("autoscaling.karmada.io", "v1alpha1", "FederatedHPA"), "federatedhpas", true, true, false, true},
	{gvk("policy.karmada.io", "v1alpha1", "FederatedResourceQuota"), "federatedresourcequotas", true, true, false, true},
	{gvk("autoscaling", "v2", "HorizontalPodAutoscaler"), "horizontalpodautoscalers", true, true, true, true},
	{gvk("networking.k8s.io", "v1", "Ingress"), "ingresses", true, true, true, true},
	{gvk("batch", "v1", "Job"), "jobs", true, true, true, true},
	{gvk("networking.karmada.io", "v1alpha1", "MultiClusterService"), "multiclusterservices", true, true, false, true},
	{gvk("", "v1", "Namespace"), "namespaces", false, true, true, true},
	{gvk("", "v1", "Node"), "nodes", false, false, true, true},
	{gvk("policy.karmada.io", "v1alpha1", "OverridePolicy"), "overridepolicies", true, true, false, true},
	{gvk("", "v1", "PersistentVolumeClaim"), "persistentvolumeclaims", true, true, true, true},
	{gvk("", "v1", "Pod"), "pods", true, false, true, true},
	{gvk("policy.karmada.io", "v1alpha1", "PropagationPolicy"), "propagationpolicies", true, true, false, true},
	{gvk("apps", "v1", "ReplicaSet"), "replicasets", true, false, true, false},
	{gvk("work.karmada.io", "v1alpha2", "ResourceBinding"), "resourcebindings", true, true, false, false},
	{gvk("", "v1", "Service"), "services", true, true, true, true},
	{gvk("", "v1", "ServiceAccount"), "serviceaccounts", true, true, false, true},
	{gvk("apps", "v1", "StatefulSet"), "statefulsets", true, true, true, true},
	{gvk("work.karmada.io", "v1alpha1", "Work"), "works", true, true, false, false},
}

func gvk(group, version, kind string) schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: group, Version: version, Kind: kind}
}

func (k knownKind) gvr() schema.GroupVersionResource {
	return k.gvk.GroupVersion().WithResource(k.resource)
}

var byGVK, byGVR = indexKinds()

func indexKinds() (map[schema.GroupVersionKind]*knownKind, map[schema.GroupVersionResource]*knownKind) {
	kinds, resources := map[schema.GroupVersionKind]*knownKind{}, map[schema.GroupVersionResource]*knownKind{}
	for i := range knownKinds {
		k := &knownKinds[i]
		kinds[k.gvk], resources[k.gvr()] = k, k
	}
	return kinds, resources
}

// rankOf is where a resource stands among the known kinds.
func rankOf(gvr schema.GroupVersionResource) int {
	return slices.IndexFunc(knownKinds, func(k knownKind) bool { return k.gvr() == gvr })
}

// resourcesOf is the resources of kinds by their names.
func resourcesOf(kinds ...string) []schema.GroupVersionResource {
	out := make([]schema.GroupVersionResource, 0, len(kinds))
	for _, name := range kinds {
		for i := range knownKinds {
			if knownKinds[i].gvk.Kind == name {
				out = append(out, knownKinds[i].gvr())
			}
		}
	}
	return out
}

var workKind = gvk(model.WorkGroup, model.WorkVersion, "Work")

// Resources that edges lead to.
var (
	podResource        = resourcesOf("Pod")
	workResource       = resourcesOf("Work")
	nodeResource       = resourcesOf("Node")
	eventResource      = resourcesOf("Event")
	namespaceResource  = resourcesOf("Namespace")
	serviceResource    = resourcesOf("Service")
	revisionResource   = resourcesOf("ControllerRevision")
	replicaSetResource = resourcesOf("ReplicaSet")
	bindingResources   = resourcesOf("ClusterResourceBinding", "ResourceBinding")
	workloadResources  = resourcesOf("CronJob", "DaemonSet", "Deployment", "Job", "StatefulSet")
	policyResources    = resourcesOf("ClusterOverridePolicy", "ClusterPropagationPolicy", "OverridePolicy", "PropagationPolicy")
)

// decodeAs reads an object of a kind into the type that the graph has for it.
func decodeAs(kind schema.GroupVersionKind, instance, cluster string, raw []byte) (model.KubernetesObject, error) {
	if w, ok := model.WorkloadKindOf(kind); ok {
		if cluster != "" {
			return propagation.DecodeMemberWorkload(instance, cluster, w, raw)
		}
		return propagation.DecodeWorkload(instance, w, raw)
	}
	if cluster == "" {
		if p, ok := model.PolicyKindOf(kind.Group, kind.Kind); ok {
			meta, err := policy.Decode(p, instance, raw)
			if err != nil {
				return nil, err
			}
			return model.NewPolicy(meta), nil
		}
		switch kind.GroupKind() {
		case schema.GroupKind{Group: model.WorkGroup, Kind: "ResourceBinding"}, schema.GroupKind{Group: model.WorkGroup, Kind: "ClusterResourceBinding"}:
			return propagation.DecodeBinding(instance, raw)
		case schema.GroupKind{Group: model.WorkGroup, Kind: "Work"}:
			return propagation.DecodeWork(instance, raw)
		}
	}
	return objects.Decode(instance, cluster, kind, raw)
}

// decodeRow reads a row of a known kind.
func decodeRow(r pedia.Row) (model.KubernetesObject, pedia.Key, error) {
	kind := byGVR[r.GVR]
	if kind == nil {
		return nil, pedia.Key{}, fmt.Errorf("a row of %s, which is no known kind", r.GVR)
	}
	return decodeKind(kind.gvk)(r)
}

// decodeKind reads rows of one kind.
func decodeKind(kind schema.GroupVersionKind) pedia.Decode[model.KubernetesObject] {
	return func(r pedia.Row) (model.KubernetesObject, pedia.Key, error) {
		instance, cluster, _ := pedia.ParseCluster(r.Cluster)
		obj, err := decodeAs(kind, instance, cluster, r.Raw)
		if err != nil {
			return nil, pedia.Key{}, err
		}
		ref := obj.ObjectRef()
		return obj, pedia.Key{Cluster: r.Cluster, GVR: r.GVR, Namespace: ref.Namespace, Name: ref.Name}, nil
	}
}

// decodeInto reads rows into the one type that their kinds have.
func decodeInto[T model.KubernetesObject](r pedia.Row) (row T, key pedia.Key, err error) {
	obj, key, err := decodeRow(r)
	if err != nil {
		return row, key, err
	}
	row, ok := obj.(T)
	if !ok {
		return row, key, fmt.Errorf("a row of %s is a %T", r.GVR, obj)
	}
	return row, key, nil
}
