package sql

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

// orderBy is the order in which the rows are returned. It also makes a store that ignores the statement return the
// first rows.
func (q *Query) orderBy(d Dialect, oneCluster bool) string {
	cluster, namespace, name := "cluster", "namespace", "name"
	if !d.ByBytes {
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

func sortedKinds(m map[schema.GroupVersionResource]bool) []schema.GroupVersionResource {
	return slices.SortedFunc(maps.Keys(m), func(a, b schema.GroupVersionResource) int { return strings.Compare(a.String(), b.String()) })
}

func sortedKeys(m map[string]bool) []string { return slices.Sorted(maps.Keys(m)) }
