package schematest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/vektah/gqlparser/v2/ast"
)

// SeedVariable names the environment variable with the seed of a run to repeat.
const SeedVariable = "KAIRSHIP_TEST_SEED"

// Seed is a new one, or that of the environment.
func Seed(tb testing.TB) uint64 {
	tb.Helper()
	text := os.Getenv(SeedVariable)
	if text == "" {
		return uint64(time.Now().UnixNano()) //nolint:gosec // after 1970
	}
	seed, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		tb.Fatalf("%s is %q, which is no seed: %v", SeedVariable, text, err)
	}
	return seed
}

// Seeds are the seeds to try operations with: a fixed one and Seed, or that of the environment alone.
func Seeds(tb testing.TB) []uint64 {
	tb.Helper()
	seed := Seed(tb)
	if os.Getenv(SeedVariable) != "" {
		return []uint64{seed}
	}
	return []uint64{1, seed}
}

// Operation is an operation to send to the graph.
type Operation struct {
	Query     string         `json:"query"`
	Variables map[string]any `json:"variables,omitempty"`
}

// Random makes random operations of a schema: fields, arguments, aliases, fragments and variables, most of them valid,
// with values that a person may type, odd ones included. The same seed always makes the same operations.
type Random struct {
	schema *ast.Schema
	rand   *rand.Rand
	// values are strings with a meaning where operations are sent, by the name of the argument or field; ids are those
	// of objects of any type.
	values map[string][]string
	ids    []string

	// State of the current operation:
	variables map[string]any
	declared  []string
	fields    int
	// spoil makes one in so many values malformed; 0 for none.
	spoil int
	// harmless makes every string one that names nothing.
	harmless bool
}

// NewRandom makes operations of a schema from a seed.
func NewRandom(schema *ast.Schema, seed uint64, values map[string][]string, ids []string) *Random {
	return &Random{schema: schema, rand: rand.New(rand.NewPCG(seed, seed)), values: values, ids: ids}
}

const (
	randomDepth  = 7
	randomFields = 40
)

// Query makes a query.
func (g *Random) Query() Operation { return g.operation("query", g.schema.Query, "") }

// Subscription makes a subscription to one field.
func (g *Random) Subscription() Operation {
	return g.operation("subscription", g.schema.Subscription, g.any(g.names(g.schema.Subscription)))
}

// Mutation makes a mutation that changes nothing: a dry run or, if it has none, one of objects that do not exist.
func (g *Random) Mutation() Operation {
	return g.operation("mutation", g.schema.Mutation, g.any(g.names(g.schema.Mutation)))
}

func (g *Random) names(d *ast.Definition) []string {
	var out []string
	for _, f := range d.Fields {
		if !strings.HasPrefix(f.Name, "__") {
			out = append(out, f.Name)
		}
	}
	return out
}

func (g *Random) operation(kind string, root *ast.Definition, only string) Operation {
	g.variables, g.declared, g.fields, g.harmless = map[string]any{}, nil, 0, false
	if g.spoil = 0; g.chance(40) {
		g.spoil = 2 + g.rand.IntN(10)
	}
	var selection string
	if only == "" {
		selection = g.selection(root, randomDepth)
	} else {
		selection = "{" + g.field(root, root.Fields.ForName(only), randomDepth) + "}"
	}
	head := kind + " Random"
	if len(g.declared) > 0 {
		head += "(" + strings.Join(g.declared, ",") + ")"
	}
	return Operation{Query: head + selection, Variables: g.variables}
}

// selection selects some fields of a type, at least one.
func (g *Random) selection(d *ast.Definition, depth int) string {
	var parts []string
	if g.chance(30) || d.Kind == ast.Union {
		parts = append(parts, "__typename")
	}
	names := g.names(d)
	for range 1 + g.rand.IntN(4) {
		if len(names) == 0 || g.fields > randomFields {
			break
		}
		f := d.Fields.ForName(g.any(names))
		if depth > 1 || g.schema.Types[f.Type.Name()].IsLeafType() {
			parts = append(parts, g.field(d, f, depth))
		}
	}
	if d.IsAbstractType() {
		for range 1 + g.rand.IntN(3) {
			of := g.schema.PossibleTypes[d.Name]
			to := of[g.rand.IntN(len(of))]
			parts = append(parts, "... on "+to.Name+g.selection(to, depth-1))
		}
	}
	if len(parts) == 0 {
		parts = []string{"__typename"}
	}
	return "{" + strings.Join(parts, " ") + "}"
}

// field writes a field with its own alias, so that two of one selection never conflict.
func (g *Random) field(owner *ast.Definition, f *ast.FieldDefinition, depth int) string {
	g.fields++
	out := fmt.Sprintf("f%d: %s", g.fields, f.Name)
	if g.fields > 25 {
		out = f.Name // aliases are limited, and conflicts are worth trying, too
	}
	var args []string
	for _, a := range f.Arguments {
		needed := a.Type.NonNull && a.DefaultValue == nil
		if needed || owner == g.schema.Mutation || g.chance(50) {
			args = append(args, a.Name+": "+g.argument(a.Name, a.Type))
		}
	}
	if len(args) > 0 {
		out += "(" + strings.Join(args, ", ") + ")"
	}
	if of := g.schema.Types[f.Type.Name()]; !of.IsLeafType() {
		out += g.selection(of, depth-1)
	}
	return out
}

// argument is a literal, or a variable with the value of one.
func (g *Random) argument(name string, of *ast.Type) string {
	if d := g.schema.Types[of.Name()]; d.Kind == ast.InputObject && of.Elem == nil {
		// Inputs of mutations are written in full, so that what makes them harmless is visible.
		g.harmless = strings.HasSuffix(d.Name, "Input") && d.Fields.ForName("dryRun") == nil
	}
	value := g.value(name, of, 3)
	if !g.chance(35) {
		return literal(value)
	}
	variable := fmt.Sprintf("v%d", len(g.declared))
	g.declared = append(g.declared, "$"+variable+": "+of.String())
	g.variables[variable] = plain(value)
	return "$" + variable
}

// enum is a value written without quotes.
type enum string

// object keeps the order of its fields, so that a seed repeats it.
type object []member

type member struct {
	name  string
	value any
}

func (g *Random) value(name string, of *ast.Type, depth int) any {
	if g.spoil > 0 && !g.harmless && name != "dryRun" && g.rand.IntN(g.spoil*4) == 0 {
		return malformed[g.rand.IntN(len(malformed))]
	}
	if of.Elem != nil {
		list := []any{}
		for range g.rand.IntN(4) {
			list = append(list, g.value(name, of.Elem, depth))
		}
		return list
	}
	d := g.schema.Types[of.Name()]
	switch {
	case name == "dryRun":
		return true
	case !of.NonNull && !g.harmless && g.chance(10):
		return nil
	case d.Kind == ast.InputObject:
		out := object{}
		for _, f := range d.Fields {
			needed := f.Type.NonNull && f.DefaultValue == nil
			if needed || g.harmless || f.Name == "dryRun" || depth > 0 && g.chance(35) {
				out = append(out, member{f.Name, g.value(f.Name, f.Type, depth-1)})
			}
		}
		return out
	case d.Kind == ast.Enum:
		return enum(d.EnumValues[g.rand.IntN(len(d.EnumValues))].Name)
	}
	switch d.Name {
	case "Int":
		return g.integer(name)
	case "Float":
		return g.rand.Float64()
	case "Boolean":
		return g.chance(50)
	case "Time":
		return g.any([]string{"2026-01-31T12:00:00Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999+14:00", "1969-12-31T23:59:59-12:00"})
	}
	if g.harmless {
		return "nobody-" + strconv.Itoa(g.rand.IntN(1_000))
	}
	pool := texts
	switch {
	case d.Name == "ID" && len(g.ids) > 0 && g.chance(80):
		pool = g.ids
	case len(g.values[name]) > 0 && g.chance(80):
		pool = g.values[name]
	}
	return g.any(pool)
}

// integer is small for numbers of rows, which would otherwise always be refused.
func (g *Random) integer(name string) int64 {
	if (name == "first" || name == "last") && g.chance(85) {
		return int64(1 + g.rand.IntN(3))
	}
	return integers[g.rand.IntN(len(integers))]
}

func (g *Random) chance(percent int) bool { return g.rand.IntN(100) < percent }

func (g *Random) any(of []string) string { return of[g.rand.IntN(len(of))] }

var integers = []int64{0, 1, 2, 5, 60, 200, 201, 1_000, -1, 1<<31 - 1, -1 << 31, 1 << 31, 1<<53 + 1, 1<<63 - 1, -1 << 63}

// texts are strings that a person may type anywhere.
var texts = []string{
	"", " ", "a", "shop", "Deployment", "default", "../..", "%2e%2e/", "a/b", "a:b:c", "app=cart,tier in (gold,silver)", "!a", "a=(", "*", "'; DROP TABLE resources; --", "$1", "\\", "\"", "%", "_",
	"e\u0301", "\u202egnp.exe", "🙂", "\u0000", "\u0001", "\ufeff", "\ufffd", "İ", "ß", "NULL", "null", "true", "0", "-1", "1e400", "NaN", "eyJ2IjoxfQ==", "eyJ2IjoxfQ", "W10=", "====",
	"yesterday", "2026-01-31", "kairship:oidc:owner", "system:masters", "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a, namespace: shop}\n", "a: &a [*a]\n", "{", "[[[[", "- - - -\n---\n...\n%YAML 9.9\n",
	strings.Repeat("x", 300), strings.Repeat("é", 5_000),
}

// malformed are values that hardly fit anywhere.
var malformed = []any{nil, true, int64(7), int64(1) << 40, -0.5, "x", "", []any{}, []any{[]any{nil}}, object{}, object{{"nothing", int64(1)}}, enum("NO_SUCH_VALUE"), enum("running"), "5", "yesterday"}

// literal writes a value in a document.
func literal(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case enum:
		return string(v)
	case string:
		return quoted(v)
	case []any:
		parts := make([]string, len(v))
		for i := range v {
			parts[i] = literal(v[i])
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case object:
		parts := make([]string, len(v))
		for i, m := range v {
			parts[i] = m.name + ": " + literal(m.value)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// quoted writes a text as GraphQL reads it.
func quoted(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range text {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r == '\ufeff':
			fmt.Fprintf(&b, "\\u%04x", r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// plain is a value as decoded JSON.
func plain(v any) any {
	switch v := v.(type) {
	case enum:
		return string(v)
	case []any:
		out := slices.Clone(v)
		for i := range out {
			out[i] = plain(out[i])
		}
		return out
	case object:
		out := map[string]any{}
		for _, m := range v {
			out[m.name] = plain(m.value)
		}
		return out
	}
	return v
}
