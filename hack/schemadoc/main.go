// Schemadoc writes docs/schema from the schema: a page for each of its files, and an index of what can be asked for.
package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
)

func main() {
	if err := run("schema", "docs/schema"); err != nil {
		fmt.Fprintln(os.Stderr, "schemadoc:", err)
		os.Exit(1)
	}
}

func run(from, to string) error {
	pages, err := Pages(from)
	if err != nil {
		return err
	}
	// What no file of the schema stands for any more goes.
	if err := os.RemoveAll(to); err != nil {
		return err
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	for name, page := range pages {
		if err := os.WriteFile(filepath.Join(to, name), []byte(page), 0o644); err != nil { //nolint:gosec // documentation
			return err
		}
	}
	return nil
}

// Pages is the text of each page by its name, of a folder of schema files.
func Pages(folder string) (map[string]string, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.graphqls"))
	if err != nil {
		return nil, err
	}
	var sources []*ast.Source
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		sources = append(sources, &ast.Source{Name: filepath.Base(file), Input: string(raw)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		return nil, err
	}
	d := documentation{schema: schema, pages: map[string]*strings.Builder{}}
	for _, s := range sources {
		d.page(s.Name)
	}
	return d.write(), nil
}

type documentation struct {
	schema *ast.Schema
	pages  map[string]*strings.Builder
}

// page is the page of a file of the schema.
func (d *documentation) page(file string) *strings.Builder {
	if d.pages[file] == nil {
		d.pages[file] = &strings.Builder{}
	}
	return d.pages[file]
}

// write writes every page.
func (d *documentation) write() map[string]string {
	index := &strings.Builder{}
	index.WriteString("# The schema\nWritten from `schema/` by `make generate`. A client asks the server itself, too: GraphiQL at `/graphiql` shows the same.\n")
	for _, root := range []*ast.Definition{d.schema.Query, d.schema.Mutation, d.schema.Subscription} {
		if root != nil {
			fmt.Fprintf(index, "\n## %s\n", root.Name)
			d.fields(index, root.Fields)
		}
	}
	index.WriteString("\n## Types\n")
	var types []*ast.Definition
	for _, t := range d.schema.Types {
		if !t.BuiltIn && t != d.schema.Query && t != d.schema.Mutation && t != d.schema.Subscription {
			types = append(types, t)
		}
	}
	slices.SortFunc(types, func(a, b *ast.Definition) int { return cmp.Compare(a.Name, b.Name) })
	for _, t := range types {
		fmt.Fprintf(index, "- %s\n", d.link(t.Name))
		d.define(d.page(t.Position.Src.Name), t)
	}
	out := map[string]string{"README.md": index.String()}
	for file, text := range d.pages {
		name := strings.TrimSuffix(file, ".graphqls")
		out[name+".md"] = "# " + name + "\nWritten from `schema/" + file + "`. [All of the schema](README.md).\n" + text.String()
	}
	return out
}

// define writes one type.
func (d *documentation) define(w *strings.Builder, t *ast.Definition) {
	fmt.Fprintf(w, "\n## %s\n%s", t.Name, strings.ToLower(strings.ReplaceAll(string(t.Kind), "_", " ")))
	if len(t.Interfaces) > 0 {
		w.WriteString(", a " + d.links(t.Interfaces))
	}
	if of := d.schema.GetPossibleTypes(t); t.IsAbstractType() && len(of) > 0 {
		names := make([]string, 0, len(of))
		for _, p := range of {
			names = append(names, p.Name)
		}
		slices.Sort(names)
		w.WriteString(": " + d.links(names))
	}
	w.WriteString("\n")
	if t.Description != "" {
		w.WriteString("\n" + strings.TrimSpace(t.Description) + "\n")
	}
	if len(t.EnumValues) > 0 {
		w.WriteString("\n| value | means |\n| --- | --- |\n")
		for _, v := range t.EnumValues {
			fmt.Fprintf(w, "| `%s` | %s |\n", v.Name, cell(v.Description))
		}
	}
	d.fields(w, t.Fields)
}

// fields writes a table of fields.
func (d *documentation) fields(w *strings.Builder, fields ast.FieldList) {
	if len(fields) == 0 {
		return
	}
	w.WriteString("\n| field | type | is |\n| --- | --- | --- |\n")
	for _, f := range fields {
		if strings.HasPrefix(f.Name, "__") {
			continue
		}
		fmt.Fprintf(w, "| `%s%s` | %s | %s |\n", f.Name, arguments(f.Arguments), d.link(f.Type.Name(), f.Type.String()), cell(f.Description)+notes(f.Arguments))
	}
}

// arguments is the arguments of a field as they stand in a schema.
func arguments(all ast.ArgumentDefinitionList) string {
	if len(all) == 0 {
		return ""
	}
	out := make([]string, 0, len(all))
	for _, a := range all {
		text := a.Name + ": " + a.Type.String()
		if a.DefaultValue != nil {
			text += " = " + a.DefaultValue.String()
		}
		out = append(out, text)
	}
	return "(" + strings.Join(out, ", ") + ")"
}

// notes is what is said of arguments.
func notes(all ast.ArgumentDefinitionList) string {
	out := ""
	for _, a := range all {
		if a.Description != "" {
			out += "<br>`" + a.Name + "`: " + cell(a.Description)
		}
	}
	return out
}

// link is a type's name, or what is shown instead, as a link to where it is described.
func (d *documentation) link(name string, shown ...string) string {
	text := "`" + strings.Join(append(shown, name)[:1], "") + "`"
	t := d.schema.Types[name]
	if t == nil || t.BuiltIn || t.Position == nil {
		return text
	}
	return "[" + text + "](" + strings.TrimSuffix(t.Position.Src.Name, ".graphqls") + ".md#" + strings.ToLower(name) + ")"
}

func (d *documentation) links(names []string) string {
	out := make([]string, 0, len(names))
	for _, name := range names {
		out = append(out, d.link(name))
	}
	return strings.Join(out, ", ")
}

// cell is a description in a table.
func cell(text string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "|", `\|`)
}
