package sql

import (
	"slices"
)

// Condition is a condition on rows. It has two equivalent forms: SQL for the store, and a match on rows that were
// already read.
type Condition interface {
	// sql writes the condition for the current row.
	sql(s *builder)
	// match evaluates it on a row.
	match(v *View) truth
}

// searched reports whether an index of the pack finds the rows of one of the conditions.
func searched(where []Condition) bool {
	return slices.ContainsFunc(where, func(c Condition) bool {
		s, ok := c.(interface{ searched() bool })
		return ok && s.searched()
	})
}

// truth is what is known of a row without another request to the store.
type truth int8

const (
	no truth = iota - 1
	// unknown is the result that depends on other rows.
	unknown
	yes
)

func truthOf(b bool) truth {
	if b {
		return yes
	}
	return no
}

// Not negates a condition.
func Not(c Condition) Condition { return notCondition{c} }

type notCondition struct{ of Condition }

func (c notCondition) sql(s *builder) {
	s.write("NOT COALESCE((")
	c.of.sql(s)
	s.write("), false)")
}

func (c notCondition) match(v *View) truth { return -c.of.match(v) }

// Any holds when at least one of the conditions does; without conditions it does not.
func Any(conditions ...Condition) Condition { return anyCondition(conditions) }

type anyCondition []Condition

func (c anyCondition) sql(s *builder) {
	s.write("false")
	for _, one := range c {
		s.write(" OR (")
		one.sql(s)
		s.write(")")
	}
}

func (c anyCondition) match(v *View) truth {
	best := no
	for _, one := range c {
		best = max(best, one.match(v))
	}
	return best
}

// All holds when all of the conditions do; without conditions it does.
func All(conditions ...Condition) Condition { return allCondition(conditions) }

type allCondition []Condition

func (c allCondition) sql(s *builder) {
	s.write("true")
	s.all(c)
}

func (c allCondition) searched() bool { return searched(c) }

func (c allCondition) match(v *View) truth {
	worst := yes
	for _, one := range c {
		worst = min(worst, one.match(v))
	}
	return worst
}
