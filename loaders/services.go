package loaders

import (
	"context"
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

var selectorPath = []string{"spec", "selector"}

// Services are the Services that select the pods of a workload, in the workload's own cluster or control plane.
func (k *Loaders) Services(ctx context.Context, w *model.WorkloadMeta, opts ListOptions) (*model.ServiceConnection, error) {
	return workloadServices.Of(ctx, k, k.Batch(w), opts, w)
}

var workloadServices = related("services", workloadMetas, decodeInto[*model.Service], func(_ context.Context, k *Loaders, w *model.WorkloadMeta) ([]part, error) {
	if len(w.PodLabels) == 0 {
		return nil, nil
	}
	return k.nearby(w.Ref, serviceResource, sql.Namespaces(w.Ref.Namespace), sql.FieldContainedIn(selectorPath, w.PodLabels))
})

// PodServices are the Services that select a pod, in its member.
func (k *Loaders) PodServices(ctx context.Context, p *model.Pod, opts ListOptions) (*model.ServiceConnection, error) {
	return podServices.Of(ctx, k, k.Batch(p), opts, p)
}

var podServices = related("services", batch.Members[*model.Pod], decodeInto[*model.Service], func(_ context.Context, k *Loaders, p *model.Pod) ([]part, error) {
	if len(p.Labels) == 0 {
		return nil, nil
	}
	return k.nearby(p.Ref, serviceResource, sql.Namespaces(p.Ref.Namespace), sql.FieldContainedIn(selectorPath, asMap(p.Labels)))
})

// ServicePods are the pods that a Service selects: in its member, or, for a template, in all members.
func (k *Loaders) ServicePods(ctx context.Context, s *model.Service, opts ListOptions) (*model.PodConnection, error) {
	return servicePods.Of(ctx, k, k.Batch(s), opts, s)
}

var servicePods = related("pods", batch.Members[*model.Service], decodeInto[*model.Pod], func(_ context.Context, k *Loaders, s *model.Service) ([]part, error) {
	if len(s.Selector) == 0 {
		return nil, nil
	}
	where := []sql.Condition{sql.Namespaces(s.Ref.Namespace), sql.LabelsContain(asMap(s.Selector))}
	if s.Ref.Cluster != "" {
		return k.nearby(s.Ref, podResource, where...)
	}
	rows := part{gvrs: podResource, where: where}
	members, err := k.members(s.Ref.Instance)
	if err != nil {
		return nil, err
	}
	for _, member := range slices.Sorted(maps.Keys(members)) {
		k.holds(&rows, s.Ref.Instance, member)
	}
	return rows.ifAny()
})

// ServiceWorkloads are the workloads whose pods a Service selects, in the Service's own cluster or control plane.
func (k *Loaders) ServiceWorkloads(ctx context.Context, s *model.Service, opts ListOptions) (*model.WorkloadConnection, error) {
	return serviceWorkloads.Of(ctx, k, k.Batch(s), opts, s)
}

var serviceWorkloads = related("workloads", batch.Members[*model.Service], decodeInto[model.Workload], func(_ context.Context, k *Loaders, s *model.Service) ([]part, error) {
	if len(s.Selector) == 0 {
		return nil, nil
	}
	selector := asMap(s.Selector)
	return k.nearby(s.Ref, workloadResources, sql.Namespaces(s.Ref.Namespace), sql.Any(
		sql.FieldContains([]string{"spec", "template", "metadata", "labels"}, selector),
		sql.FieldContains([]string{"spec", "jobTemplate", "spec", "template", "metadata", "labels"}, selector)))
})

func asMap(labels []model.KeyValue) map[string]string {
	out := make(map[string]string, len(labels))
	for _, l := range labels {
		out[l.Key] = l.Value
	}
	return out
}
