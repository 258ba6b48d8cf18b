package instance

import (
	"maps"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// instanceModel makes the model of an Instance, except for what only a connection knows.
func instanceModel(o *v1alpha1.Instance) *model.Instance {
	in := &model.Instance{
		Name:              o.Name,
		UID:               string(o.UID),
		DisplayName:       optional(o.Spec.DisplayName),
		Description:       optional(o.Spec.Description),
		Labels:            model.KeyValues(o.Labels),
		CreatedAt:         o.CreationTimestamp.UTC(),
		Source:            model.InstanceSource(strings.ToUpper(string(o.Spec.Source))),
		DeletionPolicy:    model.DeletionPolicy(strings.ToUpper(string(o.Deletion()))),
		Conditions:        conditions(o.Status.Conditions),
		KarmadaVersion:    optional(o.Status.KarmadaVersion),
		KubernetesVersion: optional(o.Status.KubernetesVersion),
		Components:        make([]model.Component, 0, len(o.Status.Components)),
		Steps:             make([]model.InstanceStep, 0, len(o.Status.Steps)),
		Statistics:        statistics(o.Status.Statistics),
		Settings:          settings(o.Spec.Settings),
	}
	for _, c := range o.Status.Components {
		in.Components = append(in.Components, model.Component{
			Name: c.Name, State: componentState(c.State), Message: c.Message, Since: optionalTimeOf(c.Since),
		})
	}
	slices.SortFunc(in.Components, func(a, b model.Component) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range o.Status.Steps {
		in.Steps = append(in.Steps, model.InstanceStep{
			Name: s.Name, State: model.StepState(strings.ToUpper(string(s.State))), Message: s.Message,
			StartedAt: optionalTimeOf(s.StartedAt), FinishedAt: optionalTimeOf(s.FinishedAt),
		})
	}
	return in
}

func componentState(s v1alpha1.ComponentState) model.ComponentState {
	switch s {
	case v1alpha1.ComponentReady:
		return model.ComponentReady
	case v1alpha1.ComponentNotReady:
		return model.ComponentNotReady
	case v1alpha1.ComponentUnknown:
	}
	return model.ComponentUnknown
}

func statistics(s *v1alpha1.InstanceStatistics) *model.InstanceStatistics {
	if s == nil {
		return nil
	}
	out := &model.InstanceStatistics{
		Clusters:  readyCount(s.Clusters),
		Nodes:     readyCount(s.Nodes),
		CPU:       model.CPUSummary{Allocatable: cpuAmount(s.CPU.Allocatable), Allocated: cpuAmount(s.CPU.Allocated)},
		Memory:    model.MemorySummary{Allocatable: memoryAmount(s.Memory.Allocatable), Allocated: memoryAmount(s.Memory.Allocated)},
		Workloads: make([]model.WorkloadCount, 0, len(s.Workloads)),
		Policies:  make([]model.PolicyCount, 0, len(s.Policies)),
		AsOf:      s.AsOf.UTC(),
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Workloads)) {
		n := s.Workloads[kind]
		out.Workloads = append(out.Workloads, model.WorkloadCount{Kind: kind, Total: int(n.Total), Ready: int(n.Ready)})
	}
	for _, kind := range slices.Sorted(maps.Keys(s.Policies)) {
		out.Policies = append(out.Policies, model.PolicyCount{Kind: kind, Total: int(s.Policies[kind])})
	}
	return out
}

func readyCount(c v1alpha1.ReadyCount) model.ReadyCount {
	return model.ReadyCount{Total: int(c.Total), Ready: int(c.Ready)}
}

func settings(s *v1alpha1.InstanceSettings) (out model.InstanceSettings) {
	if s == nil {
		return out
	}
	out.RevisionHistoryLimit = s.RevisionHistoryLimit
	if f := s.Failover; f != nil {
		out.Failover = &model.FailoverSettings{
			Enabled: f.Enabled, FailureThresholdSeconds: f.FailureThresholdSeconds,
			GracefulEvictionTimeoutSeconds: f.GracefulEvictionTimeoutSeconds,
		}
	}
	if d := s.Descheduler; d != nil {
		out.Descheduler = &model.DeschedulerSettings{
			Enabled: d.Enabled, IntervalSeconds: d.IntervalSeconds, UnschedulableThresholdSeconds: d.UnschedulableThresholdSeconds,
		}
	}
	if m := s.MetricsAdapter; m != nil {
		out.MetricsAdapter = &model.MetricsAdapterSettings{Enabled: m.Enabled}
	}
	return out
}

func conditions(in []metav1.Condition) []model.Condition {
	out := make([]model.Condition, 0, len(in))
	for _, c := range in {
		out = append(out, model.Condition{Type: c.Type, Status: factValue(c.Status), Reason: c.Reason, Message: c.Message, Since: optionalTime(c.LastTransitionTime)})
	}
	slices.SortFunc(out, func(a, b model.Condition) int { return strings.Compare(a.Type, b.Type) })
	return out
}

func factValue(s metav1.ConditionStatus) model.FactValue {
	switch s {
	case metav1.ConditionTrue:
		return model.FactTrue
	case metav1.ConditionFalse:
		return model.FactFalse
	case metav1.ConditionUnknown:
	}
	return model.FactUnknown
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func optionalTime(t metav1.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	utc := t.UTC()
	return &utc
}

func optionalTimeOf(t *metav1.Time) *time.Time {
	if t == nil {
		return nil
	}
	return optionalTime(*t)
}
