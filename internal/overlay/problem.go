package overlay

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Bounds of an input, and of what is said of it. What holds more does not fit into an object.
const (
	maxValues   = 20_000
	maxBytes    = 1 << 20
	maxProblems = 20
)

// Problem is what is wrong with an input.
type Problem struct {
	// Field is where in the input; empty for all of it.
	Field []string
	// Why goes on where the field was named: "is missing".
	Why string
}

// Message is the whole of what is wrong.
func (p Problem) Message() string {
	if len(p.Field) == 0 {
		return p.Why
	}
	return Written(p.Field) + ": " + p.Why
}

// Under are problems of an input that is a field of another one.
func Under(field string, problems []Problem) []Problem {
	out := make([]Problem, len(problems))
	for i, p := range problems {
		out[i] = Problem{append([]string{field}, p.Field...), p.Why}
	}
	return out
}

// Written is a path as people write it: `a.b[0].c`.
func Written(path []string) string {
	var b strings.Builder
	for i, name := range path {
		if _, err := strconv.Atoi(name); err == nil {
			b.WriteString("[" + name + "]")
			continue
		}
		if i > 0 {
			b.WriteByte('.')
		}
		b.WriteString(name)
	}
	return b.String()
}

// laying is one run of Lay.
type laying struct {
	at       []string
	problems []Problem
}

func (l *laying) below(name string, do func()) {
	l.at = append(l.at, name)
	do()
	l.at = l.at[:len(l.at)-1]
}

func (l *laying) problem(format string, args ...any) {
	if len(l.problems) < maxProblems {
		l.problems = append(l.problems, Problem{slices.Clone(l.at), fmt.Sprintf(format, args...)})
	}
}

// needs says that something else is needed than what is given.
func (l *laying) needs(needed string, input any) {
	given := fmt.Sprintf("%.100s", fmt.Sprint(input))
	switch v := input.(type) {
	case nil:
		given = "null"
	case map[string]any:
		given = "an object"
	case []any:
		given = "a list"
	case string:
		given = fmt.Sprintf("%.100q", v)
	}
	l.problem("is %s; %s is needed", given, needed)
}

// given is what an input gives, of the type that is needed; the zero value for null.
func given[T any](l *laying, needed string, input any) T {
	out, ok := input.(T)
	if !ok && input != nil {
		l.needs(needed, input)
	}
	return out
}

// bounded says that an input holds too much.
func bounded(input map[string]any) []Problem {
	if values, bytes := size(input); values > maxValues || bytes > maxBytes {
		return []Problem{{Why: fmt.Sprintf("has %d values and %d bytes of text; at most %d and %d are allowed", values, bytes, maxValues, maxBytes)}}
	}
	return nil
}

// size is how much an input holds: values, and bytes of texts.
func size(input any) (values, bytes int) {
	values = 1
	add := func(inner any) {
		v, b := size(inner)
		values, bytes = values+v, bytes+b
	}
	switch v := input.(type) {
	case string:
		bytes = len(v)
	case []any:
		for _, inner := range v {
			add(inner)
		}
	case map[string]any:
		for _, inner := range v {
			add(inner)
		}
	}
	return values, bytes
}
