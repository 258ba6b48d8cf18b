package resolvers

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// workloadsOf is the workloads of one instance.
func (r *Resolver) workloadsOf(ctx context.Context, instance string, f *model.WorkloadFilter, by *model.WorkloadOrder, opts loaders.ListOptions) (*model.WorkloadConnection, error) {
	if f != nil && len(f.Instances) > 0 {
		return nil, model.BadInput("instances", "may be given to the root field `workloads` only; this list is of instance %q", instance)
	}
	q := loaders.WorkloadQuery{Filter: f, Order: by, ListOptions: opts}
	if err := r.read(ctx, &q, instance); err != nil {
		return nil, err
	}
	return workloadPage(ctx, q)
}

// allWorkloads is the workloads of all instances, or of those named in the filter.
func (r *Resolver) allWorkloads(ctx context.Context, f *model.WorkloadFilter, by *model.WorkloadOrder, opts loaders.ListOptions) (*model.WorkloadConnection, error) {
	q := loaders.WorkloadQuery{OfAll: true, Filter: f, Order: by, ListOptions: opts}
	if f != nil && len(f.Instances) > 0 {
		if err := r.read(ctx, &q, slices.Compact(slices.Sorted(slices.Values(f.Instances)))...); err != nil {
			return nil, err
		}
	} else {
		for _, i := range r.Fleet.Instances(rbac.ScopeFrom(ctx)) {
			if !i.Provisioning {
				q.Instances = append(q.Instances, i.Name)
			}
		}
	}
	return workloadPage(ctx, q)
}

// read adds instances to a query. One that is still provisioning holds nothing, and the read store may not know it.
func (r *Resolver) read(ctx context.Context, q *loaders.WorkloadQuery, names ...string) error {
	for _, name := range names {
		i, err := r.Fleet.Instance(rbac.ScopeFrom(ctx), name)
		if err != nil {
			return err
		}
		if !i.Provisioning {
			q.Instances = append(q.Instances, name)
		}
	}
	return nil
}

// workloadPage reads a page. Parts that could not be read are reported beside the rows that could.
func workloadPage(ctx context.Context, q loaders.WorkloadQuery) (*model.WorkloadConnection, error) {
	conn, partial, err := loaders.From(ctx).Workloads(ctx, q)
	if conn != nil && partial != nil {
		graphql.AddError(ctx, partial)
	}
	return conn, err
}

// selected reports whether a field is selected below the current one.
func selected(ctx context.Context, field string) bool {
	return slices.ContainsFunc(graphql.CollectFieldsCtx(ctx, nil), func(f graphql.CollectedField) bool { return f.Name == field })
}

// workload is a workload of one of the kinds.
type workload interface {
	object
	Meta() *model.WorkloadMeta
}

// workloadResolver resolves the fields that workloads of all kinds have.
type workloadResolver[T workload] struct{ objectResolver[T] }

func (workloadResolver[T]) Propagation(ctx context.Context, obj T) (*model.Propagation, error) {
	return loaders.From(ctx).WorkloadPropagation(ctx, obj.Meta())
}

func (workloadResolver[T]) State(ctx context.Context, obj T) (model.WorkloadState, error) {
	state, _ := workloadState(ctx, obj.Meta())
	return state, nil
}

func (workloadResolver[T]) StateReason(ctx context.Context, obj T) (string, error) {
	_, reason := workloadState(ctx, obj.Meta())
	return reason, nil
}

// workloadState reports a failed read beside the state, which is then UNKNOWN: a row is not lost because its binding
// cannot be read.
func workloadState(ctx context.Context, w *model.WorkloadMeta) (model.WorkloadState, string) {
	state, reason, err := loaders.From(ctx).State(ctx, w)
	if err != nil && !errors.As(err, new(*batch.Reported)) {
		graphql.AddError(ctx, err)
	}
	return state, reason
}

func (workloadResolver[T]) Status(ctx context.Context, obj T) (*model.TargetStatus, error) {
	return loaders.From(ctx).Status(ctx, obj.Meta())
}

func (workloadResolver[T]) Pods(ctx context.Context, obj T, first *int32, after *string, filter *model.PodFilter) (*model.Connection[*model.Pod], error) {
	return loaders.From(ctx).Pods(ctx, obj.Meta(), filter, listOptions(ctx, first, after))
}

func (workloadResolver[T]) Services(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[*model.Service], error) {
	return loaders.From(ctx).Services(ctx, obj.Meta(), listOptions(ctx, first, after))
}

func (workloadResolver[T]) Revisions(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[*model.Revision], error) {
	return revisionPage(ctx, obj.Meta(), page(first, after))
}

func (workloadResolver[T]) Autoscaler(ctx context.Context, obj T) (*model.Autoscaler, error) {
	return loaders.From(ctx).Autoscaler(ctx, obj.Meta())
}

func (workloadResolver[T]) Form(_ context.Context, obj T) (*graph.WorkloadForm, error) {
	return shownForm(obj.Meta())
}

func (workloadResolver[T]) Template(ctx context.Context, obj T) (model.Workload, error) {
	return loaders.From(ctx).WorkloadTemplate(ctx, obj.Meta())
}

// oneWorkload is a workload by name.
func (r *Resolver) oneWorkload(ctx context.Context, instance string, kind model.WorkloadKind, namespace, name string) (model.Workload, error) {
	obj, err := loaders.From(ctx).Object(ctx, model.Ref{Instance: instance, GVK: kind.GVK(), Namespace: namespace, Name: name})
	if err != nil {
		return nil, err
	}
	if w, ok := obj.(model.Workload); ok {
		return w, nil
	}
	return nil, &model.Error{Code: model.CodeNotFound, Instance: instance, Field: []string{"name"},
		Message: fmt.Sprintf("instance %q has no %s %s/%s", instance, kind.GVK().Kind, namespace, name)}
}

// liveWorkload follows the workload that an id names.
func (r *Resolver) liveWorkload(ctx context.Context, id string) (<-chan *model.WorkloadChange, error) {
	ref, err := model.ParseWorkloadID(id)
	if err != nil {
		return nil, err
	}
	return r.Live.Workload(ctx, rbac.ScopeFrom(ctx), ref)
}
