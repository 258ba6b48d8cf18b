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

// Estimate is Count, or about as many where counting takes long and nothing but kinds and clusters is asked for, by somebody
// who may see everything; exact says which it is. What the database expects of conditions would be far off, and what it
// expects of a part of the table is made of all of it: it would tell of the rest.
func Estimate(ctx context.Context, c *Client, q sql.Query) (n *int, exact bool, err error) {
	q.Limit = 1
	if err := q.Check(); err != nil {
		return nil, false, err
	}
	if q.Scope.All() && len(q.Where) == 0 {
		about, err := c.estimate(ctx, &q)
		if err != nil {
			return nil, false, err
		}
		if about >= estimateFrom {
			return &about, false, nil
		}
	}
	n, err = Count(ctx, c, q)
	return n, true, err
}

// estimate is how many rows a query has about; 0 where nobody can say so now. It is not hedged: an upstream that is late would
// only get the count beside it.
func (c *Client) estimate(ctx context.Context, q *sql.Query) (int, error) {
	for _, from := range c.sources {
		e, ok := from.executor.(Estimator)
		if !ok || from.known().Gate != GateOpen {
			continue
		}
		n, err := e.Estimate(ctx, q)
		if err == nil {
			return n, nil
		}
		if err = storeError(q, err); !isOutage(err) || isOverload(err) {
			return 0, err
		}
	}
	return 0, nil
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
	mine, err := c.compared(ctx, q.Scope, among(&q))
	if err != nil {
		return nil, err
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
		return mine.number(&q, answer.Total), nil
	})
}
