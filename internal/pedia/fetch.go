package pedia

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/pedia/indexes"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// List is the rows of a query.
type List[T any] struct {
	Rows []T
	// Positions is where the rows stand, one for each.
	Positions []Position
	// Full says that the limit was reached: more rows may follow.
	Full bool
	// Total is how many rows there are in all; nil when it was not counted, or cannot be.
	Total *int
}

// Decode makes something of a row. The second result is the row's namespace and name; its cluster and
// kind are left out. The raw bytes are the decoder's to keep.
type Decode[T any] func(Row) (T, Key, error)

// Fetch reads a page: in one request, and another one where rows have to be counted beside it.
func Fetch[T any](ctx context.Context, c *Client, q Query, decode Decode[T]) (*List[T], error) {
	if err := q.check(); err != nil {
		return nil, err
	}
	switch seen, err := q.restrict(); {
	case err != nil:
		return nil, err
	case !seen:
		return nothing[T](&q), nil
	}
	return asked(ctx, c, func(traits Features, believe bool) (*List[T], error) {
		return fetchPage(ctx, c, &q, traits, believe, decode)
	})
}

// asked reads from a store that takes conditions, as far as is known. An answer with rows that were not asked for shows
// that it ignores them: then that is found out. A store that does not ignore them is believed.
func asked[R any](ctx context.Context, c *Client, read func(traits Features, believe bool) (R, error)) (result R, err error) {
	traits := c.traits(ctx)
	if traits.Gate == GateClosed {
		return result, errGate
	}
	result, err = read(traits, false)
	if errors.Is(err, errGate) && c.refresh(ctx).Gate == GateOpen {
		return read(traits, true)
	}
	return result, err
}

// nothing is the page of a query of which nothing may be seen.
func nothing[T any](q *Query) *List[T] {
	list := &List[T]{}
	if q.Count {
		list.Total = new(int)
	}
	return list
}

// envelope is what a list looks like from outside: that of one kind, or that of several.
type envelope struct {
	Metadata struct {
		RemainingItemCount *int64 `json:"remainingItemCount"`
	} `json:"metadata"`
	RemainingItemCount *int64 `json:"remainingItemCount"`
	ResourceTypes      []struct {
		Group    string `json:"group"`
		Version  string `json:"version"`
		Kind     string `json:"kind"`
		Resource string `json:"resource"`
	} `json:"resourceTypes"`
	Items []jsonv2.Raw `json:"items"`
}

func (e *envelope) total() *int {
	remaining := e.Metadata.RemainingItemCount
	if remaining == nil {
		remaining = e.RemainingItemCount
	}
	if remaining == nil {
		return nil
	}
	total := int(*remaining) + len(e.Items)
	return &total
}

// request is what is asked of the store for a query.
type request struct {
	gvrs   []schema.GroupVersionResource
	values url.Values
}

// newRequest names kinds, clusters and the number of rows.
func newRequest(gvrs []schema.GroupVersionResource, clusters []string, limit int, metadataOnly bool) request {
	v := url.Values{"limit": {strconv.Itoa(limit)}, "withRemainingCount": {"false"}}
	if len(clusters) > 0 {
		v.Set("clusters", strings.Join(clusters, ","))
	}
	if metadataOnly {
		v.Set("onlyMetadata", "true")
	}
	if len(gvrs) > 1 {
		names := make([]string, len(gvrs))
		for i, gvr := range gvrs {
			names[i] = gvr.Group + "/" + gvr.Version + "/" + gvr.Resource
		}
		v.Set("resources", strings.Join(names, ","))
	}
	return request{gvrs, v}
}

// path is where the store serves one kind, or several at once.
func (r request) path() string {
	if len(r.gvrs) == 1 {
		return resourcePath(r.gvrs[0])
	}
	return basePath + "/collectionresources/any"
}

// label names the request in metrics.
func (r request) label() string {
	if len(r.gvrs) == 1 {
		return r.gvrs[0].Resource
	}
	return "several"
}

func fetchPage[T any](ctx context.Context, c *Client, q *Query, traits Features, believe bool, decode Decode[T]) (*List[T], error) {
	s, err := q.page(traits.dialect())
	if err != nil {
		return nil, err
	}
	one := len(q.GVRs) == 1 && len(q.Clusters) == 1
	req := newRequest(q.GVRs, q.Clusters, q.Limit, q.MetadataOnly)
	req.values.Set("orderby", orderBy(q, traits, one))
	if err := s.put(req.values); err != nil {
		return nil, err
	}
	// On the first page of one partition the count rides along.
	counts := q.Count && traits.Gate == GateOpen
	rides := counts && q.After == nil && one && !strings.HasPrefix(s.text.String(), "id = ")
	if rides {
		req.values.Set("withRemainingCount", "true")
	}
	var counted chan counting
	if counts && !rides {
		counted = make(chan counting, 1)
		go func() {
			total, err := panics.Catch(func() (*int, error) { return count(ctx, c, *q, traits) })
			counted <- counting{total, err}
		}()
	}
	env, err := c.ask(ctx, q, req)
	if err != nil {
		return nil, err
	}
	list, err := decodeRows(q, env, believe, decode)
	if err != nil {
		return nil, err
	}
	if rides {
		list.Total = env.total()
	}
	if counted != nil {
		n := <-counted
		if n.err != nil {
			return nil, n.err
		}
		list.Total = n.total
	}
	return list, nil
}

// orderBy is the order of the rows as they are sent. It tells a store that ignores the statement which
// rows are the first ones.
func orderBy(q *Query, traits Features, oneCluster bool) string {
	cluster, namespace, name := "cluster", "namespace", "name"
	if traits.ByBytes != Yes {
		cluster, namespace, name = indexes.Order(indexes.ByteCluster), indexes.Order(indexes.ByteNamespace), indexes.Order(indexes.ByteName)
	}
	columns := []string{cluster, namespace, name}
	switch {
	case oneCluster:
		columns = columns[1:]
	case len(q.GVRs) > 1:
		columns = append(columns, "resource")
	}
	switch q.Order {
	case ByCreated:
		columns = append([]string{"created_at"}, columns...)
	case ByLastSeen:
		columns = append([]string{indexes.Order(indexes.EventSeen)}, columns...)
	}
	if q.Descending {
		for i := range columns {
			columns[i] += " desc"
		}
	}
	return strings.Join(columns, ",")
}

// decodeRows makes a list of an answer, in the query's order. Every row has to be one that the query asked for; one that
// is not shows that the store ignored the statement. A store that is believed knows better which rows meet conditions, but
// not what may be seen.
func decodeRows[T any](q *Query, env *envelope, believe bool, decode Decode[T]) (*List[T], error) {
	list := &List[T]{Rows: make([]T, 0, len(env.Items)), Positions: make([]Position, 0, len(env.Items)), Full: len(env.Items) >= q.Limit}
	kinds := env.kinds()
	for _, raw := range env.Items {
		v := &view{Row: Row{Raw: raw}}
		row, err := decodeRow(q, v, kinds, decode)
		if err != nil {
			return nil, storeError(q, err)
		}
		position := Position{Key: v.key, At: v.at(q.Order)}
		if !q.beyond(position) || !visibleKey(q.Scope, v.key) || !believe && !v.meets(q.Where) {
			return nil, errGate
		}
		list.Rows, list.Positions = append(list.Rows, row), append(list.Positions, position)
	}
	sortRows(q, list)
	return list, nil
}

// sortRows puts rows into the query's order.
func sortRows[T any](q *Query, list *List[T]) {
	if slices.IsSortedFunc(list.Positions, q.compare) {
		return
	}
	order := make([]int, len(list.Rows))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return q.compare(list.Positions[a], list.Positions[b]) })
	rows, positions := make([]T, len(order)), make([]Position, len(order))
	for to, from := range order {
		rows[to], positions[to] = list.Rows[from], list.Positions[from]
	}
	list.Rows, list.Positions = rows, positions
}

// groupVersionKind is how rows of several kinds name theirs.
type groupVersionKind struct{ apiVersion, kind string }

// kinds is the kinds of an answer with rows of several.
func (e *envelope) kinds() map[groupVersionKind]schema.GroupVersionResource {
	out := make(map[groupVersionKind]schema.GroupVersionResource, len(e.ResourceTypes))
	for _, t := range e.ResourceTypes {
		gv := schema.GroupVersion{Group: t.Group, Version: t.Version}
		out[groupVersionKind{gv.String(), t.Kind}] = gv.WithResource(t.Resource)
	}
	return out
}

// decodeRow finds out where a row is from and decodes it.
func decodeRow[T any](q *Query, v *view, kinds map[groupVersionKind]schema.GroupVersionResource, decode Decode[T]) (T, error) {
	var none T
	if err := v.locate(q.GVRs, q.Clusters, kinds); err != nil {
		return none, err
	}
	row, key, err := decode(v.Row)
	if err != nil {
		return none, fmt.Errorf("decoding a row: %w", err)
	}
	key.Cluster, key.GVR = v.Cluster, v.GVR
	v.key = key
	return row, nil
}

// locate finds out of which of the kinds, and from which of the clusters, a row is.
func (v *view) locate(gvrs []schema.GroupVersionResource, clusters []string, kinds map[groupVersionKind]schema.GroupVersionResource) error {
	if len(gvrs) == 1 {
		v.GVR = gvrs[0]
	} else {
		gvr, ok := kinds[groupVersionKind{v.head().APIVersion, v.head().Kind}]
		if !ok || !slices.Contains(gvrs, gvr) {
			return fmt.Errorf("a row of kind %s %s came for a query of others", v.head().APIVersion, v.head().Kind)
		}
		v.GVR = gvr
	}
	if len(clusters) == 1 {
		v.Cluster = clusters[0]
	} else {
		v.Cluster = v.head().Metadata.Annotations[clusterAnnotation]
		if !slices.Contains(clusters, v.Cluster) {
			return fmt.Errorf("a row of cluster %q came for a query of others", v.Cluster)
		}
	}
	return nil
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }

// errGate is the error of a store that ignores statements, and of an answer that shows it.
var errGate = &model.Error{Code: model.CodeUnavailable,
	Message: "the read store ignores SQL conditions: start clusterpedia-apiserver with --feature-gates=AllowParameterizedSQLQuery=true"}
