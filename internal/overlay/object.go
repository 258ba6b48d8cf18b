package overlay

import (
	"reflect"
	"slices"
	"sort"
	"strconv"
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
	given, ok := input.(map[string]any)
	if !ok {
		if !has || c.Always && len(leavesOf(said(c.view(value)))) == 0 {
			return value // what is no object was not seen, and one in which nothing is said is as good as none: both stay
		}
		return nil
	}
	after := c.Form.lay(l, object, given, isNew || !has && !c.Always)
	switch {
	case has && reflect.DeepEqual(object, after), !has && !isNew && c.Always && len(after) == 0:
		return value
	}
	return after
}

func (c Object) name(input any, path []string) []string {
	given, _ := input.(map[string]any)
	return c.Form.name(given, path)
}

// Texts is a list of texts. An empty one is none.
type Texts struct {
	// Key is where in each item of the object's list the text is; empty for items that are the text.
	Key string
	// Enum says how the texts are written, when they are words.
	Enum *Enum
}

func (c Texts) view(value any) any {
	list, _ := value.([]any)
	out := make([]any, 0, len(list))
	for _, item := range list {
		if s, ok := c.text(item); ok {
			out = append(out, s)
		}
	}
	return out
}

func (c Texts) text(item any) (any, bool) {
	if c.Key != "" {
		object, _ := item.(map[string]any)
		item = object[c.Key]
	}
	s, ok := item.(string)
	if ok && c.Enum != nil {
		return c.Enum.view(s), true
	}
	return s, ok
}

func (c Texts) lay(l *laying, value, input any, _ bool) any {
	given, _ := input.([]any)
	before, _ := value.([]any)
	view, _ := c.view(value).([]any)
	switch {
	case len(given) == 0 && len(view) == 0, len(given) > 0 && same(view, given):
		return value
	case len(given) == 0:
		return nil
	}
	held := map[any]any{}
	for _, item := range before {
		if s, ok := c.text(item); ok {
			held[s] = item
		}
	}
	out := make([]any, 0, len(given))
	for _, s := range given {
		item, ok := held[s]
		if !ok {
			item = s
			if c.Enum != nil {
				item = c.Enum.lay(l, nil, s, true)
			}
			if c.Key != "" {
				item = map[string]any{c.Key: item}
			}
		}
		out = append(out, item)
	}
	return out
}

func (Texts) name(_ any, path []string) []string { return index(path) }

// index is the first name of a path when it is a position in a list.
func index(path []string) []string {
	if len(path) > 0 {
		if _, err := strconv.Atoi(path[0]); err == nil {
			return path[:1]
		}
	}
	return nil
}

// Entries is the entries of an object by their keys, written in an input as a list of them. An empty one is none.
type Entries struct {
	// Key and Value are the fields of an entry in an input; empty is "key" and "value".
	Key, Value string
	// Is is how a value is written; nil for texts, which may be empty.
	Is Codec
	// Kept are the keys that stay when the input does not have them.
	Kept func(key string) bool
	// Unseen are the keys that are not in the view.
	Unseen func(key string) bool
}

func (c Entries) names() (key, value string) {
	if c.Key == "" {
		return "key", "value"
	}
	return c.Key, c.Value
}

// plain is a text that may be empty.
type plain struct{}

func (plain) view(value any) any {
	s, ok := value.(string)
	if !ok {
		return nil
	}
	return s
}

func (plain) lay(_ *laying, _, input any, _ bool) any { return input }

func (plain) name(any, []string) []string { return nil }

func (c Entries) is() Codec {
	if c.Is == nil {
		return plain{}
	}
	return c.Is
}

func (c Entries) view(value any) any {
	object, _ := value.(map[string]any)
	key, content := c.names()
	out := make([]any, 0, len(object))
	for k, v := range object {
		if shown := c.is().view(v); shown != nil && (c.Unseen == nil || !c.Unseen(k)) {
			out = append(out, map[string]any{key: k, content: shown})
		}
	}
	sort.Slice(out, func(i, j int) bool { return keyOf(out[i], key) < keyOf(out[j], key) })
	return out
}

func keyOf(entry any, key string) string {
	object, _ := entry.(map[string]any)
	s, _ := object[key].(string)
	return s
}

func (c Entries) lay(l *laying, value, input any, isNew bool) any {
	object, has := value.(map[string]any)
	given, _ := input.([]any)
	key, content := c.names()
	after := map[string]any{}
	for k, v := range object {
		if c.is().view(v) == nil || c.Unseen != nil && c.Unseen(k) || c.Kept != nil && c.Kept(k) {
			after[k] = v
		}
	}
	seen := map[string]int{}
	for i, entry := range given {
		k := keyOf(entry, key)
		l.below(strconv.Itoa(i), func() {
			if first, ok := seen[k]; ok {
				l.below(key, func() { l.problem("is %.100q, which entry %d has, too; a key is given once", k, first) })
				return
			}
			seen[k] = i
			fields, _ := entry.(map[string]any)
			l.below(content, func() {
				if v := c.is().lay(l, object[k], fields[content], isNew); v != nil {
					after[k] = v
				}
			})
		})
	}
	switch {
	case has && reflect.DeepEqual(object, after), !has && len(after) == 0:
		return value
	case len(after) == 0:
		return nil
	}
	return after
}

func (c Entries) name(input any, path []string) []string {
	key, content := c.names()
	given, _ := input.([]any)
	i := slices.IndexFunc(given, func(entry any) bool { return len(path) > 0 && keyOf(entry, key) == path[0] })
	if i < 0 {
		return nil
	}
	return []string{strconv.Itoa(i), content}
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
