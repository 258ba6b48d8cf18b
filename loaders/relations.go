package loaders

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
)

// rowsIn is the part of the read store with some kinds in one cluster, or control plane; kinds that are not
// held there are left out, and told by the part.
func (k *Loaders) rowsIn(instance, cluster string, gvrs []schema.GroupVersionResource, where ...pedia.Condition) (part, error) {
	held, missing := make([]schema.GroupVersionResource, 0, len(gvrs)), error(nil)
	readable := slices.DeleteFunc(slices.Clone(gvrs), func(gvr schema.GroupVersionResource) bool { return !k.mayList(instance, gvr) })
	if len(readable) == 0 && len(gvrs) > 0 {
		return part{}, &model.Error{Code: model.CodeForbidden, Instance: instance, Cluster: cluster,
			Message: fmt.Sprintf("you have no role that may list %s in instance %q", gvrs[0].GroupResource(), instance)}
	}
	for _, gvr := range readable {
		if err := k.source.Fleet.Synced(instance, cluster, gvr); err == nil {
			held = append(held, gvr)
		} else if missing == nil {
			missing = err
		}
	}
	if len(held) == 0 && len(gvrs) > 0 {
		return part{}, missing
	}
	return part{clusters: []string{pedia.Cluster(instance, cluster)}, gvrs: held, where: where, missing: missing}, nil
}

// mayList says whether whoever asks may see any objects of a kind in an instance: what is in no namespace is for
// those with a role in all of it, but for the namespaces themselves.
func (k *Loaders) mayList(instance string, gvr schema.GroupVersionResource) bool {
	where := k.scope.Sees(instance, gvr.GroupResource())
	if known := catalog.ByGVR(gvr); known != nil && !known.Namespaced && gvr != namespaceResource[0] {
		return where.All()
	}
	return !where.None()
}

// members is the members of an instance by name; an error when they are not known.
func (k *Loaders) members(instance string) (map[string]*model.Cluster, error) {
	states := k.source.Fleet.ClusterStates(k.scope, instance)
	if states == nil {
		return nil, model.InstanceUnavailable(instance, "its clusters are not known yet", nil)
	}
	return states, nil
}

// holds adds a cluster to a part of one kind when the read store holds it there.
func (k *Loaders) holds(p *part, instance, cluster string) bool {
	err := k.source.Fleet.Synced(instance, cluster, p.gvrs[0])
	if err != nil {
		p.missing = err
		return false
	}
	p.clusters = append(p.clusters, pedia.Cluster(instance, cluster))
	return true
}

// ifAny is a part of which there may be nothing: the error is why there is not, when something should be.
func (p part) ifAny() ([]part, error) {
	if len(p.clusters) == 0 {
		return nil, p.missing
	}
	return []part{p}, nil
}

// nearby is one part in the cluster of an object.
func (k *Loaders) nearby(ref model.Ref, gvrs []schema.GroupVersionResource, where ...pedia.Condition) ([]part, error) {
	p, err := k.rowsIn(ref.Instance, ref.Cluster, gvrs, where...)
	if err != nil {
		return nil, err
	}
	return []part{p}, nil
}

// Owners are the objects that an object belongs to. Those of all objects of its batch are read together.
func (k *Loaders) Owners(ctx context.Context, o *model.Object) ([]model.KubernetesObject, error) {
	return owners.of(ctx, k, o.Batch, none{}, o)
}

var owners = &edge[none, *model.Object, []model.KubernetesObject]{
	from: objectsOf,
	read: func(ctx context.Context, k *Loaders, _ none, objects []*model.Object) (map[*model.Object][]model.KubernetesObject, error) {
		var refs []model.Ref
		for _, o := range objects {
			refs = append(refs, ownerRefs(o)...)
		}
		found, unread := k.gatherRefs(ctx, refs)
		out, errs := make(map[*model.Object][]model.KubernetesObject, len(objects)), each[*model.Object]{}
		for _, o := range objects {
			out[o] = []model.KubernetesObject{}
			for _, ref := range ownerRefs(o) {
				errs.add(o, unread[ref])
				if owner := found[ref]; owner != nil {
					out[o] = append(out[o], owner)
				}
			}
		}
		return out, errs.any()
	},
}

// ownerRefs names the owners of an object. An owner is in the object's own namespace unless its kind is
// cluster-scoped.
func ownerRefs(o *model.Object) []model.Ref {
	out := make([]model.Ref, 0, len(o.Owners))
	for _, owner := range o.Owners {
		gv, err := schema.ParseGroupVersion(owner.APIVersion)
		if err != nil {
			continue
		}
		ref := model.Ref{Instance: o.Ref.Instance, Cluster: o.Ref.Cluster, GVK: gv.WithKind(owner.Kind), Namespace: o.Ref.Namespace, Name: owner.Name}
		if known := catalog.ByGVK(ref.GVK); known != nil && !known.Namespaced {
			ref.Namespace = ""
		}
		out = append(out, ref)
	}
	return out
}

// objectsOf is the common parts of the objects of a batch.
func objectsOf(b *model.Batch) []*model.Object {
	rows := model.Members[interface{ ObjectMeta() *model.Object }](b)
	out := make([]*model.Object, len(rows))
	for i, r := range rows {
		out[i] = r.ObjectMeta()
	}
	return out
}

// childKinds is where the objects that belong to one of a kind are looked for: in all that is kept where the
// kind is not among them.
var childKinds = map[string][]schema.GroupVersionResource{
	"CronJob":     catalog.Resources("Job"),
	"DaemonSet":   catalog.Resources("ControllerRevision", "Pod", "ResourceBinding"),
	"Deployment":  catalog.Resources("ControllerRevision", "ReplicaSet", "ResourceBinding"),
	"Job":         catalog.Resources("Pod", "ResourceBinding"),
	"ReplicaSet":  catalog.Resources("Pod"),
	"StatefulSet": catalog.Resources("ControllerRevision", "Pod", "ResourceBinding"),
}

// owned is all kinds that belong to others.
var owned = catalog.Resources("ClusterResourceBinding", "ConfigMap", "ControllerRevision", "CronJob", "DaemonSet", "Deployment",
	"Job", "PersistentVolumeClaim", "Pod", "ReplicaSet", "ResourceBinding", "Service", "StatefulSet", "Work")

// Children are the objects that belong to an object.
func (k *Loaders) Children(ctx context.Context, o *model.Object, opts ListOptions) (*model.Connection[model.KubernetesObject], error) {
	return children.of(ctx, k, o.Batch, opts, o)
}

var children = &edge[ListOptions, *model.Object, *model.Connection[model.KubernetesObject]]{
	from: objectsOf,
	read: func(ctx context.Context, k *Loaders, opts ListOptions, objects []*model.Object) (map[*model.Object]*model.Connection[model.KubernetesObject], error) {
		return paging[*model.Object, model.KubernetesObject]{
			name: "children", of: (*model.Object).ID, decode: decodeRow,
			parts: func(o *model.Object) ([]part, error) {
				kinds := childKinds[o.Ref.GVK.Kind]
				if kinds == nil {
					kinds = owned
				}
				if o.UID == "" {
					return nil, nil
				}
				return k.nearby(o.Ref, k.kept(o.Ref, kinds), pedia.OwnedBy(o.UID))
			},
		}.read(ctx, k, opts, objects)
	},
}

// kept leaves out the kinds that are kept of members only, or of control planes only, where they are not.
func (k *Loaders) kept(ref model.Ref, gvrs []schema.GroupVersionResource) []schema.GroupVersionResource {
	return slices.DeleteFunc(slices.Clone(gvrs), func(gvr schema.GroupVersionResource) bool {
		return !catalog.ByGVR(gvr).KeptIn(ref.Cluster)
	})
}

// newestFirst is the order of events.
var newestFirst = sorting{order: pedia.ByLastSeen, descending: true}

// Events are the events about an object; of a template also those about its binding.
func (k *Loaders) Events(ctx context.Context, o *model.Object, opts ListOptions) (*model.KubernetesEventConnection, error) {
	return eventsOf.of(ctx, k, o.Batch, opts, o)
}

var eventsOf = &edge[ListOptions, *model.Object, *model.KubernetesEventConnection]{
	from: objectsOf,
	read: func(ctx context.Context, k *Loaders, opts ListOptions, objects []*model.Object) (map[*model.Object]*model.KubernetesEventConnection, error) {
		return paging[*model.Object, *model.KubernetesEvent]{
			name: "events", of: (*model.Object).ID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(o *model.Object) ([]part, error) {
				if o.UID == "" {
					return nil, nil
				}
				uids := []string{o.UID}
				p, err := k.Propagation(ctx, o)
				if err != nil {
					return nil, err
				}
				if p != nil && p.Binding != nil {
					uids = append(uids, p.Binding.UID)
				}
				return k.nearby(o.Ref, eventResource, pedia.Involving(uids...))
			},
		}.read(ctx, k, opts, objects)
	},
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
	return workloadPods.of(ctx, k, w.Batch, asked, w)
}

// podsAsked is a list of the pods of a workload.
type podsAsked struct {
	ListOptions
	where []pedia.Condition
	// clusters are those to look in; empty for all.
	clusters []string
}

var workloadPods = &edge[podsAsked, *model.WorkloadMeta, *model.PodConnection]{
	from: workloadMetas,
	read: func(ctx context.Context, k *Loaders, asked podsAsked, workloads []*model.WorkloadMeta) (map[*model.WorkloadMeta]*model.PodConnection, error) {
		// Where the pods of a template are, its propagation tells.
		unknown := each[*model.WorkloadMeta]{}
		for _, w := range workloads {
			_, err := k.WorkloadPropagation(ctx, w)
			unknown.add(w, err)
		}
		return paging[*model.WorkloadMeta, *model.Pod]{
			name: "pods", of: func(w *model.WorkloadMeta) string { return w.ID() }, decode: decodeInto[*model.Pod],
			parts: func(w *model.WorkloadMeta) ([]part, error) {
				if err := unknown[w]; err != nil {
					return nil, err
				}
				rows := part{gvrs: podResource}
				var owners []pedia.Key
				for _, ref := range livesIn(w) {
					if len(asked.clusters) > 0 && !slices.Contains(asked.clusters, ref.Cluster) {
						continue
					}
					if k.holds(&rows, ref.Instance, ref.Cluster) {
						owners = append(owners, storeKey(ref))
					}
				}
				rows.where = append(slices.Clone(asked.where), pedia.OwnedByObjects(owners...))
				return rows.ifAny()
			},
		}.read(ctx, k, asked.ListOptions, workloads)
	},
}

// livesIn names a workload in each member that it is in.
func livesIn(w *model.WorkloadMeta) []model.Ref {
	if w.Ref.Cluster != "" {
		return []model.Ref{w.Ref}
	}
	var out []model.Ref
	if w.Live != nil {
		for _, t := range w.Live.Targets {
			out = append(out, t.MemberRef())
		}
	}
	return out
}
