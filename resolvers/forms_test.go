package resolvers

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// What is read can be sent back: the types of forms and their inputs have the same fields.
func TestAFormIsItsOwnInput(t *testing.T) {
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	seen := map[string]bool{}
	var compare func(name string)
	compare = func(name string) {
		form, input := schema.Types[name], schema.Types[name+"Input"]
		if seen[name] || form == nil || form.Kind != ast.Object {
			return
		}
		seen[name] = true
		if input == nil || len(input.Fields) != len(form.Fields) {
			t.Errorf("%s and its input differ", name)
			return
		}
		for _, f := range form.Fields {
			in := input.Fields.ForName(f.Name)
			if in == nil {
				t.Errorf("the input lacks %s.%s", name, f.Name)
				continue
			}
			want := strings.Replace(f.Type.String(), f.Type.Name(), in.Type.Name(), 1)
			of := schema.Types[f.Type.Name()]
			if leaf := of.IsLeafType(); leaf && in.Type.Name() != of.Name || !leaf && in.Type.Name() != of.Name+"Input" || in.Type.String() != want && f.Name != "hidden" || in.DefaultValue != nil {
				t.Errorf("%s.%s is %s, and of the input %s", name, f.Name, f.Type, in.Type)
			}
			if of.Name != "KeyValue" {
				compare(of.Name)
			}
		}
	}
	compare("WorkloadForm")
	if len(seen) < 50 {
		t.Errorf("only %d types", len(seen))
	}
}

// samples are trees of a type that between them have every field and every word; all others are "1" and 1.
func samples(schema *ast.Schema, of *ast.Type) []any {
	if of.Elem != nil {
		var out []any
		for _, item := range samples(schema, of.Elem) {
			out = append(out, []any{item})
		}
		return out
	}
	d := schema.Types[of.NamedType]
	switch {
	case d.Kind == ast.Enum:
		var out []any
		for _, v := range d.EnumValues {
			out = append(out, v.Name)
		}
		return out
	case of.NamedType == "Int":
		return []any{int64(1)}
	case of.NamedType == "Boolean":
		return []any{true}
	case d.IsLeafType():
		return []any{"1"}
	}
	var out []any
	for _, f := range d.Fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		for _, value := range samples(schema, f.Type) {
			// What an object cannot be without, and one field.
			one := map[string]any{}
			for _, other := range d.Fields {
				if other.Type.NonNull {
					one[other.Name] = samples(schema, other.Type)[0]
				}
			}
			one[f.Name] = value
			out = append(out, one)
		}
	}
	return out
}

// Every field of the schema is one of a workload, and every word one of Kubernetes: what is sent is what is read.
func TestEveryFieldOfAFormIsOfSomeWorkload(t *testing.T) {
	// Words that one place of several has.
	elsewhere := map[string]bool{"GT": true, "LT": true}
	schema := graph.NewExecutableSchema(graph.Config{}).Schema()
	tried := 0
	for _, f := range schema.Types["WorkloadForm"].Fields {
		if f.Name == "hidden" || strings.HasPrefix(f.Name, "__") {
			continue
		}
		for _, value := range samples(schema, f.Type) {
			want, taken := workloadform.Form{f.Name: value}, false
			var problems []overlay.Problem
			for _, kind := range model.WorkloadKinds {
				object, wrong := workloadform.New(kind, "shop", "cart", want)
				if len(wrong) > 0 {
					problems = wrong
					continue
				}
				got, hidden := workloadform.Read(kind, object)
				if diff := cmp.Diff(value, got[f.Name]); diff != "" || len(hidden) > 0 {
					t.Errorf("%s of a %s, hidden %s (-sent +read):\n%s", f.Name, kind, hidden, diff)
				}
				raw, err := json.Marshal(want)
				form := graph.WorkloadForm{}
				if err == nil {
					err = json.Unmarshal(raw, &form)
				}
				if err != nil {
					t.Errorf("%s: %v", raw, err)
				}
				taken = true
			}
			if raw, _ := json.Marshal(value); !taken && !elsewhere[word(string(raw))] {
				t.Errorf("no workload takes %s %s: %+v", f.Name, raw, problems)
			}
			tried++
		}
	}
	if tried < 500 {
		t.Errorf("only %d values", tried)
	}
}

// word is GT or LT when a value holds it.
func word(raw string) string {
	for _, w := range []string{"GT", "LT"} {
		if strings.Contains(raw, `"operator":"`+w+`"`) {
			return w
		}
	}
	return ""
}

func TestWhatAClientLeavesOutIsNotNull(t *testing.T) {
	one := "1"
	for _, tc := range []struct {
		input graph.WorkloadFormInput
		want  workloadform.Form
	}{
		{graph.WorkloadFormInput{}, workloadform.Form{}},
		{graph.WorkloadFormInput{Replicas: graphql.OmittableOf[*int32](nil), ServiceName: graphql.OmittableOf(&one)}, workloadform.Form{"replicas": nil, "serviceName": "1"}},
		{graph.WorkloadFormInput{Labels: graphql.OmittableOf([]model.KeyValue{{Key: "a", Value: "b"}}), Volumes: graphql.OmittableOf([]graph.VolumeFormInput{})},
			workloadform.Form{"labels": []any{map[string]any{"key": "a", "value": "b"}}, "volumes": []any{}}},
		{graph.WorkloadFormInput{Containers: graphql.OmittableOf([]graph.ContainerFormInput{{Name: "web", Image: graphql.OmittableOf[*string](nil)}})},
			workloadform.Form{"containers": []any{map[string]any{"name": "web", "image": nil}}}},
	} {
		got, err := formOf(tc.input)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestTheFormIsOfTemplates(t *testing.T) {
	raw := json.RawMessage(`{"metadata":{"labels":{"a":"b"}},"spec":{"replicas":2,"template":{"spec":{"overhead":{"cpu":"1"}}}}}`)
	w := &model.WorkloadMeta{WorkloadKind: model.KindDeployment}
	w.Raw = raw
	form, err := shownForm(w)
	if err != nil || form.Replicas == nil || *form.Replicas != 2 || len(form.Labels) != 1 || len(form.Hidden) != 1 || form.Hidden[0] != "/spec/template/spec/overhead" {
		t.Errorf("%+v, %v", form, err)
	}
	w.Ref.Cluster = "tokyo"
	if form, err := shownForm(w); form != nil || err != nil {
		t.Errorf("of what lives in a member: %+v, %v", form, err)
	}
}
