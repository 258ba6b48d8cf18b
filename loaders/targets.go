package loaders

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/karmada-io/karmada/pkg/util/names"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/propagation"
)

// Member is the object as it is in a target's cluster; nil when it is not there. The members of all targets
// of a batch are read in one request.
func (k *Loaders) Member(ctx context.Context, t *model.PropagationTarget) (*model.KubernetesResource, error) {
	obj, err := k.memberObject(ctx, t)
	if obj == nil || err != nil {
		return nil, err
	}
	return asResource(obj)
}

// memberObject is Member in the type that the graph has for its kind.
func (k *Loaders) memberObject(ctx context.Context, t *model.PropagationTarget) (model.KubernetesObject, error) {
	return memberObjects.of(ctx, k, t.Batch, none{}, t)
}

var memberObjects = &edge[none, *model.PropagationTarget, model.KubernetesObject]{
	from: model.Members[*model.PropagationTarget],
	read: func(ctx context.Context, k *Loaders, _ none, targets []*model.PropagationTarget) (map[*model.PropagationTarget]model.KubernetesObject, error) {
		refs := make([]model.Ref, len(targets))
		for i, t := range targets {
			refs[i] = t.MemberRef()
		}
		found, unread := k.gatherRefs(ctx, refs)
		out, errs := make(map[*model.PropagationTarget]model.KubernetesObject, len(targets)), each[*model.PropagationTarget]{}
		for i, t := range targets {
			errs.add(t, unread[refs[i]])
			if obj := found[refs[i]]; obj != nil {
				out[t] = obj
			}
		}
		return out, errs.any()
	},
}

// asResource shows any object as one without a type of its own.
func asResource(obj model.KubernetesObject) (*model.KubernetesResource, error) {
	if r, ok := obj.(*model.KubernetesResource); ok {
		return r, nil
	}
	var raw []byte
	switch o := obj.(type) {
	case interface{ ObjectMeta() *model.Object }:
		raw = o.ObjectMeta().Raw
	case model.Policy:
		raw = o.PolicyMetadata().Body.Raw
	default:
		return nil, fmt.Errorf("a %T is no object of its own", obj)
	}
	ref := obj.ObjectRef()
	r, err := objects.DecodeResource(ref.Instance, ref.Cluster, ref.GVK, raw)
	if err == nil {
		r.Batch = nil
	}
	return r, err
}

// executionSpace is the namespace of a control plane in which the Works for a cluster are.
func executionSpace(cluster string) string { return names.GenerateExecutionSpaceName(cluster) }

// workRef names the Work that brings an object to a cluster.
func workRef(o *model.Object, cluster string) model.Ref {
	return model.Ref{Instance: o.Ref.Instance, GVK: workKind,
		Namespace: executionSpace(cluster), Name: names.GenerateWorkName(o.Ref.GVK.Kind, o.Ref.Name, o.Ref.Namespace)}
}

// Work is what brings the object to a target; nil when there is none. Those of all targets of a batch are
// read in one request.
func (k *Loaders) Work(ctx context.Context, t *model.PropagationTarget) (*model.Work, error) {
	return targetWorks.of(ctx, k, t.Batch, none{}, t)
}

var targetWorks = &edge[none, *model.PropagationTarget, *model.Work]{
	from: model.Members[*model.PropagationTarget],
	read: func(ctx context.Context, k *Loaders, _ none, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.Work, error) {
		refs := make([]model.Ref, len(targets))
		for i, t := range targets {
			refs[i] = workRef(t.Of.Object, t.ClusterName)
		}
		found, unread := gatheredOf[*model.Work](ctx, k, refs)
		out, errs := make(map[*model.PropagationTarget]*model.Work, len(targets)), each[*model.PropagationTarget]{}
		for i, t := range targets {
			errs.add(t, unread[refs[i]])
			if w := found[refs[i]]; w != nil && carries(w, t.Of.Binding) {
				out[t] = w
			}
		}
		return out, errs.any()
	},
}

// carries says whether a Work was made of a binding: its name leaves out the API group of the object.
func carries(w *model.Work, b *model.ResourceBinding) bool {
	return b != nil && w.BindingRef.Name == b.Ref.Name && w.BindingRef.Namespace == b.Ref.Namespace
}

// Overrides are what override policies changed in a target; nil when there is no Work yet.
func (k *Loaders) Overrides(ctx context.Context, t *model.PropagationTarget) ([]model.AppliedOverride, error) {
	work, err := k.Work(ctx, t)
	if work == nil || err != nil {
		return nil, err
	}
	return explain(t.Of.Object, work, t.DesiredReplicas)
}

// WorkOverrides are what override policies changed in a Work, against the template that it was made of.
func (k *Loaders) WorkOverrides(ctx context.Context, w *model.Work) ([]model.AppliedOverride, error) {
	if w.AppliedOverrides == "" && w.AppliedClusterOverrides == "" || len(w.Manifests) == 0 {
		return []model.AppliedOverride{}, nil
	}
	obj, err := workTemplate.of(ctx, k, w.Batch, none{}, w)
	if err != nil {
		return nil, err
	}
	template, ok := obj.(interface{ ObjectMeta() *model.Object })
	if !ok {
		return []model.AppliedOverride{}, nil
	}
	return explain(template.ObjectMeta(), w, nil)
}

var workTemplate = toOne[*model.Work, model.KubernetesObject](model.Members[*model.Work], func(w *model.Work) (ref model.Ref) {
	if len(w.Manifests) > 0 {
		ref = w.Manifests[0].Ref
		ref.Cluster = ""
	}
	return ref
})

// explain tells overrides apart by the values that may be shown.
func explain(template *model.Object, w *model.Work, replicas *int32) ([]model.AppliedOverride, error) {
	if len(w.Manifests) == 0 || template.Raw == nil {
		return []model.AppliedOverride{}, nil
	}
	kind := template.Ref.GVK.GroupKind()
	before, err := objects.Mask(kind, template.Raw)
	if err != nil {
		return nil, err
	}
	shown := *w
	shown.Manifests = slices.Clone(w.Manifests)
	for i := range shown.Manifests {
		m := &shown.Manifests[i]
		if m.Raw, err = objects.Mask(m.Ref.GVK.GroupKind(), m.Raw); err != nil {
			return nil, err
		}
	}
	return propagation.Explain(before, &shown, replicas)
}

// TargetPods are the pods of a workload in one cluster.
func (k *Loaders) TargetPods(ctx context.Context, t *model.PropagationTarget, opts ListOptions) (*model.PodConnection, error) {
	return targetPods.of(ctx, k, t.Batch, opts, t)
}

var targetPods = &edge[ListOptions, *model.PropagationTarget, *model.PodConnection]{
	from: model.Members[*model.PropagationTarget],
	read: func(ctx context.Context, k *Loaders, opts ListOptions, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.PodConnection, error) {
		return paging[*model.PropagationTarget, *model.Pod]{
			name: "target pods", of: targetID, decode: decodeInto[*model.Pod],
			parts: func(t *model.PropagationTarget) ([]part, error) {
				if _, ok := model.WorkloadKindOf(t.Of.Object.Ref.GVK); !ok {
					return nil, nil
				}
				return k.nearby(t.MemberRef(), podResource, pedia.OwnedByObjects(storeKey(t.MemberRef())))
			},
		}.read(ctx, k, opts, targets)
	},
}

func targetID(t *model.PropagationTarget) string { return t.MemberRef().ID() }

// TargetEvents are the events about the object in one cluster, the newest first.
func (k *Loaders) TargetEvents(ctx context.Context, t *model.PropagationTarget, opts ListOptions) (*model.KubernetesEventConnection, error) {
	// Events name their object by uid, which only the member knows.
	if _, err := k.memberObject(ctx, t); err != nil {
		return nil, err
	}
	return targetEvents.of(ctx, k, t.Batch, opts, t)
}

var targetEvents = &edge[ListOptions, *model.PropagationTarget, *model.KubernetesEventConnection]{
	from: model.Members[*model.PropagationTarget],
	read: func(ctx context.Context, k *Loaders, opts ListOptions, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.KubernetesEventConnection, error) {
		return paging[*model.PropagationTarget, *model.KubernetesEvent]{
			name: "target events", of: targetID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(t *model.PropagationTarget) ([]part, error) {
				obj, err := k.memberObject(ctx, t)
				o, ok := obj.(interface{ ObjectMeta() *model.Object })
				if !ok || err != nil {
					return nil, err
				}
				return k.nearby(t.MemberRef(), eventResource, pedia.Involving(o.ObjectMeta().UID))
			},
		}.read(ctx, k, opts, targets)
	},
}

// compareOverrides orders override policies as Karmada applies them: those of all namespaces first.
func compareOverrides(a, b model.Ref) int {
	return cmp.Or(strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Name, b.Name))
}
