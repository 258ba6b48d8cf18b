package pedia

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/upstream/panics"
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
	}
	q.Clusters, q.After, q.Count = sortedKeys(clusters), nil, false
	q.GVRs = slices.SortedFunc(maps.Keys(kinds), func(a, b schema.GroupVersionResource) int { return strings.Compare(a.String(), b.String()) })
	traits := c.traits(ctx)
	if traits.sql() {
		lists, err := fetchGroups(ctx, c, &q, traits, decode)
		if !errors.Is(err, errGate) {
			return lists, err
		}
		c.doubtGate(ctx)
	}
	return scanGroups(ctx, c, q, traits, decode)
}

func fetchGroups[T any](ctx context.Context, c *Client, q *Query, traits Features, decode Decode[T]) ([]List[T], error) {
	s, err := q.groupsStatement(traits.dialect())
	if err != nil {
		return nil, err
	}
	req := newRequest(q.GVRs, q.Clusters, q.Limit*len(q.Groups), q.MetadataOnly)
	if err := s.put(req.values); err != nil {
		return nil, err
	}
	env, err := c.ask(ctx, q, req)
	if err != nil {
		return nil, err
	}
	lists := make([]List[T], len(q.Groups))
	kinds, unsure := env.kinds(), false
	for _, raw := range env.Items {
		v := &view{Row: Row{Raw: raw}}
		row, err := decodeRow(q, v, kinds, decode)
		if err != nil {
			return nil, storeError(q, err)
		}
		wanted := false
		for i := range q.Groups {
			if q.inGroup(&q.Groups[i], v) {
				if wanted { // each list has a row of its own: what is done with one is not seen in another
					if row, err = decodeRow(q, v, kinds, decode); err != nil {
						return nil, storeError(q, err)
					}
				}
				wanted = true
				lists[i].Rows = append(lists[i].Rows, row)
				lists[i].Positions = append(lists[i].Positions, Position{Key: v.key, At: v.at(q.Order)})
			}
		}
		switch {
		case wanted:
			unsure = unsure || q.ambiguous(v)
		case q.guessed(v):
			unsure = true
		default:
			return nil, errGate
		}
	}
	if unsure {
		return lists, fetchGuessed(ctx, c, q, traits, decode, lists)
	}
	for i := range lists {
		lists[i].cut(q)
	}
	return lists, nil
}

// guessed says that a row may be one of a group whose rows are told by the names of their owners, and has
// a name that tells nothing: an owner may be called anything.
func (q *Query) guessed(v *view) bool {
	return slices.ContainsFunc(q.Groups, func(g Group) bool {
		return g.GVR == v.GVR && g.Cluster == v.Cluster && g.byOwners()
	})
}

// ambiguous says that by the names of owners a row could be of more than one object: a Job called report-1
// may be one of the CronJob called report.
func (q *Query) ambiguous(v *view) bool {
	var top *Key
	for _, g := range q.Groups {
		for _, owner := range g.owners() {
			switch {
			case g.GVR != v.GVR || !ownerGuess(owner, v):
			case top == nil:
				top = &owner
			case *top != owner:
				return true
			}
		}
	}
	return false
}

func (g *Group) byOwners() bool { return len(g.owners()) > 0 }

// owners is the objects to which the rows of a group belong, where it asks for that.
func (g *Group) owners() []Key {
	for _, c := range g.Where {
		if owners, ok := c.(ownedByObjects); ok {
			return owners
		}
	}
	return nil
}

// fetchGuessed reads the groups again whose rows are told by names, each by itself: then the store alone says
// whose rows they are.
func fetchGuessed[T any](ctx context.Context, c *Client, q *Query, traits Features, decode Decode[T], lists []List[T]) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(scanParallel)
	for i := range lists {
		if !q.Groups[i].byOwners() {
			lists[i].cut(q)
			continue
		}
		g.Go(panics.Guard(func() error {
			alone := *q
			alone.Groups, alone.Clusters, alone.GVRs = nil, []string{q.Groups[i].Cluster}, []schema.GroupVersionResource{q.Groups[i].GVR}
			alone.Where = slices.Concat(q.Where, q.Groups[i].Where)
			list, err := fetchPage(ctx, c, &alone, traits, decode)
			if err == nil {
				lists[i] = *list
			}
			return err
		}))
	}
	return g.Wait()
}

// cut sorts the rows of a group and keeps the first of them: those beyond came for other groups.
func (l *List[T]) cut(q *Query) {
	sortRows(q, l)
	l.Full = len(l.Rows) >= q.Limit
	n := min(len(l.Rows), q.Limit)
	l.Rows, l.Positions = l.Rows[:n], l.Positions[:n]
}

// inGroup says whether a row is one that a group asked for. What the row does not tell, names tell.
func (q *Query) inGroup(g *Group, v *view) bool {
	if g.GVR != v.GVR || g.Cluster != v.Cluster {
		return false
	}
	for _, c := range slices.Concat(q.Where, g.Where) {
		if tops, ok := c.(ownedByObjects); ok {
			if !slices.ContainsFunc(tops, func(top Key) bool { return ownerGuess(top, v) }) {
				return false
			}
			continue
		}
		if c.match(v) == no {
			return false
		}
	}
	return true
}

// groupsStatement is the first rows of each group. Groups whose conditions differ only in values are one
// part of the statement.
func (q *Query) groupsStatement(d dialect) (*statement, error) {
	type strip struct {
		Group    string `json:"g"`
		Version  string `json:"v"`
		Resource string `json:"r"`
		Cluster  string `json:"c"`
		Values   []any  `json:"w"`
	}
	shapes, order, search := map[string][]strip{}, []string{}, map[string]bool{}
	for _, g := range q.Groups {
		values := []any{}
		shape := &statement{row: "s", cluster: "p.c", dialect: d, group: &values}
		shape.all(g.Where)
		if shape.err != nil {
			return nil, shape.err
		}
		text := shape.text.String()
		if _, known := shapes[text]; !known {
			order = append(order, text)
			search[text] = d.pack && searched(slices.Concat(g.Where, q.Where))
		}
		shapes[text] = append(shapes[text], strip{g.GVR.Group, g.GVR.Version, g.GVR.Resource, g.Cluster, values})
	}
	s := &statement{row: "s", cluster: "p.c", dialect: d}
	columns := s.columns(q.Order)
	s.write("id = ANY(ARRAY(")
	for i, shape := range order {
		if i > 0 {
			s.write(" UNION ALL ")
		}
		s.write("SELECT s.id FROM (SELECT * FROM jsonb_to_recordset(")
		s.json(shapes[shape])
		s.write(") AS p(g text, v text, r text, c text, w jsonb)")
		s.about(len(shapes[shape]))
		s.write(") p CROSS JOIN LATERAL (SELECT id FROM resources s WHERE ")
		if search[shape] {
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
		s.write(shape)
		s.all(q.Where)
		s.write(" ORDER BY ", direction(columns, q.Descending))
		s.limit(q.Limit)
		s.write(") s")
	}
	s.write("))")
	return s, s.err
}
