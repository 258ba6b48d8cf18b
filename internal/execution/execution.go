package execution

import (
	"context"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Schema knows which fields have to be waited for.
type Schema struct {
	waits map[*ast.FieldDefinition]bool
}

// NewSchema returns what is known of a schema whose fields that have to be waited for are given, as Type.field. Those of
// an interface wait where one of its implementations does.
func NewSchema(schema *ast.Schema, waiting []string) *Schema {
	s := &Schema{waits: map[*ast.FieldDefinition]bool{}}
	named := make(map[string]bool, len(waiting))
	for _, name := range waiting {
		named[name] = true
	}
	for _, t := range schema.Types {
		for _, f := range t.Fields {
			s.waits[f] = named[t.Name+"."+f.Name]
			for _, possible := range schema.PossibleTypes[t.Name] {
				s.waits[f] = s.waits[f] || named[possible.Name+"."+f.Name]
			}
		}
	}
	return s
}

// waiting reports whether something in a selection has to be waited for.
func (s *Schema) waiting(selected ast.SelectionSet) bool {
	for _, one := range selected {
		switch one := one.(type) {
		case *ast.Field:
			if s.waits[one.Definition] || s.waiting(one.SelectionSet) {
				return true
			}
		case *ast.InlineFragment:
			if s.waiting(one.SelectionSet) {
				return true
			}
		case *ast.FragmentSpread:
			if s.waiting(one.Definition.SelectionSet) {
				return true
			}
		}
	}
	return false
}

// List makes the elements of a list: one after the other where all that is selected of them is in hand, and otherwise
// each in a goroutine of its own. It is nil, with an error in the answer, when one of them panics.
func (s *Schema) List(ctx context.Context, selected ast.SelectionSet, n int, element func(ctx context.Context, i int) graphql.Marshaler) graphql.Array {
	if n == 1 || s.waiting(selected) {
		return graphql.MarshalSliceConcurrently(ctx, n, 0, false, element)
	}
	out, indexes := make(graphql.Array, n), make([]int, n)
	for i := range n {
		indexes[i] = i
		ctx := graphql.WithFieldContext(ctx, &graphql.FieldContext{Index: &indexes[i]})
		if !elementOf(ctx, out, i, element) {
			return nil
		}
	}
	return out
}

// elementOf makes one element; false when it panics.
func elementOf(ctx context.Context, out graphql.Array, i int, element func(ctx context.Context, i int) graphql.Marshaler) (well bool) {
	defer func() {
		if p := recover(); p != nil {
			graphql.AddError(ctx, graphql.Recover(ctx, p))
		}
	}()
	out[i] = element(ctx, i)
	return true
}

// Value makes a field whose value is in hand, and may have fields of its own: their errors name the path. It is null,
// with an error in the answer, when it panics.
func Value[T any](ctx context.Context, oc *graphql.OperationContext, object string, field graphql.CollectedField, v T, marshal func(context.Context, ast.SelectionSet, T) graphql.Marshaler) (out graphql.Marshaler) {
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object, Field: field})
	defer func() {
		if p := recover(); p != nil {
			oc.Error(ctx, oc.Recover(ctx, p))
			out = graphql.Null
		}
	}()
	return marshal(ctx, field.Selections, v)
}

// Resolved makes a field by a resolver that does not wait: see Value.
func Resolved[T any](ctx context.Context, oc *graphql.OperationContext, object string, field graphql.CollectedField, resolve func(context.Context) (T, error), marshal func(context.Context, ast.SelectionSet, T) graphql.Marshaler) (out graphql.Marshaler) {
	ctx = graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object, Field: field, IsMethod: true, IsResolver: true})
	defer func() {
		if p := recover(); p != nil {
			oc.Error(ctx, oc.Recover(ctx, p))
			out = graphql.Null
		}
	}()
	v, err := resolve(ctx)
	if err != nil {
		oc.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
		return graphql.Null
	}
	return marshal(ctx, field.Selections, v)
}
