package sql

import (
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// owners is the owners whose rows a group asks for; nil when it does not ask by owner.
func (g *Group) owners() ownedByObjects {
	for _, c := range g.Where {
		if owners, ok := c.(ownedByObjects); ok {
			return owners
		}
	}
	return nil
}

// Owns reports whether a row was returned only because rows belong to it: a group names it as their owner, or it is
// between the owner and them.
func (q *Query) Owns(v *View) bool {
	return slices.ContainsFunc(q.Groups, func(g Group) bool {
		owners := g.owners()
		return slices.Contains(owners, v.Key) || slices.Contains(betweens, v.GVR) && owners.match(v) == yes
	})
}

// InGroup reports whether a row is one that a group asked for, as far as the answer shows.
func (q *Query) InGroup(g *Group, v *View) bool {
	return g.GVR == v.GVR && g.Cluster == v.Cluster && v.Meets(q.Where) && v.Meets(g.Where)
}

// OwnersBeside reports whether the owners of rows are returned too. They are when other groups ask for rows of the same
// kind and cluster without an owner: the store does not say to which group such a row belongs.
func (q *Query) OwnersBeside() bool {
	type place struct {
		gvr     schema.GroupVersionResource
		cluster string
	}
	other := map[place]bool{}
	for _, g := range q.Groups {
		if g.owners() == nil {
			other[place{g.GVR, g.Cluster}] = true
		}
	}
	return slices.ContainsFunc(q.Groups, func(g Group) bool { return g.owners() != nil && other[place{g.GVR, g.Cluster}] })
}

// FirstRows is the statement for the first rows of each of the query's groups. The query's kinds and clusters are those
// of its groups.
func (q Query) FirstRows(d Dialect) (*Statement, error) {
	clusters, kinds, most := map[string]bool{}, map[schema.GroupVersionResource]bool{}, 0
	beside := q.OwnersBeside()
	for _, g := range q.Groups {
		clusters[g.Cluster], kinds[g.GVR] = true, true
		most += q.Limit
		if owners := g.owners(); owners != nil {
			most += q.Limit + len(owners)
		}
		for _, owner := range g.owners() {
			if beside {
				kinds[owner.GVR] = true
			}
			if gvr, ok := between[owner.GVR.GroupResource()]; ok {
				kinds[gvr] = true
			}
		}
	}
	q.Clusters, q.GVRs, q.After, q.Count = sortedKeys(clusters), sortedKinds(kinds), nil, false
	return q.groupsStatement(d).statement(&q, most)
}

// groupStrip is a group as passed to the statement.
type groupStrip struct {
	Group    string `json:"g"`
	Version  string `json:"v"`
	Resource string `json:"r"`
	Cluster  string `json:"c"`
	Values   []any  `json:"w"`
	// List is the group's, and Rank the place of its cluster among all, from 1; 0 where each group is a list.
	List int `json:"l,omitempty"`
	Rank int `json:"o,omitempty"`
}

// together reports whether groups are fewer lists than groups, and each of a list.
func together(strips []groupStrip) bool {
	lists := make(map[int]bool, len(strips))
	for i := range strips {
		lists[strips[i].List] = true
	}
	return !lists[0] && len(lists) < len(strips)
}

// groupsStatement selects the first rows of each group. Groups whose conditions differ only in values share one part of
// the statement. Rows that belong to owners are returned with the objects in between: a row has the uid of its direct
// owner only.
func (q *Query) groupsStatement(d Dialect) *builder {
	type shape struct {
		where, owners string
		// search says that an index of the pack finds the rows.
		search bool
	}
	shapes, order := map[shape][]groupStrip{}, []shape{}
	for _, g := range q.Groups {
		values := []any{}
		part := &builder{row: "s", cluster: "p.c", Dialect: d, group: &values}
		part.all(g.Where)
		of := shape{where: part.text.String(), search: d.Pack && searched(slices.Concat(g.Where, q.Where))}
		if owners := g.owners(); owners != nil {
			part.text.Reset()
			owners.tops(part)
			of.owners = part.text.String()
		}
		if part.err != nil {
			return part
		}
		if _, known := shapes[of]; !known {
			order = append(order, of)
		}
		strip := groupStrip{g.GVR.Group, g.GVR.Version, g.GVR.Resource, g.Cluster, values, 0, 0}
		if of.owners == "" && g.List != 0 {
			strip.List, strip.Rank = g.List, 1+slices.Index(q.Clusters, g.Cluster)
		}
		shapes[of] = append(shapes[of], strip)
	}
	s := &builder{row: "s", cluster: "p.c", Dialect: d}
	columns, owners := s.columns(q.Order), q.OwnersBeside()
	s.write("id = ANY(ARRAY(")
	for i, of := range order {
		if i > 0 {
			s.write(" UNION ALL ")
		}
		selected := "id, owner_uid"
		lists := together(shapes[of])
		if lists {
			// Rows at one place are of several kinds, or of a group that overlaps another one: none of them is cut off.
			place, named := acrossClusters(columns, q.byTime())
			selected = named
			s.write("SELECT id FROM (SELECT s.id, dense_rank() OVER (PARTITION BY p.l ORDER BY ", direction(place, q.Descending), ") AS place")
		} else {
			s.write("SELECT s.id")
		}
		s.write(" FROM (SELECT * FROM jsonb_to_recordset(")
		s.json(shapes[of])
		s.write(") AS p(g text, v text, r text, c text, w jsonb, l int, o int)")
		s.about(len(shapes[of]))
		s.write(") p CROSS JOIN LATERAL (")
		if of.owners != "" {
			s.write("WITH g AS MATERIALIZED (")
		}
		s.write("SELECT ", selected, " FROM resources s WHERE ")
		if of.search {
			// Expressions instead of the index's columns: the planner does not know the length of a partition, and
			// would read all of it beside the few rows that the conditions find.
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
			s.write("), tops AS MATERIALIZED (", of.owners, ") SELECT id FROM g UNION ALL SELECT i.id FROM tops",
				" CROSS JOIN LATERAL ", beneath, " WHERE i.uid IN (SELECT owner_uid FROM g)")
			if owners {
				s.write(" UNION ALL SELECT id FROM tops")
			}
		}
		s.write(") s")
		if lists {
			s.write(") s WHERE place <= ", strconv.Itoa(q.Limit))
		}
	}
	s.write("))")
	return s
}

// acrossClusters is the columns of an order over several clusters, whose ranks come with the groups, by the names that the
// second result gives to those of one cluster.
func acrossClusters(columns []string, byTime bool) (place []string, named string) {
	named = "id"
	for i, column := range columns {
		at := "k" + strconv.Itoa(i)
		named += ", " + column + " AS " + at
		place = append(place, "s."+at)
	}
	if byTime {
		return slices.Insert(place, 1, "p.o"), named
	}
	return slices.Insert(place, 0, "p.o"), named
}
