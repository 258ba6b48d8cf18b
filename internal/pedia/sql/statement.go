// Package sql says in SQL what is asked of the read store: a Query with its conditions becomes a Statement, a value that an
// executor runs. It knows the tables of Clusterpedia's PostgreSQL, and no connection.
package sql

import (
	"encoding/json"
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// Statement is one question to the read store. Its text holds nothing but the constants of this package: values are
// parameters.
type Statement struct {
	// Query is what it asks for, as far as its scope may see that.
	Query *Query
	// Where is a condition on a row, with a placeholder for each of Params; empty for none. Params are texts.
	Where  string
	Params []any
	// OrderBy is columns and expressions without blanks, for rows that come in another order otherwise; empty for none.
	OrderBy string
	// Limit is the most rows.
	Limit int
	// Count asks how many rows meet Where, however many come.
	Count bool
}

// builder is a condition in the making.
type builder struct {
	text   strings.Builder
	params []any
	// row is what the row that conditions are about is called from within a subquery.
	row string
	// cluster is the expression of the cluster that all rows of a subquery are of; empty when they are
	// of several.
	cluster string
	// Dialect is what the database is like.
	Dialect
	// group, when not nil, takes the values in place of params: they differ from partition to partition.
	group *[]any
	err   error
}

// statement is what was built, for a query.
func (s *builder) statement(q *Query, limit int) (*Statement, error) {
	if s.err != nil {
		return nil, s.err
	}
	where := s.text.String()
	if where = strings.TrimPrefix(where, "true AND "); where == "true" {
		where = ""
	}
	return &Statement{Query: q, Where: where, Params: s.params, Limit: limit}, nil
}

func (s *builder) write(parts ...string) {
	for _, p := range parts {
		s.text.WriteString(p)
	}
}

// value writes the placeholder of a text.
func (s *builder) value(v string) {
	if !Storable(v) {
		s.err = model.BadInput("filter", "%q holds a zero byte", v)
	}
	if s.group != nil {
		s.write("(p.w->>", strconv.Itoa(len(*s.group)), ")")
		*s.group = append(*s.group, v)
		return
	}
	s.write("?::text")
	s.params = append(s.params, v)
}

// json writes the placeholder of a jsonb.
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

// anyOf writes `= ANY(values)`. One value is written plainly: the planner knows more about it then.
func (s *builder) anyOf(values []string) {
	if len(values) == 1 && s.group == nil {
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

// all writes conditions that all hold, each after an AND.
func (s *builder) all(conditions []Condition) {
	for _, c := range conditions {
		s.write(" AND (")
		c.sql(s)
		s.write(")")
	}
}

// allInOrder writes conditions for rows that are read in the order of pages. Those which another index
// could find the rows of are hidden from the planner, who would find all of them first, and sort them.
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

// at is the condition that a row stands at a place. It is the equality of three columns, said as an index
// of names alone serves it badly: the planner would take that one, which is slow for names that each
// namespace has.
func at(cluster, namespace, name string) string {
	return "cluster = " + cluster + " AND namespace = " + namespace + " AND name >= " + name + " AND name <= " + name
}

// limit writes a number that the caller chose; it is no user's text.
func (s *builder) limit(n int) { s.write(" LIMIT ", strconv.Itoa(n)) }

// about tells the planner how long a list of parameters is, which it takes for a hundred long otherwise:
// a limit that cuts nothing off. It is rounded up so that there are few statements.
func (s *builder) about(n int) { s.limit(max(1, 1<<bits.Len(uint(n-1)))) }

// columns of an order within a partition, as the index that serves it has them.
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

// clusterIs writes the equality of the cluster. Where the database orders otherwise than by bytes, the
// index that serves the pages has the cluster by bytes too.
func (s *builder) clusterIs(expression string) {
	if s.ByBytes {
		s.write("cluster = ", expression)
		return
	}
	s.write(indexes.ByteCluster, " = ", expression)
}

// direction gives the columns of an ORDER BY their direction.
func direction(columns []string, descending bool) string {
	if !descending {
		return strings.Join(columns, ", ")
	}
	return strings.Join(columns, " DESC, ") + " DESC"
}

// The bounds of a keyset say with one comparison what is beyond a cursor: `>=` upwards and `<` downwards,
// with a name that has just follows appended where the row at the cursor counts as before.
const (
	just = "\u0001"     // no name begins or goes on with it, and it comes before all that they hold
	last = "\U0010FFFF" // comes after every namespace
)

// maxPartitions bounds the partitions by namespace. Beyond it namespaces are a condition like others.
const maxPartitions = 1000

// Dialect is what statements depend on.
type Dialect struct {
	// ByBytes says that the database orders texts by bytes; Pack, that the index pack is there.
	ByBytes, Pack bool
}

// found bounds what is taken from the indexes that are not in the order of pages.
const found = 5000
