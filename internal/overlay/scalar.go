package overlay

import (
	"encoding/json"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/resource"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Text is a text. An empty one is none.
type Text struct {
	// Default is what none means.
	Default string
}

func (c Text) view(value any) any {
	if s, ok := value.(string); ok && s != "" {
		return s
	}
	return none(c.Default)
}

func (c Text) lay(_ *laying, value, input any, isNew bool) any {
	s, _ := input.(string)
	return scalar(value, c.view(value), none(s), none(s), isNew)
}

func (Text) name(any, []string) []string { return nil }

// none is a text, nil for an empty one.
func none(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// scalar is value when the input is as the view, and else what is written for the input.
func scalar(value, view, input, written any, isNew bool) any {
	if !isNew && same(view, input) {
		return value
	}
	return written
}

// Number is a whole number.
type Number struct {
	// Default is what none means; nil for nothing.
	Default any
	// ZeroIsNone says that 0 is written for none.
	ZeroIsNone bool
}

func (c Number) view(value any) any {
	n, ok := whole(value)
	if !ok || c.ZeroIsNone && n == 0 {
		if d, ok := whole(c.Default); ok {
			return d
		}
		return nil
	}
	return n
}

func (c Number) lay(_ *laying, value, input any, isNew bool) any {
	n, ok := whole(input)
	if !ok || c.ZeroIsNone && n == 0 && c.Default == nil {
		return scalar(value, c.view(value), nil, nil, isNew)
	}
	return scalar(value, c.view(value), n, n, isNew)
}

func (Number) name(any, []string) []string { return nil }

func whole(value any) (int64, bool) {
	switch n := value.(type) {
	case int64:
		return n, true
	case int:
		return int64(n), true
	case float64:
		return int64(n), n == float64(int64(n))
	}
	return 0, false
}

// Flag is true or false.
type Flag struct {
	// Default is what none means; nil for neither.
	Default any
}

func (c Flag) view(value any) any {
	if b, ok := value.(bool); ok {
		return b
	}
	return c.Default
}

func (c Flag) lay(_ *laying, value, input any, isNew bool) any {
	var given any
	if b, ok := input.(bool); ok {
		given = b
	}
	return scalar(value, c.view(value), given, given, isNew)
}

func (Flag) name(any, []string) []string { return nil }

// Enum is one of some words, written IN_CAPITALS in an input and InCapitals in an object.
type Enum struct {
	// Default is what none means, as in an input; empty for nothing.
	Default string
	// Lower says that the object has it in lower case.
	Lower bool
	// Unwritten is the word that is written as none, as in an input.
	Unwritten string
}

func (c Enum) view(value any) any {
	s, _ := value.(string)
	if s == "" {
		return none(c.Default)
	}
	return capitals(s)
}

func (c Enum) lay(_ *laying, value, input any, isNew bool) any {
	s, _ := input.(string)
	if s == c.Unwritten || s == "" {
		return scalar(value, c.view(value), none(s), nil, isNew)
	}
	written := strings.ToLower(s)
	if !c.Lower {
		written = camel(s)
	}
	return scalar(value, c.view(value), s, written, isNew)
}

func (Enum) name(any, []string) []string { return nil }

// capitals writes a word as inputs do: DoesNotExist is DOES_NOT_EXIST.
func capitals(word string) string {
	var b strings.Builder
	for i, r := range word {
		if i > 0 && unicode.IsUpper(r) {
			b.WriteByte('_')
		}
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
type JSON struct{}

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
	s, _ := input.(string)
	if s == "" {
		return nil
	}
	var given any
	if err := utiljson.Unmarshal([]byte(s), &given); err != nil {
		l.problem("is %.100q, which is not JSON: a text is written with its quotes, as in \"\\\"blue\\\"\"", s)
		return value
	}
	if same(value, given) {
		return value
	}
	return given
}

func (JSON) name(any, []string) []string { return nil }

// The longest quantity, and the greatest exponent of one.
const (
	maxQuantity = 64
	maxExponent = 30
)

// Quantity is an amount as Kubernetes writes it: "500m", "2Gi". Amounts that are equal are the same, however they are written.
type Quantity struct{}

func (Quantity) view(value any) any {
	q, ok := amount(value)
	if !ok {
		return nil
	}
	return q.String()
}

func (c Quantity) lay(l *laying, value, input any, isNew bool) any {
	if input == nil || input == "" {
		return scalar(value, c.view(value), nil, nil, isNew)
	}
	q, ok := amount(input)
	if !ok {
		l.problem("is %.100q, which is no quantity such as \"500m\", \"2Gi\" or \"3\"", input)
		return value
	}
	if before, ok := amount(value); ok && !isNew && before.Cmp(q) == 0 {
		return value
	}
	return input
}

func (Quantity) name(any, []string) []string { return nil }

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

// Percent is a whole number of percent, written in an input as "70%".
type Percent struct{}

func (Percent) view(value any) any {
	n, ok := whole(value)
	if !ok {
		return nil
	}
	return strconv.FormatInt(n, 10) + "%"
}

func (c Percent) lay(l *laying, value, input any, isNew bool) any {
	s, _ := input.(string)
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

func (Percent) name(any, []string) []string { return nil }
