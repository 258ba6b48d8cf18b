package sql

import (
	"slices"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Unhealthy holds for workload templates that may not be plainly running according to their own row (indexes.IsIdle) or
// their ResourceBinding (indexes.IsUnhealthy), and for all of some resources. Two indexes of the pack contain just
// these, so that few are found among very many without reading the rest. Without the pack it holds for all: checking
// each binding would take longer than a request may.
func Unhealthy(all ...string) Condition { return unhealthyCondition(all) }

type unhealthyCondition []string

// narrowed is the condition that lets a query name the few rows instead of testing each; false for none.
func narrowed(where []Condition) (unhealthyCondition, bool) {
	for _, c := range where {
		if a, ok := c.(unhealthyCondition); ok {
			return a, true
		}
	}
	return nil, false
}

// sql tests the current row, for use where other conditions already narrow the rows.
func (c unhealthyCondition) sql(s *builder) {
	if !s.Pack {
		s.write("true")
		return
	}
	Any(OfResource(c...), raw(indexes.IsIdle), Binding(raw(indexes.IsUnhealthy))).sql(s)
}

// few is the rows of the current partition that the two indexes name, each looked up in the unique index. It is no
// join: the planner does not know the length of a partition, and would read all of it, looking for each of its rows
// among the few. A binding is named after the template and its kind, which is the resource without its last letter.
func (c unhealthyCondition) few(s *builder) {
	s.write("(SELECT DISTINCT n, m FROM (SELECT b.namespace, left(b.name, -length(k.r)) FROM resources b WHERE ",
		indexes.IsUnhealthy, " AND cluster = c.c AND right(b.name, length(k.r)) = '-' || left(k.r, -1)",
		" UNION ALL SELECT i.namespace, i.name FROM resources i WHERE ", indexes.IsIdle, " AND cluster = c.c AND resource = k.r")
	for _, resource := range c {
		s.write(` UNION ALL SELECT j.namespace, j.name FROM resources j WHERE "group" = k.g AND version = k.v AND resource = k.r AND cluster = c.c AND k.r = `)
		s.value(resource)
	}
	s.write(`) w(n, m)) w CROSS JOIN LATERAL (SELECT * FROM resources WHERE "group" = k.g AND version = k.v AND resource = k.r AND `,
		at("c.c", "w.n", "w.m"), " LIMIT 1) s")
}

// match cannot decide: the row is not enough, and its binding is another row.
func (c unhealthyCondition) match(*View) truth { return unknown }

// UnhealthyAmong is the resources of which all rows are wanted, if one of the conditions is Unhealthy.
func UnhealthyAmong(where []Condition) (resources []string, ok bool) { return narrowed(where) }

// OfResource holds for rows of one of the resources, whatever their group.
func OfResource(resources ...string) Condition { return ofResource(resources) }

type ofResource []string

func (c ofResource) sql(s *builder) {
	s.write("resource")
	s.anyOf(c)
}

func (c ofResource) match(v *View) truth { return truthOf(slices.Contains(c, v.Key.GVR.Resource)) }

// raw is an expression of package indexes, as part of another condition's SQL.
type raw string

func (c raw) sql(s *builder) { s.write(string(c)) }

func (c raw) match(*View) truth { return unknown }
