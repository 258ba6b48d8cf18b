package pedia

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Standin answers a client as Clusterpedia does, without a database: tests of what reads are made of use
// it. It knows the queries that its clients make, so that it need not understand SQL. The zero value has
// no rows.
type Standin struct {
	// Rows are all rows of the kinds and clusters at hand; those of others are left out again. Each row's
	// annotations must name its cluster.
	Rows func(q Query) []StandinRow

	asked sync.Map // by address
}

// StandinRow is a row of a stand-in.
type StandinRow struct {
	Row
	// Kind is what rows of several kinds are told apart by.
	Kind string
}

// Serve lets the stand-in know what a client asks, and spares it the probe.
func (s *Standin) Serve(c *Client) {
	c.Assume(Features{Gate: GateOpen, ByBytes: Yes, Pack: Yes})
	c.heard = func(address string, q Query) { s.asked.Store(address, q) }
}

// Answer is the answer to a request of a client that is served; an error for any other.
func (s *Standin) Answer(r *http.Request) ([]byte, error) {
	q, ok := s.Asked(r)
	if !ok {
		return nil, fmt.Errorf("nobody asked for %s", r.URL)
	}
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil {
		return nil, fmt.Errorf("a request without limit: %s", r.URL)
	}
	counting := r.URL.Query().Get("withRemainingCount") == "true"
	if counting {
		q.After = nil
	}
	q.Limit = max(q.Limit, 1)
	rows := q.pick(s.Rows(q))
	total := len(rows)
	rows = rows[:min(limit, total)]
	return encodeAnswer(q, rows, total-len(rows), counting)
}

// Asked is the query of a request; false for one that no served client made.
func (s *Standin) Asked(r *http.Request) (Query, bool) {
	known, _ := s.asked.Load(r.URL.RequestURI())
	q, ok := known.(Query)
	return q, ok
}

// Positions is where the rows stand that a query has, in its order; with Groups, those of each as far as they are not
// those of one before.
func (s *Standin) Positions(q Query) []Position {
	out := []Position{}
	for _, p := range q.pick(s.Rows(q)) {
		out = append(out, p.position)
	}
	return out
}

// picked is a row with where it stands.
type picked struct {
	StandinRow
	position Position
}

// pick is the rows that a query has, in its order.
func (q *Query) pick(all []StandinRow) []picked {
	out, taken := []picked{}, map[Key]bool{}
	var beside rows // all of them, made when a condition looks at others
	take := func(where []Condition, most int, in func(*view) bool) {
		found := []picked{}
		for _, row := range all {
			v := &view{Row: row.Row}
			if !in(v) { // by its place, before it is parsed
				continue
			}
			v.place()
			p := Position{Key: v.key, At: v.at(q.Order)}
			if !q.beyond(p) || !v.meets(where) {
				continue
			}
			if slices.ContainsFunc(where, looksBeside) {
				if beside == nil {
					beside = besideOf(all)
				}
				v.beside = beside
			}
			if holds(where, v, all) {
				found = append(found, picked{row, p})
			}
		}
		slices.SortStableFunc(found, func(a, b picked) int { return q.compare(a.position, b.position) })
		for _, f := range found[:min(most, len(found))] {
			if !taken[f.position.Key] {
				taken[f.position.Key] = true
				out = append(out, f)
			}
		}
	}
	if len(q.Groups) == 0 {
		take(q.Where, len(all), func(v *view) bool { return slices.Contains(q.GVRs, v.GVR) && slices.Contains(q.Clusters, v.Cluster) })
	}
	for _, g := range q.Groups {
		take(slices.Concat(q.Where, g.Where), q.Limit, func(v *view) bool { return v.GVR == g.GVR && v.Cluster == g.Cluster })
	}
	// What rows belong to comes along with them.
	for _, row := range all {
		v := &view{Row: row.Row, beside: beside}
		if beside == nil || !slices.Contains(q.GVRs, v.GVR) {
			continue
		}
		if v.place(); !taken[v.key] && q.owns(v) {
			out = append(out, picked{row, Position{Key: v.key}})
		}
	}
	return out
}

// looksBeside says that a condition is about other rows than the one at hand.
func looksBeside(c Condition) bool {
	_, ok := c.(ownedByObjects)
	return ok
}

func besideOf(all []StandinRow) rows {
	out := rows{}
	for _, row := range all {
		v := &view{Row: row.Row, beside: out}
		v.place()
		out.add(v)
	}
	return out
}

// holds tries conditions on a row among all rows.
func holds(where []Condition, v *view, all []StandinRow) bool {
	for _, c := range where {
		unhealthy, ok := c.(unhealthyCondition)
		if ok && !amissAmong(unhealthy, v, all) || !ok && c.match(v) == no {
			return false
		}
	}
	return true
}

func encodeAnswer(q Query, rows []picked, remaining int, counting bool) ([]byte, error) {
	type meta struct {
		RemainingItemCount *int `json:"remainingItemCount,omitempty"`
	}
	var answer struct {
		Metadata           meta                `json:"metadata"`
		RemainingItemCount *int                `json:"remainingItemCount,omitempty"`
		ResourceTypes      []map[string]string `json:"resourceTypes,omitempty"`
		Items              []json.RawMessage   `json:"items"`
	}
	several := len(q.GVRs) > 1
	if counting && several {
		answer.RemainingItemCount = &remaining
	} else if counting {
		answer.Metadata.RemainingItemCount = &remaining
	}
	kinds := map[schema.GroupVersionResource]bool{}
	answer.Items = make([]json.RawMessage, 0, len(rows))
	for _, row := range rows {
		raw := row.Raw
		if several {
			gv := row.GVR.GroupVersion().String()
			raw = slices.Concat(fmt.Appendf(nil, `{"apiVersion":%q,"kind":%q,`, gv, row.Kind), bytes.TrimSpace(raw)[1:])
			if !kinds[row.GVR] {
				kinds[row.GVR] = true
				answer.ResourceTypes = append(answer.ResourceTypes, map[string]string{"group": row.GVR.Group, "version": row.GVR.Version, "resource": row.GVR.Resource, "kind": row.Kind})
			}
		}
		answer.Items = append(answer.Items, raw)
	}
	return json.Marshal(answer)
}
