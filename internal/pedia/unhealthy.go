package pedia

import (
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Unhealthy holds for workload templates that may not be plainly running as their own row (indexes.IsIdle) or
// their ResourceBinding (indexes.IsUnhealthy) says, and for all of some resources. Two indexes of the pack have
// just these, so that few are found among very many without looking at the rest. Without the pack it holds
// for all: looking at each binding would take longer than a request may.
func Unhealthy(all ...string) Condition { return unhealthyCondition(all) }

type unhealthyCondition []string

// narrowed is the condition of a query that names the few rows instead of trying each; false for none.
func narrowed(where []Condition) (unhealthyCondition, bool) {
	for _, c := range where {
		if a, ok := c.(unhealthyCondition); ok {
			return a, true
		}
	}
	return nil, false
}

// sql tries the row at hand, where others narrow already.
func (c unhealthyCondition) sql(s *statement) {
	if !s.pack {
		s.write("true")
		return
	}
	Any(OfResource(c...), raw(indexes.IsIdle), Binding(raw(indexes.IsUnhealthy))).sql(s)
}

// few is the rows of the partition at hand that the two indexes name, each looked up in the unique index. It is
// no join: the planner knows nothing of the length of a partition, and would go through all of it, looking
// for each of its rows among the few. A binding is named after the template and its kind, which is the
// resource without its last letter.
func (c unhealthyCondition) few(s *statement) {
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

// match knows of a row only what it says itself.
func (c unhealthyCondition) match(v *view) truth {
	return max(unknown, OfResource(c...).match(v), idle.match(v))
}

// OfResource holds for rows of one of the resources, whatever their group.
func OfResource(resources ...string) Condition { return ofResource(resources) }

type ofResource []string

func (c ofResource) sql(s *statement) {
	s.write("resource")
	s.anyOf(c)
}

func (c ofResource) match(v *view) truth { return truthOf(slices.Contains(c, v.key.GVR.Resource)) }

// raw is an expression of package store, as part of another condition's SQL.
type raw string

func (c raw) sql(s *statement) { s.write(string(c)) }

func (c raw) match(*view) truth { return unknown }

// has holds for rows with a field that is not null.
type has []string

func (c has) sql(s *statement) {
	s.write("(")
	field(s, c)
	s.write(") IS NOT NULL")
}

func (c has) match(v *view) truth { return truthOf(v.field(c) != nil) }

// idle and unhealthy say in Go what indexes.IsIdle and indexes.IsUnhealthy say.
var (
	idle = Any(
		All(Any(lacks("propagationpolicy.karmada.io/name"), lacks("propagationpolicy.karmada.io/namespace")), lacks("clusterpropagationpolicy.karmada.io/name")),
		Field([]string{"spec", "replicas"}, "0"), Field([]string{"spec", "paused"}, "true"), Field([]string{"spec", "suspend"}, "true"),
		has{"metadata", "deletionTimestamp"},
	)
	amiss = Any(
		FieldContains([]string{"status", "aggregatedStatus"}, []any{map[string]any{"health": "Unhealthy"}}),
		Not(isTrue("FullyApplied")), Not(isTrue("Scheduled")),
		Not(FieldContains([]string{"spec", "clusters"}, []any{map[string]any{}})),
		has{"spec", "suspension"}, has{"metadata", "deletionTimestamp"},
	)
)

func lacks(annotation string) Condition {
	path := []string{"metadata", "annotations", annotation}
	return Any(Not(has(path)), Field(path, ""))
}

func isTrue(condition string) Condition {
	return FieldContains([]string{"status", "conditions"}, []any{map[string]any{"type": condition, "status": "True"}})
}

// amissAmong tries the condition on a row of a stand-in that has bindings too.
func amissAmong(c unhealthyCondition, v *view, all []StandinRow) bool {
	known := false
	for _, row := range all {
		if row.GVR != bindings || row.Cluster != v.Cluster {
			continue
		}
		known = true
		b := &view{Row: row.Row}
		meta := b.head().Metadata
		kind := strings.TrimSuffix(v.GVR.Resource, "s")
		if meta.Namespace == v.key.Namespace && meta.Name == v.key.Name+"-"+kind && amiss.match(b) == yes {
			return true
		}
	}
	return !known || c.match(v) == yes
}
