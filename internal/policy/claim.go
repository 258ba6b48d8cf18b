package policy

import (
	"math"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// Change is a change of one propagation policy. Before is nil for a new one, After for a deletion.
type Change struct {
	Before, After *model.PolicyBody
	// Others is all other policies of the instance.
	Others []*model.PolicyBody
	// Preemption says that Karmada runs with the feature gate PropagationPolicyPreemption.
	Preemption bool
	// Hidden says that there are policies that are not among the others: a claim by a policy that is not known is one of theirs.
	Hidden bool
}

// Claimed is who claims an object after a change.
type Claimed struct {
	// By is nil when no policy does.
	By     *model.PolicyBody
	Rule   model.ClaimRule
	Reason string
	// Gate says that it would be otherwise with the feature gate PropagationPolicyPreemption the other way.
	Gate bool
	// Fresh says that the claim is a new one.
	Fresh bool
}

// all is the policies after the change.
func (c *Change) all() []*model.PolicyBody {
	if c.After == nil {
		return c.Others
	}
	return append(slices.Clip(slices.Clone(c.Others)), c.After)
}

// Claims returns who claims an object after the change. These are the rules of Karmada's detector (pkg/detector: policy.go,
// compare.go, preemption.go, and the handlers of policies in detector.go): a claim stays with its policy while that selects
// the object; an object without one goes to the first policy in order (Order); a policy whose preemption is Always takes
// over by name from those of lower priority.
func (c *Change) Claims(o *model.Object) Claimed {
	ref := c.ref()
	holder := c.holder(o)
	mine := o.Claim != nil && o.Claim.Ref == ref
	switch {
	case mine && c.After == nil:
		return c.next(o, model.RuleUnclaimed, "the policy that claimed it is deleted, and no other one selects it: it stays where it is, and nothing moves it any more")
	case mine && Selects(c.After, o) == HowNot:
		return c.next(o, model.RuleNotSelected, "the policy does not select it any more, and no other one does: it stays where it is, and nothing moves it any more")
	case mine:
		return c.keep(o)
	case holder == nil:
		return c.next(o, model.RuleNotSelected, "no policy selects it")
	case c.After == nil || Selects(c.After, o) == HowNot:
		return Claimed{By: holder, Rule: model.RuleNotSelected, Reason: "the policy does not select it"}
	}
	if takes, why := takesOver(c.After, holder, o); takes {
		if c.Preemption {
			return Claimed{By: c.After, Rule: model.RulePreemption, Reason: why, Gate: true, Fresh: true}
		}
		return Claimed{By: holder, Rule: model.RuleFirstClaim, Gate: true,
			Reason: name(holder) + " claimed the object before, and Karmada takes over only with its feature gate PropagationPolicyPreemption"}
	}
	first, second := candidate{c.After, Selects(c.After, o)}, candidate{holder, Selects(holder, o)}
	return Claimed{By: holder, Rule: model.RuleFirstClaim, Reason: noTakeOver(first, second)}
}

func (c *Change) ref() model.Ref {
	if c.After != nil {
		return c.After.Ref
	}
	return c.Before.Ref
}

// holder is the other policy that claims an object; nil when none does, or the one that did is gone. Of a hidden one nothing but its
// name is known: it is taken for one that gives nothing away.
func (c *Change) holder(o *model.Object) *model.PolicyBody {
	if o.Claim == nil {
		return nil
	}
	for _, p := range c.Others {
		if p.Ref == o.Claim.Ref {
			return p
		}
	}
	if !c.Hidden {
		return nil
	}
	return &model.PolicyBody{Object: model.Object{Ref: o.Claim.Ref}, Propagation: &model.PropagationSpec{Priority: math.MaxInt32}}
}

// next is the first policy in order for an object without a claim.
func (c *Change) next(o *model.Object, none model.ClaimRule, why string) Claimed {
	unclaimed := *o
	unclaimed.Claim = nil
	all := c.all()
	order := Order(&unclaimed, all)
	if len(order) == 0 {
		return Claimed{Rule: none, Reason: why}
	}
	by := find(all, order[0].Policy)
	out := Claimed{By: by, Rule: model.RuleOnlyMatch, Reason: order[0].Why, Fresh: true}
	if len(order) > 1 {
		out.Rule = rule(candidate{by, Selects(by, o)}, candidate{find(all, order[1].Policy), 0}.selecting(o))
	}
	return out
}

// keep is the claim of the changed policy, unless it gave up so much priority that another one takes over.
func (c *Change) keep(o *model.Object) Claimed {
	out := Claimed{By: c.After, Rule: model.RuleFirstClaim, Reason: "the policy claimed it before, and still selects it"}
	if c.Before == nil || c.After.Propagation.Priority >= c.Before.Propagation.Priority {
		return out
	}
	// Only policies between the old and the new priority are looked at again, the highest first
	// (HandleDeprioritizedPropagationPolicy).
	var best *model.PolicyBody
	for _, p := range c.Others {
		if p.Propagation == nil || p.DeletedAt != nil || namespaced(p) != namespaced(c.After) || p.Ref.Namespace != c.After.Ref.Namespace ||
			p.Propagation.Priority >= c.Before.Propagation.Priority || (best != nil && p.Propagation.Priority <= best.Propagation.Priority) {
			continue
		}
		if takes, _ := takesOver(p, c.After, o); takes {
			best = p
		}
	}
	if best == nil {
		return out
	}
	_, why := takesOver(best, c.After, o)
	if out.Gate = true; !c.Preemption {
		return out
	}
	return Claimed{By: best, Rule: model.RulePreemption, Reason: why, Gate: true, Fresh: true}
}

// takesOver reports whether a policy takes an object over from the one that claims it, if Karmada's gate lets it.
func takesOver(p, from *model.PolicyBody, o *model.Object) (yes bool, why string) {
	if p.Propagation.Preemption != model.PreemptAlways || o.DeletedAt != nil || !namesIt(p, o) {
		return false, ""
	}
	switch {
	case namespaced(p) && !namespaced(from):
		return true, "its preemption is Always: a PropagationPolicy takes over by name whatever a ClusterPropagationPolicy claims"
	case namespaced(p) == namespaced(from) && p.Propagation.Priority > from.Propagation.Priority:
		return true, "its preemption is Always: it takes over by name what " + name(from) + " of lower priority claims"
	}
	return false, ""
}

// namesIt reports whether one of a policy's selectors names an object with its namespace: Karmada looks up what is taken over
// by both. In a PropagationPolicy the namespace is the policy's own where none is given.
func namesIt(p *model.PolicyBody, o *model.Object) bool {
	return slices.ContainsFunc(p.Selectors(), func(s model.ResourceSelector) bool {
		return selectorMatches(&s, o) == HowName && (namespaced(p) || o.Ref.Namespace == "" || s.Namespace != nil && *s.Namespace != "") && Selects(p, o) != HowNot
	})
}

func (c candidate) selecting(o *model.Object) candidate {
	c.how = Selects(c.body, o)
	return c
}

// rule is what makes the first of two policies preferred.
func rule(c, o candidate) model.ClaimRule {
	switch {
	case namespaced(c.body) != namespaced(o.body):
		return model.RuleNamespaced
	case c.body.Propagation.Priority != o.body.Propagation.Priority:
		return model.RulePriority
	case c.how != o.how:
		return model.RuleSelector
	}
	return model.RuleName
}

func find(all []*model.PolicyBody, ref model.Ref) *model.PolicyBody {
	for _, p := range all {
		if p.Ref == ref {
			return p
		}
	}
	return nil
}
