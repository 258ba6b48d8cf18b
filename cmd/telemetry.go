package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Telemetry configures metrics, profiles and traces.
type Telemetry struct {
	TelemetryAddress string `help:"Address that serves /metrics to whoever reaches it, and /debug/pprof/ to programs on the same machine, as host:port. Empty: none." placeholder:"ADDRESS"`
	OTLPEndpoint     string `name:"otlp-endpoint" env:"KAIRSHIP_OTLP_ENDPOINT" help:"Collector that traces are sent to, by OTLP over HTTP: http://HOST:4318. Empty: that of OTEL_EXPORTER_OTLP_ENDPOINT; without either nothing is traced. OpenTelemetry's other variables are heeded as well." placeholder:"URL"`
}

// flushTimeout is how long the last spans may take to be sent.
const flushTimeout = 5 * time.Second

// traced reports whether there is a collector, by flag or by OpenTelemetry's own environment.
func (t *Telemetry) traced() bool {
	if strings.EqualFold(os.Getenv("OTEL_SDK_DISABLED"), "true") || os.Getenv("OTEL_TRACES_EXPORTER") == "none" {
		return false
	}
	return t.OTLPEndpoint != "" || os.Getenv("OTEL_EXPORTER_OTLP_ENDPOINT") != "" || os.Getenv("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT") != ""
}

func (t *Telemetry) validate() error {
	if t.TelemetryAddress != "" {
		if err := checkAddress(t.TelemetryAddress); err != nil {
			return fmt.Errorf("--telemetry-address is %q; %w", t.TelemetryAddress, err)
		}
	}
	if t.OTLPEndpoint != "" {
		u, err := url.Parse(t.OTLPEndpoint)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" {
			return errors.New("--otlp-endpoint is no address such as http://127.0.0.1:4318; credentials belong into OTEL_EXPORTER_OTLP_HEADERS")
		}
	}
	if !t.traced() {
		return nil
	}
	for name, allowed := range map[string]string{
		"OTEL_TRACES_EXPORTER": "otlp", "OTEL_EXPORTER_OTLP_PROTOCOL": "http/protobuf", "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL": "http/protobuf",
	} {
		if value := os.Getenv(name); value != "" && value != allowed {
			return fmt.Errorf("%s is %q; traces are sent by OTLP over HTTP: it must be %s or empty", name, value, allowed)
		}
	}
	return nil
}

// start begins tracing and listens on the address at once: an address in use is an error. run serves until its context
// ends; stop sends the last spans and must always be called.
func (t *Telemetry) start(ctx context.Context, g prometheus.Gatherer, log *slog.Logger) (run func(context.Context) error, stop func(), err error) {
	flush := func(context.Context) error { return nil }
	if t.traced() {
		if flush, err = telemetry.StartTraces(ctx, telemetry.Traces{
			Service: "kairship", Version: version(), Endpoint: t.OTLPEndpoint, Logger: log,
		}); err != nil {
			return nil, nil, err
		}
		log.Info("traces are sent", "endpoint", t.OTLPEndpoint)
	}
	stop = func() {
		ending, cancel := context.WithTimeout(context.WithoutCancel(ctx), flushTimeout)
		defer cancel()
		if err := flush(ending); err != nil {
			log.Warn("the last traces are lost", "error", err)
		}
	}
	if t.TelemetryAddress == "" || t.TelemetryAddress == "0" {
		return func(context.Context) error { return nil }, stop, nil
	}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", t.TelemetryAddress)
	if err != nil {
		stop()
		return nil, nil, fmt.Errorf("--telemetry-address: %w", err)
	}
	server := &http.Server{
		Handler: telemetry.Pages(g), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute, MaxHeaderBytes: 64 << 10,
		ErrorLog: slog.NewLogLogger(redact.Logs(log.Handler()), slog.LevelDebug),
	}
	log.Info("listening", "for", "metrics and profiles", "address", listener.Addr().String())
	flushed := stop
	stop = func() { _ = server.Close(); flushed() }
	return func(ctx context.Context) error {
		defer context.AfterFunc(ctx, func() { _ = server.Close() })()
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serving metrics: %w", err)
		}
		return nil
	}, stop, nil
}
