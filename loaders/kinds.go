package loaders

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/propagation"
)

var workKind = schema.GroupVersionKind{Group: model.WorkGroup, Version: model.WorkVersion, Kind: "Work"}

// Resources that edges lead to.
var (
	podResource        = catalog.Resources("Pod")
	workResource       = catalog.Resources("Work")
	nodeResource       = catalog.Resources("Node")
	eventResource      = catalog.Resources("Event")
	namespaceResource  = catalog.Resources("Namespace")
	serviceResource    = catalog.Resources("Service")
	revisionResource   = catalog.Resources("ControllerRevision")
	replicaSetResource = catalog.Resources("ReplicaSet")
	bindingResources   = catalog.Resources("ClusterResourceBinding", "ResourceBinding")
	workloadResources  = catalog.Resources("CronJob", "DaemonSet", "Deployment", "Job", "StatefulSet")
	policyResources    = catalog.Resources("ClusterOverridePolicy", "ClusterPropagationPolicy", "OverridePolicy", "PropagationPolicy")
)

// decodeRow reads a row of a known kind.
func decodeRow(r sql.Row) (model.KubernetesObject, sql.Key, error) {
	kind := catalog.ByGVR(r.GVR)
	if kind == nil {
		return nil, sql.Key{}, fmt.Errorf("a row of %s, which is no known kind", r.GVR)
	}
	return decodeKind(kind.GVK)(r)
}

// decodeKind reads rows of one kind.
func decodeKind(kind schema.GroupVersionKind) pedia.Decode[model.KubernetesObject] {
	return func(r sql.Row) (model.KubernetesObject, sql.Key, error) {
		instance, cluster, _ := pediacluster.Parse(r.Cluster)
		obj, err := propagation.Decode(kind, instance, cluster, r.Raw)
		if err != nil {
			return nil, sql.Key{}, err
		}
		ref := obj.ObjectRef()
		return obj, sql.Key{Cluster: r.Cluster, GVR: r.GVR, Namespace: ref.Namespace, Name: ref.Name}, nil
	}
}

// decodeInto reads rows into the common type of their kinds.
func decodeInto[T model.KubernetesObject](r sql.Row) (row T, key sql.Key, err error) {
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
