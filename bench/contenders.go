package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/jackc/pgx/v5"
)

// The contenders of the read store lab, by their names in tables.
const (
	ours        = "Kairship"
	postgreSQL  = "PostgreSQL"
	rawRequests = "raw requests"
	byAPI       = "by API"
	before      = "before"
	fullLists   = "full lists"
	perWorkload = "per workload"
)

// contender answers the lab's questions in its way.
type contender struct {
	name string
	ask  func(context.Context, *result) error
	// pids are the processes whose time is counted.
	pids func() []int
	// slow says that an answer may take seconds: it is asked only a few times.
	slow bool
	// counted are the counters of its own /metrics; nil where there are none.
	counted func(ctx context.Context) (counters, error)
}

// contenders starts all of them, and the recorder that knows which raw requests a question takes. They are stopped by
// stop, also after an error.
func (l *lab) contenders(ctx context.Context, config *pgx.ConnConfig) (all []contender, r *recorder, stop func() error, err error) {
	var stops []func() error
	stop = func() error {
		var failed []error
		for _, s := range stops {
			failed = append(failed, s())
		}
		return errors.Join(failed...)
	}
	// It reads at its start which indexes there are.
	if r, err = startRecorder(ctx, l.fleet, l.o.kairship); err != nil {
		return nil, nil, stop, err
	}
	stops = append(stops, r.stop)
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return nil, nil, stop, fmt.Errorf("connecting to the read store: %w", err)
	}
	stops = append(stops, func() error { return conn.Close(context.WithoutCancel(ctx)) })
	bare := &lean{conn: conn}
	backend := int(conn.PgConn().PID())

	// Each Kairship is a process of its own with the same flags, so that none does anything else at the same time.
	direct := l.direct(config)
	for _, one := range []struct {
		name, binary string
		flags        []string
		// beside is the program of another process whose time is part of the answer's.
		beside string
	}{
		{ours, l.o.kairship, direct, ""},
		{byAPI, l.o.kairship, nil, "clusterpedia-apiserver"},
		{before, l.o.before, direct, ""},
	} {
		if one.binary == "" {
			continue
		}
		s, err := startServer(ctx, l.fleet, one.binary, l.storeFile, one.flags...)
		if err != nil {
			return nil, nil, stop, err
		}
		stops = append(stops, s.stop)
		all = append(all, contender{name: one.name, counted: s.counters,
			ask:  func(ctx context.Context, r *result) error { return r.question.ask(ctx, l.fleet, s.address, r.size) },
			pids: func() []int { return append(named(one.beside), s.command.Process.Pid) }})
	}
	all = append(all,
		contender{name: postgreSQL, pids: func() []int { return []int{backend} }, ask: func(ctx context.Context, r *result) error {
			if r.question.alone == nil {
				return errNotAsked
			}
			return r.question.alone(ctx, bare, &r.question)
		}},
		contender{name: rawRequests, pids: func() []int { return nil }, ask: func(ctx context.Context, r *result) error {
			if len(r.waves) == 0 {
				return errNotAsked
			}
			return r.waves.replay(ctx, l.fleet)
		}})
	if l.dashboards != nil {
		for _, way := range []struct {
			name string
			most int
			ask  func(context.Context) error
		}{{fullLists, mostListed, l.dashboards.fullLists}, {perWorkload, l.o.sizes[0], l.dashboards.perWorkload}} {
			// What they take of other processes is not counted.
			all = append(all, contender{name: way.name, slow: true, pids: func() []int { return nil }, ask: func(ctx context.Context, r *result) error {
				if !r.question.dashboards || r.size > way.most {
					return errNotAsked
				}
				return way.ask(ctx)
			}})
		}
	}
	l.names = nil
	for _, c := range all {
		l.names = append(l.names, c.name)
	}
	return all, r, stop, nil
}

// direct are the flags of a server that reads the store's database.
func (l *lab) direct(config *pgx.ConnConfig) []string {
	return []string{
		fmt.Sprintf("--store-dsn=host=%s port=%d user=kairship_reader dbname=%s sslmode=disable", config.Host, config.Port, config.Database),
		"--store-password-file=" + filepath.Join(filepath.Dir(filepath.Dir(l.hostFile)), "config", "store-reader-password"),
	}
}

// named are the processes whose program has a name; none for no name.
func named(program string) []int {
	var out []int
	for _, p := range processes() {
		if program != "" && filepath.Base(p.command[0]) == program {
			out = append(out, p.pid)
		}
	}
	return out
}
