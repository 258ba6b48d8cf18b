package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// candidate is a propagation policy that selects an object.
type candidate struct {
	body *model.PolicyBody
	how  How
}

// compare orders policies as Karmada prefers them: every PropagationPolicy before every ClusterPropagationPolicy, then
// by priority, then by how exactly it selects, then by name.
func (c candidate) compare(o candidate) int {
	if n, m := namespaced(c.body), namespaced(o.body); n != m {
		if n {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(o.body.Propagation.Priority, c.body.Propagation.Priority),
		cmp.Compare(o.how, c.how),
		cmp.Compare(c.body.Ref.Name, o.body.Ref.Name),
	)
}

// Order is the propagation policies that select an object, the one that Karmada would choose for an unclaimed object
// first. Policies that are being deleted claim nothing new and are left out, as are override policies. A claim stays
// with the policy that has it (o.Claim) while that policy selects the object, whichever comes first here; Why then says
// so. Never nil.
func Order(o *model.Object, policies []*model.PolicyBody) []model.PolicyMatch {
	var found []candidate
	for _, p := range policies {
		if p.Propagation == nil || p.DeletedAt != nil {
			continue
		}
		if how := Selects(p, o); how != HowNot {
			found = append(found, candidate{p, how})
		}
	}
	slices.SortFunc(found, candidate.compare)
	claimer := slices.IndexFunc(found, func(c candidate) bool { return claims(c.body, o) })
	out := make([]model.PolicyMatch, len(found))
	for i, c := range found {
		out[i] = model.PolicyMatch{
			Policy: c.body.Ref, Priority: c.body.Propagation.Priority, How: c.how.String(),
			Claims: i == claimer, Why: why(found, i, claimer),
		}
	}
	return out
}

func claims(p *model.PolicyBody, o *model.Object) bool {
	return o.Claim != nil && o.Claim.Ref == p.Ref
}

// why explains the position of a policy, and why a preferred one does not have the claim.
func why(found []candidate, i, claimer int) string {
	c := found[i]
	var text string
	switch {
	case len(found) == 1:
		text = "it is the only policy that selects the object"
	case i == 0:
		text = "it wins: " + difference(c, found[1])
	default:
		text = "it comes after " + name(found[0].body) + ": " + difference(c, found[0])
	}
	if i < claimer {
		text += "; " + noTakeOver(c, found[claimer])
	}
	return text
}

// difference says what makes one of two policies preferred, from the first one's side.
func difference(c, o candidate) string {
	relation := func(more bool, yes, no string) string {
		if more {
			return yes
		}
		return no
	}
	p, q := c.body.Propagation.Priority, o.body.Propagation.Priority
	switch {
	case namespaced(c.body) != namespaced(o.body):
		return relation(namespaced(c.body), "a PropagationPolicy goes before every ClusterPropagationPolicy",
			"a ClusterPropagationPolicy goes after every PropagationPolicy")
	case p != q:
		return fmt.Sprintf("its priority %d is %s than %d of %s", p, relation(p > q, "higher", "lower"), q, name(o.body))
	case c.how != o.how:
		return fmt.Sprintf("of equal priority, it selects %s, which is %s exact than %s, as %s does",
			words[c.how], relation(c.how > o.how, "more", "less"), words[o.how], name(o.body))
	}
	return fmt.Sprintf("they are equal otherwise, and its name comes %s %s in the alphabet",
		relation(c.body.Ref.Name < o.body.Ref.Name, "before", "after"), o.body.Ref.Name)
}

var words = map[How]string{HowKind: "by kind", HowLabels: "by labels", HowName: "by name"}

// noTakeOver says why a preferred policy has not taken an object over from the one that claimed it earlier.
func noTakeOver(c, claimer candidate) string {
	has := name(claimer.body) + " claimed the object before"
	switch {
	case c.body.Propagation.Preemption != model.PreemptAlways:
		return has + ", and it takes nothing over: its preemption is Never"
	case namespaced(c.body) == namespaced(claimer.body) && c.body.Propagation.Priority <= claimer.body.Propagation.Priority:
		return has + ", and it takes over only from policies of lower priority"
	case c.how != HowName:
		return has + ", and Karmada takes over only what a policy selects by name"
	}
	return has + ", and its preemption is Always, which needs Karmada's feature gate PropagationPolicyPreemption"
}

// name identifies a policy in texts: NAMESPACE/NAME or NAME.
func name(p *model.PolicyBody) string {
	if p.Ref.Namespace == "" {
		return p.Ref.Name
	}
	return p.Ref.Namespace + "/" + p.Ref.Name
}
