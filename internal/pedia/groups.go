package pedia

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// FetchGroups reads the first rows of each of the query's groups, in the query's order, in one request.
// There is one list for each group, in their order. A row that several groups ask for is in each. The
// query's kinds and clusters are those of its groups.
func FetchGroups[T any](ctx context.Context, c *Client, q Query, decode Decode[T]) ([]List[T], error) {
	if len(q.Groups) == 0 {
		return nil, nil
	}
	if err := q.check(); err != nil {
		return nil, err
	}
	if q.Scope.All() {
		return fetchVisible(ctx, c, q, decode)
	}
	// Groups of which nothing may be seen have no rows, and are not asked for.
	asked, of := q.Groups, []int{}
	q.Groups = nil
	for i, g := range asked {
		if g.restrict(q.Scope) {
			q.Groups, of = append(q.Groups, g), append(of, i)
		}
	}
	lists := make([]List[T], len(asked))
	if len(of) == 0 {
		return lists, nil
	}
	found, err := fetchVisible(ctx, c, q, decode)
	if err != nil {
		return nil, err
	}
	for i := range found {
		lists[of[i]] = found[i]
	}
	return lists, nil
}

// fetchVisible reads groups of which each may be seen.
func fetchVisible[T any](ctx context.Context, c *Client, q Query, decode Decode[T]) ([]List[T], error) {
	clusters, kinds := map[string]bool{}, map[schema.GroupVersionResource]bool{}
	for _, g := range q.Groups {
		clusters[g.Cluster], kinds[g.GVR] = true, true
		for _, owner := range g.owners() {
			kinds[owner.GVR] = true
			if gvr, ok := between[owner.GVR.GroupResource()]; ok {
				kinds[gvr] = true
			}
		}
	}
	q.Clusters, q.After, q.Count = sortedKeys(clusters), nil, false
	q.GVRs = slices.SortedFunc(maps.Keys(kinds), func(a, b schema.GroupVersionResource) int { return strings.Compare(a.String(), b.String()) })
	return asked(ctx, c, func(traits Features, believe bool) ([]List[T], error) {
		return fetchGroups(ctx, c, &q, traits, believe, decode)
	})
}

func fetchGroups[T any](ctx context.Context, c *Client, q *Query, traits Features, believe bool, decode Decode[T]) ([]List[T], error) {
	s, err := q.groupsStatement(traits.dialect())
	if err != nil {
		return nil, err
	}
	most := 0
	for _, g := range q.Groups {
		most += q.Limit
		if owners := g.owners(); owners != nil {
			most += q.Limit + len(owners)
		}
	}
	req := newRequest(q.GVRs, q.Clusters, most, q.MetadataOnly)
	if err := s.put(req.values); err != nil {
		return nil, err
	}
	env, err := c.ask(ctx, q, req)
	if err != nil {
		return nil, err
	}
	came, err := viewsOf(q, env)
	if err != nil {
		return nil, storeError(q, err)
	}
	lists := make([]List[T], len(q.Groups))
	for _, v := range came {
		wanted := false
		for i := range q.Groups {
			if !q.inGroup(&q.Groups[i], v) {
				continue
			}
			wanted = true
			// Each list has a row of its own: what is done with one is not seen in another.
			row, _, err := decode(v.Row)
			if err != nil {
				return nil, storeError(q, fmt.Errorf("decoding a row: %w", err))
			}
			lists[i].Rows = append(lists[i].Rows, row)
			lists[i].Positions = append(lists[i].Positions, Position{Key: v.key, At: v.at(q.Order)})
		}
		switch {
		case wanted || q.owns(v):
		case believe:
			return nil, errStray
		default:
			return nil, errGate
		}
	}
	for i := range lists {
		lists[i].cut(q)
	}
	return lists, nil
}

// errStray is the error of an answer with a row that belongs to no group, of a store that takes conditions.
var errStray = &model.Error{Code: model.CodeInternal, Message: "the read store sent a row that was not asked for"}

// viewsOf is the rows of an answer, each with the others beside it.
func viewsOf(q *Query, env *envelope) ([]*view, error) {
	kinds, beside, out := env.kinds(), rows{}, make([]*view, len(env.Items))
	for i, raw := range env.Items {
		v := &view{Row: Row{Raw: raw}, beside: beside}
		if err := v.locate(q.GVRs, q.Clusters, kinds); err != nil {
			return nil, err
		}
		v.place()
		beside.add(v)
		out[i] = v
	}
	return out, nil
}

// owners is the objects to which the rows of a group belong, where it asks for that.
func (g *Group) owners() ownedByObjects {
	for _, c := range g.Where {
		if owners, ok := c.(ownedByObjects); ok {
			return owners
		}
	}
	return nil
}

// owns says that a row came along with rows that belong to it: it is what a group names as their owner, or stands between
// the owner and them.
func (q *Query) owns(v *view) bool {
	return slices.ContainsFunc(q.Groups, func(g Group) bool {
		owners := g.owners()
		return slices.Contains(owners, v.key) || slices.Contains(betweens, v.GVR) && owners.match(v) == yes
	})
}

// cut sorts the rows of a group and keeps the first of them: those beyond came for other groups.
func (l *List[T]) cut(q *Query) {
	sortRows(q, l)
	l.Full = len(l.Rows) >= q.Limit
	n := min(len(l.Rows), q.Limit)
	l.Rows, l.Positions = l.Rows[:n], l.Positions[:n]
}

// inGroup says whether a row is one that a group asked for, as far as what came tells.
func (q *Query) inGroup(g *Group, v *view) bool {
	return g.GVR == v.GVR && g.Cluster == v.Cluster && v.meets(q.Where) && v.meets(g.Where)
}

// groupsStatement is the first rows of each group. Groups whose conditions differ only in values are one
// part of the statement. Rows that belong to objects come with these, and with what stands between: a row tells the uid of
// its owner and no more.
func (q *Query) groupsStatement(d dialect) (*statement, error) {
	type strip struct {
		Group    string `json:"g"`
		Version  string `json:"v"`
		Resource string `json:"r"`
		Cluster  string `json:"c"`
		Values   []any  `json:"w"`
	}
	type shape struct {
		where, owners string
		// search says that an index of the pack finds the rows.
		search bool
	}
	shapes, order := map[shape][]strip{}, []shape{}
	for _, g := range q.Groups {
		values := []any{}
		part := &statement{row: "s", cluster: "p.c", dialect: d, group: &values}
		part.all(g.Where)
		of := shape{where: part.text.String(), search: d.pack && searched(slices.Concat(g.Where, q.Where))}
		if owners := g.owners(); owners != nil {
			part.text.Reset()
			owners.tops(part)
			of.owners = part.text.String()
		}
		if part.err != nil {
			return nil, part.err
		}
		if _, known := shapes[of]; !known {
			order = append(order, of)
		}
		shapes[of] = append(shapes[of], strip{g.GVR.Group, g.GVR.Version, g.GVR.Resource, g.Cluster, values})
	}
	s := &statement{row: "s", cluster: "p.c", dialect: d}
	columns := s.columns(q.Order)
	s.write("id = ANY(ARRAY(")
	for i, of := range order {
		if i > 0 {
			s.write(" UNION ALL ")
		}
		s.write("SELECT s.id FROM (SELECT * FROM jsonb_to_recordset(")
		s.json(shapes[of])
		s.write(") AS p(g text, v text, r text, c text, w jsonb)")
		s.about(len(shapes[of]))
		s.write(") p CROSS JOIN LATERAL (")
		if of.owners != "" {
			s.write("WITH g AS MATERIALIZED (")
		}
		s.write("SELECT id, owner_uid FROM resources s WHERE ")
		if of.search {
			// Not the columns of an index: the planner knows nothing of the length of a partition, and would
			// read all of it beside the few rows that the conditions find.
			s.write(`"group" || '' = p.g AND version || '' = p.v AND resource || '' = p.r AND cluster || '' = p.c`)
		} else {
			s.write(`"group" = p.g AND version = p.v AND resource = p.r AND `)
			s.clusterIs("p.c")
		}
		if q.Order == ByLastSeen {
			s.write(" AND ", indexes.IsEvent)
		}
		s.write(of.where)
		s.all(q.Where)
		s.write(" ORDER BY ", direction(columns, q.Descending))
		s.limit(q.Limit)
		if of.owners != "" {
			s.write("), tops AS MATERIALIZED (", of.owners, ") SELECT id FROM g UNION ALL SELECT id FROM tops UNION ALL SELECT i.id FROM tops",
				" CROSS JOIN LATERAL ", beneath, " WHERE i.uid IN (SELECT owner_uid FROM g)")
		}
		s.write(") s")
	}
	s.write("))")
	return s, s.err
}
