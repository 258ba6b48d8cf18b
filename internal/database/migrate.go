package database

import (
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/tern/v2/migrate"
)

// migrations create the tables. So that replicas of two versions can run side by side, a released migration is never
// changed, and each only adds, so that the previous version keeps working.
//
//go:embed migrations/*.sql
var migrations embed.FS

const (
	versionTable = Schema + ".schema_version"
	// migrateTimeout bounds one run, waiting for other replicas included.
	migrateTimeout = 2 * time.Minute
	// migrateLock is the advisory lock for creating the schema: "kairledg" in ASCII.
	migrateLock = int64(0x6b6169726c656467)
)

// Version says which migrations were applied to a database.
type Version struct {
	// Current is that of the database; 0 before the first.
	Current int32
	// Latest is that of this program. Current is greater when a newer program has migrated the database.
	Latest int32
}

// Version returns the versions of the database and of this program.
func (l *DB) Version(ctx context.Context) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	var v Version
	latest, err := latest()
	if err != nil {
		return v, failure("reading its migrations", err)
	}
	v.Latest = latest
	v.Current, err = current(ctx, l.pool)
	return v, failure("reading its version", err)
}

// Migrate brings the schema and its tables to this version, and returns the resulting one. Replicas may run it at
// once: one of them works, the others wait. When nothing is to be done, it needs no right to create anything. It
// leaves a database that a newer version has migrated as it is.
func (l *DB) Migrate(ctx context.Context) (Version, error) {
	ctx, cancel := context.WithTimeout(ctx, migrateTimeout)
	defer cancel()
	var v Version
	var err error
	if v.Latest, err = latest(); err != nil {
		return v, l.unprepared("reading its migrations", err)
	}
	if v.Current, err = current(ctx, l.pool); err != nil {
		return v, l.unprepared("reading its version", err)
	}
	if v.Current >= v.Latest {
		if v.Current > v.Latest {
			l.log.Warn("a newer version of Kairship has been at the database; it is left as it is", "current", v.Current, "latest", v.Latest)
		}
		return v, nil
	}
	// A connection of its own: the lock ends with it, whatever happens.
	conn, err := pgx.ConnectConfig(ctx, l.pool.Config().ConnConfig)
	if err != nil {
		return v, l.unprepared("connecting", err)
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), connectTimeout)
		defer cancel()
		_ = conn.Close(ctx) // what was done is done
	}()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", migrateLock); err != nil {
		return v, l.unprepared("waiting for another replica to make the tables", err)
	}
	if err := l.migrate(ctx, conn); err != nil {
		return v, l.unprepared("making the tables", err)
	}
	v.Current, err = current(ctx, conn)
	return v, l.unprepared("reading its version", err)
}

// migrate applies the missing migrations. The caller holds the lock.
func (l *DB) migrate(ctx context.Context, conn *pgx.Conn) error {
	var exists bool
	if err := conn.QueryRow(ctx, "SELECT to_regnamespace($1) IS NOT NULL", Schema).Scan(&exists); err != nil {
		return err
	}
	if !exists {
		var shadows bool
		if err := conn.QueryRow(ctx, "SELECT current_user = $1 AND EXISTS (SELECT FROM pg_tables WHERE schemaname = 'public')", Schema).Scan(&shadows); err != nil {
			return err
		}
		if shadows {
			// PostgreSQL resolves names without a schema in the one named like the role first, and creates them
			// there.
			return errors.New("the role is called " + Schema + " as the database's schema is, and the database holds other tables: " +
				"whoever keeps those would look for them in the database's schema; give the database a database of its own, or a role of another name")
		}
		// Not IF NOT EXISTS: PostgreSQL requires the right to create one even where there is one.
		if _, err := conn.Exec(ctx, "CREATE SCHEMA "+Schema); err != nil {
			return err
		}
	}
	migrator, err := newMigrator(ctx, conn)
	if err != nil {
		return err
	}
	migrator.OnStart = func(version int32, name, _, _ string) {
		l.log.Info("migrating the database", "version", version, "name", name)
	}
	was, err := migrator.GetCurrentVersion(ctx)
	if err != nil || int(was) >= len(migrator.Migrations) {
		return err // another replica was faster
	}
	return migrator.Migrate(ctx)
}

// newMigrator reads the migrations; without a connection it can only list them.
func newMigrator(ctx context.Context, conn *pgx.Conn) (*migrate.Migrator, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, err
	}
	migrator, err := migrate.NewMigrator(ctx, conn, versionTable)
	if err != nil {
		return nil, err
	}
	if err := migrator.LoadMigrations(files); err != nil {
		return nil, err
	}
	return migrator, nil
}

func latest() (int32, error) {
	migrator, err := newMigrator(context.Background(), nil)
	if err != nil {
		return 0, err
	}
	return migrator.Migrations[len(migrator.Migrations)-1].Sequence, nil
}

type querier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// current is the version of the database; 0 where there are no tables.
func current(ctx context.Context, db querier) (version int32, err error) {
	err = db.QueryRow(ctx, "SELECT version FROM "+versionTable).Scan(&version)
	var pgErr *pgconn.PgError
	if errors.Is(err, pgx.ErrNoRows) || errors.As(err, &pgErr) && (pgErr.Code == codeNoTable || pgErr.Code == codeNoSchema) {
		return 0, nil
	}
	return version, err
}

// unprepared makes the error of a failed preparation, with what an administrator can do about missing rights; nil for
// none.
func (l *DB) unprepared(doing string, err error) error {
	var pgErr *pgconn.PgError
	if !errors.As(err, &pgErr) || pgErr.Code != codeNotPermitted {
		return failure(doing, err)
	}
	config := l.pool.Config().ConnConfig
	role, database := pgx.Identifier{config.User}.Sanitize(), pgx.Identifier{config.Database}.Sanitize()
	return failure(doing, fmt.Errorf("the role %s may not make, or not use, the schema %s in the database %s: have an administrator run "+
		"`CREATE SCHEMA %s AUTHORIZATION %s` there, or, where the schema is there already, `ALTER SCHEMA %s OWNER TO %s`: %w",
		role, Schema, database, Schema, role, Schema, role, err))
}

// Prepare runs Migrate until it succeeds or ctx ends: the database may start later. It logs what it waits for.
func (l *DB) Prepare(ctx context.Context) error {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval = 200*time.Millisecond, 15*time.Second
	for {
		v, err := l.Migrate(ctx)
		if err == nil {
			l.log.Info("the database is ready", "version", v.Current)
			return nil
		}
		if ctx.Err() != nil {
			return err
		}
		pause := pauses.NextBackOff()
		l.log.Error("the database is not ready", "error", err, "again", pause)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return err
		}
	}
}
