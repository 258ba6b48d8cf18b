package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/loaders/batch"
)

// toOne is an edge to a single object, read in one request for all of a batch. An empty reference leads nowhere.
func toOne[P comparable, T model.KubernetesObject](from func(*batch.Batch) []P, ref func(P) model.Ref) *edge[batch.None, P, T] {
	return &edge[batch.None, P, T]{From: from, Read: func(ctx context.Context, k *Loaders, _ batch.None, parents []P) (map[P]T, error) {
		refs := make([]model.Ref, 0, len(parents))
		for _, p := range parents {
			if r := ref(p); r.Name != "" && !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
		objects, unread := gatheredOf[T](ctx, k, refs)
		out, errs := make(map[P]T, len(parents)), batch.Each[P]{}
		for _, p := range parents {
			errs.Add(p, unread[ref(p)])
			if obj, ok := objects[ref(p)]; ok {
				out[p] = obj
			}
		}
		return out, errs.Any()
	}}
}

// related is an edge to a list that belongs to an object, read for all objects of its type in a batch.
func related[P interface {
	comparable
	model.KubernetesObject
}, T model.KubernetesObject](name string, from func(*batch.Batch) []P, decode pedia.Decode[T],
	parts func(context.Context, *Loaders, P) ([]part, error)) *edge[ListOptions, P, *model.Connection[T]] {
	return &edge[ListOptions, P, *model.Connection[T]]{From: from, Read: func(ctx context.Context, k *Loaders, opts ListOptions, parents []P) (map[P]*model.Connection[T], error) {
		return paging[P, T]{
			name: name, of: func(p P) string { return p.ObjectRef().ID() }, decode: decode,
			parts: func(p P) ([]part, error) { return parts(ctx, k, p) },
		}.read(ctx, k, opts, parents)
	}}
}

func appendOnce(refs []model.Ref, ref model.Ref) []model.Ref {
	if slices.Contains(refs, ref) {
		return refs
	}
	return append(refs, ref)
}
