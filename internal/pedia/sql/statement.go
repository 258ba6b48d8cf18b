// Package sql writes queries to the read store in SQL: a Query with its conditions becomes a Statement, a value that an
// executor runs. It knows the tables of Clusterpedia's PostgreSQL, and no connection.
package sql

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Statement is one query to the read store. Its text contains only constants of this package: values are parameters.
type Statement struct {
	// Query is the query that it was made from, restricted to what its scope may see.
	Query *Query
	// Filter selects the rows.
	Filter
	// OrderBy is columns and expressions without blanks, for rows that would be returned in another order; empty for
	// none.
	OrderBy string
	// Limit is the maximum number of rows; 0 for a statement that only counts.
	Limit int
	// Total, when not nil, asks for the number of all rows that it selects, whatever the limit.
	Total *Filter
}

// Filter selects rows of the query's kinds and clusters.
type Filter struct {
	// Where is a condition on a row, with a placeholder for each of Params; empty for none. Params are strings.
	Where  string
	Params []any
}

// Equal reports whether two filters are the same.
func (f Filter) Equal(o Filter) bool { return f.Where == o.Where && slices.Equal(f.Params, o.Params) }

// Keyed reports whether the filter selects rows by their keys alone: it repeats the kinds and clusters of its query.
func (f Filter) Keyed() bool { return strings.HasPrefix(f.Where, keyed) }

// keyed is the beginning of conditions that select by key.
const keyed = "id = "

// builder builds a condition.
type builder struct {
	text   strings.Builder
	params []any
	// row is the name of the current row's table, for use in subqueries.
	row string
	// cluster is the expression of the cluster of all rows of a subquery; empty when they are of several.
	cluster string
	// Dialect is the properties of the database.
	Dialect
	// group, when not nil, takes the values instead of params: they differ from partition to partition.
	group *[]any
	err   error
}

// statement is the built statement, for a query.
func (s *builder) statement(q *Query, limit int) (*Statement, error) {
	f, err := s.filter()
	if err != nil {
		return nil, err
	}
	return &Statement{Query: q, Filter: f, Limit: limit}, nil
}

// filter is the built condition.
func (s *builder) filter() (Filter, error) {
	if s.err != nil {
		return Filter{}, s.err
	}
	where := s.text.String()
	if where = strings.TrimPrefix(where, "true AND "); where == "true" {
		where = ""
	}
	return Filter{where, s.params}, nil
}

func (s *builder) write(parts ...string) {
	for _, p := range parts {
		s.text.WriteString(p)
	}
}

// value writes the placeholder of a string.
func (s *builder) value(v string) {
	if !Storable(v) {
		s.err = model.BadInput("filter", "%q holds a zero byte, or is not UTF-8", v)
	}
	if s.group != nil {
		s.write("(p.w->>", strconv.Itoa(len(*s.group)), ")")
		*s.group = append(*s.group, v)
		return
	}
	s.write("?::text")
	s.params = append(s.params, v)
}

// json writes the placeholder of a jsonb value.
func (s *builder) json(v any) {
	raw, err := json.Marshal(v)
	if err != nil {
		s.err = fmt.Errorf("encoding a parameter: %w", err)
	}
	if strings.Contains(string(raw), `\u0000`) {
		s.err = model.BadInput("filter", "holds a zero byte")
	}
	if s.group != nil {
		s.write("(p.w->", strconv.Itoa(len(*s.group)), ")")
		*s.group = append(*s.group, json.RawMessage(raw))
		return
	}
	s.write("?::jsonb")
	s.params = append(s.params, string(raw))
}

// anyOf writes `= ANY(values)`. A single value is written as an equality, of which the planner knows more.
func (s *builder) anyOf(values []string) {
	if len(values) == 1 {
		s.write(" = ")
		s.value(values[0])
		return
	}
	s.write(" = ANY(ARRAY(SELECT jsonb_array_elements_text(")
	s.json(nonNil(values))
	s.write(")))")
}

func nonNil(values []string) []string {
	if values == nil {
		return []string{}
	}
	return values
}

// all writes conditions joined by AND, each after an AND.
func (s *builder) all(conditions []Condition) {
	for _, c := range conditions {
		s.write(" AND (")
		c.sql(s)
		s.write(")")
	}
}

// allInOrder writes conditions for rows that are read in the order of pages. Conditions that another index could serve
// are hidden from the planner, which would find all their rows first, and sort them.
func (s *builder) allInOrder(conditions []Condition) {
	for _, c := range conditions {
		hidden := searched([]Condition{c})
		s.write(" AND (")
		if hidden {
			s.write("COALESCE((")
		}
		c.sql(s)
		if hidden {
			s.write("), false)")
		}
		s.write(")")
	}
}

// at is the condition on the place of a row. It is the equality of three columns, written in a way that an index on
// names alone serves badly: the planner would choose that one, which is slow for names that occur in every namespace.
func at(cluster, namespace, name string) string {
	return "cluster = " + cluster + " AND namespace = " + namespace + " AND name >= " + name + " AND name <= " + name
}

// limit writes a number that the caller chose; it is no user input.
func (s *builder) limit(n int) { s.write(" LIMIT ", strconv.Itoa(n)) }

// about gives the planner the length of a list of parameters, which it would estimate at a hundred, by a limit that
// cuts nothing off. It is rounded up so that there are few statements.
func (s *builder) about(n int) { s.limit(max(1, 1<<bits.Len(uint(n-1)))) }

// columns is the columns of an order within a partition, as the index that serves it has them.
func (s *builder) columns(order Order) []string {
	namespace, name := "namespace", "name"
	if !s.ByBytes {
		namespace, name = indexes.ByteNamespace, indexes.ByteName
	}
	switch order {
	case ByCreated:
		return []string{"created_at", namespace, name}
	case ByLastSeen:
		return []string{indexes.EventSeen, namespace, name}
	}
	return []string{namespace, name}
}

// clusterIs writes the equality of the cluster. Where the database's order is not by bytes, the index that serves the
// pages has the cluster by bytes too.
func (s *builder) clusterIs(expression string) {
	if s.ByBytes {
		s.write("cluster = ", expression)
		return
	}
	s.write(indexes.ByteCluster, " = ", expression)
}

// direction adds the direction to the columns of an ORDER BY.
func direction(columns []string, descending bool) string {
	if !descending {
		return strings.Join(columns, ", ")
	}
	return strings.Join(columns, " DESC, ") + " DESC"
}

// The bounds of a keyset express with one comparison what is beyond a cursor: `>=` ascending and `<` descending, with
// just appended to the name where the row at the cursor is before the bound.
const (
	just = "\u0001"     // no name contains it, and it sorts before every character of names
	last = "\U0010FFFF" // sorts after every namespace
)

// maxPartitions bounds the partitions by namespace. Beyond it namespaces are an ordinary condition.
const maxPartitions = 1000

// Dialect is the properties of the database that statements depend on.
type Dialect struct {
	// ByBytes says that the database orders text by bytes; Pack, that the index pack is there.
	ByBytes, Pack bool
}

// found bounds the rows taken from the indexes that are not in the order of pages.
const found = 5000
