package pedia

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/dsn"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Database runs statements in the PostgreSQL that Clusterpedia's synchro managers fill, with a role that may only read.
type Database struct {
	pool  *pgxpool.Pool
	guard *guard[*found]
	// shares is what each principal may have of the pool at once.
	shares *lru.Cache[string, chan struct{}]
}

// DatabaseOptions are the settings of a Database.
type DatabaseOptions struct {
	// DSN is the connection string, as URL (postgres://…) or in words (host=… dbname=…). Settings of the pool may be part
	// of it: pool_max_conns.
	DSN string
	// Password is used when the connection string has none; may be empty.
	Password string
	// Timeout is the maximum duration of a statement.
	Timeout time.Duration
}

const (
	// maxConnections is the size of the pool where the connection string gives none: more statements at once are no faster
	// on a few processors, and what waits for a connection waits in Kairship, in the order of its coming.
	maxConnections = 20
	// share is how many of the connections one principal may have at once.
	share = 8
)

// errBusy is the error when no connection was free in time. It says nothing of the database.
var errBusy = fmt.Errorf("all connections to the read store's database are in use: %w", upstream.ErrNotMade)

// OpenDatabase makes an executor that connects on demand: it does not fail while the database is down. No error contains
// the password.
func OpenDatabase(o DatabaseOptions) (*Database, error) {
	config, err := dsn.Parse(o.DSN, o.Password)
	if err != nil {
		return nil, err
	}
	if !strings.Contains(o.DSN, "pool_max_conns") {
		config.MaxConns = maxConnections
	}
	parameters := config.ConnConfig.RuntimeParams
	if parameters["application_name"] == "" {
		parameters["application_name"] = "kairship-apiserver"
	}
	parameters["default_transaction_read_only"] = "on"
	// PostgreSQL ends what takes too long a little before the reader does, so that the connection stays usable.
	parameters["statement_timeout"] = strconv.FormatInt((o.Timeout * 9 / 10).Milliseconds(), 10)
	parameters["idle_in_transaction_session_timeout"] = strconv.FormatInt((2 * o.Timeout).Milliseconds(), 10)
	config.ConnConfig.ConnectTimeout = o.Timeout
	// Also for the connections by which statements are cancelled, which the pool waits for.
	config.ConnConfig.DialFunc = (&net.Dialer{Timeout: o.Timeout}).DialContext
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return nil, fmt.Errorf("making the connections of the read store's database: %w", err)
	}
	shares, _ := lru.New[string, chan struct{}](maxPrincipals) // fails only for a size below 1
	d := &Database{pool: pool, shares: shares}
	d.guard = newGuard[*found](nameOfDatabase, o.Timeout, d.trial)
	return d, nil
}

// nameOfDatabase is the name of the database among the upstreams.
const nameOfDatabase = "postgresql"

// Name is postgresql.
func (*Database) Name() string { return nameOfDatabase }

// Exact is true: PostgreSQL executes statements as they are.
func (*Database) Exact() bool { return true }

// Timeout is the maximum duration of a statement.
func (d *Database) Timeout() time.Duration { return d.guard.wait() }

// Close closes all connections, once they are no longer in use.
func (d *Database) Close() { d.pool.Close() }

// trial runs the cheapest statement, on a connection of its own: those of the pool may all be in use.
func (d *Database) trial(ctx context.Context) error {
	conn, err := pgx.ConnectConfig(ctx, d.pool.Config().ConnConfig)
	if err != nil {
		return failureOf(err)
	}
	defer func() { _ = conn.Close(ctx) }() // the answer is there; ctx has a deadline
	_, err = conn.Exec(ctx, "SELECT 1")
	return failureOf(err)
}

// acquire takes a connection, within a third of the time that a statement has, and no more than a principal's share.
func (d *Database) acquire(ctx context.Context) (conn *pgxpool.Conn, release func(), err error) {
	name := rbac.PrincipalFrom(ctx).Name
	mine := make(chan struct{}, share)
	if known, ok, _ := d.shares.PeekOrAdd(name, mine); ok {
		mine = known
	}
	waiting, cancel := context.WithTimeout(ctx, d.guard.timeout/3)
	defer cancel()
	select {
	case mine <- struct{}{}:
	case <-waiting.Done():
		return nil, nil, errBusy
	}
	conn, err = d.pool.Acquire(waiting)
	if err == nil {
		return conn, func() { conn.Release(); <-mine }, nil
	}
	<-mine
	if waiting.Err() != nil && d.pool.Stat().AcquiredConns() >= d.pool.Config().MaxConns {
		return nil, nil, errBusy
	}
	return nil, nil, err
}

// found is the result of a query: rows whose bytes all callers share.
type found struct {
	rows  []sql.Row
	total *int
}

// query is what is sent for a statement.
type query struct {
	// text asks for rows, count for a number, explain for a plan; each is empty where it is not wanted.
	text, count, explain string
	params, countParams  []any
	// gvrs and clusters are those that rows may have.
	gvrs     []schema.GroupVersionResource
	clusters []string
}

// key identifies a query.
func (q *query) key() string {
	var b strings.Builder
	b.WriteString(q.text + "\n" + q.count + "\n" + q.explain)
	for _, p := range slices.Concat(q.params, q.countParams) {
		fmt.Fprintf(&b, "\n%q", p)
	}
	return b.String()
}

// Run runs a statement: its rows, and their total as of the same moment. Callers that run the same one at the same time as
// the same principal share the answer, and the bytes of rows.
func (d *Database) Run(ctx context.Context, s *sql.Statement) (_ *Answer, err error) {
	q := &query{gvrs: s.Query.GVRs, clusters: s.Query.Clusters}
	if s.Limit > 0 {
		if q.text, q.params, err = s.Select(); err != nil {
			return nil, err
		}
	}
	if s.Total != nil {
		if q.count, q.countParams, err = s.Count(); err != nil {
			return nil, err
		}
	}
	label := "several"
	if len(q.gvrs) == 1 {
		label = q.gvrs[0].Resource
	}
	f, err := d.guard.run(ctx, q.key(), label, func(ctx context.Context) (*found, error) { return d.attempt(ctx, label, q) })
	if err != nil {
		return nil, err
	}
	out := &Answer{Rows: make([]*sql.View, len(f.rows)), Total: f.total}
	for i, row := range f.rows {
		out.Rows[i] = &sql.View{Row: row}
	}
	return out, nil
}

// Estimate is how many rows PostgreSQL expects of a query without conditions.
func (d *Database) Estimate(ctx context.Context, of *sql.Query) (int, error) {
	q := &query{}
	q.explain, q.params = of.Estimate()
	f, err := d.guard.run(ctx, q.key(), "estimate", func(ctx context.Context) (*found, error) { return d.attempt(ctx, "estimate", q) })
	if err != nil {
		return 0, err
	}
	return *f.total, nil
}

// Holds reports whether a condition holds for some row that every synced cluster has.
func (d *Database) Holds(ctx context.Context, condition string, params ...any) (bool, error) {
	q := &query{}
	q.count, q.countParams = sql.Holds(probed, sql.Filter{Where: condition, Params: params})
	f, err := d.guard.run(ctx, q.key(), "probe", func(ctx context.Context) (*found, error) { return d.attempt(ctx, "probe", q) })
	if err != nil {
		return false, err
	}
	return *f.total > 0, nil
}

// attempt runs a query once.
func (d *Database) attempt(ctx context.Context, label string, q *query) (*found, error) {
	start := time.Now()
	f, err := d.read(ctx, q)
	code := "ok"
	var refused *pgconn.PgError
	switch {
	case errors.As(err, &refused):
		code = refused.Code
	case err != nil:
		code = "error"
	}
	observe(nameOfDatabase, label, code, time.Since(start))
	return f, failureOf(err)
}

// querier is a connection, or a transaction on one.
type querier interface {
	Query(ctx context.Context, text string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, text string, args ...any) pgx.Row
}

func (d *Database) read(ctx context.Context, q *query) (*found, error) {
	conn, release, err := d.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	if q.text == "" || q.count == "" { // one statement sees one moment by itself
		return readFrom(ctx, conn, q)
	}
	var f *found
	err = pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, func(tx pgx.Tx) (err error) {
		f, err = readFrom(ctx, tx, q)
		return err
	})
	return f, err
}

func readFrom(ctx context.Context, from querier, q *query) (*found, error) {
	f := &found{}
	if q.text != "" {
		// What is not wanted is not received to its end: the connection is given up.
		reading, giveUp := context.WithCancel(ctx)
		defer giveUp()
		rows, err := from.Query(reading, q.text, q.params...)
		if err != nil {
			return nil, err
		}
		if f.rows, err = collect(rows, q, giveUp); err != nil {
			return nil, err
		}
	}
	if q.explain != "" {
		var plan []byte
		if err := from.QueryRow(ctx, q.explain, q.params...).Scan(&plan); err != nil {
			return nil, err
		}
		n, err := sql.Estimated(plan)
		f.total = &n
		return f, err
	}
	if q.count != "" {
		f.total = new(int)
		if err := from.QueryRow(ctx, q.count, q.countParams...).Scan(f.total); err != nil {
			return nil, err
		}
	}
	return f, nil
}

// collect reads rows, of the kinds and clusters of a query only, up to the size that one answer may have.
func collect(rows pgx.Rows, q *query, giveUp func()) ([]sql.Row, error) {
	defer rows.Close()
	var out []sql.Row
	size := 0
	for rows.Next() {
		raw := rows.RawValues() // valid until the next row
		kind := slices.IndexFunc(q.gvrs, func(g schema.GroupVersionResource) bool {
			return g.Group == string(raw[0]) && g.Version == string(raw[1]) && g.Resource == string(raw[2])
		})
		cluster := slices.IndexFunc(q.clusters, func(c string) bool { return c == string(raw[3]) })
		if kind < 0 || cluster < 0 {
			giveUp()
			return nil, errStray
		}
		if size += len(raw[4]); size > maxAnswer {
			giveUp()
			return nil, errTooLarge
		}
		out = append(out, sql.Row{GVR: q.gvrs[kind], Cluster: q.clusters[cluster], Raw: unspaced(raw[4])})
	}
	return out, rows.Err()
}

// unspaced is a copy of a JSON text as PostgreSQL writes it, without the blanks that it puts between values: some of it is
// shown as it is.
func unspaced(raw []byte) []byte {
	out := make([]byte, 0, len(raw))
	from := 0 // what follows is not copied yet
	for i := 0; i < len(raw); i++ {
		switch raw[i] {
		case ' ':
			out = append(out, raw[from:i]...)
			from = i + 1
		case '"':
			i = endOfString(raw, i)
		}
	}
	return append(out, raw[from:]...)
}

// endOfString is where the string that begins at a place ends: at its closing quote, or with the text.
func endOfString(raw []byte, begin int) int {
	for at := begin + 1; ; {
		n := bytes.IndexByte(raw[at:], '"')
		if n < 0 {
			return len(raw)
		}
		quote := at + n
		escapes := 0
		for quote-escapes-1 > begin && raw[quote-escapes-1] == '\\' {
			escapes++
		}
		if escapes%2 == 0 {
			return quote
		}
		at = quote + 1
	}
}

// Codes and classes of PostgreSQL's errors.
const (
	codeCanceled = "57014" // by statement_timeout
	codeBusy     = "53300" // too many connections
)

// outages are the classes of errors that say that the database cannot answer now: of the connection, of resources, of an
// administrator, of the system.
var outages = []string{"08", "53", "57", "58"}

// failureOf is an error of the database, in the terms in which errors are judged: silence, or a status.
func failureOf(err error) error {
	var refused *pgconn.PgError
	switch {
	case err == nil, errors.Is(err, errTooLarge), errors.Is(err, errStray), errors.Is(err, errBusy):
		return err
	case !errors.As(err, &refused):
		return fmt.Errorf("asking the read store's database: %w", &silence{err})
	case refused.Code == codeCanceled:
		return fmt.Errorf("asking the read store's database: %w", &silence{fmt.Errorf("%w: %w", context.DeadlineExceeded, err)})
	}
	status := http.StatusInternalServerError
	switch {
	case refused.Code == codeBusy:
		status = http.StatusTooManyRequests
	case len(refused.Code) > 2 && slices.Contains(outages, refused.Code[:2]):
		status = http.StatusServiceUnavailable
	}
	return &statusError{code: status, message: refused.Error()}
}

// Check looks whether the database is Clusterpedia's, in the form that statements are written for, and whether the role may
// only read it. It fails with ErrUnsuitable where that is not so, and otherwise when the database does not answer.
func (d *Database) Check(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, d.guard.timeout)
	defer cancel()
	conn, err := d.pool.Acquire(ctx)
	if err != nil {
		if refused := (*pgconn.PgError)(nil); errors.As(err, &refused) && (strings.HasPrefix(refused.Code, "28") || strings.HasPrefix(refused.Code, "3D")) {
			return fmt.Errorf("%w: PostgreSQL refuses the connection: %s; `kairship store grant` makes a role", ErrUnsuitable, refused.Message)
		}
		return failureOf(err)
	}
	defer conn.Release()
	return suitable(ctx, conn)
}

// LogTo logs once what is read directly.
func (d *Database) LogTo(log *slog.Logger) {
	c := d.pool.Config().ConnConfig
	log.Info("The read store's database is to be read directly", "host", c.Host, "database", c.Database, "role", c.User)
}
