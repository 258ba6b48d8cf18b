package typed_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/policy"
	"github.com/kairship-io/kairship/internal/typed"
)

// corpus are the objects of a kind that round trips are tried on: Karmada's own samples, one with every field set and fields that
// nobody knows, one of nothing.
func corpus(t *testing.T, k *typed.Kind) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{"every field": fullObject(t, k), "nothing": {
		"apiVersion": k.GVK.GroupVersion().String(), "kind": k.GVK.Kind, "metadata": map[string]any{"name": "empty"}}}
	for i, sample := range samples(t, k) {
		out[fmt.Sprintf("sample %d", i)] = sample
	}
	return out
}

func TestKarmadasSamplesAreThere(t *testing.T) {
	n := 0
	for _, k := range allKinds() {
		n += len(samples(t, &k))
	}
	if n < 10 {
		t.Errorf("%d samples were found", n)
	}
}

// What was read and is sent back changes nothing.
func TestWhatWasReadCanBeSentBack(t *testing.T) {
	for _, k := range allKinds() {
		for name, o := range corpus(t, &k) {
			t.Run(k.Field+"/"+name, func(t *testing.T) {
				after := object(o)
				if problems := k.Lay(after, object(overlay.Read(k.Form, o))); len(problems) > 0 && name != "every field" {
					t.Fatal(problems)
				}
				if diff := cmp.Diff(o, after); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// An input makes the object that it was read from: nothing of what it has is lost on the way.
func TestANewObjectSaysWhatTheInputSays(t *testing.T) {
	for _, k := range allKinds() {
		for name, o := range corpus(t, &k) {
			t.Run(k.Field+"/"+name, func(t *testing.T) {
				read := object(overlay.Read(k.Form, o))
				made, problems := overlay.New(k.Form, read)
				if len(problems) > 0 {
					t.Fatal(problems)
				}
				if diff := cmp.Diff(read, overlay.Read(k.Form, made)); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// Each field is edited by itself: the difference of the object is that field only, what nobody knows included.
func TestAnEditChangesItsFieldOnly(t *testing.T) {
	s := graphSchema(t)
	total := 0
	for _, k := range allKinds() {
		for name, o := range corpus(t, &k) {
			t.Run(k.Field+"/"+name, func(t *testing.T) {
				input := s.Types[s.Types[inputsOf(&k)[0]].Fields.ForName(k.Field).Type.Name()]
				read := overlay.Read(k.Form, o)
				edits := editsOf(s, input, read, nil)
				total += len(edits)
				for _, e := range edits {
					if e.path[0] == "name" || e.path[0] == "namespace" || strings.Contains(strings.Join(e.path, "."), "karmada.io") {
						continue
					}
					given, after := object(read), object(o)
					replace(given, e.path, e.value)
					if problems := overlay.Lay(k.Form, after, given); len(problems) > 0 {
						t.Fatalf("%s: %v", e.path, problems)
					}
					changes := differences(o, after, "")
					for i := range changes { // an arbitrary value is one field
						if value, _, ok := strings.Cut(changes[i], "/value/"); ok {
							changes[i] = value + "/value"
						}
					}
					if changes = slices.Compact(changes); len(changes) != 1 {
						t.Errorf("%s to %v changes %s", e.path, e.value, changes)
						continue
					}
					if diff := cmp.Diff(given, overlay.Read(k.Form, after)); diff != "" {
						t.Errorf("%s to %v is read as\n%s", e.path, e.value, diff)
					}
				}
			})
		}
	}
	t.Logf("%d edits", total)
	if total < 500 {
		t.Errorf("only %d edits were tried", total)
	}
}

// differences are the paths at which two values are different; a list of texts is one.
func differences(a, b any, path string) (out []string) {
	switch x := a.(type) {
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok {
			return []string{path}
		}
		for k, v := range x {
			out = append(out, differences(v, y[k], path+"/"+k)...)
		}
		for k, v := range y {
			if _, ok := x[k]; !ok {
				out = append(out, differences(nil, v, path+"/"+k)...)
			}
		}
		return out
	case []any:
		y, ok := b.([]any)
		if !ok || len(x) != len(y) {
			return []string{path}
		}
		for i := range x {
			out = append(out, differences(x[i], y[i], fmt.Sprintf("%s/%d", path, i))...)
		}
		return out
	}
	if !reflect.DeepEqual(a, b) {
		return []string{path}
	}
	return nil
}

// edit is a field of an input and another value for it.
type edit struct {
	path  []string
	value any
}

// editsOf are the edits of single fields that can be made of an input.
func editsOf(s *ast.Schema, of *ast.Definition, read map[string]any, path []string) (out []edit) {
	for _, f := range of.Fields {
		at := append(slices.Clone(path), f.Name)
		switch v := read[f.Name].(type) {
		case nil:
		case map[string]any:
			out = append(out, editsOf(s, s.Types[f.Type.Name()], v, at)...)
		case []any:
			for i, item := range v {
				below := append(slices.Clone(at), fmt.Sprint(i))
				if inner, ok := item.(map[string]any); ok {
					if entry := entryOf(inner); entry != "" {
						out = append(out, edit{append(below, entry), another(s, "String", inner[entry])})
						continue
					}
					out = append(out, editsOf(s, s.Types[f.Type.Name()], inner, below)...)
				}
			}
			if len(v) > 0 {
				if _, ok := v[0].(string); ok {
					more := "another"
					if s.Types[f.Type.Name()].Kind == ast.Enum {
						more = "ANOTHER"
					}
					out = append(out, edit{at, append(slices.Clone(v), more)}, edit{at, v[1:]})
				}
			}
		default:
			if f.Name == "type" && (of.Fields.ForName("container") != nil || of.Fields.ForName("quantity") != nil) {
				continue // what is of another type is another thing
			}
			value := another(s, f.Type.Name(), v)
			if text, ok := v.(string); ok && f.Name == "value" && json.Valid([]byte(text)) && strings.Contains(f.Description, "JSON") {
				value = `{"any":"other"}`
			}
			if value != nil {
				out = append(out, edit{at, value})
			}
		}
	}
	return out
}

// entryOf is the field with the value of an entry; empty for what is none.
func entryOf(item map[string]any) string {
	for key, value := range map[string]string{"key": "value", "resource": "quantity"} {
		if _, ok := item[key].(string); ok && len(item) == 2 && item[value] != nil {
			return value
		}
	}
	return ""
}

// another is another value of a type.
func another(s *ast.Schema, name string, value any) any {
	if d := s.Types[name]; d.Kind == ast.Enum {
		for _, v := range d.EnumValues {
			if v.Name != value && v.Name != "UNKNOWN" {
				return v.Name
			}
		}
		return nil // there is no other
	}
	switch v := value.(type) {
	case string:
		switch {
		case strings.HasSuffix(v, "m"), strings.HasSuffix(v, "%"):
			return "7" + v
		}
		return "another-" + v
	case int64:
		return v + 7
	case bool:
		return !v
	}
	return value
}

func replace(object map[string]any, path []string, value any) {
	var at any = object
	for _, name := range path[:len(path)-1] {
		at = step(at, name)
	}
	last := path[len(path)-1]
	if m, ok := at.(map[string]any); ok {
		m[last] = value
	}
}

func step(at any, name string) any {
	switch v := at.(type) {
	case map[string]any:
		return v[name]
	case []any:
		var i int
		if _, err := fmt.Sscan(name, &i); err == nil && i < len(v) {
			return v[i]
		}
	}
	return nil
}

// What inputs are compared with is what clients were told: the forms read as the graph does.
func TestFormsReadAsTheGraphDoes(t *testing.T) {
	for _, k := range typed.Policies {
		kind, _ := model.PolicyKindOf(k.GVK.Group, k.GVK.Kind)
		for name, o := range corpus(t, &k) {
			t.Run(k.Field+"/"+name, func(t *testing.T) {
				o := object(o)
				if name == "every field" {
					if spec, _ := o["spec"].(map[string]any); spec["overrideRules"] != nil {
						delete(spec, "targetCluster")
						delete(spec, "overriders")
					}
				}
				raw, err := json.Marshal(o)
				if err != nil {
					t.Fatal(err)
				}
				p, err := policy.Decode(kind, "asia", raw)
				if err != nil {
					t.Fatal(err)
				}
				var spec any = p.Body.Propagation
				if p.Body.Override != nil {
					spec = p.Body.Override
				}
				want, _ := asInput(reflect.ValueOf(spec)).(map[string]any)
				got := overlay.Read(k.Form, o)
				for _, field := range []string{"name", "namespace", "labels", "annotations"} {
					delete(got, field)
				}
				if rules, _ := got["overrideRules"].([]any); len(rules) > 0 {
					delete(got, "overriders") // the graph then has none, and here it is one in which nothing is said
					delete(want, "overriders")
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Error(diff)
				}
			})
		}
	}
}

// asInput is a value of the model by the names of the graph.
func asInput(v reflect.Value) any {
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil
		}
		return asInput(v.Elem())
	case reflect.Slice:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = asInput(v.Index(i))
		}
		return out
	case reflect.Struct:
		out := map[string]any{}
		for i := range v.NumField() {
			f := v.Type().Field(i)
			if f.Anonymous {
				inner, _ := asInput(v.Field(i)).(map[string]any)
				for name, value := range inner {
					out[name] = value
				}
				continue
			}
			name := strings.ToLower(f.Name[:1]) + f.Name[1:]
			switch f.Name {
			case "APIVersion":
				name = "apiVersion"
			case "JSON", "YAML":
				name = strings.ToLower(f.Name)
			case "JSONPath":
				name = "jsonPath"
			}
			out[name] = asInput(v.Field(i))
		}
		return out
	case reflect.String:
		return v.String()
	case reflect.Bool:
		return v.Bool()
	}
	return v.Int()
}
