package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
)

// cleaning is how long the lab may take to clean up, also after an interruption.
const cleaning = 5 * time.Minute

// lab is the read store lab: an instance whose workloads are in the read store only, so that there can be
// many of them.
type lab struct {
	*fleet
	o         *options
	conn      *pgx.Conn
	generator *generator
	// able is what Kairship reported as its features before.
	able    map[string]bool
	results []result
	// unanswered are the errors of questions without a right answer; the others are measured all the same.
	unanswered []error
}

// result is what was measured of a question at a size.
type result struct {
	size       int
	question   question
	waves      waves
	graph, raw []time.Duration
}

// measureStore fills the read store in steps, and asks the lab's questions after each.
func measureStore(ctx context.Context, f *fleet, o *options) (err error) {
	config, err := postgres.FromFile(filepath.Join(filepath.Dir(filepath.Dir(f.hostFile)), "config", "clusterpedia-storage.yaml"))
	if err != nil {
		return err
	}
	status, err := postgres.Read(ctx, config, false)
	if err != nil {
		return err
	}
	for _, i := range status.Indexes {
		if i.State != postgres.Ready && i.State != postgres.NotNeeded {
			return fmt.Errorf("the index %s is %s: run `kairship store optimize` first, as `playground up` does", i.Name, i.State)
		}
	}
	l := &lab{fleet: f, o: o, generator: &generator{instance: labInstance, start: time.Now(), unhealthyEvery: max(o.unhealthyEvery, 1)}}
	for i := range labClusters {
		l.generator.members = append(l.generator.members, memberName(i))
	}
	if l.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return fmt.Errorf("connecting to the read store: %w", err)
	}
	// Removes what an interrupted run left, before Clusterpedia follows the instance and sees it.
	if err := unload(ctx, l.conn, labInstance); err != nil {
		return errors.Join(err, l.conn.Close(ctx))
	}
	attached, err := attachLab(ctx, f)
	if err != nil {
		return errors.Join(err, l.conn.Close(ctx))
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		err = errors.Join(err, l.clean(ctx, config), attached.detach(ctx))
	}()
	if l.able, err = l.features(ctx); err != nil {
		return err
	}
	loaded := 0
	for _, size := range o.sizes {
		if err := l.fill(ctx, config, loaded, size); err != nil {
			return err
		}
		loaded = size
		if err := l.measure(ctx, size); err != nil {
			return err
		}
	}
	return l.report()
}

// clean removes the rows over a new connection: an interruption may have broken the former one.
func (l *lab) clean(ctx context.Context, config *pgx.ConnConfig) error {
	_ = l.conn.Close(ctx) // a new one follows
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connecting to the read store to clean up: %w", err)
	}
	if err := unload(ctx, conn, labInstance); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	if err := postgres.Optimize(ctx, config, postgres.Options{}); err != nil { // an interruption may have come before
		return errors.Join(err, conn.Close(ctx))
	}
	// Frees the disk space. Few rows stay.
	_, err = conn.Exec(ctx, "VACUUM (FULL, ANALYZE) resources")
	if err != nil {
		err = fmt.Errorf("shrinking the read store: %w", err)
	}
	return errors.Join(err, conn.Close(ctx))
}

// measure asks every question in turns, through GraphQL and as the raw requests that it needs.
func (l *lab) measure(ctx context.Context, size int) (err error) {
	// It reads at its start which indexes there are.
	recorder, err := startRecorder(ctx, l.fleet, l.o.kairship)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, recorder.stop()) }()
	list := slices.DeleteFunc(questions(l.o.states), func(q question) bool { return len(l.o.only) > 0 && !slices.Contains(l.o.only, q.name) })
	first := len(l.results)
	for i := range list {
		q := &list[i]
		if q.middle {
			cursor, err := middleOf(ctx, l.fleet, l.o.address, size)
			if err != nil {
				return err
			}
			q.variables["after"] = *cursor
		}
		needed, err := recorder.record(ctx, func(ctx context.Context, address string) error { return q.ask(ctx, l.fleet, address, size) })
		if err != nil {
			l.unanswered = append(l.unanswered, fmt.Errorf("with %d workloads: %w", size, err))
			continue
		}
		l.results = append(l.results, result{size: size, question: *q, waves: needed})
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	const warmUp = 5
	for round := range max(l.o.rounds/3, 1) + warmUp {
		for i := first; i < len(l.results); i++ {
			r := &l.results[i]
			start := time.Now()
			if err := r.question.ask(ctx, l.fleet, l.o.address, size); err != nil {
				return err
			}
			between := time.Now()
			if err := r.waves.replay(ctx, l.fleet); err != nil {
				return fmt.Errorf("%s, raw: %w", r.question.name, err)
			}
			if end := time.Now(); round >= warmUp {
				r.graph, r.raw = append(r.graph, between.Sub(start)), append(r.raw, end.Sub(between))
			}
		}
	}
	return nil
}

// report prints what was measured, and returns what exceeds its limit as an error.
func (l *lab) report() error {
	failed := l.unanswered
	for name, reason := range excepted {
		fmt.Printf("excepted from the limit of %.1f: %s: %s\n", l.o.labLimit, name, reason)
	}
	byName := map[string]time.Duration{}
	for i, r := range l.results {
		if i == 0 || l.results[i-1].size != r.size {
			fmt.Printf("\nread store with %d workloads, %d rounds interleaved\n\n", r.size, len(r.graph))
			fmt.Printf("%-18s %10s %10s %10s %10s %7s  %s\n", "", "p50", "p95", "raw p50", "raw p95", "ratio", "raw requests")
		}
		ratio := ratio(r.graph, r.raw)
		fmt.Printf("%-18s %10s %10s %10s %10s %7.2f  %s\n", r.question.name, round(quantile(r.graph, .5)), round(quantile(r.graph, .95)),
			round(quantile(r.raw, .5)), round(quantile(r.raw, .95)), ratio, r.waves)
		if _, ok := excepted[r.question.name]; !ok && ratio > l.o.labLimit {
			failed = append(failed, fmt.Errorf("%s with %d workloads takes %.2f times its raw requests; the limit is %.1f", r.question.name, r.size, ratio, l.o.labLimit))
		}
		if r.size == l.o.sizes[0] {
			byName[r.question.name] = quantile(r.graph, .5)
		}
	}
	fmt.Printf("\ngrowth of the p50 from %d to %d workloads\n\n", l.o.sizes[0], l.o.sizes[len(l.o.sizes)-1])
	for _, r := range l.results {
		if r.size != l.o.sizes[len(l.o.sizes)-1] {
			continue
		}
		before, asked := byName[r.question.name]
		if !asked {
			continue
		}
		grown := float64(quantile(r.graph, .5)) / float64(before)
		limit := ""
		if r.question.flat {
			limit = fmt.Sprintf("(limit %.1f)", l.o.growth)
			if grown > l.o.growth {
				failed = append(failed, fmt.Errorf("the %s grows %.2f times from %d to %d workloads; the limit is %.1f", r.question.name, grown, l.o.sizes[0], r.size, l.o.growth))
			}
		}
		fmt.Printf("%-18s %7.2f %s\n", r.question.name, grown, limit)
	}
	return errors.Join(failed...)
}
