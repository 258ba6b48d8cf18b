package overlay

import (
	"maps"
	"reflect"
	"slices"
	"strconv"
)

// Values is a list of single values, which is given as a whole. An empty one is none.
type Values struct {
	// Is is how one is written; nil for texts, which may be empty.
	Is Codec
	// Key is where in each item of the object's list the value is; empty for items that are the value. Items of the same value
	// keep what else they hold.
	Key string
}

// orText is a codec, or that of texts that may be empty.
func orText(is Codec) Codec {
	if is == nil {
		return Text{Empty: true}
	}
	return is
}

func (c Values) view(value any) any {
	list, _ := value.([]any)
	out := make([]any, 0, len(list))
	for _, item := range list {
		if v := c.shown(item); v != nil {
			out = append(out, v)
		}
	}
	return out
}

func (c Values) shown(item any) any {
	if c.Key != "" {
		object, _ := item.(map[string]any)
		item = object[c.Key]
	}
	return orText(c.Is).view(item)
}

func (c Values) lay(l *laying, value, input any, _ bool) any {
	list := given[[]any](l, "a list", input)
	before, _ := value.([]any)
	view, _ := c.view(value).([]any)
	switch {
	case len(list) == 0 && len(view) == 0, len(list) > 0 && same(view, list):
		return value
	case len(list) == 0:
		return nil
	}
	held := map[any]any{}
	for _, item := range before {
		if v := c.shown(item); v != nil {
			held[v] = item
		}
	}
	out := make([]any, len(list))
	for i := range list {
		l.below(strconv.Itoa(i), func() { out[i] = c.item(l, held, list[i]) })
	}
	return out
}

// item is the object's item for a value: the one that is held for it, or a new one.
func (c Values) item(l *laying, held map[any]any, input any) any {
	wrong := len(l.problems)
	written := orText(c.Is).lay(l, nil, input, true)
	if written == nil {
		if len(l.problems) == wrong {
			l.needs("a value", input)
		}
		return nil
	}
	if item, ok := held[orText(c.Is).view(written)]; ok {
		return item
	}
	if c.Key != "" {
		return map[string]any{c.Key: written}
	}
	return written
}

func (Values) name(_ any, path []string) []string { return index(path) }

// index is the first name of a path when it is a position in a list.
func index(path []string) []string {
	if len(path) > 0 {
		if i, err := strconv.Atoi(path[0]); err == nil && i >= 0 {
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
	// Unseen are the keys that are not in the view, and stay.
	Unseen func(key string) bool
	// Refused is why an input may not give an unseen key; empty when it may.
	Refused string
	// Untold are the unseen keys that Hidden does not tell.
	Untold func(key string) bool
}

func (c Entries) names() (key, value string) {
	if c.Key == "" {
		return "key", "value"
	}
	return c.Key, c.Value
}

// among reports whether a key is one of some; nil is none.
func among(some func(string) bool, key string) bool { return some != nil && some(key) }

// shown is how the value of a key is written in an input; nil for what is not.
func (c Entries) shown(key string, value any) any {
	if among(c.Unseen, key) {
		return nil
	}
	return orText(c.Is).view(value)
}

func (c Entries) view(value any) any {
	object, _ := value.(map[string]any)
	key, content := c.names()
	out := make([]any, 0, len(object))
	for _, k := range slices.Sorted(maps.Keys(object)) {
		if shown := c.shown(k, object[k]); shown != nil {
			out = append(out, map[string]any{key: k, content: shown})
		}
	}
	return out
}

func (c Entries) lay(l *laying, value, input any, isNew bool) any {
	object, has := value.(map[string]any)
	list := given[[]any](l, "a list", input)
	after := map[string]any{}
	for k, v := range object {
		if c.shown(k, v) == nil || among(c.Kept, k) {
			after[k] = v
		}
	}
	seen := map[string]int{}
	for i := range list {
		l.below(strconv.Itoa(i), func() { c.entry(l, object, after, seen, i, list[i], isNew) })
	}
	switch {
	case has && reflect.DeepEqual(object, after), !has && len(after) == 0:
		return value
	case len(after) == 0:
		return nil
	}
	return after
}

// entry lays the one at a place of the input.
func (c Entries) entry(l *laying, object, after map[string]any, seen map[string]int, i int, input any, isNew bool) {
	key, content := c.names()
	fields := given[map[string]any](l, "an object", input)
	k := given[string](l, "a text", fields[key])
	first, twice := seen[k]
	switch {
	case fields[key] == nil || fields[content] == nil:
		l.problem("is not whole; %s and %s are needed", key, content)
	case twice:
		l.below(key, func() { l.problem("is %.300q, which entry %d has, too; a key is given once", k, first) })
	case c.Refused != "" && among(c.Unseen, k):
		l.below(key, func() { l.problem("is %.300q, which %s", k, c.Refused) })
	default:
		seen[k] = i
		l.below(content, func() {
			if v := orText(c.Is).lay(l, object[k], fields[content], isNew); v != nil {
				after[k] = v
			}
		})
	}
}

func (c Entries) name(input any, path []string) []string {
	key, content := c.names()
	list, _ := input.([]any)
	for i := range list {
		if fields, _ := list[i].(map[string]any); len(path) > 0 && fields[key] == path[0] {
			return []string{strconv.Itoa(i), content}
		}
	}
	return nil
}
