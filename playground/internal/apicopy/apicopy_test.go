package apicopy

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestEdits(t *testing.T) {
	const types = `package v1

// Spec is a thing.
type Spec struct {
	Name string ` + "`json:\"name\"`" + ` // kept as it is
}

type Alias = string
`
	const code = `package v1

func (in *Spec) DeepCopyInto(out *Spec) {
	*out = *in
	return
}

func (in *Other) DeepCopyInto(out *Other) {
	*out = *in
	return
}

func convert(key string) error {
	switch key {
	case labels.First:
		one()
	case labels.Second:
		two()
	}
	return nil
}

func noReturn() {
	one()
}
`
	tests := []struct {
		name    string
		src     string
		edit    edit
		want    string // what the edit adds, in its surroundings
		wantErr string
	}{
		{
			name: "a field goes to the end of its struct",
			src:  types,
			edit: field("Spec", "Extra bool"),
			want: "// kept as it is\n\tExtra bool\n}",
		},
		{
			name:    "a field for a struct that is not there is refused",
			src:     types,
			edit:    field("Missing", "Extra bool"),
			wantErr: "types.go: add a field to Missing: there is no such type",
		},
		{
			name:    "a field for a type that is no struct is refused",
			src:     types,
			edit:    field("Alias", "Extra bool"),
			wantErr: "Alias is not a struct",
		},
		{
			name: "a statement goes before the return of the method of that receiver",
			src:  code,
			edit: beforeReturn("Other", "DeepCopyInto", "out.Extra = in.Extra"),
			want: "func (in *Other) DeepCopyInto(out *Other) {\n\t*out = *in\n\tout.Extra = in.Extra\n\treturn\n}",
		},
		{
			name: "a statement goes before the last return of a function",
			src:  code,
			edit: beforeReturn("", "convert", "three()"),
			want: "\t}\n\tthree()\n\treturn nil\n}",
		},
		{
			name:    "a function that does not end in a return is refused",
			src:     code,
			edit:    beforeReturn("", "noReturn", "three()"),
			wantErr: "it does not end in a return",
		},
		{
			name:    "a method is not taken for a function",
			src:     code,
			edit:    beforeReturn("", "DeepCopyInto", "three()"),
			wantErr: "there is no such function",
		},
		{
			name: "a case goes before the one that is named",
			src:  code,
			edit: beforeCase("convert", "Second", "case labels.Between:\nthree()"),
			want: "\t\tone()\n\tcase labels.Between:\n\t\tthree()\n\tcase labels.Second:",
		},
		{
			name:    "a case before one that is not there is refused",
			src:     code,
			edit:    beforeCase("convert", "Third", "case labels.Between:"),
			wantErr: "no case is about Third",
		},
		{
			name:    "an edit that does not parse is refused",
			src:     types,
			edit:    field("Spec", "Extra {"),
			wantErr: "format types.go after the edits",
		},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got, err := apply("types.go", []byte(tc.src), []edit{tc.edit})
			if tc.wantErr != "" {
				if err == nil || !strings.Contains(err.Error(), tc.wantErr) {
					t.Fatalf("error is %v, want one with %q", err, tc.wantErr)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(got), tc.want) {
				t.Errorf("the result lacks\n%s\nit is\n%s", tc.want, got)
			}
			// Without the addition it is the source again.
			lines := len(strings.Split(tc.src, "\n")) + strings.Count(strings.TrimSuffix(tc.edit.text, "\n"), "\n") + 1
			if n := len(strings.Split(string(got), "\n")); n != lines {
				t.Errorf("the result has %d lines, want %d", n, lines)
			}
		})
	}
}

func TestSeveralEditsOfOneFileDoNotMoveEachOther(t *testing.T) {
	src := "package v1\n\ntype A struct {\n\tOne int\n}\n\ntype B struct {\n\tOne int\n}\n"
	want := "package v1\n\ntype A struct {\n\tOne int\n\tTwo int\n}\n\ntype B struct {\n\tOne int\n\tTwo int\n}\n"
	for _, order := range [][]edit{
		{field("A", "Two int"), field("B", "Two int")},
		{field("B", "Two int"), field("A", "Two int")},
	} {
		got, err := apply("types.go", []byte(src), order)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, string(got)); diff != "" {
			t.Errorf("edited file (-want +got):\n%s", diff)
		}
	}
}

func TestPrepare(t *testing.T) {
	source := map[string]string{
		"go.mod":           "module example.com/api\n\ngo 1.16\n\nrequire example.com/x v1.0.0\n",
		"v1/types.go":      "package v1\n\ntype Spec struct {\n\tOne int\n}\n",
		"v1/types_test.go": "package v1\n",
		"v1/other.go":      "package v1 // as it was\n",
	}
	e := edits{
		goVersion: "1.22",
		change:    map[string][]edit{"v1/types.go": {field("Spec", "Two int")}},
		add:       map[string]string{"v1/added.go": "package v1\n"},
	}

	t.Run("edits, adds and leaves out, and copies the rest", func(t *testing.T) {
		dst := filepath.Join(t.TempDir(), "copy")
		if err := prepare(tree(t, source), dst, e); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"go.mod":      "module example.com/api\n\ngo 1.22\n\nrequire example.com/x v1.0.0\n",
			"v1/types.go": "package v1\n\ntype Spec struct {\n\tOne int\n\tTwo int\n}\n",
			"v1/other.go": "package v1 // as it was\n",
			"v1/added.go": "package v1\n",
		}
		if diff := cmp.Diff(want, files(t, dst)); diff != "" {
			t.Errorf("the copy (-want +got):\n%s", diff)
		}
	})

	t.Run("a read-only source, as in the module cache, gives a writable copy", func(t *testing.T) {
		src := tree(t, source)
		if err := os.Chmod(filepath.Join(src, "v1"), 0o555); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = os.Chmod(filepath.Join(src, "v1"), 0o755) })
		dst := filepath.Join(t.TempDir(), "copy")
		if err := prepare(src, dst, e); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(filepath.Join(dst, "v1"))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o200 == 0 {
			t.Errorf("the copied folder has mode %v, want it writable", info.Mode())
		}
	})

	t.Run("a source without a file to edit is refused by name", func(t *testing.T) {
		missing := e
		missing.change = map[string][]edit{"v2/types.go": {field("Spec", "Two int")}}
		err := prepare(tree(t, source), filepath.Join(t.TempDir(), "copy"), missing)
		if err == nil || !strings.Contains(err.Error(), "it has no file v2/types.go") {
			t.Errorf("error is %v, want one that names v2/types.go", err)
		}
	})

	t.Run("a destination that exists is refused", func(t *testing.T) {
		err := prepare(tree(t, source), t.TempDir(), e)
		if err == nil || !strings.Contains(err.Error(), "exists already") {
			t.Errorf("error is %v, want one that says it exists", err)
		}
	})

	t.Run("a go.mod without a go line is refused", func(t *testing.T) {
		err := prepare(tree(t, map[string]string{"go.mod": "module example.com/api\n"}), filepath.Join(t.TempDir(), "copy"), edits{goVersion: "1.22"})
		if err == nil || !strings.Contains(err.Error(), "no go line") {
			t.Errorf("error is %v, want one about the go line", err)
		}
	})
}

// What is added whole must be Go; the edits themselves are formatted on apply.
func TestClusterpediaAdditionsAreFormattedGo(t *testing.T) {
	for name, text := range clusterpediaEdits().add {
		got, err := apply(name, []byte(text), nil)
		if err != nil {
			t.Error(err)
			continue
		}
		if diff := cmp.Diff(text, string(got)); diff != "" {
			t.Errorf("%s is not formatted (-is +formatted):\n%s", name, diff)
		}
	}
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}
