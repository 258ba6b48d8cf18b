package statistics

import (
	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	return prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Namespace: "kairship", Subsystem: "statistics", Name: name, Help: help,
	}, append([]string{"instance"}, labels...))
}

var (
	clustersGauge       = gauge("clusters", "Clusters joined to an instance.")
	clustersReadyGauge  = gauge("clusters_ready", "Clusters of an instance whose condition Ready is True.")
	nodesGauge          = gauge("nodes", "Nodes of all members of an instance.")
	nodesReadyGauge     = gauge("nodes_ready", "Ready nodes of all members of an instance.")
	cpuAllocatable      = gauge("cpu_allocatable_cores", "CPU that all members of an instance have for pods.")
	cpuAllocated        = gauge("cpu_allocated_cores", "CPU that the scheduled pods of all members of an instance request.")
	memoryAllocatable   = gauge("memory_allocatable_bytes", "Memory that all members of an instance have for pods.")
	memoryAllocated     = gauge("memory_allocated_bytes", "Memory that the scheduled pods of all members of an instance request.")
	workloadsGauge      = gauge("workloads", "Workloads in an instance's control plane, by kind.", "kind")
	workloadsReadyGauge = gauge("workloads_ready", "Workloads in an instance's control plane that are ready, by kind.", "kind")
	policiesGauge       = gauge("policies", "Policies in an instance's control plane, by kind.", "kind")
	writesCounter       = prometheus.NewCounterVec(prometheus.CounterOpts{
		Namespace: "kairship", Subsystem: "statistics", Name: "writes_total",
		Help: "Writes of an instance's statistics.",
	}, []string{"instance"})

	gauges = []*prometheus.GaugeVec{
		clustersGauge, clustersReadyGauge, nodesGauge, nodesReadyGauge, cpuAllocatable, cpuAllocated,
		memoryAllocatable, memoryAllocated, workloadsGauge, workloadsReadyGauge, policiesGauge,
	}
)

func init() {
	for _, g := range gauges {
		metrics.Registry.MustRegister(g)
	}
	metrics.Registry.MustRegister(writesCounter)
}

// measure shows the numbers of an instance. Kinds that are not known have no series.
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

// forget drops the series of an instance that is no more.
func forget(instance string) {
	for _, g := range gauges {
		g.DeletePartialMatch(prometheus.Labels{"instance": instance})
	}
	writesCounter.DeleteLabelValues(instance)
}
