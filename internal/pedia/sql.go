package pedia

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/bits"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/store"
)

// Statements for PostgreSQL. They stand in Clusterpedia's `whereSQLStatement` and hold nothing but the
// constants of this package: values are parameters.
//
// A strip is the rows of one kind in one cluster (and in one namespace, where namespaces are named). The
// store's unique index has each strip in order. A page over many strips is
//
//	id = ANY(ARRAY(SELECT … FROM strips CROSS JOIN LATERAL (SELECT … ORDER BY … LIMIT n) … LIMIT n))
//
// which reads at most n rows of each strip. In the order by name clusters come first, so the strips of a
// cluster are read only when those before it did not fill the page: the sort is incremental over the
// clusters, which are in order. Parameters have one text for all lengths of lists, so that the store
// prepares few statements.

// statement is a condition in the making.
type statement struct {
	text   strings.Builder
	params []any
	// row is what the row that conditions are about is called from within a subquery.
	row string
	// cluster is the expression of the cluster that all rows of a subquery are of; empty when they are
	// of several.
	cluster string
	// dialect is what the database is like.
	dialect
	// group, when not nil, takes the values in place of params: they differ from strip to strip.
	group *[]any
	err   error
}

func (s *statement) write(parts ...string) {
	for _, p := range parts {
		s.text.WriteString(p)
	}
}

// value writes the placeholder of a text.
func (s *statement) value(v string) {
	if !storable(v) {
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
func (s *statement) json(v any) {
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
func (s *statement) anyOf(values []string) {
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
func (s *statement) all(conditions []Condition) {
	for _, c := range conditions {
		s.write(" AND (")
		c.sql(s)
		s.write(")")
	}
}

// allInOrder writes conditions for rows that are read in the order of pages. Those which another index
// could find the rows of are hidden from the planner, who would find all of them first, and sort them.
func (s *statement) allInOrder(conditions []Condition) {
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
func (s *statement) limit(n int) { s.write(" LIMIT ", strconv.Itoa(n)) }

// about tells the planner how long a list of parameters is, which it takes for a hundred long otherwise:
// a limit that cuts nothing off. It is rounded up so that there are few statements.
func (s *statement) about(n int) { s.limit(max(1, 1<<bits.Len(uint(n-1)))) }

// columns of an order within a strip, as the index that serves it has them.
func (s *statement) columns(order Order) []string {
	namespace, name := "namespace", "name"
	if !s.byBytes {
		namespace, name = store.ByteNamespace, store.ByteName
	}
	switch order {
	case ByCreated:
		return []string{"created_at", namespace, name}
	case ByLastSeen:
		return []string{store.EventSeen, namespace, name}
	}
	return []string{namespace, name}
}

// clusterIs writes the equality of the cluster. Where the database orders otherwise than by bytes, the
// index that serves the pages has the cluster by bytes too.
func (s *statement) clusterIs(expression string) {
	if s.byBytes {
		s.write("cluster = ", expression)
		return
	}
	s.write(store.ByteCluster, " = ", expression)
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

// bound is where a strip begins.
type bound struct {
	// At is empty in the order by name.
	At string `json:"t,omitempty"`
	// Namespace and Name of the first row, or of the one behind the last.
	Namespace string `json:"a"`
	Name      string `json:"b"`
	// Tie says that the strip is in the cursor's own cluster: kinds differ in whether they count the row
	// at the cursor.
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

// boundOf is where the strips of a cluster begin; only for clusters that are not behind the cursor.
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
	case (c > 0) == q.Descending: // upwards from everything below, or all of the time downwards
		b.Namespace = last
	}
	return b
}

// outer is a cluster, or a namespace of one, as the statement is given them.
type outer struct {
	Rank      int    `json:"o"`
	Cluster   string `json:"c"`
	Namespace string `json:"n,omitempty"`
	bound
}

// kind is a kind as the statement is given it.
type kind struct {
	Rank     int    `json:"k"`
	Group    string `json:"g"`
	Version  string `json:"v"`
	Resource string `json:"r"`
	Tie      string `json:"t"`
}

// maxStrips bounds the strips by namespace. Beyond it namespaces are a condition like others.
const maxStrips = 1000

// dialect is what statements depend on: whether the database orders by bytes of itself, and whether the
// index pack is there.
type dialect struct{ byBytes, pack bool }

// page is the statement of a page.
func (q *Query) page(d dialect) (*statement, error) {
	namespaces, rest := splitNamespaces(q.Where)
	_, few := narrowed(q.Where)
	several := len(q.GVRs) > 1 || len(q.Clusters) > 1 || len(namespaces) > 1 && len(namespaces) <= maxStrips || few && d.pack
	var s *statement
	switch {
	case d.pack && searched(q.Where):
		s = q.search(d)
	case several:
		s = q.strips(d)
	case len(namespaces) == 1:
		s = q.plain(d, append([]Condition{namespaceIs(namespaces[0])}, rest...))
	default:
		s = q.plain(d, q.Where)
	}
	return s, s.err
}

// plain is the statement for one kind in one cluster, which the request names: what remains is the
// keyset and the conditions.
func (q *Query) plain(d dialect, where []Condition) *statement {
	s := &statement{row: store.Table, dialect: d}
	s.write("true")
	if !d.byBytes {
		s.write(" AND ", store.ByteCluster, " = ")
		s.value(q.Clusters[0])
	}
	if q.Order == ByLastSeen {
		s.write(" AND ", store.IsEvent)
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

// castOf makes a text what the order's time is in the store.
func castOf(order Order) string {
	if order == ByCreated {
		return "::timestamptz"
	}
	return ""
}

// strips is the statement for many strips.
func (q *Query) strips(d dialect) *statement {
	s := &statement{dialect: d}
	s.write("id = ANY(")
	q.stripsArray(s)
	s.write(")")
	return s
}

// stripsArray writes the array of the rows of a page.
func (q *Query) stripsArray(s *statement) {
	outside := s.row
	s.row = "s"
	namespaces, where := q.stripNamespaces()
	outers, kinds := q.outers(namespaces), q.kinds()
	columns, names := s.columns(q.Order), s.names()
	s.write("ARRAY(SELECT ")
	if q.byTime() {
		s.write("s.id FROM ")
		s.outersFrom(outers)
		s.write(" CROSS JOIN ")
		s.kindsFrom(kinds)
		s.strip(q, columns, where, namespaces != nil)
		s.write(" ORDER BY ", direction(append([]string{"s.t", "c.o"}, append(names, "k.k")...), q.Descending))
	} else {
		s.write("r.id FROM (SELECT e, o FROM jsonb_array_elements(")
		s.json(outers)
		s.write(") WITH ORDINALITY AS e(e, o) ORDER BY o")
		s.about(len(outers))
		s.write(") e CROSS JOIN LATERAL (SELECT s.id, s.namespace, s.name, k.k" +
			" FROM jsonb_to_record(e.e) AS c(c text, n text, a text, b text, x bool) CROSS JOIN ")
		s.kindsFrom(kinds)
		s.strip(q, columns, where, namespaces != nil)
		s.write(" ORDER BY ", direction(append(names, "k.k"), q.Descending))
		s.limit(q.Limit)
		s.write(") r ORDER BY e.o, ", strings.ReplaceAll(direction(append(names, "s.k"), q.Descending), "s.", "r."))
	}
	s.limit(q.Limit)
	s.write(")")
	s.row = outside
}

// stripNamespaces is the namespaces that have strips of their own, nil for none, and the conditions that
// remain.
func (q *Query) stripNamespaces() ([]string, []Condition) {
	namespaces, where := splitNamespaces(q.Where)
	if len(namespaces) == 0 || len(namespaces)*len(q.Clusters) > maxStrips || q.byTime() && len(namespaces) > 1 {
		return nil, q.Where
	}
	return namespaces, where
}

// names is the namespace and the name of a strip's row, by bytes.
func (s *statement) names() []string {
	if s.byBytes {
		return []string{"s.namespace", "s.name"}
	}
	return []string{`s.namespace COLLATE "C"`, `s.name COLLATE "C"`}
}

// found bounds what is taken from the indexes that are not in the order of pages.
const found = 5000

// search is the statement of a page with conditions that an index of the pack finds the rows of: a label,
// a part of a name, an owner. Few rows are sorted. Many are so common that strips soon have a page full,
// while sorting all of them would not be done soon: which it is, shows in the attempt.
func (q *Query) search(d dialect) *statement {
	s := &statement{row: store.Table, dialect: d}
	namespaces, _ := q.stripNamespaces()
	columns := s.columns(q.Order)
	s.write("id = ANY(CAST((WITH s AS MATERIALIZED (SELECT id, \"group\", version, resource, cluster, namespace, name")
	if q.byTime() {
		s.write(", ", columns[0], " AS t")
	}
	s.write(" FROM resources WHERE true")
	s.all(q.Where)
	s.limit(found + 1)
	s.write(") SELECT CASE WHEN (SELECT count(*) FROM s) <= ", strconv.Itoa(found), " THEN ARRAY(SELECT s.id FROM s JOIN ")
	s.outersFrom(q.outers(namespaces))
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

// keyset writes what is beyond the bound of the strips at hand.
func (s *statement) keyset(q *Query, columns []string) {
	s.write("(", strings.Join(columns, ", "), ") ", q.operator(), " (")
	if q.byTime() {
		s.write("c.t", castOf(q.Order), ", ")
	}
	s.write("c.a, c.b || CASE WHEN c.x THEN k.t ELSE '' END)")
}

func (s *statement) outersFrom(outers []outer) {
	s.write("(SELECT * FROM jsonb_to_recordset(")
	s.json(outers)
	s.write(") AS c(o int, c text, n text, t text, a text, b text, x bool)")
	s.about(len(outers))
	s.write(") c")
}

func (s *statement) kindsFrom(kinds []kind) {
	s.write("(SELECT * FROM jsonb_to_recordset(")
	s.json(kinds)
	s.write(") AS k(k int, g text, v text, r text, t text)")
	s.about(len(kinds))
	s.write(") k")
}

// strip writes the subquery that reads one strip.
func (s *statement) strip(q *Query, columns []string, where []Condition, namespaced bool) {
	s.write(" CROSS JOIN LATERAL (SELECT id, namespace, name")
	if q.byTime() {
		s.write(", ", columns[0], " AS t")
	}
	if amiss, ok := narrowed(where); ok && s.pack {
		s.write(" FROM ")
		amiss.few(s)
		s.write(" WHERE true")
		where = slices.DeleteFunc(slices.Clone(where), func(c Condition) bool {
			_, ok := c.(amissCondition)
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
		s.write(" AND ", store.IsEvent)
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

// outers is the clusters in the query's order, without those behind the cursor, each with every
// namespace that is asked for.
func (q *Query) outers(namespaces []string) []outer {
	clusters := slices.Compact(slices.Sorted(slices.Values(q.Clusters)))
	out := make([]outer, 0, len(clusters)*max(1, len(namespaces)))
	for i, cluster := range clusters {
		if q.After != nil && !q.byTime() {
			if c := strings.Compare(cluster, q.After.Cluster); c < 0 && !q.Descending || c > 0 && q.Descending {
				continue
			}
		}
		b := q.boundOf(cluster)
		if len(namespaces) == 0 {
			out = append(out, outer{Rank: i, Cluster: cluster, bound: b})
		}
		for _, namespace := range namespaces {
			out = append(out, outer{Rank: i, Cluster: cluster, Namespace: namespace, bound: b})
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

// splitNamespaces takes the namespaces out of conditions, sorted; nil when none names them.
func splitNamespaces(where []Condition) (namespaces []string, rest []Condition) {
	for i, c := range where {
		if n, ok := c.(namespacesCondition); ok {
			return slices.Compact(slices.Sorted(slices.Values(n))), slices.Concat(where[:i], where[i+1:])
		}
	}
	return nil, where
}

// keysStatement is the rows at keys: each is one look into the unique index.
func keysStatement(keys []Key) (*statement, error) {
	type strip struct {
		Group    string      `json:"g"`
		Version  string      `json:"v"`
		Resource string      `json:"r"`
		Cluster  string      `json:"c"`
		Keys     [][2]string `json:"k"`
	}
	type place struct {
		schema.GroupVersionResource
		cluster string
	}
	index, strips := map[place]int{}, []strip{}
	for _, k := range keys {
		at := place{k.GVR, k.Cluster}
		i, known := index[at]
		if !known {
			i = len(strips)
			index[at], strips = i, append(strips, strip{k.GVR.Group, k.GVR.Version, k.GVR.Resource, k.Cluster, nil})
		}
		strips[i].Keys = append(strips[i].Keys, [2]string{k.Namespace, k.Name})
	}
	s := &statement{}
	s.write("id = ANY(ARRAY(SELECT s.id FROM (SELECT * FROM jsonb_to_recordset(")
	s.json(strips)
	s.write(") AS p(g text, v text, r text, c text, k jsonb)")
	s.about(len(strips))
	s.write(") p CROSS JOIN LATERAL jsonb_array_elements(p.k) AS e(k)"+
		` CROSS JOIN LATERAL (SELECT id FROM resources WHERE "group" = p.g AND version = p.v AND resource = p.r`+
		" AND ", at("p.c", "e.k->>0", "e.k->>1"), " LIMIT 1) s))")
	return s, s.err
}

// groupsStatement is the first rows of each group. Groups whose conditions differ only in values are one
// part of the statement.
func (q *Query) groupsStatement(d dialect) (*statement, error) {
	type strip struct {
		Group    string `json:"g"`
		Version  string `json:"v"`
		Resource string `json:"r"`
		Cluster  string `json:"c"`
		Values   []any  `json:"w"`
	}
	shapes, order, search := map[string][]strip{}, []string{}, map[string]bool{}
	for _, g := range q.Groups {
		values := []any{}
		shape := &statement{row: "s", cluster: "p.c", dialect: d, group: &values}
		shape.all(g.Where)
		if shape.err != nil {
			return nil, shape.err
		}
		text := shape.text.String()
		if _, known := shapes[text]; !known {
			order = append(order, text)
			search[text] = d.pack && searched(slices.Concat(g.Where, q.Where))
		}
		shapes[text] = append(shapes[text], strip{g.GVR.Group, g.GVR.Version, g.GVR.Resource, g.Cluster, values})
	}
	s := &statement{row: "s", cluster: "p.c", dialect: d}
	columns := s.columns(q.Order)
	s.write("id = ANY(ARRAY(")
	for i, shape := range order {
		if i > 0 {
			s.write(" UNION ALL ")
		}
		s.write("SELECT s.id FROM (SELECT * FROM jsonb_to_recordset(")
		s.json(shapes[shape])
		s.write(") AS p(g text, v text, r text, c text, w jsonb)")
		s.about(len(shapes[shape]))
		s.write(") p CROSS JOIN LATERAL (SELECT id FROM resources s WHERE ")
		if search[shape] {
			// Not the columns of an index: the planner knows nothing of the length of a strip, and would
			// read all of it beside the few rows that the conditions find.
			s.write(`"group" || '' = p.g AND version || '' = p.v AND resource || '' = p.r AND cluster || '' = p.c`)
		} else {
			s.write(`"group" = p.g AND version = p.v AND resource = p.r AND `)
			s.clusterIs("p.c")
		}
		if q.Order == ByLastSeen {
			s.write(" AND ", store.IsEvent)
		}
		s.write(shape)
		s.all(q.Where)
		s.write(" ORDER BY ", direction(columns, q.Descending))
		s.limit(q.Limit)
		s.write(") s")
	}
	s.write("))")
	return s, s.err
}

// put writes the statement into a request. A statement that says nothing is left out.
func (s *statement) put(v url.Values) error {
	text := s.text.String()
	if text == "true" {
		return nil
	}
	v.Set("whereSQLStatement", strings.TrimPrefix(text, "true AND "))
	if len(s.params) == 0 {
		return nil
	}
	encoded, err := json.Marshal(s.params)
	if err != nil {
		return fmt.Errorf("encoding query parameters: %w", err)
	}
	v.Set("whereSQLJSONParams", base64.StdEncoding.EncodeToString(encoded))
	return nil
}
