package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// files are a module with checks of all the sorts that the table of the house has.
var files = map[string]string{
	"go.mod": "module example.org/doors\n\ngo 1.26\n",
	"door/door.go": `// Package door lets people in.
package door

import (
	_ "embed"
	"errors"
	"strings"
)

const places = 3

//go:embed names.txt
var names string

// Enter says why somebody may not come in.
func Enter(name string, inside int) error {
	if name == "" { return errors.New("who is it?") }
	if inside >= places {
		return errors.New("it is full")
	}
	if !strings.Contains(names, name) {
		return errors.New("unknown")
	}
	return nil
}

// Leave counts those that stay.
func Leave(inside *int) {
	if *inside == 0 {
		return
	}
	*inside--
}

var refuse = func(name string) bool {
	return name == "mallory"
}
`,
	"door/names.txt": "ann\nbob\n",
	"door/door_test.go": `package door

import "testing"

func TestEnter(t *testing.T) {
	if Enter("ann", 0) != nil {
		t.Error("ann is refused")
	}
	for _, name := range []string{"", "eve"} {
		t.Run("nobody "+name, func(t *testing.T) {
			if Enter(name, 0) == nil {
				t.Errorf("%q came in", name)
			}
		})
	}
	if Enter("ann", 3) == nil {
		t.Error("four came in")
	}
}

func TestLeave(t *testing.T) {
	n := 0
	if Leave(&n); n != 0 {
		t.Error(n)
	}
}

func TestRefuse(t *testing.T) {
	if !refuse("mallory") {
		t.Error("mallory came in")
	}
}

func TestAnn(t *testing.T) {
	if Enter("ann", 0) != nil {
		t.Error("ann is refused")
	}
}

func TestFails(t *testing.T) { t.Fatal("always") }

func TestSkips(t *testing.T) { t.Skip("no assets") }
`,
	"house/door/door.go": "// Package door uses another of its name.\npackage door\n\nimport \"example.org/doors/door\"\n\n// May says whether somebody may come in.\nfunc May(name string) bool { return door.Enter(name, 0) == nil }\n",
	"house/door/door_test.go": `package door

import "testing"

func TestMay(t *testing.T) {
	if May("") {
		t.Error("nobody came in")
	}
}
`,
}

func TestEachRowIsTriedAndSaid(t *testing.T) {
	dir := t.TempDir()
	for name, content := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	rows := []struct {
		row  row
		want string
	}{
		{row{"no name", "door/door.go", `if name == "" {`, `if false {`, "door", "TestEnter/nobody_"}, "`door` TestEnter/nobody "},
		{row{"an unknown name", "door/door.go", `!strings.Contains(names, name)`, `false`, "door", "TestEnter"}, "`door` TestEnter"},
		{row{"a full house", "door/door.go", `inside >= places`, `false`, "door", "TestEnter"}, "`door` TestEnter"},
		{row{"a limit that is no function's", "door/door.go", `places = 3`, `places = 30`, "door", "TestEnter"}, "`door` TestEnter"},
		{row{"a file that is built in", "door/names.txt", "bob", "eve", "door", "TestEnter"}, "`door` TestEnter"},
		{row{"a function that returns nothing", "door/door.go", "\tif *inside == 0 {\n\t\treturn\n\t}\n", "", "./door", "TestLeave"}, "`door` TestLeave"},
		{row{"a function without a name", "door/door.go", `name == "mallory"`, `false`, "door", "TestRefuse"}, "`door` TestRefuse"},
		{row{"seen from another package of the same name", "door/door.go", `if !strings.Contains(names, name) {`, `if false {`, "house/door", "TestMay"}, "NOT NOTICED"},
		{row{"what no test looks at", "door/door.go", `return errors.New("it is full")`, `return nil`, "door", "TestAnn"}, "NOT NOTICED"},
		{row{"what is not there", "door/door.go", `if asleep {`, `if false {`, "door", "TestEnter"}, "stands 0 times"},
		{row{"what is there twice", "door/door.go", `errors.New(`, ``, "door", "TestEnter"}, "stands 3 times"},
		{row{"what does not compile", "door/door.go", `return name == "mallory"`, `return nobody`, "door", "TestRefuse"}, "undefined: nobody"},
		{row{"what returns nothing any more", "door/door.go", "\treturn nil\n}", "}", "door", "TestEnter"}, "missing return"},
		{row{"what falls out of its function", "door/door.go", "\treturn nil\n", "", "door", "TestEnter"}, unfinished},
		{row{"a test that fails anyway", "door/door.go", `*inside--`, `*inside++`, "door", "TestFails"}, "fails with the check in place"},
		{row{"a test that is skipped", "door/door.go", `*inside--`, `*inside++`, "door", "TestSkips"}, "is skipped"},
		{row{"a test that is not there", "door/door.go", `*inside--`, `*inside++`, "door", "TestNowhere"}, "has no test TestNowhere"},
	}
	var in bytes.Buffer
	for _, r := range rows {
		for _, field := range []string{r.row.Name, r.row.File, r.row.From, r.row.To, r.row.Package, r.row.Test} {
			in.WriteString(field + "\x00")
		}
	}
	before := sources(t, dir)
	var out bytes.Buffer
	ok, err := run(t.Context(), &in, &out, settings{only: ".", parallel: 2, timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	if ok {
		t.Error("it says that all were noticed")
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")[2:]
	if len(lines) != len(rows) {
		t.Fatalf("%d rows, want %d:\n%s", len(lines), len(rows), out.String())
	}
	for i, r := range rows {
		if !strings.HasPrefix(lines[i], "| "+r.row.Name+" | `"+r.row.File+"` | ") || !strings.Contains(lines[i], r.want) {
			t.Errorf("of %s it says\n%s\nwant %s", r.row.Name, lines[i], r.want)
		}
	}
	if diff := cmp.Diff(before, sources(t, dir)); diff != "" {
		t.Errorf("the sources were changed:\n%s", diff)
	}
}

func sources(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	for name := range files {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		out[name] = string(raw)
	}
	return out
}

func TestHalfARowIsAnError(t *testing.T) {
	for name, in := range map[string]string{"a field that has no end": "a\x00b", "five fields": "a\x00b\x00c\x00d\x00e\x00"} {
		t.Run(name, func(t *testing.T) {
			if _, err := run(t.Context(), strings.NewReader(in), &bytes.Buffer{}, settings{only: "."}); err == nil {
				t.Error("it was taken")
			}
		})
	}
}
