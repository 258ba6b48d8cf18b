package execution_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/validator/rules"

	"github.com/kairship-io/kairship/internal/execution"
)

const schemaText = `
interface Row { name: String state: String next: Row }
type Deployment implements Row { name: String state: String next: Row kind: String }
type Job implements Row { name: String state: String next: Row }
type Query { rows: [Row!]! }`

// selection is what is selected of rows.
func selection(t *testing.T, schema *ast.Schema, selected string) ast.SelectionSet {
	t.Helper()
	text := "{ rows { " + selected + " } }"
	if strings.Contains(selected, "$x") {
		text = "query ($x: Boolean!) " + text
	}
	for name, fragment := range map[string]string{"f": "state", "g": "next { name }"} {
		if strings.Contains(selected, "..."+name) { // none may be there that is not used
			text += " fragment " + name + " on Row { " + fragment + " }"
		}
	}
	document, errs := gqlparser.LoadQueryWithRules(schema, text, rules.NewDefaultRules())
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	return document.Operations[0].SelectionSet[0].(*ast.Field).SelectionSet
}

// operation is a context in which errors are collected.
func operation(t *testing.T) context.Context {
	t.Helper()
	ctx := graphql.WithOperationContext(t.Context(), &graphql.OperationContext{})
	return graphql.WithResponseContext(ctx, graphql.DefaultErrorPresenter, func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) })
}

func TestElementsGetGoroutinesOnlyWhereSomethingOfThemIsWaitedFor(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	s := execution.NewSchema(schema, execution.Fields{Waiting: []string{"Job.state"}})
	for _, c := range []struct {
		name, selected string
		beside         bool
	}{
		{"what is in hand", "__typename name", false},
		{"what one of the types waits for", "name state", true},
		{"what waits further down", "next { next { state } }", true},
		{"in a fragment for a type that does not wait", "... on Deployment { state kind }", false},
		{"in a fragment for the type that waits", "... on Job { state }", true},
		{"in a named fragment", "...f", true},
		{"in a named fragment in which nothing waits", "...g", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			// Elements that are made beside each other meet; those made one after the other do not.
			const n = 3
			met, beside := make(chan struct{}, n), make(chan struct{})
			out := s.List(operation(t), selection(t, schema, c.selected), n, func(_ context.Context, i int) graphql.Marshaler {
				met <- struct{}{}
				if c.beside {
					if len(met) == n {
						close(beside)
					}
					await(t, beside)
				} else if len(met) != i+1 {
					t.Errorf("element %d is made beside others", i)
				}
				return graphql.MarshalInt(i)
			})
			var b bytes.Buffer
			out.MarshalGQL(&b)
			if b.String() != "[0,1,2]" {
				t.Errorf("the list is %s", b.String())
			}
		})
	}
}

func TestElementsForWhichTheFirstReadAreMadeByFewWorkers(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	s := execution.NewSchema(schema, execution.Fields{Shared: []string{"Job.state"}})
	const n = 50
	var made, together, most atomic.Int32
	read := make(chan struct{})
	out := s.List(operation(t), selection(t, schema, "name state"), n, func(ctx context.Context, i int) graphql.Marshaler {
		for now := together.Add(1); now > most.Load(); {
			most.Store(now)
		}
		defer together.Add(-1)
		// The first element reads for the others: those that begin meanwhile wait for it.
		if i == 0 {
			close(read)
		}
		<-read
		// The fields of the first elements need each other, so that they have to be made beside each other.
		set := execution.NewFieldSet([]graphql.CollectedField{{Field: &ast.Field{Alias: "a"}}, {Field: &ast.Field{Alias: "b"}}})
		a, b := make(chan struct{}), make(chan struct{})
		set.Concurrently(0, func(context.Context) graphql.Marshaler {
			close(a)
			if i < 4 {
				<-b
			}
			return graphql.Null
		})
		set.Concurrently(1, func(context.Context) graphql.Marshaler {
			<-a
			close(b)
			return graphql.Null
		})
		set.Dispatch(ctx)
		made.Add(1)
		return graphql.MarshalInt(i)
	})
	if len(out) != n || made.Load() != n || most.Load() > 4 {
		t.Errorf("%d of %d elements were made, up to %d beside each other", made.Load(), n, most.Load())
	}
	out = s.List(operation(t), selection(t, schema, "state"), n, func(_ context.Context, i int) graphql.Marshaler {
		if i == 7 {
			panic("boom") //nolint:forbidigo // this is the case
		}
		return graphql.Null
	})
	if out != nil {
		t.Errorf("with a panic the list is %v", out)
	}
}

func TestAListIsNullWhenAnElementPanicsAndTheErrorNamesIt(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	ctx := graphql.WithFieldContext(operation(t), &graphql.FieldContext{Field: graphql.CollectedField{Field: &ast.Field{Alias: "rows"}}})
	out := execution.NewSchema(schema, execution.Fields{}).List(ctx, selection(t, schema, "name"), 3, func(_ context.Context, i int) graphql.Marshaler {
		if i == 1 {
			panic("boom") //nolint:forbidigo // this is the case
		}
		return graphql.MarshalInt(i)
	})
	if out != nil {
		t.Errorf("the list is %v", out)
	}
	if diff := cmp.Diff([]string{"rows[1] panic: boom"}, errorsOf(ctx)); diff != "" {
		t.Errorf("errors (-want +got):\n%s", diff)
	}
}

// await waits for others, but not for those that never come.
func await(t *testing.T, others <-chan struct{}) {
	t.Helper()
	select {
	case <-others:
	case <-time.After(10 * time.Second):
		t.Error("it is not made beside the others")
	}
}

func errorsOf(ctx context.Context) []string {
	var out []string
	for _, err := range graphql.GetErrors(ctx) {
		out = append(out, err.Path.String()+" "+err.Message)
	}
	return out
}

func TestAFieldThatFailsOrPanicsIsNullAndItsErrorNamesThePath(t *testing.T) {
	s := execution.NewSchema(gqlparser.MustLoadSchema(&ast.Source{Input: schemaText}), execution.Fields{})
	write := func(_ context.Context, _ ast.SelectionSet, v string) graphql.Marshaler {
		return graphql.MarshalString(v)
	}
	for _, c := range []struct {
		name, want string
		resolve    func(context.Context) (string, error)
		errors     []string
	}{
		{"a value", `"well"`, func(context.Context) (string, error) { return "well", nil }, nil},
		{"an error", "null", func(context.Context) (string, error) { return "", errors.New("no such thing") }, []string{"cluster no such thing"}},
		{"a panic", "null", func(context.Context) (string, error) { panic("boom") }, []string{"cluster panic: boom"}}, //nolint:forbidigo // this is the case
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx := operation(t)
			oc := &graphql.OperationContext{RecoverFunc: func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) }}
			field := graphql.CollectedField{Field: &ast.Field{Alias: "cluster", Name: "cluster", Position: &ast.Position{Line: 2, Column: 3}}}
			var b bytes.Buffer
			execution.Resolved(ctx, oc, s, "Row", field, c.resolve, write).MarshalGQL(&b)
			if b.String() != c.want {
				t.Errorf("it is %s, want %s", b.String(), c.want)
			}
			if diff := cmp.Diff(c.errors, errorsOf(ctx)); diff != "" {
				t.Errorf("errors (-want +got):\n%s", diff)
			}
			for _, err := range graphql.GetErrors(ctx) {
				if c.name == "an error" && (len(err.Locations) != 1 || err.Locations[0] != gqlerror.Location{Line: 2, Column: 3}) {
					t.Errorf("the error is at %v", err.Locations)
				}
			}
		})
	}
	t.Run("a value whose fields panic", func(t *testing.T) {
		ctx := operation(t)
		oc := &graphql.OperationContext{RecoverFunc: func(_ context.Context, p any) error { return fmt.Errorf("panic: %v", p) }}
		field := graphql.CollectedField{Field: &ast.Field{Alias: "c", Name: "cluster"}}
		got := execution.Value(ctx, oc, s, "Row", field, "", func(context.Context, ast.SelectionSet, string) graphql.Marshaler { panic("boom") }) //nolint:forbidigo // this is the case
		if got != graphql.Null {
			t.Errorf("it is %v", got)
		}
		if diff := cmp.Diff([]string{"c panic: boom"}, errorsOf(ctx)); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
	})
}

func TestAnObjectIsWrittenInTheOrderOfItsFields(t *testing.T) {
	fields := func(aliases ...string) []graphql.CollectedField {
		var out []graphql.CollectedField
		for _, a := range aliases {
			out = append(out, graphql.CollectedField{Field: &ast.Field{Alias: a}})
		}
		return out
	}
	for _, c := range []struct {
		want    string
		aliases []string
	}{
		{"{}", nil},
		{`{"a":0}`, []string{"a"}},
		{`{"a":0,"b":1,"c":2,"d":3}`, []string{"a", "b", "c", "d"}},
	} {
		set := execution.NewFieldSet(fields(c.aliases...))
		// Each waits for the one after it: they are resolved beside each other.
		done := make([]chan struct{}, len(c.aliases)+1)
		for i := range done {
			done[i] = make(chan struct{})
		}
		close(done[len(c.aliases)])
		for i := range c.aliases {
			set.Concurrently(i, func(context.Context) graphql.Marshaler {
				await(t, done[i+1])
				close(done[i])
				return graphql.MarshalInt(i)
			})
		}
		set.Dispatch(t.Context())
		var b bytes.Buffer
		set.MarshalGQL(&b)
		if b.String() != c.want {
			t.Errorf("it is %s, want %s", b.String(), c.want)
		}
	}
}

func TestAListThatIsWaitedForIsNullWhenAnElementPanics(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	for _, n := range []int{1, 3} {
		ctx := graphql.WithFieldContext(operation(t), &graphql.FieldContext{Field: graphql.CollectedField{Field: &ast.Field{Alias: "rows"}}})
		s := execution.NewSchema(schema, execution.Fields{Waiting: []string{"Job.state"}})
		out := s.List(ctx, selection(t, schema, "state"), n, func(_ context.Context, i int) graphql.Marshaler {
			if i == n-1 {
				panic("boom") //nolint:forbidigo // this is the case
			}
			return graphql.Null
		})
		if out != nil || len(errorsOf(ctx)) != 1 {
			t.Errorf("of %d elements: the list is %v, errors %v", n, out, errorsOf(ctx))
		}
	}
}

func TestErrorsBelowAFieldNameItInTheirPath(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	s := execution.NewSchema(schema, execution.Fields{})
	field := graphql.CollectedField{Field: &ast.Field{Alias: "c", Name: "next"}, Selections: selection(t, schema, "name")}
	fail := func(ctx context.Context, _ ast.SelectionSet, _ string) graphql.Marshaler {
		graphql.AddErrorf(ctx, "inside")
		return graphql.Null
	}
	oc := &graphql.OperationContext{}
	a := operation(t)
	execution.Value(a, oc, s, "Row", field, "", fail)
	b := operation(t)
	execution.Resolved(b, oc, s, "Row", field, func(context.Context) (string, error) { return "", nil }, fail)
	for _, ctx := range []context.Context{a, b} {
		if diff := cmp.Diff([]string{"c inside"}, errorsOf(ctx)); diff != "" {
			t.Errorf("errors (-want +got):\n%s", diff)
		}
	}
}

func TestNoFieldOfALaterElementIsLeftOut(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	s := execution.NewSchema(schema, execution.Fields{Shared: []string{"Job.state"}})
	out := s.List(operation(t), selection(t, schema, "state"), 9, func(ctx context.Context, i int) graphql.Marshaler {
		set := execution.NewFieldSet([]graphql.CollectedField{{Field: &ast.Field{Alias: "a"}}, {Field: &ast.Field{Alias: "b"}}})
		for j := range 2 {
			set.Concurrently(j, func(context.Context) graphql.Marshaler { return graphql.MarshalInt(j) })
		}
		set.Dispatch(ctx)
		for j, v := range set.Values {
			if v == nil {
				t.Errorf("field %d of %d is missing", j, i)
				return graphql.Null
			}
		}
		return set
	})
	if len(out) != 9 {
		t.Errorf("there are %d elements", len(out))
	}
}

// What is selected of an object depends on its type and on variables, and on nothing that an operation remembers of others.
func TestWhatIsSelectedIsRememberedForEachTypeAndOperation(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: schemaText})
	selected := selection(t, schema, "name ... on Deployment { kind } ... @include(if: $x) { state }")
	types := map[string][]string{"Deployment": {"Deployment", "Row"}, "Job": {"Job", "Row"}}
	names := func(fields []graphql.CollectedField) (out []string) {
		for _, f := range fields {
			out = append(out, f.Name)
		}
		return out
	}
	for _, x := range []bool{true, false, true} { // another operation of the same document
		oc := &graphql.OperationContext{Variables: map[string]any{"x": x}}
		if err := (execution.Selections{}).MutateOperationContext(t.Context(), oc); err != nil {
			t.Fatal(err)
		}
		for range 2 { // another object
			for of, satisfies := range types {
				want := names(graphql.CollectFields(&graphql.OperationContext{Variables: oc.Variables}, selected, satisfies))
				fields := execution.CollectFields(oc, selected, satisfies)
				if diff := cmp.Diff(want, names(fields)); diff != "" {
					t.Errorf("fields of a %s (-want +got):\n%s", of, diff)
				}
				if again := execution.CollectFields(oc, selected, satisfies); &again[0] != &fields[0] {
					t.Errorf("the fields of a %s are collected again", of)
				}
			}
			if got := names(execution.CollectFields(oc, selected[:1], types["Job"])); !cmp.Equal(got, []string{"name"}) {
				t.Errorf("a shorter selection has %v", got)
			}
		}
	}
	if got := names(execution.CollectFields(&graphql.OperationContext{Variables: map[string]any{"x": true}}, selected, types["Job"])); len(got) != 2 {
		t.Errorf("an operation that remembers nothing has %v", got)
	}
}
