package database

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxID is the longest id of a token, a session or a webhook event (with its source before it), in bytes.
	maxID = 1024
	// maxBy is the longest name of who ended something, in bytes.
	maxBy = 512
	// endedPage is how many rows are read at once.
	endedPage = 5000
	// overlap is how far the Since methods look back before the time given: what was recorded before that time may
	// have been committed after it.
	overlap = time.Minute
)

// Ended is a revoked token or session.
type Ended struct {
	// ID is at most 1,024 bytes.
	ID string
	// ExpiresAt is when it would have expired. It is removed some time after that.
	ExpiresAt time.Time
	// At is when it was ended, by the database's clock; ignored when it is stored.
	At time.Time
	// By is who ended it.
	By string
}

// revocationTable is one of the two tables of revocations.
type revocationTable struct {
	note, known, since, clean string
	what                      string
}

func revocationTableOf(table, what string) revocationTable {
	return revocationTable{
		what:  what,
		note:  "INSERT INTO " + table + " (id, expires_at, at, by) VALUES ($1, $2, clock_timestamp(), $3) ON CONFLICT (id) DO NOTHING",
		known: "SELECT EXISTS (SELECT 1 FROM " + table + " WHERE id = $1)",
		since: "SELECT id, expires_at, at, by FROM " + table + " WHERE (at, id) > ($1::timestamptz, $2::text) ORDER BY at, id LIMIT $3::int",
		clean: cleanStatement(table, "id"),
	}
}

var (
	tokens   = revocationTableOf("kairship.revoked_tokens", "tokens")
	sessions = revocationTableOf("kairship.sessions_ended", "sessions")
)

// Revoke records that a token is revoked. An earlier record stays unchanged.
func (l *DB) Revoke(ctx context.Context, token Ended) error { return l.end(ctx, tokens, token) }

// Revoked reports whether a token was revoked.
func (l *DB) Revoked(ctx context.Context, id string) (bool, error) {
	return l.ended(ctx, tokens, id)
}

// RevokedSince returns the tokens that were revoked since a time, oldest first, and the time for the next call. The
// zero time returns all. Some may be returned twice.
func (l *DB) RevokedSince(ctx context.Context, since time.Time) (revoked []Ended, next time.Time, err error) {
	return l.endedSince(ctx, tokens, since)
}

// EndSession records that a browser session was signed out of. An earlier record stays unchanged.
func (l *DB) EndSession(ctx context.Context, session Ended) error {
	return l.end(ctx, sessions, session)
}

// SessionEnded says whether a session was signed out of.
func (l *DB) SessionEnded(ctx context.Context, id string) (bool, error) {
	return l.ended(ctx, sessions, id)
}

// SessionsEndedSince returns the sessions that were ended since a time, oldest first, and the time for the next call.
// The zero time returns all. Some may be returned twice.
func (l *DB) SessionsEndedSince(ctx context.Context, since time.Time) (ended []Ended, next time.Time, err error) {
	return l.endedSince(ctx, sessions, since)
}

func (l *DB) end(ctx context.Context, table revocationTable, e Ended) error {
	if err := checkID(e.ID); err != nil {
		return err
	}
	if len(e.By) > maxBy {
		return model.BadInput("by", "is longer than %d bytes", maxBy)
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	_, err := l.pool.Exec(ctx, table.note, e.ID, e.ExpiresAt, e.By)
	return failure("ending one of the "+table.what, err)
}

func (l *DB) ended(ctx context.Context, table revocationTable, id string) (ended bool, err error) {
	if err := checkID(id); err != nil {
		return false, err
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	err = l.pool.QueryRow(ctx, table.known, id).Scan(&ended)
	return ended, failure("asking for one of the "+table.what+" that were ended", err)
}

func (l *DB) endedSince(ctx context.Context, table revocationTable, since time.Time) (ended []Ended, next time.Time, err error) {
	ctx, cancel := context.WithTimeout(ctx, readTimeout)
	defer cancel()
	doing := "reading the " + table.what + " that were ended"
	if err := l.pool.QueryRow(ctx, "SELECT clock_timestamp()").Scan(&next); err != nil {
		return nil, since, failure(doing, err)
	}
	last := Ended{}
	if !since.IsZero() {
		last.At = since.Add(-overlap)
	}
	for {
		rows, err := l.pool.Query(ctx, table.since, last.At, last.ID, endedPage)
		if err != nil {
			return nil, since, failure(doing, err)
		}
		page, err := pgx.CollectRows(rows, scanEnded)
		if err != nil {
			return nil, since, failure(doing, err)
		}
		ended = append(ended, page...)
		if len(page) < endedPage {
			return ended, next.UTC(), nil
		}
		last = page[len(page)-1]
	}
}

func scanEnded(row pgx.CollectableRow) (Ended, error) {
	var e Ended
	err := row.Scan(&e.ID, &e.ExpiresAt, &e.At, &e.By)
	e.ExpiresAt, e.At = e.ExpiresAt.UTC(), e.At.UTC()
	return e, err
}

func checkID(id string) error {
	switch {
	case id == "":
		return model.BadInput("id", "is empty")
	case len(id) > maxID:
		return model.BadInput("id", "is longer than %d bytes", maxID)
	}
	return nil
}
