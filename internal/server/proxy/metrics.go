package proxy

import (
	"strconv"

	"github.com/prometheus/client_golang/prometheus"
)

type metrics struct {
	requests *prometheus.CounterVec
	streams  prometheus.Gauge
}

func newMetrics(r prometheus.Registerer) *metrics {
	const ns, sub = "kairship", "proxy"
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "requests_total",
			Help: "Requests that ended, by instance ('' when it is none that there is), kind ('read', 'watch', 'write', 'connect') and status code (499 when the client left first)."},
			[]string{"instance", "kind", "code"}),
		streams: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "streams",
			Help: "Open watches, followed logs and upgraded connections."}),
	}
	if r != nil {
		r.MustRegister(m.requests, m.streams)
	}
	return m
}

func (m *metrics) ended(instance, kind string, status int) {
	m.requests.WithLabelValues(instance, kind, strconv.Itoa(status)).Inc()
}
