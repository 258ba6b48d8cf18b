// Package typed knows the kinds that can be written by a typed input: which field of a mutation's input is which kind, how it
// is written there, and what Kairship checks by itself because it can say it better than Karmada. It is pure: it makes objects of
// inputs, and says where in an input an error of an API server is.
package typed

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/policy"
)

// Kind is a kind with a typed input.
type Kind struct {
	// Field is the field of a mutation's input that is for it.
	Field      string
	GVK        schema.GroupVersionKind
	Namespaced bool
	Form       overlay.Form

	check func(object map[string]any) []finding
}

// finding is what is wrong with an object, at a path of it.
type finding struct {
	path    []string
	message string
}

// Policies are the kinds that createPolicy and updatePolicy take.
var Policies = []Kind{
	policyKind("propagationPolicy", model.PolicyPropagation, checkPropagation),
	policyKind("clusterPropagationPolicy", model.PolicyClusterPropagation, checkPropagation),
	policyKind("overridePolicy", model.PolicyOverride, checkOverride),
	policyKind("clusterOverridePolicy", model.PolicyClusterOverride, checkOverride),
}

func policyKind(field string, kind model.PolicyKind, check func(map[string]any) []finding) Kind {
	return Kind{Field: field, GVK: kind.GVK(), Namespaced: kind.Namespaced(), Form: policy.FormOf(kind), check: check}
}

// ByField returns the kind of a field of an input; nil when it is for none.
func ByField(kinds []Kind, field string) *Kind {
	if i := slices.IndexFunc(kinds, func(k Kind) bool { return k.Field == field }); i >= 0 {
		return &kinds[i]
	}
	return nil
}

// New makes an object of an input. What is wrong with the input is said with its field below that of the kind; nothing is made
// then.
func (k *Kind) New(input map[string]any) (map[string]any, []overlay.Problem) {
	object, problems := overlay.New(k.Form, input)
	if len(problems) > 0 {
		return nil, overlay.Under(k.Field, problems)
	}
	name, _ := input["name"].(string)
	namespace, _ := input["namespace"].(string)
	wrong := func(field, format string, args ...any) (map[string]any, []overlay.Problem) {
		return nil, []overlay.Problem{{Field: []string{k.Field, field}, Why: fmt.Sprintf(format, args...)}}
	}
	switch {
	case name == "":
		return wrong("name", "is missing")
	case k.Namespaced && namespace == "":
		return wrong("namespace", "is missing: a %s is in a namespace", k.GVK.Kind)
	case !k.Namespaced && namespace != "":
		return wrong("namespace", "is %.300q, and a %s is in none", namespace, k.GVK.Kind)
	}
	object["apiVersion"], object["kind"] = k.GVK.GroupVersion().String(), k.GVK.Kind
	if object["spec"] == nil {
		object["spec"] = map[string]any{} // so that the API server names the fields that are missing
	}
	if problems := k.found(object, nil, input); len(problems) > 0 {
		return nil, problems
	}
	return object, nil
}

// Names fails when an input of a change names another object than the one that is to be changed.
func (k *Kind) Names(input map[string]any, namespace, name string) []overlay.Problem {
	for _, f := range [][2]string{{"name", name}, {"namespace", namespace}} {
		if given, _ := input[f[0]].(string); given != "" && given != f[1] {
			return []overlay.Problem{{Field: []string{k.Field, f[0]}, Why: fmt.Sprintf("is %.300q, and the id is that of an object with %q, which cannot be changed", given, f[1])}}
		}
	}
	return nil
}

// Lay changes an object to what an input says of it; what is wrong with the input is said as by New, and nothing is changed then.
func (k *Kind) Lay(object, input map[string]any) []overlay.Problem {
	said := make(map[string]any, len(input))
	for name, value := range input {
		if name != "name" && name != "namespace" {
			said[name] = value
		}
	}
	var before []finding
	if k.check != nil {
		before = k.check(object)
	}
	if problems := overlay.Lay(k.Form, object, said); len(problems) > 0 {
		return overlay.Under(k.Field, problems)
	}
	return k.found(object, before, input)
}

// Where is the field of a mutation's input that a path of the object is about, below "input"; nil for none.
func (k *Kind) Where(input map[string]any, path []string) []string {
	field := overlay.Where(k.Form, input, path)
	if field == nil {
		return nil
	}
	return append([]string{k.Field}, field...)
}

// found are the problems that an object has and did not have before: what was wrong already does not stand in the way of a change
// of something else.
func (k *Kind) found(object map[string]any, before []finding, input map[string]any) (out []overlay.Problem) {
	if k.check == nil {
		return nil
	}
	for _, f := range k.check(object) {
		if slices.ContainsFunc(before, func(b finding) bool { return b.message == f.message && slices.Equal(b.path, f.path) }) {
			continue
		}
		field := k.Where(input, f.path)
		if field == nil {
			field = []string{k.Field}
		}
		out = append(out, overlay.Problem{Field: field, Why: f.message})
	}
	return out
}
