package boundedyaml_test

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

// The characters of a text that people do write must not have it taken for one with many values.
func TestATextThatIsOneValueIsNotTakenForMany(t *testing.T) {
	values := strings.Repeat("[1, 2, {a: b}], - - : *a *b \"x\" 'y' # z\n", 20)
	indented := func(by string) string {
		return by + strings.ReplaceAll(strings.TrimSpace(values), "\n", "\n"+by) + "\n"
	}
	few := boundedyaml.Limits{Values: 30, Bytes: 1 << 20, Depth: 10, Aliases: 3}
	for name, text := range map[string]string{
		"a block":                       "data:\n  a: |\n" + indented("    ") + "  b: c\n",
		"a block as deep as may be":     "data:\n  a: |-\n" + indented("   ") + "  b: c\n",
		"a folded block":                "data:\n  a: >2-  # why\n" + indented("    ") + "  b: c\n",
		"a block in a list":             "args:\n- |\n" + indented("  ") + "- b\n",
		"a block of an entry of a list": "args:\n- name: a\n  text: |\n" + indented("    ") + "  b: c\n",
		"a block of the first entry":    "args:\n- text: |\n" + indented("    ") + "  b: c\n",
		"a block with an anchor":        "a: &text |\n" + indented("  ") + "b: *text\n",
		"a block with a tag":            "a: !!str |\n" + indented("  ") + "b: c\n",
		"a block with empty lines":      "a: |\n\n" + indented("  ") + "\n\n" + indented("  ") + "b: c\n",
		"a text in quotes":              `a: "` + strings.Repeat(`[1, {a: \"b\"}], - *a `, 50) + "\"\nb: c\n",
		"a text in single quotes":       `a: '` + strings.Repeat(`[1, {a: ''b''}], - *a `, 50) + "'\nb: c\n",
		"quotes in a list":              `a: ["` + strings.Repeat("{, ", 50) + `", '` + strings.Repeat("{, ", 50) + "']\n",
		"a key in quotes":               `"` + strings.Repeat("{, ", 50) + `": b` + "\n",
		"a plain text":                  "a: b" + strings.Repeat(" [1, 2] - x *a {z}", 50) + "\n",
		"an address":                    "a: https://example.org/?a=" + strings.Repeat("b,c:d,[e],", 50) + "\n",
		"a comment":                     "a: b # " + strings.Repeat("[1, {a: b}], ", 50) + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := boundedyaml.YAML([]byte(text), few); err != nil {
				t.Errorf("refused: %v\n%s", err, text)
			}
		})
	}
}

// Nor may values pass for a text: parsed, they would take a hundred times what they are written with.
func TestValuesThatPassForATextAreRefusedBeforeTheyAreParsed(t *testing.T) {
	many := "[0" + strings.Repeat(",0", 400_000) + "]\n"
	for name, text := range map[string]string{
		"after a block":                                     "a: |\n  x\nb: " + many,
		"after a block in a list":                           "- |\n  x\n- " + many,
		"beside a block":                                    "- a: |\n    x\n  b: " + many,
		"after a comment that ends otherwise":               "a: b # c\rd: " + many,
		"after a comment, by another line end":              "a: b # c\u2028d: " + many,
		"after a comment, by the line end of old terminals": "a: b # c\u0085d: " + many,
		"after a comment, by the end of a paragraph":        "a: b # c\u2029d: " + many,
		"after an open quote of a plain text":               "a: b\n  \"c\nd: " + many,
		"after a quote within a list":                       "[a\n\"b, " + many[1:],
		"after a quote that ends":                           "a: \"b\\\"\"\nc: " + many,
		"after a quoted quote":                              "a: 'b'''\nc: " + many,
		"after a bar of a plain text":                       "a: b\n |\nd: " + many,
		"after a bar that is a key":                         "{|: a}\n---\nd: " + many,
		"with an anchor":                                    "a: &a " + many,
		"with a tag":                                        "a: !!seq " + many,
	} {
		t.Run(name, func(t *testing.T) {
			var err error
			took := bombs.Allocated(t, func() { _, err = boundedyaml.YAML([]byte(text), limits) })
			if err == nil {
				t.Error("not refused")
			}
			if took > 1<<20 {
				t.Errorf("%d bytes were allocated for it", took)
			}
		})
	}
}

func TestAliasesAreCountedBeforeTheyAreParsed(t *testing.T) {
	few := boundedyaml.Limits{Values: 100, Bytes: 1 << 20, Depth: 10, Aliases: 3}
	for text, want := range map[string]string{
		"a: &a b\nc: [*a, *a, *a]":            "",
		"a: &a b\nc: [*a, *a, *a,\n *a]":      "line 3: has more than the 3 aliases that are allowed",
		"a: &a b\nc:\n- *a\n- *a\n- *a\n- *a": "line 6: has more than the 3 aliases that are allowed",
		"\xff\xfea\x00":                       "line 1: is written in UTF-16; only UTF-8 is read",
	} {
		got := ""
		if _, err := boundedyaml.YAML([]byte(text), few); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
