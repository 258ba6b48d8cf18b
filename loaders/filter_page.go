package loaders

import (
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Limits of one page of rows that are filtered one by one.
const (
	// atOnce is how many rows are read at once, and maxFiltered how many for one page.
	atOnce      = maxPage
	maxFiltered = 2000
)

// filterPage reads a page of the rows that keep accepts: it reads pages of candidates until there are enough. When too
// many rows had to be checked, the page is shorter than requested, even empty, and the next one continues where it
// stopped. The total is not known.
func filterPage[T model.KubernetesObject](k *Loaders, opts ListOptions, read func(ListOptions) (*model.Connection[T], error), keep func(T) (bool, error)) (*model.Connection[T], error) {
	if err := CheckPage(opts.Page); err != nil {
		return nil, err
	}
	next := ListOptions{Page: model.Page{First: atOnce, After: opts.Page.After}}
	out := &model.Connection[T]{Edges: []model.Edge[T]{}, PageInfo: model.PageInfo{HasPreviousPage: opts.Page.After != ""}}
	var partial error
	for seen := 0; ; {
		page, err := read(next)
		if batch.Failed(err) {
			return nil, err
		}
		if err != nil {
			partial = err
		}
		for _, e := range page.Edges {
			ok, err := keep(e.Node)
			if err != nil {
				return nil, err
			}
			if ok {
				out.Edges = append(out.Edges, e)
			}
		}
		seen += len(page.Edges)
		out.PageInfo.HasNextPage, out.PageInfo.EndCursor = page.PageInfo.HasNextPage, page.PageInfo.EndCursor
		if len(out.Edges) > opts.Page.First || !page.PageInfo.HasNextPage || seen >= maxFiltered {
			break
		}
		next.Page.After = *page.PageInfo.EndCursor
	}
	if len(out.Edges) > opts.Page.First {
		out.Edges = out.Edges[:opts.Page.First]
		out.PageInfo.HasNextPage, out.PageInfo.EndCursor = true, &out.Edges[opts.Page.First-1].Cursor
	}
	if n := len(out.Edges); n > 0 {
		out.PageInfo.StartCursor = &out.Edges[0].Cursor
		if !out.PageInfo.HasNextPage {
			out.PageInfo.EndCursor = &out.Edges[n-1].Cursor
		}
	}
	batch.Join(k.Operation, out.Nodes())
	return out, partial
}
