package loaders

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

var podsAt = newListAt("pods", decodeInto[*model.Pod])

// MemberPods are the pods of a member.
func (k *Loaders) MemberPods(ctx context.Context, c *model.Cluster, f *model.PodFilter, opts ListOptions) (*model.PodConnection, error) {
	where, err := podConditions(f)
	if err != nil {
		return nil, err
	}
	if f != nil && len(f.Clusters) > 0 {
		return nil, model.BadInput("clusters", "may be given where pods of several clusters are listed; this list is of cluster %q", c.Name)
	}
	return podsAt.at(ctx, k, Place{c.InstanceName, c}, rowsAsked{ListOptions: opts, gvrs: podResource, where: where})
}

// podPhases is Kubernetes' spelling of the phases of pods.
var podPhases = map[model.PodPhase]string{
	model.PodPending: "Pending", model.PodRunning: "Running", model.PodSucceeded: "Succeeded", model.PodFailed: "Failed", model.PodPhaseUnknown: "Unknown",
}

func podConditions(f *model.PodFilter) ([]sql.Condition, error) {
	var where conditions
	if f == nil {
		return nil, nil
	}
	where.namespaces(f.Namespaces)
	where.nameContains(f.NameContains)
	where.labels(f.LabelSelector)
	if len(f.Phases) > 0 {
		phases := make([]string, len(f.Phases))
		for i, p := range f.Phases {
			phases[i] = podPhases[p]
		}
		where.add(sql.Field([]string{"status", "phase"}, phases...))
	}
	return where.all, where.err
}

// Pods are the pods of a workload: in the member that it lives in, or, of a template, in all its clusters.
func (k *Loaders) Pods(ctx context.Context, w *model.WorkloadMeta, f *model.PodFilter, opts ListOptions) (*model.PodConnection, error) {
	where, err := podConditions(f)
	if err != nil {
		return nil, err
	}
	asked := podsAsked{ListOptions: opts, where: where}
	if f != nil {
		asked.clusters = f.Clusters
	}
	return workloadPods.Of(ctx, k, k.Batch(w), asked, w)
}

// podsAsked is a request for the pods of a workload.
type podsAsked struct {
	ListOptions
	where []sql.Condition
	// clusters are the clusters to read; empty for all.
	clusters []string
}

var workloadPods = &edge[podsAsked, *model.WorkloadMeta, *model.PodConnection]{
	From: workloadMetas,
	Read: func(ctx context.Context, k *Loaders, asked podsAsked, workloads []*model.WorkloadMeta) (map[*model.WorkloadMeta]*model.PodConnection, error) {
		// A template's propagation shows where its pods are.
		unknown, known := batch.Each[*model.WorkloadMeta]{}, map[*model.WorkloadMeta]*model.Propagation{}
		for _, w := range workloads {
			p, err := k.WorkloadPropagation(ctx, w)
			known[w] = p
			unknown.Add(w, err)
		}
		return paging[*model.WorkloadMeta, *model.Pod]{
			name: "pods", of: func(w *model.WorkloadMeta) string { return w.ID() }, decode: decodeInto[*model.Pod],
			parts: func(w *model.WorkloadMeta) ([]part, error) {
				if err := unknown[w]; err != nil {
					return nil, err
				}
				rows := part{gvrs: podResource}
				var owners []sql.Key
				for _, ref := range livesIn(w, known[w]) {
					if len(asked.clusters) > 0 && !slices.Contains(asked.clusters, ref.Cluster) {
						continue
					}
					if k.holds(&rows, ref.Instance, ref.Cluster) {
						owners = append(owners, storeKey(ref))
					}
				}
				rows.where = append(slices.Clone(asked.where), sql.OwnedByObjects(owners...))
				return rows.ifAny()
			},
		}.read(ctx, k, asked.ListOptions, workloads)
	},
}

// livesIn is the refs of a workload in each of its members.
func livesIn(w *model.WorkloadMeta, p *model.Propagation) []model.Ref {
	if w.Ref.Cluster != "" {
		return []model.Ref{w.Ref}
	}
	var out []model.Ref
	if p != nil {
		for _, t := range p.Targets {
			out = append(out, t.MemberRef())
		}
	}
	return out
}

// PodNode is the node that a pod runs on; nil before it has one, or when the node is gone.
func (k *Loaders) PodNode(ctx context.Context, p *model.Pod) (*model.ClusterNode, error) {
	return podNode.Of(ctx, k, k.Batch(p), batch.None{}, p)
}

var podNode = toOne[*model.Pod, *model.ClusterNode](batch.Members[*model.Pod], func(p *model.Pod) model.Ref {
	if p.NodeName == nil {
		return model.Ref{}
	}
	return model.Ref{Instance: p.Ref.Instance, Cluster: p.Ref.Cluster, GVK: schema.GroupVersionKind{Version: "v1", Kind: "Node"}, Name: *p.NodeName}
})

// PodWorkload is the workload that a pod belongs to in its member; nil for none. Pods of a Deployment or CronJob belong
// to it through another object.
func (k *Loaders) PodWorkload(ctx context.Context, p *model.Pod) (model.Workload, error) {
	return podWorkload.Of(ctx, k, k.Batch(p), batch.None{}, p)
}

var podWorkload = &edge[batch.None, *model.Pod, model.Workload]{
	From: batch.Members[*model.Pod],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, pods []*model.Pod) (map[*model.Pod]model.Workload, error) {
		controllers := map[*model.Pod]model.Ref{}
		var refs []model.Ref
		for _, p := range pods {
			if ref, ok := controllerOf(&p.Object); ok {
				controllers[p] = ref
				refs = appendOnce(refs, ref)
			}
		}
		first, unread := k.gatherRefs(ctx, refs)
		var next []model.Ref
		for _, obj := range first {
			if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok {
				if ref, ok := controllerOf(o.ObjectMeta()); ok {
					next = appendOnce(next, ref)
				}
			}
		}
		second, unreadNext := k.gatherRefs(ctx, next)
		out, errs := make(map[*model.Pod]model.Workload, len(pods)), batch.Each[*model.Pod]{}
		for p, ref := range controllers {
			obj := first[ref]
			errs.Add(p, unread[ref])
			if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok {
				if above, ok := controllerOf(o.ObjectMeta()); ok {
					errs.Add(p, unreadNext[above])
					if second[above] != nil {
						obj = second[above]
					}
				}
			}
			if w, ok := obj.(model.Workload); ok {
				out[p] = w
			}
		}
		return out, errs.Any()
	},
}

// controllerOf names the object that manages another one.
func controllerOf(o *model.Object) (model.Ref, bool) {
	for i, ref := range ownerRefs(o) {
		if o.Owners[i].Controller {
			return ref, true
		}
	}
	return model.Ref{}, false
}

// PodTemplate is the control plane's template of a pod's workload; nil when Karmada did not create it.
func (k *Loaders) PodTemplate(ctx context.Context, p *model.Pod) (model.Workload, error) {
	w, err := k.PodWorkload(ctx, p)
	if w == nil || err != nil {
		return nil, err
	}
	obj, err := k.Template(ctx, &w.Meta().Object)
	if t, ok := obj.(model.Workload); ok {
		return t, err
	}
	return nil, err
}
