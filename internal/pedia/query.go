package pedia

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/access"
)

// Key is where a row stands in a list: rows are ordered by cluster, then namespace, then name, all by
// bytes. The unique index of the store serves that order.
type Key struct {
	Cluster   string
	Namespace string
	Name      string
}

// Compare orders keys as the store does.
func (k Key) Compare(o Key) int {
	if c := strings.Compare(k.Cluster, o.Cluster); c != 0 {
		return c
	}
	if c := strings.Compare(k.Namespace, o.Namespace); c != 0 {
		return c
	}
	return strings.Compare(k.Name, o.Name)
}

// Query is one request to the read store.
type Query struct {
	// Scope is who may see what. An empty one makes no request.
	Scope access.Scope
	GVR   schema.GroupVersionResource
	// Clusters are PediaCluster names; at least one. The store answers an unknown name with an empty
	// list, so the caller checks that they are synced.
	Clusters []string
	// Namespaces and Names are combined as a product; empty means all.
	Namespaces []string
	Names      []string
	// Keys keeps the rows at these keys. It narrows the product and does not stand alone: see FetchKeys.
	Keys []Key
	// NameContains keeps rows whose name contains it.
	NameContains string
	// After keeps rows beyond a key; with Inclusive also the row at the key itself.
	After     *Key
	Inclusive bool
	// Limit is the most rows returned; at least 1: the store has no default and no maximum.
	Limit int
	// Count asks how many rows there are in all.
	Count bool
	// MetadataOnly leaves spec and status out.
	MetadataOnly bool
}

// basePath is where the store serves the resources of all clusters.
const basePath = "/apis/clusterpedia.io/v1beta1/resources"

// resourcePath is where the store serves a resource.
func resourcePath(gvr schema.GroupVersionResource) string {
	if gvr.Group == "" {
		return basePath + "/api/" + gvr.Version + "/" + gvr.Resource
	}
	return basePath + "/apis/" + gvr.Group + "/" + gvr.Version + "/" + gvr.Resource
}

// escapeLike makes a LIKE pattern match literally.
var escapeLike = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// values is the request's parameters. Values of users reach SQL as parameters only, never as text.
func (q *Query) values() (url.Values, error) {
	if len(q.Clusters) == 0 || q.Limit < 1 {
		return nil, fmt.Errorf("query of %s without clusters or limit", q.GVR.Resource)
	}
	v := url.Values{
		"clusters": {strings.Join(q.Clusters, ",")},
		"orderby":  {"cluster,namespace,name"},
		"limit":    {strconv.Itoa(q.Limit)},
	}
	if len(q.Namespaces) > 0 {
		v.Set("namespaces", strings.Join(q.Namespaces, ","))
	}
	if len(q.Names) > 0 {
		v.Set("names", strings.Join(q.Names, ","))
	}
	if q.Count {
		v.Set("withRemainingCount", "true")
	}
	if q.MetadataOnly {
		v.Set("onlyMetadata", "true")
	}
	var where []string
	var params []any
	if q.After != nil {
		op := ">"
		if q.Inclusive {
			op = ">="
		}
		where = append(where, "(cluster,namespace,name) "+op+" (?,?,?)")
		params = append(params, q.After.Cluster, q.After.Namespace, q.After.Name)
	}
	if len(q.Keys) > 0 {
		tuples := make([][3]string, len(q.Keys))
		for i, k := range q.Keys {
			tuples[i] = [3]string{k.Cluster, k.Namespace, k.Name}
		}
		where, params = append(where, "(cluster,namespace,name) IN ?"), append(params, tuples)
	}
	if q.NameContains != "" {
		where = append(where, "name LIKE ?")
		params = append(params, "%"+escapeLike.Replace(q.NameContains)+"%")
	}
	if len(where) > 0 {
		encoded, err := json.Marshal(params)
		if err != nil {
			return nil, fmt.Errorf("encoding query parameters: %w", err)
		}
		v.Set("whereSQLStatement", strings.Join(where, " AND "))
		v.Set("whereSQLJSONParams", base64.StdEncoding.EncodeToString(encoded))
	}
	return v, nil
}

// admits says whether a row is one the query asked for. Surplus of the product, and everything the
// store would send with its SQL gate off, is found by it.
func (q *Query) admits(k Key) bool {
	if q.After != nil {
		if c := k.Compare(*q.After); c < 0 || c == 0 && !q.Inclusive {
			return false
		}
	}
	return q.NameContains == "" || strings.Contains(k.Name, q.NameContains)
}
