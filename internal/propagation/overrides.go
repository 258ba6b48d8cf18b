package propagation

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Explain returns which override policy changed which field of an object for a cluster: it replays what Karmada
// recorded on the Work, one policy after the other, and compares. The template is JSON; replicas is what the scheduler
// assigned to the cluster, nil for kinds that have none. A policy of which several rules applied is listed once. The
// result is never nil, and empty when nothing applied.
//
// Karmada records the applied policies by name, and loses their order. Among those of one kind the order is therefore
// the first, by name, that leads to the content of the Work. Differences between template and Work that no policy made
// (labels of Karmada, assigned replicas) are not overrides.
func Explain(template []byte, w *model.Work, replicas *int32) ([]model.AppliedOverride, error) {
	cluster, err := noted(w.AppliedClusterOverrides)
	if err != nil {
		return nil, fmt.Errorf("read what was applied to Work %s: %s: %w", qualified(w.Ref), appliedClusterOverrides, err)
	}
	own, err := noted(w.AppliedOverrides)
	if err != nil {
		return nil, fmt.Errorf("read what was applied to Work %s: %s: %w", qualified(w.Ref), appliedOverrides, err)
	}
	if len(cluster)+len(own) == 0 || len(w.Manifests) == 0 {
		return []model.AppliedOverride{}, nil
	}
	manifest := w.Manifests[0]
	base, err := decodeDocument(template)
	if err != nil {
		return nil, fmt.Errorf("read template %s: %w", qualified(manifest.Ref), err)
	}
	sent, err := decodeDocument(manifest.Raw)
	if err != nil {
		return nil, fmt.Errorf("read manifest of Work %s: %w", qualified(w.Ref), err)
	}
	// Rows of lists lack their kind, by which overriders find the containers.
	base["kind"] = manifest.Ref.GVK.Kind
	revise(base, replicas)

	var best *replay
	texts := newTextBudget()
	orders(cluster, func(first []notedPolicy) bool {
		return orders(own, func(then []notedPolicy) bool {
			r := again(base, sent, slices.Concat(first, then), texts)
			if best == nil || r.astray < best.astray {
				best = r
			}
			return best.astray > 0
		})
	})
	return best.told(w, len(cluster)), nil
}

// notedPolicy is Karmada's record of one override policy: the overriders of each rule that applied.
type notedPolicy struct {
	name  string
	rules []policyv1alpha1.Overriders
}

// noted parses an annotation of a Work. Several rules of one policy follow each other.
func noted(annotation string) ([]notedPolicy, error) {
	if annotation == "" {
		return nil, nil
	}
	var items []struct {
		PolicyName string                    `json:"policyName"`
		Overriders policyv1alpha1.Overriders `json:"overriders"`
	}
	// Overriders contain raw JSON of API machinery, which only encoding/json decodes.
	if err := json.Unmarshal([]byte(annotation), &items); err != nil {
		return nil, err
	}
	var out []notedPolicy
	for _, item := range items {
		if n := len(out); n == 0 || out[n-1].name != item.PolicyName {
			out = append(out, notedPolicy{name: item.PolicyName})
		}
		last := &out[len(out)-1]
		last.rules = append(last.rules, item.Overriders)
	}
	return out, nil
}

// manyPolicies is how many policies of one kind are tried in every order: 24 orders. It is rare that more than one or
// two change the same field of the same object.
const manyPolicies = 4

// orders passes policies in every order, the given one first, until try returns false; it returns the last result of
// try.
func orders(policies []notedPolicy, try func([]notedPolicy) bool) bool {
	if len(policies) > manyPolicies {
		return try(policies)
	}
	var permute func(done, left []notedPolicy) bool
	permute = func(done, left []notedPolicy) bool {
		if len(left) == 0 {
			return try(done)
		}
		for i := range left {
			if !permute(append(slices.Clone(done), left[i]), slices.Concat(left[:i], left[i+1:])) {
				return false
			}
		}
		return true
	}
	return permute(nil, policies)
}

// replay is the result of applying policies again.
type replay struct {
	policies []notedPolicy
	changes  [][]model.FieldChange
	notes    []string
	// astray counts the changes whose result differs from the Work.
	astray int
}

// again applies policies to a copy of base and compares what they changed with what was sent.
func again(base, sent document, policies []notedPolicy, texts *textBudget) *replay {
	r := &replay{policies: policies, changes: make([][]model.FieldChange, len(policies)), notes: make([]string, len(policies))}
	current := base.clone()
	for i, p := range policies {
		before := current.clone()
		var inside []model.FieldChange
		for _, rule := range p.rules {
			changes, err := current.override(&rule, texts)
			inside = append(inside, changes...)
			if err != nil {
				r.notes[i] = "what the policy did does not fit the template as it is now: " + err.Error()
				r.astray++
			}
		}
		r.changes[i] = withTexts(diff(before, current), inside)
	}
	off := diff(current, sent)
	for i := range r.changes {
		for _, c := range r.changes[i] {
			if slices.ContainsFunc(off, func(o model.FieldChange) bool { return within(c.Path, o.Path) || within(o.Path, c.Path) }) {
				r.astray++
				r.notes[i] = "the template, the policy or both have changed since it was last sent: the cluster holds something else"
			}
		}
	}
	return r
}

// withTexts replaces the change of a whole text field by the changes inside it.
func withTexts(changes, inside []model.FieldChange) []model.FieldChange {
	if len(inside) == 0 {
		return changes
	}
	changes = slices.DeleteFunc(changes, func(c model.FieldChange) bool {
		return slices.ContainsFunc(inside, func(t model.FieldChange) bool { return strings.HasPrefix(t.Path, c.Path+textMark) })
	})
	return append(changes, inside...)
}

// textMark separates the path of a text field from the path inside it.
const textMark = "#"

// within reports whether a path is equal to another one, or below it.
func within(path, above string) bool {
	rest, ok := strings.CutPrefix(path, above)
	return ok && (rest == "" || rest[0] == '/' || rest[0] == '[')
}

// told is the result as the graph shows it; the first n policies are ClusterOverridePolicies.
func (r *replay) told(w *model.Work, n int) []model.AppliedOverride {
	out := make([]model.AppliedOverride, len(r.policies))
	for i, p := range r.policies {
		ref := model.Ref{Instance: w.Ref.Instance, GVK: model.PolicyClusterOverride.GVK(), Name: p.name}
		if i >= n {
			ref.GVK, ref.Namespace = model.PolicyOverride.GVK(), w.Manifests[0].Ref.Namespace
		}
		out[i] = model.AppliedOverride{Ref: ref, Changes: r.changes[i], Note: r.notes[i]}
	}
	return out
}

// revise sets the replicas of the cluster as Karmada does before it applies overrides.
func revise(d document, replicas *int32) {
	spec, ok := d["spec"].(map[string]any)
	if !ok || replicas == nil {
		return
	}
	n := json.Number(fmt.Sprint(*replicas))
	switch d["kind"] {
	case "Deployment", "StatefulSet":
		spec["replicas"] = n
	case "Job":
		spec["parallelism"] = n
	}
}

// AppliedPolicies names the override policies that changed a Work, ClusterOverridePolicies first; it needs no template.
// Unreadable records name none.
func AppliedPolicies(w *model.Work) []model.Ref {
	var refs []model.Ref
	add := func(annotation string, kind model.PolicyKind, namespace string) {
		var items []struct {
			PolicyName string     `json:"policyName"`
			Overriders jsonv2.Raw `json:"overriders"`
		}
		if annotation == "" || jsonv2.Unmarshal([]byte(annotation), &items) != nil {
			return
		}
		for _, item := range items {
			ref := model.Ref{Instance: w.Ref.Instance, GVK: kind.GVK(), Namespace: namespace, Name: item.PolicyName}
			if !slices.Contains(refs, ref) {
				refs = append(refs, ref)
			}
		}
	}
	add(w.AppliedClusterOverrides, model.PolicyClusterOverride, "")
	if len(w.Manifests) > 0 {
		add(w.AppliedOverrides, model.PolicyOverride, w.Manifests[0].Ref.Namespace)
	}
	return refs
}

// diff compares two documents.
func diff(from, to document) []model.FieldChange {
	return objects.DiffValues(map[string]any(from), map[string]any(to))
}
