package model

// Propagation is how an object is propagated, and its state in each cluster.
type Propagation struct {
	// Object is what is propagated.
	Object *Object
	// Claim names the policy that claims the object; nil when none does.
	Claim *PolicyClaim
	// Binding carries it to the clusters; nil when there is none.
	Binding   *ResourceBinding
	Scheduled Fact
	Applied   Fact
	Healthy   Fact
	// Targets is sorted by cluster name.
	Targets []*PropagationTarget
	// RequiredBy is the bindings that depend on the object and propagate it along; never nil.
	RequiredBy []DependentBinding
}

// PolicyClaim names the policy that claims an object, as Karmada recorded it on the object.
type PolicyClaim struct {
	Ref Ref
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
	// Of is the propagation that it is a part of.
	Of           *Propagation
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
	// RequiredBy is the bindings that propagate the object along to this cluster; never nil, and empty where the
	// scheduler chose the cluster.
	RequiredBy []DependentBinding
	// Eviction is what moves the object away from the cluster; nil when nothing does.
	Eviction *Eviction
}

// MemberRef names the object as it is in the cluster.
func (t *PropagationTarget) MemberRef() Ref {
	ref := t.Of.Object.Ref
	ref.Cluster = t.ClusterName
	return ref
}

// TargetStatus is a workload's status in one cluster; fields that a kind does not have are nil.
type TargetStatus struct {
	Replicas  *int32
	Ready     *int32
	Updated   *int32
	Available *int32
	Active    *int32
	Succeeded *int32
	Failed    *int32
}

// AppliedOverride is what one override policy changed in one cluster.
type AppliedOverride struct {
	// Ref names the policy, as Karmada recorded it; it may be gone.
	Ref Ref
	// Changes lead from the object before the policy to the object after it; never nil.
	Changes []FieldChange
	// Note says why the changes are not complete; empty when they are.
	Note string
}

// PolicyKind is OVERRIDE or CLUSTER_OVERRIDE.
func (o *AppliedOverride) PolicyKind() PolicyKind {
	kind, _ := PolicyKindOf(o.Ref.GVK.Group, o.Ref.GVK.Kind)
	return kind
}

// PolicyNamespace is the policy's namespace; nil for a ClusterOverridePolicy.
func (o *AppliedOverride) PolicyNamespace() *string { return optional(o.Ref.Namespace) }

// PolicyName is the policy's name.
func (o *AppliedOverride) PolicyName() string { return o.Ref.Name }
