package pedia

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "kairship_read_store_request_duration_seconds",
		Help:    "Requests to Clusterpedia by resource ('several' for more than one kind) and status code ('error' when there was no answer).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
	}, []string{"resource", "code"})
	retries = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "kairship_read_store_retries_total",
		Help: "Requests to Clusterpedia that were made again because the first one had no answer.",
	}, []string{"resource"})
	sharedAnswers = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "kairship_read_store_shared_answers_total",
		Help: "Reads that took the answer of an identical request of the same principal in flight.",
	}, []string{"resource"})
	circuitOpen = promauto.NewGauge(prometheus.GaugeOpts{
		Name: "kairship_read_store_circuit_open",
		Help: "1 while Clusterpedia is not asked because it has not answered lately, else 0.",
	})
)

func observe(resource, code string, took time.Duration) {
	requestSeconds.WithLabelValues(resource, code).Observe(took.Seconds())
}
