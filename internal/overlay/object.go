package overlay

import (
	"reflect"
	"slices"
)

// Object is an object with a form of its own. An empty one is another thing than none.
type Object struct {
	Form Form
	// Always says that none is written as an object in which nothing is said.
	Always bool
}

func (c Object) view(value any) any {
	object, ok := value.(map[string]any)
	if !ok && !c.Always {
		return nil
	}
	return Read(c.Form, object)
}

func (c Object) lay(l *laying, value, input any, isNew bool) any {
	object, has := value.(map[string]any)
	fields := given[map[string]any](l, "an object", input)
	if fields == nil {
		if !has || c.Always && len(leavesOf(said(c.view(value)))) == 0 {
			return value // what is no object was not seen, and one in which nothing is said is as good as none: both stay
		}
		return nil
	}
	after := c.Form.lay(l, object, fields, isNew || !has && !c.Always)
	switch {
	case has && reflect.DeepEqual(object, after), !has && !isNew && c.Always && len(after) == 0:
		return value
	}
	return after
}

func (c Object) name(input any, path []string) []string {
	fields, _ := input.(map[string]any)
	return c.Form.name(fields, path)
}

// same reports whether two values are equal; numbers are, whatever their type.
func same(a, b any) bool {
	if m, ok := whole(a); ok {
		n, ok := whole(b)
		return ok && m == n
	}
	switch x := a.(type) {
	case []any:
		y, ok := b.([]any)
		return ok && (x == nil) == (y == nil) && slices.EqualFunc(x, y, same)
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) || (x == nil) != (y == nil) {
			return false
		}
		for k, v := range x {
			w, ok := y[k]
			if !ok || !same(v, w) {
				return false
			}
		}
		return true
	}
	return reflect.DeepEqual(a, b)
}
