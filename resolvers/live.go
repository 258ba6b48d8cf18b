package resolvers

import (
	"context"
	"encoding/json"
	"fmt"

	batchv1 "k8s.io/api/batch/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/podlogs"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
)

// liveResources follows the objects of one kind of an instance.
func (r *Resolver) liveResources(ctx context.Context, instance, apiVersion, kind string, f *model.ResourceFilter, ids []string) (<-chan *model.KubernetesResourceChange, error) {
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
	return r.Live.Resources(ctx, scope, instance, live.Resource{Kind: gvk, Name: gvr.Resource}, f, ids...)
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

// livePods follows the pods of a workload or of a member.
func (r *Resolver) livePods(ctx context.Context, text string) (<-chan *model.PodChange, error) {
	of, err := r.podsOf(ctx, text)
	if err != nil {
		return nil, err
	}
	return r.Live.Pods(ctx, rbac.ScopeFrom(ctx), *of)
}

func (r *Resolver) podsOf(ctx context.Context, text string) (*live.PodsOf, error) {
	id, err := model.ParseID(text)
	if err != nil {
		return nil, model.BadInput("of", "is not an id of this server")
	}
	if id.IsCluster() {
		c, err := loaders.From(ctx).Cluster(id.Ref.Instance, id.Ref.Cluster)
		if err == nil && c == nil {
			err = &model.Error{Code: model.CodeNotFound, Field: []string{"of"}, Message: "of: there is no such cluster"}
		}
		return &live.PodsOf{Instance: id.Ref.Instance, Cluster: id.Ref.Cluster}, err
	}
	kind, ok := model.WorkloadKindOf(id.Ref.GVK)
	if !id.IsObject() || !ok {
		return nil, model.BadInput("of", "is not the id of a workload or of a cluster")
	}
	found, err := loaders.From(ctx).Object(ctx, id.Ref)
	if err != nil {
		return nil, err
	}
	w, ok := found.(model.Workload)
	if !ok {
		return nil, &model.Error{Code: model.CodeNotFound, Field: []string{"of"}, Message: "of: there is no such workload"}
	}
	out := &live.PodsOf{Instance: id.Ref.Instance, Cluster: id.Ref.Cluster, Workload: id.Ref}
	out.Selector, out.Named, err = podSelector(kind, w.Meta())
	return out, err
}

// podSelector selects the pods of a workload in a member, by their labels and by how their names begin. Karmada leaves the selectors of Jobs to each member.
func podSelector(kind model.WorkloadKind, w *model.WorkloadMeta) (selector, named string, err error) {
	switch kind {
	case model.KindJob:
		return batchv1.JobNameLabel + "=" + w.Ref.Name, "", nil
	case model.KindCronJob:
		return batchv1.JobNameLabel, w.Ref.Name + "-", nil
	}
	var of struct {
		Spec struct{ Selector *metav1.LabelSelector }
	}
	if err := json.Unmarshal(w.Raw, &of); err != nil {
		return "", "", fmt.Errorf("reading the selector of %s %q: %w", w.Ref.GVK.Kind, w.Ref.Name, err)
	}
	parsed, err := metav1.LabelSelectorAsSelector(of.Spec.Selector)
	if err != nil || parsed.Empty() {
		return "", "", model.BadInput("of", "is a %s whose selector selects nothing", w.Ref.GVK.Kind)
	}
	return parsed.String(), "", nil
}
