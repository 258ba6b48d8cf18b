package schematest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
)

// Position is a place in the arguments of a field for a value of a named type.
type Position struct {
	// Owner is the type that has the field.
	Owner string
	Field *ast.FieldDefinition
	// Place is the argument and the fields of inputs that lead to the value.
	Place []string
	// List says that the value is an item of a list.
	List bool
	// Argument is the type of the argument.
	Argument *ast.Type
}

func (p Position) String() string {
	return fmt.Sprintf("%s.%s(%s)", p.Owner, p.Field.Name, strings.Join(p.Place, "."))
}

// Positions is every place where queries, and mutations and subscriptions at their root, accept a value of some types.
func (s *Schema) Positions(of func(*ast.Definition) bool) []Position {
	var out []Position
	for _, owner := range append(s.Types(), s.Mutation.Name, s.Subscription.Name) {
		for _, f := range s.Fields(owner) {
			for _, a := range f.Arguments {
				s.positions(Position{Owner: owner, Field: f, Place: []string{a.Name}, Argument: a.Type}, a.Type, of, &out)
			}
		}
	}
	return out
}

func (s *Schema) positions(at Position, t *ast.Type, of func(*ast.Definition) bool, out *[]Position) {
	d := s.Schema.Types[t.Name()]
	at.List = at.List || t.Elem != nil
	if of(d) {
		*out = append(*out, at)
	}
	const deepest = 5
	if d.Kind != ast.InputObject || at.List || len(at.Place) == deepest {
		return
	}
	for _, f := range d.Fields {
		below := at
		below.Place = append(slices.Clone(at.Place), f.Name)
		s.positions(below, f.Type, of, out)
	}
}

// Value is the argument with a literal at the position, and nothing else.
func (p Position) Value(literal string) string {
	if p.List {
		literal = "[" + literal + "]"
	}
	for _, name := range slices.Backward(p.Place[1:]) {
		literal = "{" + name + ": " + literal + "}"
	}
	return literal
}

// Call writes the field with a value, or a variable, for the argument of the position, and its other required
// arguments; it is false when one of those is missing.
func (s *Schema) Call(p Position, value string) (string, bool) {
	args := []string{p.Place[0] + ": " + value}
	for _, a := range p.Field.Arguments {
		if a.Name == p.Place[0] || !a.Type.NonNull || a.DefaultValue != nil {
			continue
		}
		given, ok := s.values[p.Owner+"."+p.Field.Name+"."+a.Name]
		if !ok {
			given, ok = s.values[p.Field.Name+"."+a.Name]
		}
		if !ok {
			return "", false
		}
		args = append(args, a.Name+": "+given)
	}
	call := p.Field.Name + "(" + strings.Join(args, ", ") + ")"
	if !s.IsLeaf(p.Field) {
		call += "{__typename}"
	}
	return call, true
}
