package server

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/validator/rules"
)

func TestVariablesAreOfTheirTypes(t *testing.T) {
	schema := gqlparser.MustLoadSchema(&ast.Source{Input: `
		enum Color { RED GREEN }
		input Filter { colors: [Color!]  first: Int  names: [String!] }
		type Query { things(filter: Filter, id: ID, colors: [Color!], share: Float): String }
	`})
	const (
		colors = "query($v: [Color!]) { things(colors: $v) }"
		filter = "query($v: Filter) { things(filter: $v) }"
		id     = "query($v: ID) { things(id: $v) }"
		share  = "query($v: Float) { things(share: $v) }"
	)
	for _, c := range []struct {
		name, query, given string
		// field is where what is refused stands, step by step; nil when nothing is.
		field []string
	}{
		{"a list", colors, `["RED","GREEN"]`, nil},
		{"one that stands for a list of one", colors, `"RED"`, nil},
		{"one in other letters that stands for a list of one", colors, `"red"`, []string{"v"}},
		{"one of a list that is none", colors, `["RED","BLUE"]`, []string{"v", "1"}},
		{"a value in other letters", filter, `{"colors":["red"]}`, []string{"v", "colors", "0"}},
		{"a text for a number", filter, `{"first":"1"}`, []string{"v", "first"}},
		{"a number for a list of texts", filter, `{"names":5}`, []string{"v", "names"}},
		{"nothing", filter, `null`, nil},
		{"a number for an id", id, `7`, nil},
		{"a part of a number for an id", id, `7.5`, []string{"v"}},
		{"a whole number for a share", share, `7`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			doc := gqlparser.MustLoadQueryWithRules(schema, c.query, rules.NewDefaultRules())
			d := json.NewDecoder(strings.NewReader(c.given))
			d.UseNumber()
			var value any
			if err := d.Decode(&value); err != nil {
				t.Fatal(err)
			}
			var field []string
			refused := checkVariables(schema, doc.Operations[0], map[string]any{"v": value})
			if refused != nil {
				field, _ = refused.Extensions["field"].([]string)
			}
			if (refused != nil) != (c.field != nil) || !slices.Equal(field, c.field) {
				t.Errorf("refused at %q, want %q: %v", field, c.field, refused)
			}
		})
	}
}
