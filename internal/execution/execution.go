package execution

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
)

// Fields names fields, as Type.field, by what it takes to make them. All others have their value in hand.
type Fields struct {
	// Waiting may have to wait for an upstream, each element of a list for itself.
	Waiting []string
	// Shared may have to wait, too, but the first element of a list that does reads for all of them.
	Shared []string
	// Plain are scalars in hand that can be written as they are: nothing can go wrong.
	Plain []string
}

// class is what it takes to make a field. That of a selection is the highest of its fields.
type class int

const (
	plain class = iota
	inHand
	shared
	waits
)

// Schema knows what it takes to make each field.
type Schema struct {
	classes map[*ast.FieldDefinition]class
}

// NewSchema returns what is known of a schema's fields. Those of an interface take what its implementations do.
func NewSchema(schema *ast.Schema, fields Fields) *Schema {
	named := map[string]class{}
	for c, names := range map[class][]string{plain: fields.Plain, shared: fields.Shared, waits: fields.Waiting} {
		for _, name := range names {
			named[name] = c
		}
	}
	of := func(t *ast.Definition, f *ast.FieldDefinition) class {
		if c, ok := named[t.Name+"."+f.Name]; ok {
			return c
		}
		return inHand
	}
	s := &Schema{classes: map[*ast.FieldDefinition]class{}}
	for _, t := range schema.Types {
		for _, f := range t.Fields {
			c := of(t, f)
			if t.IsAbstractType() {
				c = plain
				for _, possible := range schema.PossibleTypes[t.Name] {
					c = max(c, of(possible, f))
				}
			}
			s.classes[f] = c
		}
	}
	return s
}

// classOf is what it takes to make a selection.
func (s *Schema) classOf(selected ast.SelectionSet) class {
	c := plain
	for _, one := range selected {
		switch one := one.(type) {
		case *ast.Field:
			if one.Name != "__typename" {
				c = max(c, s.classes[one.Definition], s.classOf(one.SelectionSet))
			}
		case *ast.InlineFragment:
			c = max(c, s.classOf(one.SelectionSet))
		case *ast.FragmentSpread:
			c = max(c, s.classOf(one.Definition.SelectionSet))
		}
		if c == waits {
			return c
		}
	}
	return c
}

// workers make the elements of a list whose fields are read for all of them at once: so few that their stacks, which grow
// with the depth of the answer, are few, and so many that fields which only some elements have are read beside each other.
const workers = 4

// List makes the elements of a list: one after the other where all that is selected of them is in hand, by a few workers
// where the first elements read for the others, and otherwise each in a goroutine of its own. It is nil, with an error in
// the answer, when one of them panics.
func (s *Schema) List(ctx context.Context, selected ast.SelectionSet, n int, element func(ctx context.Context, i int) graphql.Marshaler) graphql.Array {
	c := s.classOf(selected)
	if n == 1 || c == waits {
		return graphql.MarshalSliceConcurrently(ctx, n, 0, false, element)
	}
	out, indexes := make(graphql.Array, n), make([]int, n)
	one := func(ctx context.Context, i int) bool {
		indexes[i] = i
		return elementOf(graphql.WithFieldContext(ctx, &graphql.FieldContext{Index: &indexes[i]}), out, i, element)
	}
	if c != shared {
		for i := range n {
			if !one(ctx, i) {
				return nil
			}
		}
		return out
	}
	later := context.WithValue(ctx, readKey{}, true)
	var all sync.WaitGroup
	var failed atomic.Bool
	for worker := range min(workers, n) {
		all.Go(func() {
			for i, ctx := worker, ctx; i < n && !failed.Load(); i, ctx = i+workers, later {
				if !one(ctx, i) {
					failed.Store(true)
				}
			}
		})
	}
	all.Wait()
	if failed.Load() {
		return nil
	}
	return out
}

// readKey marks contexts of elements for which earlier ones have read.
type readKey struct{}

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

// Value makes a field whose value is in hand, and may have fields of its own. It is null, with an error in the answer,
// when it panics.
func Value[T any](ctx context.Context, oc *graphql.OperationContext, s *Schema, object string, field graphql.CollectedField, v T, marshal func(context.Context, ast.SelectionSet, T) graphql.Marshaler) (out graphql.Marshaler) {
	outside := ctx
	if s.classOf(field.Selections) != plain { // only what can go wrong needs the path
		ctx = within(ctx, object, field)
	}
	defer func() {
		if p := recover(); p != nil {
			out = panicked(outside, oc, object, field, p)
		}
	}()
	return marshal(ctx, field.Selections, v)
}

// Resolved makes a field by a resolver that does not wait, and knows nothing of the field's place: see Value.
func Resolved[T any](ctx context.Context, oc *graphql.OperationContext, s *Schema, object string, field graphql.CollectedField, resolve func(context.Context) (T, error), marshal func(context.Context, ast.SelectionSet, T) graphql.Marshaler) (out graphql.Marshaler) {
	outside := ctx
	defer func() {
		if p := recover(); p != nil {
			out = panicked(outside, oc, object, field, p)
		}
	}()
	v, err := resolve(ctx)
	if err != nil {
		ctx = within(ctx, object, field)
		oc.Error(ctx, graphql.AddFieldLocationToError(ctx, err))
		return graphql.Null
	}
	if s.classOf(field.Selections) != plain {
		ctx = within(ctx, object, field)
	}
	return marshal(ctx, field.Selections, v)
}

// within is the context of a field, which has its path.
func within(ctx context.Context, object string, field graphql.CollectedField) context.Context {
	return graphql.WithFieldContext(ctx, &graphql.FieldContext{Object: object, Field: field})
}

// panicked is the result of a field that panicked.
func panicked(ctx context.Context, oc *graphql.OperationContext, object string, field graphql.CollectedField, p any) graphql.Marshaler {
	ctx = within(ctx, object, field)
	oc.Error(ctx, oc.Recover(ctx, p))
	return graphql.Null
}
