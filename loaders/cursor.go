package loaders

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxPage is the maximum number of rows of a page.
	maxPage = 200
	// maxCursorLength bounds what is decoded; the longest cursor of real names is well below it.
	maxCursorLength = 2048
	cursorVersion   = "1"
	cursorSeparator = "\n"
)

// list identifies a list and its parent, to recognise a cursor of another one.
type list struct {
	name string
	of   string
}

// cursor makes the opaque cursor of a position.
func (l list) cursor(position ...string) string {
	fields := append([]string{cursorVersion, l.name, l.of}, position...)
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(fields, cursorSeparator)))
}

// parse returns a cursor's position; n is how many fields a position of this list has.
func (l list) parse(cursor string, n int) ([]string, error) {
	if len(cursor) > maxCursorLength || strings.ContainsAny(cursor, "\r\n") { // base64 skips line breaks
		return nil, model.BadInput("after", "is not a cursor of this list")
	}
	raw, err := base64.RawURLEncoding.Strict().DecodeString(cursor)
	if err != nil {
		return nil, model.BadInput("after", "is not a cursor; give the endCursor of the page before")
	}
	fields := strings.Split(string(raw), cursorSeparator)
	if len(fields) != n+3 || !slices.Equal(fields[:3], []string{cursorVersion, l.name, l.of}) {
		return nil, model.BadInput("after", "is a cursor of another list; give the endCursor of this list's page before")
	}
	return fields[3:], nil
}

// CheckPage validates a request for a page.
func CheckPage(p model.Page) error {
	if p.First < 1 || p.First > maxPage {
		return model.BadInput("first", "is %d; 1 to %d are allowed", p.First, maxPage)
	}
	return nil
}

// Sorted is the order of a list in memory: by a value, and by name where that is equal.
type Sorted[T any] struct {
	// Value of a row as text that sorts as the value does; nil orders by name alone.
	Value func(T) string
	Name  func(T) string
	// Descending reverses the order of values; names stay from A to Z, unless they are the only order.
	Descending bool
	// By names the order, to recognise a cursor of another one.
	By string
}

// SortableNumber is a non-negative number as text that sorts as the number does.
func SortableNumber(n float64) string { return fmt.Sprintf("%024.3f", n) }

func (s Sorted[T]) key(row T) (key [2]string) {
	if s.Value != nil {
		key[0] = s.Value(row)
	}
	key[1] = s.Name(row)
	return key
}

func (s Sorted[T]) compare(a, b [2]string) int {
	if s.Value == nil && s.Descending {
		return strings.Compare(b[1], a[1])
	}
	if c := strings.Compare(a[0], b[0]); c != 0 {
		if s.Descending {
			return -c
		}
		return c
	}
	return strings.Compare(a[1], b[1])
}

// PageOf cuts a page from a list in memory.
func PageOf[T any](name, of string, rows []T, page model.Page, order Sorted[T]) (*model.Connection[T], error) {
	if err := CheckPage(page); err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b T) int { return order.compare(order.key(a), order.key(b)) })
	l, total, start := list{name, of + order.By}, len(rows), 0
	if page.After != "" {
		f, err := l.parse(page.After, 2)
		if err != nil {
			return nil, err
		}
		for start < len(rows) && order.compare(order.key(rows[start]), [2]string{f[0], f[1]}) <= 0 {
			start++
		}
	}
	rows = rows[start:]
	more := len(rows) > page.First
	c := model.NewConnection(rows[:min(len(rows), page.First)], page, more, func(row T) string {
		key := order.key(row)
		return l.cursor(key[0], key[1])
	})
	c.TotalCount = &total
	return c, nil
}
