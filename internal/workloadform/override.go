package workloadform

import (
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/overlay"
)

// Overridden returns those fields of a container that a form of it changes, whole. Environment variables and resources that the
// form does not name stay.
func Overridden(before map[string]any, form Form) (map[string]any, []overlay.Problem) {
	given := maps.Clone(form)
	maps.DeleteFunc(given, func(_ string, value any) bool { return value == nil })
	shown := overlay.Said(overlay.Read(container, before))
	if env, ok := given["env"].([]any); ok {
		whole := make([]any, len(env))
		for i, item := range env {
			// A variable is overridden as a whole: it would otherwise have a value and a source.
			v, _ := item.(map[string]any)
			whole[i] = map[string]any{"name": v["name"], "value": v["value"], "valueFrom": v["valueFrom"]}
		}
		given["env"] = merged(shown["env"], whole, "name")
	}
	if resources, ok := given["resources"].(map[string]any); ok {
		resources = maps.Clone(resources)
		kept, _ := shown["resources"].(map[string]any)
		for name, pairs := range resources {
			if list, ok := pairs.([]any); ok {
				resources[name] = merged(kept[name], list, "key")
			}
		}
		given["resources"] = resources
	}
	after := maps.Clone(before)
	if problems := overlay.Lay(container, after, given); len(problems) > 0 {
		return nil, problems
	}
	changed := map[string]any{}
	for name := range given {
		if changed[name] = after[name]; after[name] == nil {
			changed[name] = []any{} // nothing is written, in place of what there is
		}
	}
	return changed, nil
}

// merged are items with those of another list in place of, or after, the ones of the same name.
func merged(there any, given []any, key string) []any {
	out, _ := there.([]any)
	out = slices.Clone(out)
	places := map[any]int{}
	for i, item := range out {
		places[keyText(item, key)] = i
	}
	for _, item := range given {
		if i, ok := places[keyText(item, key)]; ok {
			out[i] = item
		} else {
			places[keyText(item, key)] = len(out)
			out = append(out, item)
		}
	}
	return out
}

func keyText(item any, key string) string {
	fields, _ := item.(map[string]any)
	s, _ := fields[key].(string)
	return s
}
