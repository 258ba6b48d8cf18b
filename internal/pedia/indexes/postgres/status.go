package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// State of an index.
type State string

// The states of an index.
const (
	// Ready can be used.
	Ready State = "ready"
	// Missing is not there.
	Missing State = "missing"
	// Broken was left behind by an interruption. PostgreSQL updates it but does not use it.
	Broken State = "broken"
	// Building is being created.
	Building State = "building"
	// Outdated was defined differently, by another version or by somebody else.
	Outdated State = "outdated"
	// NotNeeded is not needed: the database's own order is by bytes.
	NotNeeded State = "not needed"
)

// IndexStatus is the state of an index of the pack in the database.
type IndexStatus struct {
	indexes.Index

	State State
	// Size in bytes.
	Size int64
	// Scans since the database's statistics were last reset.
	Scans int64
}

// KindCount is the number of rows of a resource, over all clusters.
type KindCount struct {
	Resource string
	Rows     int64
}

// Status is the state of the read store's database.
type Status struct {
	// Version of PostgreSQL.
	Version string
	// Collation of the database; ByBytes says whether its order is by bytes.
	Collation string
	ByBytes   bool
	// TableSize and IndexSize are in bytes; the latter is of all indexes, including Clusterpedia's own.
	TableSize, IndexSize int64
	// Analyzed says that the planner has statistics of the table.
	Analyzed bool
	// Unavailable is the extensions that the pack needs and that cannot be created here.
	Unavailable []string
	Indexes     []IndexStatus
	// Settings are those of the pack with the database's own values, empty where it has none.
	Settings []indexes.Setting
	// Kinds is the number of rows by resource, the most first; nil where they were not counted.
	Kinds []KindCount
}

// Read returns the state of the read store's database. With count it counts the rows by resource, which reads a whole
// index.
func Read(ctx context.Context, config *pgx.ConnConfig, count bool) (*Status, error) {
	conn, err := connect(ctx, config)
	if err != nil {
		return nil, err
	}
	defer hangUp(ctx, conn)
	db := &database{conn: conn, Options: Options{Out: io.Discard}}
	if err := db.check(ctx); err != nil {
		return nil, err
	}
	status, err := db.status(ctx)
	if err != nil || !count {
		return status, err
	}
	rows, err := conn.Query(ctx, `SELECT CASE "group" WHEN '' THEN resource ELSE resource || '.' || "group" END, count(*)
		FROM `+indexes.Table+` GROUP BY 1 ORDER BY 2 DESC, 1`)
	if err == nil {
		status.Kinds, err = pgx.CollectRows(rows, pgx.RowToStructByPos[KindCount])
	}
	if err != nil {
		return nil, fmt.Errorf("counting rows: %w", err)
	}
	return status, nil
}

func (db *database) status(ctx context.Context) (*Status, error) {
	s := &Status{}
	err := db.conn.QueryRow(ctx, `SELECT current_setting('server_version'), `+indexes.ByBytes+`,
		(SELECT datcollate FROM pg_database WHERE datname = current_database()),
		pg_table_size('`+indexes.Table+`'), pg_indexes_size('`+indexes.Table+`'),
		EXISTS (SELECT 1 FROM pg_stats WHERE tablename = '`+indexes.Table+`')`).
		Scan(&s.Version, &s.ByBytes, &s.Collation, &s.TableSize, &s.IndexSize, &s.Analyzed)
	if err != nil {
		return nil, fmt.Errorf("looking at the database: %w", err)
	}
	for _, i := range indexes.Pack() {
		status, err := db.index(ctx, i, s.ByBytes)
		if err != nil {
			return nil, fmt.Errorf("looking at the index %s: %w", i.Name, err)
		}
		s.Indexes = append(s.Indexes, status)
	}
	settings, err := db.settings(ctx)
	if err != nil {
		return nil, err
	}
	for _, setting := range indexes.Settings() {
		setting.Value = settings[setting.Name]
		s.Settings = append(s.Settings, setting)
	}
	rows, err := db.conn.Query(ctx, `SELECT wanted FROM unnest($1::text[]) wanted
		WHERE NOT EXISTS (SELECT 1 FROM pg_available_extensions WHERE name = wanted) ORDER BY 1`, extensions())
	if err == nil {
		s.Unavailable, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("looking at the extensions: %w", err)
	}
	return s, nil
}

func extensions() []string {
	var names []string
	for _, i := range indexes.Pack() {
		if i.Extension != "" {
			names = append(names, i.Extension)
		}
	}
	return names
}

func (db *database) index(ctx context.Context, i indexes.Index, byBytes bool) (IndexStatus, error) {
	s := IndexStatus{Index: i, State: Missing}
	if i.OtherOrderOnly && byBytes {
		s.State = NotNeeded
	}
	var valid, building bool
	var said string
	err := db.conn.QueryRow(ctx, `SELECT i.indisvalid, pg_relation_size(i.indexrelid), coalesce(pg_stat_get_numscans(i.indexrelid), 0),
			coalesce(obj_description(i.indexrelid, 'pg_class'), ''),
			EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.index_relid = i.indexrelid)
		FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid = '`+indexes.Table+`'::regclass AND c.relname = $1`, string(i.Name)).
		Scan(&valid, &s.Size, &s.Scans, &said, &building)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return s, nil
	case err != nil:
		return s, err
	case building:
		s.State = Building
	case !valid:
		s.State = Broken
	case said != comment(i.Create(byBytes)):
		s.State = Outdated
	default:
		s.State = Ready
	}
	return s, nil
}

// ours is the names of all indexes that Kairship made: those with its mark, also of other versions, and those of the
// pack, which an interruption may have left without a mark.
func (db *database) ours(ctx context.Context) ([]string, error) {
	var pack []string
	for _, i := range indexes.Pack() {
		pack = append(pack, string(i.Name))
	}
	rows, err := db.conn.Query(ctx, `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
		WHERE i.indrelid = '`+indexes.Table+`'::regclass
			AND (starts_with(obj_description(i.indexrelid, 'pg_class'), $1) OR c.relname = ANY($2))
		ORDER BY 1`, mark, pack)
	var names []string
	if err == nil {
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("looking for what Kairship made: %w", err)
	}
	return names, nil
}

// statistics is the names of the statistics of the pack that are there.
func (db *database) statistics(ctx context.Context) ([]string, error) {
	var pack []string
	for _, s := range indexes.PackStatistics() {
		pack = append(pack, s.Name)
	}
	rows, err := db.conn.Query(ctx, `SELECT stxname FROM pg_statistic_ext WHERE stxrelid = '`+indexes.Table+`'::regclass AND stxname = ANY($1) ORDER BY 1`, pack)
	var names []string
	if err == nil {
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("looking at the statistics of the planner: %w", err)
	}
	return names, nil
}

// extensions is the names of the extensions that Kairship made.
func (db *database) extensions(ctx context.Context) ([]string, error) {
	rows, err := db.conn.Query(ctx, `SELECT extname FROM pg_extension WHERE obj_description(oid, 'pg_extension') = $1 ORDER BY 1`, mark)
	var names []string
	if err == nil {
		names, err = pgx.CollectRows(rows, pgx.RowTo[string])
	}
	if err != nil {
		return nil, fmt.Errorf("looking for the extensions that Kairship made: %w", err)
	}
	return names, nil
}
