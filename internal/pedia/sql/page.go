package sql

import (
	"slices"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// A partition is the rows of one kind in one cluster (and in one namespace, where namespaces are named). The store's
// unique index has each partition in order. A page over many partitions is
//
//	id = ANY(ARRAY(SELECT … FROM partitions CROSS JOIN LATERAL (SELECT … ORDER BY … LIMIT n) … LIMIT n))
//
// which reads at most n rows of each partition. In the order by name clusters come first, so the partitions of a
// cluster are read only when those before it did not fill the page: the sort is incremental over the clusters, which
// are in order. Lists of any length are one text parameter, so that the store prepares few statements.

// bound is where a partition begins.
type bound struct {
	// At is empty in the order by name.
	At string `json:"t,omitempty"`
	// Namespace and Name of the first row, or of the row after the last.
	Namespace string `json:"a"`
	Name      string `json:"b"`
	// Tie says that the partition is in the cursor's own cluster: kinds differ in whether they include the row at the
	// cursor.
	Tie bool `json:"x,omitempty"`
}

// tie is what a kind appends to the name at the cursor.
func (q *Query) tie(rank int) string {
	if q.After == nil {
		return ""
	}
	at := q.rank(q.After.GVR)
	if q.Descending && rank < at || !q.Descending && rank <= at {
		return just
	}
	return ""
}

// boundOf is where the partitions of a cluster begin; only for clusters that are not before the cursor.
func (q *Query) boundOf(cluster string) bound {
	if q.After == nil {
		return bound{}
	}
	b := bound{}
	if q.byTime() {
		b.At = q.After.At
	}
	c := strings.Compare(cluster, q.After.Cluster)
	if q.Descending {
		c = -c
	}
	switch {
	case c == 0:
		b.Namespace, b.Name, b.Tie = q.After.Namespace, q.After.Name, true
	case (c > 0) == q.Descending: // ascending from below everything, or all rows of that time when descending
		b.Namespace = last
	}
	return b
}

// pagePartition is a cluster, or a namespace of one, as passed to the statement.
type pagePartition struct {
	Rank    int    `json:"o"`
	Cluster string `json:"c"`
	// Namespace is empty for objects of none, too: left out, it would be NULL, which no row's namespace equals.
	Namespace string `json:"n"`
	bound
}

// kind is a kind as passed to the statement.
type kind struct {
	Rank     int    `json:"k"`
	Group    string `json:"g"`
	Version  string `json:"v"`
	Resource string `json:"r"`
	Tie      string `json:"t"`
}

// Page is the statement for a page. A query with Count also asks for the number of all its rows, wherever the page
// begins.
func (q *Query) Page(d Dialect) (*Statement, error) {
	st, err := q.page(d).statement(q, q.Limit)
	if err != nil {
		return nil, err
	}
	st.OrderBy = q.orderBy(d, len(q.GVRs) == 1 && len(q.Clusters) == 1)
	if !q.Count {
		return st, nil
	}
	if q.After == nil && !st.Keyed() {
		st.Total = &st.Filter
		return st, nil
	}
	st.Total, err = q.all(d)
	return st, err
}

// Number is the statement that only counts the rows of a query, wherever its page begins.
func (q *Query) Number(d Dialect) (*Statement, error) {
	total, err := q.all(d)
	return &Statement{Query: q, Total: total}, err
}

// all selects all rows of a query, wherever its page begins.
func (q *Query) all(d Dialect) (*Filter, error) {
	s := &builder{row: indexes.Table, Dialect: d}
	s.write("true")
	s.all(q.Where)
	f, err := s.filter()
	return &f, err
}

func (q *Query) page(d Dialect) *builder {
	namespaces, rest := splitNamespaces(q.Where)
	_, few := narrowed(q.Where)
	several := len(q.GVRs) > 1 || len(q.Clusters) > 1 || len(namespaces) > 1 && len(namespaces) <= maxPartitions || few && d.Pack
	switch {
	case d.Pack && searched(q.Where):
		return q.search(d)
	case several:
		return q.partitioned(d)
	case len(namespaces) == 1:
		return q.plain(d, append([]Condition{namespaceIs(namespaces[0])}, rest...))
	}
	return q.plain(d, q.Where)
}

// plain is the statement for one kind in one cluster, which the request names: only the keyset and the conditions
// remain.
func (q *Query) plain(d Dialect, where []Condition) *builder {
	s := &builder{row: indexes.Table, Dialect: d}
	s.write("true")
	if !d.ByBytes {
		s.write(" AND ", indexes.ByteCluster, " = ")
		s.value(q.Clusters[0])
	}
	if q.Order == ByLastSeen {
		s.write(" AND ", indexes.IsEvent)
	}
	if q.After != nil {
		b := q.boundOf(q.Clusters[0])
		if b.Tie {
			b.Name += q.tie(0)
		}
		s.write(" AND (", strings.Join(s.columns(q.Order), ", "), ") ", q.operator(), " (")
		if q.byTime() {
			s.value(b.At)
			s.write(castOf(q.Order), ", ")
		}
		s.value(b.Namespace)
		s.write(", ")
		s.value(b.Name)
		s.write(")")
	}
	s.all(where)
	return s
}

func (q *Query) operator() string {
	if q.Descending {
		return "<"
	}
	return ">="
}

// castOf casts a text parameter to the type of the order's time in the store.
func castOf(order Order) string {
	if order == ByCreated {
		return "::timestamptz"
	}
	return ""
}

// partitioned is the statement for many partitions.
func (q *Query) partitioned(d Dialect) *builder {
	s := &builder{Dialect: d}
	s.write("id = ANY(")
	q.stripsArray(s)
	s.write(")")
	return s
}

// stripsArray writes the array of the rows of a page.
func (q *Query) stripsArray(s *builder) {
	outside := s.row
	s.row = "s"
	namespaces, where := q.partitionNamespaces()
	partitions, kinds := q.partitions(namespaces), q.kinds()
	columns, names := s.columns(q.Order), s.names()
	s.write("ARRAY(SELECT ")
	if q.byTime() {
		s.write("s.id FROM ")
		s.partitionsFrom(partitions)
		s.write(" CROSS JOIN ")
		s.kindsFrom(kinds)
		s.partition(q, columns, where, namespaces != nil)
		s.write(" ORDER BY ", direction(append([]string{"s.t", "c.o"}, append(names, "k.k")...), q.Descending))
	} else {
		s.write("r.id FROM (SELECT e, o FROM jsonb_array_elements(")
		s.json(partitions)
		s.write(") WITH ORDINALITY AS e(e, o) ORDER BY o")
		s.about(len(partitions))
		s.write(") e CROSS JOIN LATERAL (SELECT s.id, s.namespace, s.name, k.k" +
			" FROM jsonb_to_record(e.e) AS c(c text, n text, a text, b text, x bool) CROSS JOIN ")
		s.kindsFrom(kinds)
		s.partition(q, columns, where, namespaces != nil)
		s.write(" ORDER BY ", direction(append(names, "k.k"), q.Descending))
		s.limit(q.Limit)
		s.write(") r ORDER BY e.o, ", strings.ReplaceAll(direction(append(names, "s.k"), q.Descending), "s.", "r."))
	}
	s.limit(q.Limit)
	s.write(")")
	s.row = outside
}

// partitionNamespaces is the namespaces that get their own partitions, nil for none, and the remaining conditions.
func (q *Query) partitionNamespaces() ([]string, []Condition) {
	namespaces, where := splitNamespaces(q.Where)
	if len(namespaces) == 0 || len(namespaces)*len(q.Clusters) > maxPartitions || q.byTime() && len(namespaces) > 1 {
		return nil, q.Where
	}
	return namespaces, where
}

// names is the namespace and the name of a partition's row, by bytes.
func (s *builder) names() []string {
	if s.ByBytes {
		return []string{"s.namespace", "s.name"}
	}
	return []string{`s.namespace COLLATE "C"`, `s.name COLLATE "C"`}
}

// search is the statement for a page with conditions whose rows an index of the pack finds: a label, a part of a name,
// an owner. Few rows are sorted. If there are too many, sorting takes too long, but partitions soon fill a page: the
// statement first looks for up to the limit (found) to see which it is.
func (q *Query) search(d Dialect) *builder {
	s := &builder{row: indexes.Table, Dialect: d}
	namespaces, _ := q.partitionNamespaces()
	columns := s.columns(q.Order)
	s.write("id = ANY(CAST((WITH s AS MATERIALIZED (SELECT id, \"group\", version, resource, cluster, namespace, name")
	if q.byTime() {
		s.write(", ", columns[0], " AS t")
	}
	s.write(" FROM resources WHERE true")
	s.all(q.Where)
	s.limit(found + 1)
	s.write(") SELECT CASE WHEN (SELECT count(*) FROM s) <= ", strconv.Itoa(found), " THEN ARRAY(SELECT s.id FROM s JOIN ")
	s.partitionsFrom(q.partitions(namespaces))
	s.write(" ON s.cluster = c.c")
	if namespaces != nil {
		s.write(" AND s.namespace = c.n")
	}
	s.write(" JOIN ")
	s.kindsFrom(q.kinds())
	s.write(` ON s."group" = k.g AND s.version = k.v AND s.resource = k.r`)
	order := append([]string{"c.o"}, append(s.names(), "k.k")...)
	compared := s.names()
	if q.byTime() {
		order, compared = append([]string{"s.t"}, order...), append([]string{"s.t"}, compared...)
	}
	if q.After != nil {
		s.write(" WHERE ")
		s.keyset(q, compared)
	}
	s.write(" ORDER BY ", direction(order, q.Descending))
	s.limit(q.Limit)
	s.write(") ELSE ")
	q.stripsArray(s)
	s.write(" END) AS bigint[]))")
	return s
}

// keyset writes the condition for rows beyond the bound of the current partitions.
func (s *builder) keyset(q *Query, columns []string) {
	s.write("(", strings.Join(columns, ", "), ") ", q.operator(), " (")
	if q.byTime() {
		s.write("c.t", castOf(q.Order), ", ")
	}
	s.write("c.a, c.b || CASE WHEN c.x THEN k.t ELSE '' END)")
}

func (s *builder) partitionsFrom(partitions []pagePartition) {
	s.write("(SELECT * FROM jsonb_to_recordset(")
	s.json(partitions)
	s.write(") AS c(o int, c text, n text, t text, a text, b text, x bool)")
	s.about(len(partitions))
	s.write(") c")
}

func (s *builder) kindsFrom(kinds []kind) {
	s.write("(SELECT * FROM jsonb_to_recordset(")
	s.json(kinds)
	s.write(") AS k(k int, g text, v text, r text, t text)")
	s.about(len(kinds))
	s.write(") k")
}

// partition writes the subquery that reads one partition.
func (s *builder) partition(q *Query, columns []string, where []Condition, namespaced bool) {
	s.write(" CROSS JOIN LATERAL (SELECT id, namespace, name")
	if q.byTime() {
		s.write(", ", columns[0], " AS t")
	}
	if unhealthy, ok := narrowed(where); ok && s.Pack {
		s.write(" FROM ")
		unhealthy.few(s)
		s.write(" WHERE true")
		where = slices.DeleteFunc(slices.Clone(where), func(c Condition) bool {
			_, ok := c.(unhealthyCondition)
			return ok
		})
	} else {
		s.write(` FROM resources s WHERE "group" = k.g AND version = k.v AND resource = k.r AND `)
		s.clusterIs("c.c")
	}
	if namespaced {
		s.write(" AND namespace = c.n")
	}
	if q.Order == ByLastSeen {
		s.write(" AND ", indexes.IsEvent)
	}
	if q.After != nil {
		s.write(" AND ")
		s.keyset(q, columns)
	}
	s.allInOrder(where)
	s.write(" ORDER BY ", direction(columns, q.Descending))
	s.limit(q.Limit)
	s.write(") s")
}

// partitions is the clusters in the query's order, without those before the cursor, each with every namespace that the
// query names.
func (q *Query) partitions(namespaces []string) []pagePartition {
	clusters := slices.Compact(slices.Sorted(slices.Values(q.Clusters)))
	out := make([]pagePartition, 0, len(clusters)*max(1, len(namespaces)))
	for i, cluster := range clusters {
		if q.After != nil && !q.byTime() {
			if c := strings.Compare(cluster, q.After.Cluster); c < 0 && !q.Descending || c > 0 && q.Descending {
				continue
			}
		}
		b := q.boundOf(cluster)
		if len(namespaces) == 0 {
			out = append(out, pagePartition{Rank: i, Cluster: cluster, bound: b})
		}
		for _, namespace := range namespaces {
			out = append(out, pagePartition{Rank: i, Cluster: cluster, Namespace: namespace, bound: b})
		}
	}
	if q.Descending {
		slices.Reverse(out)
	}
	return out
}

func (q *Query) kinds() []kind {
	out := make([]kind, len(q.GVRs))
	for i, gvr := range q.GVRs {
		out[i] = kind{i, gvr.Group, gvr.Version, gvr.Resource, q.tie(i)}
	}
	return out
}

// splitNamespaces separates the namespaces, sorted, from the other conditions; nil when none names them.
func splitNamespaces(where []Condition) (namespaces []string, rest []Condition) {
	for i, c := range where {
		if n, ok := c.(namespacesCondition); ok {
			return slices.Compact(slices.Sorted(slices.Values(n))), slices.Concat(where[:i], where[i+1:])
		}
	}
	return nil, where
}
