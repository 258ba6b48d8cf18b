package model

// ServiceExposureType is how a MultiClusterService exposes a service.
type ServiceExposureType string

// How services are exposed.
const (
	ExposeCrossCluster ServiceExposureType = "CROSS_CLUSTER"
	ExposeLoadBalancer ServiceExposureType = "LOAD_BALANCER"
)

// MultiClusterService is what a MultiClusterService says; lists are never nil.
type MultiClusterService struct {
	Types            []ServiceExposureType
	Ports            []ServiceExposurePort
	ProviderClusters []string
	ConsumerClusters []string
	// Range, ServiceProvisionClusters and ServiceConsumptionClusters are the deprecated forms.
	Range                      []string
	ServiceProvisionClusters   []string
	ServiceConsumptionClusters []string
	// Addresses are those of its load balancer.
	Addresses []string
}

// ServiceExposurePort is a port that is exposed.
type ServiceExposurePort struct {
	Name *string
	Port int32
}

// FederatedResourceQuota is what a FederatedResourceQuota says; lists are sorted and never nil.
type FederatedResourceQuota struct {
	Overall           []QuotaAmount
	StaticAssignments []QuotaAssignment
	// OverallUsed and Clusters are what Karmada has counted.
	OverallUsed []QuotaAmount
	Clusters    []ClusterQuota
}

// QuotaAmount is an amount of a resource.
type QuotaAmount struct {
	Resource string
	// Quantity is as Kubernetes writes it, Number the same in the resource's base unit.
	Quantity string
	Number   float64
}

// QuotaAssignment is the limits of one cluster.
type QuotaAssignment struct {
	ClusterName string
	Hard        []QuotaAmount
}

// ClusterQuota is the limits of one cluster and what is used there.
type ClusterQuota struct {
	ClusterName string
	Hard        []QuotaAmount
	Used        []QuotaAmount
}

// ClusterTaintPolicy is what a ClusterTaintPolicy says; lists are never nil.
type ClusterTaintPolicy struct {
	// TargetClusters is nil for all.
	TargetClusters     *ClusterAffinity
	AddOnConditions    []ClusterConditionMatch
	RemoveOnConditions []ClusterConditionMatch
	Taints             []Taint
}

// ClusterConditionMatch is a condition of a cluster and what its status has to be.
type ClusterConditionMatch struct {
	ConditionType string
	Operator      SelectorOperator
	StatusValues  []FactValue
}

// AutoscalerBehavior is how fast an autoscaler scales; nil where it was not said.
type AutoscalerBehavior struct {
	ScaleUp   *AutoscalerScalingRules
	ScaleDown *AutoscalerScalingRules
}

// AutoscalerScalingRules is how an autoscaler scales in one direction.
type AutoscalerScalingRules struct {
	StabilizationWindowSeconds *int32
	SelectPolicy               *AutoscalerSelectPolicy
	Policies                   []AutoscalerScalingPolicy
	// Tolerance is a quantity.
	Tolerance *string
}

// AutoscalerSelectPolicy says which of several scaling policies counts.
type AutoscalerSelectPolicy string

// Which scaling policy counts.
const (
	SelectMax      AutoscalerSelectPolicy = "MAX"
	SelectMin      AutoscalerSelectPolicy = "MIN"
	SelectDisabled AutoscalerSelectPolicy = "DISABLED"
)

// AutoscalerScalingPolicy is how much may change in which time.
type AutoscalerScalingPolicy struct {
	Type          AutoscalerScalingPolicyType
	Value         int32
	PeriodSeconds int32
}

// AutoscalerScalingPolicyType is what a scaling policy counts.
type AutoscalerScalingPolicyType string

// What scaling policies count.
const (
	ScalePods    AutoscalerScalingPolicyType = "PODS"
	ScalePercent AutoscalerScalingPolicyType = "PERCENT"
)
