package loaders

import (
	"context"
	"errors"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
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
	// Count asks for the total; on pages after the first it costs a request for each kind.
	Count bool
}

// maxFilterValues bounds the lists of a filter.
const maxFilterValues = 100

// Workloads reads a page: one request for each kind, in parallel, merged by instance, namespace, name
// and kind. The second result says what of it could not be read although the page stands.
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
	pages, total, err := k.fetchPages(ctx, q, filter, kinds, after)
	if err != nil {
		return nil, nil, err
	}
	rows, more := merge(pages, q.Page.First)
	model.NewBatch(rows)
	conn = model.NewConnection(rows, q.Page, more, func(w model.Workload) string {
		m := w.Meta()
		return l.cursor(m.Ref.Instance, m.Ref.Namespace, m.Ref.Name, string(m.WorkloadKind))
	})
	if partial == nil {
		conn.TotalCount = total
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

// workloadKey is where a workload stands in the merged list.
type workloadKey struct {
	pedia.Key
	kind model.WorkloadKind
}

func parseWorkloadCursor(l list, cursor string) (*workloadKey, error) {
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
	return &workloadKey{pedia.Key{Cluster: pedia.InstanceCluster(f[0]), Namespace: f[1], Name: f[2]}, kind}, nil
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

// kindPage is one kind's part of a page.
type kindPage struct {
	kind model.WorkloadKind
	*pedia.List[model.Workload]
}

func (k *Kernel) fetchPages(ctx context.Context, q WorkloadQuery, f *model.WorkloadFilter, kinds []model.WorkloadKind, after *workloadKey) ([]kindPage, *int, error) {
	clusters := make([]string, len(q.Instances))
	for i, instance := range q.Instances {
		clusters[i] = pedia.InstanceCluster(instance)
	}
	base := pedia.Query{Scope: k.scope, Clusters: clusters, Namespaces: f.Namespaces, Limit: q.Page.First + 1}
	if f.NameContains != nil {
		base.NameContains = *f.NameContains
	}
	pages := make([]kindPage, len(kinds))
	counts := make([]*int, len(kinds))
	g, ctx := errgroup.WithContext(ctx)
	for i, kind := range kinds {
		query := base
		query.GVR, query.Count = kind.GVR(), q.Count
		if after != nil {
			query.After = &after.Key
			// Rows of the cursor's own name come by kind: later kinds are still to be shown.
			query.Inclusive = kindOrder(kind) > kindOrder(after.kind)
			query.Count = false
		}
		g.Go(func() error {
			rows, err := pedia.Fetch(ctx, k.source.Store, query, decodeWorkload(kind))
			if err == nil {
				pages[i] = kindPage{kind, rows}
				if after == nil {
					counts[i] = rows.Total
				}
			}
			return err
		})
		if q.Count && after != nil {
			g.Go(func() (err error) {
				counts[i], err = k.count(ctx, base, kind)
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	return pages, sum(counts, q.Count), nil
}

// count asks how many rows of a kind there are, whatever the page.
func (k *Kernel) count(ctx context.Context, base pedia.Query, kind model.WorkloadKind) (*int, error) {
	base.GVR, base.Count, base.Limit, base.MetadataOnly = kind.GVR(), true, 1, true
	rows, err := pedia.Fetch(ctx, k.source.Store, base, decodeNothing)
	if err != nil {
		return nil, err
	}
	return rows.Total, nil
}

func decodeNothing(string, []byte) (struct{}, pedia.Key, error) {
	return struct{}{}, pedia.Key{}, nil
}

func sum(counts []*int, wanted bool) *int {
	if !wanted {
		return nil
	}
	total := 0
	for _, c := range counts {
		if c == nil {
			return nil
		}
		total += *c
	}
	return &total
}

func kindOrder(kind model.WorkloadKind) int { return slices.Index(model.WorkloadKinds, kind) }

func decodeWorkload(kind model.WorkloadKind) pedia.Decode[model.Workload] {
	return func(cluster string, raw []byte) (model.Workload, pedia.Key, error) {
		instance, _, _ := pedia.ParseCluster(cluster)
		w, err := propagation.DecodeWorkload(instance, kind, raw)
		if err != nil {
			return nil, pedia.Key{}, err
		}
		return w, pedia.Key{Namespace: w.Meta().Ref.Namespace, Name: w.Meta().Ref.Name}, nil
	}
}

// merge takes the first rows out of pages that are each in order; more says that rows were left.
func merge(pages []kindPage, first int) (rows []model.Workload, more bool) {
	next := make([]int, len(pages))
	for {
		best := -1
		for i, p := range pages {
			if next[i] < len(p.Rows) && (best < 0 || less(p.Rows[next[i]], pages[best].Rows[next[best]])) {
				best = i
			}
		}
		if best < 0 {
			return rows, false
		}
		if len(rows) == first {
			return rows, true
		}
		rows = append(rows, pages[best].Rows[next[best]])
		next[best]++
	}
}

// less orders workloads by instance, namespace, name; pages of kinds are already in the order of ties.
func less(a, b model.Workload) bool {
	x, y := a.Meta().Ref, b.Meta().Ref
	if c := strings.Compare(x.Instance, y.Instance); c != 0 {
		return c < 0
	}
	if c := strings.Compare(x.Namespace, y.Namespace); c != 0 {
		return c < 0
	}
	return x.Name < y.Name
}
