package loaders

import (
	"context"
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
)

var selectorPath = []string{"spec", "selector"}

// Services are the Services that select the pods of a workload, where it lives itself.
func (k *Loaders) Services(ctx context.Context, w *model.WorkloadMeta, opts ListOptions) (*model.ServiceConnection, error) {
	return workloadServices.of(ctx, k, w.Batch, opts, w)
}

var workloadServices = related("services", workloadMetas, decodeInto[*model.Service], func(_ context.Context, k *Loaders, w *model.WorkloadMeta) ([]part, error) {
	if len(w.PodLabels) == 0 {
		return nil, nil
	}
	return k.nearby(w.Ref, serviceResource, pedia.Namespaces(w.Ref.Namespace), pedia.FieldContainedIn(selectorPath, w.PodLabels))
})

// PodServices are the Services that select a pod, in its member.
func (k *Loaders) PodServices(ctx context.Context, p *model.Pod, opts ListOptions) (*model.ServiceConnection, error) {
	return podServices.of(ctx, k, p.Batch, opts, p)
}

var podServices = related("services", model.Members[*model.Pod], decodeInto[*model.Service], func(_ context.Context, k *Loaders, p *model.Pod) ([]part, error) {
	if len(p.Labels) == 0 {
		return nil, nil
	}
	return k.nearby(p.Ref, serviceResource, pedia.Namespaces(p.Ref.Namespace), pedia.FieldContainedIn(selectorPath, asMap(p.Labels)))
})

// ServicePods are the pods that a Service selects: in its member, or, for a template, in all members.
func (k *Loaders) ServicePods(ctx context.Context, s *model.Service, opts ListOptions) (*model.PodConnection, error) {
	return servicePods.of(ctx, k, s.Batch, opts, s)
}

var servicePods = related("pods", model.Members[*model.Service], decodeInto[*model.Pod], func(_ context.Context, k *Loaders, s *model.Service) ([]part, error) {
	if len(s.Selector) == 0 {
		return nil, nil
	}
	where := []pedia.Condition{pedia.Namespaces(s.Ref.Namespace), pedia.LabelsContain(asMap(s.Selector))}
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

// ServiceWorkloads are the workloads whose pods a Service selects, where it lives itself.
func (k *Loaders) ServiceWorkloads(ctx context.Context, s *model.Service, opts ListOptions) (*model.WorkloadConnection, error) {
	return serviceWorkloads.of(ctx, k, s.Batch, opts, s)
}

var serviceWorkloads = related("workloads", model.Members[*model.Service], decodeInto[model.Workload], func(_ context.Context, k *Loaders, s *model.Service) ([]part, error) {
	if len(s.Selector) == 0 {
		return nil, nil
	}
	selector := asMap(s.Selector)
	return k.nearby(s.Ref, workloadResources, pedia.Namespaces(s.Ref.Namespace), pedia.Any(
		pedia.FieldContains([]string{"spec", "template", "metadata", "labels"}, selector),
		pedia.FieldContains([]string{"spec", "jobTemplate", "spec", "template", "metadata", "labels"}, selector)))
})

// NodePods are the pods on a node.
func (k *Loaders) NodePods(ctx context.Context, n *model.ClusterNode, opts ListOptions) (*model.PodConnection, error) {
	return nodePods.of(ctx, k, n.Batch, opts, n)
}

var nodePods = related("pods", model.Members[*model.ClusterNode], decodeInto[*model.Pod], func(_ context.Context, k *Loaders, n *model.ClusterNode) ([]part, error) {
	return k.nearby(n.Ref, podResource, pedia.Field([]string{"spec", "nodeName"}, n.Ref.Name))
})

// related is an edge to a list that belongs to an object, read for all objects of its type in a batch.
func related[P interface {
	comparable
	model.KubernetesObject
}, T model.KubernetesObject](name string, from func(*model.Batch) []P, decode pedia.Decode[T],
	parts func(context.Context, *Loaders, P) ([]part, error)) *edge[ListOptions, P, *model.Connection[T]] {
	return &edge[ListOptions, P, *model.Connection[T]]{from: from, read: func(ctx context.Context, k *Loaders, opts ListOptions, parents []P) (map[P]*model.Connection[T], error) {
		return paging[P, T]{
			name: name, of: func(p P) string { return p.ObjectRef().ID() }, decode: decode,
			parts: func(p P) ([]part, error) { return parts(ctx, k, p) },
		}.read(ctx, k, opts, parents)
	}}
}

// workloadMetas is the workloads of a batch.
func workloadMetas(b *model.Batch) []*model.WorkloadMeta {
	rows := model.Members[model.Workload](b)
	out := make([]*model.WorkloadMeta, len(rows))
	for i, w := range rows {
		out[i] = w.Meta()
	}
	return out
}

func asMap(labels []model.KeyValue) map[string]string {
	out := make(map[string]string, len(labels))
	for _, l := range labels {
		out[l.Key] = l.Value
	}
	return out
}
