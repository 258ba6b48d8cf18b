package loaders

import (
	"context"

	"github.com/graph-gophers/dataloader/v7"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/policy"
)

// Object is one object of a control plane by reference; nil when there is none, or none of a kind that
// Kairship shows. Objects asked for at the same time are read together, a request for each kind.
func (k *Kernel) Object(ctx context.Context, ref model.Ref) (model.KubernetesObject, error) {
	if !k.scope.Instance(ref.Instance) {
		return nil, nil //nolint:nilnil // hidden and absent objects look alike
	}
	return k.objects.Load(ctx, ref)()
}

// gvrOf finds the resource of a kind that Kairship shows.
func gvrOf(gvk schema.GroupVersionKind) (schema.GroupVersionResource, bool) {
	if kind, ok := model.WorkloadKindOf(gvk); ok {
		return kind.GVR(), true
	}
	kind, ok := model.PolicyKindOf(gvk.Group, gvk.Kind)
	return kind.GVR(), ok && kind.GVK() == gvk
}

// readObjects is the batch function of Object.
func (k *Kernel) readObjects(ctx context.Context, refs []model.Ref) []*dataloader.Result[model.KubernetesObject] {
	byKind := map[schema.GroupVersionKind][]model.Ref{}
	for _, ref := range refs {
		byKind[ref.GVK] = append(byKind[ref.GVK], ref)
	}
	// The batch runs under its first caller's context; another caller must not fail with that one.
	ctx = context.WithoutCancel(ctx)
	found := map[model.Ref]model.KubernetesObject{}
	failed := map[schema.GroupVersionKind]error{}
	var workloads []model.Workload
	for gvk, wanted := range byKind {
		rows, err := k.readKind(ctx, gvk, wanted)
		failed[gvk] = err
		for _, obj := range rows {
			found[obj.ObjectRef()] = obj
			if w, ok := obj.(model.Workload); ok {
				workloads = append(workloads, w)
			}
		}
	}
	model.NewBatch(workloads)
	out := make([]*dataloader.Result[model.KubernetesObject], len(refs))
	for i, ref := range refs {
		out[i] = &dataloader.Result[model.KubernetesObject]{Data: found[ref], Error: failed[ref.GVK]}
	}
	return out
}

func (k *Kernel) readKind(ctx context.Context, gvk schema.GroupVersionKind, refs []model.Ref) (map[pedia.Key]model.KubernetesObject, error) {
	gvr, ok := gvrOf(gvk)
	if !ok {
		return nil, nil //nolint:nilnil // no object of a kind that is not shown
	}
	keys := make([]pedia.Key, 0, len(refs))
	for _, ref := range refs {
		if ref.Cluster != "" || !k.scope.Instance(ref.Instance) {
			continue
		}
		if err := k.source.Fleet.Synced(ref.Instance, "", gvr); err != nil {
			return nil, err
		}
		keys = append(keys, objectKey(ref, gvr))
	}
	query := pedia.Query{Scope: k.scope}
	if _, ok := model.WorkloadKindOf(gvk); ok {
		workloads, err := pedia.FetchKeys(ctx, k.source.Store, query, keys, decodeWorkload)
		return asObjects(workloads, func(w model.Workload) model.KubernetesObject { return w }), err
	}
	kind, _ := model.PolicyKindOf(gvk.Group, gvk.Kind)
	policies, err := pedia.FetchKeys(ctx, k.source.Store, query, keys, decodePolicy(kind))
	return asObjects(policies, func(p model.PolicyMeta) model.KubernetesObject { return model.NewPolicy(p) }), err
}

func asObjects[T any](in map[pedia.Key]T, object func(T) model.KubernetesObject) map[pedia.Key]model.KubernetesObject {
	out := make(map[pedia.Key]model.KubernetesObject, len(in))
	for key, row := range in {
		out[key] = object(row)
	}
	return out
}

// objectKey is where an object of a control plane stands in the read store.
func objectKey(ref model.Ref, gvr schema.GroupVersionResource) pedia.Key {
	return pedia.Key{Cluster: pedia.InstanceCluster(ref.Instance), Namespace: ref.Namespace, Name: ref.Name, GVR: gvr}
}

// decodePolicy makes the decoder of a kind of policy.
func decodePolicy(kind model.PolicyKind) pedia.Decode[model.PolicyMeta] {
	return func(row pedia.Row) (model.PolicyMeta, pedia.Key, error) {
		instance, _, _ := pedia.ParseCluster(row.Cluster)
		p, err := policy.Decode(kind, instance, row.Raw)
		return p, pedia.Key{Namespace: p.Ref.Namespace, Name: p.Ref.Name}, err
	}
}
