package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes/postgres"
)

// columns are those of Clusterpedia's table that every row has.
var columns = []string{"group", "version", "resource", "kind", "cluster", "namespace", "name", "owner_uid", "uid",
	"resource_version", "object", "created_at", "synced_at"}

// bulk is how many workloads are copied with the index pack in place. It is dropped for more and made again afterwards,
// which halves the time.
const bulk = 20_000

// fill adds the workloads with the numbers [from, to) to the read store, and prints how long that took.
func (l *lab) fill(ctx context.Context, config *pgx.ConnConfig, from, to int) error {
	without := to-from > bulk
	if without {
		if err := postgres.Revert(ctx, config, postgres.Options{}); err != nil {
			return fmt.Errorf("removing the index pack for a while: %w", err)
		}
	}
	start := time.Now()
	rows, err := load(ctx, l.conn, l.generator, from, to)
	if err != nil {
		return err
	}
	for _, g := range l.generators()[1:] {
		if from > 0 {
			break // they stay as they are
		}
		n := to
		if g != l.wide {
			n = to / 10
		}
		others, err := load(ctx, l.conn, g, 0, n)
		if err != nil {
			return err
		}
		rows += others
	}
	if l.dashboards != nil {
		if err := l.dashboards.hold(l.generator, to); err != nil {
			return err
		}
	}
	loaded := time.Now()
	fmt.Printf("%d workloads in %d clusters are in the read store: %d rows more in %s", to, labClusters, rows, loaded.Sub(start).Round(time.Second/10))
	if without {
		if err := postgres.Optimize(ctx, config, postgres.Options{}); err != nil {
			return fmt.Errorf("making the index pack: %w", err)
		}
		fmt.Printf(" without the index pack, which was made in %s", time.Since(loaded).Round(time.Second/10))
	}
	fmt.Println()
	return l.knowsPack(ctx)
}

// knowsPack waits until Kairship reports its former features again.
func (l *lab) knowsPack(ctx context.Context) error {
	return until(ctx, "Kairship knows the index pack", func(ctx context.Context) (string, error) {
		features, err := l.features(ctx)
		if err != nil {
			return "", err
		}
		for name, enabled := range l.able {
			if enabled && !features[name] {
				return "it says that it has no " + name, nil
			}
		}
		return "", nil
	})
}

// features returns the features that Kairship reports.
func (l *lab) features(ctx context.Context) (map[string]bool, error) {
	var data struct {
		Server struct {
			Features []struct {
				Name    string
				Enabled bool
			}
		}
	}
	if err := l.query(ctx, l.o.address, featuresQuestion, nil, &data); err != nil {
		return nil, err
	}
	out := map[string]bool{}
	for _, f := range data.Server.Features {
		out[f.Name] = f.Enabled
	}
	return out, nil
}

// load copies workloads into the read store and updates the planner's statistics.
func load(ctx context.Context, conn *pgx.Conn, g *generator, from, to int) (rows int64, err error) {
	source := &source{g: g, next: from, end: to, now: time.Now()}
	if rows, err = conn.CopyFrom(ctx, pgx.Identifier{"resources"}, columns, source); err != nil {
		return rows, fmt.Errorf("loading workloads %d to %d: %w", from, to, err)
	}
	// As after a while of use: visible to all, and with statistics.
	if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) resources"); err != nil {
		return rows, fmt.Errorf("telling the planner: %w", err)
	}
	return rows, nil
}

// unload removes every row of instances and of their members.
func unload(ctx context.Context, conn *pgx.Conn, instances ...string) error {
	for _, instance := range instances {
		if _, err := conn.Exec(ctx, "DELETE FROM resources WHERE cluster = $1 OR starts_with(cluster, $1 || '.')", "kairship."+instance); err != nil {
			return fmt.Errorf("removing the rows of %s: %w", instance, err)
		}
	}
	if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) resources"); err != nil {
		return fmt.Errorf("telling the planner: %w", err)
	}
	return nil
}

// source feeds the rows to COPY, one workload at a time.
type source struct {
	g         *generator
	next, end int
	now       time.Time

	pending []row
	err     error
}

func (s *source) Next() bool {
	if len(s.pending) > 1 {
		s.pending = s.pending[1:]
		return true
	}
	s.pending = s.pending[:0]
	if s.next >= s.end {
		return false
	}
	s.err = s.g.workload(s.next, func(r row) error {
		s.pending = append(s.pending, r)
		return nil
	})
	s.next++
	return s.err == nil
}

func (s *source) Values() ([]any, error) {
	r := &s.pending[0]
	return []any{r.group, r.version, r.resource, r.kind, r.cluster, r.namespace, r.name, r.owner, r.uid, r.resourceVersion,
		r.object, r.created, s.now}, nil
}

func (s *source) Err() error { return s.err }
