package objects

import (
	"cmp"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// The kinds of autoscaler, in the versions that the read store keeps.
var (
	FederatedHPA            = schema.GroupVersionKind{Group: "autoscaling.karmada.io", Version: "v1alpha1", Kind: "FederatedHPA"}
	CronFederatedHPA        = schema.GroupVersionKind{Group: "autoscaling.karmada.io", Version: "v1alpha1", Kind: "CronFederatedHPA"}
	HorizontalPodAutoscaler = schema.GroupVersionKind{Group: "autoscaling", Version: "v2", Kind: "HorizontalPodAutoscaler"}
)

// autoscalerObject has the fields of all three kinds. A FederatedHPA has the status of a HorizontalPodAutoscaler
// (autoscaling/v2).
type autoscalerObject struct {
	Metadata Meta `json:"metadata"`
	Spec     struct {
		ScaleTargetRef objectReference `json:"scaleTargetRef"`
		MinReplicas    *int32          `json:"minReplicas"`
		MaxReplicas    *int32          `json:"maxReplicas"`
		Metrics        []metricObject  `json:"metrics"`
		Rules          []scheduleRule  `json:"rules"`
		Behavior       *behavior       `json:"behavior"`
	} `json:"spec"`
	Status struct {
		CurrentReplicas    int32              `json:"currentReplicas"`
		DesiredReplicas    int32              `json:"desiredReplicas"`
		CurrentMetrics     []metricObject     `json:"currentMetrics"`
		LastScaleTime      *time.Time         `json:"lastScaleTime"`
		Conditions         []statusCondition  `json:"conditions"`
		ExecutionHistories []executionHistory `json:"executionHistories"`
	} `json:"status"`
}

type scheduleRule struct {
	Name              string  `json:"name"`
	Schedule          string  `json:"schedule"`
	TimeZone          *string `json:"timeZone"`
	TargetReplicas    *int32  `json:"targetReplicas"`
	TargetMinReplicas *int32  `json:"targetMinReplicas"`
	TargetMaxReplicas *int32  `json:"targetMaxReplicas"`
	Suspend           bool    `json:"suspend"`

	SuccessfulHistoryLimit *int32 `json:"successfulHistoryLimit"`
	FailedHistoryLimit     *int32 `json:"failedHistoryLimit"`
}

// defaultHistoryLimit is Karmada's for runs that are kept.
const defaultHistoryLimit = 3

type behavior struct {
	ScaleUp   *scalingRules `json:"scaleUp"`
	ScaleDown *scalingRules `json:"scaleDown"`
}

type scalingRules struct {
	StabilizationWindowSeconds *int32 `json:"stabilizationWindowSeconds"`
	SelectPolicy               string `json:"selectPolicy"`
	Policies                   []struct {
		Type          string `json:"type"`
		Value         int32  `json:"value"`
		PeriodSeconds int32  `json:"periodSeconds"`
	} `json:"policies"`
	Tolerance jsonv2.Raw `json:"tolerance"`
}

func (b *behavior) model() *model.AutoscalerBehavior {
	if b == nil {
		return nil
	}
	return &model.AutoscalerBehavior{ScaleUp: b.ScaleUp.model(), ScaleDown: b.ScaleDown.model()}
}

func (r *scalingRules) model() *model.AutoscalerScalingRules {
	if r == nil {
		return nil
	}
	out := &model.AutoscalerScalingRules{StabilizationWindowSeconds: r.StabilizationWindowSeconds, Policies: make([]model.AutoscalerScalingPolicy, len(r.Policies))}
	if r.SelectPolicy != "" {
		selected := Enum[model.AutoscalerSelectPolicy](r.SelectPolicy)
		out.SelectPolicy = &selected
	}
	if text, _, ok := quantity(r.Tolerance); ok {
		out.Tolerance = &text
	}
	for i, p := range r.Policies {
		out.Policies[i] = model.AutoscalerScalingPolicy{Type: Enum[model.AutoscalerScalingPolicyType](p.Type), Value: p.Value, PeriodSeconds: p.PeriodSeconds}
	}
	return out
}

type executionHistory struct {
	RuleName             string      `json:"ruleName"`
	NextExecutionTime    *time.Time  `json:"nextExecutionTime"`
	SuccessfulExecutions []execution `json:"successfulExecutions"`
	FailedExecutions     []execution `json:"failedExecutions"`
}

type execution struct {
	ExecutionTime *time.Time `json:"executionTime"`
	Message       string     `json:"message"`
}

// DecodeAutoscaler reads a FederatedHPA, CronFederatedHPA or HorizontalPodAutoscaler from JSON: of a member, or of the
// control plane when cluster is empty. The autoscaler keeps raw, which must not be changed afterwards.
func DecodeAutoscaler(instance, cluster string, gvk schema.GroupVersionKind, raw []byte) (*model.Autoscaler, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: gvk}
	var o autoscalerObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	a := &model.Autoscaler{
		Object:       o.Metadata.Object(ref, raw),
		Target:       o.Spec.ScaleTargetRef.model(),
		Metrics:      make([]model.AutoscalerMetric, 0, len(o.Spec.Metrics)),
		Schedules:    make([]model.AutoscalerSchedule, 0, len(o.Spec.Rules)),
		Conditions:   statusConditions(o.Status.Conditions),
		LastScaledAt: o.Status.LastScaleTime,
	}
	// Autoscalers scale in their own namespace only.
	a.Target.Namespace = orNil(a.Ref.Namespace)
	for i := range o.Spec.Rules {
		a.Schedules = append(a.Schedules, o.schedule(&o.Spec.Rules[i]))
	}
	if gvk.Kind == CronFederatedHPA.Kind {
		return a, nil
	}
	a.MinReplicas, a.MaxReplicas = o.Spec.MinReplicas, o.Spec.MaxReplicas
	if a.MinReplicas == nil {
		one := int32(1) // the API's default
		a.MinReplicas = &one
	}
	a.CurrentReplicas, a.DesiredReplicas = o.replicas()
	a.Behavior = o.Spec.Behavior.model()
	for i := range o.Spec.Metrics {
		a.Metrics = append(a.Metrics, o.Spec.Metrics[i].model(o.Status.CurrentMetrics))
	}
	return a, nil
}

// replicas returns the observed and the desired replicas, nil where unknown: a status without conditions was never
// written, and zero is desired only when scaling is disabled by zero replicas.
func (o *autoscalerObject) replicas() (current, desired *int32) {
	if len(o.Status.Conditions) == 0 {
		return nil, nil
	}
	active := find(o.Status.Conditions, "ScalingActive")
	if o.Status.DesiredReplicas != 0 || active.Status == "True" || active.Reason == "ScalingDisabled" {
		desired = &o.Status.DesiredReplicas
	}
	return &o.Status.CurrentReplicas, desired
}

// schedule joins a rule with the record of its runs.
func (o *autoscalerObject) schedule(r *scheduleRule) model.AutoscalerSchedule {
	s := model.AutoscalerSchedule{
		Name: r.Name, Schedule: r.Schedule, TimeZone: r.TimeZone, TargetReplicas: r.TargetReplicas,
		TargetMinReplicas: r.TargetMinReplicas, TargetMaxReplicas: r.TargetMaxReplicas, Suspended: r.Suspend,
		SuccessfulHistoryLimit: defaultHistoryLimit, FailedHistoryLimit: defaultHistoryLimit,
	}
	if r.SuccessfulHistoryLimit != nil {
		s.SuccessfulHistoryLimit = *r.SuccessfulHistoryLimit
	}
	if r.FailedHistoryLimit != nil {
		s.FailedHistoryLimit = *r.FailedHistoryLimit
	}
	for i := range o.Status.ExecutionHistories {
		h := &o.Status.ExecutionHistories[i]
		if h.RuleName != r.Name {
			continue
		}
		if !s.Suspended {
			s.NextRun = h.NextExecutionTime
		}
		add := func(runs []execution, result model.AutoscalerRunResult) {
			for _, run := range runs {
				if run.ExecutionTime != nil && (s.LastRun == nil || run.ExecutionTime.After(*s.LastRun)) {
					s.LastRun, s.Result, s.Message = run.ExecutionTime, &result, run.Message
				}
			}
		}
		add(h.SuccessfulExecutions, model.RunSucceeded)
		add(h.FailedExecutions, model.RunFailed)
	}
	return s
}

// metricObject is a metric as the spec gives it (with target) or the status reports it (with current): of the five
// sources only the one that type names is set.
type metricObject struct {
	Type              string        `json:"type"`
	Resource          *metricSource `json:"resource"`
	ContainerResource *metricSource `json:"containerResource"`
	Pods              *metricSource `json:"pods"`
	Object            *metricSource `json:"object"`
	External          *metricSource `json:"external"`
}

type metricSource struct {
	// Name and Container are set for resource metrics; Metric for all others.
	Name      string `json:"name"`
	Container string `json:"container"`
	Metric    struct {
		Name     string     `json:"name"`
		Selector jsonv2.Raw `json:"selector"`
	} `json:"metric"`
	DescribedObject *objectReference `json:"describedObject"`
	Target          metricValue      `json:"target"`
	Current         metricValue      `json:"current"`
}

type metricValue struct {
	Type               string     `json:"type"`
	Value              jsonv2.Raw `json:"value"`
	AverageValue       jsonv2.Raw `json:"averageValue"`
	AverageUtilization *int32     `json:"averageUtilization"`
}

// source is the metric's own source; an empty one for an unknown type.
func (m *metricObject) source() (model.AutoscalerMetricType, *metricSource) {
	kind, s := model.MetricUnknown, (*metricSource)(nil)
	switch m.Type {
	case "Resource":
		kind, s = model.MetricResource, m.Resource
	case "ContainerResource":
		kind, s = model.MetricContainerResource, m.ContainerResource
	case "Pods":
		kind, s = model.MetricPods, m.Pods
	case "Object":
		kind, s = model.MetricObject, m.Object
	case "External":
		kind, s = model.MetricExternal, m.External
	}
	if s == nil {
		s = &metricSource{}
	}
	return kind, s
}

// same reports whether two metrics have the same source. Metrics of one name may differ in their selectors.
func (s *metricSource) same(o *metricSource) bool {
	object := func(s *metricSource) objectReference {
		if s.DescribedObject == nil {
			return objectReference{}
		}
		return *s.DescribedObject
	}
	return s.Name == o.Name && s.Container == o.Container && s.Metric.Name == o.Metric.Name &&
		string(s.Metric.Selector) == string(o.Metric.Selector) && object(s) == object(o)
}

// model joins a metric of the spec with its current value in the status.
func (m *metricObject) model(current []metricObject) model.AutoscalerMetric {
	kind, s := m.source()
	out := model.AutoscalerMetric{Type: kind, Name: cmp.Or(s.Name, s.Metric.Name), Container: orNil(s.Container)}
	if s.DescribedObject != nil {
		object := s.DescribedObject.model()
		out.Object = &object
	}
	if raw := s.Metric.Selector; len(raw) > 0 && raw.Kind() == '{' {
		var selector metav1.LabelSelector
		if jsonv2.Unmarshal(raw, &selector) == nil { // else it selects nothing that could be said
			out.Selector = LabelSelector(&selector)
		}
	}
	target := s.Target.as(s.Target.valueType())
	out.Target = model.AutoscalerMetricValue{Type: s.Target.valueType()}
	if target != nil {
		out.Target = *target
	}
	for i := range current {
		if k, c := current[i].source(); k == kind && c.same(s) {
			out.Current = cmp.Or(c.Current.as(out.Target.Type), c.Current.as(model.ValueAverage), c.Current.as(model.ValuePlain))
			break
		}
	}
	return out
}

func (v *metricValue) valueType() model.AutoscalerValueType {
	switch {
	case v.Type == "Utilization" || v.Type == "" && v.AverageUtilization != nil:
		return model.ValueUtilization
	case v.Type == "AverageValue":
		return model.ValueAverage
	}
	return model.ValuePlain
}

// as returns the value as one type of value; nil when it is not given that way.
func (v *metricValue) as(kind model.AutoscalerValueType) *model.AutoscalerMetricValue {
	raw := v.Value
	switch kind {
	case model.ValueUtilization:
		if v.AverageUtilization == nil {
			return nil
		}
		return &model.AutoscalerMetricValue{Type: kind, Number: float64(*v.AverageUtilization),
			Quantity: strconv.Itoa(int(*v.AverageUtilization)) + "%"}
	case model.ValueAverage:
		raw = v.AverageValue
	}
	text, number, ok := quantity(raw)
	if !ok {
		return nil
	}
	return &model.AutoscalerMetricValue{Type: kind, Number: number, Quantity: text}
}
