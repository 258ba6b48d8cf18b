// Package metrics makes the metrics of controllers, and forgets those of an instance that goes.
package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

// instance is the label that names an instance.
const instance = "instance"

// Set is the metrics of one controller, registered where the manager serves them.
type Set struct {
	subsystem string
	// ofInstances have a series for each instance.
	ofInstances []interface {
		DeletePartialMatch(prometheus.Labels) int
	}
}

// Of begins the metrics of a controller, called kairship_<controller>_<name>.
func Of(controller string) *Set { return &Set{subsystem: controller} }

// Gauge adds a gauge with some labels.
func (s *Set) Gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: "kairship", Subsystem: s.subsystem, Name: name, Help: help}, labels)
	metrics.Registry.MustRegister(g)
	if slices.Contains(labels, instance) {
		s.ofInstances = append(s.ofInstances, g)
	}
	return g
}

// Counter adds a counter with some labels.
func (s *Set) Counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "kairship", Subsystem: s.subsystem, Name: name, Help: help}, labels)
	metrics.Registry.MustRegister(c)
	if slices.Contains(labels, instance) {
		s.ofInstances = append(s.ofInstances, c)
	}
	return c
}

// Histogram adds a histogram with some labels, over all instances.
func (s *Set) Histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "kairship", Subsystem: s.subsystem, Name: name, Help: help, Buckets: buckets}, labels)
	metrics.Registry.MustRegister(h)
	return h
}

// Forget removes what is told of an instance.
func (s *Set) Forget(name string) {
	for _, m := range s.ofInstances {
		m.DeletePartialMatch(prometheus.Labels{instance: name})
	}
}
