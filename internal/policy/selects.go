package policy

import (
	"slices"
	"strings"

	"github.com/karmada-io/karmada/pkg/util/names"

	"github.com/kairship-io/kairship/internal/model"
)

// How is the way in which a policy selects an object; the greater takes precedence where priorities are equal
// (Karmada's implicit priority).
type How int

// The ways to select.
const (
	// HowNot says that the policy does not select it.
	HowNot How = iota
	// HowKind selects by kind only, perhaps in one namespace; or everything.
	HowKind
	// HowLabels selects by labels.
	HowLabels
	// HowName selects by name.
	HowName
)

// String is its value in model.PolicyMatch; "" for HowNot.
func (h How) String() string { return [...]string{"", "KIND", "LABEL_SELECTOR", "NAME"}[h] }

// skippedNamespaces begins the namespaces that Karmada does not propagate by default
// (--skipped-propagating-namespaces).
const skippedNamespaces = "kube-"

// skippedGroups is the API groups that Karmada never propagates; of the core group it skips Events.
var skippedGroups = []string{
	"apps.karmada.io", "autoscaling.karmada.io", "cluster.karmada.io", "config.karmada.io", "networking.karmada.io",
	"policy.karmada.io", "remedy.karmada.io", "work.karmada.io", "events.k8s.io", "coordination.k8s.io",
}

// Propagates reports whether Karmada propagates an object of this name at all; otherwise why not, for people.
func Propagates(ref model.Ref) (ok bool, why string) {
	switch {
	case names.IsReservedNamespace(ref.Namespace):
		return false, "namespace " + ref.Namespace + " is reserved by Karmada: nothing in it is propagated"
	case strings.HasPrefix(ref.Namespace, skippedNamespaces):
		return false, "namespaces kube-* are left out by Karmada's controllers (--skipped-propagating-namespaces)"
	case slices.Contains(skippedGroups, ref.GVK.Group), ref.GVK.Group == "" && ref.GVK.Kind == "Event":
		return false, "objects of " + ref.APIVersion() + " " + ref.GVK.Kind + " are never propagated"
	}
	return true, ""
}

// Selects returns whether and how a policy selects an object of its control plane. That does not mean that the policy
// claims it: see Order.
func Selects(p *model.PolicyBody, o *model.Object) How {
	if namespaced(p) && o.Ref.Namespace != p.Ref.Namespace {
		return HowNot
	}
	if ok, _ := Propagates(o.Ref); !ok {
		return HowNot
	}
	selectors := p.Selectors()
	if len(selectors) == 0 && p.Override != nil {
		return HowKind
	}
	how := HowNot
	for i := range selectors {
		how = max(how, selectorMatches(&selectors[i], o))
	}
	return how
}

// namespaced reports whether a policy concerns its own namespace only.
func namespaced(p *model.PolicyBody) bool {
	kind, _ := model.PolicyKindOf(p.Ref.GVK.Group, p.Ref.GVK.Kind)
	return kind.Namespaced()
}

func selectorMatches(s *model.ResourceSelector, o *model.Object) How {
	switch {
	case s.APIVersion != o.Ref.APIVersion(), s.Kind != o.Ref.GVK.Kind:
		return HowNot
	case s.Namespace != nil && *s.Namespace != o.Ref.Namespace:
		return HowNot
	case s.Name != nil:
		if *s.Name == o.Ref.Name {
			return HowName
		}
		return HowNot
	case s.LabelSelector == nil:
		return HowKind
	case labelsMatch(s.LabelSelector, pairs(o.Labels)):
		return HowLabels
	}
	return HowNot
}

// CanSelect reports whether a policy could select an object of which only the given fields are known. Unknown fields
// and all labels count as matching.
func CanSelect(p *model.PolicyBody, want *model.PolicySelectsInput) bool {
	if want == nil {
		return true
	}
	if namespaced(p) && want.Namespace != nil && *want.Namespace != p.Ref.Namespace {
		return false
	}
	selectors := p.Selectors()
	if len(selectors) == 0 {
		return p.Override != nil
	}
	agree := func(selected, wanted *string) bool { return selected == nil || wanted == nil || *selected == *wanted }
	return slices.ContainsFunc(selectors, func(s model.ResourceSelector) bool {
		return agree(&s.APIVersion, want.APIVersion) && agree(&s.Kind, want.Kind) &&
			agree(s.Namespace, want.Namespace) && agree(s.Name, want.Name)
	})
}

func join(list []string) string { return strings.Join(list, ", ") }
