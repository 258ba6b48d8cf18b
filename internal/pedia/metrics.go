package pedia

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var (
	requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "kairship_read_store_request_duration_seconds",
		Help:    "Requests to the read store by upstream ('clusterpedia' for its API, 'postgresql' for its database), resource ('several' for more than one kind) and code: of HTTP or SQLSTATE, 'ok' for rows of the database, 'error' when there was no answer.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5},
	}, []string{"upstream", "resource", "code"})
	retries = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "kairship_read_store_retries_total",
		Help: "Requests to the read store that were made again because the first one had no answer.",
	}, []string{"upstream", "resource"})
	sharedAnswers = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "kairship_read_store_shared_answers_total",
		Help: "Reads that took the answer of an identical request of the same principal in flight.",
	}, []string{"upstream", "resource"})
	circuitOpen = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "kairship_read_store_circuit_open",
		Help: "1 while the upstream is not asked because it has not answered lately, else 0.",
	}, []string{"upstream"})
)

func observe(upstream, resource, code string, took time.Duration) {
	requestSeconds.WithLabelValues(upstream, resource, code).Observe(took.Seconds())
}
