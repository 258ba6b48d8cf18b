package workloadform

import (
	"maps"
	"slices"
)

// Overridden returns those fields of a container that a form of it changes, whole. Environment variables and resources that the
// form does not name stay.
func Overridden(before map[string]any, form Form) (map[string]any, []Problem) {
	given := maps.Clone(form)
	shown, _ := container.show(nil, "", before)
	there, _ := shown.(map[string]any)
	if env, ok := given["env"].([]any); ok {
		whole := make([]any, len(env))
		for i, item := range env {
			// A variable is overridden as a whole: it would otherwise have a value and a source.
			v, _ := item.(map[string]any)
			whole[i] = map[string]any{"name": v["name"], "value": v["value"], "valueFrom": v["valueFrom"]}
		}
		given["env"] = merged(there["env"], whole, "name")
	}
	if resources, ok := given["resources"].(map[string]any); ok {
		resources = maps.Clone(resources)
		kept, _ := there["resources"].(map[string]any)
		for name, pairs := range resources {
			if list, ok := pairs.([]any); ok {
				resources[name] = merged(kept[name], list, "key")
			}
		}
		given["resources"] = resources
	}
	w, after := &writer{}, map[string]any{}
	for _, f := range container.fields {
		name := f.name
		if want := given[name]; want != nil {
			// On a copy: what is overridden stays as it is.
			of := map[string]any{}
			if before[name] != nil {
				of[name] = deep(before[name])
			}
			f.set(w, []string{name}, of, want)
			after[name] = of[name]
		}
	}
	return after, w.problems
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

// deep is a copy of a JSON value.
func deep(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, inner := range v {
			out[name] = deep(inner)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = deep(inner)
		}
		return out
	}
	return value
}
