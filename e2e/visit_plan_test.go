package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

// A visit of the graph is planned from the schema alone: for every type the calls that between them
// select each of its fields, whatever those fields are.

// call is one field to ask of an object: the way to it through values that have no id of their own, and
// what to select there.
type call struct {
	// path is the fields from the object to the one that is asked, which is the last.
	path []*ast.FieldDefinition
	// owner is the type that declares the last field.
	owner *ast.Definition
	// selection is what is selected of it, with its braces; empty for a leaf.
	selection string
}

// field is the one that is asked.
func (c *call) field() *ast.FieldDefinition { return c.path[len(c.path)-1] }

// key names the field: `Type.field`.
func (c *call) key() string { return c.owner.Name + "." + c.field().Name }

// text is the call in GraphQL, with the arguments of its last field.
func (c *call) text(args string) string {
	if args != "" {
		args = "(" + args + ")"
	}
	var b strings.Builder
	for _, f := range c.path[:len(c.path)-1] {
		b.WriteString(f.Name + "{")
	}
	b.WriteString(c.field().Name + args + c.selection)
	b.WriteString(strings.Repeat("}", len(c.path)-1))
	return b.String()
}

// planner derives calls from a schema.
type planner struct {
	*ast.Schema
	t *testing.T
}

// loadSchema reads what the server was generated from.
func loadSchema(t *testing.T) *planner {
	t.Helper()
	files, err := filepath.Glob("../schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatalf("no schema: %v", err)
	}
	var sources []*ast.Source
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: f, Input: string(raw)})
	}
	s, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return &planner{s, t}
}

// isNode tells whether objects of a type (or of all that implement it) can be asked for by id.
func (p *planner) isNode(d *ast.Definition) bool {
	for _, of := range p.PossibleTypes[d.Name] {
		if !slices.Contains(of.Interfaces, "Node") {
			return false
		}
	}
	return d.IsCompositeType()
}

// isPlain tells whether a type holds leaves and other plain types only, none of which takes arguments.
func (p *planner) isPlain(d *ast.Definition) bool {
	if d.IsLeafType() {
		return true
	}
	if d.Kind != ast.Object || p.isNode(d) {
		return false
	}
	for _, f := range d.Fields {
		if !builtin(f) && (len(f.Arguments) > 0 || !p.isPlain(p.Types[f.Type.Name()])) {
			return false
		}
	}
	return true
}

func builtin(f *ast.FieldDefinition) bool { return strings.HasPrefix(f.Name, "__") }

// calls are what it takes to visit every field of a type: its plain fields in one go, which is returned
// first as a selection, and each other field by itself.
func (p *planner) calls(d *ast.Definition) (plain string, others []call) {
	return p.plain(d), p.descend(d, nil)
}

// plain selects every field of a type that is plain.
func (p *planner) plain(d *ast.Definition) string {
	out := []string{"__typename"}
	for _, f := range d.Fields {
		of := p.Types[f.Type.Name()]
		switch {
		case builtin(f) || len(f.Arguments) > 0 || !p.isPlain(of):
		case of.IsLeafType():
			out = append(out, f.Name)
		default:
			out = append(out, f.Name+p.plain(of))
		}
	}
	return "{" + strings.Join(out, " ") + "}"
}

// brief selects the leaves of a type: enough to see that an edge leads to a whole object.
func (p *planner) brief(d *ast.Definition) string {
	out := []string{"__typename"}
	for _, f := range d.Fields {
		if !builtin(f) && len(f.Arguments) == 0 && p.Types[f.Type.Name()].IsLeafType() {
			out = append(out, f.Name)
		}
	}
	return "{" + strings.Join(out, " ") + "}"
}

func (p *planner) descend(d *ast.Definition, path []*ast.FieldDefinition) (out []call) {
	for _, f := range d.Fields {
		of := p.Types[f.Type.Name()]
		here := append(slices.Clone(path), f)
		switch {
		case builtin(f), len(f.Arguments) == 0 && p.isPlain(of):
		case of.IsLeafType():
			out = append(out, call{here, d, ""})
		case len(f.Arguments) > 0:
			out = append(out, call{here, d, p.whole(of)})
		case p.isNode(of):
			out = append(out, call{here, d, p.brief(of)})
		default:
			out = append(out, call{here, d, p.plain(of)})
			out = append(out, p.descend(of, here)...)
		}
	}
	return out
}

// whole selects all of a type that is reached by a field with arguments: of an object its leaves, of a
// page everything.
func (p *planner) whole(d *ast.Definition) string {
	if p.isNode(d) {
		return p.brief(d)
	}
	out := []string{"__typename"}
	for _, f := range d.Fields {
		of := p.Types[f.Type.Name()]
		switch {
		case builtin(f):
		case slices.ContainsFunc(f.Arguments, func(a *ast.ArgumentDefinition) bool { return a.Type.NonNull && a.DefaultValue == nil }):
			// Nothing of this kind exists; who adds it has to say here how it is visited.
			p.t.Fatalf("%s.%s needs arguments below a field that takes some, too", d.Name, f.Name)
		case of.IsLeafType():
			out = append(out, f.Name)
		default:
			out = append(out, f.Name+p.whole(of))
		}
	}
	return "{" + strings.Join(out, " ") + "}"
}

// visitTyped are the inputs of mutations that previews take, too: what they hold is for TestTypedInputsGoBothWays.
var visitTyped = map[string]bool{"PropagationPolicyInput": true, "OverridePolicyInput": true}

// reachable is every object type and every input that a query can come to.
func (p *planner) reachable() (objects, inputs []*ast.Definition) {
	known := map[string]bool{}
	queue := []*ast.Definition{p.Query}
	add := func(name string) {
		if !known[name] {
			known[name] = true
			queue = append(queue, p.Types[name])
		}
	}
	for len(queue) > 0 {
		d := queue[0]
		queue = queue[1:]
		switch d.Kind {
		case ast.Object:
			objects = append(objects, d)
		case ast.InputObject:
			inputs = append(inputs, d)
		case ast.Interface, ast.Union:
			for _, of := range p.PossibleTypes[d.Name] {
				add(of.Name)
			}
		}
		for _, f := range d.Fields {
			if builtin(f) || visitTyped[f.Type.Name()] {
				continue
			}
			add(f.Type.Name())
			for _, a := range f.Arguments {
				add(a.Type.Name())
			}
		}
	}
	return objects, inputs
}

// variant is one way to give the optional arguments of a field.
type variant struct {
	args string
	// uses is the input field that it tries, as `Input.field`; empty when it tries an argument itself.
	uses string
}

// variants are what it takes to give each optional argument of a field once: every entry of a filter by
// itself, every order both ways, every value of an enum; what base gives stays as it is. `first` and
// `after` are for paging, which needs an answer to begin with. Unknown is what the tables have no value for.
func (p *planner) variants(owner *ast.Definition, f *ast.FieldDefinition, base string) (out []variant, unknown []string) {
	for _, a := range f.Arguments {
		of := p.Types[a.Type.Name()]
		key := owner.Name + "." + f.Name + "(" + a.Name + ")"
		switch {
		case a.Name == "first" || a.Name == "after" || strings.Contains(base, a.Name+":"):
		case of.Kind == ast.Enum:
			for _, v := range of.EnumValues {
				out = append(out, variant{args: a.Name + ":" + v.Name})
			}
		case strings.HasSuffix(of.Name, "Order"):
			for _, field := range p.Types[of.Fields.ForName("field").Type.Name()].EnumValues {
				for _, way := range p.Types["OrderDirection"].EnumValues {
					out = append(out, variant{args: fmt.Sprintf("%s:{field:%s direction:%s}", a.Name, field.Name, way.Name)})
				}
			}
		case of.Kind == ast.InputObject:
			for _, in := range of.Fields {
				uses := of.Name + "." + in.Name
				values, ok := p.values(uses, in)
				if !ok {
					unknown = append(unknown, uses)
				}
				for _, v := range values {
					out = append(out, variant{a.Name + ":{" + in.Name + ":" + v + "}", uses})
				}
			}
		default:
			values, ok := visitArguments[key]
			if !ok {
				unknown = append(unknown, key)
			}
			for _, v := range values {
				out = append(out, variant{args: a.Name + ":" + v})
			}
		}
	}
	return out, unknown
}

// values are those to give an input field: of an enum all that it has, else those of the table.
func (p *planner) values(key string, in *ast.FieldDefinition) ([]string, bool) {
	if values, ok := visitInputs[key]; ok {
		return values, true
	}
	of := p.Types[in.Type.Name()]
	if of.Kind != ast.Enum {
		return nil, false
	}
	var all []string
	for _, v := range of.EnumValues {
		all = append(all, v.Name)
	}
	if in.Type.Elem != nil {
		return []string{"[" + strings.Join(all, " ") + "]"}, true
	}
	return all, true
}
