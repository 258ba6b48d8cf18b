package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const (
	// switchVariable names the check that a test binary is without.
	switchVariable = "KAIRSHIP_DISABLED_CHECK"
	// unfinished is said by a function that does not return any more where it has to.
	unfinished = "without this check the function does not return a value"
)

// overlay is the sources of a build that differ from those on disk, by their paths.
type overlay map[string][]byte

// write lays the sources into a folder and returns the file for -overlay.
func (o overlay) write(dir string) (string, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	replace := map[string]string{}
	for i, path := range slices.Sorted(maps.Keys(o)) {
		file := filepath.Join(dir, strconv.Itoa(i)+"-"+filepath.Base(path))
		if err := os.WriteFile(file, o[path], 0o600); err != nil {
			return "", err
		}
		replace[path] = file
	}
	raw, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", err
	}
	list := filepath.Join(dir, "overlay.json")
	return list, os.WriteFile(list, raw, 0o600)
}

// place is where the text of a row stands in its file.
func (r row) place(source []byte) (int, error) {
	switch n := bytes.Count(source, []byte(r.From)); {
	case r.From == "":
		return 0, fmt.Errorf("it names no text of %s: mend its row", r.File)
	case n != 1:
		return 0, fmt.Errorf("its text stands %d times in %s, want once: mend its row", n, r.File)
	}
	return bytes.Index(source, []byte(r.From)), nil
}

// alone is the overlay of one row by itself: the text is replaced.
func alone(r row) (overlay, error) {
	path, source, err := load(r.File)
	if err != nil {
		return nil, err
	}
	at, err := r.place(source)
	if err != nil {
		return nil, err
	}
	return overlay{path: slices.Concat(source[:at], []byte(r.To), source[at+len(r.From):])}, nil
}

func load(file string) (path string, source []byte, err error) {
	if path, err = filepath.Abs(file); err != nil {
		return "", nil, err
	}
	source, err = os.ReadFile(path)
	return path, source, err
}

// insertion is the second body of a function, to be put at its beginning.
type insertion struct {
	at   int
	text []byte
}

// together is the overlay in which every row can be chosen by switchVariable, by its index in rows. The rows
// that no function holds are returned, to be built alone.
func together(rows []row, want []int) (overlay, []int, error) {
	out := overlay{}
	var rest []int
	byFile := map[string][]int{}
	for _, i := range want {
		byFile[rows[i].File] = append(byFile[rows[i].File], i)
	}
	for file, indices := range byFile {
		if !strings.HasSuffix(file, ".go") {
			rest = append(rest, indices...)
			continue
		}
		path, source, err := load(file)
		if err != nil {
			return nil, nil, err
		}
		fset := token.NewFileSet()
		parsed, err := parser.ParseFile(fset, file, source, parser.SkipObjectResolution)
		if err != nil {
			return nil, nil, err
		}
		var insertions []insertion
		for _, i := range indices {
			ins, ok, err := second(fset, parsed, source, rows[i], i)
			if err != nil {
				return nil, nil, err
			}
			if !ok {
				rest = append(rest, i)
				continue
			}
			insertions = append(insertions, ins)
		}
		if len(insertions) == 0 {
			continue
		}
		out[path] = insert(source, insertions)
		out[filepath.Join(filepath.Dir(path), "disabled_check_switch.go")] = fmt.Appendf(nil,
			"package %s\n\nimport \"os\"\n\nvar disabledCheck = os.Getenv(%q)\n", parsed.Name.Name, switchVariable)
	}
	slices.Sort(rest)
	return out, rest, nil
}

// second makes the body that the function around a row's text has without the check. Errors of the compiler name
// the row, and those after it the lines of the real file.
func second(fset *token.FileSet, file *ast.File, source []byte, r row, index int) (insertion, bool, error) {
	at, err := r.place(source)
	if err != nil {
		return insertion{}, false, err
	}
	kind, body := around(fset, file, at, at+len(r.From))
	if body == nil {
		return insertion{}, false, nil
	}
	begin, end := fset.Position(body.Lbrace).Offset+1, fset.Position(body.Rbrace).Offset
	last := "return"
	if kind.Results.NumFields() > 0 {
		last = fmt.Sprintf("panic(%q)", unfinished)
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "\nif disabledCheck == %q {\n//line %s:1\n", strconv.Itoa(index), rowFile(index))
	b.Write(source[begin:at])
	b.WriteString(r.To)
	b.Write(source[at+len(r.From) : end])
	fmt.Fprintf(&b, "\n%s\n}\n//line %s:%d\n", last, filepath.Base(r.File), fset.Position(body.Lbrace).Line)
	return insertion{at: begin, text: b.Bytes()}, true, nil
}

// around is the outermost function whose body holds a range of the source, so that all rows in it share one place.
func around(fset *token.FileSet, file *ast.File, from, to int) (kind *ast.FuncType, body *ast.BlockStmt) {
	ast.Inspect(file, func(n ast.Node) bool {
		if body != nil {
			return false
		}
		var k *ast.FuncType
		var b *ast.BlockStmt
		switch f := n.(type) {
		case *ast.FuncDecl:
			k, b = f.Type, f.Body
		case *ast.FuncLit:
			k, b = f.Type, f.Body
		}
		if b != nil && fset.Position(b.Lbrace).Offset < from && to <= fset.Position(b.Rbrace).Offset {
			kind, body = k, b
		}
		return true
	})
	return kind, body
}

func insert(source []byte, all []insertion) []byte {
	slices.SortStableFunc(all, func(a, b insertion) int { return cmp.Compare(a.at, b.at) })
	var out []byte
	at := 0
	for _, i := range all {
		out = append(append(out, source[at:i.at]...), i.text...)
		at = i.at
	}
	return append(out, source[at:]...)
}

// rowFile is the name under which the compiler complains of a row.
func rowFile(index int) string { return fmt.Sprintf("disabled-check-%d.go", index) }
