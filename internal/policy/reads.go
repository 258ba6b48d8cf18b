package policy

import (
	"maps"
	"slices"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// Read is a set of objects to read to find what a policy selects: a superset, which Selects narrows.
type Read struct {
	// GVK is the kind; empty for every kind.
	GVK schema.GroupVersionKind
	// Namespace is "" for all namespaces and for cluster-scoped objects.
	Namespace string
	// Names is empty for any; sorted.
	Names []string
	// LabelSelector is as Kubernetes writes it; "" for any labels.
	LabelSelector string
}

// Reads is the reads needed to find what a policy selects: no object twice where the selectors alone show that, and
// names of one kind and namespace together. Selectors that can select nothing are left out. Empty for a policy that can
// select nothing.
func Reads(p *model.PolicyBody) []Read {
	own := ""
	if namespaced(p) {
		own = p.Ref.Namespace
	}
	selectors := p.Selectors()
	if len(selectors) == 0 && p.Override != nil {
		return []Read{{Namespace: own}}
	}
	var all reads
	for i := range selectors {
		if r, ok := read(&selectors[i], own); ok {
			all.add(r)
		}
	}
	return all.needed()
}

func read(s *model.ResourceSelector, own string) (Read, bool) {
	gv, err := schema.ParseGroupVersion(s.APIVersion)
	if err != nil {
		return Read{}, false
	}
	r := Read{GVK: gv.WithKind(s.Kind), Namespace: own}
	if s.Namespace != nil {
		if own != "" && *s.Namespace != own {
			return Read{}, false
		}
		r.Namespace = *s.Namespace
	}
	if ok, _ := Propagates(model.Ref{GVK: r.GVK, Namespace: r.Namespace}); !ok {
		return Read{}, false
	}
	switch {
	case s.Name != nil:
		r.Names = []string{*s.Name}
	case s.LabelSelector != nil:
		selector, err := asSelector(s.LabelSelector)
		if err != nil {
			return Read{}, false
		}
		r.LabelSelector = selector.String()
	}
	return r, true
}

// reads is reads by what they ask for, so that the next one is found without looking at all.
type reads struct {
	ordered []*named
	by      map[asked]*named
}

// asked is what a read asks for, but for the names.
type asked struct {
	gvk              schema.GroupVersionKind
	namespace, label string
	byName           bool
}

// named is a read with its names in a set.
type named struct {
	asked

	names map[string]bool
}

// add adds a read to others: to the names of one kind and namespace, if it is by name.
func (all *reads) add(r Read) {
	if all.by == nil {
		all.by = map[asked]*named{}
	}
	key := asked{r.GVK, r.Namespace, r.LabelSelector, len(r.Names) > 0}
	n := all.by[key]
	if n == nil {
		n = &named{key, map[string]bool{}}
		all.by[key], all.ordered = n, append(all.ordered, n)
	}
	for _, name := range r.Names {
		n.names[name] = true
	}
}

// needed is the reads that no other one covers, in the order in which they were added first.
func (all *reads) needed() []Read {
	var out []Read
	for _, n := range all.ordered {
		if !all.covered(n) {
			out = append(out, Read{GVK: n.gvk, Namespace: n.namespace, Names: slices.Sorted(maps.Keys(n.names)), LabelSelector: n.label})
		}
	}
	return out
}

// covered reports whether another read finds everything that one finds; false when uncertain.
func (all *reads) covered(n *named) bool {
	for _, namespace := range []string{n.namespace, ""} {
		whole := asked{gvk: n.gvk, namespace: namespace}
		if whole != n.asked && all.by[whole] != nil {
			return true
		}
	}
	everywhere := n.asked
	everywhere.namespace = ""
	wider := all.by[everywhere]
	if wider == nil || wider == n {
		return false
	}
	for name := range n.names {
		if !wider.names[name] {
			return false
		}
	}
	return true
}

// ClaimLabel is the label, and its value, that a propagation policy puts on the templates that it claims and on their
// bindings. The value is "" when Karmada has not given the policy its id yet, and for override policies, which claim
// nothing.
func ClaimLabel(p *model.PolicyBody) (key, value string) {
	switch kind, _ := model.PolicyKindOf(p.Ref.GVK.Group, p.Ref.GVK.Kind); kind {
	case model.PolicyPropagation:
		key = policyv1alpha1.PropagationPolicyPermanentIDLabel
	case model.PolicyClusterPropagation:
		key = policyv1alpha1.ClusterPropagationPolicyPermanentIDLabel
	default:
		return "", ""
	}
	return key, pairs(p.Labels).Get(key)
}
