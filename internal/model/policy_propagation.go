package model

// ResourceSelector selects objects of one kind: by name, by labels, or all of them.
type ResourceSelector struct {
	APIVersion string
	Kind       string
	// Namespace is nil for the policy's own namespace, or for any namespace with a cluster-wide policy.
	Namespace *string
	// Name is nil for any; when it is set, LabelSelector is ignored.
	Name *string
	// LabelSelector is nil for any labels.
	LabelSelector *LabelSelector
}

// LabelSelector is conditions on labels that must all hold; an empty one matches everything.
type LabelSelector struct {
	MatchLabels      []KeyValue
	MatchExpressions []SelectorRequirement
}

// SelectorOperator is how a label or a field is compared.
type SelectorOperator string

// The operators of selectors; OperatorGt and OperatorLt are for fields only.
const (
	OperatorIn           SelectorOperator = "IN"
	OperatorNotIn        SelectorOperator = "NOT_IN"
	OperatorExists       SelectorOperator = "EXISTS"
	OperatorDoesNotExist SelectorOperator = "DOES_NOT_EXIST"
	OperatorGt           SelectorOperator = "GT"
	OperatorLt           SelectorOperator = "LT"
)

// SelectorRequirement is one condition on a label or a field.
type SelectorRequirement struct {
	Key      string
	Operator SelectorOperator
	Values   []string
}

// PropagationSpec is the spec of a PropagationPolicy or a ClusterPropagationPolicy, with Karmada's defaults filled in
// where they are known.
type PropagationSpec struct {
	ResourceSelectors           []ResourceSelector
	Association                 bool
	PropagateDeps               bool
	Placement                   Placement
	Priority                    int32
	Preemption                  PreemptionBehavior
	DependentOverrides          []string
	SchedulerName               string
	Failover                    *FailoverBehavior
	ConflictResolution          ConflictResolution
	ActivationPreference        ActivationPreference
	Suspension                  *PolicySuspension
	PreserveResourcesOnDeletion bool
	SchedulePriority            *SchedulePriority
}

// PreemptionBehavior says whether a policy takes over objects that another one has claimed.
type PreemptionBehavior string

// The kinds of preemption.
const (
	PreemptAlways PreemptionBehavior = "ALWAYS"
	PreemptNever  PreemptionBehavior = "NEVER"
)

// ActivationPreference says when a change of a policy takes effect.
type ActivationPreference string

// When a change of a policy takes effect.
const (
	ActivationImmediate ActivationPreference = "IMMEDIATE"
	ActivationLazy      ActivationPreference = "LAZY"
)

// Placement selects clusters, and the number of replicas in each.
type Placement struct {
	ClusterAffinity    *ClusterAffinity
	ClusterAffinities  []ClusterAffinityTerm
	ClusterTolerations []Toleration
	SpreadConstraints  []SpreadConstraint
	ReplicaScheduling  *ReplicaScheduling
	WorkloadAffinity   *WorkloadAffinity
}

// ClusterAffinity selects the clusters for which all of its conditions hold.
type ClusterAffinity struct {
	LabelSelector *LabelSelector
	FieldSelector *FieldSelector
	// ClusterNames is empty for any.
	ClusterNames []string
	Exclude      []string
}

// FieldSelector is conditions on the provider, region and zone of a cluster.
type FieldSelector struct {
	MatchExpressions []SelectorRequirement
}

// ClusterAffinityTerm is a named group of clusters.
type ClusterAffinityTerm struct {
	AffinityName string
	ClusterAffinity
	// OverflowAffinities are added one after the other while replicas do not fit.
	OverflowAffinities []OverflowClusterAffinity
}

// OverflowClusterAffinity is a group of clusters that is used when those before it are full.
type OverflowClusterAffinity struct {
	AffinityName string
	ClusterAffinity
}

// TolerationOperator is how a toleration is compared with a taint.
type TolerationOperator string

// The operators of tolerations.
const (
	TolerationExists TolerationOperator = "EXISTS"
	TolerationEqual  TolerationOperator = "EQUAL"
)

// Toleration lets an object go to clusters with a taint.
type Toleration struct {
	// Key is nil for any.
	Key      *string
	Operator TolerationOperator
	Value    *string
	// Effect is nil for any.
	Effect *TaintEffect
	// TolerationSeconds is nil for tolerating it forever.
	TolerationSeconds *int64
}

// SpreadField is a field by which clusters are grouped.
type SpreadField string

// The fields by which clusters are grouped.
const (
	SpreadCluster  SpreadField = "CLUSTER"
	SpreadRegion   SpreadField = "REGION"
	SpreadZone     SpreadField = "ZONE"
	SpreadProvider SpreadField = "PROVIDER"
)

// SpreadConstraint says over how many groups of clusters an object is spread.
type SpreadConstraint struct {
	// SpreadByField is nil when SpreadByLabel is set, and the other way round.
	SpreadByField *SpreadField
	SpreadByLabel *string
	// MaxGroups is nil when it was not given.
	MaxGroups *int
	MinGroups int
}

// ReplicaSchedulingType says whether each cluster gets all replicas or a part.
type ReplicaSchedulingType string

// The types of replica scheduling.
const (
	ReplicasDuplicated ReplicaSchedulingType = "DUPLICATED"
	ReplicasDivided    ReplicaSchedulingType = "DIVIDED"
)

// ReplicaDivisionPreference says how replicas are divided.
type ReplicaDivisionPreference string

// How replicas are divided.
const (
	DivideAggregated ReplicaDivisionPreference = "AGGREGATED"
	DivideWeighted   ReplicaDivisionPreference = "WEIGHTED"
)

// ReplicaScheduling says how replicas are distributed to the clusters.
type ReplicaScheduling struct {
	Type ReplicaSchedulingType
	// DivisionPreference is nil when it was not given.
	DivisionPreference *ReplicaDivisionPreference
	WeightPreference   *WeightPreference
}

// DynamicWeight is what weights are computed from.
type DynamicWeight string

// DynamicAvailableReplicas computes weights from the replicas that clusters have room for.
const DynamicAvailableReplicas DynamicWeight = "AVAILABLE_REPLICAS"

// WeightPreference is the weights by which replicas are divided.
type WeightPreference struct {
	StaticWeights []StaticWeight
	DynamicWeight *DynamicWeight
}

// StaticWeight is the weight of some clusters.
type StaticWeight struct {
	TargetCluster ClusterAffinity
	Weight        int64
}

// WorkloadAffinity says which other workloads a workload is placed with, and which away from.
type WorkloadAffinity struct {
	Affinity     *WorkloadAffinityTerm
	AntiAffinity *WorkloadAffinityTerm
}

// WorkloadAffinityTerm says which workloads form a group.
type WorkloadAffinityTerm struct {
	GroupByLabelKey string
}

// FailoverBehavior says how objects move away from failures.
type FailoverBehavior struct {
	Application *ApplicationFailover
	Cluster     *ClusterFailover
}

// PurgeMode says what happens to the object that is left behind in a cluster.
type PurgeMode string

// The modes of purging; the last two are older spellings of the first two.
const (
	PurgeDirectly    PurgeMode = "DIRECTLY"
	PurgeGracefully  PurgeMode = "GRACEFULLY"
	PurgeNever       PurgeMode = "NEVER"
	PurgeImmediately PurgeMode = "IMMEDIATELY"
	PurgeGraciously  PurgeMode = "GRACIOUSLY"
)

// ApplicationFailover says how a workload moves when the workload itself fails.
type ApplicationFailover struct {
	DecisionConditions FailoverDecisionConditions
	PurgeMode          *PurgeMode
	GracePeriodSeconds *int32
	StatePreservation  *StatePreservation
}

// FailoverDecisionConditions says when a failing workload is moved.
type FailoverDecisionConditions struct {
	TolerationSeconds *int32
}

// ClusterFailover says how a workload moves when its cluster fails.
type ClusterFailover struct {
	PurgeMode         *PurgeMode
	StatePreservation *StatePreservation
}

// StatePreservation says which part of a workload's state moves with it.
type StatePreservation struct {
	Rules []StatePreservationRule
}

// StatePreservationRule is one value that is kept.
type StatePreservationRule struct {
	AliasLabelName string
	JSONPath       string
}

// PolicySuspension says which parts of propagation are suspended.
type PolicySuspension struct {
	Dispatching           bool
	DispatchingOnClusters []string
}

// PriorityClassSource says what kind of object a priority class is.
type PriorityClassSource string

// The sources of priority classes.
const (
	PriorityKube      PriorityClassSource = "KUBE_PRIORITY_CLASS"
	PriorityPod       PriorityClassSource = "POD_PRIORITY_CLASS"
	PriorityFederated PriorityClassSource = "FEDERATED_PRIORITY_CLASS"
)

// SchedulePriority says in which order waiting objects are scheduled.
type SchedulePriority struct {
	PriorityClassSource PriorityClassSource
	PriorityClassName   string
}
