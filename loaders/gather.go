package loaders

import (
	"context"
	"time"

	"github.com/graph-gophers/dataloader/v7"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Sibling fields are resolved at the same time, and each may need a request: the Services of a workload, its revisions,
// its autoscaler, its pods. Requests within a short time are combined. Lists and edges of a page do not wait: their
// batch is known in advance.

// groupsAsked is a request of one edge for the first rows of some groups.
type groupsAsked struct {
	groups  []sql.Group
	limit   int
	sorting sorting
}

// refsAsked is a request of one edge for some objects.
type refsAsked struct {
	refs []model.Ref
}

// refsFound is its result: objects that do not exist are in neither map.
type refsFound struct {
	found  map[model.Ref]model.KubernetesObject
	failed map[model.Ref]error
}

func (k *Loaders) newGatherers(wait time.Duration) {
	k.groups = dataloader.NewBatchedLoader(guarded(k.readGroups), dataloader.WithWait[*groupsAsked, []pedia.List[model.KubernetesObject]](wait),
		dataloader.WithCache[*groupsAsked, []pedia.List[model.KubernetesObject]](&dataloader.NoCache[*groupsAsked, []pedia.List[model.KubernetesObject]]{}))
	k.refs = dataloader.NewBatchedLoader(guarded(k.readManyRefs), dataloader.WithWait[*refsAsked, refsFound](wait),
		dataloader.WithCache[*refsAsked, refsFound](&dataloader.NoCache[*refsAsked, refsFound]{}))
}

// guarded returns a panic of a batch function as an error to all callers that wait for the batch. The library's own
// recovery would log it itself, with the panic's value.
func guarded[K comparable, V any](read dataloader.BatchFunc[K, V]) dataloader.BatchFunc[K, V] {
	return func(ctx context.Context, keys []K) []*dataloader.Result[V] {
		out, err := panics.Catch(func() ([]*dataloader.Result[V], error) { return read(ctx, keys), nil })
		if err != nil {
			out = make([]*dataloader.Result[V], len(keys))
			for i := range out {
				out[i] = &dataloader.Result[V]{Error: err}
			}
		}
		return out
	}
}

// readGroups is the batch function of groups: one request for each requested order.
func (k *Loaders) readGroups(ctx context.Context, asked []*groupsAsked) []*dataloader.Result[[]pedia.List[model.KubernetesObject]] {
	batched("groups", len(asked))
	// The batch runs under its first caller's context; another caller must not fail with that one.
	ctx = context.WithoutCancel(ctx)
	together := map[sorting][]int{}
	for i, a := range asked {
		together[a.sorting] = append(together[a.sorting], i)
	}
	out := make([]*dataloader.Result[[]pedia.List[model.KubernetesObject]], len(asked))
	for order, members := range together {
		q := asOne(asked, members)
		q.Scope, q.Order, q.Descending = k.scope, order.order, order.descending
		found, err := pedia.FetchGroups(ctx, k.source.Store, q, decodeRow)
		for _, i := range members {
			out[i] = &dataloader.Result[[]pedia.List[model.KubernetesObject]]{Error: err}
			if err == nil {
				n := len(asked[i].groups)
				out[i].Data, found = found[:n], found[n:]
				for j := range out[i].Data {
					cut(&out[i].Data[j], asked[i].limit)
				}
			}
		}
	}
	return out
}

// asOne is one query of what some edges ask for.
func asOne(asked []*groupsAsked, members []int) (q sql.Query) {
	lists := 0 // of the edges so far, each of which counts its own from 1
	for _, i := range members {
		before := lists
		for _, g := range asked[i].groups {
			if g.List > 0 {
				g.List += before
				lists = max(lists, g.List)
			}
			q.Groups = append(q.Groups, g)
		}
		q.Limit = max(q.Limit, asked[i].limit)
	}
	return q
}

// cut limits a list to what was requested: another edge may have requested more rows.
func cut[T any](l *pedia.List[T], limit int) {
	l.Full = len(l.Rows) >= limit
	n := min(len(l.Rows), limit)
	l.Rows, l.Positions = l.Rows[:n], l.Positions[:n]
}

// readManyRefs is the batch function of refs.
func (k *Loaders) readManyRefs(ctx context.Context, asked []*refsAsked) []*dataloader.Result[refsFound] {
	batched("refs", len(asked))
	var all []model.Ref
	for _, a := range asked {
		all = append(all, a.refs...)
	}
	found, failed := k.readRefs(context.WithoutCancel(ctx), all)
	out := make([]*dataloader.Result[refsFound], len(asked))
	for i, a := range asked {
		mine := refsFound{map[model.Ref]model.KubernetesObject{}, map[model.Ref]error{}}
		var rows []model.KubernetesObject
		for _, ref := range a.refs {
			if obj := found[ref]; obj != nil {
				mine.found[ref] = obj
				rows = append(rows, obj)
			}
			if err := failed[ref]; err != nil {
				mine.failed[ref] = err
			}
		}
		batch.Join(k.Operation, rows)
		out[i] = &dataloader.Result[refsFound]{Data: mine}
	}
	return out
}

// gatherRefs is readRefs, combined with the requests of sibling fields.
func (k *Loaders) gatherRefs(ctx context.Context, refs []model.Ref) (map[model.Ref]model.KubernetesObject, map[model.Ref]error) {
	if len(refs) == 0 {
		return nil, nil
	}
	r, err := k.refs.Load(ctx, &refsAsked{refs})()
	if err != nil {
		return nil, map[model.Ref]error{refs[0]: err}
	}
	return r.found, r.failed
}
