package propagation

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Labels and annotations with which Karmada links bindings and Works.
const (
	bindingID        = "resourcebinding.karmada.io/permanent-id"
	clusterBindingID = "clusterresourcebinding.karmada.io/permanent-id"
	dependenciesOf   = "resourcebinding.karmada.io/dependencies"
)

type targetCluster struct {
	Name     string `json:"name"`
	Replicas int32  `json:"replicas"`
}

// binding is the fields of a work.karmada.io/v1alpha2 (Cluster)ResourceBinding that propagation is computed from.
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
		Replicas            int32           `json:"replicas"`
		ReplicaRequirements jsonv2.Part     `json:"replicaRequirements"`
		SchedulerName       string          `json:"schedulerName"`
		PropagateDeps       bool            `json:"propagateDeps"`
		ConflictResolution  string          `json:"conflictResolution"`
		Components          []jsonv2.Part   `json:"components"`
		Clusters            []targetCluster `json:"clusters"`
		Placement           struct {
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
			Producer          string     `json:"producer"`
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
		SchedulerObservedGeneration *int64       `json:"schedulerObservedGeneration"`
		LastScheduledTime           *time.Time   `json:"lastScheduledTime"`
		Conditions                  []condition  `json:"conditions"`
		AggregatedStatus            []aggregated `json:"aggregatedStatus"`
	} `json:"status"`
}

// aggregated is what Karmada collected of a cluster.
type aggregated struct {
	ClusterName    string      `json:"clusterName"`
	Status         jsonv2.Part `json:"status"`
	Applied        bool        `json:"applied"`
	AppliedMessage string      `json:"appliedMessage"`
	Health         string      `json:"health"`
}

// lists are where the clusters of a binding are decoded into, for the next one again: each has two lists of them, which a
// decoder makes larger element by element.
type lists struct {
	chosen   []targetCluster
	reported []aggregated
}

var listsPool = sync.Pool{New: func() any { return &lists{} }}

// mostKept is how many clusters are kept room for.
const mostKept = 1000

// free keeps the room of a binding's lists, and nothing of what they held.
func (l *lists) free(b *binding) {
	if l.chosen, l.reported = b.Spec.Clusters, b.Status.AggregatedStatus; max(cap(l.chosen), cap(l.reported)) > mostKept {
		return
	}
	clear(l.chosen[:cap(l.chosen)])
	clear(l.reported[:cap(l.reported)])
	listsPool.Put(l)
}

type condition struct {
	Type               string     `json:"type"`
	Status             string     `json:"status"`
	Reason             string     `json:"reason"`
	Message            string     `json:"message"`
	LastTransitionTime *time.Time `json:"lastTransitionTime"`
}

// DecodeBinding reads a ResourceBinding or ClusterResourceBinding (work.karmada.io/v1alpha2) from JSON.
// The binding keeps raw, which must not be changed afterwards.
func DecodeBinding(instance string, raw []byte) (*model.ResourceBinding, error) {
	var b binding
	into := listsPool.Get().(*lists)
	b.Spec.Clusters, b.Status.AggregatedStatus = into.chosen[:0], into.reported[:0]
	defer into.free(&b)
	if err := jsonv2.Unmarshal(raw, &b); err != nil {
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
		Object:                      b.Metadata.Object(BindingRef(instance, b.Metadata.Namespace, b.Metadata.Name), raw),
		PermanentID:                 cmp.Or(b.Metadata.Labels[bindingID], b.Metadata.Labels[clusterBindingID]),
		SchedulerObservedGeneration: b.Status.SchedulerObservedGeneration,
		LastScheduledAt:             b.Status.LastScheduledTime,
		SchedulerName:               b.Spec.SchedulerName,
		Suspended:                   b.Spec.Suspension.Scheduling,
		ConflictResolution:          model.ConflictAbort,
		Conditions:                  conditions(b.Status.Conditions),
		Components:                  len(b.Spec.Components) > 0,
		Divided:                     b.Spec.Placement.ReplicaScheduling.Type == "Divided",
		DispatchSuspended:           b.Spec.Suspension.Dispatching,
		DispatchSuspendedOn:         b.Spec.Suspension.DispatchingOnClusters.ClusterNames,
		PropagateDeps:               b.Spec.PropagateDeps,
		DependsOn:                   dependencies(instance, b.Metadata.Annotations[dependenciesOf]),
		Resource: model.BoundResource{
			GVK:             gv.WithKind(b.Spec.Resource.Kind),
			Namespace:       b.Spec.Resource.Namespace,
			Name:            b.Spec.Resource.Name,
			UID:             b.Spec.Resource.UID,
			ResourceVersion: b.Spec.Resource.ResourceVersion,
		},
		Clusters:   make([]model.BindingCluster, 0, len(b.Spec.Clusters)),
		RequiredBy: make([]model.DependentBinding, 0, len(b.Spec.RequiredBy)),
		Evictions:  make([]model.Eviction, 0, len(b.Spec.GracefulEvictionTasks)),
		Members:    make([]model.BindingMember, 0, len(b.Status.AggregatedStatus)),
	}
	if b.Spec.ConflictResolution == "Overwrite" {
		out.ConflictResolution = model.ConflictOverwrite
	}
	counted := b.counted()
	var replicas []int32 // in all, then in each cluster
	if counted {
		replicas = append(make([]int32, 0, 1+len(b.Spec.Clusters)), b.Spec.Replicas)
		out.Replicas = &replicas[0]
	}
	for i, c := range b.Spec.Clusters {
		chosen := model.BindingCluster{InstanceName: instance, ClusterName: c.Name}
		if counted {
			replicas = append(replicas, c.Replicas)
			chosen.Replicas = &replicas[1+i]
		}
		out.Clusters = append(out.Clusters, chosen)
	}
	for _, r := range b.Spec.RequiredBy {
		out.RequiredBy = append(out.RequiredBy, dependent(BindingRef(instance, r.Namespace, r.Name), r.Clusters))
	}
	for _, e := range b.Spec.GracefulEvictionTasks {
		out.Evictions = append(out.Evictions, model.Eviction{InstanceName: instance, ClusterName: e.FromCluster,
			Replicas: e.Replicas, Reason: e.Reason, Message: e.Message, Producer: e.Producer, Since: e.CreationTimestamp})
	}
	for _, a := range b.Status.AggregatedStatus {
		member := model.BindingMember{InstanceName: instance, ClusterName: a.ClusterName, Applied: a.Applied,
			Message: a.AppliedMessage, Health: health(a.Health)}
		if len(a.Status) > 0 && string(a.Status) != "null" {
			member.Status = a.Status
		}
		out.Members = append(out.Members, member)
	}
	slices.SortFunc(out.Clusters, func(a, b model.BindingCluster) int { return cmp.Compare(a.ClusterName, b.ClusterName) })
	slices.SortStableFunc(out.Evictions, func(a, b model.Eviction) int { return cmp.Compare(a.ClusterName, b.ClusterName) })
	slices.SortFunc(out.Members, func(a, b model.BindingMember) int { return cmp.Compare(a.ClusterName, b.ClusterName) })
	return out, nil
}

// BindingRef names a binding of an instance: a ClusterResourceBinding when it has no namespace.
func BindingRef(instance, namespace, name string) model.Ref {
	kind := "ClusterResourceBinding"
	if namespace != "" {
		kind = "ResourceBinding"
	}
	return model.Ref{Instance: instance, Namespace: namespace, Name: name,
		GVK: schema.GroupVersionKind{Group: model.WorkGroup, Version: model.BindingVersion, Kind: kind}}
}

// counted reports whether the kind has replicas at all. Zero is omitted from the JSON, so kinds whose replicas Karmada
// knows count in any case.
func (b *binding) counted() bool {
	if b.Spec.Replicas != 0 || len(b.Spec.ReplicaRequirements) > 0 {
		return true
	}
	switch b.Spec.Resource.APIVersion + "/" + b.Spec.Resource.Kind {
	case "apps/v1/Deployment", "apps/v1/StatefulSet", "batch/v1/Job":
		return true
	}
	return false
}

func dependent(ref model.Ref, clusters []targetCluster) model.DependentBinding {
	slices.SortFunc(clusters, func(a, b targetCluster) int { return cmp.Compare(a.Name, b.Name) })
	d := model.DependentBinding{Ref: ref, Clusters: make([]string, len(clusters)), Replicas: make([]int32, len(clusters))}
	for i, c := range clusters {
		d.Clusters[i], d.Replicas[i] = c.Name, c.Replicas
	}
	return d
}

// dependencies reads the annotation in which Karmada records an object's dependencies. One that cannot be read is
// ignored, to keep the binding.
func dependencies(instance, annotation string) []model.Dependency {
	if annotation == "" {
		return nil
	}
	var refs []struct {
		APIVersion    string                `json:"apiVersion"`
		Kind          string                `json:"kind"`
		Namespace     string                `json:"namespace"`
		Name          string                `json:"name"`
		LabelSelector *metav1.LabelSelector `json:"labelSelector"`
	}
	if err := jsonv2.Unmarshal([]byte(annotation), &refs); err != nil {
		return nil
	}
	out := make([]model.Dependency, 0, len(refs))
	for _, r := range refs {
		gv, err := schema.ParseGroupVersion(r.APIVersion)
		if err != nil {
			continue
		}
		d := model.Dependency{Ref: model.Ref{Instance: instance, GVK: gv.WithKind(r.Kind), Namespace: r.Namespace, Name: r.Name}}
		if r.LabelSelector != nil {
			d.LabelSelector = metav1.FormatLabelSelector(r.LabelSelector)
		}
		out = append(out, d)
	}
	return out
}

func health(s string) model.ResourceHealth {
	switch s {
	case "Healthy":
		return model.Healthy
	case "Unhealthy":
		return model.Unhealthy
	}
	return model.HealthUnknown
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
