package cmd

import (
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel"

	"github.com/kairship-io/kairship/internal/telemetry"
)

func TestTelemetryNamesWhatItRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		Telemetry
		environment map[string]string
		traced      bool
		want        string
	}{
		"nothing":                   {},
		"an address":                {Telemetry: Telemetry{TelemetryAddress: "127.0.0.1:8083"}},
		"an address without a port": {Telemetry: Telemetry{TelemetryAddress: "localhost"}, want: "--telemetry-address"},
		"a collector":               {Telemetry: Telemetry{OTLPEndpoint: "http://127.0.0.1:4318"}, traced: true},
		"the standard environment":  {environment: map[string]string{"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"}, traced: true},
		"that of traces alone":      {environment: map[string]string{"OTEL_EXPORTER_OTLP_TRACES_ENDPOINT": "http://127.0.0.1:4318/v1/traces"}, traced: true},
		"turned off":                {Telemetry: Telemetry{OTLPEndpoint: "http://127.0.0.1:4318"}, environment: map[string]string{"OTEL_SDK_DISABLED": "true"}},
		"no exporter of traces":     {Telemetry: Telemetry{OTLPEndpoint: "http://127.0.0.1:4318"}, environment: map[string]string{"OTEL_TRACES_EXPORTER": "none"}},
		"another exporter": {Telemetry: Telemetry{OTLPEndpoint: "http://127.0.0.1:4318"}, environment: map[string]string{"OTEL_TRACES_EXPORTER": "zipkin"}, traced: true,
			want: "OTEL_TRACES_EXPORTER"},
		"gRPC": {Telemetry: Telemetry{OTLPEndpoint: "http://127.0.0.1:4317"}, environment: map[string]string{"OTEL_EXPORTER_OTLP_PROTOCOL": "grpc"}, traced: true,
			want: "OTEL_EXPORTER_OTLP_PROTOCOL"},
		"no address":            {Telemetry: Telemetry{OTLPEndpoint: "collector:4318"}, traced: true, want: "--otlp-endpoint"},
		"an address with a key": {Telemetry: Telemetry{OTLPEndpoint: "https://key:s3cr3t@collector"}, traced: true, want: "--otlp-endpoint"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, unset := range []string{"OTEL_EXPORTER_OTLP_ENDPOINT", "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_SDK_DISABLED", "OTEL_TRACES_EXPORTER", "OTEL_EXPORTER_OTLP_PROTOCOL"} {
				t.Setenv(unset, tt.environment[unset])
			}
			err := tt.Telemetry.validate()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), "s3cr3t")) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
			if got := tt.Telemetry.traced(); got != tt.traced {
				t.Errorf("traced: %v", got)
			}
		})
	}
}

func TestTheTelemetryAddressServesMetricsAndProfiles(t *testing.T) {
	log := slog.New(slog.DiscardHandler)
	at := Telemetry{TelemetryAddress: freeAddress(t)}
	run, stop, err := at.start(t.Context(), prometheus.DefaultGatherer, log)
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	if _, _, err := at.start(t.Context(), prometheus.DefaultGatherer, log); err == nil || !strings.Contains(err.Error(), "--telemetry-address") {
		t.Errorf("an address that is taken: %v", err)
	}
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- run(ctx) }()
	for path, want := range map[string]string{"/metrics": "go_goroutines", "/debug/pprof/goroutine?debug=1": "goroutine profile"} {
		res, err := http.Get("http://" + at.TelemetryAddress + path)
		if err != nil {
			t.Fatal(err)
		}
		raw, _ := io.ReadAll(res.Body)
		_ = res.Body.Close()
		if !strings.Contains(string(raw), want) {
			t.Errorf("%s: %d %.80s", path, res.StatusCode, raw)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestTheLastSpansAreSent(t *testing.T) {
	before := otel.GetTracerProvider()
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	sent := make(chan string, 1)
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		sent <- string(raw)
	}))
	defer collector.Close()
	_, stop, err := (&Telemetry{OTLPEndpoint: collector.URL}).start(t.Context(), prometheus.DefaultGatherer, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	_, span := telemetry.Tracer().Start(t.Context(), "the last one")
	span.End()
	stop()
	if got := <-sent; !strings.Contains(got, "the last one") || !strings.Contains(got, version()) {
		t.Errorf("sent was %q", got)
	}
}
