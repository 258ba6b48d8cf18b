package database

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
)

const (
	// runTime is how long a run may take before it counts as given up: longer than any request.
	runTime = 2 * time.Minute
	// keepTime is how long it is remembered that something was done.
	keepTime = 24 * time.Hour

	// A run whose time is over counts as none, whether it was cleaned up or not. Of many callers exactly one begins.
	beginRun = `INSERT INTO kairship.idempotency_keys AS k (id, input, done, at, expires_at)
		VALUES ($1, $2, false, clock_timestamp(), clock_timestamp() + $3::interval)
		ON CONFLICT (id) DO UPDATE SET input = EXCLUDED.input, done = false, at = EXCLUDED.at, expires_at = EXCLUDED.expires_at
		WHERE k.expires_at <= clock_timestamp()`
	readRun = `SELECT input, done, at FROM kairship.idempotency_keys WHERE id = $1`
	endRun  = `UPDATE kairship.idempotency_keys SET done = true, expires_at = clock_timestamp() + $2::interval WHERE id = $1`
	dropRun = `DELETE FROM kairship.idempotency_keys WHERE id = $1 AND NOT done`
)

// BeginRun begins a run; see idempotency.Store.
func (l *DB) BeginRun(ctx context.Context, id, input string) (*idempotency.Run, error) {
	if err := checkID(id); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	const doing = "beginning an action under an idempotency key"
	// The run before may be given up between the two statements.
	for {
		tag, err := l.pool.Exec(ctx, beginRun, id, input, runTime)
		if err != nil || tag.RowsAffected() == 1 {
			return nil, failure(doing, err)
		}
		before := &idempotency.Run{}
		err = l.pool.QueryRow(ctx, readRun, id).Scan(&before.Input, &before.Done, &before.At)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		before.At = before.At.UTC()
		return before, failure(doing, err)
	}
}

// EndRun ends a run; see idempotency.Store.
func (l *DB) EndRun(ctx context.Context, id string, done bool) error {
	if err := checkID(id); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	var err error
	if done {
		_, err = l.pool.Exec(ctx, endRun, id, keepTime)
	} else {
		_, err = l.pool.Exec(ctx, dropRun, id)
	}
	return failure("ending an action under an idempotency key", err)
}
