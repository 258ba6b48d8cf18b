package karmada

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/objects/boundedyaml"
)

// Limits of one request.
const (
	// MaxDocuments is how many documents a request may hold, the items of Lists counted.
	MaxDocuments = 500
	// MaxDocumentBytes is how long one document may be as it was written.
	MaxDocumentBytes = 1 << 20
)

// documentLimits bound one document with its aliases expanded: what API servers accept.
var documentLimits = boundedyaml.Limits{Values: 100_000, Bytes: 3 << 20, Depth: 500, Aliases: 10_000}

// requestLimits bound all documents of a request together.
var requestLimits = boundedyaml.Size{Values: 100_000, Bytes: 6 << 20}

// section is a part of the input between separators.
type section struct {
	text []byte
	line int // of its first line in the input, from 1
	// refused says which limit the section exceeds, so that it is not parsed; nil when none.
	refused error
}

// split splits YAML into its documents. Separators count at the beginning of a line only; there they count in block
// scalars too, as YAML defines. Lines end where YAML parsers see them end: a separator that they saw and this did not
// would hide what follows from the user. Documents that hold only blanks and comments are left out.
func split(input string) []section {
	var out []section
	var text bytes.Buffer
	line, first := 0, 1
	flush := func(next int) {
		if !blank(text.Bytes()) {
			out = append(out, section{text: bytes.Clone(text.Bytes()), line: first})
		}
		text.Reset()
		first = next
	}
	for l := range boundedyaml.Lines([]byte(strings.TrimPrefix(input, "\ufeff"))) {
		line++
		switch {
		case marks(l, "---"):
			flush(line)
			// What follows on the same line belongs to the new document.
			text.WriteString("   ")
			text.Write(l[3:])
		case marks(l, "..."):
			flush(line + 1)
		default:
			text.Write(l)
		}
	}
	flush(0)
	return out
}

// marks reports whether a line begins with a marker as YAML parsers see it: followed by a blank or the end of the
// line, which may be any that YAML has.
func marks(line []byte, marker string) bool {
	after, ok := bytes.CutPrefix(line, []byte(marker))
	if !ok || len(after) == 0 {
		return ok
	}
	r, _ := utf8.DecodeRune(after)
	return strings.ContainsRune(" \t\r\n\u0085\u2028\u2029", r)
}

// blank says whether there is nothing but blanks, comments and YAML directives.
func blank(text []byte) bool {
	for l := range boundedyaml.Lines(text) {
		if l = bytes.TrimSpace(l); len(l) > 0 && l[0] != '#' && l[0] != '%' {
			return false
		}
	}
	return true
}

// value is one object of the input.
type value struct {
	object map[string]any
	line   int
	err    error
}

// values reads the objects of a section: one, or several where JSON objects follow each other.
func (s section) values() []value {
	if s.refused != nil {
		return []value{{line: s.line, err: s.refused}}
	}
	if s.json() {
		if vs, ok := s.jsonValues(); ok {
			return vs
		}
	}
	raw, err := yaml.YAMLToJSONStrict(s.text)
	if err != nil {
		return []value{{line: s.line, err: errors.New(s.explain(err))}}
	}
	if v := decode(raw, s.line); v.object != nil || v.err != nil {
		return []value{v}
	}
	return nil
}

// count returns how much a section holds with its aliases expanded, without parsing it. It refuses a section that
// holds more than a document may.
func (s *section) count() boundedyaml.Size {
	if len(s.text) > MaxDocumentBytes && !s.json() {
		s.refused = fmt.Errorf("has %d bytes, at most %d are allowed", len(s.text), MaxDocumentBytes)
		return boundedyaml.Size{}
	}
	var size boundedyaml.Size
	var err error
	if s.json() {
		size, err = boundedyaml.JSON(s.text, documentLimits)
	}
	// What begins like JSON but is invalid is parsed as YAML, so both limits apply.
	if err == nil && !s.validJSON() {
		var asYAML boundedyaml.Size
		asYAML, err = boundedyaml.YAML(s.text, documentLimits)
		size = boundedyaml.Size{Values: max(size.Values, asYAML.Values), Bytes: max(size.Bytes, asYAML.Bytes)}
	}
	if err != nil {
		s.refused = errors.New(s.explain(err))
		return boundedyaml.Size{}
	}
	return size
}

func (s section) json() bool {
	return bytes.HasPrefix(bytes.TrimSpace(s.text), []byte("{"))
}

// validJSON reports whether the section is nothing but JSON objects, so that only jsonValues parses it.
func (s section) validJSON() bool {
	if !s.json() {
		return false
	}
	for d := json.NewDecoder(bytes.NewReader(s.text)); ; {
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// jsonValues reads a stream of JSON objects; not ok when it is not JSON.
func (s section) jsonValues() (out []value, ok bool) {
	d := json.NewDecoder(bytes.NewReader(s.text))
	for {
		skipped := len(s.text[d.InputOffset():]) - len(bytes.TrimLeft(s.text[d.InputOffset():], " \t\r\n"))
		line := s.line + bytes.Count(s.text[:int(d.InputOffset())+skipped], []byte("\n"))
		var raw json.RawMessage
		switch err := d.Decode(&raw); {
		case errors.Is(err, io.EOF):
			return out, true
		case err != nil:
			return nil, false
		}
		if len(raw) > MaxDocumentBytes {
			out = append(out, value{line: line, err: fmt.Errorf("has %d bytes, at most %d are allowed", len(raw), MaxDocumentBytes)})
			continue
		}
		if v := decode(raw, line); v.object != nil || v.err != nil {
			out = append(out, v)
		}
		if len(out) > MaxDocuments {
			return out, true
		}
	}
}

// decode reads an object as the API server does: integers stay integers, a field given twice is an error. For null it
// returns neither an object nor an error.
func decode(raw []byte, line int) value {
	var v any
	repeated, err := kjson.UnmarshalStrict(raw, &v)
	switch object, ok := v.(map[string]any); {
	case err != nil:
		return value{line: line, err: err}
	case len(repeated) > 0:
		return value{line: line, err: repeated[0]}
	case ok:
		return value{object: object, line: line}
	case v == nil:
		return value{line: line}
	}
	return value{line: line, err: fmt.Errorf("is %s, not an object", describe(v))}
}

func describe(v any) string {
	switch v.(type) {
	case []any:
		return "a list"
	case string:
		return "a text"
	case bool:
		return "true or false"
	case map[string]any:
		return "an object"
	}
	return "a number"
}

var lineNumber = regexp.MustCompile(`\bline (\d+)`)

// explain converts the line numbers of a YAML error from the section's to the input's.
func (s section) explain(err error) string {
	message := strings.TrimPrefix(err.Error(), "error converting YAML to JSON: ")
	message = strings.TrimPrefix(message, "yaml: ")
	message = strings.Join(strings.Fields(strings.TrimPrefix(message, "unmarshal errors:")), " ")
	found := false
	message = lineNumber.ReplaceAllStringFunc(message, func(m string) string {
		found = true
		n, err := strconv.Atoi(strings.TrimPrefix(m, "line "))
		if err != nil {
			return m
		}
		return "line " + strconv.Itoa(n+s.line-1)
	})
	if !found {
		message = fmt.Sprintf("line %d: %s", s.line, message)
	}
	return message
}
