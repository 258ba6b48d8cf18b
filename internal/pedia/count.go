package pedia

import "context"

// Count asks how many rows a query has, wherever its page begins: one request. Nil without the store's SQL
// gate: a scan could not tell. The limit is not used.
func Count(ctx context.Context, c *Client, q Query) (*int, error) {
	q.Limit = max(q.Limit, 1)
	if err := q.check(); err != nil {
		return nil, err
	}
	traits := c.traits(ctx)
	if !traits.sql() {
		return nil, nil //nolint:nilnil // it cannot be told
	}
	return count(ctx, c, q, traits)
}
