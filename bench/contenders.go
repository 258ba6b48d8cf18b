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
)

// contender answers the lab's questions in its way.
type contender struct {
	name string
	ask  func(context.Context, *result) error
	// pids are the processes whose time is counted.
	pids func() []int
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
	direct := []string{
		fmt.Sprintf("--store-dsn=host=%s port=%d user=kairship_reader dbname=%s sslmode=disable", config.Host, config.Port, config.Database),
		"--store-password-file=" + filepath.Join(filepath.Dir(filepath.Dir(l.hostFile)), "config", "store-reader-password"),
	}
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
		all = append(all, contender{one.name,
			func(ctx context.Context, r *result) error { return r.question.ask(ctx, l.fleet, s.address, r.size) },
			func() []int { return append(named(one.beside), s.command.Process.Pid) }})
	}
	all = append(all,
		contender{postgreSQL, func(ctx context.Context, r *result) error { return bare.ask(ctx, &r.question) }, func() []int { return []int{backend} }},
		contender{rawRequests, func(ctx context.Context, r *result) error { return r.waves.replay(ctx, l.fleet) }, func() []int { return nil }})
	l.names = nil
	for _, c := range all {
		l.names = append(l.names, c.name)
	}
	return all, r, stop, nil
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
