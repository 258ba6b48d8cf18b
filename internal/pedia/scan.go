package pedia

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Reading without SQL conditions: rows are asked for in the query's order, page by page with offsets, and
// everything that the store's own parameters cannot say is done here.

const (
	// scanPage is how many rows are asked for at a time at most.
	scanPage = 500
	// scanMost is how many rows a query may look at.
	scanMost = 20_000
	// scanParallel is how many groups are read at a time.
	scanParallel = 4
)

// errScan is the error of a query that would have to look at too many rows.
var errScan = &model.Error{Code: model.CodeLimitExceeded,
	Message: "too many rows to look through: start clusterpedia-apiserver with --feature-gates=AllowParameterizedSQLQuery=true, or ask for less"}

// scan reads a page without SQL conditions. Conditions on bindings are left to the reader: they are
// there to leave rows out that he would leave out himself.
func scan[T any](ctx context.Context, c *Client, q Query, traits Features, decode Decode[T]) (*List[T], error) {
	if err := c.resolve(ctx, &q); err != nil {
		return nil, err
	}
	// In this order clusters behind the cursor need not be read.
	whole := q.Clusters
	if !q.byTime() && q.After != nil {
		q.Clusters = slices.DeleteFunc(slices.Clone(q.Clusters), func(cluster string) bool {
			behind := strings.Compare(cluster, q.After.Cluster)
			return behind < 0 && !q.Descending || behind > 0 && q.Descending
		})
		if len(q.Clusters) == 0 {
			return &List[T]{}, nil
		}
	}
	list, counted := &List[T]{}, false
	seen, wanted := map[Key]bool{}, q
	for offset := 0; ; {
		if offset >= scanMost {
			return nil, errScan
		}
		size := scanSize(&q, offset)
		r := scanRequest(&q, traits, offset)
		env, err := c.ask(ctx, &q, r)
		if err != nil {
			return nil, err
		}
		scannedRows.Add(float64(len(env.Items)))
		offset += len(env.Items)
		if total := env.total(); total != nil && !counted {
			counted = true
			n := *total
			list.Total = &n
		}
		page, err := decodePage(&wanted, env, decode)
		if err != nil {
			return nil, err
		}
		for i, p := range page.Positions {
			if !seen[p.Key] { // rows move when others come and go between two requests
				seen[p.Key] = true
				list.Rows, list.Positions = append(list.Rows, page.Rows[i]), append(list.Positions, p)
			}
		}
		done := len(env.Items) < size
		// One more than wanted is enough, unless rows that are equal but for their kind may follow.
		if len(list.Rows) > q.Limit && !q.tied(list.Positions[len(list.Positions)-1], list.Positions[q.Limit-1]) {
			done = true
		}
		if done {
			break
		}
	}
	q.Clusters = whole
	list.cut(&q)
	if !q.Count || !q.told() {
		list.Total = nil
	}
	return list, nil
}

// tied says that two rows differ in nothing but their kind, as far as the order goes.
func (q *Query) tied(a, b Position) bool {
	return a.At == b.At && a.Key.Compare(b.Key) == 0
}

// told says that the store's own parameters say all of the query, so that its count is the query's.
func (q *Query) told() bool {
	return q.After == nil && !slices.ContainsFunc(q.Where, func(c Condition) bool {
		switch c.(type) {
		case namespacesCondition, namesCondition:
			return false
		}
		return true
	})
}

// scanSize is how many rows to ask for: where the store's parameters say all of the query, the first
// request needs no more than the page, and one to see that others follow.
func scanSize(q *Query, offset int) int {
	if offset == 0 && q.told() {
		return min(scanPage, q.Limit+1)
	}
	return scanPage
}

// scanRequest asks for the next rows of a scan.
func scanRequest(q *Query, traits Features, offset int) request {
	r := newRequest(q.GVRs, q.Clusters, scanSize(q, offset), q.MetadataOnly)
	r.values.Set("orderby", orderBy(q, traits, len(q.Clusters) == 1))
	if offset > 0 {
		r.values.Set("continue", strconv.Itoa(offset))
	}
	if q.Count && q.told() && offset == 0 {
		r.values.Set("withRemainingCount", "true")
	}
	for _, c := range q.Where {
		switch c := c.(type) {
		case namespacesCondition:
			// No namespaces would mean all, and cluster-scoped rows have none to ask for.
			if len(c) > 0 && !slices.Contains(c, "") {
				r.values.Set("namespaces", strings.Join(c, ","))
			}
		case namesCondition:
			if len(c) > 0 {
				r.values.Set("names", strings.Join(c, ","))
			}
		}
	}
	return r
}

// decodePage decodes the rows of an answer that the query asks for, in the order they came.
func decodePage[T any](q *Query, env *envelope, decode Decode[T]) (*List[T], error) {
	list, kinds := &List[T]{}, env.kinds()
	for _, raw := range env.Items {
		v := &view{Row: Row{Raw: raw}}
		row, err := decodeRow(q, v, kinds, decode)
		if err != nil {
			return nil, storeError(q, err)
		}
		if p := (Position{Key: v.key, At: v.at(q.Order)}); q.beyond(p) && v.meets(q.Where) {
			list.Rows, list.Positions = append(list.Rows, row), append(list.Positions, p)
		}
	}
	return list, nil
}

// partition is where the rows of a group are.
type partition struct {
	gvr     schema.GroupVersionResource
	cluster string
}

// scanGroups reads the groups of each partition together: one scan serves them all.
func scanGroups[T any](ctx context.Context, c *Client, q Query, traits Features, decode Decode[T]) ([]List[T], error) {
	strips := map[partition][]int{}
	for i, group := range q.Groups {
		at := partition{group.GVR, group.Cluster}
		strips[at] = append(strips[at], i)
	}
	lists := make([]List[T], len(q.Groups))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(scanParallel)
	for at, groups := range strips {
		g.Go(panics.Guard(func() error { return scanPartition(ctx, c, &q, at, groups, lists, traits, decode) }))
	}
	return lists, g.Wait()
}

// scanPartition reads the groups of one partition, by their numbers.
func scanPartition[T any](ctx context.Context, c *Client, q *Query, at partition, groups []int, lists []List[T], traits Features, decode Decode[T]) error {
	one := *q
	one.Groups, one.GVRs, one.Clusters = nil, []schema.GroupVersionResource{at.gvr}, []string{at.cluster}
	if len(groups) == 1 {
		one.Where = slices.Concat(q.Where, q.Groups[groups[0]].Where)
		list, err := scan(ctx, c, one, traits, decode)
		if err == nil {
			lists[groups[0]] = *list
		}
		return err
	}
	wanted := make(anyCondition, len(groups))
	for i, n := range groups {
		wanted[i] = All(q.Groups[n].Where...)
	}
	one.Where, one.Limit = slices.Concat(q.Where, []Condition{wanted}), scanMost
	type viewed struct {
		value T
		view  *view
	}
	list, err := scan(ctx, c, one, traits, func(row Row) (viewed, Key, error) {
		value, key, err := decode(row)
		key.Cluster, key.GVR = row.Cluster, row.GVR
		return viewed{value, &view{Row: row, key: key}}, key, err
	})
	if err != nil {
		return err
	}
	for i, row := range list.Rows {
		for _, n := range groups {
			if q.inGroup(&q.Groups[n], row.view) {
				lists[n].Rows = append(lists[n].Rows, row.value)
				lists[n].Positions = append(lists[n].Positions, list.Positions[i])
			}
		}
	}
	for _, n := range groups {
		lists[n].cut(q)
	}
	return nil
}

// resolve finds out what conditions say about other rows.
func (c *Client) resolve(ctx context.Context, q *Query) error {
	for i, condition := range q.Where {
		tops, ok := condition.(ownedByObjects)
		if !ok {
			continue
		}
		owners, err := c.owners(ctx, q, tops)
		if err != nil {
			return err
		}
		q.Where = slices.Clone(q.Where)
		q.Where[i] = owners
	}
	return nil
}

// owners is the uids of objects and of what stands between them and their pods, by cluster.
func (c *Client) owners(ctx context.Context, q *Query, tops ownedByObjects) (ownedWithin, error) {
	uid := func(row Row) (string, Key, error) {
		h := (&view{Row: row}).head()
		return h.Metadata.UID, Key{Namespace: h.Metadata.Namespace, Name: h.Metadata.Name}, nil
	}
	found, err := FetchKeys(ctx, c, Query{Scope: q.Scope, Limit: 1, MetadataOnly: true}, tops, uid)
	if err != nil {
		return nil, err
	}
	out := ownedWithin{}
	parents := map[partition][]string{}
	for key, id := range found {
		out[key.Cluster] = append(out[key.Cluster], id)
		if gvr, ok := between[key.GVR.Resource]; ok {
			at := partition{gvr, key.Cluster}
			parents[at] = append(parents[at], id)
		}
	}
	for at, uids := range parents {
		list, err := Fetch(ctx, c, Query{Scope: q.Scope, GVRs: []schema.GroupVersionResource{at.gvr}, Clusters: []string{at.cluster},
			Where: []Condition{OwnedBy(uids...)}, Limit: scanMost, MetadataOnly: true}, uid)
		if err != nil {
			return nil, err
		}
		out[at.cluster] = append(out[at.cluster], list.Rows...)
	}
	return out, nil
}
