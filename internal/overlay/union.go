package overlay

import (
	"slices"
	"sort"
	"strings"
)

// Union is an object whose fields are in other places for each of its types: what an input writes as {type: POD, name: a} is
// {type: Pod, pod: {name: a}} in the object.
type Union struct {
	// By is the field of the type, in both.
	By string
	// Is is how the type is written.
	Is Enum
	// Cases are the fields of each type, by the type as in an input. All have the same names.
	Cases map[string]Form
	// Always says that none is written as an object in which nothing is said.
	Always bool
	// Other is the type, as in an input, of an object of a type that is none of the cases; empty for none. It stays as it is.
	Other string
	// Guess is the type, as in an input, of an object that does not say; nil for none.
	Guess func(object map[string]any) string
}

func (c Union) typeOf(object map[string]any) string {
	s, _ := c.Is.view(object[c.By]).(string)
	if s == "" && c.Guess != nil {
		s = c.Guess(object)
	}
	if _, ok := c.Cases[s]; !ok && c.Other != "" {
		return c.Other
	}
	return s
}

func (c Union) view(value any) any {
	object, ok := value.(map[string]any)
	if !ok && !c.Always {
		return nil
	}
	kind := c.typeOf(object)
	out := Read(c.Cases[kind], object)
	for _, name := range c.names() {
		if _, ok := out[name]; !ok {
			out[name] = nil
		}
	}
	out[c.By] = none(kind)
	return out
}

// names are the fields that any of the types has, sorted.
func (c Union) names() (out []string) {
	for _, form := range c.Cases {
		for i := range form {
			out = append(out, form[i].Name)
		}
	}
	sort.Strings(out)
	return slices.Compact(out)
}

func (c Union) lay(l *laying, value, input any, isNew bool) any {
	object, has := value.(map[string]any)
	fields := given[map[string]any](l, "an object", input)
	if fields == nil {
		if !has {
			return value // what is no object was not seen, and stays
		}
		return nil
	}
	before := c.typeOf(object)
	kind := before
	if fields[c.By] != nil {
		kind = given[string](l, "a text", fields[c.By])
	}
	form, known := c.Cases[kind]
	if !known && kind == before && value != nil && !isNew {
		return value
	}
	if !known {
		l.below(c.By, func() { l.problem("is %.100q; it has to be one of %s", kind, strings.Join(c.kinds(), ", ")) })
		return value
	}
	isNew = isNew || !has && !c.Always
	after := object
	if kind != before {
		// What the object says as another type is not what it says as this one.
		for i := range c.Cases[before] {
			after = with(after, c.Cases[before][i].path()[:1], nil)
		}
		after = with(after, []string{c.By}, c.Is.lay(l, nil, kind, true))
		isNew = true
	} else if isNew {
		after = with(after, []string{c.By}, c.Is.lay(l, nil, kind, true))
	}
	c.refuse(l, fields, kind)
	return form.lay(l, after, fields, isNew)
}

// refuse finds what is said that the type has no place for.
func (c Union) refuse(l *laying, given map[string]any, kind string) {
	for _, name := range c.names() {
		has := slices.ContainsFunc(c.Cases[kind], func(f Field) bool { return f.Name == name })
		if v := given[name]; !has && said(v) != nil {
			l.below(name, func() { l.problem("is given, and %s %s has none", c.By, kind) })
		}
	}
}

func (c Union) kinds() (out []string) {
	for kind := range c.Cases {
		out = append(out, kind)
	}
	sort.Strings(out)
	return out
}

func (c Union) name(input any, path []string) []string {
	given, _ := input.(map[string]any)
	if len(path) > 0 && path[0] == c.By {
		return []string{c.By}
	}
	kind, _ := given[c.By].(string)
	if out := c.Cases[kind].name(given, path); out != nil {
		return out
	}
	for _, kind := range c.kinds() {
		if out := c.Cases[kind].name(given, path); out != nil {
			return out
		}
	}
	return nil
}
