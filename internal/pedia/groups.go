package pedia

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// FetchGroups reads the first rows of each of the query's groups, in the query's order, in one statement. It returns one
// list for each group, in their order. A row that several groups ask for is in each. The query's kinds and clusters are
// those of its groups.
func FetchGroups[T any](ctx context.Context, c *Client, q sql.Query, decode Decode[T]) ([]List[T], error) {
	if len(q.Groups) == 0 {
		return nil, nil
	}
	if err := q.Check(); err != nil {
		return nil, err
	}
	if q.Scope.All() {
		return fetchVisible(ctx, c, q, decode)
	}
	// Groups whose rows are all hidden are empty, and are not requested.
	asked, of := q.Groups, []int{}
	q.Groups = nil
	for i, g := range asked {
		if g.Restrict(q.Scope) {
			q.Groups, of = append(q.Groups, g), append(of, i)
		}
	}
	lists := make([]List[T], len(asked))
	if len(of) == 0 {
		return lists, nil
	}
	found, err := fetchVisible(ctx, c, q, decode)
	if err != nil {
		return nil, err
	}
	for i := range found {
		lists[of[i]] = found[i]
	}
	return lists, nil
}

// fetchVisible reads groups, each of which may be seen.
func fetchVisible[T any](ctx context.Context, c *Client, q sql.Query, decode Decode[T]) ([]List[T], error) {
	within := placesOf(&q)
	mine, err := c.compared(ctx, q.Scope, func(k sql.Key) bool { return len(within[place{k.GVR, k.Cluster}]) > 0 })
	if err != nil {
		return nil, err
	}
	return asked(ctx, c, func(ctx context.Context, from *source, traits Features, believe bool) ([]List[T], error) {
		return fetchGroups(ctx, from, &q, within, mine, traits, believe, decode)
	})
}

func fetchGroups[T any](ctx context.Context, from *source, q *sql.Query, within map[place][]int, mine *overlay, traits Features, believe bool, decode Decode[T]) ([]List[T], error) {
	wide := mine.widened(q)
	s, err := wide.FirstRows(traits.dialect())
	if err != nil {
		return nil, err
	}
	answer, err := from.run(ctx, s)
	if err != nil {
		return nil, err
	}
	of := make([][]*sql.View, len(q.Groups))
	all := beside(q, answer)
	for _, v := range answer.Rows {
		wanted := false
		for _, i := range within[place{v.GVR, v.Cluster}] {
			if q.InGroup(&q.Groups[i], v) {
				wanted, of[i] = true, append(of[i], v)
			}
		}
		if wanted && !q.Scope.All() && !sql.Visible(q.Scope, v.Key) || !wanted && !q.Owns(v) {
			return nil, stray(believe)
		}
	}
	mine.groups(q, wide, within, of, all)
	lists := make([]List[T], len(q.Groups))
	for i := range lists {
		if lists[i], err = firstOf(q, of[i], decode); err != nil {
			return nil, err
		}
	}
	return lists, nil
}

// place is where the rows of a group are.
type place struct {
	gvr     schema.GroupVersionResource
	cluster string
}

// placesOf is the groups of each place, so that a row is not compared with all of them.
func placesOf(q *sql.Query) map[place][]int {
	out := make(map[place][]int, len(q.Groups))
	for i, g := range q.Groups {
		at := place{g.GVR, g.Cluster}
		out[at] = append(out[at], i)
	}
	return out
}

// firstOf is the first rows of a group in the query's order: the rest was returned for other groups, and is not decoded.
// Each list has rows of its own, so that a change to one is not seen in another.
func firstOf[T any](q *sql.Query, of []*sql.View, decode Decode[T]) (List[T], error) {
	positions := make([]sql.Position, len(of))
	order := make([]int, len(of))
	for i, v := range of {
		positions[i], order[i] = sql.Position{Key: v.Key, At: v.At(q.Order)}, i
	}
	slices.SortStableFunc(order, func(a, b int) int { return q.Compare(positions[a], positions[b]) })
	list := List[T]{Full: len(of) >= q.Limit}
	for _, i := range order[:min(len(order), q.Limit)] {
		row, _, err := decode(of[i].Row)
		if err != nil {
			return List[T]{}, storeError(q, fmt.Errorf("decoding a row: %w", err))
		}
		list.Rows, list.Positions = append(list.Rows, row), append(list.Positions, positions[i])
	}
	return list, nil
}

// beside links each row of an answer to the others.
func beside(q *sql.Query, answer *Answer) *sql.Rows {
	all := &sql.Rows{Owners: q.OwnersBeside()}
	for _, v := range answer.Rows {
		v.Beside = all
		v.Place()
		all.Add(v)
	}
	return all
}
