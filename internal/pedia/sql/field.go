package sql

import (
	"encoding/json"
	"regexp"
	"slices"
	"strconv"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Involving holds for events about objects with one of the uids.
func Involving(uids ...string) Condition { return involving(uids) }

type involving []string

func (c involving) sql(s *builder) {
	s.write(indexes.IsEvent, " AND ", indexes.EventObject)
	s.anyOf(c)
}

func (c involving) searched() bool { return true }

func (c involving) match(v *View) truth {
	return Field([]string{"involvedObject", "uid"}, c...).match(v)
}

// Field holds for rows whose field has one of the values, as text. The path is field names from the top; it never
// contains user input.
func Field(path []string, values ...string) Condition { return fieldCondition{path, values} }

type fieldCondition struct {
	path   []string
	values []string
}

func (c fieldCondition) sql(s *builder) {
	s.write("(")
	field(s, c.path[:len(c.path)-1])
	s.write("->>")
	fieldName(s, c.path[len(c.path)-1])
	s.write(")")
	s.anyOf(c.values)
}

func (c fieldCondition) match(v *View) truth {
	text, ok := textOf(v.field(c.path))
	return truthOf(ok && slices.Contains(c.values, text))
}

// field writes the value at a path as jsonb.
func field(s *builder, path []string) {
	s.write("object")
	for _, name := range path {
		s.write("->")
		fieldName(s, name)
	}
}

// fieldName writes the name of a field: as a constant, which an index can match, where it has only plain characters.
func fieldName(s *builder, name string) {
	if plainName.MatchString(name) {
		s.write("'", name, "'")
		return
	}
	s.value(name)
}

// textOf is a value as the store's `->>` returns it; false for none.
func textOf(v any) (string, bool) {
	switch v := v.(type) {
	case nil:
		return "", false
	case string:
		return v, true
	case bool:
		return strconv.FormatBool(v), true
	}
	raw, err := json.Marshal(v)
	return string(raw), err == nil
}

// FieldContainedIn holds for rows whose field is a map of strings that is a subset of the given one, as the selector of
// a Service is a subset of the labels of its pods. An empty field is a subset of nothing.
func FieldContainedIn(path []string, set map[string]string) Condition {
	return fieldContainedIn{path, set}
}

type fieldContainedIn struct {
	path []string
	set  map[string]string
}

func (c fieldContainedIn) sql(s *builder) {
	s.write("jsonb_typeof(")
	field(s, c.path)
	s.write(") = 'object' AND (")
	field(s, c.path)
	s.write(") <> '{}'::jsonb AND (")
	field(s, c.path)
	s.write(") <@ ")
	if c.set == nil {
		s.json(struct{}{})
		return
	}
	s.json(c.set)
}

func (c fieldContainedIn) match(v *View) truth {
	part, ok := v.field(c.path).(map[string]any)
	if !ok || len(part) == 0 {
		return no
	}
	for key, value := range part {
		text, ok := value.(string)
		if have, there := c.set[key]; !ok || !there || have != text {
			return no
		}
	}
	return yes
}

// FieldContains holds for rows whose field contains a value in PostgreSQL's sense: an object that has at least its
// fields, a list that has an element for each of its elements. The value is encoded as JSON.
func FieldContains(path []string, value any) Condition { return fieldContains{path, value} }

type fieldContains struct {
	path  []string
	value any
}

func (c fieldContains) sql(s *builder) {
	s.write("COALESCE((")
	field(s, c.path)
	s.write(") @> ")
	s.json(c.value)
	s.write(", false)")
}

func (c fieldContains) match(v *View) truth {
	raw, err := json.Marshal(c.value)
	var want any
	if err != nil || json.Unmarshal(raw, &want) != nil {
		return no
	}
	got := v.field(c.path)
	return truthOf(got != nil && jsonContains(got, want, true))
}

// jsonContains is containment of JSON documents. At the top level a list contains a bare value that is one of its
// elements.
func jsonContains(got, want any, top bool) bool {
	switch want := want.(type) {
	case map[string]any:
		object, ok := got.(map[string]any)
		if !ok {
			return false
		}
		for key, w := range want {
			if g, there := object[key]; !there || !jsonContains(g, w, false) {
				return false
			}
		}
		return true
	case []any:
		list, ok := got.([]any)
		return ok && !slices.ContainsFunc(want, func(w any) bool {
			return !slices.ContainsFunc(list, func(g any) bool { return jsonContains(g, w, false) })
		})
	}
	if list, ok := got.([]any); ok && top {
		return slices.Contains(list, want)
	}
	switch got.(type) {
	case map[string]any, []any:
		return false
	}
	return got == want
}

var plainName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9]*$`)
