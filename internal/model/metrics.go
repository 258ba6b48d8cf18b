package model

import "time"

// MetricName names what is measured of clusters.
type MetricName string

// The metrics.
const (
	CPUAllocatable    MetricName = "CPU_ALLOCATABLE"
	CPUAllocated      MetricName = "CPU_ALLOCATED"
	MemoryAllocatable MetricName = "MEMORY_ALLOCATABLE"
	MemoryAllocated   MetricName = "MEMORY_ALLOCATED"
	PodsAllocatable   MetricName = "PODS_ALLOCATABLE"
	PodsAllocated     MetricName = "PODS_ALLOCATED"
	NodesTotal        MetricName = "NODES"
	NodesReady        MetricName = "NODES_READY"
)

// MetricNames lists all metrics, in the order in which they are shown.
var MetricNames = []MetricName{CPUAllocatable, CPUAllocated, MemoryAllocatable, MemoryAllocated, PodsAllocatable, PodsAllocated, NodesTotal, NodesReady}

// MetricUnit is the unit of a metric.
type MetricUnit string

// The units.
const (
	UnitCores MetricUnit = "CORES"
	UnitBytes MetricUnit = "BYTES"
	UnitCount MetricUnit = "COUNT"
)

// Unit is the unit of a metric.
func (n MetricName) Unit() MetricUnit {
	switch n {
	case CPUAllocatable, CPUAllocated:
		return UnitCores
	case MemoryAllocatable, MemoryAllocated:
		return UnitBytes
	}
	return UnitCount
}

// MetricsRange is a span of time; To is nil for now.
type MetricsRange struct {
	From time.Time
	To   *time.Time
}

// Metrics is how the numbers of a cluster, or of all clusters of an instance, went over time.
type Metrics struct {
	// Available says that Prometheus has answered; otherwise Message says why not, and what to do.
	Available bool
	Message   *string
	// Step is the time between two points, in seconds.
	Step   int
	Series []MetricSeries
}

// MetricSeries is one metric over time.
type MetricSeries struct {
	Metric MetricName
	Points []MetricPoint
}

// Unit is the unit of its values.
func (s MetricSeries) Unit() MetricUnit { return s.Metric.Unit() }

// MetricPoint is a value at a moment; nil where there is none.
type MetricPoint struct {
	At    time.Time
	Value *float64
}
