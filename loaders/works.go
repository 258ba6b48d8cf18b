package loaders

import (
	"context"
	"slices"

	"github.com/karmada-io/karmada/pkg/util/names"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders/batch"
)

// WorkBinding is the binding that a Work was made from; nil when there is none.
func (k *Loaders) WorkBinding(ctx context.Context, w *model.Work) (*model.ResourceBinding, error) {
	return workBinding.Of(ctx, k, k.Batch(w), batch.None{}, w)
}

var workBinding = toOne[*model.Work, *model.ResourceBinding](batch.Members[*model.Work], func(w *model.Work) model.Ref { return w.BindingRef })

// WorkOf is the Work that created an object in its member; nil when Karmada did not create it.
func (k *Loaders) WorkOf(ctx context.Context, o *model.Object) (*model.Work, error) {
	w, err := workOf.Of(ctx, k, k.Batch(o), batch.None{}, o)
	// Anybody who may write the object may write the annotation: it is trusted only if the Work confirms it.
	if w == nil || w.Ref.Namespace != executionSpace(o.Ref.Cluster) || !slices.ContainsFunc(w.Manifests, func(m model.WorkManifest) bool {
		return m.Ref.GVK.GroupKind() == o.Ref.GVK.GroupKind() && m.Ref.Namespace == o.Ref.Namespace && m.Ref.Name == o.Ref.Name
	}) {
		return nil, err
	}
	return w, nil
}

var workOf = toOne[*model.Object, *model.Work](objectsOf, func(o *model.Object) model.Ref {
	name, _ := annotation(o, workName)
	namespace, _ := annotation(o, workNamespace)
	if o.Ref.Cluster == "" || name == "" {
		return model.Ref{}
	}
	return model.Ref{Instance: o.Ref.Instance, GVK: workKind, Namespace: namespace, Name: name}
})

// Annotations in which Karmada records a Work on the objects in a member.
const (
	workName      = "work.karmada.io/name"
	workNamespace = "work.karmada.io/namespace"
)

// executionSpace is the namespace of a control plane in which the Works for a cluster are.
func executionSpace(cluster string) string { return names.GenerateExecutionSpaceName(cluster) }

// workRef names the Work that carries an object to a cluster.
func workRef(o *model.Object, cluster string) model.Ref {
	return model.Ref{Instance: o.Ref.Instance, GVK: workKind,
		Namespace: executionSpace(cluster), Name: names.GenerateWorkName(o.Ref.GVK.Kind, o.Ref.Name, o.Ref.Namespace)}
}

// Work is the Work of a target; nil when there is none. Those of all targets of a batch are read in one request.
func (k *Loaders) Work(ctx context.Context, t *model.PropagationTarget) (*model.Work, error) {
	return targetWorks.Of(ctx, k, k.Batch(t), batch.None{}, t)
}

var targetWorks = &edge[batch.None, *model.PropagationTarget, *model.Work]{
	From: batch.Members[*model.PropagationTarget],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, targets []*model.PropagationTarget) (map[*model.PropagationTarget]*model.Work, error) {
		refs := make([]model.Ref, len(targets))
		for i, t := range targets {
			refs[i] = workRef(t.Of.Object, t.ClusterName)
		}
		found, unread := gatheredOf[*model.Work](ctx, k, refs)
		out, errs := make(map[*model.PropagationTarget]*model.Work, len(targets)), batch.Each[*model.PropagationTarget]{}
		for i, t := range targets {
			errs.Add(t, unread[refs[i]])
			if w := found[refs[i]]; w != nil && carries(w, t.Of.Binding) {
				out[t] = w
			}
		}
		return out, errs.Any()
	},
}

// carries reports whether a Work was made from a binding: its name leaves out the API group of the object.
func carries(w *model.Work, b *model.ResourceBinding) bool {
	return b != nil && w.BindingRef.Name == b.Ref.Name && w.BindingRef.Namespace == b.Ref.Namespace
}

// WorkOverrides are the changes by override policies in a Work, against the template that it was made from.
func (k *Loaders) WorkOverrides(ctx context.Context, w *model.Work) ([]model.AppliedOverride, error) {
	if w.AppliedOverrides == "" && w.AppliedClusterOverrides == "" || len(w.Manifests) == 0 {
		return []model.AppliedOverride{}, nil
	}
	obj, err := workTemplate.Of(ctx, k, k.Batch(w), batch.None{}, w)
	if err != nil {
		return nil, err
	}
	template, ok := obj.(interface{ ObjectMeta() *model.Object })
	if !ok {
		return []model.AppliedOverride{}, nil
	}
	return explain(template.ObjectMeta(), w, nil)
}

var workTemplate = toOne[*model.Work, model.KubernetesObject](batch.Members[*model.Work], func(w *model.Work) (ref model.Ref) {
	if len(w.Manifests) > 0 {
		ref = w.Manifests[0].Ref
		ref.Cluster = ""
	}
	return ref
})
