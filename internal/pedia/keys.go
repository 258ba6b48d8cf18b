package pedia

import (
	"context"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/rbac"
)

// FetchKeys reads the rows at the given keys, of whatever kinds, in as few requests as their number
// allows: one for up to 200. The query's kinds and clusters are those of the keys; its conditions, order
// and limit are not used. Keys without a row are left out of the result.
func FetchKeys[T any](ctx context.Context, c *Client, q Query, keys []Key, decode Decode[T]) (map[Key]T, error) {
	if q.Scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	out := make(map[Key]T, len(keys))
	keys = slices.DeleteFunc(slices.Clone(keys), func(k Key) bool { return k.Name == "" || !storable(k.Cluster, k.Namespace, k.Name) })
	if keys = visibleKeys(q.Scope, keys); len(keys) == 0 {
		return out, nil
	}
	for chunk := range slices.Chunk(keys, maxNames) {
		q := q.forKeys(chunk)
		list, err := asked(ctx, c, func(_ Features, believe bool) (*List[T], error) { return fetchKeys(ctx, c, &q, chunk, believe, decode) })
		if err != nil {
			return nil, err
		}
		wanted := make(map[Key]bool, len(chunk))
		for _, k := range chunk {
			wanted[k] = true
		}
		for i, p := range list.Positions {
			if wanted[p.Key] {
				out[p.Key] = list.Rows[i]
			}
		}
	}
	return out, nil
}

// forKeys makes the query that has the keys.
func (q Query) forKeys(keys []Key) Query {
	clusters, kinds := map[string]bool{}, map[schema.GroupVersionResource]bool{}
	namespaces, names := map[string]bool{}, map[string]bool{}
	for _, k := range keys {
		clusters[k.Cluster], kinds[k.GVR] = true, true
		namespaces[k.Namespace], names[k.Name] = true, true
	}
	q.Clusters = sortedKeys(clusters)
	q.GVRs = slices.SortedFunc(maps.Keys(kinds), func(a, b schema.GroupVersionResource) int { return strings.Compare(a.String(), b.String()) })
	q.Where = []Condition{Keys(keys...), Namespaces(sortedKeys(namespaces)...), Names(sortedKeys(names)...)}
	q.Order, q.Descending, q.After, q.Groups, q.Count = ByName, false, nil, nil, false
	// One place may be that of rows of several kinds.
	q.Limit = len(keys) * len(q.GVRs)
	return q
}

func fetchKeys[T any](ctx context.Context, c *Client, q *Query, keys []Key, believe bool, decode Decode[T]) (*List[T], error) {
	s, err := keysStatement(keys)
	if err != nil {
		return nil, err
	}
	req := newRequest(q.GVRs, q.Clusters, q.Limit, q.MetadataOnly)
	if err := s.put(req.values); err != nil {
		return nil, err
	}
	env, err := c.ask(ctx, q, req)
	if err != nil {
		return nil, err
	}
	return decodeRows(q, env, believe, decode)
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
