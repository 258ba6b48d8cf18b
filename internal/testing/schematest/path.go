package schematest

import "strings"

// on begins a step of a path that continues with objects of one type.
const on = "... on "

// Path is the fields that lead from the root of a query to objects: each with its arguments, or `... on Type` to
// continue with the objects of one type.
type Path []string

// Query is the query that selects something of the objects at the path, in addition to their type.
func (p Path) Query(selection string) string {
	var b strings.Builder
	b.WriteString("{")
	for _, step := range p {
		b.WriteString("__typename " + step + "{")
	}
	b.WriteString("__typename " + selection)
	b.WriteString(strings.Repeat("}", len(p)+1))
	return b.String()
}

// field is the name of a step in the answer; false for one that selects a type.
func field(step string) (name string, ok bool) {
	if strings.HasPrefix(step, on) {
		return "", false
	}
	name, _, _ = strings.Cut(step, "(")
	return strings.TrimSpace(name), true
}

// Objects is the objects at the path in the data of an answer to its Query, as decoded from JSON. Null values on the
// way yield none.
func (p Path) Objects(data any) []map[string]any {
	objects := flatten(data)
	for _, step := range p {
		var next []map[string]any
		name, isField := field(step)
		for _, o := range objects {
			switch {
			case isField:
				next = append(next, flatten(o[name])...)
			case o["__typename"] == strings.TrimPrefix(step, on):
				next = append(next, o)
			}
		}
		objects = next
	}
	return objects
}

// flatten is the objects in a value: itself, or those in its nested lists.
func flatten(value any) []map[string]any {
	switch v := value.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []any:
		var out []map[string]any
		for _, item := range v {
			out = append(out, flatten(item)...)
		}
		return out
	}
	return nil
}
