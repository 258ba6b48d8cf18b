package server

import (
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
	"github.com/vektah/gqlparser/v2/parser"
)

type metrics struct {
	requests      *prometheus.CounterVec
	operations    *prometheus.CounterVec
	seconds       *prometheus.HistogramVec
	cost          prometheus.Histogram
	sockets       prometheus.Gauge
	subscriptions prometheus.Gauge
	events        prometheus.Counter
	// shared are those events whose answer was made for another subscriber.
	shared      prometheus.Counter
	refusals    *prometheus.CounterVec
	documents   *prometheus.CounterVec
	connections prometheus.Gauge
	delayed     prometheus.Counter

	// names are the operations with their own label.
	names map[string]bool
}

// newMetrics makes metrics in which some operations have their own label. Clients choose names: all others share a
// series.
func newMetrics(r prometheus.Registerer, names map[string]bool) *metrics {
	const ns, sub = "kairship", "graphql"
	m := &metrics{
		requests: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: "http", Name: "requests_total",
			Help: "HTTP requests that ended, by the route that served them ('/' is the UI), method and status code (101 for a WebSocket, 0 when nothing was answered)."},
			[]string{"route", "method", "code"}),
		operations: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "operations_total",
			Help: "Operations that ended, by name (of a document that is known, else 'other', or 'anonymous'), kind and outcome: ok, partial (data and errors), or the code of the error."},
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
		shared: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "shared_events_total",
			Help: "Events sent to subscribers whose answer had been made for another one."}),
		events: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "subscription_events_total",
			Help: "Events sent to subscribers."}),
		refusals: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "limit_refusals_total",
			Help: "Requests refused because of a limit, by its name."}, []string{"limit"}),
		documents: prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "document_cache_requests_total",
			Help: "Looks into the cache of parsed and valid documents, by result: hit, miss."}, []string{"result"}),
		connections: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: ns, Subsystem: "http", Name: "connections",
			Help: "Open TCP connections of the main addresses."}),
		delayed: prometheus.NewCounter(prometheus.CounterOpts{Namespace: ns, Subsystem: sub, Name: "delayed_events_total",
			Help: "Events that waited until their subscriber could pay for them, or had fewer of them in work. Newer changes of the same objects replaced them meanwhile."}),
		names: names,
	}
	if r != nil {
		r.MustRegister(m.operations, m.seconds, m.cost, m.sockets, m.subscriptions, m.events, m.shared, m.refusals, m.requests, m.documents, m.connections, m.delayed)
	}
	return m
}

// label is the name of an operation as a label.
func (m *metrics) label(name string) string {
	if name == "" {
		return "anonymous"
	}
	if !m.names[name] {
		return "other"
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

// operations is the names of the operations in all documents.
func (d *Documents) operations() map[string]bool {
	if d == nil {
		return nil
	}
	names := map[string]bool{}
	for _, text := range d.known {
		doc, err := parser.ParseQuery(&ast.Source{Input: text})
		if err != nil {
			continue // it was parsed before
		}
		for _, op := range doc.Operations {
			names[op.Name] = true
		}
	}
	return names
}

// outcomeOK is the outcome without errors.
const outcomeOK = "ok"

// outcomeOf is the outcome of a response.
func outcomeOf(response *graphql.Response) string {
	return outcome(len(response.Data) > 0 && string(response.Data) != "null", response.Errors)
}

// outcome sums up the result of an operation in one word.
func outcome(hasData bool, errs gqlerror.List) string {
	if len(errs) == 0 {
		return outcomeOK
	}
	if hasData {
		return "partial"
	}
	code, _ := errs[0].Extensions["code"].(string)
	return code
}
