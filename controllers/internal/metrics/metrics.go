// Package metrics makes the metrics of controllers, and forgets those of an instance that goes.
package metrics

import (
	"slices"

	"github.com/prometheus/client_golang/prometheus"
	"sigs.k8s.io/controller-runtime/pkg/metrics"
)

const (
	namespace = "kairship"
	// instance is the label that names an instance.
	instance = "instance"
)

// Set is the metrics of one controller, registered where the manager serves them.
type Set struct {
	subsystem   string
	ofInstances []vector
}

// vector has a series for each combination of its labels.
type vector interface {
	prometheus.Collector
	DeletePartialMatch(prometheus.Labels) int
}

// Of makes the Set of a controller, whose metrics are called kairship_<controller>_<name>.
func Of(controller string) *Set { return &Set{subsystem: controller} }

// Gauge adds a gauge with some labels.
func (s *Set) Gauge(name, help string, labels ...string) *prometheus.GaugeVec {
	g := prometheus.NewGaugeVec(prometheus.GaugeOpts{Namespace: namespace, Subsystem: s.subsystem, Name: name, Help: help}, labels)
	s.add(g, labels)
	return g
}

// Counter adds a counter with some labels.
func (s *Set) Counter(name, help string, labels ...string) *prometheus.CounterVec {
	c := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: namespace, Subsystem: s.subsystem, Name: name, Help: help}, labels)
	s.add(c, labels)
	return c
}

// Histogram adds a histogram with some labels.
func (s *Set) Histogram(name, help string, buckets []float64, labels ...string) *prometheus.HistogramVec {
	h := prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: namespace, Subsystem: s.subsystem, Name: name, Help: help, Buckets: buckets}, labels)
	s.add(h, labels)
	return h
}

func (s *Set) add(v vector, labels []string) {
	metrics.Registry.MustRegister(v)
	if slices.Contains(labels, instance) {
		s.ofInstances = append(s.ofInstances, v)
	}
}

// Forget removes the series of an instance.
func (s *Set) Forget(name string) {
	for _, m := range s.ofInstances {
		m.DeletePartialMatch(prometheus.Labels{instance: name})
	}
}
