package loaders

import (
	"encoding/base64"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

const (
	// maxPage is the most rows of a page.
	maxPage = 200
	// maxCursorLength bounds what is decoded; the longest cursor of real names is well below it.
	maxCursorLength = 2048
	cursorVersion   = "1"
	cursorSeparator = "\n"
)

// list names a list and what it is a list of, so that a cursor of another one is told apart.
type list struct {
	name string
	of   string
}

// cursor makes the opaque cursor of the row at a position.
func (l list) cursor(position ...string) string {
	fields := append([]string{cursorVersion, l.name, l.of}, position...)
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(fields, cursorSeparator)))
}

// parse gives a cursor's position back; n is how many fields a position of this list has.
func (l list) parse(cursor string, n int) ([]string, error) {
	if len(cursor) > maxCursorLength {
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

// CheckPage says whether a page may be asked for.
func CheckPage(p model.Page) error {
	if p.First < 1 || p.First > maxPage {
		return model.BadInput("first", "is %d; 1 to %d are allowed", p.First, maxPage)
	}
	return nil
}

// PageOf cuts a page out of a list that is in memory and sorted by name.
func PageOf[T any](name, of string, rows []T, page model.Page, rowName func(T) string) (*model.Connection[T], error) {
	if err := CheckPage(page); err != nil {
		return nil, err
	}
	l, total, start := list{name, of}, len(rows), 0
	if page.After != "" {
		position, err := l.parse(page.After, 1)
		if err != nil {
			return nil, err
		}
		for start < len(rows) && rowName(rows[start]) <= position[0] {
			start++
		}
	}
	rows = rows[start:]
	more := len(rows) > page.First
	c := model.NewConnection(rows[:min(len(rows), page.First)], page, more, func(row T) string { return l.cursor(rowName(row)) })
	c.TotalCount = &total
	return c, nil
}
