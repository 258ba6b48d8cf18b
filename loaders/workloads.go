package loaders

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

var workloadsAt = newListAt("workloads", decodeInto[model.Workload])

// WorkloadQuery requests a page of workloads.
type WorkloadQuery struct {
	// Instances are those whose templates are read, sorted; OfAll says that the list is not of one instance.
	Instances []string
	OfAll     bool
	// Member, if set, makes it a list of a member's own workloads instead.
	Member *model.Cluster
	// Namespace limits the list to a namespace; empty for none.
	Namespace string
	Filter    *model.WorkloadFilter
	Order     *model.WorkloadOrder
	ListOptions
}

// of identifies the list in its cursors.
func (q *WorkloadQuery) of() string {
	var id string
	switch {
	case q.Member != nil:
		id = q.Member.ID()
	case !q.OfAll:
		id = model.InstanceID(q.Instances[0])
	}
	by := q.sorting()
	return fmt.Sprint(id, " ", q.Namespace, " ", by.order, by.descending)
}

func (q *WorkloadQuery) sorting() sorting {
	if q.Order == nil {
		return sorting{}
	}
	return ordered(q.Order.Field == model.WorkloadsByCreation, q.Order.Direction)
}

// Workloads reads a page, all kinds in one request. The second result is the error about missing parts of a page that
// is valid otherwise.
func (k *Loaders) Workloads(ctx context.Context, q WorkloadQuery) (conn *model.WorkloadConnection, partial, err error) {
	if err := CheckPage(q.Page); err != nil {
		return nil, nil, err
	}
	filter := q.Filter
	if filter == nil {
		filter = &model.WorkloadFilter{}
	}
	where, err := k.workloadConditions(ctx, &q, filter)
	if err != nil {
		return nil, nil, err
	}
	if q.Member == nil && len(q.Instances) == 0 {
		return emptyPage[model.Workload](q.ListOptions), nil, nil
	}
	if q.Member != nil && len(filter.States) == 0 && q.Namespace == "" {
		conn, err = workloadsAt.at(ctx, k, Place{q.Member.InstanceName, q.Member}, rowsAsked{q.ListOptions, kindsOf(filter), where, q.sorting()})
		return conn, nil, err
	}
	rows, partial := k.workloadRows(&q, kindsOf(filter), where)
	if len(rows.gvrs) == 0 {
		return nil, nil, partial
	}
	list := paging[string, model.Workload]{
		name: "workloads", of: func(of string) string { return of }, sorting: q.sorting(), decode: decodeInto[model.Workload],
		parts: func(string) ([]part, error) { return []part{rows}, nil },
	}
	if len(filter.States) > 0 {
		conn, err = k.inStates(ctx, list, q, filter.States, rows)
		return conn, partial, err
	}
	conn, err = list.one(ctx, k, q.ListOptions, q.of(), []part{rows})
	if conn != nil && partial != nil {
		conn.Uncounted()
	}
	return conn, partial, err
}

func emptyPage[T any](opts ListOptions) *model.Connection[T] {
	conn := &model.Connection[T]{Edges: []model.Edge[T]{}, PageInfo: model.PageInfo{HasPreviousPage: opts.Page.After != ""}}
	conn.Counted(0, opts.Count, opts.Estimate)
	return conn
}

// kindsOf is the resources of the kinds in a filter.
func kindsOf(f *model.WorkloadFilter) []schema.GroupVersionResource {
	var out []schema.GroupVersionResource
	for _, kind := range model.WorkloadKinds {
		if len(f.Kinds) == 0 || slices.Contains(f.Kinds, kind) {
			out = append(out, kind.GVR())
		}
	}
	return out
}

// workloadRows is the part with the list's rows: the kinds that the read store holds for any of its places. The error
// names what is missing anywhere.
func (k *Loaders) workloadRows(q *WorkloadQuery, gvrs []schema.GroupVersionResource, where []sql.Condition) (rows part, missing error) {
	rows.where = where
	member, instances := "", q.Instances
	if q.Member != nil {
		member, instances = q.Member.Name, []string{q.Member.InstanceName}
	}
	for _, instance := range instances {
		rows.clusters = append(rows.clusters, pediacluster.Name(instance, member))
	}
	for _, gvr := range gvrs {
		held := false
		for _, instance := range instances {
			if err := k.source.Fleet.Synced(instance, member, gvr); err == nil {
				held = true
			} else if missing == nil {
				missing = err
			}
		}
		if held {
			rows.gvrs = append(rows.gvrs, gvr)
		}
	}
	return rows, missing
}

// workloadConditions converts a filter to conditions.
func (k *Loaders) workloadConditions(ctx context.Context, q *WorkloadQuery, f *model.WorkloadFilter) ([]sql.Condition, error) {
	var where conditions
	for _, list := range []struct {
		field string
		n     int
	}{{"namespaces", len(f.Namespaces)}, {"clusters", len(f.Clusters)}, {"states", len(f.States)}} {
		if list.n > maxFilterValues {
			return nil, model.BadInput(list.field, "has %d entries, at most %d are allowed", list.n, maxFilterValues)
		}
	}
	where.namespaces(f.Namespaces)
	if q.Namespace != "" {
		where.add(sql.Namespaces(q.Namespace))
	}
	where.nameContains(f.NameContains)
	where.labels(f.LabelSelector)
	if where.err != nil {
		return nil, where.err
	}
	if q.Member != nil && len(f.Clusters) > 0 {
		return nil, templatesOnly("clusters", q.Member)
	}
	if q.Member != nil && f.Policy != nil {
		return nil, templatesOnly("policy", q.Member)
	}
	if len(f.Clusters) > 0 {
		for _, name := range f.Clusters {
			if problems := validation.IsDNS1123Label(name); len(problems) > 0 {
				return nil, model.BadInput("clusters", "%q is not the name of a cluster: %s", model.Clip(name), problems[0])
			}
		}
		where.add(sql.Binding(placedIn(f.Clusters...)))
	}
	if f.Policy != nil {
		claimed, err := k.claimedByNamed(ctx, q.Instances, *f.Policy)
		if err != nil {
			return nil, err
		}
		where.add(claimed)
	}
	if len(f.States) > 0 && q.Member == nil {
		where.add(mayBeIn(f.States))
	}
	return where.all, nil
}

// claimedByNamed holds for objects claimed by the policy that a user named.
func (k *Loaders) claimedByNamed(ctx context.Context, instances []string, name string) (sql.Condition, error) {
	refs, err := model.PolicyRefs(instances, name)
	if err != nil {
		return nil, err
	}
	found, unread := refsOf[model.Policy](ctx, k, refs)
	for _, err := range unread {
		return nil, err
	}
	var claims []sql.Condition
	for _, p := range found {
		parts, err := k.claimedBy(p.PolicyMetadata().Body, nil)
		if err != nil {
			return nil, err
		}
		for _, part := range parts {
			claims = append(claims, part.where...)
		}
	}
	if len(found) == 0 {
		return nil, &model.Error{Code: model.CodeNotFound, Field: []string{"policy"}, Message: fmt.Sprintf("policy: there is no policy %q", model.Clip(name))}
	}
	return sql.Any(claims...), nil
}

// templatesOnly refuses a field of a filter in the list of a member's own workloads.
func templatesOnly(field string, member *model.Cluster) error {
	return model.BadInput(field, "applies to workload templates only; remove it to list the workloads of cluster %q", member.Name)
}

// WorkloadTemplate is Template for a workload.
func (k *Loaders) WorkloadTemplate(ctx context.Context, w *model.WorkloadMeta) (model.Workload, error) {
	obj, err := k.Template(ctx, &w.Object)
	if t, ok := obj.(model.Workload); ok {
		return t, err
	}
	return nil, err
}

// workloadMetas is the workloads of a batch.
func workloadMetas(b *batch.Batch) []*model.WorkloadMeta {
	rows := batch.Members[model.Workload](b)
	out := make([]*model.WorkloadMeta, len(rows))
	for i, w := range rows {
		out[i] = w.Meta()
	}
	return out
}
