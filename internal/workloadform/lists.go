package workloadform

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// list is a list of objects. Its items are known again by their keys, or, without keys, by their content and place.
type list struct {
	of *object
	// keys are the fields that tell items apart; the first one every item has.
	keys []string
	// otherwise is what a key is that an item does not have.
	otherwise string
}

func (l list) show(r *reader, at string, value any) (any, bool) {
	if !l.shows(value) {
		return nil, false
	}
	items, _ := value.([]any)
	out := make([]any, len(items))
	for i, item := range items {
		if len(l.keys) == 1 {
			key, _ := l.firstKey(item)
			out[i], _ = l.of.show(r, at+"["+l.keys[0]+"="+escape(fmt.Sprint(key))+"]", item)
			continue
		}
		out[i], _ = l.of.show(r, at+"/"+strconv.Itoa(i), item)
	}
	return out, true
}

// shows reports whether all items are objects that have the first key.
func (l list) shows(value any) bool {
	items, ok := value.([]any)
	for i := 0; ok && i < len(items); i++ {
		if _, ok = items[i].(map[string]any); ok && len(l.keys) > 0 {
			_, ok = l.firstKey(items[i])
		}
	}
	return ok
}

// firstKey is the first key of an item.
func (l list) firstKey(item any) (any, bool) {
	fields, _ := item.(map[string]any)
	for i := range l.of.fields {
		f := &l.of.fields[i]
		if f.name != l.keys[0] {
			continue
		}
		if value := lookup(fields, f.steps()); value != nil {
			return f.of.show(nil, "", value)
		}
	}
	return nil, false
}

func (l list) set(w *writer, at []string, value, given any) any {
	wanted, ok := given.([]any)
	if !ok {
		w.problem(at, "is %s; a list is needed", described(given))
		return value
	}
	forms := make([]map[string]any, len(wanted))
	for i, item := range wanted {
		form, ok := item.(map[string]any)
		switch {
		case !ok:
			w.problem(below(at, strconv.Itoa(i)), "is %s; an object is needed", described(item))
		case len(l.keys) > 0 && form[l.keys[0]] == nil:
			w.problem(below(below(at, strconv.Itoa(i)), l.keys[0]), "is missing")
		}
		forms[i] = form
	}
	if len(w.problems) > 0 {
		return value
	}
	there, _ := value.([]any)
	out := make([]any, len(wanted))
	for i, from := range l.matched(there, forms) {
		var item any = map[string]any{}
		if from >= 0 {
			item = there[from]
		}
		out[i] = l.of.set(w, below(at, strconv.Itoa(i)), item, forms[i])
	}
	return out
}

// matched is for each form the item that it is about, by its place; -1 for a new one. Of a list with keys an item has the same
// keys, or is otherwise as it was: then it was renamed. Of one without it has the same content, or else the same place.
func (l list) matched(there []any, forms []map[string]any) []int {
	out, taken := make([]int, len(forms)), make([]bool, len(there))
	for i := range out {
		out[i] = -1
	}
	shown := make([]map[string]any, len(there))
	for i, item := range there {
		form, _ := l.of.show(nil, "", item)
		shown[i] = form.(map[string]any) //nolint:forcetypeassert // objects are shown as such
	}
	by := func(name func(form map[string]any) string) {
		places := map[string][]int{}
		if !slices.Contains(out, -1) || !slices.Contains(taken, false) {
			return
		}
		for i, form := range shown {
			if !taken[i] {
				places[name(form)] = append(places[name(form)], i)
			}
		}
		for i, form := range forms {
			if out[i] >= 0 {
				continue
			}
			if left := places[name(form)]; len(left) > 0 {
				out[i], taken[left[0]], places[name(form)] = left[0], true, left[1:]
			}
		}
	}
	if len(l.keys) > 0 {
		by(l.keyOf)
		by(func(form map[string]any) string { return digest(form, l.keys) })
		return out
	}
	by(func(form map[string]any) string { return digest(form, nil) })
	for i := range forms {
		if out[i] < 0 && i < len(there) && !taken[i] {
			out[i], taken[i] = i, true
		}
	}
	return out
}

// keyOf is the keys of an item as text.
func (l list) keyOf(item map[string]any) string {
	parts := make([]string, len(l.keys))
	for i, key := range l.keys {
		parts[i] = l.otherwise
		if item[key] != nil {
			parts[i] = fmt.Sprint(item[key])
		}
	}
	return strings.Join(parts, "\x00")
}

// digest is the content of an item, but for some fields: equal for equal ones, whether they say of what they do not have that
// there is none.
func digest(form map[string]any, but []string) string {
	kept := map[string]any{}
	for name, value := range form {
		if !slices.Contains(but, name) {
			kept[name] = value
		}
	}
	raw, err := json.Marshal(bare(kept))
	if err != nil {
		return "" // a form holds nothing that cannot be encoded
	}
	return string(raw)
}

// bare is a value without what says that there is nothing.
func bare(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := map[string]any{}
		for name, inner := range v {
			if inner = bare(inner); inner != nil {
				out[name] = inner
			}
		}
		return out
	case []any:
		if len(v) == 0 {
			return nil
		}
		out := make([]any, len(v))
		for i, inner := range v {
			out[i] = bare(inner)
		}
		return out
	}
	return value
}

func (l list) clear(any) any { return nil }

func (l list) find(path []string, form any) []string {
	items, _ := form.([]any)
	i, ok := index(path)
	if !ok {
		return nil
	}
	var item any
	if i < len(items) {
		item = items[i]
	}
	return append([]string{path[0]}, l.of.find(path[1:], item)...)
}

// index is the place in a list that a path goes on with.
func index(path []string) (int, bool) {
	if len(path) == 0 {
		return 0, false
	}
	i, err := strconv.Atoi(path[0])
	return i, err == nil && i >= 0
}
