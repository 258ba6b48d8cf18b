package pedia

import (
	"context"

	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// estimateFrom is the least number of rows that an estimate is given for: fewer are counted in a few milliseconds.
const estimateFrom = 10_000

// Estimator is an executor that says how many rows a query has about, without counting them.
type Estimator interface {
	// Estimate is for a query without conditions of all that its kinds and clusters have.
	Estimate(ctx context.Context, q *sql.Query) (int, error)
}

// Estimate is Count, or about as many where counting takes long and nothing but kinds and clusters is asked for; exact says
// which it is. What the database expects of conditions would be far off, and of a part that somebody may see it would tell
// of the rest.
func Estimate(ctx context.Context, c *Client, q sql.Query) (n *int, exact bool, err error) {
	restricted := q
	restricted.Limit = 1
	if err := restricted.Check(); err != nil {
		return nil, false, err
	}
	if seen, err := restricted.Restrict(); err != nil || !seen || len(restricted.Where) > 0 {
		n, err = Count(ctx, c, q)
		return n, true, err
	}
	about, err := asked(ctx, c, func(ctx context.Context, from *source, _ Features, _ bool) (int, error) {
		e, ok := from.executor.(Estimator)
		if !ok {
			return 0, nil
		}
		n, err := e.Estimate(ctx, &restricted)
		if err != nil {
			return 0, storeError(&restricted, err)
		}
		return n, nil
	})
	if err != nil {
		return nil, false, err
	}
	if about < estimateFrom {
		n, err = Count(ctx, c, q)
		return n, true, err
	}
	return &about, false, nil
}

// Count returns how many rows a query has, wherever its page begins, with one statement. Nil until it is known that the
// store applies conditions. The limit is not used.
func Count(ctx context.Context, c *Client, q sql.Query) (*int, error) {
	q.Limit = max(q.Limit, 1)
	if err := q.Check(); err != nil {
		return nil, err
	}
	switch seen, err := q.Restrict(); {
	case err != nil:
		return nil, err
	case !seen:
		return new(int), nil
	}
	return asked(ctx, c, func(ctx context.Context, from *source, traits Features, _ bool) (*int, error) {
		if traits.Gate != GateOpen {
			return nil, nil //nolint:nilnil // a number does not show that it is of other rows
		}
		s, err := q.Number(traits.dialect())
		if err != nil {
			return nil, err
		}
		answer, err := from.run(ctx, s)
		if err != nil {
			return nil, err
		}
		return answer.Total, nil
	})
}
