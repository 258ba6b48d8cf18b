package pedia

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// What the tests of this package, and those that stand in for the store, have in common.
var (
	Deployments = deployments
	Everything  = everything
	ClientOf    = client
	RowOf       = row
	ListOf      = list
	DecodeKey   = decodeKey
)

// Traits is what is known of a client's first source.
func Traits(ctx context.Context, c *Client) Features { return c.sources[0].traits(ctx) }

// Refresh probes a client's first source.
func Refresh(ctx context.Context, c *Client) Features { return c.sources[0].refresh(ctx) }

// Share is how many connections one principal may have at once.
const Share = share

// Unspaced is a JSON text without the blanks between its values.
var Unspaced = unspaced

// Forget forgets what is known of a client's first source.
func Forget(c *Client) { c.sources[0].features.Store(nil) }

// Trace has a tracer see each statement of a database.
func Trace(d *Database, t pgx.QueryTracer) error {
	config := d.pool.Config()
	config.ConnConfig.Tracer = t
	d.pool.Close()
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	d.pool = pool
	return err
}
