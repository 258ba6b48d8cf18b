package policy

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/selection"

	"github.com/kairship-io/kairship/internal/model"
)

var metaOperators = map[model.SelectorOperator]metav1.LabelSelectorOperator{
	model.OperatorIn:           metav1.LabelSelectorOpIn,
	model.OperatorNotIn:        metav1.LabelSelectorOpNotIn,
	model.OperatorExists:       metav1.LabelSelectorOpExists,
	model.OperatorDoesNotExist: metav1.LabelSelectorOpDoesNotExist,
}

// asSelector converts a label selector to Kubernetes' type, and refuses what Kubernetes refuses.
func asSelector(s *model.LabelSelector) (labels.Selector, error) {
	m := metav1.LabelSelector{MatchLabels: make(map[string]string, len(s.MatchLabels))}
	for _, l := range s.MatchLabels {
		m.MatchLabels[l.Key] = l.Value
	}
	for _, r := range s.MatchExpressions {
		m.MatchExpressions = append(m.MatchExpressions, metav1.LabelSelectorRequirement{Key: r.Key, Operator: metaOperators[r.Operator], Values: r.Values})
	}
	return metav1.LabelSelectorAsSelector(&m)
}

// labelsMatch reports whether labels match a selector. A selector that Kubernetes refuses matches nothing.
func labelsMatch(s *model.LabelSelector, set labels.Labels) bool {
	selector, err := asSelector(s)
	return err == nil && selector.Matches(set)
}

// pairs adapts the model's labels to selectors.
type pairs []model.KeyValue

// Lookup is the value of a label, and whether it is set.
func (p pairs) Lookup(key string) (string, bool) {
	for i := range p {
		if p[i].Key == key {
			return p[i].Value, true
		}
	}
	return "", false
}

// Has reports whether a label is set.
func (p pairs) Has(key string) bool { _, ok := p.Lookup(key); return ok }

// Get is the value of a label; "" when it is not set.
func (p pairs) Get(key string) string { v, _ := p.Lookup(key); return v }

// The cluster fields that a field selector can test.
const (
	fieldProvider = "provider"
	fieldRegion   = "region"
	fieldZone     = "zone"
)

// affinityMatches reports whether a cluster matches an affinity; otherwise it returns which part does not match, and
// the cluster's value.
func affinityMatches(a *model.ClusterAffinity, c *model.Cluster) (ok bool, field, value string) {
	if slices.Contains(a.Exclude, c.Name) {
		return false, "exclude", c.Name
	}
	if a.LabelSelector != nil && !labelsMatch(a.LabelSelector, pairs(c.Labels)) {
		return false, "labelSelector", labelText(c)
	}
	if a.FieldSelector != nil {
		for i := range a.FieldSelector.MatchExpressions {
			if r := &a.FieldSelector.MatchExpressions[i]; !fieldMatches(r, c) {
				return false, "fieldSelector." + r.Key, fieldValue(r.Key, c)
			}
		}
	}
	if len(a.ClusterNames) > 0 && !slices.Contains(a.ClusterNames, c.Name) {
		return false, "clusterNames", c.Name
	}
	return true, "", ""
}

// labelText is the labels of a cluster, as evidence.
func labelText(c *model.Cluster) string {
	if len(c.Labels) == 0 {
		return ""
	}
	return labels.FormatLabels(c.LabelSet())
}

// AffinityMatches reports whether a cluster matches an affinity; nil matches all.
func AffinityMatches(a *model.ClusterAffinity, c *model.Cluster) bool {
	if a == nil {
		return true
	}
	ok, _, _ := affinityMatches(a, c)
	return ok
}

var fieldOperators = map[model.SelectorOperator]selection.Operator{
	model.OperatorIn:           selection.In,
	model.OperatorNotIn:        selection.NotIn,
	model.OperatorExists:       selection.Exists,
	model.OperatorDoesNotExist: selection.DoesNotExist,
	model.OperatorGt:           selection.GreaterThan,
	model.OperatorLt:           selection.LessThan,
}

// fieldMatches compares one field. A cluster can have several zones: IN requires one of them among the values, NOT_IN
// none.
func fieldMatches(r *model.SelectorRequirement, c *model.Cluster) bool {
	if r.Key == fieldZone {
		among := slices.ContainsFunc(c.Zones, func(zone string) bool { return slices.Contains(r.Values, zone) })
		switch r.Operator {
		case model.OperatorIn:
			return among
		case model.OperatorNotIn:
			return !among
		case model.OperatorExists:
			return len(c.Zones) > 0
		case model.OperatorDoesNotExist:
			return len(c.Zones) == 0
		}
		return false
	}
	requirement, err := labels.NewRequirement(r.Key, fieldOperators[r.Operator], r.Values)
	if err != nil {
		return false
	}
	set := labels.Set{}
	if c.Provider != nil {
		set[fieldProvider] = *c.Provider
	}
	if c.Region != nil {
		set[fieldRegion] = *c.Region
	}
	return requirement.Matches(set)
}

// fieldValue is the value of a cluster's field, as evidence.
func fieldValue(key string, c *model.Cluster) string {
	switch {
	case key == fieldProvider && c.Provider != nil:
		return *c.Provider
	case key == fieldRegion && c.Region != nil:
		return *c.Region
	case key == fieldZone:
		return join(c.Zones)
	}
	return ""
}
