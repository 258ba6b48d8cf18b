package model

import (
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
)

// WorkGroup is the API group of bindings and Works.
const WorkGroup = "work.karmada.io"

// BindingVersion is the version in which Kairship reads and names bindings.
const BindingVersion = "v1alpha2"

// ResourceBinding is Karmada's record of which object goes to which clusters: a ResourceBinding or a
// ClusterResourceBinding. Claim is the policy that claims the object it carries.
type ResourceBinding struct {
	Object

	// SchedulerObservedGeneration is the generation that the scheduler last processed successfully; nil when none.
	SchedulerObservedGeneration *int64
	// LastScheduledAt is when scheduling last succeeded; nil when it never did.
	LastScheduledAt *time.Time
	SchedulerName   string
	// Suspended says that scheduling is suspended.
	Suspended          bool
	ConflictResolution ConflictResolution
	// Replicas is the template's replicas as the binding knows them (spec.replicas); nil for kinds that
	// have none.
	Replicas *int32
	// Conditions is sorted by type; never nil.
	Conditions []Condition
	// Clusters is what the scheduler chose (spec.clusters), by name; never nil.
	Clusters []BindingCluster
	// Members is what Karmada collected from the members (status.aggregatedStatus), by name; never nil.
	Members []BindingMember
	// Evictions is the clusters that the object is being moved away from (spec.gracefulEvictionTasks), by name; never
	// nil.
	Evictions []Eviction
	// RequiredBy is the bindings that depend on this one, with their clusters (spec.requiredBy); never
	// nil.
	RequiredBy []DependentBinding

	// PermanentID is the label that its Works carry too; empty when it has none yet.
	PermanentID string
	// Components says that it carries several pod templates, which Replicas does not count.
	Components bool
	// Divided says that the replicas are divided among the clusters, not copied to each.
	Divided bool
	// DispatchSuspended says that changes are sent to no cluster, DispatchSuspendedOn names the clusters to which none
	// are sent.
	DispatchSuspended   bool
	DispatchSuspendedOn []string
	// Resource is the object it carries. A binding's name leaves out the API group, so only this identifies the object.
	Resource BoundResource
	// PropagateDeps says that what its object depends on goes along with it.
	PropagateDeps bool
	// DependsOn is what is propagated along with its object, as Karmada found it in the template.
	DependsOn []Dependency
}

// TemplateRef names the object that it carries.
func (b *ResourceBinding) TemplateRef() Ref {
	return Ref{Instance: b.Ref.Instance, GVK: b.Resource.GVK, Namespace: b.Resource.Namespace, Name: b.Resource.Name}
}

// BoundResource names the object that a binding carries.
type BoundResource struct {
	GVK             schema.GroupVersionKind
	Namespace       string
	Name            string
	UID             types.UID
	ResourceVersion string
}

// ConflictResolution says what Karmada does where a member already holds an object of the same name that Karmada does
// not manage.
type ConflictResolution string

// The ways to resolve a conflict.
const (
	ConflictAbort     ConflictResolution = "ABORT"
	ConflictOverwrite ConflictResolution = "OVERWRITE"
)

// BindingCluster is a cluster that the scheduler chose.
type BindingCluster struct {
	InstanceName string
	ClusterName  string
	// Replicas is nil for kinds that have none.
	Replicas *int32
}

// DependentBinding is a binding that depends on another one.
type DependentBinding struct {
	// Ref names it; the kind follows from its namespace.
	Ref Ref
	// Clusters is where it is scheduled to, by name; never nil.
	Clusters []string
	// Replicas is its replicas in each of Clusters, in the same order; zero for kinds that have none.
	Replicas []int32
}

// Namespace is nil for a ClusterResourceBinding.
func (d *DependentBinding) Namespace() *string { return optional(d.Ref.Namespace) }

// Name is the binding's name.
func (d *DependentBinding) Name() string { return d.Ref.Name }

// Dependency is an object, or several selected by labels, that is propagated along with another object.
type Dependency struct {
	// Ref has no name when the objects are selected by their labels.
	Ref Ref
	// LabelSelector is empty when the object is named.
	LabelSelector string
}

// Eviction is a cluster that an object is being moved away from.
type Eviction struct {
	InstanceName string
	ClusterName  string
	// Replicas is nil for kinds that have none.
	Replicas *int32
	Reason   string
	Message  string
	Producer string
	Since    *time.Time
}

// ResourceHealth is the health of an object in a member by Karmada's interpreter.
type ResourceHealth string

// The health states of Karmada.
const (
	Healthy       ResourceHealth = "HEALTHY"
	Unhealthy     ResourceHealth = "UNHEALTHY"
	HealthUnknown ResourceHealth = "UNKNOWN"
)

// BindingMember is what Karmada collected from one member.
type BindingMember struct {
	InstanceName string
	ClusterName  string
	// Applied says whether the member holds the object.
	Applied bool
	// Message is the API server's own message when it does not.
	Message string
	Health  ResourceHealth
	// Status is the member's status subresource as the interpreter reflected it, raw JSON; nil until
	// it was collected.
	Status []byte
}

// ResourceBindingConnection is a page of bindings.
type ResourceBindingConnection = Connection[*ResourceBinding]

// ResourceBindingEdge is a row of a page of bindings.
type ResourceBindingEdge = Edge[*ResourceBinding]
