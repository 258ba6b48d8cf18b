package pedia

import (
	"context"
	"errors"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Count asks how many rows a query has, wherever its page begins: one request. Nil while it is not known
// that the store takes conditions. The limit is not used.
func Count(ctx context.Context, c *Client, q Query) (*int, error) {
	q.Limit = max(q.Limit, 1)
	if err := q.check(); err != nil {
		return nil, err
	}
	switch seen, err := q.restrict(); {
	case err != nil:
		return nil, err
	case !seen:
		return new(int), nil
	}
	return asked(ctx, c, func(traits Features, _ bool) (*int, error) {
		if traits.Gate != GateOpen {
			return nil, nil //nolint:nilnil // a number does not show that it is of other rows
		}
		return count(ctx, c, q, traits)
	})
}

type counting struct {
	total *int
	err   error
}

// count asks how many rows a query has, wherever its page begins.
func count(ctx context.Context, c *Client, q Query, traits Features) (*int, error) {
	s := &statement{row: indexes.Table, dialect: traits.dialect()}
	s.write("true")
	s.all(q.Where)
	req := newRequest(q.GVRs, q.Clusters, 1, true)
	req.values.Set("withRemainingCount", "true")
	if err := errors.Join(s.err, s.put(req.values)); err != nil {
		return nil, err
	}
	env, err := c.ask(ctx, &q, req)
	if err != nil {
		return nil, err
	}
	return env.total(), nil
}
