package policy

import (
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
	var out []Read
	for i := range selectors {
		if r, ok := read(&selectors[i], own); ok {
			out = add(out, r)
		}
	}
	return out
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

// add adds a read to others, unless one of them covers it, and removes those that it covers.
func add(reads []Read, r Read) []Read {
	for i := range reads {
		switch have := &reads[i]; {
		case have.covers(&r):
			return reads
		case have.GVK == r.GVK && have.Namespace == r.Namespace && len(have.Names) > 0 && len(r.Names) > 0:
			have.Names = slices.Compact(slices.Sorted(slices.Values(append(have.Names, r.Names...))))
			return reads
		}
	}
	reads = slices.DeleteFunc(reads, func(have Read) bool { return r.covers(&have) })
	return append(reads, r)
}

// covers reports whether this read finds everything that another one finds; false when uncertain.
func (r *Read) covers(o *Read) bool {
	if r.GVK != o.GVK || r.Namespace != "" && r.Namespace != o.Namespace {
		return false
	}
	if len(r.Names) > 0 {
		return len(o.Names) > 0 && !slices.ContainsFunc(o.Names, func(n string) bool { return !slices.Contains(r.Names, n) })
	}
	return r.LabelSelector == "" || r.LabelSelector == o.LabelSelector && len(o.Names) == 0
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
