package boundedyaml

import (
	"bytes"
	"fmt"
	"iter"
)

// scan refuses a text whose characters alone show more values, or more aliases, than the limits allow: parsing takes
// some hundred bytes for each, and two characters write one. It is no YAML parser: it skips block scalars and quoted
// strings, which may hold any number of commas, where they are plainly that, and counts everything else. Values that
// slip through are counted exactly once the text has been parsed.
func scan(text []byte, l Limits) error {
	if bytes.HasPrefix(text, []byte("\xfe\xff")) || bytes.HasPrefix(text, []byte("\xff\xfe")) {
		return &LimitError{1, "is written in UTF-16; only UTF-8 is read"}
	}
	s := scanner{limits: l}
	for line := range Lines(bytes.TrimPrefix(text, []byte("\ufeff"))) {
		s.line++
		if err := s.read(line[:len(line)-ending(line)]); err != nil {
			return err
		}
	}
	return nil
}

// Lines yields the lines of a text, each with its line break. In YAML 1.1 not only line feeds but also carriage returns
// and the Unicode line breaks end a line, and with it a comment: readers see document markers after them.
func Lines(text []byte) iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		begin := 0
		for i := 0; i < len(text); i++ {
			width := breakAt(text, i)
			if width == 0 {
				continue
			}
			i += width - 1
			if !yield(text[begin : i+1]) {
				return
			}
			begin = i + 1
		}
		if begin < len(text) {
			yield(text[begin:])
		}
	}
}

// breakAt is the length of the line break that begins at i, 0 when there is none.
func breakAt(text []byte, i int) int {
	switch c := text[i]; {
	case c == '\r' && i+1 < len(text) && text[i+1] == '\n':
		return 2
	case c == '\n' || c == '\r':
		return 1
	case c == 0xc2 && bytes.HasPrefix(text[i:], []byte("\u0085")):
		return 2
	case c == 0xe2 && (bytes.HasPrefix(text[i:], []byte("\u2028")) || bytes.HasPrefix(text[i:], []byte("\u2029"))):
		return 3
	}
	return 0
}

// ending is the length of the line break that ends a line.
func ending(line []byte) int {
	for n := min(3, len(line)); n > 0; n-- {
		if breakAt(line, len(line)-n) == n {
			return n
		}
	}
	return 0
}

type scanner struct {
	limits          Limits
	line            int
	values, aliases int
	// flow counts the open brackets.
	flow int
	// begins says that a value may begin at the next non-blank character; counted, that it is counted already.
	begins, counted bool
	// block says that a block scalar is open: lines indented by more than owner.
	block bool
	owner int
}

// read scans one line.
func (s *scanner) read(line []byte) error {
	indent := len(line) - len(bytes.TrimLeft(line, " "))
	if s.block {
		if indent > s.owner || len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		s.block = false
	}
	if s.flow == 0 {
		s.begins = true
	}
	// entry says that no entry of a list or mapping has begun since the start of the line or the last dash; lines
	// indented by more than an entry belong to it.
	entry := true
	s.owner = indent - 1
	for i := 0; i < len(line); i++ {
		c := line[i]
		blankAfter := i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
		switch {
		case c == ' ' || c == '\t':
			continue
		case c == '#' && (i == 0 || line[i-1] == ' ' || line[i-1] == '\t'):
			return nil
		case s.flow > 0 && (c == ']' || c == '}'):
			s.flow--
			s.begins, s.counted = false, false
			continue
		case s.begins && (c == '[' || c == '{'):
			s.flow++
			if !s.counted {
				if err := s.value(); err != nil {
					return err
				}
			}
			s.counted = false
			continue
		case s.flow > 0 && c == ',', c == ':' && (blankAfter || s.flow > 0), s.begins && blankAfter && (c == '-' || c == '?'):
			if err := s.value(); err != nil {
				return err
			}
			if s.flow == 0 && c != ':' {
				s.owner, entry = i, true
			}
			continue
		case s.begins && (c == '&' || c == '!') && bytes.IndexAny(line[i:], " \t") > 0:
			i += bytes.IndexAny(line[i:], " \t") // an anchor or a tag, and then the value
			continue
		case s.begins && c == '*':
			if s.aliases++; s.aliases > s.limits.Aliases {
				return &LimitError{s.line, fmt.Sprintf("has more than the %d aliases that are allowed", s.limits.Aliases)}
			}
		case s.begins && (c == '"' || c == '\''):
			if entry {
				s.owner, entry = i, false
			}
			i = quoted(line, i)
		case s.begins && s.flow == 0 && (c == '|' || c == '>'):
			s.block = true
			return nil
		}
		if s.begins && entry {
			s.owner, entry = i, false
		}
		s.begins, s.counted = false, false
	}
	return nil
}

// value counts a value that may begin next.
func (s *scanner) value() error {
	s.begins, s.counted = true, true
	if s.values++; s.values > s.limits.Values {
		return tooManyValues(s.line, s.limits)
	}
	return nil
}

// quoted is where the quoted string that begins at i ends, within its line: the next line is counted, as it may not
// belong to the string.
func quoted(line []byte, i int) int {
	quote := line[i]
	for i++; i < len(line); i++ {
		switch {
		case line[i] == '\\' && quote == '"':
			i++
		case line[i] != quote:
		case quote == '\'' && i+1 < len(line) && line[i+1] == quote:
			i++
		default:
			return i
		}
	}
	return i
}
