package model

// Connection is a page of a list as Relay defines it.
type Connection[T any] struct {
	Edges    []Edge[T]
	PageInfo PageInfo
	// TotalCount counts the whole list, filtered; nil when it has not been counted.
	TotalCount *int
	// TotalCountEstimate is about how many there are; nil when that was not asked for, or is not known.
	TotalCountEstimate *CountEstimate
}

// CountEstimate is a number of rows.
type CountEstimate struct {
	Value int
	// Exact says that they were counted.
	Exact bool
}

// Counted sets the exact number of rows of the whole list, as the total, as the estimate or as both.
func (c *Connection[T]) Counted(n int, total, estimate bool) {
	if total {
		c.TotalCount = &n
	}
	if estimate {
		c.TotalCountEstimate = &CountEstimate{Value: n, Exact: true}
	}
}

// Uncounted removes what was counted.
func (c *Connection[T]) Uncounted() { c.TotalCount, c.TotalCountEstimate = nil, nil }

// Edge is a row of a page.
type Edge[T any] struct {
	Cursor string
	Node   T
}

// Nodes is the rows without their cursors.
func (c *Connection[T]) Nodes() []T {
	out := make([]T, len(c.Edges))
	for i := range c.Edges {
		out[i] = c.Edges[i].Node
	}
	return out
}

// NewConnection makes a page of rows; more says whether rows follow, and cursor returns a row's cursor.
func NewConnection[T any](rows []T, page Page, more bool, cursor func(T) string) *Connection[T] {
	c := &Connection[T]{Edges: make([]Edge[T], len(rows))}
	for i, row := range rows {
		c.Edges[i] = Edge[T]{Cursor: cursor(row), Node: row}
	}
	c.PageInfo = PageInfo{HasNextPage: more, HasPreviousPage: page.After != ""}
	if n := len(c.Edges); n > 0 {
		c.PageInfo.StartCursor, c.PageInfo.EndCursor = &c.Edges[0].Cursor, &c.Edges[n-1].Cursor
	}
	return c
}
