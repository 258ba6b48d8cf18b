package apicopy

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
)

// edit inserts text at the place that find names in a file's syntax tree.
type edit struct {
	what string
	find func(*ast.File) (token.Pos, error)
	text string
}

// apply makes every edit and formats the result.
func apply(name string, src []byte, list []edit) ([]byte, error) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, fmt.Errorf("parse %s: %w", name, err)
	}
	type insertion struct {
		offset int
		text   string
	}
	var insertions []insertion
	for _, e := range list {
		pos, err := e.find(file)
		if err != nil {
			return nil, fmt.Errorf("%s: %s: %w", name, e.what, err)
		}
		insertions = append(insertions, insertion{fset.Position(pos).Offset, e.text})
	}
	// From the end, so that earlier offsets stay true.
	slices.SortStableFunc(insertions, func(a, b insertion) int { return b.offset - a.offset })
	out := bytes.Clone(src)
	for _, in := range insertions {
		out = slices.Insert(out, in.offset, []byte(in.text)...)
	}
	formatted, err := format.Source(out)
	if err != nil {
		return nil, fmt.Errorf("format %s after the edits: %w", name, err)
	}
	return formatted, nil
}

// field adds a field at the end of a struct type.
func field(structName, text string) edit {
	return edit{
		what: "add a field to " + structName,
		text: text + "\n",
		find: func(file *ast.File) (token.Pos, error) {
			for _, decl := range file.Decls {
				gen, ok := decl.(*ast.GenDecl)
				if !ok {
					continue
				}
				for _, spec := range gen.Specs {
					ts, ok := spec.(*ast.TypeSpec)
					if !ok || ts.Name.Name != structName {
						continue
					}
					st, ok := ts.Type.(*ast.StructType)
					if !ok {
						return token.NoPos, fmt.Errorf("%s is not a struct", structName)
					}
					return st.Fields.Closing, nil
				}
			}
			return token.NoPos, errors.New("there is no such type")
		},
	}
}

// beforeReturn adds statements before the last return of a function or method.
// A method's receiver is named by its type.
func beforeReturn(receiver, name, text string) edit {
	return edit{
		what: "add statements to " + funcName(receiver, name),
		text: text + "\n",
		find: func(file *ast.File) (token.Pos, error) {
			fn, err := findFunc(file, receiver, name)
			if err != nil {
				return token.NoPos, err
			}
			list := fn.Body.List
			if len(list) == 0 {
				return token.NoPos, errors.New("its body is empty")
			}
			ret, ok := list[len(list)-1].(*ast.ReturnStmt)
			if !ok {
				return token.NoPos, errors.New("it does not end in a return")
			}
			return ret.Pos(), nil
		},
	}
}

// beforeCase adds a clause before the one in the function that switches on the
// given selector, such as clusterpedia.SearchLabelLimit.
func beforeCase(name, selector, text string) edit {
	return edit{
		what: "add a case to " + name,
		text: text + "\n",
		find: func(file *ast.File) (token.Pos, error) {
			fn, err := findFunc(file, "", name)
			if err != nil {
				return token.NoPos, err
			}
			pos := token.NoPos
			ast.Inspect(fn, func(n ast.Node) bool {
				clause, ok := n.(*ast.CaseClause)
				if !ok || pos.IsValid() {
					return !pos.IsValid()
				}
				for _, expr := range clause.List {
					if sel, ok := expr.(*ast.SelectorExpr); ok && sel.Sel.Name == selector {
						pos = clause.Pos()
					}
				}
				return true
			})
			if !pos.IsValid() {
				return token.NoPos, fmt.Errorf("no case is about %s", selector)
			}
			return pos, nil
		},
	}
}

func findFunc(file *ast.File, receiver, name string) (*ast.FuncDecl, error) {
	for _, decl := range file.Decls {
		fn, ok := decl.(*ast.FuncDecl)
		if ok && fn.Name.Name == name && receiverType(fn) == receiver && fn.Body != nil {
			return fn, nil
		}
	}
	return nil, errors.New("there is no such function")
}

func receiverType(fn *ast.FuncDecl) string {
	if fn.Recv == nil {
		return ""
	}
	expr := fn.Recv.List[0].Type
	if star, ok := expr.(*ast.StarExpr); ok {
		expr = star.X
	}
	if ident, ok := expr.(*ast.Ident); ok {
		return ident.Name
	}
	return ""
}

func funcName(receiver, name string) string {
	if receiver == "" {
		return name
	}
	return receiver + "." + name
}

var goLine = regexp.MustCompile(`(?m)^go \d+(\.\d+)*$`)

func setGoVersion(mod []byte, version string) ([]byte, error) {
	if !goLine.Match(mod) {
		return nil, errors.New("go.mod has no go line")
	}
	return goLine.ReplaceAll(mod, []byte("go "+version)), nil
}
