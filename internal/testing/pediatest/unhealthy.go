package pediatest

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// meetsUnhealthy evaluates Unhealthy, if it is among the conditions, for a workload and its binding, as indexes.IsIdle
// and indexes.IsUnhealthy do.
func meetsUnhealthy(where []sql.Condition, v *sql.View, all []Row) bool {
	resources, ok := sql.UnhealthyAmong(where)
	if !ok || slices.Contains(resources, v.GVR.Resource) || idle(v.Raw) {
		return true
	}
	known := false
	for _, row := range all {
		if row.Kind != "ResourceBinding" || row.Cluster != v.Cluster {
			continue
		}
		known = true
		b := viewOf(row)
		if b.Key.Namespace == v.Key.Namespace && b.Key.Name == v.Key.Name+"-"+strings.TrimSuffix(v.GVR.Resource, "s") && unhealthy(row.Raw) {
			return true
		}
	}
	return !known
}

type object struct {
	Metadata struct {
		Annotations       map[string]string
		DeletionTimestamp *string
	}
	Spec struct {
		Replicas        *int
		Paused, Suspend bool
		Suspension      any
		Clusters        []any
	}
	Status struct {
		Conditions       []struct{ Type, Status string }
		AggregatedStatus []struct{ Health string }
	}
}

func decoded(raw []byte) (o object) {
	_ = json.Unmarshal(raw, &o) // anything but an object has no fields
	return o
}

// idle reports whether no policy claims a workload, or it requests nothing.
func idle(raw []byte) bool {
	o := decoded(raw)
	a := o.Metadata.Annotations
	claimed := a["propagationpolicy.karmada.io/name"] != "" && a["propagationpolicy.karmada.io/namespace"] != "" || a["clusterpropagationpolicy.karmada.io/name"] != ""
	return !claimed || o.Spec.Replicas != nil && *o.Spec.Replicas == 0 || o.Spec.Paused || o.Spec.Suspend || o.Metadata.DeletionTimestamp != nil
}

// unhealthy reports whether a binding is not plainly healthy.
func unhealthy(raw []byte) bool {
	o := decoded(raw)
	is := func(condition string) bool {
		return slices.Contains(o.Status.Conditions, struct{ Type, Status string }{condition, "True"})
	}
	return !is("FullyApplied") || !is("Scheduled") || len(o.Spec.Clusters) == 0 || o.Spec.Suspension != nil || o.Metadata.DeletionTimestamp != nil ||
		slices.Contains(o.Status.AggregatedStatus, struct{ Health string }{"Unhealthy"})
}
