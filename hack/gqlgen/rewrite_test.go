package main

import (
	"strings"
	"testing"

	"github.com/99designs/gqlgen/codegen"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
)

// field is a field of type Row: of a scalar, as gqlgen describes it.
func field(name, scalar string, nonNull bool) *codegen.Field {
	return &codegen.Field{
		FieldDefinition: &ast.FieldDefinition{Name: name}, Object: &codegen.Object{Definition: &ast.Definition{Name: "Row"}},
		TypeReference: &config.TypeReference{Definition: &ast.Definition{Kind: ast.Scalar, Name: scalar}, GQL: &ast.Type{NamedType: scalar, NonNull: nonNull}},
	}
}

func generated(resolve string) string {
	return `func (ec *executionContext) _Row_name(ctx context.Context, field graphql.CollectedField, obj *model.Row) (ret graphql.Marshaler) {
	return graphql.ResolveField(
		ctx,
		ec.OperationContext,
		field,
		func(ctx context.Context, field graphql.CollectedField) (*graphql.FieldContext, error) {
			return ec.fieldContext_Row_name(ctx, field)
		},
		func(ctx context.Context) (any, error) {
			return ` + resolve + `
		},
		nil,
		func(ctx context.Context, selections ast.SelectionSet, v string) graphql.Marshaler {
			return ec.marshalNString2string(ctx, selections, v)
		},
		true,
		true,
	)
}
`
}

func TestAFieldInHandIsWrittenAsItIs(t *testing.T) {
	object := &codegen.Object{Definition: &ast.Definition{Name: "Row"}}
	for _, c := range []struct {
		name, scalar, source, want string
	}{
		{"a string", "String", generated("obj.Name, nil"), "\treturn ec.marshalNString2string(ctx, field.Selections, obj.Name)\n"},
		{"a time, which may be written as null", "Time", generated("obj.Name, nil"),
			"\treturn execution.Value[string](ctx, ec.OperationContext, executed, \"Row\", field, obj.Name, ec.marshalNString2string)\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := rewriteField(c.source, object, field("name", c.scalar, true))
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(got, c.want) || strings.Contains(got, "ResolveField") {
				t.Errorf("it becomes\n%s\nwant\n%s", got, c.want)
			}
		})
	}
	t.Run("a resolver that waits stays", func(t *testing.T) {
		waits := field("name", "String", true)
		waits.IsResolver = true
		source := generated("ec.Resolvers.Row().Name(ctx, obj)")
		if got, err := rewriteField(source, object, waits); err != nil || got != source {
			t.Errorf("it becomes\n%s\nand %v", got, err)
		}
	})
}

func TestCodeOfAnotherGqlgenIsRefused(t *testing.T) {
	object := &codegen.Object{Definition: &ast.Definition{Name: "Row"}}
	for name, source := range map[string]string{
		"lists":  "\tret := graphql.MarshalSliceConcurrently(ctx, len(v), 8, false, func(ctx context.Context, i int) graphql.Marshaler {\n",
		"defer":  "\t\t\tif field.IsDeferred() { return }\n",
		"fields": strings.Replace(generated("obj.Name, nil"), "ResolveField", "ResolveNewField", 1),
	} {
		o := *object
		o.Fields = []*codegen.Field{field("name", "String", true)}
		if got, err := rewrite(source, codegen.Objects{&o}); err == nil {
			t.Errorf("%s: it becomes\n%s", name, got)
		}
	}
}
