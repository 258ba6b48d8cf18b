package sql

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Key identifies a row: no two rows have the same one.
type Key struct {
	// Cluster is a PediaCluster name.
	Cluster string
	// Namespace is empty for cluster-scoped objects.
	Namespace string
	Name      string
	GVR       schema.GroupVersionResource
}

// Compare orders keys by cluster, namespace and name, all by bytes. Keys of several kinds that are equal in these are
// in the order of a query's kinds, which a key does not know.
func (k Key) Compare(o Key) int {
	return cmp.Or(strings.Compare(k.Cluster, o.Cluster), strings.Compare(k.Namespace, o.Namespace), strings.Compare(k.Name, o.Name))
}

// Position is the position of a row in a list: everything that a cursor has to hold.
type Position struct {
	Key
	// At is the row's time as the store has it, in the orders by time; else empty. RFC 3339.
	At string
}

// Row is one object as the store returned it.
type Row struct {
	// Cluster is the PediaCluster name.
	Cluster string
	GVR     schema.GroupVersionResource
	// Raw is the object as JSON, which the decoder may keep. Rows of a query for one kind have neither apiVersion nor
	// kind.
	Raw []byte
}

// Order is an order of rows.
type Order string

// The orders. Rows that are equal in the fields named are in the order of the query's kinds.
const (
	// ByName is by cluster, namespace, name; the zero value means it too.
	ByName Order = "name"
	// ByCreated is by time of creation, cluster, namespace, name.
	ByCreated Order = "created"
	// ByLastSeen is by the time an event was last seen, cluster, namespace, name.
	ByLastSeen Order = "lastSeen"
)

// Query is one request to the read store.
type Query struct {
	// Scope is what may be seen. With an empty one no request is made.
	Scope rbac.Scope
	// GVRs are the kinds to read; at least one, unless there are Groups. Their order is that of otherwise equal rows.
	GVRs []schema.GroupVersionResource
	// Clusters are PediaCluster names; at least one, unless there are Groups. The store returns nothing for an unknown
	// name, so the caller checks that they are synced.
	Clusters []string
	// Where holds for every row.
	Where []Condition
	Order Order
	// Descending reverses the whole order.
	Descending bool
	// After selects the rows beyond a position.
	After *Position
	// Limit is the maximum number of rows, with Groups of each; at least 1: the store has no default and no maximum.
	Limit int
	// Groups asks for the first rows of each of any number of lists in one request: see FetchGroups.
	Groups []Group
	// Count asks for the number of all rows, wherever the page begins. Not with Groups.
	Count bool
	// MetadataOnly leaves out everything but metadata, apiVersion and kind.
	MetadataOnly bool
}

// Group is one list of FetchGroups: rows of one kind in one cluster.
type Group struct {
	GVR     schema.GroupVersionResource
	Cluster string
	// Where holds for the rows of the group, in addition to the query's conditions.
	Where []Condition
	// List, where it is not 0, is the same for groups that are shown as one list: of all of them together no more than the
	// first rows are needed, where the store can tell them.
	List int
}

// Check validates a query. Errors are mistakes of the caller, except for the cursor, which comes from a user.
func (q *Query) Check() error {
	switch {
	case q.Scope.Empty():
		return rbac.ErrForbidden
	case q.Limit < 1, len(q.Groups) == 0 && (len(q.GVRs) == 0 || len(q.Clusters) == 0):
		return &model.Error{Code: model.CodeInternal, Message: "a query of the read store without kinds, clusters or limit"}
	case q.After == nil:
		return nil
	case !Storable(q.After.Cluster, q.After.Namespace, q.After.Name):
		return model.BadInput("after", "is not a cursor of this list")
	}
	if q.byTime() && !validTime(q.Order, q.After.At) {
		return model.BadInput("after", "is not a cursor of this list")
	}
	return nil
}

// validTime reports whether a string can be the time of a row. A time of creation is cast in SQL, where PostgreSQL
// refuses years, zones and fractions that Go accepts: it has to be written as Kubernetes does.
func validTime(order Order, at string) bool {
	t, err := time.Parse(time.RFC3339, at)
	if err != nil || order != ByCreated {
		return err == nil
	}
	return t.Year() > 0 && t.UTC().Format(time.RFC3339) == at
}

func (q *Query) byTime() bool { return q.Order == ByCreated || q.Order == ByLastSeen }

// rank is the place of a kind among the query's.
func (q *Query) rank(gvr schema.GroupVersionResource) int { return slices.Index(q.GVRs, gvr) }

// Compare orders positions as the query does.
func (q *Query) Compare(a, b Position) int {
	c := 0
	if q.byTime() {
		c = compareTimes(q.Order, a.At, b.At)
	}
	if c = cmp.Or(c, a.Key.Compare(b.Key), cmp.Compare(q.rank(a.GVR), q.rank(b.GVR))); q.Descending {
		return -c
	}
	return c
}

// compareTimes orders times as the store does: times of creation as times, those of events as text.
func compareTimes(order Order, a, b string) int {
	if order == ByCreated {
		x, errX := time.Parse(time.RFC3339, a)
		y, errY := time.Parse(time.RFC3339, b)
		if errX == nil && errY == nil {
			return x.Compare(y)
		}
	}
	return strings.Compare(a, b)
}

// Beyond reports whether a row belongs after the query's cursor.
func (q *Query) Beyond(p Position) bool { return q.After == nil || q.Compare(p, *q.After) > 0 }

// Storable reports whether PostgreSQL can store the strings: it stores none with a zero byte, nor what is not UTF-8.
func Storable(texts ...string) bool {
	return !slices.ContainsFunc(texts, func(s string) bool { return strings.ContainsRune(s, 0) || !utf8.ValidString(s) })
}
