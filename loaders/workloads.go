package loaders

import (
	"context"
	"errors"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/propagation"
)

// WorkloadQuery asks for a page of workload templates.
type WorkloadQuery struct {
	// Instance is the one instance the list is of; empty for the list over all instances.
	Instance string
	// Instances are the instances to read, sorted.
	Instances []string
	Filter    *model.WorkloadFilter
	Page      model.Page
	// Count asks for the total; it costs a request of its own.
	Count bool
}

// maxFilterValues bounds the lists of a filter.
const maxFilterValues = 100

// Workloads reads a page in one request for all kinds, by instance, namespace, name and kind. The second
// result says what of it could not be read although the page stands.
func (k *Kernel) Workloads(ctx context.Context, q WorkloadQuery) (conn *model.WorkloadConnection, partial, err error) {
	filter := q.Filter
	if filter == nil {
		filter = &model.WorkloadFilter{}
	}
	if err := checkWorkloads(q.Page, filter); err != nil {
		return nil, nil, err
	}
	l := list{"workloads", q.Instance}
	after, err := parseWorkloadCursor(l, q.Page.After)
	if err != nil {
		return nil, nil, err
	}
	if len(q.Instances) == 0 {
		return emptyPage(q), nil, nil
	}
	kinds, partial := k.syncedKinds(q.Instances, filter.Kinds)
	if len(kinds) == 0 {
		return nil, nil, partial
	}
	list, err := k.fetchPage(ctx, q, filter, kinds, after)
	if err != nil {
		return nil, nil, err
	}
	rows := list.Rows[:min(len(list.Rows), q.Page.First)]
	model.NewBatch(rows)
	conn = model.NewConnection(rows, q.Page, list.Full, func(w model.Workload) string {
		m := w.Meta()
		return l.cursor(m.Ref.Instance, m.Ref.Namespace, m.Ref.Name, string(m.WorkloadKind))
	})
	if partial == nil {
		conn.TotalCount = list.Total
	}
	return conn, partial, nil
}

func checkWorkloads(page model.Page, f *model.WorkloadFilter) error {
	if err := errors.Join(CheckPage(page), f.Validate()); err != nil {
		return firstError(err)
	}
	if n := len(f.Namespaces); n > maxFilterValues {
		return model.BadInput("namespaces", "has %d entries, at most %d are allowed", n, maxFilterValues)
	}
	for _, ns := range f.Namespaces {
		if problems := validation.IsDNS1123Label(ns); len(problems) > 0 {
			return model.BadInput("namespaces", "%q is not the name of a namespace: %s", ns, problems[0])
		}
	}
	return nil
}

// firstError takes one error out of joined ones: a message about one thing at a time is read.
func firstError(err error) error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()[0]
	}
	return err
}

func emptyPage(q WorkloadQuery) *model.WorkloadConnection {
	conn := model.NewConnection[model.Workload](nil, q.Page, false, nil)
	if q.Count {
		conn.TotalCount = new(int)
	}
	return conn
}

func parseWorkloadCursor(l list, cursor string) (*pedia.Position, error) {
	if cursor == "" {
		return nil, nil //nolint:nilnil // no cursor is the first page
	}
	f, err := l.parse(cursor, 4)
	if err != nil {
		return nil, err
	}
	kind := model.WorkloadKind(f[3])
	if !slices.Contains(model.WorkloadKinds, kind) {
		return nil, model.BadInput("after", "is not a cursor of this list")
	}
	return &pedia.Position{Key: pedia.Key{Cluster: pedia.InstanceCluster(f[0]), Namespace: f[1], Name: f[2], GVR: kind.GVR()}}, nil
}

// syncedKinds leaves out kinds that the read store holds for none of the instances. The error names
// what is missing anywhere.
func (k *Kernel) syncedKinds(instances []string, wanted []model.WorkloadKind) ([]model.WorkloadKind, error) {
	var missing error
	kinds := make([]model.WorkloadKind, 0, len(model.WorkloadKinds))
	for _, kind := range model.WorkloadKinds {
		if len(wanted) > 0 && !slices.Contains(wanted, kind) {
			continue
		}
		held := false
		for _, instance := range instances {
			if err := k.source.Fleet.Synced(instance, "", kind.GVR()); err == nil {
				held = true
			} else if missing == nil {
				missing = err
			}
		}
		if held {
			kinds = append(kinds, kind)
		}
	}
	return kinds, missing
}

// fetchPage reads the rows of a page and one more, all kinds in one request.
func (k *Kernel) fetchPage(ctx context.Context, q WorkloadQuery, f *model.WorkloadFilter, kinds []model.WorkloadKind, after *pedia.Position) (*pedia.List[model.Workload], error) {
	query := pedia.Query{Scope: k.scope, After: after, Limit: q.Page.First + 1, Count: q.Count}
	for _, instance := range q.Instances {
		query.Clusters = append(query.Clusters, pedia.InstanceCluster(instance))
	}
	for _, kind := range kinds {
		query.GVRs = append(query.GVRs, kind.GVR())
	}
	if len(f.Namespaces) > 0 {
		query.Where = append(query.Where, pedia.Namespaces(f.Namespaces...))
	}
	if f.NameContains != nil {
		query.Where = append(query.Where, pedia.NameContains(*f.NameContains))
	}
	return pedia.Fetch(ctx, k.source.Store, query, decodeWorkload)
}

// workloadKinds is the kinds by resource.
var workloadKinds = func() map[schema.GroupVersionResource]model.WorkloadKind {
	out := map[schema.GroupVersionResource]model.WorkloadKind{}
	for _, kind := range model.WorkloadKinds {
		out[kind.GVR()] = kind
	}
	return out
}()

func decodeWorkload(row pedia.Row) (model.Workload, pedia.Key, error) {
	instance, _, _ := pedia.ParseCluster(row.Cluster)
	w, err := propagation.DecodeWorkload(instance, workloadKinds[row.GVR], row.Raw)
	if err != nil {
		return nil, pedia.Key{}, err
	}
	return w, pedia.Key{Namespace: w.Meta().Ref.Namespace, Name: w.Meta().Ref.Name}, nil
}
