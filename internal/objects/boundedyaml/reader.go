package boundedyaml

import (
	"bytes"
	"cmp"
	"regexp"
	"strconv"
	"unicode/utf8"

	reader "sigs.k8s.io/yaml/goyaml.v2"
)

// countRead counts what the reader decodes, with the library that sigs.k8s.io/yaml uses: numbers and binary data as
// JSON has them, and whatever the two parsers understand differently. Aliases share one string there, so memory stays
// within what was counted before, unless the parsers differ; then the library itself fails when nearly all values come
// from aliases.
//
// A text that the reader refuses is counted up to the error, which the reader reports again.
func countRead(text []byte, l Limits) (Size, error) {
	return Read(func() (Size, error) {
		w := walker{limits: l}
		documents := reader.NewDecoder(bytes.NewReader(text))
		for {
			var document any
			if err := documents.Decode(&document); err != nil {
				return w.size, nil //nolint:nilerr // the end, or what the reader says again
			}
			if !w.within(document) {
				if w.size.Values > l.Values {
					return w.size, tooManyValues(1, l)
				}
				return w.size, tooManyBytes(1, l)
			}
		}
	})
}

type walker struct {
	limits Limits
	size   Size
}

// within counts a value, and reports whether all is still within the limits; it stops where it is not.
func (w *walker) within(v any) bool {
	length := 2
	switch v := v.(type) {
	case string:
		length = lengthAsJSON(v, false)
	case bool, nil:
		length = len("false")
	case int:
		length = len(strconv.Itoa(v))
	case map[any]any, []any:
	default:
		length = len("2006-01-02T15:04:05.999999999-07:00") + 2 // the longest: a time; a float is shorter
	}
	w.size = w.size.Plus(Size{1, 1 + length})
	if w.size.Values > w.limits.Values || w.size.Bytes > w.limits.Bytes {
		return false
	}
	switch v := v.(type) {
	case map[any]any:
		for key, value := range v {
			if !w.within(key) || !w.within(value) {
				return false
			}
		}
	case []any:
		for _, value := range v {
			if !w.within(value) {
				return false
			}
		}
	}
	return true
}

// unread is a document that is parsed but not decoded.
type unread struct{}

// UnmarshalYAML decodes nothing.
func (*unread) UnmarshalYAML(func(any) error) error { return nil }

var parserSays = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)

// refusal is the error for a text that cannot be counted, with the reader's own message when that cannot parse it
// either: users know its messages, and its line numbers are better.
func refusal(text []byte, err error) error {
	refused := reader.Unmarshal(text, &unread{})
	message := cmp.Or(refused, err).Error()
	e := &ParseError{Problem: message, Beyond: refused == nil}
	if said := parserSays.FindStringSubmatch(message); said != nil {
		e.Problem = message[len(said[0]):]
		e.Line, _ = strconv.Atoi(said[1]) // 0 without a line number
	}
	if e.Line == 0 {
		e.Line = lineOfNoText(text)
	}
	return e
}

// lineOfNoText is the line of the first character that YAML forbids, for which parsers give no line; the first line
// when there is none.
func lineOfNoText(text []byte) int {
	line := 0
	for l := range Lines(text) {
		line++
		for i := 0; i < len(l); {
			r, size := utf8.DecodeRune(l[i:])
			if r == utf8.RuneError && size == 1 || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r >= 0x7f && r < 0xa0 && r != 0x85 {
				return line
			}
			i += size
		}
	}
	return 1
}
