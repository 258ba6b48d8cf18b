package main

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/99designs/gqlgen/codegen"
	"github.com/vektah/gqlparser/v2/ast"
)

// What gqlgen writes, as far as it is rewritten.
var (
	deferredSet = regexp.MustCompile(`\tdeferredFieldSet := graphql\.NewFieldSet\(nil\)\n\tdeferLabelToView := make\(map\[string\]\*graphql\.FieldSetView\)\n`)
	deferredOne = regexp.MustCompile(`(?s)\t\t\tif field\.IsDeferred\(\) \{\n.*?\n\t\t\t\}\n\n`)
	deferredEnd = regexp.MustCompile(`(?s)\tatomic\.AddInt32\(&ec\.Deferred, [^\n]*\n\n\tec\.ProcessDeferredGroup\(graphql\.DeferredGroup\{.*?\n\t\}\)\n\n`)
	list        = regexp.MustCompile(`graphql\.MarshalSliceConcurrently\(ctx, len\(v\), 0, false, (func\(ctx context\.Context, i int\) graphql\.Marshaler \{\n)\t+fc := graphql\.GetFieldContext\(ctx\)\n\t+fc\.Result = &v\[i\]\n`)
	// resolved is how a field without arguments and directives is resolved: the expression of its value, whether that is
	// a resolver's with an error, its type, and what writes it.
	resolved = regexp.MustCompile(`(?s)^\treturn graphql\.ResolveField\(\n.*\n\t\tfunc\(ctx context\.Context\) \(any, error\) \{\n\t\t\treturn ([^\n]*?)(, nil)?\n\t\t\},\n\t\tnil,\n` +
		`\t\tfunc\(ctx context\.Context, selections ast\.SelectionSet, v ([^\n]*)\) graphql\.Marshaler \{\n\t\t\treturn (ec\.[^\n(]+)\(ctx, selections, v\)\n\t\t\},\n\t\ttrue,\n\t\t(?:true|false),\n\t\)\n$`)
	// answer is how the answer to a query or a mutation is written.
	answer = regexp.MustCompile(`(?s)\t\t\tvar buf bytes\.Buffer\n\t\t\tdata\.MarshalGQL\(&buf\)\n(.*?)buf\.Bytes\(\)`)
	inner  = regexp.MustCompile(`(?s)^\t\t\tfield := field\n\n\t\t\tinnerFunc := .*?\t\t\tout\.Concurrently\(i, [^\n]*\n`)
)

// rewrite has generated code call internal/execution.
func rewrite(text string, objects codegen.Objects) (string, error) {
	text = list.ReplaceAllString(text, "executed.List(ctx, sel, len(v), $1")
	text = deferredEnd.ReplaceAllString(deferredOne.ReplaceAllString(deferredSet.ReplaceAllString(text, ""), ""), "")
	text = answer.ReplaceAllString(text, "${1}execution.Write(data)")
	text = strings.ReplaceAll(text, "graphql.NewFieldSet(", "execution.NewFieldSet(")
	text = strings.ReplaceAll(text, "graphql.CollectFields(", "execution.CollectFields(")
	text = strings.ReplaceAll(text, "fs *graphql.FieldSet)", "fs *execution.FieldSet)")
	for _, left := range []string{"MarshalSliceConcurrently", "IsDeferred", "deferredFieldSet", "deferLabelToView", "*graphql.FieldSet)", "data.MarshalGQL(&buf)\n\t\t\t"} {
		if strings.Contains(text, left) {
			return "", fmt.Errorf("%s is not used as it was: look at what gqlgen generates, and mend hack/gqlgen", left)
		}
	}
	for _, o := range objects {
		for _, f := range o.Fields {
			var err error
			if text, err = rewriteField(text, o, f); err != nil {
				return "", fmt.Errorf("%s.%s: %w", o.Name, f.Name, err)
			}
		}
	}
	return text, nil
}

var errOther = errors.New("it is not generated as it was: mend hack/gqlgen")

// rewriteField rewrites how a field is resolved, when that is in the text and its value is in hand.
func rewriteField(text string, o *codegen.Object, f *codegen.Field) (string, error) {
	begin := strings.Index(text, "func (ec *executionContext) _"+o.Name+"_"+f.Name+"(ctx context.Context, field graphql.CollectedField, obj ")
	if begin < 0 || f.IsConcurrent() && !isPrompt(f) {
		return text, nil
	}
	from := begin + strings.Index(text[begin:], "{\n") + 2
	to := from + strings.Index(text[from:], "\n}\n") + 1
	parts := resolved.FindStringSubmatch(text[from:to])
	if len(parts) == 0 && len(f.Args) > 0 {
		return text, nil // a method with arguments
	}
	if len(parts) == 0 {
		return "", errOther
	}
	value, certain, kind, marshal := parts[1], parts[2] != "", parts[3], parts[4]
	if certain == isPrompt(f) { // a resolver returns its own error
		return "", errOther
	}
	var body string
	switch {
	case isPrompt(f):
		body = fmt.Sprintf("\treturn execution.Resolved(ctx, ec.OperationContext, executed, %q, field, func(ctx context.Context) (%s, error) { return %s }, %s)\n", o.Name, kind, value, marshal)
	case isPlain(f):
		body = fmt.Sprintf("\treturn %s(ctx, field.Selections, %s)\n", marshal, value)
	default:
		body = fmt.Sprintf("\treturn execution.Value[%s](ctx, ec.OperationContext, executed, %q, field, %s, %s)\n", kind, o.Name, value, marshal)
	}
	text = text[:from] + body + text[to:]
	if !isPrompt(f) {
		return text, nil
	}
	return rewriteCall(text, o, f)
}

// rewriteCall has an object resolve a field at once.
func rewriteCall(text string, o *codegen.Object, f *codegen.Field) (string, error) {
	object := strings.Index(text, "func (ec *executionContext) _"+o.Name+"(ctx context.Context, sel ast.SelectionSet, obj ")
	if object < 0 {
		return "", errOther
	}
	label := "\t\tcase \"" + f.Name + "\":\n"
	at := strings.Index(text[object:], label)
	if at < 0 {
		return "", errOther
	}
	at += object + len(label)
	block := inner.FindString(text[at:])
	if block == "" {
		return "", errOther
	}
	call := fmt.Sprintf("\t\t\tout.Values[i] = ec._%s_%s(ctx, field, obj)\n", o.Name, f.Name)
	if strings.Contains(block, "res == graphql.Null {") {
		call += "\t\t\tif out.Values[i] == graphql.Null {\n\t\t\t\tatomic.AddUint32(&out.Invalids, 1)\n\t\t\t}\n"
	}
	return text[:at] + call + text[at+len(block):], nil
}

// isPlain reports whether writing a field can neither fail nor find null where none is allowed: it needs no path then.
func isPlain(f *codegen.Field) bool {
	t := f.TypeReference
	if t.GQL.Elem != nil || t.Definition.Kind != ast.Scalar && t.Definition.Kind != ast.Enum {
		return false
	}
	switch t.Definition.Name {
	case "Float":
		return false // may be no number
	case "String", "Boolean", "Int", "ID":
	default:
		if t.Definition.Kind == ast.Scalar && t.GQL.NonNull {
			return false // may be written as null
		}
	}
	return !t.GQL.NonNull || !t.IsNilable()
}
