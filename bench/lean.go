package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// lean is PostgreSQL alone: the rows of a question by the leanest statements that there are for it, prepared and read to
// their ends, without anything being made of them. It is what the answer of any server would have to wait for.
type lean struct {
	conn *pgx.Conn
}

// labCluster is the lab's control plane in the read store.
const labCluster = "kairship." + labInstance

// leanKinds are the kinds of workloads, as a table k(g, r, kind).
const leanKinds = `(VALUES ('apps', 'deployments', 'Deployment'), ('apps', 'statefulsets', 'StatefulSet'), ('apps', 'daemonsets', 'DaemonSet'),
	('batch', 'jobs', 'Job'), ('batch', 'cronjobs', 'CronJob')) AS k(g, r, kind)`

// leanPage reads a page of workloads of all kinds, in the order of the graph; %s is the question's own condition, and %d how
// many rows it takes. Objects are read once the rows are chosen.
const leanPage = `SELECT namespace, name, kind, object::text FROM resources WHERE id = ANY(ARRAY(SELECT r.id
FROM ` + leanKinds + `
CROSS JOIN LATERAL (SELECT id, namespace, name FROM resources
	WHERE "group" = k.g AND version = 'v1' AND resource = k.r AND cluster = $1 AND (namespace, name) > ($2, $3)%s
	ORDER BY namespace, name LIMIT %[2]d) r
ORDER BY r.namespace, r.name, k.kind LIMIT %[2]d))`

// leanBindings reads the bindings of those workloads.
const leanBindings = `SELECT b.object::text FROM unnest($2::text[], $3::text[]) AS w(namespace, name)
CROSS JOIN LATERAL (SELECT object FROM resources WHERE "group" = 'work.karmada.io' AND version = 'v1alpha2' AND resource = 'resourcebindings'
	AND cluster = $1 AND namespace = w.namespace AND name = w.name LIMIT 1) b`

const leanCount = `SELECT sum(n) FROM ` + leanKinds + `
CROSS JOIN LATERAL (SELECT count(*) AS n FROM resources WHERE "group" = k.g AND version = 'v1' AND resource = k.r AND cluster = $1) c`

// read reads the rows of a statement to their end, and returns the first column of each.
func (l *lean) read(ctx context.Context, statement string, params ...any) (first []string, err error) {
	rows, err := l.conn.Query(ctx, statement, params...)
	if err != nil {
		return nil, fmt.Errorf("reading from PostgreSQL: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		first = append(first, string(rows.RawValues()[0]))
	}
	return first, rows.Err()
}

// all reads statements one after the other; each has to find something.
func (l *lean) all(ctx context.Context, params []any, statements ...string) error {
	for _, s := range statements {
		if found, err := l.read(ctx, s, params...); err != nil {
			return err
		} else if len(found) == 0 {
			return fmt.Errorf("PostgreSQL finds nothing by %s", s)
		}
	}
	return nil
}

// pageAlone reads a page of workloads that meet a condition, then their bindings.
func pageAlone(rows int, condition string) func(context.Context, *lean, *question) error {
	statement := fmt.Sprintf(leanPage, condition, rows+1)
	return func(ctx context.Context, l *lean, q *question) error {
		namespaces, names, err := l.page(ctx, statement, labCluster, q.from[0], q.from[1])
		if err != nil {
			return err
		}
		_, err = l.read(ctx, leanBindings, labCluster, namespaces, names)
		return err
	}
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

func countAlone(ctx context.Context, l *lean, _ *question) error {
	return l.all(ctx, []any{labCluster}, leanCount)
}

// detailAlone reads a workload, its binding and Works, its copies, and their ReplicaSets, pods and events.
func detailAlone(workload [2]string) func(context.Context, *lean, *question) error {
	namespace, name := workload[0], workload[1]
	return func(ctx context.Context, l *lean, _ *question) error {
		const deployment = `"group" = 'apps' AND version = 'v1' AND resource = 'deployments'`
		if err := l.all(ctx, []any{labCluster, namespace, name}, `SELECT object::text FROM resources WHERE `+deployment+` AND cluster = $1 AND namespace = $2 AND name = $3`); err != nil {
			return err
		}
		ids, err := l.read(ctx, `SELECT `+indexes.BindingID+`, object::text FROM resources WHERE "group" = 'work.karmada.io' AND version = 'v1alpha2' AND resource = 'resourcebindings'
			AND cluster = $1 AND namespace = $2 AND name = $3`, labCluster, namespace, name+"-deployment")
		if err != nil {
			return err
		}
		if err := l.all(ctx, []any{labCluster, ids}, `SELECT object::text FROM resources WHERE `+indexes.BindingID+` = ANY($2) AND resource = 'works' AND cluster = $1`); err != nil {
			return err
		}
		copies, err := l.read(ctx, `SELECT uid, object::text FROM resources WHERE `+deployment+` AND cluster = ANY($1) AND namespace = $2 AND name = $3`, labMembers(), namespace, name)
		if err != nil {
			return err
		}
		sets, err := l.read(ctx, `SELECT uid, object::text FROM resources WHERE `+indexes.HasOwner+` AND owner_uid = ANY($1) AND resource = 'replicasets'`, copies)
		if err != nil {
			return err
		}
		if err := l.all(ctx, []any{sets}, `SELECT object::text FROM resources WHERE `+indexes.HasOwner+` AND owner_uid = ANY($1) AND resource = 'pods'`); err != nil {
			return err
		}
		return l.all(ctx, []any{copies}, `SELECT object::text FROM resources WHERE `+indexes.IsEvent+` AND `+indexes.EventObject+` = ANY($1)`)
	}
}

// labMembers is the lab's members in the read store.
func labMembers() []string {
	out := make([]string, labClusters)
	for i := range out {
		out[i] = labCluster + "." + memberName(i)
	}
	return out
}

// policiesAlone reads a page of policies, then the first workloads of each.
func policiesAlone(ctx context.Context, l *lean, _ *question) error {
	ids, err := l.read(ctx, `SELECT `+indexes.PolicyID+`, object::text FROM resources WHERE "group" = 'policy.karmada.io' AND version = 'v1alpha1' AND resource = 'propagationpolicies'
		AND cluster = $1 ORDER BY namespace, name LIMIT 51`, labCluster)
	if err != nil {
		return err
	}
	return l.all(ctx, []any{labCluster, ids[:50]}, `SELECT object::text FROM resources WHERE id = ANY(ARRAY(
		SELECT id FROM (SELECT r.id, row_number() OVER (PARTITION BY p.id ORDER BY r.namespace, r.name) AS n FROM unnest($2::text[]) AS p(id) CROSS JOIN `+leanKinds+`
			CROSS JOIN LATERAL (SELECT id, namespace, name FROM resources WHERE `+indexes.PolicyID+` = p.id AND "group" = k.g AND version = 'v1' AND resource = k.r AND cluster = $1
				ORDER BY namespace, name LIMIT 6) r) r WHERE n <= 6))`)
}

// clusterAlone reads the first workloads, pods and events of a member.
func clusterAlone(ctx context.Context, l *lean, _ *question) error {
	member := labMembers()[0]
	if _, _, err := l.page(ctx, fmt.Sprintf(leanPage, "", 51), member, "", ""); err != nil {
		return err
	}
	return l.all(ctx, []any{member},
		`SELECT object::text FROM resources WHERE "group" = '' AND version = 'v1' AND resource = 'pods' AND cluster = $1 ORDER BY namespace, name LIMIT 21`,
		`SELECT object::text FROM resources WHERE `+indexes.IsEvent+` AND cluster = $1 ORDER BY `+indexes.EventSeen+` DESC, namespace DESC, name DESC LIMIT 21`)
}

// searchAlone reads the first objects with a part of a name, of the kinds that have such names and are searched.
func searchAlone(ctx context.Context, l *lean, _ *question) error {
	return l.all(ctx, []any{append(labMembers(), labCluster)}, `SELECT object::text FROM resources WHERE name LIKE '%`+wellKnownName+`%' AND cluster = ANY($1)
		AND resource IN ('deployments', 'statefulsets', 'daemonsets', 'jobs', 'cronjobs', 'replicasets', 'pods') ORDER BY cluster, namespace, name LIMIT 51`)
}
