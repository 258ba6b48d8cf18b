// Package database is Kairship's own PostgreSQL schema `kairship`: who changed what, which tokens and sessions were
// revoked, which webhook events were already received. It may be in the read store's database or in another one. It
// knows nothing of the read store's tables, nor of how tokens are checked.
//
// All methods are safe for use by many goroutines, end within a deadline of their own, and fail with a
// *model.Error: UNAVAILABLE and retryable when the database does not answer or its tables are not there yet,
// TIMEOUT when it takes too long, BAD_USER_INPUT, INTERNAL. Times that are compared with each other come from
// the database's clock.
package database

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/kairship-io/kairship/internal/dsn"
	"github.com/kairship-io/kairship/internal/model"
)

// Schema is the schema that everything is in.
const Schema = "kairship"

// applicationName is what the sessions are called in pg_stat_activity.
const applicationName = "kairship"

// Deadlines.
const (
	// connectTimeout is for a connection, where the connection string says nothing.
	connectTimeout = 5 * time.Second
	// shortTimeout is for what a request waits for, a page of the audit log included: the graph answers within two
	// seconds, whatever hangs.
	shortTimeout = 1500 * time.Millisecond
	// readTimeout is for what is read in the background.
	readTimeout = 5 * time.Second
	// appendTimeout is for a batch of the audit log, which nobody waits for.
	appendTimeout = 10 * time.Second
	// cleanTimeout is for removing one batch, and for finding where to begin.
	cleanTimeout = 30 * time.Second
)

// Options are the settings of a Database.
type Options struct {
	// DSN is the connection string, as URL (postgres://…) or in words (host=… dbname=…). Settings of the pool
	// may be part of it: pool_max_conns.
	DSN string
	// Password is used when the connection string has none; may be empty.
	Password string
	// Logger defaults to slog.Default().
	Logger *slog.Logger
}

// DB is the schema `kairship` of a PostgreSQL database. Close ends it.
type DB struct {
	pool *pgxpool.Pool
	log  *slog.Logger
}

// Open parses the connection string and makes a pool that connects on demand: it does not fail while the database is
// down. Prepare must create the tables. No error holds the password.
func Open(o Options) (*DB, error) {
	config, err := dsn.Parse(o.DSN, o.Password)
	if err != nil {
		return nil, err
	}
	conn := config.ConnConfig
	conn.ConnectTimeout = cmp.Or(conn.ConnectTimeout, connectTimeout)
	// Statements are planned with their values, and work through a connection pooler.
	conn.DefaultQueryExecMode = pgx.QueryExecModeExec
	conn.RuntimeParams["application_name"] = cmp.Or(conn.RuntimeParams["application_name"], applicationName)
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("making the database's connections: %w", err)
	}
	l := &DB{pool: pool, log: o.Logger}
	if l.log == nil {
		l.log = slog.Default()
	}
	return l, nil
}

// Close closes all connections, once they are no longer in use.
func (l *DB) Close() { l.pool.Close() }

// Ping says whether the database answers.
func (l *DB) Ping(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	return failure("asking whether it is there", l.pool.Ping(ctx))
}

// Classes and codes of PostgreSQL's errors.
const (
	classData       = "22"
	classConstraint = "23"

	codeNotPermitted = "42501"
	codeNoTable      = "42P01"
	codeNoSchema     = "3F000"
	codeCanceled     = "57014"
	codeNoColumn     = "42703"
)

// transientClasses are the classes of transient errors: of the connection, of a transaction, of resources, of an
// administrator, of the system.
var transientClasses = []string{"08", "40", "53", "55", "57", "58"}

// failure makes the error that callers get; nil for none. Its cause is for logs.
func failure(doing string, err error) error {
	if err == nil {
		return nil
	}
	cause := fmt.Errorf("the database: %s: %w", doing, err)
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) {
		switch {
		case errors.Is(err, context.DeadlineExceeded):
			return &model.Error{Code: model.CodeTimeout, Retryable: true, Err: cause, Message: "Kairship's own database does not answer in time"}
		case errors.Is(err, context.Canceled):
			return &model.Error{Code: model.CodeTimeout, Retryable: true, Err: cause, Message: "the request ended before Kairship's own database answered"}
		}
		return unavailable(cause)
	}
	switch pgErr.Code {
	case codeCanceled:
		return &model.Error{Code: model.CodeTimeout, Retryable: true, Err: cause, Message: "Kairship's own database takes too long"}
	case codeNoTable, codeNoSchema, codeNoColumn:
		return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: cause, Message: "the tables of Kairship's own database are not there yet"}
	case codeNotPermitted:
		return &model.Error{Code: model.CodeUnavailable, Err: cause, Message: "Kairship lacks rights in its own database"}
	}
	class := pgErr.Code[:min(2, len(pgErr.Code))]
	for _, transient := range transientClasses {
		if class == transient {
			return unavailable(cause)
		}
	}
	return &model.Error{Code: model.CodeInternal, Err: &refusal{cause, class == classData || class == classConstraint},
		Message: "Kairship's own database refuses what it was asked"}
}

func unavailable(cause error) error {
	return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: cause, Message: "Kairship's own database does not answer"}
}

// refusal is the cause of an error that the database returned.
type refusal struct {
	error
	permanent bool
}

func (r *refusal) Unwrap() error { return r.error }

// Permanent says that the same values will always be refused.
func (r *refusal) Permanent() bool { return r.permanent }
