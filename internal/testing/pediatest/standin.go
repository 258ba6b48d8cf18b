// Package pediatest is a stand-in for the read store, for tests of its readers.
package pediatest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// Standin answers a client as Clusterpedia does, without a database. It records the queries of its clients, so it need
// not understand SQL. The zero value has no rows.
type Standin struct {
	// Rows returns all rows of the query's kinds and clusters; other rows are ignored. Each row's annotations must name
	// its cluster.
	Rows func(q sql.Query) []Row

	asked sync.Map // by address
}

// Row is a row of a stand-in.
type Row struct {
	sql.Row
	// Kind is the kind in answers with rows of several kinds.
	Kind string
}

// Client is a client of a server that serves the stand-in's answers, behind other executors where there are some. It needs
// no probe.
func (s *Standin) Client(cfg *rest.Config, timeout time.Duration, before ...pedia.Executor) (*pedia.Client, error) {
	own, err := s.Executor(cfg, timeout)
	if err != nil {
		return nil, err
	}
	executors := slices.Concat(before, []pedia.Executor{own})
	c := pedia.NewClient(executors[0], executors[1:]...)
	c.Assume(pedia.Features{Gate: pedia.GateOpen, ByBytes: pedia.Yes, Pack: pedia.Yes})
	return c, nil
}

// Executor is an executor of a server that serves the stand-in's answers.
func (s *Standin) Executor(cfg *rest.Config, timeout time.Duration) (pedia.Executor, error) {
	api, err := pedia.NewAPI(cfg, timeout)
	if err != nil {
		return nil, err
	}
	return &heard{API: api, by: s}, nil
}

// heard is an executor that records queries in a stand-in.
type heard struct {
	*pedia.API
	by *Standin
}

// Run records the statement's query before it runs it.
func (h *heard) Run(ctx context.Context, s *sql.Statement) (*pedia.Answer, error) {
	addresses, err := h.Addresses(s)
	if err != nil {
		return nil, err
	}
	for _, address := range addresses {
		h.by.asked.Store(address, *s.Query)
	}
	return h.API.Run(ctx, s)
}

// Answer is the answer to a request of a client; an error for any other.
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
	rows := pick(&q, s.Rows(q))
	total := len(rows)
	rows = rows[:min(limit, total)]
	return encodeAnswer(q, rows, total-len(rows), counting)
}

// Asked is the query of a request; false for one that no client of the stand-in made.
func (s *Standin) Asked(r *http.Request) (sql.Query, bool) {
	known, _ := s.asked.Load(r.URL.RequestURI())
	q, ok := known.(sql.Query)
	return q, ok
}

// Positions is the positions of a query's rows, in its order; with Groups, those of each without those of earlier
// groups, and the rows' owners.
func (s *Standin) Positions(q sql.Query) []sql.Position {
	out := []sql.Position{}
	for _, p := range pick(&q, s.Rows(q)) {
		out = append(out, p.position)
	}
	return out
}

// picked is a row with its position.
type picked struct {
	Row
	position sql.Position
}

// pick is the rows of a query, in its order.
func pick(q *sql.Query, all []Row) []picked {
	out, taken := []picked{}, map[sql.Key]bool{}
	var beside *sql.Rows // all of them, made when a condition looks at other rows
	take := func(where []sql.Condition, most int, in func(Row) bool) {
		found := []picked{}
		for _, row := range all {
			if !in(row) { // by kind and cluster, before it is parsed
				continue
			}
			v := viewOf(row)
			if beside == nil && sql.LooksBeside(where) {
				beside = besideOf(all)
			}
			v.Beside = beside
			p := sql.Position{Key: v.Key, At: v.At(q.Order)}
			if q.Beyond(p) && v.Meets(where) && meetsUnhealthy(where, v, all) {
				found = append(found, picked{row, p})
			}
		}
		slices.SortStableFunc(found, func(a, b picked) int { return q.Compare(a.position, b.position) })
		for _, f := range found[:min(most, len(found))] {
			if !taken[f.position.Key] {
				taken[f.position.Key] = true
				out = append(out, f)
			}
		}
	}
	if len(q.Groups) == 0 {
		take(q.Where, len(all), func(r Row) bool { return slices.Contains(q.GVRs, r.GVR) && slices.Contains(q.Clusters, r.Cluster) })
	}
	for _, g := range q.Groups {
		take(slices.Concat(q.Where, g.Where), q.Limit, func(r Row) bool { return r.GVR == g.GVR && r.Cluster == g.Cluster })
	}
	// The owners of rows are returned with them.
	for _, row := range all {
		if beside == nil || len(q.Groups) == 0 {
			break
		}
		if !slices.Contains(q.GVRs, row.GVR) {
			continue
		}
		v := viewOf(row)
		v.Beside = beside
		if !taken[v.Key] && q.Owns(v) {
			out = append(out, picked{row, sql.Position{Key: v.Key}})
		}
	}
	return out
}

func viewOf(row Row) *sql.View {
	v := &sql.View{Row: row.Row}
	v.Place()
	return v
}

func besideOf(all []Row) *sql.Rows {
	out := &sql.Rows{Owners: true}
	for _, row := range all {
		v := viewOf(row)
		v.Beside = out
		out.Add(v)
	}
	return out
}

func encodeAnswer(q sql.Query, rows []picked, remaining int, counting bool) ([]byte, error) {
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
