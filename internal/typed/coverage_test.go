package typed_test

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/overlay"
	"github.com/kairship-io/kairship/internal/typed"
)

// uncovered are fields of Karmada's kinds that no input has, with the reason.
var uncovered = map[string]string{}

// Every field of Karmada's kinds has a field of the input, and the other way round: a new version of Karmada with a new field fails
// here.
func TestEveryFieldOfKarmadasKindsHasAnInput(t *testing.T) {
	used := map[string]bool{}
	for _, k := range allKinds() {
		t.Run(k.Field, func(t *testing.T) {
			spec := definition(t, &k).Properties["spec"]
			var theirs []string
			leaves(&spec, "spec", &theirs)
			var ours []string
			for _, p := range formLeaves(k.Form, "") {
				if !strings.HasPrefix(p, "metadata.") {
					ours = append(ours, p)
				}
			}
			for _, p := range theirs {
				key := k.GVK.Kind + " " + p
				if reason := uncovered[key]; reason != "" {
					used[key] = true
				} else if !slices.Contains(ours, p) {
					t.Errorf("%s has no field in the input", p)
				}
			}
			for _, p := range ours {
				if !slices.Contains(theirs, p) {
					t.Errorf("the input writes %s, which Karmada does not have", p)
				}
			}
			if len(theirs) < 3 {
				t.Errorf("only %d fields were compared", len(theirs))
			}
		})
	}
	for key := range uncovered {
		if !used[key] {
			t.Errorf("the exception %q is of no use", key)
		}
	}
}

// leaves are the paths of what a schema has no structure for below.
func leaves(s *apiextensionsv1.JSONSchemaProps, path string, out *[]string) {
	switch {
	case s.Type == "object" && len(s.Properties) > 0:
		for name, p := range s.Properties {
			leaves(&p, path+"."+name, out)
		}
	case s.Type == "object" && s.AdditionalProperties != nil:
		*out = append(*out, path+"{}")
	case s.Type == "array":
		leaves(s.Items.Schema, path+"[]", out)
	default:
		*out = append(*out, path)
	}
}

// formLeaves are the same paths, of what a form writes.
func formLeaves(form overlay.Form, path string) (out []string) {
	for _, f := range form {
		at := f.At
		if at == "" {
			at = f.Name
		}
		out = append(out, codecLeaves(f.Is, strings.TrimPrefix(path+"."+at, "."))...)
	}
	return out
}

func codecLeaves(is overlay.Codec, path string) (out []string) {
	switch c := is.(type) {
	case overlay.Object:
		return formLeaves(c.Form, path)
	case overlay.List:
		if c.Union != nil {
			return codecLeaves(*c.Union, path+"[]")
		}
		return formLeaves(c.Form, path+"[]")
	case overlay.Union:
		out = append(out, path+"."+c.By)
		for _, form := range c.Cases {
			for _, leaf := range formLeaves(form, path) {
				if !slices.Contains(out, leaf) {
					out = append(out, leaf)
				}
			}
		}
		return out
	case overlay.Values:
		if c.Key != "" {
			return []string{path + "[]." + c.Key}
		}
		return []string{path + "[]"}
	case overlay.Entries:
		return []string{path + "{}"}
	}
	return []string{path}
}

func graphSchema(t *testing.T) *ast.Schema {
	t.Helper()
	files, err := filepath.Glob("../../schema/*.graphqls")
	if err != nil || len(files) == 0 {
		t.Fatal("no schema: ", err)
	}
	var sources []*ast.Source
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, &ast.Source{Name: file, Input: string(text)})
	}
	s, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inputs are the mutation's inputs that have a field for each kind.
func inputsOf(k *typed.Kind) []string {
	if slices.ContainsFunc(typed.Policies, func(p typed.Kind) bool { return p.Field == k.Field }) {
		return []string{"CreatePolicyInput", "UpdatePolicyInput"}
	}
	return []string{"CreateKarmadaResourceInput", "UpdateKarmadaResourceInput"}
}

// outputOf is the type under which a kind is read, by the same names.
func outputOf(k *typed.Kind) string {
	if k.GVK.Group == objects.FederatedHPA.Group {
		return "Autoscaler"
	}
	return k.GVK.Kind
}

// inMetadata are the fields that are read of the object, not of what it says.
var inMetadata = []string{"name", "namespace", "labels", "annotations"}

// readAs are the types that inputs are read as, where that is not by their names: of the target only what can be said is in the input,
// and its kinds are many.
var readAs = map[string]string{"ScaleTarget": "ObjectReference"}

// The inputs of the schema are the forms, field by field, and what is read has the same names: what was read can be sent back.
func TestInputsAreWhatIsRead(t *testing.T) {
	s := graphSchema(t)
	for _, k := range allKinds() {
		t.Run(k.Field, func(t *testing.T) {
			for _, name := range inputsOf(&k) {
				f := s.Types[name].Fields.ForName(k.Field)
				if f == nil {
					t.Fatalf("%s has no field %s", name, k.Field)
				}
				sameFields(t, s, f.Type.Name(), outputOf(&k), k.Form)
			}
		})
	}
}

func sameFields(t *testing.T, s *ast.Schema, input, output string, form overlay.Form) {
	t.Helper()
	of := s.Types[input]
	for _, f := range of.Fields {
		if !slices.ContainsFunc(form, func(have overlay.Field) bool { return have.Name == f.Name }) {
			t.Errorf("%s.%s is in no form", input, f.Name)
		}
	}
	for _, have := range form {
		f := of.Fields.ForName(have.Name)
		if f == nil {
			t.Errorf("%s has no field %s", input, have.Name)
			continue
		}
		read := s.Types[output].Fields.ForName(have.Name)
		if read == nil && slices.Contains(inMetadata, have.Name) {
			read = s.Types["KubernetesResource"].Fields.ForName(have.Name)
		}
		if read == nil {
			t.Errorf("%s.%s cannot be read: %s has no such field", input, have.Name, output)
			continue
		}
		if name := strings.TrimSuffix(f.Type.Name(), "Input"); cmp.Or(readAs[name], name) != read.Type.Name() || (f.Type.Elem != nil) != (read.Type.Elem != nil) {
			t.Errorf("%s.%s is %s, and is read as %s", input, have.Name, f.Type, read.Type)
		}
		kind := s.Types[f.Type.Name()]
		want := ""
		switch c := have.Is.(type) {
		case overlay.Object:
			sameFields(t, s, f.Type.Name(), read.Type.Name(), c.Form)
		case overlay.List:
			if c.Union != nil {
				sameFields(t, s, f.Type.Name(), read.Type.Name(), unionFields(c.Union))
			} else {
				sameFields(t, s, f.Type.Name(), read.Type.Name(), c.Form)
			}
		case overlay.Union:
			sameFields(t, s, f.Type.Name(), read.Type.Name(), unionFields(&c))
		case overlay.Enum:
			if kind.Kind != ast.Enum {
				t.Errorf("%s.%s is %s, not an enum", input, have.Name, f.Type)
			}
			if word, ok := have.Default.(string); ok && kind.EnumValues.ForName(word) == nil {
				t.Errorf("%s.%s has the default %s, which is no %s", input, have.Name, word, f.Type)
			}
		case overlay.Text, overlay.JSON, overlay.Quantity:
			want = "String"
		case overlay.Number:
			want = "Int"
		case overlay.Flag:
			want = "Boolean"
		}
		if want != "" && f.Type.Name() != want {
			t.Errorf("%s.%s is %s, want %s", input, have.Name, f.Type, want)
		}
	}
}

// unionFields are the fields that any of the types of a union has.
func unionFields(u *overlay.Union) overlay.Form {
	out := overlay.Form{{Name: u.By, Is: u.Is}}
	for _, form := range u.Cases {
		for _, f := range form {
			if !slices.ContainsFunc(out, func(have overlay.Field) bool { return have.Name == f.Name }) {
				out = append(out, f)
			}
		}
	}
	return out
}
