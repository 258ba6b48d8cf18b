package server

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/model"
)

// checkVariables refuses variables that do not have their types, as GraphQL requires: the executor accepts a number for
// a string, a string for a number, and the name of an enum's value in any case.
func checkVariables(schema *ast.Schema, op *ast.OperationDefinition, given map[string]any) *gqlerror.Error {
	for _, v := range op.VariableDefinitions {
		if value, ok := given[v.Variable]; ok {
			if e := checkVariable(schema, v.Type, value, ast.Path{ast.PathName("variable"), ast.PathName(v.Variable)}); e != nil {
				return e
			}
		}
	}
	return nil
}

func checkVariable(schema *ast.Schema, t *ast.Type, value any, at ast.Path) *gqlerror.Error {
	if value == nil {
		return nil
	}
	if t.Elem != nil {
		items, ok := value.([]any)
		if !ok {
			return checkVariable(schema, t.Elem, value, at) // a single value stands for a list of one
		}
		for i, item := range items {
			if e := checkVariable(schema, t.Elem, item, append(at[:len(at):len(at)], ast.PathIndex(i))); e != nil {
				return e
			}
		}
		return nil
	}
	d := schema.Types[t.NamedType]
	fits := true
	switch d.Kind {
	case ast.InputObject:
		fields, _ := value.(map[string]any)
		for _, f := range d.Fields {
			if e := checkVariable(schema, f.Type, fields[f.Name], append(at[:len(at):len(at)], ast.PathName(f.Name))); e != nil {
				return e
			}
		}
	case ast.Enum:
		name, isText := value.(string)
		fits = isText && d.EnumValues.ForName(name) != nil
	case ast.Scalar:
		fits = fitsScalar(d.Name, value)
	}
	if fits {
		return nil
	}
	place := placeOf(at[1:])
	e := clientError(model.CodeBadUserInput, clip(fmt.Sprintf("variable %s: %s is not %s", strings.Join(place, "."), written(value), t.NamedType), 300))
	e.Path = at
	e.Extensions["field"] = place
	return e
}

// fitsScalar reports whether a JSON value fits a built-in scalar; other scalars check their own values.
func fitsScalar(name string, value any) bool {
	number, isNumber := value.(json.Number)
	_, err := strconv.ParseInt(string(number), 10, 64)
	whole := isNumber && err == nil
	switch name {
	case "Int":
		return whole
	case "Float":
		return isNumber
	case "ID":
		_, isText := value.(string)
		return isText || whole
	case "String":
		_, isText := value.(string)
		return isText
	case "Boolean":
		_, isTruth := value.(bool)
		return isTruth
	}
	return true
}

// written is a value as it was sent, for people.
func written(value any) string {
	raw, err := json.Marshal(value)
	if err != nil {
		return "this"
	}
	return clip(string(raw), 60)
}

// placeOf is a path as the names and numbers that it consists of.
func placeOf(path ast.Path) []string {
	place := []string{}
	for _, step := range path {
		switch step := step.(type) {
		case ast.PathName:
			place = append(place, string(step))
		case ast.PathIndex:
			place = append(place, strconv.Itoa(int(step)))
		}
	}
	return place
}
