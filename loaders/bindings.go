package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/loaders/batch"
)

var bindingsAt = newListAt("bindings", decodeInto[*model.ResourceBinding])

// Bindings are the bindings of an instance: all, or those that concern one member.
func (k *Loaders) Bindings(ctx context.Context, instance string, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return bindingsAt.at(ctx, k, Place{Instance: instance}, rowsAsked{ListOptions: opts, gvrs: bindingResources, where: where})
}

func bindingConditions(f *model.ResourceBindingFilter) ([]sql.Condition, error) {
	var where conditions
	if f == nil {
		return nil, nil
	}
	where.namespaces(f.Namespaces)
	where.nameContains(f.NameContains)
	where.field("kinds", []string{"spec", "resource", "kind"}, f.Kinds)
	if len(f.Clusters) > 0 {
		if err := checkNames("clusters", f.Clusters); err != nil {
			where.fail(err)
		}
		where.add(placedIn(f.Clusters...))
	}
	return where.all, where.err
}

// ClusterBindings are the bindings of what Karmada placed in a member.
func (k *Loaders) ClusterBindings(ctx context.Context, c *model.Cluster, f *model.ResourceBindingFilter, opts ListOptions) (*model.ResourceBindingConnection, error) {
	where, err := bindingConditions(f)
	if err != nil {
		return nil, err
	}
	return clusterBindings.Of(ctx, k, k.Batch(c), bindingsAsked{opts, where}, c)
}

// Evictions are the bindings whose objects are being moved away from a member.
func (k *Loaders) Evictions(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ResourceBindingConnection, error) {
	return evictions.Of(ctx, k, k.Batch(c), bindingsAsked{ListOptions: opts}, c)
}

// bindingsAsked is a request for a list of bindings.
type bindingsAsked struct {
	ListOptions
	where []sql.Condition
}

var (
	clusterBindings = bindingsOf("bindings", func(name string) sql.Condition { return placedIn(name) })
	evictions       = bindingsOf("evictions", func(name string) sql.Condition {
		return sql.FieldContains([]string{"spec", "gracefulEvictionTasks"}, []any{map[string]any{"fromCluster": name}})
	})
)

// bindingsOf is an edge from members to the bindings that concern them.
func bindingsOf(name string, concern func(string) sql.Condition) *edge[bindingsAsked, *model.Cluster, *model.ResourceBindingConnection] {
	return &edge[bindingsAsked, *model.Cluster, *model.ResourceBindingConnection]{
		From: batch.Members[*model.Cluster],
		Read: func(ctx context.Context, k *Loaders, asked bindingsAsked, clusters []*model.Cluster) (map[*model.Cluster]*model.ResourceBindingConnection, error) {
			return paging[*model.Cluster, *model.ResourceBinding]{
				name: name, of: (*model.Cluster).ID, decode: decodeInto[*model.ResourceBinding],
				parts: func(c *model.Cluster) ([]part, error) {
					rows, err := k.rowsIn(c.InstanceName, "", bindingResources, append(slices.Clone(asked.where), concern(c.Name))...)
					if err != nil {
						return nil, err
					}
					return []part{rows}, nil
				},
			}.read(ctx, k, asked.ListOptions, clusters)
		},
	}
}

// BindingTemplate is the object that a binding carries; nil when it is gone.
func (k *Loaders) BindingTemplate(ctx context.Context, b *model.ResourceBinding) (model.KubernetesObject, error) {
	obj, err := bindingTemplate.Of(ctx, k, k.Batch(b), batch.None{}, b)
	if o, ok := obj.(interface{ ObjectMeta() *model.Object }); ok && b.Resource.UID != "" && o.ObjectMeta().UID != string(b.Resource.UID) {
		return nil, err // another object of the same name, created since
	}
	return obj, err
}

var bindingTemplate = toOne[*model.ResourceBinding, model.KubernetesObject](batch.Members[*model.ResourceBinding], (*model.ResourceBinding).TemplateRef)

// Dependencies are the objects that are propagated along with a binding's object.
func (k *Loaders) Dependencies(ctx context.Context, b *model.ResourceBinding) ([]*model.KubernetesResource, error) {
	return dependencies.Of(ctx, k, k.Batch(b), batch.None{}, b)
}

var dependencies = &edge[batch.None, *model.ResourceBinding, []*model.KubernetesResource]{
	From: batch.Members[*model.ResourceBinding],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, bindings []*model.ResourceBinding) (map[*model.ResourceBinding][]*model.KubernetesResource, error) {
		out, errs := make(map[*model.ResourceBinding][]*model.KubernetesResource, len(bindings)), batch.Each[*model.ResourceBinding]{}
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
				errs.Add(b, unread[d.Ref])
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
		return out, errs.Any()
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
	where.add(sql.Namespaces(d.Ref.Namespace))
	parts, err := k.nearby(d.Ref, catalog.Resources(known.GVK.Kind), where.all...)
	if err != nil {
		return nil, err
	}
	list, err := pedia.Fetch(ctx, k.source.Store, sql.Query{Scope: k.scope, Clusters: parts[0].clusters, GVRs: parts[0].gvrs, Where: parts[0].where, Limit: maxPage}, decodeRow)
	if err != nil {
		return nil, err
	}
	return list.Rows, nil
}

// BindingOf is the binding of an object of a control plane; nil when there is none.
func (k *Loaders) BindingOf(ctx context.Context, o *model.Object) (*model.ResourceBinding, error) {
	p, err := k.Propagation(ctx, o)
	if p == nil || err != nil {
		return nil, err
	}
	return p.Binding, nil
}

// Works are the Works that a binding sends to its clusters, by cluster.
func (k *Loaders) Works(ctx context.Context, b *model.ResourceBinding) ([]*model.Work, error) {
	return works.Of(ctx, k, k.Batch(b), batch.None{}, b)
}

var works = &edge[batch.None, *model.ResourceBinding, []*model.Work]{
	From: batch.Members[*model.ResourceBinding],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, bindings []*model.ResourceBinding) (map[*model.ResourceBinding][]*model.Work, error) {
		var refs []model.Ref
		of := map[*model.ResourceBinding][]model.Ref{}
		for _, b := range bindings {
			for _, cluster := range clustersOf(b) {
				ref := workRef(&model.Object{Ref: b.TemplateRef()}, cluster)
				refs, of[b] = append(refs, ref), append(of[b], ref)
			}
		}
		found, unread := gatheredOf[*model.Work](ctx, k, refs)
		out, errs := make(map[*model.ResourceBinding][]*model.Work, len(bindings)), batch.Each[*model.ResourceBinding]{}
		for b, refs := range of {
			out[b] = []*model.Work{}
			for _, ref := range refs {
				errs.Add(b, unread[ref])
				if w := found[ref]; w != nil && carries(w, b) {
					out[b] = append(out[b], w)
				}
			}
		}
		return out, errs.Any()
	},
}

// clustersOf is all clusters that a binding refers to, current or former, by name.
func clustersOf(b *model.ResourceBinding) []string {
	var out []string
	for _, c := range b.Clusters {
		out = append(out, c.ClusterName)
	}
	for _, r := range b.RequiredBy {
		out = append(out, r.Clusters...)
	}
	for _, e := range b.Evictions {
		out = append(out, e.ClusterName)
	}
	for _, m := range b.Members {
		out = append(out, m.ClusterName)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// placedIn holds for bindings that Karmada placed in one of the clusters.
func placedIn(clusters ...string) sql.Condition {
	var in []sql.Condition
	for _, name := range clusters {
		named := []any{map[string]any{"name": name}}
		in = append(in, sql.FieldContains([]string{"spec", "clusters"}, named),
			sql.FieldContains([]string{"spec", "requiredBy"}, []any{map[string]any{"clusters": named}}))
	}
	return sql.Any(in...)
}

// bindingRef names the binding of an object.
func bindingRef(o *model.Object) model.Ref {
	return propagation.BindingRef(o.Ref.Instance, o.Ref.Namespace, propagation.BindingName(o.Ref.GVK.Kind, o.Ref.Name))
}
