// Package boundedyaml bounds YAML and JSON of others before anything is made of it. A document of a few kilobytes
// may stand for gigabytes, by aliases of aliases or by many aliases of one long text; YAML readers spell that out
// and look at how much it was when it is too late.
//
// A text is looked at three times. First as characters (scan.go): one that cannot hold few values is refused before
// it is parsed. Then as nodes, in which an alias is an alias: what each anchor stands for is counted once, an alias
// counts as that again, and counting ends at the limit. What cannot be parsed for that is refused, whether or not its
// reader could read it: readers stop at the end of the first document, and texts that only they understand would not
// be counted. Last as the values that its reader makes of it (reader.go), before anything is made of those, so that
// it does not matter either where both parsers understand a text and differ.
//
// It must not know what documents mean.
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

// Limits bound documents, with their aliases spelled out.
type Limits struct {
	// Values is how many there may be: mappings, sequences, keys and scalars.
	Values int
	// Bytes is how long they may be, written as JSON.
	Bytes int
	// Depth is how deep they may be nested as they are written.
	Depth int
	// Aliases is how many there may be as they are written.
	Aliases int
}

// Size is how much documents hold, with their aliases spelled out.
type Size struct{ Values, Bytes int }

// Plus is both together.
func (s Size) Plus(o Size) Size { return Size{s.Values + o.Values, s.Bytes + o.Bytes} }

// What one value takes in memory while a document is read, beside its text, and how often each byte of text is
// there: in the reader's tree, in what is made of it, and as JSON. Measured; see TestWhatIsReadTakesWhatItIsSaidToTake.
const (
	bytesPerValue = 400
	copiesOfText  = 6
)

// Memory estimates what it takes to read as much, in bytes.
func (s Size) Memory() int64 { return int64(s.Values)*bytesPerValue + int64(s.Bytes)*copiesOfText }

// LimitError says which limit a document is beyond.
type LimitError struct {
	// Line of the document at which it is, from 1.
	Line int
	// Problem says what is too much, and what is allowed.
	Problem string
}

func (e *LimitError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// CycleError says that a value contains itself.
type CycleError struct {
	// Line of the document at which it does, from 1.
	Line int
	// Anchor is its name, shortened.
	Anchor string
}

func (e *CycleError) Error() string {
	return fmt.Sprintf("line %d: the value of anchor %q contains itself", e.Line, e.Anchor)
}

// ParseError says that a text is no YAML, or none that can be counted.
type ParseError struct {
	// Line of the text at which it is, from 1.
	Line int
	// Problem is what a parser says of it.
	Problem string
	// Beyond says that readers of one document could read it: most likely it is after the end of the first.
	Beyond bool
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %s", e.Line, e.Problem) }

// YAML counts what the documents of a text hold, all of them. It fails with a LimitError as soon as they are beyond
// a limit, with a CycleError when they have no end, and with a ParseError when they cannot be counted to their end;
// what is counted by then is returned beside it, a text that is no YAML as one value of its length.
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

// countNodes counts what is written, aliases as what they stand for.
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

// long is held while a text is parsed that is longer than longText. Should the scan have taken its values for a text,
// they take two hundred times its length, once.
var long sync.Mutex

const longText = 64 << 10

// anchor is what a name stands for.
type anchor struct {
	size Size
	done bool
}

type counter struct {
	limits   Limits
	size     Size
	anchored map[*yaml.Node]*anchor
}

// count adds a value that is nested in depth others.
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

// again adds what an alias stands for.
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

// exceeded says which limit is passed with a value.
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

// lengthAsJSON is how long a text is in JSON as encoding/json writes it; of a plain scalar, which may be a number,
// without the quotes.
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

// JSON counts what a text in JSON holds, or several after each other, as YAML does. JSON has no aliases, so that it
// is no longer than it is; but a few bytes of it may become a value of a hundred.
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

// reading is who reads a document now: as many as there are processors to do it, since more would be no faster and
// take their memory all at once.
var reading = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// Read has a document read that was counted before. Only so many are read at a time; none waits for anything but
// a processor.
func Read[T any](read func() (T, error)) (T, error) {
	reading <- struct{}{}
	defer func() { <-reading }()
	return read()
}
