package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"
)

// lean is PostgreSQL alone: the rows of a question by the leanest statements that there are for it, prepared and read to
// their ends, without anything being made of them. It is what the answer of any server would have to wait for.
type lean struct {
	conn *pgx.Conn
	// found is how many workloads and bindings the last page had.
	found [2]int
}

// leanPage reads a page of workloads of all kinds, in the order of the graph; %s is the question's own condition. Objects are
// read once the rows are chosen.
const leanPage = `SELECT namespace, name, kind, object::text FROM resources WHERE id = ANY(ARRAY(SELECT r.id
FROM (VALUES ('apps', 'deployments', 'Deployment'), ('apps', 'statefulsets', 'StatefulSet'), ('apps', 'daemonsets', 'DaemonSet'),
	('batch', 'jobs', 'Job'), ('batch', 'cronjobs', 'CronJob')) AS k(g, r, kind)
CROSS JOIN LATERAL (SELECT id, namespace, name FROM resources
	WHERE "group" = k.g AND version = 'v1' AND resource = k.r AND cluster = $1 AND (namespace, name) > ($2, $3)%s
	ORDER BY namespace, name LIMIT 51) r
ORDER BY r.namespace, r.name, k.kind LIMIT 51))`

// leanBindings reads the bindings of those workloads.
const leanBindings = `SELECT b.object::text FROM unnest($2::text[], $3::text[]) AS w(namespace, name)
CROSS JOIN LATERAL (SELECT object FROM resources WHERE "group" = 'work.karmada.io' AND version = 'v1alpha2' AND resource = 'resourcebindings'
	AND cluster = $1 AND namespace = w.namespace AND name = w.name LIMIT 1) b`

const leanCount = `SELECT sum(n) FROM (VALUES ('apps', 'deployments'), ('apps', 'statefulsets'), ('apps', 'daemonsets'), ('batch', 'jobs'), ('batch', 'cronjobs')) AS k(g, r)
CROSS JOIN LATERAL (SELECT count(*) AS n FROM resources WHERE "group" = k.g AND version = 'v1' AND resource = k.r AND cluster = $1) c`

// errNoLean is the error for a question that no plain statement answers.
var errNoLean = errors.New("there is no lean statement for it")

// ask reads what a question needs.
func (l *lean) ask(ctx context.Context, q *question) error {
	cluster := "kairship." + labInstance
	switch {
	case q.query == countQuestion:
		var n int
		return l.conn.QueryRow(ctx, leanCount, cluster).Scan(&n)
	case q.partial:
		return errNoLean
	}
	namespaces, names, err := l.page(ctx, fmt.Sprintf(leanPage, q.lean), cluster, q.from[0], q.from[1])
	if err != nil {
		return err
	}
	l.found[0] = len(names)
	rows, err := l.conn.Query(ctx, leanBindings, cluster, namespaces, names)
	if err != nil {
		return fmt.Errorf("reading bindings from PostgreSQL: %w", err)
	}
	l.found[1] = 0
	for rows.Next() {
		l.found[1] += min(len(rows.RawValues()), 1)
	}
	return rows.Err()
}

// page reads a page, and returns the namespaces and names of its bindings.
func (l *lean) page(ctx context.Context, statement string, params ...any) (namespaces, names []string, err error) {
	rows, err := l.conn.Query(ctx, statement, params...)
	if err != nil {
		return nil, nil, fmt.Errorf("reading workloads from PostgreSQL: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		raw := rows.RawValues()
		namespaces, names = append(namespaces, string(raw[0])), append(names, string(raw[1])+"-"+strings.ToLower(string(raw[2])))
	}
	return namespaces, names, rows.Err()
}
