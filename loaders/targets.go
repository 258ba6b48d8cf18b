package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Member is the object in a target's cluster; nil when it is not there. The members of all targets of a batch are read
// in one request.
func (k *Loaders) Member(ctx context.Context, t *model.PropagationTarget) (*model.KubernetesResource, error) {
	obj, err := k.memberObject(ctx, t)
	if obj == nil || err != nil {
		return nil, err
	}
	return asResource(obj)
}

// memberObject is Member in the graph's type for its kind.
func (k *Loaders) memberObject(ctx context.Context, t *model.PropagationTarget) (model.KubernetesObject, error) {
	return memberObjects.Of(ctx, k, k.Batch(t), batch.None{}, t)
}

var memberObjects = &edge[batch.None, *model.PropagationTarget, model.KubernetesObject]{
	From: batch.Members[*model.PropagationTarget],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, targets []*model.PropagationTarget) (map[*model.PropagationTarget]model.KubernetesObject, error) {
		refs := make([]model.Ref, len(targets))
		for i, t := range targets {
			refs[i] = t.MemberRef()
		}
		found, unread := k.gatherRefs(ctx, refs)
		out, errs := make(map[*model.PropagationTarget]model.KubernetesObject, len(targets)), batch.Each[*model.PropagationTarget]{}
		for i, t := range targets {
			errs.Add(t, unread[refs[i]])
			if obj := found[refs[i]]; obj != nil {
				out[t] = obj
			}
		}
		return out, errs.Any()
	},
}

// Overrides are the changes by override policies for a target; nil when there is no Work yet.
func (k *Loaders) Overrides(ctx context.Context, t *model.PropagationTarget) ([]model.AppliedOverride, error) {
	work, err := k.Work(ctx, t)
	if work == nil || err != nil {
		return nil, err
	}
	return explain(t.Of.Object, work, t.DesiredReplicas)
}

// explain explains overrides with the masked values, which may be shown.
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
	return targetPods.Of(ctx, k, k.Batch(t), opts, t)
}

var targetPods = &edge[ListOptions, *model.PropagationTarget, *model.PodConnection]{
	From: batch.Members[*model.PropagationTarget],
	Read: func(ctx context.Context, k *Loaders, opts ListOptions, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.PodConnection, error) {
		return paging[*model.PropagationTarget, *model.Pod]{
			name: "target pods", of: targetID, decode: decodeInto[*model.Pod],
			parts: func(t *model.PropagationTarget) ([]part, error) {
				if _, ok := model.WorkloadKindOf(t.Of.Object.Ref.GVK); !ok {
					return nil, nil
				}
				return k.nearby(t.MemberRef(), podResource, sql.OwnedByObjects(storeKey(t.MemberRef())))
			},
		}.read(ctx, k, opts, targets)
	},
}

func targetID(t *model.PropagationTarget) string { return t.MemberRef().ID() }

// TargetEvents are the events about the object in one cluster, the newest first.
func (k *Loaders) TargetEvents(ctx context.Context, t *model.PropagationTarget, opts ListOptions) (*model.KubernetesEventConnection, error) {
	// Events refer to their object by uid, which only the member knows.
	if _, err := k.memberObject(ctx, t); err != nil {
		return nil, err
	}
	return targetEvents.Of(ctx, k, k.Batch(t), opts, t)
}

var targetEvents = &edge[ListOptions, *model.PropagationTarget, *model.KubernetesEventConnection]{
	From: batch.Members[*model.PropagationTarget],
	Read: func(ctx context.Context, k *Loaders, opts ListOptions, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.KubernetesEventConnection, error) {
		return paging[*model.PropagationTarget, *model.KubernetesEvent]{
			name: "target events", of: targetID, decode: decodeInto[*model.KubernetesEvent], sorting: newestFirst,
			parts: func(t *model.PropagationTarget) ([]part, error) {
				obj, err := k.memberObject(ctx, t)
				o, ok := obj.(interface{ ObjectMeta() *model.Object })
				if !ok || err != nil {
					return nil, err
				}
				return k.nearby(t.MemberRef(), eventResource, sql.Involving(o.ObjectMeta().UID))
			},
		}.read(ctx, k, opts, targets)
	},
}
