package telemetry

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

func TestTracesAreSentToTheCollector(t *testing.T) {
	t.Setenv("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment.name=test")
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	type request struct{ path, body string }
	sent := make(chan request, 8)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		sent <- request{r.URL.Path, string(raw)}
	}))
	defer collector.Close()
	stop, err := StartTraces(t.Context(), Traces{Service: "kairship", Version: "v1.2.3", Endpoint: collector.URL + "/base/", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	_, span := Tracer().Start(t.Context(), "POST /graphql")
	span.End()
	if err := stop(t.Context()); err != nil {
		t.Fatal(err)
	}
	got := <-sent
	if got.path != "/base/v1/traces" {
		t.Errorf("sent to %s", got.path)
	}
	for _, want := range []string{"POST /graphql", "service.name", "kairship", "service.version", "v1.2.3", "deployment.environment.name"} {
		if !strings.Contains(got.body, want) {
			t.Errorf("%q was not sent", want)
		}
	}
}

func TestACollectorThatIsAwayIsWarnedOfAndHoldsNobodyUp(t *testing.T) {
	t.Setenv("OTEL_EXPORTER_OTLP_TIMEOUT", "100")
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	var log bytes.Buffer
	stop, err := StartTraces(t.Context(), Traces{Service: "kairship", Endpoint: "http://127.0.0.1:1", Logger: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	_, span := Tracer().Start(t.Context(), "x")
	span.End()
	if stopped := stop(t.Context()); stopped == nil && !strings.Contains(log.String(), "traces are lost") {
		t.Errorf("nothing was said: %s", log.String())
	}
}

func TestASpanOfItsOwnTraceIsLinked(t *testing.T) {
	spans := record(t)
	ctx, outer := Tracer().Start(t.Context(), "socket")
	_, inner := Tracer().Start(ctx, "operation", NewRoot(ctx)...)
	inner.End()
	_, alone := Tracer().Start(t.Context(), "alone", NewRoot(t.Context())...)
	alone.End()
	ended := spans.Ended()
	if links := ended[0].Links(); len(links) != 1 || links[0].SpanContext.SpanID() != outer.SpanContext().SpanID() ||
		ended[0].SpanContext().TraceID() == outer.SpanContext().TraceID() {
		t.Errorf("links %v", links)
	}
	if links := ended[1].Links(); len(links) != 0 {
		t.Errorf("links of nothing: %v", links)
	}
}

func TestLogsTellTheTrace(t *testing.T) {
	record(t)
	var out bytes.Buffer
	log := slog.New(Logs(slog.NewTextHandler(&out, nil))).With("requestId", "r-1")
	ctx, span := Tracer().Start(t.Context(), "x")
	log.InfoContext(ctx, "within")
	log.Info("without")
	unsampled, _ := sdktrace.NewTracerProvider(sdktrace.WithSampler(sdktrace.NeverSample())).Tracer("").Start(context.Background(), "y")
	log.InfoContext(unsampled, "not traced")
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if !strings.HasSuffix(lines[0], "requestId=r-1 traceId="+span.SpanContext().TraceID().String()) {
		t.Errorf("the line is %s", lines[0])
	}
	if strings.Contains(lines[1]+lines[2], "traceId") {
		t.Errorf("lines without a trace: %q", lines[1:])
	}
}

func TestPages(t *testing.T) {
	registry := prometheus.NewRegistry()
	registry.MustRegister(prometheus.NewGauge(prometheus.GaugeOpts{Name: "kairship_known"}))
	pages := Pages(registry)
	for _, tc := range []struct {
		path, from string
		status     int
		holds      string
	}{
		{"/metrics", "10.0.0.7:1234", http.StatusOK, "kairship_known 0"},
		{"/debug/pprof/", "127.0.0.1:1234", http.StatusOK, "goroutine"},
		{"/debug/pprof/goroutine?debug=1", "[::1]:1234", http.StatusOK, "goroutine profile"},
		{"/debug/pprof/heap", "[::ffff:127.0.0.1]:1234", http.StatusOK, ""},
		{"/debug/pprof/symbol", "127.0.0.1:1234", http.StatusOK, "num_symbols"},
		{"/debug/pprof/cmdline", "127.0.0.1:1234", http.StatusNotFound, ""},
		{"/debug/pprof/", "10.0.0.7:1234", http.StatusForbidden, "this machine alone"},
		{"/debug/pprof/profile?seconds=1", "10.0.0.7:1234", http.StatusForbidden, ""},
		{"/graphql", "127.0.0.1:1234", http.StatusNotFound, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, tc.path, http.NoBody)
		r.RemoteAddr = tc.from
		w := httptest.NewRecorder()
		pages.ServeHTTP(w, r)
		if w.Code != tc.status || !strings.Contains(w.Body.String(), tc.holds) {
			t.Errorf("%s from %s: %d %.80s", tc.path, tc.from, w.Code, w.Body)
		}
	}
}
