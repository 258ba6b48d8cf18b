package pedia

import (
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/store"
)

// Amiss holds for workload templates that may not be plainly running as their own row (store.IsIdle) or
// their ResourceBinding (store.IsAmiss) says, and for all of some resources. Two indexes of the pack have
// just these, so that few are found among very many without looking at the rest. Without the pack it holds
// for all: looking at each binding would take longer than a request may.
func Amiss(all ...string) Condition { return amissCondition(all) }

type amissCondition []string

// narrowed says whether one of the conditions is written for strips: it names the few rows instead of
// trying each.
func narrowed(where []Condition) bool {
	return slices.ContainsFunc(where, func(c Condition) bool {
		_, ok := c.(amissCondition)
		return ok
	})
}

func (c amissCondition) sql(s *statement) {
	switch {
	case !s.pack:
		s.write("true")
	case s.kind == "":
		c.each(s)
	default:
		c.few(s)
	}
}

// few names the rows of a strip. A binding is named after the template and its kind, which is the
// resource without its last letter. No OR: the planner makes a join of a lone IN, which reads the few.
func (c amissCondition) few(s *statement) {
	r := s.kind + ".r"
	s.write("(", s.row, ".namespace, ", s.row, ".name) IN (SELECT b.namespace, left(b.name, -length(", r, ")) FROM resources b WHERE ",
		store.IsAmiss, " AND cluster = ", s.cluster, " AND right(b.name, length(", r, ")) = '-' || left(", r, ", -1)",
		" UNION ALL SELECT i.namespace, i.name FROM resources i WHERE ", store.IsIdle, " AND cluster = ", s.cluster, " AND resource = ", r)
	for _, resource := range c {
		// No user's text: the planner leaves strips of other resources out by it.
		s.write(` UNION ALL SELECT j.namespace, j.name FROM resources j WHERE "group" = `, s.kind, ".g AND version = ", s.kind, ".v AND resource = ", r,
			" AND cluster = ", s.cluster, " AND resource = ")
		s.value(resource)
	}
	s.write(")")
}

// each tries the row at hand, where others narrow already.
func (c amissCondition) each(s *statement) {
	Any(OfResource(c...), raw(store.IsIdle), Binding(raw(store.IsAmiss))).sql(s)
}

// match knows of a row only what it says itself.
func (c amissCondition) match(v *view) truth {
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

// idle and amiss say in Go what store.IsIdle and store.IsAmiss say.
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
func amissAmong(c amissCondition, v *view, all []StandinRow) bool {
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
