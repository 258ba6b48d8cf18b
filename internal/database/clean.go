package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// cleanLock is the advisory lock for removing expired rows: "kairclea" in ASCII.
	cleanLock = int64(0x6b616972636c6561)
	// cleanBatch is how many rows are removed in one transaction.
	cleanBatch = 1000
	// cleanEvery is how often Clean looks.
	cleanEvery = 10 * time.Minute
	// grace is how long expired rows are kept: the clocks of replicas may be behind.
	grace = time.Hour
)

type execer interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
}

// cleanStatement removes a batch of rows that expired more than an interval ago.
func cleanStatement(table, key string) string {
	return "DELETE FROM " + table + " WHERE " + key + " = ANY(ARRAY(SELECT " + key + " FROM " + table +
		" WHERE expires_at <= clock_timestamp() - $1::interval ORDER BY expires_at LIMIT $2::int))" +
		// Checked again: an event that was recorded anew meanwhile stays.
		" AND expires_at <= clock_timestamp() - $1::interval"
}

// CleanUp removes tokens, sessions, events and idempotency keys that expired more than an hour ago, in batches, and
// returns how many rows. It removes nothing while another replica does.
func (l *DB) CleanUp(ctx context.Context) (removed int64, err error) {
	for _, statement := range []string{tokens.clean, sessions.clean, cleanStatement("kairship.seen_events", "id"), cleanStatement("kairship.idempotency_keys", "id")} {
		for more := true; more; {
			n, err := l.cleanBatch(ctx, statement)
			removed += n
			if err != nil {
				return removed, failure("removing what has expired", err)
			}
			more = n == cleanBatch
		}
	}
	return removed, nil
}

func (l *DB) cleanBatch(ctx context.Context, statement string) (removed int64, err error) {
	ctx, cancel := context.WithTimeout(ctx, cleanTimeout)
	defer cancel()
	err = l.alone(ctx, cleanLock, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, statement, grace, cleanBatch)
		removed = tag.RowsAffected()
		return err
	})
	if err != nil {
		return 0, err
	}
	return removed, nil
}

// Clean does what CleanUp does, now and every ten minutes, until ctx ends. Every replica may run it.
func (l *DB) Clean(ctx context.Context) {
	ticker := time.NewTicker(cleanEvery)
	defer ticker.Stop()
	for {
		if removed, err := l.CleanUp(ctx); err != nil && ctx.Err() == nil {
			l.log.Error("what has expired is not removed from the database", "removed", removed, "error", err)
		} else if removed > 0 {
			l.log.Debug("what has expired was removed from the database", "removed", removed)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
	}
}
