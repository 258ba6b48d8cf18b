package kubeapi

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

var requestSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
	Name:    "kairship_origin_request_duration_seconds",
	Help:    "Reads of objects that the read store does not hold, by whose API server was asked ('instance', 'member') and status code ('error' when there was no answer).",
	Buckets: []float64{.0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
}, []string{"from", "code"})
