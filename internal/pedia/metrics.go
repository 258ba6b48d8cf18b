package pedia

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "kairship_read_store_request_duration_seconds",
	Help:    "Requests to Clusterpedia by resource and status code ('error' when there was no answer).",
	Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
}, []string{"resource", "code"})

func observe(resource, code string, took time.Duration) {
	requestSeconds.WithLabelValues(resource, code).Observe(took.Seconds())
}
