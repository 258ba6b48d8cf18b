package pedia

import (
	"context"
	"fmt"

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
	return asked(ctx, c, func(ctx context.Context, from *source, traits Features, believe bool) ([]List[T], error) {
		return fetchGroups(ctx, from, &q, traits, believe, decode)
	})
}

func fetchGroups[T any](ctx context.Context, from *source, q *sql.Query, traits Features, believe bool, decode Decode[T]) ([]List[T], error) {
	s, err := q.FirstRows(traits.dialect())
	if err != nil {
		return nil, err
	}
	answer, err := from.run(ctx, s)
	if err != nil {
		return nil, err
	}
	came := beside(q, answer)
	lists := make([]List[T], len(q.Groups))
	for _, v := range came {
		wanted := false
		for i := range q.Groups {
			if !q.InGroup(&q.Groups[i], v) {
				continue
			}
			wanted = true
			// Decode a row for each list, so that a change to one is not seen in another.
			row, _, err := decode(v.Row)
			if err != nil {
				return nil, storeError(q, fmt.Errorf("decoding a row: %w", err))
			}
			lists[i].Rows = append(lists[i].Rows, row)
			lists[i].Positions = append(lists[i].Positions, sql.Position{Key: v.Key, At: v.At(q.Order)})
		}
		if !wanted && !q.Owns(v) {
			return nil, stray(believe)
		}
	}
	for i := range lists {
		lists[i].cut(q)
	}
	return lists, nil
}

// beside is the rows of an answer, each linked to the others.
func beside(q *sql.Query, answer *Answer) []*sql.View {
	all := &sql.Rows{Owners: q.OwnersBeside()}
	for _, v := range answer.Rows {
		v.Beside = all
		v.Place()
		all.Add(v)
	}
	return answer.Rows
}

// cut sorts the rows of a group and keeps the first of them: the rest was returned for other groups.
func (l *List[T]) cut(q *sql.Query) {
	sortRows(q, l)
	l.Full = len(l.Rows) >= q.Limit
	n := min(len(l.Rows), q.Limit)
	l.Rows, l.Positions = l.Rows[:n], l.Positions[:n]
}
