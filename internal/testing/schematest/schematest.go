// Package schematest derives queries from the schema itself, for tests that have to reach every field of it: a new
// field is tested automatically.
package schematest

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/graph"
)

// Values are the required arguments of fields, as GraphQL literals, by `Type.field.argument` or, for a field of any
// type, by `field.argument`. Optional arguments are given too if listed here.
type Values map[string]string

// Schema is the schema, with the argument values of a test.
type Schema struct {
	*ast.Schema
	values  Values
	entries map[string][]Path
}

// Load is the schema as served. Entries are paths to objects that a test has, by their type; other types are reached
// the shortest way from the entries, or from the root.
func Load(tb testing.TB, values Values, entries map[string][]Path) *Schema {
	tb.Helper()
	s := &Schema{Schema: graph.NewExecutableSchema(graph.Config{}).Schema(), values: values, entries: maps.Clone(entries)}
	if s.entries == nil {
		s.entries = map[string][]Path{}
	}
	for name := range s.entries {
		if d := s.Schema.Types[name]; d == nil || d.Kind != ast.Object {
			tb.Fatalf("there is an entry for %s, which is no object type of the schema", name)
		}
	}
	s.reach()
	return s
}

// reach finds a path to every reachable type: those nearest to the root and to the entries first.
func (s *Schema) reach() {
	if len(s.entries[s.Query.Name]) == 0 {
		s.entries[s.Query.Name] = []Path{{}}
	}
	known := slices.Sorted(maps.Keys(s.entries))
	for len(known) > 0 {
		var next []string
		for _, from := range known {
			for _, f := range s.Fields(from) {
				call, ok := s.call(from, f)
				if !ok {
					continue
				}
				for _, to := range s.Objects(f.Type.Name()) {
					if len(s.entries[to]) > 0 {
						continue
					}
					path := slices.Concat(s.entries[from][0], Path{call})
					if to != f.Type.Name() {
						path = append(path, on+to)
					}
					s.entries[to] = []Path{path}
					next = append(next, to)
				}
			}
		}
		known = next
	}
}

// Objects is the object types that a value of a type can have, by name.
func (s *Schema) Objects(name string) []string {
	var out []string
	d := s.Schema.Types[name]
	switch {
	case d.Kind == ast.Object:
		out = append(out, name)
	case d.IsAbstractType():
		for _, t := range s.GetPossibleTypes(d) {
			if t.Kind == ast.Object {
				out = append(out, t.Name)
			}
		}
	}
	slices.Sort(out)
	return out
}

// Types is the object types that queries can reach, by name.
func (s *Schema) Types() []string {
	return slices.Sorted(maps.Keys(s.entries))
}

// Unreached is the object types that no query reaches, although they are not part of a mutation or subscription only:
// arguments are missing in the values.
func (s *Schema) Unreached() []string {
	var out []string
	seen := map[string]bool{s.Query.Name: true}
	for queue := []string{s.Query.Name}; len(queue) > 0; queue = queue[1:] {
		for _, f := range s.Fields(queue[0]) {
			for _, to := range s.Objects(f.Type.Name()) {
				if seen[to] {
					continue
				}
				seen[to] = true
				queue = append(queue, to)
				if len(s.entries[to]) == 0 {
					out = append(out, to)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

// Entries is the paths to objects of a type.
func (s *Schema) Entries(typeName string) []Path { return s.entries[typeName] }

// Fields is the fields of a type, without those of introspection.
func (s *Schema) Fields(typeName string) []*ast.FieldDefinition {
	return slices.DeleteFunc(slices.Clone([]*ast.FieldDefinition(s.Schema.Types[typeName].Fields)), func(f *ast.FieldDefinition) bool {
		return strings.HasPrefix(f.Name, "__")
	})
}

// Deprecated reports whether a field is deprecated.
func (s *Schema) Deprecated(f *ast.FieldDefinition) bool {
	return f.Directives.ForName("deprecated") != nil
}

// IsLeaf reports whether a field has a value without subfields.
func (s *Schema) IsLeaf(f *ast.FieldDefinition) bool {
	return s.Schema.Types[f.Type.Name()].IsLeafType()
}

// IsConnection reports whether a field is a paged list.
func (s *Schema) IsConnection(f *ast.FieldDefinition) bool {
	return strings.HasSuffix(f.Type.Name(), "Connection")
}

// Select writes a field with its required arguments, and a minimal selection: the names of types. It is false when an
// argument is missing.
func (s *Schema) Select(typeName string, f *ast.FieldDefinition) (string, bool) {
	call, ok := s.call(typeName, f)
	switch {
	case !ok, s.IsLeaf(f):
		return call, ok
	case s.IsConnection(f):
		return call + "{nodes{__typename}}", true
	}
	return call + "{__typename}", true
}

// call writes a field with its arguments.
func (s *Schema) call(typeName string, f *ast.FieldDefinition) (string, bool) {
	var args []string
	for _, a := range f.Arguments {
		value, ok := s.values[typeName+"."+f.Name+"."+a.Name]
		if !ok {
			value, ok = s.values[f.Name+"."+a.Name]
		}
		switch {
		case ok:
			args = append(args, a.Name+": "+value)
		case a.Type.NonNull && a.DefaultValue == nil:
			return "", false
		}
	}
	if len(args) == 0 {
		return f.Name, true
	}
	return fmt.Sprintf("%s(%s)", f.Name, strings.Join(args, ", ")), true
}
