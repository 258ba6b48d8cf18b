package main

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

// columns are those of Clusterpedia's table that every row has.
var columns = []string{"group", "version", "resource", "kind", "cluster", "namespace", "name", "owner_uid", "uid",
	"resource_version", "object", "created_at", "synced_at"}

// load copies the workloads with the numbers [from, to) into the read store and lets the planner know.
func load(ctx context.Context, conn *pgx.Conn, g *generator, from, to int) (rows int64, err error) {
	source := &source{g: g, next: from, end: to, now: time.Now()}
	if rows, err = conn.CopyFrom(ctx, pgx.Identifier{"resources"}, columns, source); err != nil {
		return rows, fmt.Errorf("loading workloads %d to %d: %w", from, to, err)
	}
	// As it is after a while: visible to all, and with statistics.
	if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) resources"); err != nil {
		return rows, fmt.Errorf("telling the planner: %w", err)
	}
	return rows, nil
}

// unload removes every row of the instance and of its members.
func unload(ctx context.Context, conn *pgx.Conn, instance string) error {
	if _, err := conn.Exec(ctx, "DELETE FROM resources WHERE cluster = $1 OR starts_with(cluster, $1 || '.')", "kairship."+instance); err != nil {
		return fmt.Errorf("removing the rows of %s: %w", instance, err)
	}
	if _, err := conn.Exec(ctx, "VACUUM (ANALYZE) resources"); err != nil {
		return fmt.Errorf("telling the planner: %w", err)
	}
	return nil
}

// source hands the rows to COPY, a workload's at a time.
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
