package overlay

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/resource"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// single is what all codecs of a single value have in common: there is nothing below it.
type single struct{}

func (single) name(any, []string) []string { return nil }

// scalar is value when the input is as the view, and else what is written for the input.
func scalar(value, view, input, written any, isNew bool) any {
	if !isNew && same(view, input) {
		return value
	}
	return written
}

// Text is a text.
type Text struct {
	single
	// Empty says that an empty one is a text; else it is none.
	Empty bool
}

func (c Text) view(value any) any {
	if s, ok := value.(string); ok && (c.Empty || s != "") {
		return s
	}
	return nil
}

func (c Text) lay(l *laying, value, input any, isNew bool) any {
	given[string](l, "a text", input)
	return scalar(value, c.view(value), c.view(input), c.view(input), isNew)
}

// none is a text, nil for an empty one.
func none(s string) any { return Text{}.view(s) }

// Number is a whole number of 32 bits, as the graph has them.
type Number struct {
	single
	// ZeroIsNone says that 0 is written for none.
	ZeroIsNone bool
}

func (c Number) view(value any) any {
	n, ok := whole(value)
	if !ok || c.ZeroIsNone && n == 0 {
		return nil
	}
	return n
}

func (c Number) lay(l *laying, value, input any, isNew bool) any {
	if _, ok := whole(input); !ok && input != nil {
		l.needs("a whole number of 32 bits", input)
	}
	return scalar(value, c.view(value), c.view(input), c.view(input), isNew)
}

func whole(value any) (int64, bool) {
	n, ok := value.(int64)
	switch v := value.(type) {
	case int:
		n, ok = int64(v), true
	case float64:
		n, ok = int64(v), v == math.Trunc(v) && math.Abs(v) < 1<<53
	}
	return n, ok && n >= math.MinInt32 && n <= math.MaxInt32
}

// NumberOrText is a whole number or a text, written in an input as a text.
type NumberOrText struct{ single }

func (NumberOrText) view(value any) any {
	if n, ok := whole(value); ok {
		return strconv.FormatInt(n, 10)
	}
	return Text{Empty: true}.view(value)
}

func (c NumberOrText) lay(l *laying, value, input any, isNew bool) any {
	written := input
	if n, err := strconv.ParseInt(given[string](l, "a number or a text", input), 10, 32); err == nil {
		written = n
	}
	return scalar(value, c.view(value), input, written, isNew)
}

// Flag is true or false.
type Flag struct{ single }

func (Flag) view(value any) any {
	if b, ok := value.(bool); ok {
		return b
	}
	return nil
}

func (c Flag) lay(l *laying, value, input any, isNew bool) any {
	given[bool](l, "true or false", input)
	return scalar(value, c.view(value), input, input, isNew)
}

// Enum is one of some words, written IN_CAPITALS in an input and InCapitals in an object. An empty one is none.
type Enum struct {
	single
	// Words are those that there are, as in an object: another one is not seen and not taken. Nil is any.
	Words []string
	// Lower says that the object has it in lower case.
	Lower bool
	// Unwritten is the word that is written as none, as in an input.
	Unwritten string
}

func (c Enum) view(value any) any {
	s, _ := value.(string)
	if s == "" || c.Words != nil && !slices.Contains(c.Words, s) {
		return nil
	}
	return capitals(s)
}

func (c Enum) lay(l *laying, value, input any, isNew bool) any {
	s := given[string](l, "a word", input)
	var written any
	switch {
	case s == "" || s == c.Unwritten:
	case c.Words != nil:
		if written = c.word(s); written == nil {
			l.needs("one of "+strings.Join(c.names(), ", "), input)
		}
	case c.Lower:
		written = strings.ToLower(s)
	default:
		written = camel(s)
	}
	return scalar(value, c.view(value), none(s), written, isNew)
}

// word is the one of Words that an input writes like this; nil for none.
func (c Enum) word(name string) any {
	for _, word := range c.Words {
		if capitals(word) == name {
			return word
		}
	}
	return nil
}

// names are Words as an input writes them, sorted.
func (c Enum) names() (out []string) {
	for _, word := range c.Words {
		out = append(out, capitals(word))
	}
	slices.Sort(out)
	return out
}

// capitals writes a word as inputs do: DoesNotExist is DOES_NOT_EXIST, and TCP is TCP.
func capitals(word string) string {
	var b strings.Builder
	lower := false
	for _, r := range word {
		if lower && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
		lower = unicode.IsLower(r)
		b.WriteRune(unicode.ToUpper(r))
	}
	return b.String()
}

// camel writes a word as objects do: DOES_NOT_EXIST is DoesNotExist.
func camel(word string) string {
	var b strings.Builder
	for part := range strings.SplitSeq(word, "_") {
		if part != "" {
			b.WriteString(part[:1] + strings.ToLower(part[1:]))
		}
	}
	return b.String()
}

// JSON is any value, written in an input as a text of JSON.
type JSON struct{ single }

func (JSON) view(value any) any {
	if value == nil {
		return nil
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil
	}
	return string(raw)
}

func (JSON) lay(l *laying, value, input any, _ bool) any {
	s := given[string](l, "a text of JSON", input)
	if s == "" {
		return nil
	}
	var written any
	if err := utiljson.Unmarshal([]byte(s), &written); err != nil {
		l.problem("is %.100q, which is not JSON: a text is written with its quotes, as in \"\\\"blue\\\"\"", s)
		return value
	}
	if same(value, written) {
		return value
	}
	return written
}

// The longest quantity, and the greatest exponent of one.
const (
	maxQuantity = 64
	maxExponent = 30
)

// Quantity is an amount as Kubernetes writes it: "500m", "2Gi". Amounts that are equal are the same, however they are written.
// An empty one is none.
type Quantity struct{ single }

func (Quantity) view(value any) any {
	q, ok := amount(value)
	if !ok {
		return nil
	}
	return q.String()
}

func (c Quantity) lay(l *laying, value, input any, isNew bool) any {
	s := given[string](l, "a text", input)
	if s == "" {
		return scalar(value, c.view(value), nil, nil, isNew)
	}
	q, ok := amount(s)
	if !ok {
		l.problem("is %.100q, which is no quantity such as \"500m\", \"2Gi\" or \"3\"", s)
		return value
	}
	if before, ok := amount(value); ok && !isNew && before.Cmp(q) == 0 {
		return value
	}
	return s
}

// amount is a quantity that is written as a text or a number.
func amount(value any) (resource.Quantity, bool) {
	text, ok := value.(string)
	if !ok {
		switch value.(type) {
		case int64, float64:
			raw, err := json.Marshal(value)
			if err != nil {
				return resource.Quantity{}, false
			}
			text = string(raw)
		default:
			return resource.Quantity{}, false
		}
	}
	if len(text) > maxQuantity {
		return resource.Quantity{}, false
	}
	if i := strings.LastIndexAny(text, "eE"); i >= 0 && i+1 < len(text) { // 1e999999999 would take for ever
		if n, err := strconv.Atoi(text[i+1:]); err != nil || n > maxExponent || n < -maxExponent {
			return resource.Quantity{}, false
		}
	}
	q, err := resource.ParseQuantity(text)
	return q, err == nil
}

// Percent is a whole number of percent, written in an input as "70%". An empty one is none.
type Percent struct{ single }

func (Percent) view(value any) any {
	n, ok := whole(value)
	if !ok {
		return nil
	}
	return strconv.FormatInt(n, 10) + "%"
}

func (c Percent) lay(l *laying, value, input any, isNew bool) any {
	s := given[string](l, "a text", input)
	if s == "" {
		return scalar(value, c.view(value), nil, nil, isNew)
	}
	n, err := strconv.ParseInt(strings.TrimSuffix(s, "%"), 10, 32)
	if err != nil {
		l.problem("is %.100q, which is no whole number of percent such as \"70%%\"", s)
		return value
	}
	return scalar(value, c.view(value), strconv.FormatInt(n, 10)+"%", n, isNew)
}
