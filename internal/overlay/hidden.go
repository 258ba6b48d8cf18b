package overlay

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// maxHidden is how many paths are told that no field shows.
const maxHidden = 500

// Hidden are the paths of an object that no field of a form shows, as JSON pointers that have items by their name where they have
// one: at most maxHidden, and then how many more.
func Hidden(form Form, object map[string]any) []string {
	h := &hiding{paths: []string{}}
	form.hide(h, "", nil, object)
	if h.more > 0 {
		h.paths = append(h.paths, fmt.Sprintf("… and %d more", h.more))
	}
	return h.paths
}

// hiding is one run of Hidden.
type hiding struct {
	paths []string
	more  int
}

func (h *hiding) add(path string) {
	if len(h.paths) < maxHidden {
		h.paths = append(h.paths, path)
	} else {
		h.more++
	}
}

var escapes = strings.NewReplacer("~", "~0", "/", "~1")

// step is a path with a name after it.
func step(at, name string) string { return at + "/" + escapes.Replace(name) }

// composite is a codec that shows a value in parts.
type composite interface {
	// hide tells what is not shown of a value, which is not nil.
	hide(h *hiding, at string, value any)
}

func hide(h *hiding, at string, by Codec, value any) {
	parts, ok := by.(composite)
	switch {
	case value == nil:
	case ok:
		parts.hide(h, at, value)
	case by.view(value) == nil:
		h.add(at)
	}
}

// hide tells what of an object the fields do not show; below is the way from the form to it.
func (f Form) hide(h *hiding, at string, below []string, object map[string]any) {
	for _, key := range slices.Sorted(maps.Keys(object)) {
		path, way := step(at, key), append(slices.Clip(below), key)
		field, further := f.on(way)
		inner, isObject := object[key].(map[string]any)
		switch {
		case field != nil && field.Is != nil:
			hide(h, path, field.Is, object[key])
		case field != nil, object[key] == nil:
		case further && isObject:
			f.hide(h, path, way, inner)
		default:
			h.add(path)
		}
	}
}

// on is the field at a path, and whether one is further on.
func (f Form) on(path []string) (at *Field, further bool) {
	for i := range f {
		if keys := f[i].path(); len(keys) >= len(path) && slices.Equal(keys[:len(path)], path) {
			if len(keys) == len(path) {
				return &f[i], false
			}
			further = true
		}
	}
	return nil, further
}

func (c Object) hide(h *hiding, at string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		h.add(at)
	}
	c.Form.hide(h, at, nil, object)
}

func (c Union) hide(h *hiding, at string, value any) {
	object, _ := value.(map[string]any)
	form := append(Form{{Name: c.By, Is: c.Is}}, c.Cases[c.typeOf(object)]...)
	Object{Form: form}.hide(h, at, value)
}

func (c List) hide(h *hiding, at string, value any) {
	list, ok := value.([]any)
	view, seen := c.view(value).([]any)
	if !ok || !seen {
		h.add(at)
		return
	}
	for i, item := range list {
		path := step(at, strconv.Itoa(i))
		if c.Needed && len(c.Identity) == 1 {
			fields, _ := view[i].(map[string]any)
			path = at + "[" + c.Identity[0] + "=" + escapes.Replace(fmt.Sprint(fields[c.Identity[0]])) + "]"
		}
		hide(h, path, c.item(), item)
	}
}

func (c Values) hide(h *hiding, at string, value any) {
	list, ok := value.([]any)
	if !ok {
		h.add(at)
	}
	by := orText(c.Is)
	if c.Key != "" {
		by = Object{Form: Form{{Name: c.Key, Is: by}}}
	}
	for i, item := range list {
		hide(h, step(at, strconv.Itoa(i)), by, item)
	}
}

func (c Entries) hide(h *hiding, at string, value any) {
	object, ok := value.(map[string]any)
	if !ok {
		h.add(at)
	}
	for _, key := range slices.Sorted(maps.Keys(object)) {
		if object[key] != nil && c.shown(key, object[key]) == nil && !among(c.Untold, key) {
			h.add(step(at, key))
		}
	}
}
