package database

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/actions/idempotency"
)

const (
	// runTime is how long a run may take before it counts as abandoned: longer than any request, and as long as
	// EndRun is retried while the database hangs.
	runTime = 10 * time.Minute
	// keepTime is how long a run that was done is remembered.
	keepTime = 24 * time.Hour

	// An expired run counts as none, whether it was cleaned up or not. Of concurrent callers exactly one begins.
	beginRun = `INSERT INTO kairship.idempotency_keys AS k (id, run, input, done, at, expires_at)
		VALUES ($1, $2, $3, false, clock_timestamp(), clock_timestamp() + $4::interval)
		ON CONFLICT (id) DO UPDATE SET run = EXCLUDED.run, input = EXCLUDED.input, done = false, outcome = NULL, at = EXCLUDED.at, expires_at = EXCLUDED.expires_at
		WHERE k.expires_at <= clock_timestamp()`
	readRun = `SELECT input, done, at, outcome FROM kairship.idempotency_keys WHERE id = $1`
	// The row may have been cleaned up before the run's end could be stored.
	endRun = `INSERT INTO kairship.idempotency_keys AS k (id, run, input, done, at, expires_at, outcome)
		VALUES ($1, $2, $3, true, clock_timestamp(), clock_timestamp() + $4::interval, $5)
		ON CONFLICT (id) DO UPDATE SET done = true, outcome = EXCLUDED.outcome, expires_at = EXCLUDED.expires_at WHERE k.run = EXCLUDED.run`
	dropRun = `DELETE FROM kairship.idempotency_keys WHERE id = $1 AND run = $2 AND NOT done`
)

// BeginRun begins a run; see idempotency.Store.
func (l *DB) BeginRun(ctx context.Context, a idempotency.Attempt) (*idempotency.Run, error) {
	if err := checkID(a.ID); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	const doing = "beginning an action under an idempotency key"
	// The earlier run may be removed between the two statements.
	for {
		tag, err := l.pool.Exec(ctx, beginRun, a.ID, a.Run, a.Input, runTime)
		if err != nil || tag.RowsAffected() == 1 {
			return nil, failure(doing, err)
		}
		before := &idempotency.Run{}
		err = l.pool.QueryRow(ctx, readRun, a.ID).Scan(&before.Input, &before.Done, &before.At, &before.Outcome)
		if errors.Is(err, pgx.ErrNoRows) {
			continue
		}
		before.At = before.At.UTC()
		return before, failure(doing, err)
	}
}

// EndRun ends a run; see idempotency.Store.
func (l *DB) EndRun(ctx context.Context, a idempotency.Attempt, done bool) error {
	if err := checkID(a.ID); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	var err error
	if done {
		_, err = l.pool.Exec(ctx, endRun, a.ID, a.Run, a.Input, cmp.Or(a.Keep, keepTime), a.Outcome)
	} else {
		_, err = l.pool.Exec(ctx, dropRun, a.ID, a.Run)
	}
	return failure("ending an action under an idempotency key", err)
}
