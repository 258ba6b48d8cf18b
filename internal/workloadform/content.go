package workloadform

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// content is what a field holds, in the object and in the form.
type content interface {
	// show is what the form shows of a value, which is not nil; false when it cannot show it. What it leaves out of one that it
	// shows is told to r.
	show(r *reader, at string, value any) (any, bool)
	// shows reports whether show can show a value; cheaply.
	shows(value any) bool
	// set is a value that shows what is given, which is not nil; made of the one that is there, which show can show or is nil.
	set(w *writer, at []string, value, given any) any
	// clear is what is left of a value when nothing of what is shown of it is to stay; nil for nothing.
	clear(value any) any
	// find is where below the field the rest of an object's path is given.
	find(path []string, form any) []string
}

// field is one field of a form.
type field struct {
	name string
	// path is where it is in the object, from the place of the object that holds it; the name when empty.
	path string
	of   content
	// kinds are those that have it; nil for all. Of the workload's own fields alone.
	kinds []kind
}

// steps are the names on the way to it.
func (f *field) steps() []string {
	if f.path == "" {
		return []string{f.name}
	}
	return strings.Split(f.path, ".")
}

// object is an object of which the form shows these fields.
type object struct {
	fields []field
	// ignored are paths that mean nothing to people.
	ignored []string

	once sync.Once
	root *node
}

// node is a step on the way to fields.
type node struct {
	field    *field
	ignored  bool
	children map[string]*node
}

// tree is the fields by their paths.
func (o *object) tree() *node {
	o.once.Do(func() {
		o.root = &node{}
		for i := range o.fields {
			o.root.at(o.fields[i].steps()).field = &o.fields[i]
		}
		for _, path := range o.ignored {
			o.root.at(strings.Split(path, ".")).ignored = true
		}
	})
	return o.root
}

// at is the node at a path, which is made where there is none.
func (n *node) at(path []string) *node {
	for _, step := range path {
		if n.children == nil {
			n.children = map[string]*node{}
		}
		if n.children[step] == nil {
			n.children[step] = &node{}
		}
		n = n.children[step]
	}
	return n
}

func (o *object) show(r *reader, at string, value any) (any, bool) {
	fields, ok := value.(map[string]any)
	if !ok {
		return nil, false
	}
	form := map[string]any{}
	o.tree().show(r, at, fields, form)
	return form, true
}

// show adds to a form what it shows of an object.
func (n *node) show(r *reader, at string, object map[string]any, form Form) {
	for _, name := range sortedKeys(object) {
		value, next, path := object[name], n.children[name], ""
		if r != nil {
			path = at + "/" + escape(name)
		}
		switch {
		case value == nil || next != nil && next.ignored:
		case next == nil:
			r.hide(path)
		case next.field == nil:
			if inner, ok := value.(map[string]any); ok {
				next.show(r, path, inner, form)
			} else {
				r.hide(path)
			}
		default:
			shown, ok := next.field.of.show(r, path, value)
			if !ok {
				r.hide(path)
				continue
			}
			form[next.field.name] = shown
		}
	}
}

func (o *object) shows(value any) bool {
	_, ok := value.(map[string]any)
	return ok
}

func (o *object) set(w *writer, at []string, value, given any) any {
	form, ok := given.(map[string]any)
	if !ok {
		w.problem(at, "is %s; an object is needed", described(given))
		return value
	}
	out, ok := value.(map[string]any)
	if !ok {
		out = map[string]any{}
	}
	for i := range o.fields {
		f := &o.fields[i]
		if want, there := form[f.name]; there {
			f.set(w, below(at, f.name), out, want)
		}
	}
	return out
}

// set changes a field of an object to what is given.
func (f *field) set(w *writer, at []string, object map[string]any, given any) {
	steps := f.steps()
	value := lookup(object, steps)
	if value != nil && !f.of.shows(value) {
		value = nil // nobody was shown it: what is given takes its place, and nothing leaves it
	}
	last := steps[len(steps)-1]
	switch list, isList := given.([]any); {
	case value == nil && (given == nil || isList && len(list) == 0):
	case given == nil:
		holder := within(object, steps[:len(steps)-1]...)
		if left := f.of.clear(value); left != nil {
			holder[last] = left
		} else {
			delete(holder, last)
		}
	default:
		within(object, steps[:len(steps)-1]...)[last] = f.of.set(w, at, value, given)
	}
}

func (o *object) clear(any) any { return nil }

func (o *object) find(path []string, form any) []string {
	given, _ := form.(map[string]any)
	n := o.tree()
	for i, step := range path {
		if n = n.children[step]; n == nil {
			return nil
		}
		if n.field != nil {
			return append([]string{n.field.name}, n.field.of.find(path[i+1:], given[n.field.name])...)
		}
	}
	return nil
}

// reader gathers what is not shown; nil gathers nothing.
type reader struct {
	hidden []string
	more   int
}

func (r *reader) hide(path string) {
	switch {
	case r == nil:
	case len(r.hidden) < maxHidden:
		r.hidden = append(r.hidden, path)
	default:
		r.more++
	}
}

// writer gathers what is wrong with a form.
type writer struct{ problems []Problem }

func (w *writer) problem(at []string, format string, args ...any) {
	if len(w.problems) < maxProblems {
		w.problems = append(w.problems, Problem{Field: slices.Clone(at), Message: fmt.Sprintf(format, args...)})
	}
}

// below is the path of a field within another one.
func below(at []string, name string) []string { return append(slices.Clone(at), name) }
