package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/model"
)

// Statements about webhooks.
const (
	// An expired id counts as new, whether it was cleaned up or not.
	sawEvent = `INSERT INTO kairship.seen_events (id, expires_at) VALUES ($1, $2)
		ON CONFLICT (id) DO UPDATE SET expires_at = EXCLUDED.expires_at WHERE kairship.seen_events.expires_at <= clock_timestamp()`
	forgetEvent = `DELETE FROM kairship.seen_events WHERE id = $1`
	// The row is locked until the transaction ends.
	lockSource = `INSERT INTO kairship.webhook_sources (source, sequence, behind) VALUES ($1, 0, false)
		ON CONFLICT (source) DO UPDATE SET source = EXCLUDED.source RETURNING sequence, full_sync, behind`
	readSource = `SELECT sequence, full_sync, behind FROM kairship.webhook_sources WHERE source = $1`
	noteSource = `UPDATE kairship.webhook_sources SET sequence = $2, full_sync = $3, behind = $4 WHERE source = $1`
)

// SawEvent records the id of a webhook event until a time. first is true when the id is new or its earlier record has
// expired. Of concurrent callers with one id, in any replica, exactly one is first.
func (l *DB) SawEvent(ctx context.Context, id string, until time.Time) (first bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	return saw(ctx, l.pool, id, until)
}

// ForgetEvent undoes SawEvent, so that an event that could not be handled may be sent again.
func (l *DB) ForgetEvent(ctx context.Context, id string) error {
	if err := checkID(id); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	_, err := l.pool.Exec(ctx, forgetEvent, id)
	return failure("forgetting an event", err)
}

// Position is how far the events of a webhook source were applied.
type Position struct {
	// Sequence of the last event that was applied; 0 for none.
	Sequence int64
	// FullSync is when the last full sync was applied; zero for never.
	FullSync time.Time
	// Behind reports that something was missed since.
	Behind bool
}

// Source is a webhook source, locked while UpdateSource runs. Its methods end with the context that they are given.
type Source struct {
	name     string
	tx       pgx.Tx
	position Position
}

// SourcePosition returns how far a source is; the zero Position when nothing is known of it.
func (l *DB) SourcePosition(ctx context.Context, source string) (Position, error) {
	if err := checkID(source); err != nil {
		return Position{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	rows, err := l.pool.Query(ctx, readSource, source)
	if err != nil {
		return Position{}, failure("reading how far a source is", err)
	}
	found, err := pgx.CollectRows(rows, scanPosition)
	if err != nil || len(found) == 0 {
		return Position{}, failure("reading how far a source is", err)
	}
	return found[0], nil
}

// UpdateSource calls do while no other UpdateSource of the same source runs, in any replica; it waits for that until
// ctx ends. What do records is kept only if both return nil; an error of do is returned unchanged. It holds a
// connection meanwhile, and has no deadline but that of ctx.
func (l *DB) UpdateSource(ctx context.Context, source string, do func(context.Context, *Source) error) error {
	if err := checkID(source); err != nil {
		return err
	}
	var own error
	err := pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		s := &Source{name: source, tx: tx}
		rows, err := tx.Query(ctx, lockSource, source)
		if err != nil {
			return err
		}
		if s.position, err = pgx.CollectExactlyOneRow(rows, scanPosition); err != nil {
			return err
		}
		own = do(ctx, s)
		return own
	})
	if own != nil {
		return own
	}
	return failure("noting how far a source is", err)
}

// SawEvent is DB.SawEvent, kept only if the update is.
func (s *Source) SawEvent(ctx context.Context, id string, until time.Time) (first bool, err error) {
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	return saw(ctx, s.tx, id, until)
}

// Position returns how far the source is.
func (s *Source) Position() Position { return s.position }

// SetPosition records how far the source is.
func (s *Source) SetPosition(ctx context.Context, p Position) error {
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	var fullSync *time.Time
	if !p.FullSync.IsZero() {
		fullSync = &p.FullSync
	}
	if _, err := s.tx.Exec(ctx, noteSource, s.name, p.Sequence, fullSync, p.Behind); err != nil {
		return failure("noting how far a source is", err)
	}
	s.position = p
	return nil
}

func saw(ctx context.Context, db execer, id string, until time.Time) (first bool, err error) {
	if err := checkID(id); err != nil {
		return false, err
	}
	if until.IsZero() {
		return false, model.BadInput("until", "is not given")
	}
	tag, err := db.Exec(ctx, sawEvent, id, until)
	return tag.RowsAffected() == 1, failure("noting an event", err)
}

func scanPosition(row pgx.CollectableRow) (Position, error) {
	var p Position
	var fullSync *time.Time
	err := row.Scan(&p.Sequence, &fullSync, &p.Behind)
	if fullSync != nil {
		p.FullSync = fullSync.UTC()
	}
	return p, err
}
