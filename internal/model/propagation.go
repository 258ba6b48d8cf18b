package model

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// Propagation is how an object is propagated and what became of it in each cluster.
type Propagation struct {
	// Claim names the policy that claims the object; nil when none does.
	Claim *PolicyClaim
	// Binding carries it to the clusters; nil when there is none.
	Binding   *ResourceBinding
	Scheduled Fact
	Applied   Fact
	Healthy   Fact
	// Targets is sorted by cluster name.
	Targets []*PropagationTarget
}

// PolicyClaim names the policy that claims an object, as Karmada recorded it on the object.
type PolicyClaim struct {
	Ref Ref
	// Batch is the workloads that were read together with the claimed one; nil when it came alone.
	Batch *Batch
}

// PlacementReason says why a cluster is among the targets.
type PlacementReason string

// The reasons of a placement.
const (
	PlacementScheduled  PlacementReason = "SCHEDULED"
	PlacementRequiredBy PlacementReason = "REQUIRED_BY"
	PlacementEvicting   PlacementReason = "EVICTING"
)

// PropagationTarget is one object in one cluster.
type PropagationTarget struct {
	InstanceName string
	ClusterName  string
	// DesiredReplicas is what the scheduler assigned; nil when the kind has none.
	DesiredReplicas *int32
	Scheduled       Fact
	Applied         Fact
	Healthy         Fact
	// Status is the member's status as Karmada aggregated it; nil until it was collected.
	Status *TargetStatus
	Reason PlacementReason
}

// TargetStatus is a workload's status in one cluster; what a kind does not have is nil.
type TargetStatus struct {
	Replicas  *int32
	Ready     *int32
	Updated   *int32
	Available *int32
	Active    *int32
	Succeeded *int32
	Failed    *int32
}

// ResourceBinding is Karmada's record of which object goes to which clusters: what the schema shows of
// a (Cluster)ResourceBinding, and below it what the propagation is computed from.
type ResourceBinding struct {
	Kind                        string
	Namespace                   *string
	Name                        string
	CreatedAt                   time.Time
	SchedulerObservedGeneration *int64
	Suspended                   bool
	Conditions                  []Condition

	InstanceName string
	Generation   int64
	DeletedAt    *time.Time
	// LastScheduledAt is when the scheduler last finished well; nil when it never did.
	LastScheduledAt *time.Time
	// Replicas is the template's replicas as the binding knows them (spec.replicas); 0 also for kinds
	// that have none.
	Replicas int32
	// Components says that it carries several pod templates, which Replicas does not count.
	Components bool
	// Divided says that the replicas are divided among the clusters, not copied to each.
	Divided bool
	// DispatchSuspended says that changes are sent to no cluster, DispatchSuspendedOn to which ones not.
	DispatchSuspended   bool
	DispatchSuspendedOn []string
	// Resource is the object it carries. A binding's name leaves out the API group, so that this and
	// not the name tells whose it is.
	Resource BoundResource
	// Clusters is what the scheduler chose (spec.clusters).
	Clusters []TargetCluster
	// RequiredBy is the bindings that depend on this one, with their clusters (spec.requiredBy).
	RequiredBy []BindingSnapshot
	// Evicting is the clusters it is being moved away from (spec.gracefulEvictionTasks).
	Evicting []EvictionTask
	// Aggregated is the members' status (status.aggregatedStatus).
	Aggregated []AggregatedItem
}

// BoundResource names the object that a binding carries.
type BoundResource struct {
	GVK             schema.GroupVersionKind
	Namespace       string
	Name            string
	UID             types.UID
	ResourceVersion string
}

// TargetCluster is a cluster that the scheduler chose; Replicas is 0 for kinds that have none.
type TargetCluster struct {
	Name     string
	Replicas int32
}

// BindingSnapshot is a binding that depends on another one.
type BindingSnapshot struct {
	Namespace string
	Name      string
	Clusters  []TargetCluster
}

// EvictionTask is a cluster that an object is being moved away from.
type EvictionTask struct {
	Cluster   string
	Replicas  *int32
	Reason    string
	Message   string
	CreatedAt *time.Time
}

// Health is what Karmada's interpreter says of an object in a member.
type Health string

// The values of Health.
const (
	Healthy       Health = "Healthy"
	Unhealthy     Health = "Unhealthy"
	HealthUnknown Health = "Unknown"
)

// AggregatedItem is what Karmada collected from one member.
type AggregatedItem struct {
	ClusterName string
	// Applied says whether the member holds the object.
	Applied bool
	// AppliedMessage is the API server's own words when it does not.
	AppliedMessage string
	Health         Health
	// Status is the member's status subresource as the interpreter reflected it, raw JSON; nil until
	// it was collected.
	Status []byte
}
