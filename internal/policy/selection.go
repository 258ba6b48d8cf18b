package policy

import "github.com/kairship-io/kairship/internal/model"

// Selection is what versions of a policy select together; empty, and not nil, where one of an override policy selects everything. Nil
// when none of them can be read: versions may be nil.
func Selection(kind model.PolicyKind, versions ...[]byte) []model.ResourceSelector {
	var out []model.ResourceSelector
	for _, raw := range versions {
		if raw == nil {
			continue
		}
		p, err := Decode(kind, "", raw)
		if err != nil {
			continue
		}
		selectors := p.Body.Selectors()
		if len(selectors) == 0 && !kind.Propagates() {
			return []model.ResourceSelector{}
		}
		out = append(out, selectors...)
	}
	return out
}

// SelectedBy reports whether a policy of which only its selectors are known, as by Selection, selected an object.
func SelectedBy(ref model.Ref, selectors []model.ResourceSelector, o *model.Object) bool {
	p := &model.PolicyBody{Object: model.Object{Ref: ref}}
	switch kind, ok := model.PolicyKindOf(ref.GVK.Group, ref.GVK.Kind); {
	case !ok:
		return false
	case kind.Propagates():
		p.Propagation = &model.PropagationSpec{ResourceSelectors: selectors}
	default:
		p.Override = &model.OverrideSpec{ResourceSelectors: selectors}
	}
	return Selects(p, o) != HowNot
}
