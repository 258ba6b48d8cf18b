// Package boundedyaml limits YAML and JSON from others before it is decoded. A document of a few kilobytes may expand
// to gigabytes, by aliases of aliases or by many aliases of one long string; YAML readers expand them and check the
// size when it is too late.
//
// A text is checked three times. First as characters (scan.go), so that a text with too many values is refused before
// it is parsed. Then as nodes, with aliases unexpanded: what each anchor stands for is counted once, each alias adds
// that count again, and counting stops at the limit. A text that cannot be parsed for this is refused, even if its
// reader could read it: readers stop at the end of the first document, and text that only they understand would not be
// counted. Last as the values that its reader decodes (reader.go), before anything is built from them, so that a text
// that the two parsers understand differently is counted too.
//
// It must not know the meaning of documents.
package boundedyaml

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
)

// Limits bound documents, with their aliases expanded.
type Limits struct {
	// Values is the maximum number of mappings, sequences, keys and scalars.
	Values int
	// Bytes is the maximum length, written as JSON.
	Bytes int
	// Depth is the maximum nesting as written.
	Depth int
	// Aliases is the maximum number of aliases as written.
	Aliases int
}

// Size is the size of documents, with their aliases expanded.
type Size struct{ Values, Bytes int }

// Plus adds two sizes.
func (s Size) Plus(o Size) Size { return Size{s.Values + o.Values, s.Bytes + o.Bytes} }

// The memory that one value takes while a document is read, beside its text, and how many copies of each byte of text
// exist: in the reader's tree, in the decoded value, and as JSON. Measured; see TestWhatIsReadTakesWhatItIsSaidToTake.
const (
	bytesPerValue = 400
	copiesOfText  = 6
)

// Memory estimates the memory for reading a document of that size, in bytes.
func (s Size) Memory() int64 { return int64(s.Values)*bytesPerValue + int64(s.Bytes)*copiesOfText }

// LimitError says which limit a document exceeds.
type LimitError struct {
	// Line of the document at which it does, from 1.
	Line int
	// Problem says what exceeds the limit, and what is allowed.
	Problem string
}

func (e *LimitError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// CycleError says that a value contains itself.
type CycleError struct {
	// Line of the document, from 1.
	Line int
	// Anchor is the value's anchor, shortened.
	Anchor string
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("line %d: the value of anchor %q contains itself", e.Line, e.Anchor)
}

// ParseError says that a text is not YAML, or cannot be counted.
type ParseError struct {
	// Line of the text, from 1.
	Line int
	// Problem is the parser's message.
	Problem string
	// Beyond says that readers of one document could read the text: most likely the error is after the end of the
	// first.
	Beyond bool
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// YAML counts the contents of all documents of a text. It fails with a LimitError as soon as they exceed a limit, with
// a CycleError when a value contains itself, and with a ParseError when they cannot be counted to their end; the count
// so far is returned beside the error. Text that is not YAML counts as one value of its length.
func YAML(text []byte, l Limits) (Size, error) {
	if l.Values <= 0 {
		return Size{}, tooManyValues(1, l)
	}
	if l.Bytes <= 0 {
		return Size{}, tooManyBytes(1, l)
	}
	if err := scan(text, l); err != nil {
		return Size{}, err
	}
	if len(text) > longText {
		long.Lock()
		defer long.Unlock()
	}
	size, err := countNodes(text, l)
	if err != nil {
		return size, err
	}
	read, err := countRead(text, l)
	return Size{max(size.Values, read.Values), max(size.Bytes, read.Bytes)}, err
}

// countNodes counts a text's nodes, aliases expanded.
func countNodes(text []byte, l Limits) (Size, error) {
	c := counter{limits: l, anchored: map[*yaml.Node]*anchor{}}
	documents := yaml.NewDecoder(bytes.NewReader(text))
	for {
		var document yaml.Node
		switch err := documents.Decode(&document); {
		case errors.Is(err, io.EOF):
			return c.size, nil
		case err != nil:
			return c.size.Plus(Size{1, len(text)}), refusal(text, err)
		}
		for _, root := range document.Content {
			if err := c.count(root, 0); err != nil {
				return c.size, err
			}
		}
		clear(c.anchored)
	}
}

// long is held while a text longer than longText is parsed: should the scan have mistaken its values for a string,
// parsing takes two hundred times its length, and only one at a time may.
var long sync.Mutex

const longText = 64 << 10

// anchor is the size of an anchored value.
type anchor struct {
	size Size
	done bool
}

type counter struct {
	limits   Limits
	size     Size
	anchored map[*yaml.Node]*anchor
}

// count adds a value at a nesting depth.
func (c *counter) count(n *yaml.Node, depth int) error {
	if n.Kind == yaml.AliasNode {
		return c.again(n)
	}
	var named *anchor
	before := c.size
	if n.Anchor != "" {
		named = &anchor{}
		c.anchored[n] = named
	}
	if n.Kind == yaml.ScalarNode {
		plain := n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) == 0
		c.size = c.size.Plus(Size{1, 1 + lengthAsJSON(n.Value, plain)})
	} else {
		if depth == c.limits.Depth {
			return &LimitError{n.Line, fmt.Sprintf("is nested deeper than the %d levels that are allowed", c.limits.Depth)}
		}
		c.size = c.size.Plus(Size{1, 2})
	}
	if err := c.exceeded(n); err != nil {
		return err
	}
	for _, child := range n.Content {
		if err := c.count(child, depth+1); err != nil {
			return err
		}
	}
	if named != nil {
		named.size, named.done = Size{c.size.Values - before.Values, c.size.Bytes - before.Bytes}, true
	}
	return nil
}

// again adds the size of an aliased value.
func (c *counter) again(n *yaml.Node) error {
	named := c.anchored[n.Alias]
	switch {
	case named == nil:
		return &ParseError{Line: n.Line, Problem: fmt.Sprintf("unknown anchor %q referenced", clip(n.Value))}
	case !named.done:
		return &CycleError{n.Line, clip(n.Value)}
	}
	c.size = c.size.Plus(named.size)
	return c.exceeded(n)
}

// exceeded returns the error of the limit that a value exceeds.
func (c *counter) exceeded(n *yaml.Node) error {
	switch {
	case c.size.Values > c.limits.Values:
		return tooManyValues(n.Line, c.limits)
	case c.size.Bytes > c.limits.Bytes:
		return tooManyBytes(n.Line, c.limits)
	}
	return nil
}

func tooManyValues(line int, l Limits) error {
	return &LimitError{line, fmt.Sprintf("holds more than the %d values that are allowed, its aliases spelled out", l.Values)}
}

func tooManyBytes(line int, l Limits) error {
	return &LimitError{line, fmt.Sprintf("has more than the %d bytes that are allowed, its aliases spelled out", l.Bytes)}
}

// lengthAsJSON is the length of a string as encoding/json writes it; without the quotes for a plain scalar, which may
// be a number.
func lengthAsJSON(text string, plain bool) int {
	n := 0
	if !plain {
		n = 2
	}
	for i := 0; i < len(text); {
		c := text[i]
		switch {
		case c == '"' || c == '\\' || c == '\n' || c == '\r' || c == '\t' || c == '\b' || c == '\f':
			n += 2
		case c < ' ' || c == '<' || c == '>' || c == '&':
			n += 6
		case c < utf8.RuneSelf:
			n++
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			if r == '\u2028' || r == '\u2029' || r == utf8.RuneError && size == 1 {
				n += 6
			} else {
				n += size
			}
			i += size
			continue
		}
		i++
	}
	return n
}

// clip shortens a name from the document.
func clip(name string) string {
	const most = 40
	if len(name) > most {
		return name[:most] + "…"
	}
	return name
}

// JSON counts the contents of a JSON text, or of several in sequence, as YAML does. JSON has no aliases, so its length
// is bounded; but a few bytes of it may become a value of a hundred.
func JSON(text []byte, l Limits) (Size, error) {
	size := Size{Values: 1, Bytes: len(text)}
	line, depth := 1, 0
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case c == '\n':
			line++
		case quoted:
		case c == '{' || c == '[':
			size.Values++
			if depth++; depth > l.Depth {
				return size, &LimitError{line, fmt.Sprintf("is nested deeper than the %d levels that are allowed", l.Depth)}
			}
		case c == '}' || c == ']':
			depth--
		case c == ',' || c == ':':
			size.Values++
		}
		if size.Values > l.Values {
			return size, &LimitError{line, fmt.Sprintf("holds more than the %d values that are allowed", l.Values)}
		}
	}
	if size.Bytes > l.Bytes {
		return size, &LimitError{line, fmt.Sprintf("has more than the %d bytes that are allowed", l.Bytes)}
	}
	return size, nil
}

// reading limits the documents being read to the number of processors: more would be no faster and would take their
// memory all at once.
var reading = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// Read reads a document that was counted before. The number read at a time is limited; callers wait for a processor
// only.
func Read[T any](read func() (T, error)) (T, error) {
	reading <- struct{}{}
	defer func() { <-reading }()
	return read()
}
