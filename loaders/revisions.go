package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Revisions are the revisions of a workload, the newest first: all of them, for they are few.
func (k *Loaders) Revisions(ctx context.Context, w *model.WorkloadMeta) (model.Lineage, error) {
	if w.Ref.Cluster != "" {
		return nil, nil
	}
	if w.UID == "" {
		return nil, nil
	}
	return revisions.Of(ctx, k, k.Batch(w), batch.None{}, ancestor{w.Ref, w.UID})
}

// Lineage is all revisions of the workload that a revision is of.
func (k *Loaders) Lineage(ctx context.Context, r *model.Revision) (model.Lineage, error) {
	if r.WorkloadUID == "" {
		return nil, nil
	}
	return lineage.Of(ctx, k, k.Batch(r), batch.None{}, ancestor{r.WorkloadRef, r.WorkloadUID})
}

var revisions = revisionsOf(func(b *batch.Batch) []ancestor {
	var out []ancestor
	for _, w := range workloadMetas(b) {
		if w.Ref.Cluster == "" && w.UID != "" {
			out = append(out, ancestor{w.Ref, w.UID})
		}
	}
	return out
})

var lineage = revisionsOf(func(b *batch.Batch) []ancestor {
	var out []ancestor
	for _, r := range batch.Members[*model.Revision](b) {
		if a := (ancestor{r.WorkloadRef, r.WorkloadUID}); a.uid != "" && !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out
})

// ancestor is a workload that has revisions.
type ancestor struct {
	ref model.Ref
	uid string
}

// revisionsOf is an edge from workloads to all their revisions.
func revisionsOf(from func(*batch.Batch) []ancestor) *edge[batch.None, ancestor, model.Lineage] {
	return &edge[batch.None, ancestor, model.Lineage]{From: from, Read: func(ctx context.Context, k *Loaders, _ batch.None, workloads []ancestor) (map[ancestor]model.Lineage, error) {
		lists, err := paging[ancestor, *model.Revision]{
			name: "revisions", of: func(a ancestor) string { return a.uid }, decode: decodeInto[*model.Revision],
			parts: func(a ancestor) ([]part, error) {
				return k.nearby(a.ref, revisionResource, sql.OwnedBy(a.uid))
			},
		}.read(ctx, k, ListOptions{Page: model.Page{First: maxPage}}, workloads)
		out := make(map[ancestor]model.Lineage, len(lists))
		for a, list := range lists {
			out[a] = model.Lineages(list.Nodes())[a.uid]
		}
		return out, err
	}}
}

// RevisionWorkload is the workload that a revision is of; nil when it is gone.
func (k *Loaders) RevisionWorkload(ctx context.Context, r *model.Revision) (model.Workload, error) {
	return revisionWorkload.Of(ctx, k, k.Batch(r), batch.None{}, r)
}

var revisionWorkload = toOne[*model.Revision, model.Workload](batch.Members[*model.Revision], func(r *model.Revision) model.Ref { return r.WorkloadRef })
