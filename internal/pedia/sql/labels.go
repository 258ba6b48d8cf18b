package sql

import (
	"slices"

	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Labels holds for rows that match a selector, by the rules of Kubernetes: `!=` and `notin` match objects without the
// label too.
func Labels(selector labels.Selector) Condition { return labelsCondition{selector} }

type labelsCondition struct{ selector labels.Selector }

func (c labelsCondition) match(v *View) truth {
	return truthOf(c.selector.Matches(labels.Set(v.Head().Metadata.Labels)))
}

func (c labelsCondition) sql(s *builder) {
	requirements, selectable := c.selector.Requirements()
	if !selectable {
		s.write("false")
		return
	}
	s.write("true")
	var scanned labels.Requirements // no index serves them
	for _, r := range requirements {
		if served(r) {
			s.write(" AND ")
			labelRequirement(s, label, r)
		} else {
			scanned = append(scanned, r)
		}
	}
	if len(scanned) == 0 {
		return
	}
	// The labels are taken out of the object once a row: each time, it is decompressed as a whole. OFFSET keeps the planner from
	// putting the expression back in each place.
	s.write(" AND (SELECT true")
	for _, r := range scanned {
		s.write(" AND ")
		labelRequirement(s, labelOfRow, r)
	}
	s.write(" FROM (SELECT ", indexes.Labels, " AS labels OFFSET 0) AS of_row)")
}

// served reports whether an index serves a requirement.
func served(r labels.Requirement) bool {
	switch r.Operator() {
	case selection.Equals, selection.DoubleEquals, selection.In:
		return true
	}
	return indexedLabels[r.Key()] != ""
}

// searched: the index serves requirements that name a value.
func (c labelsCondition) searched() bool {
	requirements, _ := c.selector.Requirements()
	return slices.ContainsFunc(requirements, func(r labels.Requirement) bool {
		switch r.Operator() {
		case selection.Equals, selection.DoubleEquals, selection.In:
			return labelIn{key: r.Key()}.searched()
		}
		return false
	})
}

// labelRequirement writes one requirement, with the value of a label as value writes it.
func labelRequirement(s *builder, value func(s *builder, key string), r labels.Requirement) {
	key, op, values := r.Key(), r.Operator(), r.Values().List()
	switch op {
	case selection.Equals, selection.DoubleEquals, selection.In:
		LabelIn(key, values...).sql(s)
	case selection.NotEquals, selection.NotIn:
		s.write("NOT COALESCE(")
		value(s, key)
		s.anyOf(values)
		s.write(", false)")
	case selection.Exists:
		value(s, key)
		s.write(" IS NOT NULL")
	case selection.DoesNotExist:
		value(s, key)
		s.write(" IS NULL")
	case selection.GreaterThan, selection.LessThan:
		s.write("CASE WHEN ")
		value(s, key)
		s.write(` ~ '^[+-]{0,1}[0-9]{1,18}$' THEN (`)
		value(s, key)
		s.write(map[selection.Operator]string{selection.GreaterThan: ")::numeric > (", selection.LessThan: ")::numeric < ("}[op])
		s.value(values[0])
		s.write(")::numeric ELSE false END")
	default:
		s.write("false")
	}
}

// label writes the value of a label.
func label(s *builder, key string) {
	if expression, ok := indexedLabels[key]; ok {
		s.write(expression)
		return
	}
	s.write("(", indexes.Labels, "->>")
	s.value(key)
	s.write(")")
}

// labelOfRow writes the value of a label that has been taken out of the object; see labelsCondition.
func labelOfRow(s *builder, key string) {
	s.write("(of_row.labels->>")
	s.value(key)
	s.write(")")
}

// LabelIn holds for rows whose label has one of the values.
func LabelIn(key string, values ...string) Condition { return labelIn{key, values} }

type labelIn struct {
	key    string
	values []string
}

func (c labelIn) sql(s *builder) {
	if _, ok := indexedLabels[c.key]; ok || len(c.values) == 0 {
		label(s, c.key)
		s.anyOf(c.values)
		return
	}
	// The index on all labels serves containment, one value at a time.
	s.write("(")
	for i, value := range c.values {
		if i > 0 {
			s.write(" OR ")
		}
		s.write("(", indexes.Labels, ") @> ")
		s.json(map[string]string{c.key: value})
	}
	s.write(")")
}

// searched: labels with their own index are served by it in the order of pages.
func (c labelIn) searched() bool { return indexedLabels[c.key] == "" }

func (c labelIn) match(v *View) truth {
	value, ok := v.Head().Metadata.Labels[c.key]
	return truthOf(ok && slices.Contains(c.values, value))
}

// LabelsContain holds for rows that have all the labels, as a Service selects its pods. Without labels it holds for
// none, as a Service without a selector selects no pod.
func LabelsContain(set map[string]string) Condition { return labelsContain(set) }

type labelsContain map[string]string

func (c labelsContain) sql(s *builder) {
	if len(c) == 0 {
		s.write("false")
		return
	}
	s.write("(", indexes.Labels, ") @> ")
	s.json(map[string]string(c))
}

func (c labelsContain) searched() bool { return true }

func (c labelsContain) match(v *View) truth {
	return truthOf(len(c) > 0 && containsAll(v.Head().Metadata.Labels, c))
}

func containsAll(set, subset map[string]string) bool {
	for key, want := range subset {
		if got, ok := set[key]; !ok || got != want {
			return false
		}
	}
	return true
}

// indexedLabels have their own index in the pack.
var indexedLabels = map[string]string{
	"propagationpolicy.karmada.io/permanent-id":        indexes.PolicyID,
	"clusterpropagationpolicy.karmada.io/permanent-id": indexes.ClusterPolicyID,
	"resourcebinding.karmada.io/permanent-id":          indexes.BindingID,
	"clusterresourcebinding.karmada.io/permanent-id":   indexes.ClusterBindingID,
}
