package policy

import (
	"cmp"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// Rules is the rules of an override policy for a cluster, in the order in which they are applied; empty for propagation
// policies.
func Rules(p *model.PolicyBody, c *model.Cluster) []model.OverrideRule {
	var out []model.OverrideRule
	for _, rule := range AllRules(p) {
		if AffinityMatches(rule.TargetCluster, c) {
			out = append(out, rule)
		}
	}
	return out
}

// AllRules is the rules of an override policy, its deprecated form as one rule.
func AllRules(p *model.PolicyBody) []model.OverrideRule {
	switch s := p.Override; {
	case s == nil:
		return nil
	case len(s.OverrideRules) > 0:
		return s.OverrideRules
	case s.Overriders != nil:
		return []model.OverrideRule{{TargetCluster: s.TargetCluster, Overriders: *s.Overriders}}
	}
	return nil
}

// AppliesTo is the rules of an override policy for an object in a cluster, in their order; empty when it does not
// select the object or no rule selects the cluster.
func AppliesTo(p *model.PolicyBody, o *model.Object, c *model.Cluster) []model.OverrideRule {
	if p.Override == nil || Selects(p, o) == HowNot {
		return nil
	}
	return Rules(p, c)
}

// OrderOverrides is the override policies that select an object in the order in which Karmada applies them, so that the
// last one wins: first the ClusterOverridePolicies, then the OverridePolicies; within each kind the less exact
// selection first, then by name. Never nil.
func OrderOverrides(o *model.Object, policies []*model.PolicyBody) []*model.PolicyBody {
	how := map[*model.PolicyBody]How{}
	out := []*model.PolicyBody{}
	for _, p := range policies {
		if p.Override == nil {
			continue
		}
		if h := Selects(p, o); h != HowNot {
			how[p] = h
			out = append(out, p)
		}
	}
	last := func(p *model.PolicyBody) int {
		if namespaced(p) {
			return 1
		}
		return 0
	}
	slices.SortFunc(out, func(a, b *model.PolicyBody) int {
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(how[a], how[b]), cmp.Compare(a.Ref.Name, b.Ref.Name))
	})
	return out
}
