package sql

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// The texts of a statement for a session of the database itself. Parameters are strings, numbered from $1.

// Columns of the rows that Select returns, in their order.
const columnsOfRows = `"group", version, resource, cluster, `

// metadataOnly is an object without everything but its metadata and its type.
const metadataOnly = `jsonb_build_object('apiVersion', object->'apiVersion', 'kind', object->'kind', 'metadata', object->'metadata')`

// Select is the text that returns the statement's rows: group, version, resource, cluster and the object as JSON.
func (s *Statement) Select() (text string, params []any, err error) {
	var b strings.Builder
	b.WriteString("SELECT " + columnsOfRows)
	if s.Query.MetadataOnly {
		b.WriteString(metadataOnly)
	} else {
		b.WriteString("object")
	}
	b.WriteString(" FROM " + indexes.Table + " WHERE ")
	if s.Keyed() {
		// The ids are of the query's kinds and clusters: named again, the planner would look for more than them. They are
		// few, and the reader sorts them.
		s.number(&b, &params)
	} else {
		place, err := s.Query.place(&params)
		if err != nil {
			return "", nil, err
		}
		b.WriteString(place + " AND ")
		s.number(&b, &params)
		if s.OrderBy != "" {
			b.WriteString(" ORDER BY " + s.OrderBy)
		}
	}
	b.WriteString(" LIMIT " + strconv.Itoa(s.Limit))
	return b.String(), params, nil
}

// Count is the text that returns the statement's total; only for statements that ask for it.
func (s *Statement) Count() (text string, params []any, err error) {
	var b strings.Builder
	if len(s.Query.GVRs) == 1 && len(s.Query.Clusters) == 1 || searched(s.Query.Where) {
		place, err := s.Query.place(&params)
		if err != nil {
			return "", nil, err
		}
		b.WriteString("SELECT count(*) FROM " + indexes.Table + " WHERE " + place + " AND ")
		s.Total.number(&b, &params)
		return b.String(), params, nil
	}
	places, err := s.Query.places()
	if err != nil {
		return "", nil, err
	}
	// Each partition by itself is counted in the unique index alone.
	b.WriteString("SELECT coalesce(sum(n), 0)::bigint FROM jsonb_to_recordset(" + value(&params, places) +
		"::jsonb) AS p(g text, v text, r text, c text) CROSS JOIN LATERAL (SELECT count(*) AS n FROM " + indexes.Table +
		` WHERE "group" = p.g AND version = p.v AND resource = p.r AND cluster = p.c AND `)
	s.Total.number(&b, &params)
	b.WriteString(") n")
	return b.String(), params, nil
}

// Estimate is the text that returns how PostgreSQL would read all rows of a query without conditions, as JSON. It names kinds
// and clusters as values, of which the planner has statistics.
func (q *Query) Estimate() (text string, params []any) {
	var b strings.Builder
	b.WriteString("EXPLAIN (FORMAT JSON)")
	for i, gvr := range q.GVRs {
		if i > 0 {
			b.WriteString(" UNION ALL")
		}
		b.WriteString(" SELECT 1 FROM " + indexes.Table + ` WHERE "group" = ` + value(&params, gvr.Group) + " AND version = " + value(&params, gvr.Version) +
			" AND resource = " + value(&params, gvr.Resource) + " AND cluster = ANY(" + value(&params, q.Clusters) + "::text[])")
	}
	return b.String(), params
}

// Estimated reads the number of rows from such an answer.
func Estimated(plan []byte) (int, error) {
	var plans []struct {
		Plan struct {
			Rows float64 `json:"Plan Rows"`
		}
	}
	if err := json.Unmarshal(plan, &plans); err != nil || len(plans) != 1 {
		return 0, fmt.Errorf("PostgreSQL explains a statement by %.100q", plan)
	}
	return int(plans[0].Plan.Rows), nil
}

// Holds is the text that returns 1 if a condition holds for some row of a kind, and else 0.
func Holds(gvr schema.GroupVersionResource, f Filter) (text string, params []any) {
	var b strings.Builder
	b.WriteString("SELECT count(*) FROM (SELECT 1 FROM " + indexes.Table + ` WHERE "group" = ` + value(&params, gvr.Group) + " AND version = " + value(&params, gvr.Version) +
		" AND resource = " + value(&params, gvr.Resource) + " AND ")
	f.number(&b, &params)
	b.WriteString(" LIMIT 1) one")
	return b.String(), params
}

// number writes the condition, with numbered parameters after those that there are.
func (f Filter) number(b *strings.Builder, params *[]any) {
	if f.Where == "" {
		b.WriteString("true")
		return
	}
	// The condition has no question marks but its placeholders: Clusterpedia takes each for one, too.
	parts := strings.Split(f.Where, "?")
	b.WriteString("(" + parts[0])
	for i, part := range parts[1:] {
		b.WriteString(value(params, f.Params[i]) + part)
	}
	b.WriteString(")")
}

// value adds a parameter, and returns its number.
func value(params *[]any, v any) string {
	*params = append(*params, v)
	return "$" + strconv.Itoa(len(*params))
}

// place is the condition on the kinds and clusters of a query.
func (q *Query) place(params *[]any) (string, error) {
	if len(q.GVRs) == 1 && len(q.Clusters) == 1 {
		gvr := q.GVRs[0]
		return `"group" = ` + value(params, gvr.Group) + " AND version = " + value(params, gvr.Version) +
			" AND resource = " + value(params, gvr.Resource) + " AND cluster = " + value(params, q.Clusters[0]), nil
	}
	places, err := q.places()
	return `("group", version, resource, cluster) IN (SELECT g, v, r, c FROM jsonb_to_recordset(` + value(params, places) +
		"::jsonb) AS p(g text, v text, r text, c text))", err
}

// place is a kind in a cluster, as passed to the statement.
type place struct {
	Group    string `json:"g"`
	Version  string `json:"v"`
	Resource string `json:"r"`
	Cluster  string `json:"c"`
}

// places is each of a query's kinds in each of its clusters, once, as JSON.
func (q *Query) places() (string, error) {
	known := map[place]bool{}
	all := make([]place, 0, len(q.GVRs)*len(q.Clusters))
	for _, gvr := range q.GVRs {
		for _, cluster := range q.Clusters {
			p := place{gvr.Group, gvr.Version, gvr.Resource, cluster}
			if !known[p] {
				known[p], all = true, append(all, p)
			}
		}
	}
	raw, err := json.Marshal(all)
	if err != nil {
		return "", fmt.Errorf("encoding the places of a query: %w", err)
	}
	return string(raw), nil
}
