package telemetry

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"
	"go.opentelemetry.io/otel/trace"
)

// Target is a kind of server that Kairship sends requests to.
type Target string

// The servers that Kairship sends requests to.
const (
	// TargetHost is the API server of the host cluster.
	TargetHost Target = "host"
	// TargetClusterpedia is the read store.
	TargetClusterpedia Target = "clusterpedia"
	// TargetKarmada is the API server of an instance; requests to its members go through it.
	TargetKarmada Target = "karmada"
	// TargetOIDC is the identity provider.
	TargetOIDC Target = "oidc"
	// TargetPrometheus is a Prometheus with the metrics of an instance.
	TargetPrometheus Target = "prometheus"
)

var (
	upstreamRequests = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "kairship_upstream_requests_total",
		Help: "Requests to other servers by target ('host', 'clusterpedia', 'karmada', 'oidc', 'prometheus'), instance ('' for none) and status code " +
			"('error' when there was no answer, 'canceled' when nobody waited for it any more).",
	}, []string{"target", "instance", "code"})
	upstreamSeconds = promauto.NewHistogramVec(prometheus.HistogramOpts{
		Name:    "kairship_upstream_request_duration_seconds",
		Help:    "How long other servers took until their answer began, by target and instance ('' for none).",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"target", "instance"})
)

// Upstream returns a transport wrapper that counts and traces a client's requests to a target. instance is empty where
// the target is none. A request is a span where it is part of a traced one. The requests are not changed: no trace
// context is sent to the target.
func Upstream(target Target, instance string) func(http.RoundTripper) http.RoundTripper {
	seconds := upstreamSeconds.WithLabelValues(string(target), instance)
	requests := upstreamRequests.MustCurryWith(prometheus.Labels{"target": string(target), "instance": instance})
	return func(next http.RoundTripper) http.RoundTripper {
		return &upstream{next: next, target: target, instance: instance, seconds: seconds, requests: requests}
	}
}

type upstream struct {
	next     http.RoundTripper
	target   Target
	instance string
	seconds  prometheus.Observer
	requests *prometheus.CounterVec
}

// RoundTrip implements http.RoundTripper.
func (u *upstream) RoundTrip(r *http.Request) (*http.Response, error) {
	span := u.span(r)
	began := time.Now()
	res, err := u.next.RoundTrip(r)
	u.seconds.Observe(time.Since(began).Seconds())
	u.requests.WithLabelValues(code(res, err)).Inc()
	end(span, res, err)
	return res, err
}

// WrappedRoundTripper is for client-go, which looks for the wrapped transport.
func (u *upstream) WrappedRoundTripper() http.RoundTripper { return u.next }

// CloseIdleConnections is for http.Client.
func (u *upstream) CloseIdleConnections() {
	if next, ok := u.next.(interface{ CloseIdleConnections() }); ok {
		next.CloseIdleConnections()
	}
}

// span begins the span of a request; outside a traced one it records nothing.
func (u *upstream) span(r *http.Request) trace.Span {
	parent := trace.SpanFromContext(r.Context())
	if !parent.IsRecording() {
		return parent
	}
	path := r.URL.Path
	if u.target != TargetOIDC && u.target != TargetPrometheus { // their paths are from the configuration
		path = PathTemplate(path)
	}
	attributes := []attribute.KeyValue{
		attribute.String("kairship.upstream", string(u.target)), semconv.HTTPRequestMethodKey.String(r.Method), semconv.URLTemplate(path),
		semconv.ServerAddress(r.URL.Hostname()),
	}
	if port, err := strconv.Atoi(r.URL.Port()); err == nil {
		attributes = append(attributes, semconv.ServerPort(port))
	}
	if u.instance != "" {
		attributes = append(attributes, attribute.String("kairship.instance", u.instance))
	}
	_, span := Tracer().Start(r.Context(), r.Method+" "+path, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attributes...))
	return span
}

// end ends a span when the response has been read to its end, or closed.
func end(span trace.Span, res *http.Response, err error) {
	if !span.IsRecording() {
		return
	}
	if err != nil {
		span.SetAttributes(semconv.ErrorTypeKey.String(code(res, err)))
		span.SetStatus(codes.Error, "") // the error may contain request data
		span.End()
		return
	}
	span.SetAttributes(semconv.HTTPResponseStatusCode(res.StatusCode))
	if res.StatusCode >= http.StatusBadRequest {
		span.SetAttributes(semconv.ErrorTypeKey.String(strconv.Itoa(res.StatusCode)))
		span.SetStatus(codes.Error, "")
	}
	if res.StatusCode == http.StatusSwitchingProtocols || res.Body == nil || res.Body == http.NoBody {
		span.End() // an upgraded connection belongs to the caller
		return
	}
	res.Body = &body{res.Body, sync.OnceFunc(func() { span.End() })}
}

// code sums up the result of a request in one word.
func code(res *http.Response, err error) string {
	switch {
	case err == nil:
		return strconv.Itoa(res.StatusCode)
	case errors.Is(err, context.Canceled):
		return "canceled"
	}
	return "error"
}

// body calls ended when it has been read or closed.
type body struct {
	io.ReadCloser
	ended func()
}

func (b *body) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		b.ended()
	}
	return n, err
}

func (b *body) Close() error {
	defer b.ended()
	return b.ReadCloser.Close()
}
