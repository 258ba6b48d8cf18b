package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
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
	// wide makes the rows of a second instance, of more clusters; nil for none.
	wide *generator
	// more makes the rows of further instances, a tenth as many each.
	more []*generator
	// dashboards are those who read from Karmada's API servers; nil for none.
	dashboards *dashboards
	// able is what Kairship reported as its features before.
	able    map[string]bool
	results []result
	// names are those of the contenders.
	names []string
	// yardstick is an answer that is decoded again in each round, and yards how long that took, by size: the same work every
	// time, for minutes pass between the sizes, in which a shared machine may become slower.
	yardstick json.RawMessage
	yards     map[int][]time.Duration
	// unanswered are the errors of questions without a right answer; the others are measured all the same.
	unanswered []error
}

// result is what was measured of a question at a size.
type result struct {
	size     int
	question question
	waves    waves
	// took and processors are what each contender took, by its name: the times of all rounds, and the time of the
	// processors for one answer; the latter is 0 where it is not known.
	took       map[string][]time.Duration
	processors map[string]time.Duration
	// counted is what ours counted for one answer, and bytes how large that is; cold is how long the first one took.
	counted counters
	bytes   int
	cold    time.Duration
	// out are the contenders that have not answered it, with why.
	out map[string]error
}

// ask asks a contender, unless it has not answered before. It fails where ours does not answer.
func (r *result) ask(ctx context.Context, c *contender) (answered bool, err error) {
	if _, out := r.out[c.name]; out {
		return false, nil
	}
	failed := c.ask(ctx, r)
	if failed == nil {
		return true, nil
	}
	if c.name == ours || ctx.Err() != nil {
		return false, fmt.Errorf("%s, asked of %s: %w", r.question.name, c.name, failed)
	}
	r.out[c.name] = failed
	return false, nil
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
	l := &lab{fleet: f, o: o, generator: newGenerator(labInstance, labClusters, o)}
	if o.wide > 0 {
		l.wide = newGenerator(wideInstance, o.wide, o)
	}
	for i := range o.more {
		l.more = append(l.more, newGenerator(moreInstances+strconv.Itoa(i+1), moreClusters, o))
	}
	if l.conn, err = pgx.ConnectConfig(ctx, config); err != nil {
		return fmt.Errorf("connecting to the read store: %w", err)
	}
	// Removes what an interrupted run left, before Clusterpedia follows the instances and sees it.
	if err := unload(ctx, l.conn, l.instances()...); err != nil {
		return errors.Join(err, l.conn.Close(ctx))
	}
	var attached []*labFleet
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleaning)
		defer cancel()
		err = errors.Join(err, l.clean(ctx, config))
		for _, a := range attached {
			err = errors.Join(err, a.detach(ctx))
		}
	}()
	for i, g := range l.generators() {
		a, err := attachLab(ctx, f, g.instance, i, len(g.members))
		if err != nil {
			return err
		}
		attached = append(attached, a)
	}
	if o.dashboards {
		if l.dashboards, err = startDashboards(ctx, f, o); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, l.dashboards.stop()) }()
	}
	if l.able, err = l.features(ctx); err != nil {
		return err
	}
	loaded := 0
	for _, size := range o.sizes {
		if err := l.fill(ctx, config, loaded, size); err != nil {
			return err
		}
		loaded = size
		if err := l.measure(ctx, config, size); err != nil {
			return err
		}
	}
	failed := l.report()
	if o.soak > 0 && ctx.Err() == nil {
		failed = errors.Join(failed, l.measureUsers(ctx, config))
	}
	return failed
}

// generators are those of all instances of the lab.
func (l *lab) generators() []*generator {
	all := []*generator{l.generator}
	if l.wide != nil {
		all = append(all, l.wide)
	}
	return append(all, l.more...)
}

// instances are the names of the lab's instances, and of those that another run of it has.
func (l *lab) instances() []string {
	out := []string{wideInstance}
	for _, g := range l.generators() {
		out = append(out, g.instance)
	}
	return out
}

// clean removes the rows over a new connection: an interruption may have broken the former one.
func (l *lab) clean(ctx context.Context, config *pgx.ConnConfig) error {
	_ = l.conn.Close(ctx) // a new one follows
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return fmt.Errorf("connecting to the read store to clean up: %w", err)
	}
	if err := unload(ctx, conn, l.instances()...); err != nil {
		return errors.Join(err, conn.Close(ctx))
	}
	if err := postgres.Optimize(ctx, config, postgres.Options{}); err != nil { // an interruption may have come before
		return errors.Join(err, conn.Close(ctx))
	}
	if l.o.sizes[len(l.o.sizes)-1] <= bulk {
		return conn.Close(ctx) // the space of few rows is used again
	}
	// Frees the disk space. Few rows stay.
	_, err = conn.Exec(ctx, "VACUUM (FULL, ANALYZE) resources")
	if err != nil {
		err = fmt.Errorf("shrinking the read store: %w", err)
	}
	return errors.Join(err, conn.Close(ctx))
}

// measure asks every question of every contender, in turns.
func (l *lab) measure(ctx context.Context, config *pgx.ConnConfig, size int) (err error) {
	all, recorder, stop, err := l.contenders(ctx, config)
	defer func() { err = errors.Join(err, stop()) }()
	if err != nil {
		return err
	}
	detailed, err := detailedOf(ctx, l.fleet, l.o.address)
	if err != nil {
		return err
	}
	list := slices.DeleteFunc(questions(l.o.states, detailed, l.o.instance), func(q question) bool {
		return len(l.o.only) > 0 && !slices.Contains(l.o.only, q.name) || q.once && len(l.results) > 0 || q.variables["instance"] == wideInstance && l.wide == nil || q.query == allQuestion && len(l.more) == 0 ||
			q.variables["instance"] == l.o.instance && l.dashboards == nil // which seeds it
	})
	first := len(l.results)
	for i := range list {
		q := &list[i]
		if q.middle {
			cursor, last, err := middleOf(ctx, l.fleet, l.o.address, size)
			if err != nil {
				return err
			}
			q.variables["after"], q.from = *cursor, last
		}
		needed, err := recorder.record(ctx, func(ctx context.Context, address string) error { return q.ask(ctx, l.fleet, address, size) })
		if err != nil {
			l.unanswered = append(l.unanswered, fmt.Errorf("with %d workloads: %w", size, err))
			continue
		}
		var data json.RawMessage
		if err := l.query(ctx, l.o.address, q.query, q.variables, &data); err != nil {
			return err
		}
		if l.yardstick == nil {
			l.yardstick, l.yards = data, map[int][]time.Duration{}
		}
		l.results = append(l.results, result{bytes: len(data), size: size, question: *q, waves: needed, took: map[string][]time.Duration{}, processors: map[string]time.Duration{}, out: map[string]error{}})
	}
	const warmUp = 3
	rounds := max(l.o.rounds/10, 1)
	pids := make([][]int, len(all))
	for k, c := range all {
		pids[k] = c.pids()
	}
	for round := range rounds + warmUp {
		l.measureMachine(size)
		for i := first; i < len(l.results); i++ {
			for k, c := range all {
				if c.slow && (round < warmUp || round >= warmUp+slowRounds) {
					continue
				}
				r := &l.results[i]
				if r.known(c.name) {
					continue
				}
				before, start := processorTime(pids[k]), time.Now()
				answered, err := r.ask(ctx, &c)
				took := time.Since(start)
				if err != nil {
					return err
				}
				if answered && round >= warmUp {
					r.took[c.name] = append(r.took[c.name], took)
					r.processors[c.name] += processorTime(pids[k]) - before
				}
				if round == 0 && c.name == ours {
					r.cold = took
				}
			}
		}
	}
	for i := first; i < len(l.results); i++ {
		r := &l.results[i]
		for _, c := range all {
			if n := len(r.took[c.name]); n > 0 {
				r.processors[c.name] /= time.Duration(n)
			}
			if c.name == ours {
				if err := r.count(ctx, &c); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// measureMachine does what takes the machine as long at every size.
func (l *lab) measureMachine(size int) {
	start := time.Now()
	for range 5 {
		var answer any
		_ = json.Unmarshal(l.yardstick, &answer) // it was JSON
	}
	l.yards[size] = append(l.yards[size], time.Since(start))
}

// slower is how many times as long the machine takes at the last size for what it did at the first.
func (l *lab) slower() float64 {
	return ratio(l.yards[l.o.sizes[len(l.o.sizes)-1]], l.yards[l.o.sizes[0]])
}

// slowRounds is how often those are asked that take seconds, and whoever else but ours takes longer than slowAnswer: what is that far apart
// is known after a few rounds.
const (
	slowRounds = 5
	slowAnswer = 200 * time.Millisecond
)

// known says that a contender need not be asked again.
func (r *result) known(contender string) bool {
	took := r.took[contender]
	return contender != ours && len(took) >= slowRounds && quantile(took, .5) > slowAnswer
}

// count notes what ours counts for one answer: over a few, since the first of them may find something else in its caches.
func (r *result) count(ctx context.Context, c *contender) error {
	const answers = 5
	before, err := c.counted(ctx)
	if err != nil {
		return err
	}
	for range answers {
		if _, err := r.ask(ctx, c); err != nil {
			return err
		}
	}
	after, err := c.counted(ctx)
	if err != nil {
		return err
	}
	r.counted = after.since(before, answers)
	return nil
}

// report prints what was measured, and returns what exceeds its limit as an error.
func (l *lab) report() error {
	failed := l.unanswered
	for name, reason := range excepted {
		fmt.Printf("excepted from the limits: %s: %s\n", name, reason)
	}
	byName := map[string]time.Duration{}
	for i, r := range l.results {
		if i == 0 || l.results[i-1].size != r.size {
			l.heading(r.size, len(r.took[ours]))
		}
		l.row(&r)
		_, exception := excepted[r.question.name]
		for _, limit := range []struct {
			of   string
			most float64
		}{{rawRequests, l.o.labLimit}, {postgreSQL, l.o.leanLimit}} {
			if by := ratio(r.took[ours], r.took[limit.of]); !exception && by > limit.most {
				failed = append(failed, fmt.Errorf("%s with %d workloads takes %.2f times %s; the limit is %.1f", r.question.name, r.size, by, limit.of, limit.most))
			}
		}
		if r.size == l.o.sizes[0] {
			byName[r.question.name] = quantile(r.took[ours], .5)
		}
	}
	failed = append(failed, l.dashboardsRatios(), l.widthGrowth(), l.model())
	slower := l.slower()
	fmt.Printf("\ngrowth of the p50 from %d to %d workloads, divided by that of the machine's own time for the same work: %.2f\n\n", l.o.sizes[0], l.o.sizes[len(l.o.sizes)-1], slower)
	for _, r := range l.results {
		if r.size != l.o.sizes[len(l.o.sizes)-1] {
			continue
		}
		before, asked := byName[r.question.name]
		if !asked {
			continue
		}
		grown := float64(quantile(r.took[ours], .5)) / float64(before) / slower
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

// dashboardsRatios compares with those who read from Karmada's API servers.
func (l *lab) dashboardsRatios() error {
	var failed []error
	for _, r := range l.results {
		for name, least := range map[string]float64{fullLists: l.o.fullListsLeast, perWorkload: l.o.perWorkloadLeast} {
			// Full lists of few workloads are short.
			if by := ratio(r.took[name], r.took[ours]); by > 0 && by < least && (name == perWorkload || r.size == mostListed) {
				failed = append(failed, fmt.Errorf("%s with %d workloads: %s take %.1f times as long; at least %.0f are expected", r.question.name, r.size, name, by, least))
			}
		}
	}
	return errors.Join(failed...)
}

// widthGrowth compares the page of many clusters with that of few.
func (l *lab) widthGrowth() error {
	var few, many time.Duration
	for _, r := range l.results {
		switch {
		case r.size != l.o.sizes[0]:
		case r.question.name == "first page":
			few = quantile(r.took[ours], .5)
		case r.question.variables["instance"] == wideInstance:
			many = quantile(r.took[ours], .5)
		}
	}
	if few == 0 || many == 0 {
		return nil
	}
	grown := float64(many) / float64(few)
	fmt.Printf("\ngrowth of the p50 of the first page from %d to %d clusters, of which each workload is in %d: %.2f (limit %.1f)\n", labClusters, len(l.wide.members), labTargets, grown, l.o.growth)
	if grown > l.o.growth {
		return fmt.Errorf("the first page grows %.2f times from %d to %d clusters; the limit is %.1f", grown, labClusters, len(l.wide.members), l.o.growth)
	}
	return nil
}

// heading begins the table of a size.
func (l *lab) heading(size, rounds int) {
	fmt.Printf("\nread store with %d workloads, %d rounds interleaved: times of Kairship, beside what else answers the same; processors for one answer\n\n", size, rounds)
	fmt.Printf("%-18s %9s %9s %9s %9s %7s %8s %8s %6s", "", "p50", "p95", "p99", "first", "kB", "allocs", "alloc kB", "calls")
	for _, c := range l.names {
		if c != ours {
			fmt.Printf(" %14s", "÷ "+c)
		}
	}
	for _, c := range l.names {
		if c != rawRequests {
			fmt.Printf(" %14s", "cpu "+c)
		}
	}
	fmt.Println("  raw requests")
}

func (l *lab) row(r *result) {
	took := r.took[ours]
	fmt.Printf("%-18s %9s %9s %9s %9s %7.1f %8.0f %8.0f %6.1f", r.question.name, round(quantile(took, .5)), round(quantile(took, .95)), round(quantile(took, .99)),
		round(r.cold), float64(r.bytes)/1e3, r.counted.allocations, r.counted.allocated/1e3, r.counted.upstream)
	for _, c := range l.names {
		switch {
		case c == ours:
		case len(r.took[c]) == 0:
			fmt.Printf(" %14s", "–")
		default:
			fmt.Printf(" %14s", strconv.FormatFloat(ratio(took, r.took[c]), 'g', 2, 64))
		}
	}
	for _, c := range l.names {
		switch {
		case c == rawRequests:
		case r.processors[c] == 0:
			fmt.Printf(" %14s", "–")
		default:
			fmt.Printf(" %14s", round(r.processors[c]))
		}
	}
	fmt.Println("  " + r.waves.String())
	for _, c := range l.names {
		if err := r.out[c]; err != nil && !errors.Is(err, errNotAsked) {
			fmt.Printf("  not answered by %s: %v\n", c, err)
		}
	}
}
