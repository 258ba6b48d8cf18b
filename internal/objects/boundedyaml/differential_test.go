package boundedyaml_test

import (
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// fragments are what texts are made of that parsers may take for different things.
var fragments = []string{
	"\n", "\n", "\n", "\n", "\r", "\r\n", "\u0085", "\u2028", "\u2029", "\n...\n", "\n---\n", "...", "---", "... ", "--- ", "...\t",
	" ", "  ", "\t", "#", " # c", "@", "`", "%", "%YAML 1.1\n---\n", "%TAG ! tag:x,2000:\n---\n", "\ufeff", "\xfe\xff", "\xff\xfe", "\x00", "\xff", "\x7f",
	"a: ", "b: ", "\nc: ", "\n- ", "\n  - ", "- ", "? ", ": ", ", ", "[", "]", "{", "}", "[*a, *a, *a]", "{<<: *a}", "{*b : *a}", "<<: *a", "\n<<: [*a, *a]",
	"&a ", "&b ", "*a", "*b", "\n- *a\n- *a\n- *b", "*a\n", "!!binary ", "!!binary /////w==", "!!str ", "!!float ", "!x ", "!!set ", "!!timestamp 2001-01-01",
	"x", "1", "1e300", "0x7fffffffffffffff", ".inf", "~", "'", "\"", "\"\\u2028\"", "'it''s'", "|\n", ">-\n", "|2\n  ", strings.Repeat("x", 200), "&a " + strings.Repeat("y", 300),
	"&a [" + strings.Repeat("z, ", 30) + "]", "&b {k: *a, l: *a}", "<>&",
}

// begins are ways of texts that begin as those of people do, so that more than a few are read.
var begins = []string{
	"", "a: &a " + strings.Repeat("x", 400) + "\nb: &b [*a, *a]\nl:\n- *a\n- *b\n- *a", "- &a {k: " + strings.Repeat("x", 100) + "}\n- &b [*a]\n", "\ufeff--- &a [x, y, z]\n", "[&a x, &b y, *a, ",
	"data: &a\r\n  x: 1\r\nb: &b *a\r\n", "# c\u2028a: &a y\u2028b: &b z\u2028", "a: &a |\n  " + strings.Repeat("x", 500) + "\nb: &b\n- *a\n- *a\n",
}

func checkAgainstTheReader(t *testing.T, text string) (counted, read bool) {
	t.Helper()
	limits := boundedyaml.Limits{Values: 60, Bytes: 3_000, Depth: 20, Aliases: 20}
	size, err := boundedyaml.YAML([]byte(text), limits)
	if err != nil {
		return false, false
	}
	raw, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		return true, false
	}
	if values, err := boundedyaml.JSON(raw, boundedyaml.Limits{Values: 1 << 20, Bytes: 1 << 20, Depth: 1 << 20}); err != nil || values.Values > 2*size.Values+1 {
		t.Errorf("%q: %d values are counted, JSON has %d (%v)", text, size.Values, values.Values, err)
	}
	// What holds no document is null.
	if len(raw) > size.Bytes+4 || len(raw) > limits.Bytes+4 {
		t.Errorf("%q: %d bytes are counted, JSON has %d", text, size.Bytes, len(raw))
	}
	return true, true
}

// Texts that are counted must be at least what their reader makes of them, however they are written.
func TestNoTextIsMoreThanItIsCounted(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2)) //nolint:gosec // the same texts each time
	read, counted := 0, 0
	const texts = 5_000
	for range texts {
		var text strings.Builder
		text.WriteString(begins[random.IntN(len(begins))])
		for range random.IntN(9) {
			text.WriteString(fragments[random.IntN(len(fragments))])
		}
		c, r := checkAgainstTheReader(t, text.String())
		if c {
			counted++
		}
		if r {
			read++
		}
	}
	t.Logf("of %d texts %d are counted and %d read", texts, counted, read)
	if read < texts/20 {
		t.Errorf("only %d of %d texts are read", read, texts)
	}
}

func FuzzAgainstTheReader(f *testing.F) {
	for _, begin := range begins {
		for _, fragment := range fragments {
			f.Add(begin + fragment + "@\n")
		}
	}
	f.Fuzz(func(t *testing.T, text string) { checkAgainstTheReader(t, text) })
}

// Readers stop at the end of the first document. What follows must not keep it from being counted.
func TestWhatCannotBeCountedIsRefused(t *testing.T) {
	for text, want := range map[string]string{
		"a: b\n...\n@\n":     "line 3: found character that cannot start any token",
		"a: b\n...\u2028@\n": "line 3: found character that cannot start any token",
		"a: b\r...\r`\r":     "line 3: found character that cannot start any token",
		"a: b\n---\nc: [\n":  "line 3: did not find expected node content",
		"a: b\n...\n" + strings.Repeat("# c\n", 2_000) + "\x00": "line 2003: control characters are not allowed",
		"@":               "line 1: found character that cannot start any token",
		"a: \x7f":         "line 1: control characters are not allowed",
		"a: b\nc: \xff\n": "line 2: invalid leading UTF-8 octet",
	} {
		size, err := boundedyaml.YAML([]byte(text), limits)
		var parse *boundedyaml.ParseError
		if !errors.As(err, &parse) || err.Error() != want {
			t.Errorf("%.40q: got %v, want %q", text, err, want)
		}
		if size.Bytes < len(text) {
			t.Errorf("%.40q: is counted as %d bytes", text, size.Bytes)
		}
	}
}

// Binary data is no text in UTF-8, which JSON writes six bytes for each byte of.
func TestBinaryDataIsCountedAsJSONHasIt(t *testing.T) {
	text := []byte("a: !!binary " + strings.Repeat("////", 200<<10))
	_, err := boundedyaml.YAML(text, limits)
	if _, ok := errors.AsType[*boundedyaml.LimitError](err); !ok {
		t.Errorf("got %v", err)
	}
}

func TestNothingIsParsedThatNothingIsLeftFor(t *testing.T) {
	for _, none := range []boundedyaml.Limits{{Values: 0, Bytes: 10, Depth: 1}, {Values: 10, Bytes: 0, Depth: 1}} {
		if _, err := boundedyaml.YAML([]byte("# nothing"), none); err == nil {
			t.Errorf("%+v: not refused", none)
		}
	}
}
