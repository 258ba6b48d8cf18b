package statistics

import (
	"math"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// share is what one member adds to the numbers. While a member does not answer, Karmada keeps its last report, which
// keeps counting: its nodes did not vanish. The count of ready clusters shows the outage. A member that never reported
// adds nothing but itself.
type share struct {
	ready             bool
	nodes, nodesReady int32
	cpu, memory       v1alpha1.ResourceAmounts
}

func shareOf(o connection.Object) share {
	cluster, ok := o.(*clusterv1alpha1.Cluster)
	if !ok {
		return share{}
	}
	s := share{ready: meta.IsStatusConditionTrue(cluster.Status.Conditions, clusterv1alpha1.ClusterConditionReady)}
	if n := cluster.Status.NodeSummary; n != nil {
		s.nodes, s.nodesReady = n.TotalNum, n.ReadyNum
	}
	if r := cluster.Status.ResourceSummary; r != nil {
		s.cpu = v1alpha1.ResourceAmounts{Allocatable: r.Allocatable[corev1.ResourceCPU], Allocated: r.Allocated[corev1.ResourceCPU]}
		s.memory = v1alpha1.ResourceAmounts{Allocatable: r.Allocatable[corev1.ResourceMemory], Allocated: r.Allocated[corev1.ResourceMemory]}
	}
	return s
}

func (s share) equal(other share) bool {
	return s.ready == other.ready && s.nodes == other.nodes && s.nodesReady == other.nodesReady &&
		sameAmounts(s.cpu, other.cpu) && sameAmounts(s.memory, other.memory)
}

func sameAmounts(a, b v1alpha1.ResourceAmounts) bool {
	return a.Allocatable.Cmp(b.Allocatable) == 0 && a.Allocated.Cmp(b.Allocated) == 0
}

// clusterChanged ignores heartbeats, and whatever else is not counted.
func clusterChanged(before, after connection.Object) bool {
	return !shareOf(before).equal(shareOf(after))
}

// sum returns the numbers of all members together. Equal sums are equal as text too, whatever the members' notations
// and their order.
func sum(clusters []connection.Object) *v1alpha1.InstanceStatistics {
	numbers := &v1alpha1.InstanceStatistics{}
	var ready, nodes, nodesReady int64
	for _, o := range clusters {
		s := shareOf(o)
		if s.ready {
			ready++
		}
		nodes += int64(s.nodes)
		nodesReady += int64(s.nodesReady)
		add(&numbers.CPU, s.cpu)
		add(&numbers.Memory, s.memory)
	}
	numbers.Clusters = v1alpha1.ReadyCount{Total: bounded(int64(len(clusters))), Ready: bounded(ready)}
	numbers.Nodes = v1alpha1.ReadyCount{Total: bounded(nodes), Ready: bounded(nodesReady)}
	format(&numbers.CPU, resource.DecimalSI)
	format(&numbers.Memory, resource.BinarySI)
	return numbers
}

func add(to *v1alpha1.ResourceAmounts, amounts v1alpha1.ResourceAmounts) {
	to.Allocatable.Add(amounts.Allocatable)
	to.Allocated.Add(amounts.Allocated)
}

// format sets the notation of amounts: a sum would otherwise have that of its first part.
func format(amounts *v1alpha1.ResourceAmounts, f resource.Format) {
	amounts.Allocatable.Format, amounts.Allocated.Format = f, f
}

// bounded fits a count into the API.
func bounded(n int64) int32 {
	return int32(max(0, min(n, math.MaxInt32))) // #nosec G115 -- bounded by min and max
}
