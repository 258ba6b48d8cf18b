package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Options of Optimize and Revert.
type Options struct {
	// Out receives a line for each step.
	Out io.Writer
	// DryRun writes the SQL to Out and executes nothing.
	DryRun bool
}

// mark begins the comment of everything that Kairship made.
const mark = "made by kairship store optimize"

// comment marks an index as Kairship's and identifies the definition it was made with.
func comment(create string) string {
	sum := sha256.Sum256([]byte(create))
	return mark + " " + hex.EncodeToString(sum[:8])
}

// Optimize creates the missing indexes and settings of the pack, and recreates those indexes that an interruption left
// behind or that an older version defined differently. The table stays readable and writable. It may be run at any
// time, also twice at once: one run waits for the other.
func Optimize(ctx context.Context, config *pgx.ConnConfig, o Options) error {
	return exclusively(ctx, config, o, func(ctx context.Context, db *database) error {
		status, err := db.status(ctx)
		if err != nil {
			return err
		}
		built := 0
		for _, index := range status.Indexes {
			made, err := db.ensure(ctx, &index, status.ByBytes)
			if err != nil {
				return fmt.Errorf("index %s: %w", index.Name, err)
			}
			if made {
				built++
			}
		}
		for _, s := range indexes.PackStatistics() {
			made, err := db.ensureStatistics(ctx, s)
			if err != nil {
				return fmt.Errorf("statistics %s: %w", s.Name, err)
			}
			if made {
				built++
			}
		}
		if built > 0 || !status.Analyzed {
			// Until then the planner has no statistics of the expressions.
			if err := db.do(ctx, "telling the planner", "ANALYZE "+indexes.Table); err != nil {
				return err
			}
		}
		set, err := db.settle(ctx)
		if err != nil {
			return err
		}
		if built+set == 0 {
			db.say("nothing to do: every index of the pack is there")
		}
		return nil
	})
}

// Revert removes what Optimize made, and nothing else.
func Revert(ctx context.Context, config *pgx.ConnConfig, o Options) error {
	return exclusively(ctx, config, o, func(ctx context.Context, db *database) error {
		names, err := db.ours(ctx)
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := db.do(ctx, "removing "+name, drop(name)); err != nil {
				return err
			}
		}
		statistics, err := db.statistics(ctx)
		if err != nil {
			return err
		}
		for _, name := range statistics {
			if err := db.do(ctx, "removing "+name, "DROP STATISTICS "+pgx.Identifier{name}.Sanitize()); err != nil {
				return err
			}
		}
		extensions, err := db.extensions(ctx)
		if err != nil {
			return err
		}
		for _, name := range extensions {
			if err := db.do(ctx, "removing the extension "+name, "DROP EXTENSION "+pgx.Identifier{name}.Sanitize()); err != nil {
				db.say("the extension %s stays: %v", name, err)
			}
		}
		reset, err := db.unsettle(ctx)
		if err != nil {
			return err
		}
		if len(names)+len(statistics)+len(extensions)+reset == 0 {
			db.say("nothing to do: there is nothing that Kairship made")
		}
		return nil
	})
}

// database is a session on Clusterpedia's database.
type database struct {
	conn *pgx.Conn
	Options
}

// lockKey is the advisory lock for changing indexes: "kairship" in ASCII.
const lockKey = int64(0x6b61697273686970)

// lockPause is the time between attempts to take the lock.
const lockPause = 500 * time.Millisecond

// exclusively runs fn on its own session while no other run changes indexes.
func exclusively(ctx context.Context, config *pgx.ConnConfig, o Options, fn func(context.Context, *database) error) error {
	if o.Out == nil {
		o.Out = io.Discard
	}
	conn, err := connect(ctx, config)
	if err != nil {
		return err
	}
	defer hangUp(ctx, conn)
	db := &database{conn: conn, Options: o}
	if err := db.check(ctx); err != nil {
		return err
	}
	if err := db.lock(ctx); err != nil {
		return err
	}
	// The lock ends with the session.
	return fn(ctx, db)
}

func connect(ctx context.Context, config *pgx.ConnConfig) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, fmt.Errorf("connecting to PostgreSQL at %s: %w", config.Host, err)
	}
	return conn, nil
}

func hangUp(ctx context.Context, conn *pgx.Conn) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = conn.Close(ctx) // the work is done; an error changes nothing
}

// errNoTable is the error for a database without Clusterpedia's table.
var errNoTable = fmt.Errorf("the database has no table %s as Clusterpedia makes it: start clusterpedia-apiserver on it first", indexes.Table)

// check verifies that the database is Clusterpedia's.
func (db *database) check(ctx context.Context) error {
	var columns int
	err := db.conn.QueryRow(ctx, `SELECT count(*) FROM pg_attribute WHERE attrelid = to_regclass($1) AND NOT attisdropped
		AND (attname, atttypid::regtype::text) IN (('object', 'jsonb'), ('cluster', 'character varying'), ('owner_uid', 'character varying'))`,
		indexes.Table).Scan(&columns)
	if err != nil {
		return fmt.Errorf("looking for Clusterpedia's table: %w", err)
	}
	if columns != 3 {
		return errNoTable
	}
	return nil
}

// lock waits for the advisory lock. It polls: a session waiting for it inside PostgreSQL would hold a snapshot, which
// the run that holds the lock would wait for in turn.
func (db *database) lock(ctx context.Context) error {
	for said := false; ; {
		var got bool
		if err := db.conn.QueryRow(ctx, "SELECT pg_try_advisory_lock($1)", lockKey).Scan(&got); err != nil {
			return fmt.Errorf("taking the lock: %w", err)
		}
		if got {
			return nil
		}
		if !said {
			db.say("waiting for another run to end")
			said = true
		}
		select {
		case <-time.After(lockPause):
		case <-ctx.Done():
			return fmt.Errorf("waiting for another run to end: %w", ctx.Err())
		}
	}
}

// ensure brings one index to its defined state. made reports whether it had to create it.
func (db *database) ensure(ctx context.Context, i *IndexStatus, byBytes bool) (made bool, err error) {
	switch i.State {
	case Ready, NotNeeded:
		return false, nil
	case Broken, Outdated, Building:
		// Building: no other run can be building it while we hold the lock; its session is gone or ending.
		if err := db.do(ctx, "removing "+string(i.Name)+", left by an interruption or an older version", drop(string(i.Name))); err != nil {
			return false, err
		}
	case Missing:
	}
	if i.Extension != "" {
		if ok, err := db.extension(ctx, i.Extension); err != nil || !ok {
			if err == nil {
				db.say("%s is left out: without it, %s is slow", i.Name, i.Serves)
			}
			return false, err
		}
	}
	create := i.Create(byBytes)
	if err := db.do(ctx, "making "+string(i.Name)+": "+i.Serves, create); err != nil {
		return false, err
	}
	return true, db.quietly(ctx, "COMMENT ON INDEX "+pgx.Identifier{string(i.Name)}.Sanitize()+" IS '"+comment(create)+"'")
}

// ensureStatistics makes statistics that are missing. made reports whether it had to.
func (db *database) ensureStatistics(ctx context.Context, s indexes.Statistics) (made bool, err error) {
	there, err := db.statistics(ctx)
	if err != nil || slices.Contains(there, s.Name) {
		return false, err
	}
	if err := db.do(ctx, "making "+s.Name+": "+s.Serves, s.Create()); err != nil {
		return false, err
	}
	return true, nil
}

// extension creates an extension if it is missing. It returns false where it cannot: the extension is not installed on
// the machine or the user has no right to.
func (db *database) extension(ctx context.Context, name string) (bool, error) {
	var there bool
	if err := db.conn.QueryRow(ctx, "SELECT count(*) > 0 FROM pg_extension WHERE extname = $1", name).Scan(&there); err != nil {
		return false, fmt.Errorf("looking for the extension %s: %w", name, err)
	}
	if there {
		return true, nil
	}
	if err := db.do(ctx, "making the extension "+name, "CREATE EXTENSION "+pgx.Identifier{name}.Sanitize()); err != nil {
		if ctx.Err() != nil {
			return false, err
		}
		db.say("PostgreSQL's extension %s cannot be made: %v", name, err)
		return false, nil
	}
	// The user that creates an extension owns it.
	return true, db.quietly(ctx, "COMMENT ON EXTENSION "+pgx.Identifier{name}.Sanitize()+" IS '"+mark+"'")
}

func drop(index string) string {
	return "DROP INDEX CONCURRENTLY IF EXISTS " + pgx.Identifier{index}.Sanitize()
}

// do runs one statement, and writes its purpose and duration; a dry run writes the statement.
func (db *database) do(ctx context.Context, what, statement string) error {
	if db.DryRun {
		db.say("%s;  -- %s", statement, what)
		return nil
	}
	fmt.Fprintf(db.Out, "%s … ", what)
	start := time.Now()
	if err := db.quietly(ctx, statement); err != nil {
		db.say("failed")
		return err
	}
	db.say("%s", time.Since(start).Round(time.Millisecond))
	return nil
}

func (db *database) quietly(ctx context.Context, statement string) error {
	if db.DryRun {
		return nil
	}
	if _, err := db.conn.Exec(ctx, statement); err != nil {
		if cause := context.Cause(ctx); cause != nil && !errors.Is(err, cause) {
			err = errors.Join(err, cause)
		}
		return err
	}
	return nil
}

func (db *database) say(format string, args ...any) { fmt.Fprintf(db.Out, format+"\n", args...) }
