// Package overlay lays a typed input over an object: what the input says differently from the object is changed in it, and
// everything else stays, also what no input has a field for. A table, the Form, says which field of the input is which of the
// object, so that reading, writing, what of the object no field shows, and the way back of an error's path follow from one place.
// It knows JSON values only: no kind, no client.
package overlay

import (
	"maps"
	"slices"
	"strings"
)

// Form is how an object, or a part of one, is written in an input: its fields.
type Form []Field

// Field is one field of a form.
type Field struct {
	// Name is its name in the input.
	Name string
	// At is where it is in the object, below what the form is for: keys, separated by dots. Empty is Name.
	At string
	// Is is how its value is written; nil for what means nothing to people: no field of the input, and nothing that Hidden tells.
	Is Codec
	// Also are other places in the object that errors about the field name.
	Also []string
	// Default is what the field says, as in an input, of an object that has nothing there.
	Default any
	// None is a Default that depends on the object.
	None func(object map[string]any) any
}

// path is At as keys.
func (f *Field) path() []string {
	if f.At == "" {
		return []string{f.Name}
	}
	return strings.Split(f.At, ".")
}

// none is what the field says of an object that has nothing there.
func (f *Field) none(object map[string]any) any {
	if f.None != nil {
		return f.None(object)
	}
	if n, ok := f.Default.(int); ok {
		return int64(n)
	}
	return f.Default
}

// Codec is how one value of an object is written in an input. Values are those of JSON: nil, bool, int64, float64, string,
// []any and map[string]any; a value of an object or of an input may be of any type, whatever the codec expects.
type Codec interface {
	// view is how the object's value is written in an input; nil for none, and for one that cannot be.
	view(value any) any
	// lay is the object's value when the input's is given: the same one when the input says what the view says, nil for
	// none. In something new every value that is given is written, also a default.
	lay(l *laying, value, input any, isNew bool) any
	// name is where in the input the rest of a path in the object is, as far as it can be told.
	name(input any, path []string) []string
}

// Lay changes an object to what an input says: a field that the input leaves out stays, one that is null is taken away, and
// one that says what Read says of the object stays as it is written. Nothing is changed when there are problems. What the object
// held before is not changed in place: a copy of its fields is enough to keep it.
func Lay(form Form, object, input map[string]any) []Problem {
	after, problems := form.laid(object, input, false)
	if len(problems) > 0 {
		return problems
	}
	after = maps.Clone(after) // it may be the object itself
	clear(object)
	maps.Copy(object, after)
	return nil
}

// New makes an object of an input; nil with problems.
func New(form Form, input map[string]any) (map[string]any, []Problem) {
	return form.laid(nil, input, true)
}

func (f Form) laid(object, input map[string]any, isNew bool) (map[string]any, []Problem) {
	if wrong := bounded(input); wrong != nil {
		return nil, wrong
	}
	l := &laying{}
	after := f.lay(l, object, input, isNew)
	if len(l.problems) > 0 {
		return nil, l.problems
	}
	return after, nil
}

// Read is how an object is written in an input: every field of the form, nil where there is nothing.
func Read(form Form, object map[string]any) map[string]any {
	out := make(map[string]any, len(form))
	for i := range form {
		f := &form[i]
		if f.Is == nil {
			continue
		}
		if out[f.Name] = f.Is.view(at(object, f.path())); out[f.Name] == nil {
			out[f.Name] = f.none(object)
		}
	}
	return out
}

// lay returns a changed copy of an object; what is not changed is shared with it.
func (f Form) lay(l *laying, object, input map[string]any, isNew bool) map[string]any {
	for i := range f {
		field := &f[i]
		given, ok := input[field.Name]
		if !ok || field.Is == nil {
			continue
		}
		path := field.path()
		before := at(object, path)
		if !isNew && same(field.none(object), given) && field.Is.view(before) == nil {
			continue
		}
		l.below(field.Name, func() {
			after := field.Is.lay(l, before, given, isNew)
			if !same(before, after) {
				object = with(object, path, after)
			}
		})
	}
	if object == nil {
		object = map[string]any{}
	}
	return object
}

// Where is the field of an input that a path of the object is about: as much of it as the form knows, nil for nothing.
func Where(form Form, input map[string]any, path []string) []string {
	return form.name(input, path)
}

func (f Form) name(input map[string]any, path []string) []string {
	var found *Field
	var rest []string
	best := -1
	for i := range f {
		if f[i].Is == nil {
			continue
		}
		for _, place := range append([]string{strings.Join(f[i].path(), ".")}, f[i].Also...) {
			keys := strings.Split(place, ".")
			n := 0
			for n < len(keys) && n < len(path) && keys[n] == path[n] {
				n++
			}
			// The whole of the field's place, the longest; or a path that ends on the way to it.
			if n == len(keys) && n > best {
				found, rest, best = &f[i], path[n:], n
			}
		}
	}
	if found == nil {
		return f.towards(path)
	}
	var below []string
	if len(rest) > 0 {
		below = found.Is.name(input[found.Name], rest)
	}
	return append([]string{found.Name}, below...)
}

// towards is the field that a path leads to that ends above it, when there is only one.
func (f Form) towards(path []string) []string {
	var found []string
	for i := range f {
		keys := f[i].path()
		if f[i].Is != nil && len(path) > 0 && len(keys) > len(path) && slices.Equal(keys[:len(path)], path) {
			if found != nil {
				return nil
			}
			found = []string{f[i].Name}
		}
	}
	return found
}

// at is the value at a path, nil for none.
func at(object map[string]any, path []string) any {
	for _, key := range path[:len(path)-1] {
		object, _ = object[key].(map[string]any)
	}
	return object[path[len(path)-1]]
}

// with is a copy of an object with a value at a path; nil takes it away, and with it the objects around it that hold nothing else.
func with(object map[string]any, path []string, value any) map[string]any {
	out := maps.Clone(object)
	if out == nil {
		out = map[string]any{}
	}
	key := path[0]
	if len(path) > 1 {
		inner, _ := out[key].(map[string]any)
		if inner = with(inner, path[1:], value); len(inner) > 0 {
			out[key] = inner
			return out
		}
		value = nil
	}
	if value == nil {
		delete(out, key)
	} else {
		out[key] = value
	}
	return out
}
