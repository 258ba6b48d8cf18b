package resolvers_test

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// What makes queries of the schema at random, and holds answers against each other.

// selection is a field with its alias and arguments, or `... on Type`, and what is selected below it.
type selection struct {
	text  string
	below []*selection
}

func (s *selection) String() string {
	if len(s.below) == 0 {
		return s.text
	}
	var parts []string
	for _, b := range s.below {
		parts = append(parts, b.String())
	}
	return s.text + "{__typename " + strings.Join(parts, " ") + "}"
}

// chains are the selections that lead to one leaf each.
func (s *selection) chains() []*selection {
	if len(s.below) == 0 {
		return []*selection{s}
	}
	var out []*selection
	for _, b := range s.below {
		for _, c := range b.chains() {
			out = append(out, &selection{s.text, []*selection{c}})
		}
	}
	return out
}

// asker makes selections at random.
type asker struct {
	*schematest.Schema
	*rand.Rand
	arguments schematest.Values
	cursors   *cursors
	// left is how many fields the query may still have, aliases how many aliases it has.
	left, aliases int
}

// cursors are those of the lists that were read, by field.
type cursors struct {
	mu  sync.Mutex
	all map[string][]string
}

// query selects below an entry.
func (a *asker) query() *selection {
	types := a.Types()
	var name string
	var below []*selection
	// Of some fields not all arguments are known: it may be that nothing of a type was selected.
	for left := a.left; len(below) == 0; {
		a.left, name = left, types[a.IntN(len(types))]
		below = a.object(name, 3)
	}
	entries := a.Entries(name)
	for _, step := range slices.Backward(entries[a.IntN(len(entries))]) {
		below = []*selection{{step, below}}
	}
	return &selection{"", below}
}

// object selects some fields of an object type: often one of them twice.
func (a *asker) object(typeName string, depth int) []*selection {
	var leaves, edges []*ast.FieldDefinition
	for _, f := range a.Fields(typeName) {
		if a.Deprecated(f) {
			continue
		}
		if a.IsLeaf(f) {
			leaves = append(leaves, f)
		} else {
			edges = append(edges, f)
		}
	}
	var out []*selection
	add := func(f *ast.FieldDefinition) {
		call, ok := a.call(typeName, f)
		if !ok || a.left <= 0 {
			return
		}
		a.left--
		a.aliases++
		alias := fmt.Sprintf("a%d: ", a.aliases)
		if a.IsLeaf(f) {
			out = append(out, &selection{alias + call, nil})
		} else if below := a.value(f, depth-1); len(below) > 0 {
			out = append(out, &selection{alias + call, below})
		}
	}
	if depth > 0 && len(edges) > 0 {
		f := edges[a.IntN(len(edges))]
		for range 1 + a.IntN(3) {
			if a.IntN(2) == 0 {
				f = edges[a.IntN(len(edges))]
			}
			add(f)
		}
	}
	for range 2 {
		if len(leaves) > 0 {
			add(leaves[a.IntN(len(leaves))])
		}
	}
	return out
}

// value selects below a field.
func (a *asker) value(f *ast.FieldDefinition, depth int) []*selection {
	d := a.Schema.Schema.Types[f.Type.Name()]
	if a.IsConnection(f) {
		out := []*selection{{"pageInfo", []*selection{{"endCursor", nil}, {"hasNextPage", nil}}}}
		if a.IntN(3) == 0 {
			out = append(out, &selection{"totalCount", nil})
		}
		if below := a.value(d.Fields.ForName("nodes"), depth); len(below) > 0 {
			out = append(out, &selection{"nodes", below})
		}
		return out
	}
	if d.Kind == ast.Object {
		return a.object(d.Name, depth)
	}
	var out []*selection
	possible := a.Objects(d.Name)
	for range 2 {
		on := possible[a.IntN(len(possible))]
		if below := a.object(on, depth); len(below) > 0 {
			out = append(out, &selection{"... on " + on, below})
		}
	}
	return out
}

// call writes a field with arguments at random; false when one is missing that it needs.
func (a *asker) call(typeName string, f *ast.FieldDefinition) (string, bool) {
	args := a.needed(typeName, f)
	for _, arg := range f.Arguments {
		if a.given(typeName, f, arg) != "" || a.IntN(2) == 0 {
			continue
		}
		if arg.Name != "after" {
			some := a.literals(arg.Name, arg.Type)
			args = append(args, arg.Name+": "+some[a.IntN(len(some))])
			continue
		}
		a.cursors.mu.Lock()
		if some := a.cursors.all[f.Name]; len(some) > 0 {
			args = append(args, "after: "+strconv.Quote(some[a.IntN(len(some))]))
		}
		a.cursors.mu.Unlock()
	}
	return withArguments(f.Name, args), a.complete(typeName, f)
}

// given is what an argument of a field is given wherever it is asked for; empty for nothing.
func (a *asker) given(typeName string, f *ast.FieldDefinition, arg *ast.ArgumentDefinition) string {
	return cmp.Or(a.arguments[typeName+"."+f.Name+"."+arg.Name], a.arguments[f.Name+"."+arg.Name])
}

// needed is the arguments that are given wherever a field is asked for.
func (a *asker) needed(typeName string, f *ast.FieldDefinition) []string {
	var out []string
	for _, arg := range f.Arguments {
		if known := a.given(typeName, f, arg); known != "" {
			out = append(out, arg.Name+": "+known)
		}
	}
	return out
}

// complete says whether all arguments that a field needs are known.
func (a *asker) complete(typeName string, f *ast.FieldDefinition) bool {
	return !slices.ContainsFunc(f.Arguments, func(arg *ast.ArgumentDefinition) bool {
		return arg.Type.NonNull && arg.DefaultValue == nil && a.given(typeName, f, arg) == ""
	})
}

func withArguments(name string, args []string) string {
	if len(args) == 0 {
		return name
	}
	return fmt.Sprintf("%s(%s)", name, strings.Join(args, ", "))
}

// texts are what arguments and fields of filters are given, by name.
var texts = map[string][]string{
	"namespaces": {"shop", "vault"}, "namespace": {"shop", "vault"}, "nameContains": {"cart", "till"}, "labelSelector": {"app=cart", "app in (till)", "!app"},
	"clusters": {"member-00", "member-01"}, "kinds": {"Deployment", "ConfigMap"}, "regardingKinds": {"Deployment", "Pod"}, "reasons": {"R", "Other"},
	"names": {"shop", "member-00", "asia"}, "instances": {"asia", "europe"}, "regions": {"odd", "even"}, "providers": {"none"},
	"policy": {"shop/everywhere"}, "apiVersion": {"apps/v1", "v1"}, "kind": {"Deployment", "Service"}, "name": {"cart", "till"},
	"principals": {"ann", "mary"}, "actions": {"scaleWorkload", "patch"},
}

// literals are some values of a type: of one with fields those that differ in one field each.
func (a *asker) literals(name string, t *ast.Type) []string {
	if t.Elem != nil {
		var out []string
		for _, item := range a.literals(name, t.Elem) {
			out = append(out, "["+item+"]")
		}
		return out
	}
	d := a.Schema.Schema.Types[t.NamedType]
	switch {
	case d.Kind == ast.Enum:
		var out []string
		for _, v := range d.EnumValues {
			out = append(out, v.Name)
		}
		return out
	case d.Kind == ast.InputObject:
		return a.objectLiterals(d)
	case d.Name == "Int":
		return []string{"1", "2", "3"}
	case d.Name == "Boolean":
		return []string{"true", "false"}
	case d.Name == "Time":
		return []string{`"2026-01-01T00:00:00Z"`, `"2026-01-02T00:00:00Z"`}
	}
	var out []string
	for _, text := range texts[name] {
		out = append(out, strconv.Quote(text))
	}
	if out == nil {
		return []string{`"cart"`, `"till"`}
	}
	return out
}

func (a *asker) objectLiterals(d *ast.Definition) []string {
	var base []string
	for _, f := range d.Fields {
		if f.Type.NonNull && f.DefaultValue == nil {
			base = append(base, f.Name+": "+a.literals(f.Name, f.Type)[0])
		}
	}
	var out []string
	for _, f := range d.Fields {
		for _, v := range a.literals(f.Name, f.Type) {
			others := slices.DeleteFunc(slices.Clone(base), func(b string) bool { return strings.HasPrefix(b, f.Name+": ") })
			out = append(out, "{"+strings.Join(append(others, f.Name+": "+v), ", ")+"}")
		}
	}
	return out
}

// variants are the calls of a field that differ in one argument each, the one without any first.
func (a *asker) variants(typeName string, f *ast.FieldDefinition) []string {
	base := a.needed(typeName, f)
	out := []string{withArguments(f.Name, base)}
	for _, arg := range f.Arguments {
		if arg.Name == "after" || a.given(typeName, f, arg) != "" {
			continue
		}
		for _, v := range a.literals(arg.Name, arg.Type) {
			out = append(out, withArguments(f.Name, append(slices.Clone(base), arg.Name+": "+v)))
		}
	}
	return out
}

// merged adds an answer to what others have answered of the same objects; false where they contradict each other.
func merged(a, b any) (any, bool) {
	switch b := b.(type) {
	case map[string]any:
		into, ok := a.(map[string]any)
		if !ok {
			return nil, false
		}
		for _, name := range slices.Sorted(maps.Keys(b)) {
			if _, known := into[name]; !known {
				into[name] = b[name]
			} else if into[name], ok = merged(into[name], b[name]); !ok {
				return nil, false
			}
		}
		return into, true
	case []any:
		into, ok := a.([]any)
		if !ok || len(into) != len(b) {
			return nil, false
		}
		for i := range b {
			if into[i], ok = merged(into[i], b[i]); !ok {
				return nil, false
			}
		}
		return into, true
	}
	return a, reflect.DeepEqual(a, b)
}

// places are where errors are, and what they say: each once, for a failed read is told once for all who wait for
// it, and whichever row asked first tells it.
func places(errs []toldError) map[string]bool {
	out := map[string]bool{}
	for _, e := range errs {
		var fields []any
		for _, step := range e.Path {
			if _, index := step.(float64); !index {
				fields = append(fields, step)
			}
		}
		out[fmt.Sprint(fields, e.Extensions.Code, e.Message)] = true
	}
	return out
}

// remember keeps the cursors of an answer.
func (c *cursors) remember(s *selection, data any) {
	for _, b := range s.below {
		name, call, aliased := strings.Cut(b.text, ": ")
		if !aliased || strings.ContainsAny(name, "( ") {
			name, call = b.text, b.text
		}
		name, _, _ = strings.Cut(name, "(")
		field, _, _ := strings.Cut(call, "(")
		for _, o := range objectsIn(data) {
			value := o[strings.TrimSpace(name)]
			if strings.HasPrefix(b.text, "... on ") {
				value = o
			}
			for _, v := range objectsIn(value) {
				info, _ := v["pageInfo"].(map[string]any)
				if cursor, ok := info["endCursor"].(string); ok {
					c.mu.Lock()
					if c.all[field] = append(c.all[field], cursor); len(c.all[field]) > 20 {
						c.all[field] = c.all[field][1:]
					}
					c.mu.Unlock()
				}
			}
			c.remember(b, value)
		}
	}
}

func objectsIn(data any) []map[string]any {
	switch v := data.(type) {
	case map[string]any:
		return []map[string]any{v}
	case []any:
		var out []map[string]any
		for _, item := range v {
			out = append(out, objectsIn(item)...)
		}
		return out
	}
	return nil
}
