package pedia

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

// maxNames bounds the keys of one request: Clusterpedia stays fast and the URL short.
const maxNames = 200

// FetchKeys reads the rows at the given keys, of any kinds, in as few requests as possible: one for up to 200. The
// query's kinds and clusters are those of the keys; its conditions, order and limit are not used. Keys without a row
// are left out of the result.
func FetchKeys[T any](ctx context.Context, c *Client, q sql.Query, keys []sql.Key, decode Decode[T]) (map[sql.Key]T, error) {
	if q.Scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	out := make(map[sql.Key]T, len(keys))
	keys = slices.DeleteFunc(slices.Clone(keys), func(k sql.Key) bool { return k.Name == "" || !sql.Storable(k.Cluster, k.Namespace, k.Name) })
	if keys = sql.VisibleKeys(q.Scope, keys); len(keys) == 0 {
		return out, nil
	}
	for chunk := range slices.Chunk(keys, maxNames) {
		mine := c.written(ctx, q.Scope, func(k sql.Key) bool { return slices.Contains(chunk, k) })
		list, err := asked(ctx, c, func(ctx context.Context, from *source, _ Features, believe bool) (*List[T], error) {
			return fetchKeys(ctx, from, &q, chunk, mine, believe, decode)
		})
		if err != nil {
			return nil, err
		}
		wanted := make(map[sql.Key]bool, len(chunk))
		for _, k := range chunk {
			wanted[k] = true
		}
		for i, p := range list.Positions {
			if wanted[p.Key] {
				out[p.Key] = list.Rows[i]
			}
		}
	}
	return out, nil
}

func fetchKeys[T any](ctx context.Context, from *source, q *sql.Query, keys []sql.Key, mine *overlay, believe bool, decode Decode[T]) (*List[T], error) {
	s, err := q.Keys(keys)
	if err != nil {
		return nil, err
	}
	answer, err := from.run(ctx, s)
	if err != nil {
		return nil, err
	}
	answer.Rows = mine.keys(keys, answer.Rows)
	return decodeRows(s.Query, answer, believe, decode)
}
