package database

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/audit"
)

// auditSelections looks at the newest writes of policies of some namespaces of an instance: those are an index of their own. A selector
// without a namespace or a name fits any.
const auditSelections = `SELECT e.api_group, e.version, e.kind, e.namespace, e.name, e.selects FROM unnest($2::text[]) AS strip(namespace)
	CROSS JOIN LATERAL (SELECT * FROM kairship.audit_events e
		WHERE e.instance = $1::text AND e.namespace = strip.namespace AND e.selects IS NOT NULL AND e.at >= $3::timestamptz
		ORDER BY e.at DESC, e.id DESC LIMIT $4::int) e
	WHERE e.cluster = '' AND (e.selects = '[]' OR EXISTS (SELECT FROM jsonb_array_elements(e.selects) s
		WHERE s->>'APIVersion' = $5::text AND s->>'Kind' = $6::text
			AND coalesce(s->>'Namespace', $7::text) = $7::text AND coalesce(s->>'Name', $8::text) = $8::text))
	GROUP BY e.api_group, e.version, e.kind, e.namespace, e.name, e.selects
	ORDER BY max(e.at) DESC, e.kind, e.namespace, e.name LIMIT $9::int`

// AuditSelections returns what policies selected of an object when they were written, the latest first.
func (l *DB) AuditSelections(ctx context.Context, q audit.SelectionQuery) ([]audit.Selection, error) {
	if len(q.Namespaces) == 0 || q.Limit < 1 {
		return nil, nil
	}
	ctx, cancel := context.WithTimeout(ctx, shortTimeout)
	defer cancel()
	since := q.Since
	if since.IsZero() {
		since = time.Unix(0, 0)
	}
	o := q.Object
	rows, err := l.pool.Query(ctx, auditSelections, o.Instance, q.Namespaces, since, q.Scan, o.APIVersion(), o.GVK.Kind, o.Namespace, o.Name, q.Limit)
	if err != nil {
		return nil, failure("reading what policies selected", err)
	}
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (s audit.Selection, err error) {
		var selects []byte
		s.Policy.Instance = o.Instance
		err = row.Scan(&s.Policy.GVK.Group, &s.Policy.GVK.Version, &s.Policy.GVK.Kind, &s.Policy.Namespace, &s.Policy.Name, &selects)
		if err == nil {
			err = json.Unmarshal(selects, &s.Selects)
		}
		return s, err
	})
	return found, failure("reading what policies selected", err)
}
