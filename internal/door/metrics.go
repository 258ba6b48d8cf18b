package door

import (
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// maxOperationNames is how many names of operations the metrics tell apart. Clients choose them: the
// ones that come first have a series of their own, the rest share one.
const maxOperationNames = 200

type metrics struct {
	operations    *prometheus.CounterVec
	seconds       *prometheus.HistogramVec
	cost          prometheus.Histogram
	sockets       prometheus.Gauge
	subscriptions prometheus.Gauge
	events        prometheus.Counter
	refusals      *prometheus.CounterVec

	mu    sync.Mutex
	names map[string]struct{}
}

func newMetrics(r prometheus.Registerer) *metrics {
	const ns, sub = "kairship", "graphql"
	m := &metrics{
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "operations_total",
			Help: "Operations that ended, by name, kind and outcome: ok, partial (data and errors), or the code of the error."},
			[]string{"operation", "kind", "outcome"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: ns, Subsystem: sub, Name: "operation_seconds",
			Help:    "How long queries and mutations took.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}}, []string{"operation", "kind"}),
		cost: prometheus.NewHistogram(prometheus.HistogramOpts{Namespace: ns, Subsystem: sub, Name: "operation_cost",
			Help: "What operations cost, by the rules of the limit of that name.", Buckets: prometheus.ExponentialBuckets(1, 4, 9)}),
		sockets: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "websockets",
			Help: "Open WebSockets."}),
		subscriptions: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: sub, Name: "subscriptions",
			Help: "Open subscriptions."}),
		events: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "subscription_events_total",
			Help: "Events sent to subscribers."}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "limit_refusals_total",
			Help: "Requests refused because of a limit, by its name."}, []string{"limit"}),
		names: map[string]struct{}{},
	}
	if r != nil {
		r.MustRegister(m.operations, m.seconds, m.cost, m.sockets, m.subscriptions, m.events, m.refusals)
	}
	return m
}

// label is the name of an operation as a label.
func (m *metrics) label(name string) string {
	if name == "" {
		return "anonymous"
	}
	if len(name) > 64 {
		return "other"
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.names[name]; !ok {
		if len(m.names) >= maxOperationNames {
			return "other"
		}
		m.names[name] = struct{}{}
	}
	return name
}

func (m *metrics) ended(name, kind, outcome string, took time.Duration) {
	name = m.label(name)
	m.operations.WithLabelValues(name, kind, outcome).Inc()
	if kind != "subscription" {
		m.seconds.WithLabelValues(name, kind).Observe(took.Seconds())
	}
}

// outcome is what became of an operation, in one word.
func outcome(hasData bool, errs gqlerror.List) string {
	if len(errs) == 0 {
		return "ok"
	}
	if hasData {
		return "partial"
	}
	code, _ := errs[0].Extensions["code"].(string)
	return code
}
