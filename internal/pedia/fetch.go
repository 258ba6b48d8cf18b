package pedia

import (
	"context"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// List is the rows of a query.
type List[T any] struct {
	Rows []T
	// Positions is the positions of the rows, one for each.
	Positions []sql.Position
	// Full says that the limit was reached: more rows may follow.
	Full bool
	// Total is the number of all rows; nil when they were not counted, or cannot be.
	Total *int
}

// Decode decodes a row. The second result is the row's namespace and name; its cluster and kind are left empty. The
// decoder may keep the raw bytes.
type Decode[T any] func(sql.Row) (T, sql.Key, error)

// Fetch reads a page in one statement, with the number of all rows where the query asks for it.
func Fetch[T any](ctx context.Context, c *Client, q sql.Query, decode Decode[T]) (*List[T], error) {
	if err := q.Check(); err != nil {
		return nil, err
	}
	switch seen, err := q.Restrict(); {
	case err != nil:
		return nil, err
	case !seen:
		return nothing[T](&q), nil
	}
	mine, err := c.compared(ctx, q.Scope, among(&q))
	if err != nil {
		return nil, err
	}
	return asked(ctx, c, func(ctx context.Context, from *source, traits Features, believe bool) (*List[T], error) {
		return fetchPage(ctx, from, &q, mine, traits, believe, decode)
	})
}

// nothing is the page of a query whose rows are all hidden.
func nothing[T any](q *sql.Query) *List[T] {
	list := &List[T]{}
	if q.Count {
		list.Total = new(int)
	}
	return list
}

func fetchPage[T any](ctx context.Context, from *source, q *sql.Query, mine *overlay, traits Features, believe bool, decode Decode[T]) (*List[T], error) {
	// Nothing in a count shows that it counts other rows.
	if traits.Gate != GateOpen {
		uncounted := *q
		uncounted.Count = false
		q = &uncounted
	}
	wide := mine.widened(q)
	s, err := wide.Page(traits.dialect())
	if err != nil {
		return nil, err
	}
	answer, err := from.run(ctx, s)
	if err != nil {
		return nil, err
	}
	answer.Rows = mine.page(q, wide, answer.Rows)
	list, err := decodeRows(q, answer, believe, decode)
	if err != nil {
		return nil, err
	}
	list.Total = mine.number(q, answer.Total)
	return list, nil
}

// decodeRows makes a list from an answer, in the query's order. A row that the query did not ask for shows that the
// store ignored the statement. With believe the store is trusted on which rows meet conditions, but not on what may be
// seen.
func decodeRows[T any](q *sql.Query, answer *Answer, believe bool, decode Decode[T]) (*List[T], error) {
	rows, keys, err := decodeAll(answer.Rows, decode)
	if err != nil {
		return nil, storeError(q, err)
	}
	list := &List[T]{Rows: rows, Positions: make([]sql.Position, 0, len(rows)), Full: len(rows) >= q.Limit}
	for i, v := range answer.Rows {
		v.Key = sql.Key{Cluster: v.Cluster, GVR: v.GVR, Namespace: keys[i].Namespace, Name: keys[i].Name}
		position := sql.Position{Key: v.Key, At: v.At(q.Order)}
		if !q.Beyond(position) || !sql.Visible(q.Scope, v.Key) || !believe && !v.Meets(q.Where) {
			return nil, stray(believe)
		}
		list.Positions = append(list.Positions, position)
	}
	sortRows(q, list)
	return list, nil
}

// decoders is how many goroutines decode the rows of one answer, each at least rowsEach of them: with more, each person's
// page would take the processors from those of others.
const (
	decoders = 2
	rowsEach = 16
)

// decodeAll decodes rows, and returns the namespace and name of each.
func decodeAll[T any](rows []*sql.View, decode Decode[T]) ([]T, []sql.Key, error) {
	out, keys := make([]T, len(rows)), make([]sql.Key, len(rows))
	one := func(from, to int) (err error) {
		for i := from; i < to; i++ {
			if out[i], keys[i], err = decode(rows[i].Row); err != nil {
				return fmt.Errorf("decoding a row: %w", err)
			}
		}
		return nil
	}
	if len(rows) < decoders*rowsEach {
		return out, keys, one(0, len(rows))
	}
	var g errgroup.Group
	each := (len(rows) + decoders - 1) / decoders
	for from := 0; from < len(rows); from += each {
		g.Go(panics.Guard(func() error { return one(from, min(from+each, len(rows))) }))
	}
	return out, keys, g.Wait()
}

// sortRows puts rows into the query's order.
func sortRows[T any](q *sql.Query, list *List[T]) {
	if slices.IsSortedFunc(list.Positions, q.Compare) {
		return
	}
	order := make([]int, len(list.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return q.Compare(list.Positions[a], list.Positions[b]) })
	rows, positions := make([]T, len(order)), make([]sql.Position, len(order))
	for to, from := range order {
		rows[to], positions[to] = list.Rows[from], list.Positions[from]
	}
	list.Rows, list.Positions = rows, positions
}

// stray is the error for an answer with a row that was not asked for: the store ignores statements, unless it is
// trusted.
func stray(believe bool) error {
	if believe {
		return errStray
	}
	return errGate
}

var errStray = &model.Error{Code: model.CodeInternal, Message: "the read store sent a row that was not asked for"}

// errGate is the error for a store that ignores statements, and for an answer that shows it.
var errGate = &model.Error{Code: model.CodeUnavailable,
	Message: "the read store ignores SQL conditions: start clusterpedia-apiserver with --feature-gates=AllowParameterizedSQLQuery=true"}
