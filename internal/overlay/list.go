package overlay

import (
	"reflect"
	"strconv"
)

// List is a list of objects. An empty one is none. Each item of an input is laid over the item of the object that it was made
// of: see origins.
type List struct {
	Form Form
	// Union is what an item is when its fields depend on what it is; Form is nil then.
	Union *Union
	// Identity are the fields, of an input, that tell one item from another; nil for items that are told by what they say and by
	// their place.
	Identity []string
	// Otherwise is what a field of the identity is of an item that does not say; nil for nothing.
	Otherwise any
	// Needed says that every item has the first field of the identity: a list with one that does not is not seen, and an input
	// that leaves it out is wrong.
	Needed bool
}

func (c List) item() Codec {
	if c.Union != nil {
		item := *c.Union
		item.Always = true
		return item
	}
	return Object{Form: c.Form, Always: true}
}

func (c List) view(value any) any {
	list, _ := value.([]any)
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = c.item().view(item)
		if c.lacks(out[i]) {
			return nil
		}
	}
	return out
}

// lacks reports whether an item, as in an input, has not what every one needs.
func (c List) lacks(item any) bool {
	if !c.Needed {
		return false
	}
	fields, _ := item.(map[string]any)
	return fields[c.Identity[0]] == nil
}

func (c List) lay(l *laying, value, input any, _ bool) any {
	list := given[[]any](l, "a list", input)
	before, _ := value.([]any)
	view, seen := c.view(value).([]any)
	if !seen {
		before = nil // it stays as a whole, or is replaced
	}
	if len(list) == 0 {
		if len(before) == 0 {
			return value
		}
		return nil
	}
	of := c.origins(view, list)
	after := make([]any, len(list))
	for i, item := range list {
		l.below(strconv.Itoa(i), func() {
			_, ok := item.(map[string]any)
			switch {
			case !ok:
				l.needs("an object", item)
			case c.lacks(item):
				l.below(c.Identity[0], func() { l.problem("is missing") })
			case of[i] < 0:
				after[i] = c.item().lay(l, nil, item, true)
			default:
				after[i] = c.item().lay(l, before[of[i]], item, false)
			}
		})
	}
	if reflect.DeepEqual(before, after) {
		return value
	}
	return after
}

func (c List) name(input any, path []string) []string {
	at := index(path)
	if at == nil {
		return nil
	}
	list, _ := input.([]any)
	var item any
	if i, _ := strconv.Atoi(at[0]); i < len(list) {
		item = list[i]
	}
	return append([]string{at[0]}, c.item().name(item, path[1:])...)
}
