package loaders

import (
	"context"
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/propagation"
)

var bindingTemplate = toOne[*model.ResourceBinding, model.KubernetesObject](model.Members[*model.ResourceBinding], (*model.ResourceBinding).TemplateRef)

// BindingTemplate is the object that a binding carries; nil when it is gone.
func (k *Loaders) BindingTemplate(ctx context.Context, b *model.ResourceBinding) (model.KubernetesObject, error) {
	obj, err := bindingTemplate.of(ctx, k, b.Batch, none{}, b)
	if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok && b.Resource.UID != "" && o.ObjectMeta().UID != string(b.Resource.UID) {
		return nil, err // a namesake made since
	}
	return obj, err
}

var workBinding = toOne[*model.Work, *model.ResourceBinding](model.Members[*model.Work], func(w *model.Work) model.Ref { return w.BindingRef })

// WorkBinding is the binding that a Work was made of; nil when there is none.
func (k *Loaders) WorkBinding(ctx context.Context, w *model.Work) (*model.ResourceBinding, error) {
	return workBinding.of(ctx, k, w.Batch, none{}, w)
}

var revisionWorkload = toOne[*model.Revision, model.Workload](model.Members[*model.Revision], func(r *model.Revision) model.Ref { return r.WorkloadRef })

// RevisionWorkload is the workload that a revision is of; nil when it is gone.
func (k *Loaders) RevisionWorkload(ctx context.Context, r *model.Revision) (model.Workload, error) {
	return revisionWorkload.of(ctx, k, r.Batch, none{}, r)
}

// Dependencies are the objects that a binding's object takes along.
func (k *Loaders) Dependencies(ctx context.Context, b *model.ResourceBinding) ([]*model.KubernetesResource, error) {
	return dependencies.of(ctx, k, b.Batch, none{}, b)
}

var dependencies = &edge[none, *model.ResourceBinding, []*model.KubernetesResource]{
	from: model.Members[*model.ResourceBinding],
	read: func(ctx context.Context, k *Loaders, _ none, bindings []*model.ResourceBinding) (map[*model.ResourceBinding][]*model.KubernetesResource, error) {
		out, errs := make(map[*model.ResourceBinding][]*model.KubernetesResource, len(bindings)), each[*model.ResourceBinding]{}
		var refs []model.Ref
		for _, b := range bindings {
			out[b] = []*model.KubernetesResource{}
			for _, d := range b.DependsOn {
				if d.Ref.Name != "" {
					refs = appendOnce(refs, d.Ref)
				}
			}
		}
		found, unread := k.gatherRefs(ctx, refs)
		for _, b := range bindings {
			for _, d := range b.DependsOn {
				errs.add(b, unread[d.Ref])
				objects := []model.KubernetesObject{found[d.Ref]}
				if d.Ref.Name == "" {
					labelled, err := k.labelled(ctx, d)
					if err != nil {
						return nil, err
					}
					objects = labelled
				}
				for _, obj := range objects {
					if obj == nil {
						continue
					}
					r, err := asResource(obj)
					if err != nil {
						return nil, err
					}
					out[b] = append(out[b], r)
				}
			}
		}
		return out, errs.any()
	},
}

// labelled is the objects that a dependency selects by their labels.
func (k *Loaders) labelled(ctx context.Context, d model.Dependency) ([]model.KubernetesObject, error) {
	known := catalog.ByGVK(d.Ref.GVK)
	if known == nil {
		return nil, nil
	}
	var where conditions
	where.labels(&d.LabelSelector)
	if where.err != nil {
		return nil, where.err
	}
	where.add(pedia.Namespaces(d.Ref.Namespace))
	parts, err := k.nearby(d.Ref, catalog.Resources(known.GVK.Kind), where.all...)
	if err != nil {
		return nil, err
	}
	list, err := pedia.Fetch(ctx, k.source.Store, pedia.Query{Scope: k.scope, Clusters: parts[0].clusters, GVRs: parts[0].gvrs, Where: parts[0].where, Limit: maxPage}, decodeRow)
	if err != nil {
		return nil, err
	}
	return list.Rows, nil
}

// OverridePolicies are the override policies that changed an object in any of its clusters, those of all
// namespaces first.
func (k *Loaders) OverridePolicies(ctx context.Context, p *model.Propagation) ([]model.Policy, error) {
	refs := map[model.Ref]bool{}
	for _, t := range p.Targets {
		w, err := k.Work(ctx, t)
		if err != nil {
			return nil, err // *Reported too: a list without those of this cluster would be wrong
		}
		if w == nil {
			continue
		}
		for _, ref := range propagation.AppliedPolicies(w) {
			refs[ref] = true
		}
	}
	out := []model.Policy{}
	for _, ref := range slices.SortedFunc(maps.Keys(refs), compareOverrides) {
		if policy := model.NewPolicy(model.PolicyMeta{Ref: ref}); policy != nil {
			out = append(out, policy)
		}
	}
	return out, nil
}
