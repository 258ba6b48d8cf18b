package pedia

import (
	"context"

	"github.com/kairship-io/kairship/internal/pedia/sql"
)

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
