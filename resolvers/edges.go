package resolvers

import (
	"context"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// listOptions converts the arguments of a connection, and checks whether its total is selected, or about how many there are.
func listOptions(ctx context.Context, first *int32, after *string) loaders.ListOptions {
	return loaders.ListOptions{Page: page(first, after), Count: selected(ctx, "totalCount"), Estimate: selected(ctx, "totalCountEstimate")}
}

// byValue is a list in the form for generated code: its rows are copies, in their own batch.
func byValue[T any](ctx context.Context, rows []*T, err error) ([]T, error) {
	if rows == nil || err != nil {
		return nil, err
	}
	out, copies := make([]T, len(rows)), make([]*T, len(rows))
	for i, row := range rows {
		out[i] = *row
		copies[i] = &out[i]
	}
	batch.Join(loaders.From(ctx).Operation, copies)
	return out, nil
}

// placeOf is the Place of a member.
func placeOf(c *model.Cluster) loaders.Place {
	return loaders.Place{Instance: c.InstanceName, Member: c}
}

// bindingAt is a binding by reference; nil when it is gone.
func bindingAt(ctx context.Context, ref model.Ref) (*model.ResourceBinding, error) {
	obj, err := loaders.From(ctx).Object(ctx, ref)
	b, _ := obj.(*model.ResourceBinding)
	return b, err
}

// resourceRef is an object by reference; nil when it is gone.
func resourceRef(ctx context.Context, ref model.Ref) (*model.KubernetesResource, error) {
	at := loaders.Place{Instance: ref.Instance, Member: &model.Cluster{InstanceName: ref.Instance, Name: ref.Cluster}}
	return loaders.From(ctx).Resource(ctx, at, ref.APIVersion(), ref.GVK.Kind, ref.Namespace, ref.Name)
}

// oneNamespace is a namespace by name; nil when there is none.
func oneNamespace(ctx context.Context, instance, name string) (*model.Namespace, error) {
	ref := model.Ref{Instance: instance, Name: name}
	ref.GVK.Version, ref.GVK.Kind = "v1", "Namespace"
	obj, err := loaders.From(ctx).Object(ctx, ref)
	ns, _ := obj.(*model.Namespace)
	return ns, err
}

// workPage is a page of the Works of a binding, by cluster.
func workPage(ctx context.Context, b *model.ResourceBinding, p model.Page) (*model.WorkConnection, error) {
	works, err := loaders.From(ctx).Works(ctx, b)
	if err != nil {
		return nil, err
	}
	return loaders.PageOf("works", b.ID(), slices.Clone(works), p, loaders.Sorted[*model.Work]{Name: func(w *model.Work) string { return w.ClusterName }})
}

// revisionPage is a page of the revisions of a workload, the newest first.
func revisionPage(ctx context.Context, w *model.WorkloadMeta, p model.Page) (*model.RevisionConnection, error) {
	lineage, err := loaders.From(ctx).Revisions(ctx, w)
	if err != nil {
		return nil, err
	}
	return loaders.PageOf("revisions", w.ID(), slices.Clone(lineage), p, loaders.Sorted[*model.Revision]{
		Value: func(r *model.Revision) string { return loaders.SortableNumber(float64(r.Revision)) },
		Name:  func(r *model.Revision) string { return r.Ref.Name }, Descending: true,
	})
}

func revisionState(ctx context.Context, r *model.Revision) (*model.RevisionState, error) {
	lineage, err := loaders.From(ctx).Lineage(ctx, r)
	if err != nil {
		return nil, err
	}
	return lineage.State(r), nil
}

// revisionChanges is what a revision changed; nil for the oldest.
func revisionChanges(ctx context.Context, r *model.Revision) ([]model.FieldChange, error) {
	lineage, err := loaders.From(ctx).Lineage(ctx, r)
	if err != nil {
		return nil, err
	}
	before := lineage.Before(r)
	if before == nil || before.PodTemplate == nil || r.PodTemplate == nil {
		return nil, nil
	}
	return objects.Diff(before.PodTemplate, r.PodTemplate)
}

// memberWorkloads is the workloads in a member.
func memberWorkloads(ctx context.Context, c *model.Cluster, f *model.WorkloadFilter, opts loaders.ListOptions) (*model.WorkloadConnection, error) {
	if f != nil && len(f.Instances) > 0 {
		return nil, model.BadInput("instances", "may be given to the root field `workloads` only; this list is of cluster %q", c.Name)
	}
	return workloadPage(ctx, loaders.WorkloadQuery{Member: c, Filter: f, ListOptions: opts})
}

// namespaceWorkloads is the workloads in a namespace of a control plane, or of a member.
func (r *Resolver) namespaceWorkloads(ctx context.Context, n *model.Namespace, f *model.WorkloadFilter, opts loaders.ListOptions) (*model.WorkloadConnection, error) {
	if f != nil && len(f.Instances)+len(f.Namespaces) > 0 {
		return nil, model.BadInput("namespaces", "and `instances` may not be given here; this list is of namespace %q", n.Ref.Name)
	}
	q := loaders.WorkloadQuery{Instances: []string{n.Ref.Instance}, Namespace: n.Ref.Name, Filter: f, ListOptions: opts}
	if n.Ref.Cluster != "" {
		member, err := r.oneCluster(ctx, n.Ref.Instance, n.Ref.Cluster)
		if err != nil {
			return nil, err
		}
		q.Member = member
	}
	return workloadPage(ctx, q)
}

// overview sums up what the viewer may see. Clusters of an instance that does not answer are left out, with an error
// that says so.
func (r *Resolver) overview(ctx context.Context) *model.Overview {
	scope := rbac.ScopeFrom(ctx)
	instances := r.Fleet.Instances(scope)
	var clusters []*model.Cluster
	for _, i := range instances {
		members, err := r.Fleet.Clusters(scope, i.Name)
		if err != nil && !i.Provisioning {
			graphql.AddError(ctx, err)
		}
		clusters = append(clusters, members...)
	}
	return model.NewOverview(instances, clusters)
}

// search finds objects in all instances that the viewer may see, or in the named ones.
func (r *Resolver) search(ctx context.Context, text string, kinds, names []string, opts loaders.ListOptions) (*model.SearchConnection, error) {
	var instances []string
	for _, i := range r.Fleet.Instances(rbac.ScopeFrom(ctx)) {
		if len(names) == 0 && !i.Provisioning {
			instances = append(instances, i.Name)
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		i, err := r.Fleet.Instance(rbac.ScopeFrom(ctx), name)
		if err != nil {
			return nil, err
		}
		if !i.Provisioning {
			instances = append(instances, name)
		}
	}
	text = strings.TrimSpace(text)
	found, err := loaders.From(ctx).Search(ctx, text, kinds, instances, opts)
	if found == nil {
		return nil, err
	}
	return &model.SearchConnection{Connection: *found, Text: text, In: names}, err
}

// foundInstances is a page of the instances that a search found.
func (r *Resolver) foundInstances(ctx context.Context, s *model.SearchConnection, p model.Page) (*model.InstanceConnection, error) {
	return r.instancePage(ctx, &model.InstanceFilter{NameContains: &s.Text, Names: s.In}, nil, p)
}

// foundClusters is a page of the members that a search found. An instance that does not answer is an error beside the others.
func (r *Resolver) foundClusters(ctx context.Context, s *model.SearchConnection, p model.Page) (*model.ClusterConnection, error) {
	scope := rbac.ScopeFrom(ctx)
	var rows []*model.Cluster
	for _, i := range r.Fleet.Instances(scope) {
		if i.Provisioning || !in(s.In, i.Name) {
			continue
		}
		members, err := r.Fleet.Clusters(scope, i.Name)
		if err != nil {
			graphql.AddError(ctx, err)
			continue
		}
		rows = append(rows, slices.DeleteFunc(members, func(c *model.Cluster) bool { return !strings.Contains(c.Name, strings.ToLower(s.Text)) })...)
	}
	conn, err := loaders.PageOf("found clusters", s.Text, rows, p, loaders.Sorted[*model.Cluster]{Name: func(c *model.Cluster) string { return c.InstanceName + "/" + c.Name }})
	if err == nil {
		batch.Join(loaders.From(ctx).Operation, conn.Nodes())
	}
	return conn, err
}

// foundBindings is a page of the access bindings of the people that a search found.
func (r *Resolver) foundBindings(ctx context.Context, s *model.SearchConnection, p model.Page) (*model.AccessBindingConnection, error) {
	return r.accessBindingPage(ctx, &model.AccessBindingFilter{SubjectContains: &s.Text, Instances: s.In}, p)
}
