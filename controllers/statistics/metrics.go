package statistics

import (
	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/controllers/internal/metrics"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

var series = metrics.Of(Name)

var (
	clustersGauge       = series.Gauge("clusters", "Clusters joined to an instance.", "instance")
	clustersReadyGauge  = series.Gauge("clusters_ready", "Clusters of an instance whose condition Ready is True.", "instance")
	nodesGauge          = series.Gauge("nodes", "Nodes of all members of an instance.", "instance")
	nodesReadyGauge     = series.Gauge("nodes_ready", "Ready nodes of all members of an instance.", "instance")
	cpuAllocatable      = series.Gauge("cpu_allocatable_cores", "CPU that all members of an instance have for pods.", "instance")
	cpuAllocated        = series.Gauge("cpu_allocated_cores", "CPU that the scheduled pods of all members of an instance request.", "instance")
	memoryAllocatable   = series.Gauge("memory_allocatable_bytes", "Memory that all members of an instance have for pods.", "instance")
	memoryAllocated     = series.Gauge("memory_allocated_bytes", "Memory that the scheduled pods of all members of an instance request.", "instance")
	workloadsGauge      = series.Gauge("workloads", "Workloads in an instance's control plane, by kind.", "instance", "kind")
	workloadsReadyGauge = series.Gauge("workloads_ready", "Workloads in an instance's control plane that are ready, by kind.", "instance", "kind")
	policiesGauge       = series.Gauge("policies", "Policies in an instance's control plane, by kind.", "instance", "kind")
	writesCounter       = series.Counter("writes_total", "Writes of an instance's statistics.", "instance")
)

// measure publishes the numbers of an instance. Kinds that are not known have no series.
func measure(instance string, n *v1alpha1.InstanceStatistics) {
	for gauge, value := range map[*prometheus.GaugeVec]float64{
		clustersGauge:      float64(n.Clusters.Total),
		clustersReadyGauge: float64(n.Clusters.Ready),
		nodesGauge:         float64(n.Nodes.Total),
		nodesReadyGauge:    float64(n.Nodes.Ready),
		cpuAllocatable:     n.CPU.Allocatable.AsApproximateFloat64(),
		cpuAllocated:       n.CPU.Allocated.AsApproximateFloat64(),
		memoryAllocatable:  n.Memory.Allocatable.AsApproximateFloat64(),
		memoryAllocated:    n.Memory.Allocated.AsApproximateFloat64(),
	} {
		gauge.WithLabelValues(instance).Set(value)
	}
	for _, k := range workloads {
		if count, ok := n.Workloads[k.name]; ok {
			workloadsGauge.WithLabelValues(instance, k.name).Set(float64(count.Total))
			workloadsReadyGauge.WithLabelValues(instance, k.name).Set(float64(count.Ready))
		} else {
			workloadsGauge.DeleteLabelValues(instance, k.name)
			workloadsReadyGauge.DeleteLabelValues(instance, k.name)
		}
	}
	for _, k := range policies {
		if count, ok := n.Policies[k.name]; ok {
			policiesGauge.WithLabelValues(instance, k.name).Set(float64(count))
		} else {
			policiesGauge.DeleteLabelValues(instance, k.name)
		}
	}
}
