package prometheus

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// exported are the metrics of Karmada, by their names there: of its controller manager for members in push mode, of the
// agent for those in pull mode.
var exported = map[string]model.MetricName{
	"cluster_cpu_allocatable_number":   model.CPUAllocatable,
	"cluster_cpu_allocated_number":     model.CPUAllocated,
	"cluster_memory_allocatable_bytes": model.MemoryAllocatable,
	"cluster_memory_allocated_bytes":   model.MemoryAllocated,
	"cluster_pod_allocatable_number":   model.PodsAllocatable,
	"cluster_pod_allocated_number":     model.PodsAllocated,
	"cluster_node_number":              model.NodesTotal,
	"cluster_ready_node_number":        model.NodesReady,
}

const (
	// memberLabel is the label with the member, formerLabel what it was called before Karmada v1.16.
	memberLabel = "member_cluster"
	formerLabel = "cluster_name"
	// allExported matches the names of all metrics in exported.
	allExported = `__name__=~"cluster_(cpu_(allocatable|allocated)_number|memory_(allocatable|allocated)_bytes|pod_(allocatable|allocated)_number|node_number|ready_node_number)"`
)

// promQL is the query for the metrics of members of an instance, each by its own name; for those of all of its members
// together where none is named. label is what tells instances apart; empty for none.
//
// Of several series of one member the largest value counts, not the sum: replicas that Prometheus itself has, or those of
// Karmada that were leader one after the other, tell the same twice.
func promQL(label, instance string, members []string) string {
	var of string
	if label != "" {
		of = "," + label + "=" + strconv.Quote(instance)
	}
	which := `!=""`
	if len(members) > 0 {
		names := make([]string, len(members))
		for i, name := range members {
			names[i] = regexp.QuoteMeta(name)
		}
		which = "=~" + strconv.Quote(strings.Join(names, "|"))
	}
	now := "{" + allExported + of + "," + memberLabel + which + "}"
	former := "{" + allExported + of + "," + memberLabel + `="",` + formerLabel + which + "}"
	each := "max by (__name__," + memberLabel + ") (" + now + " or label_replace(" + former + `,"` + memberLabel + `","$1","` + formerLabel + `","(.+)"))`
	if len(members) > 0 {
		return each
	}
	return "sum by (__name__) (" + each + ")"
}
