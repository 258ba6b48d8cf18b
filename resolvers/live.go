package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/podlogs"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
)

// liveResources follows the objects of one kind of an instance.
func (r *Resolver) liveResources(ctx context.Context, instance, apiVersion, kind string, f *model.ResourceFilter) (<-chan *model.KubernetesResourceChange, error) {
	scope := rbac.ScopeFrom(ctx)
	if _, err := r.Fleet.Instance(scope, instance); err != nil {
		return nil, err
	}
	gvr, gvk, namespaced, err := loaders.From(ctx).Watched(ctx, instance, apiVersion, kind)
	if err != nil {
		return nil, err
	}
	if !namespaced && f != nil && len(f.Namespaces) > 0 {
		return nil, model.BadInput("filter.namespaces", "may not be given: %s is cluster-scoped", kind)
	}
	return r.Live.Resources(ctx, scope, instance, live.Resource{Kind: gvk, Name: gvr.Resource}, f)
}

// logRequest is what an input asks for.
func logRequest(in graph.PodLogsInput) podlogs.Request {
	out := podlogs.Request{Instance: in.Instance, Container: text(in.Container), Follow: isTrue(in.Follow), Previous: isTrue(in.Previous), Since: in.Since,
		Pods: []podlogs.Pod{{Cluster: in.Cluster, Namespace: in.Namespace, Name: in.Pod}}}
	for _, p := range in.Also {
		out.Pods = append(out.Pods, podlogs.Pod{Cluster: p.Cluster, Namespace: p.Namespace, Name: p.Pod})
	}
	if in.TailLines != nil {
		n := int(*in.TailLines)
		out.TailLines = &n
	}
	return out
}
