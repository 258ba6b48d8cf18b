package model

import "time"

// AutoscalerMetricType is where the numbers of an autoscaler come from.
type AutoscalerMetricType string

// The sources of an autoscaler's numbers.
const (
	MetricResource          AutoscalerMetricType = "RESOURCE"
	MetricContainerResource AutoscalerMetricType = "CONTAINER_RESOURCE"
	MetricPods              AutoscalerMetricType = "PODS"
	MetricObject            AutoscalerMetricType = "OBJECT"
	MetricExternal          AutoscalerMetricType = "EXTERNAL"
	MetricUnknown           AutoscalerMetricType = "UNKNOWN"
)

// AutoscalerValueType says how a number that an autoscaler compares is to be read.
type AutoscalerValueType string

// How the numbers of an autoscaler are to be read.
const (
	ValueUtilization AutoscalerValueType = "UTILIZATION"
	ValueAverage     AutoscalerValueType = "AVERAGE_VALUE"
	ValuePlain       AutoscalerValueType = "VALUE"
)

// AutoscalerRunResult is how a run of a schedule ended.
type AutoscalerRunResult string

// How a run of a schedule can end.
const (
	RunSucceeded AutoscalerRunResult = "SUCCEEDED"
	RunFailed    AutoscalerRunResult = "FAILED"
)

// Autoscaler scales a workload automatically: a FederatedHPA, a CronFederatedHPA or a HorizontalPodAutoscaler, as its
// Ref says.
type Autoscaler struct {
	Object

	// Target is a workload, or for a CronFederatedHPA also a FederatedHPA, in the same namespace.
	Target ObjectReference
	// MinReplicas and MaxReplicas are nil for a CronFederatedHPA.
	MinReplicas *int32
	MaxReplicas *int32
	// CurrentReplicas is nil until the autoscaler first looked, DesiredReplicas until it could compute them.
	CurrentReplicas *int32
	DesiredReplicas *int32
	Metrics         []AutoscalerMetric
	// Schedules is empty for all but a CronFederatedHPA.
	Schedules []AutoscalerSchedule
	// Behavior is nil when it was not said, and for a CronFederatedHPA.
	Behavior *AutoscalerBehavior
	// Conditions is sorted by type.
	Conditions   []Condition
	LastScaledAt *time.Time
}

// Namespace is the namespace.
func (a *Autoscaler) Namespace() string { return a.Ref.Namespace }

// AutoscalerMetric is one metric that an autoscaler scales by.
type AutoscalerMetric struct {
	Type AutoscalerMetricType
	Name string
	// Container is set for a metric of one container only, Object for a metric of another object only.
	Container *string
	Object    *ObjectReference
	// Selector is nil for the metric of that name alone.
	Selector *LabelSelector
	Target   AutoscalerMetricValue
	// Current is nil when it could not be read, and before the first look.
	Current *AutoscalerMetricValue
}

// AutoscalerMetricValue is a number that an autoscaler compares.
type AutoscalerMetricValue struct {
	Type AutoscalerValueType
	// Number is a percentage for a utilization, else in the metric's base unit.
	Number float64
	// Quantity is the same number as Kubernetes writes it.
	Quantity string
}

// AutoscalerSchedule is one rule of a CronFederatedHPA, with its last run.
type AutoscalerSchedule struct {
	Name     string
	Schedule string
	TimeZone *string
	// TargetReplicas is nil when the target is a FederatedHPA. TargetMinReplicas and TargetMaxReplicas are nil when it
	// is not, or when they stay as they are.
	TargetReplicas    *int32
	TargetMinReplicas *int32
	TargetMaxReplicas *int32
	Suspended         bool
	// SuccessfulHistoryLimit and FailedHistoryLimit are how many runs are kept.
	SuccessfulHistoryLimit int32
	FailedHistoryLimit     int32
	LastRun                *time.Time
	NextRun                *time.Time
	// Result is nil when it never ran; Message is empty unless the last run failed.
	Result  *AutoscalerRunResult
	Message string
}
