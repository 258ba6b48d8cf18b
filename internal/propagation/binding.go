package propagation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/wire"
)

type targetCluster struct {
	Name     string `json:"name"`
	Replicas int32  `json:"replicas"`
}

// binding is the fields of a work.karmada.io/v1alpha2 (Cluster)ResourceBinding that propagation is
// computed from.
type binding struct {
	Metadata objects.Meta `json:"metadata"`
	Spec     struct {
		Resource struct {
			APIVersion      string    `json:"apiVersion"`
			Kind            string    `json:"kind"`
			Namespace       string    `json:"namespace"`
			Name            string    `json:"name"`
			UID             types.UID `json:"uid"`
			ResourceVersion string    `json:"resourceVersion"`
		} `json:"resource"`
		Replicas   int32           `json:"replicas"`
		Components []wire.Raw      `json:"components"`
		Clusters   []targetCluster `json:"clusters"`
		Placement  struct {
			ReplicaScheduling struct {
				Type string `json:"replicaSchedulingType"`
			} `json:"replicaScheduling"`
		} `json:"placement"`
		RequiredBy []struct {
			Namespace string          `json:"namespace"`
			Name      string          `json:"name"`
			Clusters  []targetCluster `json:"clusters"`
		} `json:"requiredBy"`
		GracefulEvictionTasks []struct {
			FromCluster       string     `json:"fromCluster"`
			Replicas          *int32     `json:"replicas"`
			Reason            string     `json:"reason"`
			Message           string     `json:"message"`
			CreationTimestamp *time.Time `json:"creationTimestamp"`
		} `json:"gracefulEvictionTasks"`
		Suspension struct {
			Scheduling            bool `json:"scheduling"`
			Dispatching           bool `json:"dispatching"`
			DispatchingOnClusters struct {
				ClusterNames []string `json:"clusterNames"`
			} `json:"dispatchingOnClusters"`
		} `json:"suspension"`
	} `json:"spec"`
	Status struct {
		SchedulerObservedGeneration *int64      `json:"schedulerObservedGeneration"`
		LastScheduledTime           *time.Time  `json:"lastScheduledTime"`
		Conditions                  []condition `json:"conditions"`
		AggregatedStatus            []struct {
			ClusterName    string   `json:"clusterName"`
			Status         wire.Raw `json:"status"`
			Applied        bool     `json:"applied"`
			AppliedMessage string   `json:"appliedMessage"`
			Health         string   `json:"health"`
		} `json:"aggregatedStatus"`
	} `json:"status"`
}

type condition struct {
	Type               string     `json:"type"`
	Status             string     `json:"status"`
	Reason             string     `json:"reason"`
	Message            string     `json:"message"`
	LastTransitionTime *time.Time `json:"lastTransitionTime"`
}

// DecodeBinding reads a ResourceBinding or ClusterResourceBinding (work.karmada.io/v1alpha2) from JSON.
func DecodeBinding(instance string, raw []byte) (*model.ResourceBinding, error) {
	var b binding
	if err := wire.Unmarshal(raw, &b); err != nil {
		return nil, fmt.Errorf("decode binding of instance %q: %w", instance, err)
	}
	if b.Metadata.Name == "" {
		return nil, fmt.Errorf("decode binding of instance %q: %w", instance, errors.New("metadata.name is empty"))
	}
	gv, err := schema.ParseGroupVersion(b.Spec.Resource.APIVersion)
	if err != nil {
		return nil, fmt.Errorf("decode binding %q of instance %q: spec.resource.apiVersion: %w", b.Metadata.Name, instance, err)
	}
	out := &model.ResourceBinding{
		Kind:                        "ClusterResourceBinding",
		Name:                        b.Metadata.Name,
		CreatedAt:                   b.Metadata.CreationTimestamp,
		SchedulerObservedGeneration: b.Status.SchedulerObservedGeneration,
		Suspended:                   b.Spec.Suspension.Scheduling,
		Conditions:                  conditions(b.Status.Conditions),
		InstanceName:                instance,
		Generation:                  b.Metadata.Generation,
		DeletedAt:                   b.Metadata.DeletionTimestamp,
		LastScheduledAt:             b.Status.LastScheduledTime,
		Replicas:                    b.Spec.Replicas,
		Components:                  len(b.Spec.Components) > 0,
		Divided:                     b.Spec.Placement.ReplicaScheduling.Type == "Divided",
		DispatchSuspended:           b.Spec.Suspension.Dispatching,
		DispatchSuspendedOn:         b.Spec.Suspension.DispatchingOnClusters.ClusterNames,
		Resource: model.BoundResource{
			GVK:             gv.WithKind(b.Spec.Resource.Kind),
			Namespace:       b.Spec.Resource.Namespace,
			Name:            b.Spec.Resource.Name,
			UID:             b.Spec.Resource.UID,
			ResourceVersion: b.Spec.Resource.ResourceVersion,
		},
		Clusters: targetClusters(b.Spec.Clusters),
	}
	// Rows of a list come without their kind.
	if b.Metadata.Namespace != "" {
		out.Kind, out.Namespace = "ResourceBinding", &b.Metadata.Namespace
	}
	for _, r := range b.Spec.RequiredBy {
		out.RequiredBy = append(out.RequiredBy, model.BindingSnapshot{
			Namespace: r.Namespace, Name: r.Name, Clusters: targetClusters(r.Clusters)})
	}
	for _, e := range b.Spec.GracefulEvictionTasks {
		out.Evicting = append(out.Evicting, model.EvictionTask{
			Cluster: e.FromCluster, Replicas: e.Replicas, Reason: e.Reason, Message: e.Message, CreatedAt: e.CreationTimestamp})
	}
	for _, a := range b.Status.AggregatedStatus {
		item := model.AggregatedItem{ClusterName: a.ClusterName, Applied: a.Applied,
			AppliedMessage: a.AppliedMessage, Health: model.Health(cmp.Or(a.Health, string(model.HealthUnknown)))}
		if len(a.Status) > 0 && string(a.Status) != "null" {
			item.Status = a.Status
		}
		out.Aggregated = append(out.Aggregated, item)
	}
	return out, nil
}

func targetClusters(in []targetCluster) []model.TargetCluster {
	if len(in) == 0 {
		return nil
	}
	out := make([]model.TargetCluster, len(in))
	for i, c := range in {
		out[i] = model.TargetCluster(c)
	}
	return out
}

// conditions is never nil, and sorted by type.
func conditions(in []condition) []model.Condition {
	out := make([]model.Condition, 0, len(in))
	for _, c := range in {
		out = append(out, model.Condition{Type: c.Type, Status: truth(c.Status), Reason: c.Reason,
			Message: c.Message, Since: c.LastTransitionTime})
	}
	slices.SortFunc(out, func(a, b model.Condition) int { return cmp.Compare(a.Type, b.Type) })
	return out
}

func truth(status string) model.FactValue {
	switch status {
	case "True":
		return model.FactTrue
	case "False":
		return model.FactFalse
	}
	return model.FactUnknown
}
