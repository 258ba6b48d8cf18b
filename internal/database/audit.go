package database

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/model"
)

// pruneLock is the advisory lock for removing old audit events: "kairprun" in ASCII.
const pruneLock = int64(0x6b6169727072756e)

const auditColumns = `id, at, principal, groups, remote, user_agent, action, via, instance, cluster, api_group, version, kind,
	namespace, name, resource, subresource, dry_run, outcome, code, message, request_id, duration, changes, selects`

const appendAudit = `INSERT INTO kairship.audit_events (` + auditColumns + `)
	VALUES ($1::uuid, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23, $24, $25)
	ON CONFLICT (id) DO NOTHING`

// AppendAudit stores events, all or none of them; those with a known id stay unchanged. The error's Permanent()
// (errors.As) reports whether the same events would always be refused.
func (l *DB) AppendAudit(ctx context.Context, events []audit.Event) error {
	if len(events) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, appendTimeout)
	defer cancel()
	batch := &pgx.Batch{}
	for i := range events {
		e := &events[i]
		groups := e.Groups
		if groups == nil {
			groups = []string{}
		}
		batch.Queue(appendAudit, e.ID, e.At, e.Principal, groups, e.Remote, e.UserAgent, e.Action, string(e.Via),
			e.Object.Instance, e.Object.Cluster, e.Object.GVK.Group, e.Object.GVK.Version, e.Object.GVK.Kind,
			e.Object.Namespace, e.Object.Name, e.Resource, e.Subresource, e.DryRun, string(e.Outcome), e.Code, e.Message,
			e.RequestID, e.Duration.Microseconds(), listAsJSON(e.Changes, len(e.Changes) == 0), listAsJSON(e.Selects, e.Selects == nil))
	}
	// A batch is one transaction, and one round trip.
	return failure("storing audit events", l.pool.SendBatch(ctx, batch).Close())
}

// AuditPage returns the newest matching events of some partitions.
func (l *DB) AuditPage(ctx context.Context, q audit.Query) ([]audit.Event, error) {
	if len(q.Partitions) == 0 || q.Limit < 1 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	s := auditStatement(q)
	rows, err := l.pool.Query(ctx, s.text, s.args...)
	if err != nil {
		return nil, failure("reading audit events", err)
	}
	events, err := pgx.CollectRows(rows, scanAudit)
	return events, failure("reading audit events", err)
}

func scanAudit(row pgx.CollectableRow) (audit.Event, error) {
	var e audit.Event
	var gvk schema.GroupVersionKind
	var at time.Time
	var micros int64
	var changes, selects []byte
	err := row.Scan(&e.ID, &at, &e.Principal, &e.Groups, &e.Remote, &e.UserAgent, &e.Action, &e.Via,
		&e.Object.Instance, &e.Object.Cluster, &gvk.Group, &gvk.Version, &gvk.Kind, &e.Object.Namespace, &e.Object.Name,
		&e.Resource, &e.Subresource, &e.DryRun, &e.Outcome, &e.Code, &e.Message, &e.RequestID, &micros, &changes, &selects)
	e.At, e.Object.GVK, e.Duration = at.UTC(), gvk, time.Duration(micros)*time.Microsecond
	if err == nil && changes != nil {
		err = json.Unmarshal(changes, &e.Changes)
	}
	if err == nil && selects != nil {
		err = json.Unmarshal(selects, &e.Selects)
	}
	return e, err
}

// listAsJSON is a list of an event as the table has it; nil for none.
func listAsJSON(list any, none bool) any {
	if none {
		return nil
	}
	raw, err := json.Marshal(list)
	if err != nil {
		return nil // texts only: it cannot fail
	}
	return string(raw)
}

// statement is SQL with its parameters; no value is part of the text.
type statement struct {
	text string
	args []any
}

// arg adds a parameter and returns its placeholder.
func (s *statement) arg(value any) string {
	s.args = append(s.args, value)
	return fmt.Sprintf("$%d", len(s.args))
}

// auditStatement reads each partition in the order of an index, at most a page of each, and takes the newest of them
// all.
func auditStatement(q audit.Query) *statement {
	s := &statement{}
	where := auditConditions(s, q)
	limit := s.arg(q.Limit) + "::int"
	const order = " ORDER BY at DESC, id DESC LIMIT "
	newest := func(condition string) string {
		return "SELECT " + auditColumns + " FROM kairship.audit_events e WHERE " +
			strings.Join(append([]string{condition}, where...), " AND ") + order + limit
	}
	var instances, ofNamespaces, namespaces []string
	var objects []audit.Object
	for _, strip := range q.Partitions {
		switch {
		case strip.Instance == "":
			s.text = newest("true")
			return s
		case strip.Object.Name != "":
			objects = append(objects, strip.Object)
		case strip.Namespace == "":
			instances = append(instances, strip.Instance)
		default:
			ofNamespaces, namespaces = append(ofNamespaces, strip.Instance), append(namespaces, strip.Namespace)
		}
	}
	var parts []string
	if len(instances) > 0 {
		parts = append(parts, "SELECT found.* FROM unnest("+s.arg(instances)+"::text[]) AS strip(instance)"+
			" CROSS JOIN LATERAL ("+newest("e.instance = strip.instance")+") found")
	}
	if len(namespaces) > 0 {
		parts = append(parts, "SELECT found.* FROM unnest("+s.arg(ofNamespaces)+"::text[], "+s.arg(namespaces)+"::text[]) AS strip(instance, namespace)"+
			" CROSS JOIN LATERAL ("+newest("e.instance = strip.instance AND e.namespace = strip.namespace")+") found")
	}
	if len(objects) > 0 {
		parts = append(parts, "SELECT found.* FROM unnest("+objectArrays(s, objects)+") AS o(instance, cluster, api_group, kind, resource, namespace, name)"+
			" CROSS JOIN LATERAL ("+newest("e.instance = o.instance AND e.namespace = o.namespace AND e.name = o.name AND e.cluster = o.cluster"+
			" AND e.api_group = o.api_group AND (e.kind = o.kind OR e.kind = '' AND e.resource = o.resource)")+") found")
	}
	s.text = strings.Join(parts, " UNION ALL ") + order + limit
	return s
}

// objectArrays are objects as parameters, an array for each of their fields.
func objectArrays(s *statement, objects []audit.Object) string {
	columns := make([][]string, 7)
	for _, o := range objects {
		for i, value := range []string{o.Instance, o.Cluster, o.GVK.Group, o.GVK.Kind, o.Resource, o.Namespace, o.Name} {
			columns[i] = append(columns[i], value)
		}
	}
	places := make([]string, len(columns))
	for i, values := range columns {
		places[i] = s.arg(values) + "::text[]"
	}
	return strings.Join(places, ", ")
}

func auditConditions(s *statement, q audit.Query) []string {
	var where []string
	one := func(values []string, columns ...string) {
		if len(values) == 0 {
			return
		}
		place := s.arg(values) + "::text[]"
		alternatives := make([]string, len(columns))
		for i, c := range columns {
			alternatives[i] = "e." + c + " = ANY(" + place + ")"
		}
		where = append(where, "("+strings.Join(alternatives, " OR ")+")")
	}
	f := q.Filter
	outcomes := make([]string, len(f.Outcomes))
	for i, o := range f.Outcomes {
		outcomes[i] = string(o)
	}
	one(f.Principals, "principal")
	one(f.Instances, "instance")
	one(f.Namespaces, "namespace")
	one(f.Actions, "action")
	one(f.Kinds, "kind", "resource")
	one(outcomes, "outcome")
	if !f.Since.IsZero() {
		where = append(where, "e.at >= "+s.arg(f.Since))
	}
	if !f.Until.IsZero() {
		where = append(where, "e.at <= "+s.arg(f.Until))
	}
	if f.NameContains != "" {
		where = append(where, "strpos(e.name, "+s.arg(f.NameContains)+"::text) > 0")
	}
	if q.Before != nil {
		where = append(where, "(e.at, e.id) < ("+s.arg(q.Before.At)+"::timestamptz, "+s.arg(q.Before.ID)+"::uuid)")
	}
	return where
}

// NthAudit returns the position of the event that has n newer ones; nil when there is none. It reads n entries of an
// index.
func (l *DB) NthAudit(ctx context.Context, n int64) (*audit.Position, error) {
	ctx, cancel := context.WithTimeout(ctx, cleanTimeout)
	defer cancel()
	rows, err := l.pool.Query(ctx, "SELECT at, id FROM kairship.audit_events ORDER BY at DESC, id DESC OFFSET $1::bigint LIMIT 1", n)
	if err != nil {
		return nil, failure("counting audit events", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[audit.Position])
	if err != nil || len(found) == 0 {
		return nil, failure("counting audit events", err)
	}
	return &found[0], nil
}

// PruneAudit removes the oldest events, at most batch of them, none newer than last, and returns how many. It removes
// nothing while another replica prunes.
func (l *DB) PruneAudit(ctx context.Context, last audit.Position, batch int) (removed int64, err error) {
	if batch < 1 {
		return 0, model.BadInput("batch", "is %d; at least 1 is needed", batch)
	}
	ctx, cancel := context.WithTimeout(ctx, cleanTimeout)
	defer cancel()
	err = l.alone(ctx, pruneLock, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `DELETE FROM kairship.audit_events WHERE id = ANY(ARRAY(
			SELECT id FROM kairship.audit_events WHERE (at, id) <= ($1::timestamptz, $2::uuid) ORDER BY at, id LIMIT $3::int))`,
			last.At, last.ID, batch)
		removed = tag.RowsAffected()
		return err
	})
	if err != nil {
		return 0, failure("removing old audit events", err)
	}
	return removed, nil
}

// alone runs do in a transaction, unless another replica holds the lock.
func (l *DB) alone(ctx context.Context, lock int64, do func(pgx.Tx) error) error {
	return pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
		var got bool
		if err := tx.QueryRow(ctx, "SELECT pg_try_advisory_xact_lock($1)", lock).Scan(&got); err != nil || !got {
			return err
		}
		return do(tx)
	})
}
