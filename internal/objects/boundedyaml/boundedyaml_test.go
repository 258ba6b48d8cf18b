package boundedyaml_test

import (
	"errors"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
)

var limits = boundedyaml.Limits{Values: 100_000, Bytes: 3 << 20, Depth: 200, Aliases: 10_000}

// most is what may be allocated for a document that is refused.
const most = 32 << 20

func TestABombIsRefusedWithoutBeingMadeLarge(t *testing.T) {
	for _, bomb := range bombs.All() {
		t.Run(bomb.Name, func(t *testing.T) {
			text := []byte(bomb.Text(1 << 20))
			if n := len(text); n < 95<<10 || n > 1<<20 {
				t.Fatalf("the document has %d bytes", n)
			}
			var err error
			took := bombs.Allocated(t, func() { _, err = boundedyaml.YAML(text, limits) })
			var limit *boundedyaml.LimitError
			var parse *boundedyaml.ParseError
			if !errors.As(err, &limit) && (!bomb.Broken || !errors.As(err, &parse)) {
				t.Fatalf("not refused: %v", err)
			}
			if took > most {
				t.Errorf("%d bytes were allocated for it", took)
			}
			t.Logf("%v; %d KiB allocated", err, took>>10)
		})
	}
}

func TestTenGibibytesOfOneMebibyte(t *testing.T) {
	// It is counted, and not made, up to a limit that hardly stops it.
	text := []byte(bombs.LongText(1 << 20))
	_, err := boundedyaml.YAML(text, boundedyaml.Limits{Values: 1 << 40, Bytes: 9_700 << 20, Depth: 10, Aliases: 1 << 20})
	var limit *boundedyaml.LimitError
	if !errors.As(err, &limit) || !strings.Contains(err.Error(), "has more than the 10171187200 bytes that are allowed") {
		t.Errorf("it would be ten thousand MiB: %v", err)
	}
}

func TestWhatIsCountedIsWhatIsRead(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"an object", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, labels: {x: \"1\"}}\ndata:\n  a: |\n    one\n    two\n  b: >-\n    folded\n    text\n"},
		{"aliases", "a: &a {x: [one, two, three]}\nb: *a\nc: [*a, *a, &b four, *b]\n"},
		{"a name that is given again", "a: &a one\nb: *a\nc: &a {much: longer}\nd: [*a, *a]\n"},
		{"a name that is given again inside", "a: &a [&a two, *a]\nb: [*a, *a]\n"},
		{"texts that JSON writes longer", "a: \"\\x01\\u2028<&>\\\"\\\\\"\nb: '\"\"\"\"'\nc: é\n"},
		{"many characters that JSON writes longer", "a: \"" + strings.Repeat("<&>", 100) + "\"\nb: \"" + strings.Repeat(`\x01\u2028`, 100) + "\"\n"},
		{"merged", "a: &a {x: 1, y: 2}\nb: {<<: *a, z: 3}\n"},
		{"a comment and nothing else", "# nothing\n"},
		{"several lines in quotes", "a: \"one\n  two\n\n  three\"\nb: 'it''s'\n"},
		{"a tag", "a: !!str 12\nb: !!binary aGVsbG8=\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, err := yaml.YAMLToJSON([]byte(c.text))
			if err != nil {
				t.Fatal(err)
			}
			size, err := boundedyaml.YAML([]byte(c.text), limits)
			if err != nil {
				t.Fatal(err)
			}
			// Each value is counted with a separator; quotes of plain texts are not, because numbers have none.
			if slack := 3*size.Values + 8; size.Bytes < len(raw)-slack || size.Bytes > len(raw)+slack {
				t.Errorf("%d bytes are counted, JSON has %d: %s", size.Bytes, len(raw), raw)
			}
		})
	}
}

func TestLimits(t *testing.T) {
	small := boundedyaml.Limits{Values: 9, Bytes: 60, Depth: 3, Aliases: 10}
	for _, c := range []struct{ name, yaml, want string }{
		{"as many values as there may be", "[a, b, c, d, e, f, g, h]", ""},
		{"one more", "[a, b, c, d, e, f, g,\n h, i]", "line 2: holds more than the 9 values that are allowed, its aliases spelled out"},
		{"one more by an alias", "[&a [b, c, d], 1, 2,\n\n *a]", "line 3: holds more than the 9 values that are allowed, its aliases spelled out"},
		{"more in a second document", "[a, b, c]\n---\n[d, e, f, g, h, i]", "line 3: holds more than the 9 values that are allowed, its aliases spelled out"},
		{"as deep as it may be", "[[[a]]]", ""},
		{"deeper", "[[\n[[a]]]]", "line 2: is nested deeper than the 3 levels that are allowed"},
		{"a text that is too long", "a: b\nc: " + strings.Repeat("x", 60), "line 2: has more than the 60 bytes that are allowed, its aliases spelled out"},
		{"an alias within its own anchor", "&a [*a]", `line 1: the value of anchor "a" contains itself`},
		{"an alias of a document before", "- &a 1\n---\n- *a", `line 3: unknown anchor "a" referenced`},
		{"no YAML", "a: b: c", "line 1: mapping values are not allowed in this context"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if _, err := boundedyaml.YAML([]byte(c.yaml), small); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestLimitsOfJSON(t *testing.T) {
	small := boundedyaml.Limits{Values: 9, Bytes: 60, Depth: 3}
	for _, c := range []struct{ name, json, want string }{
		{"as it may be", `{"a":{"b":["c"]},"d":"e"}`, ""},
		{"what a text holds counts as text", `{"a":"[,,,,,,,,,,,{{{{{{:\"[[[[[[["}`, ""},
		{"too many values", "{\"a\":\n[0,0,0,0,0,0,0,0]}", "line 2: holds more than the 9 values that are allowed"},
		{"nested", "{\"a\":\n[[[0]]]}", "line 2: is nested deeper than the 3 levels that are allowed"},
		{"several that are each nested", `{"a":[]}{"b":[]}`, ""},
		{"too long", `{"a":"` + strings.Repeat("x", 60) + `"}`, "line 1: has more than the 60 bytes that are allowed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := ""
			if _, err := boundedyaml.JSON([]byte(c.json), small); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// What is estimated bounds how many documents are read at once, so it may not be less than what they take.
func TestWhatIsReadTakesWhatItIsSaidToTake(t *testing.T) {
	for _, c := range []struct{ name, text string }{
		{"short values", "[0" + strings.Repeat(",0", 50_000) + "]"},
		{"short texts", "[a" + strings.Repeat(",a", 50_000) + "]"},
		{"empty lists", "[" + strings.Repeat("[],", 50_000) + "]"},
		{"empty mappings", "[" + strings.Repeat("{},", 50_000) + "]"},
		{"mappings of one", "[" + strings.Repeat("{a: b},", 20_000) + "]"},
		{"one long text", "a: " + strings.Repeat("x", 1<<20)},
		{"aliases of a long text", "- &a " + strings.Repeat("x", 10_000) + strings.Repeat("\n- *a", 200)},
	} {
		t.Run(c.name, func(t *testing.T) {
			size, err := boundedyaml.YAML([]byte(c.text), limits)
			if err != nil {
				t.Fatal(err)
			}
			took := bombs.Allocated(t, func() {
				if _, err := yaml.YAMLToJSONStrict([]byte(c.text)); err != nil {
					t.Fatal(err)
				}
			})
			t.Logf("%d values and %d bytes take %d KiB, estimated %d KiB", size.Values, size.Bytes, took>>10, size.Memory()>>10)
			if int64(took) > 2*size.Memory() {
				t.Errorf("%d bytes were allocated, want at most twice the %d that are estimated to be held", took, size.Memory())
			}
		})
	}
}

// FuzzYAML looks for a document that is longer than it was counted, or that counting does not survive.
func FuzzYAML(f *testing.F) {
	for _, bomb := range bombs.All() {
		f.Add(bomb.Text(2_000))
	}
	f.Add("a: &a [1, {b: *a}]\n? x\n: |2-\n   y\n%YAML 1.1\n---\n!!set {a, b}")
	f.Fuzz(func(t *testing.T, text string) {
		size, err := boundedyaml.YAML([]byte(text), boundedyaml.Limits{Values: 5_000, Bytes: 1 << 20, Depth: 100, Aliases: 1_000})
		if err != nil {
			return
		}
		raw, err := yaml.YAMLToJSON([]byte(text))
		if err != nil {
			return
		}
		// Numbers may be written shorter than JSON writes them, `1e20` for one.
		if len(raw) > size.Bytes+24*size.Values+8 {
			t.Errorf("%d bytes are counted, JSON has %d", size.Bytes, len(raw))
		}
	})
}

func BenchmarkABomb(b *testing.B) {
	for _, bomb := range bombs.All() {
		text := []byte(bomb.Text(1 << 20))
		b.Run(bomb.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := boundedyaml.YAML(text, limits); err == nil {
					b.Fatal("not refused")
				}
			}
		})
	}
}
