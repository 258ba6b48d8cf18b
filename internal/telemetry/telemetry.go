// Package telemetry makes Kairship observable: traces by OpenTelemetry, metrics of the requests to other servers, and
// pages for operators. It never records the content of requests and responses: no header, no query string, no body and
// no name of an object. It does not know what the requests are for.
package telemetry

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"

	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracehttp"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"
	"go.opentelemetry.io/otel/trace"
)

// Tracer makes the spans of Kairship. Until StartTraces is called they cost nothing.
func Tracer() trace.Tracer { return otel.Tracer("github.com/kairship-io/kairship") }

// Traces configures who sends traces, and where to.
type Traces struct {
	// Service and Version identify the process in traces; OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES override them.
	Service, Version string
	// Endpoint is the address of a collector that accepts OTLP over HTTP, without the path /v1/traces. Empty: taken
	// from OTEL_EXPORTER_OTLP_ENDPOINT and related variables.
	Endpoint string
	// Logger logs when traces cannot be sent.
	Logger *slog.Logger
}

// StartTraces begins to send traces. OpenTelemetry's own environment (OTEL_TRACES_SAMPLER, OTEL_EXPORTER_OTLP_HEADERS
// …) sets how many requests are traced, how long spans wait, headers and certificates. An unavailable collector costs
// spans, never requests. stop sends the remaining spans.
func StartTraces(ctx context.Context, t Traces) (stop func(context.Context) error, err error) {
	var options []otlptracehttp.Option
	if t.Endpoint != "" {
		address, err := url.JoinPath(t.Endpoint, "v1/traces")
		if err != nil {
			return nil, fmt.Errorf("reading the address of the collector: %w", err)
		}
		options = append(options, otlptracehttp.WithEndpointURL(address))
	}
	exporter, err := otlptracehttp.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("making the exporter of traces: %w", err)
	}
	about, err := resource.New(ctx, resource.WithTelemetrySDK(),
		resource.WithAttributes(semconv.ServiceName(t.Service), semconv.ServiceVersion(t.Version)), resource.WithFromEnv())
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading OTEL_RESOURCE_ATTRIBUTES: %w", err), exporter.Shutdown(ctx))
	}
	provider := sdktrace.NewTracerProvider(sdktrace.WithBatcher(exporter), sdktrace.WithResource(about))
	otel.SetErrorHandler(otel.ErrorHandlerFunc(func(err error) { t.Logger.Warn("traces are lost", "error", err) }))
	otel.SetTracerProvider(provider)
	return provider.Shutdown, nil
}

// NewRoot returns the options of a span that begins its own trace and is linked to the current one: for operations too
// long or too frequent for one trace to show.
func NewRoot(ctx context.Context) []trace.SpanStartOption {
	options := []trace.SpanStartOption{trace.WithNewRoot()}
	if link := trace.LinkFromContext(ctx); link.SpanContext.IsValid() {
		options = append(options, trace.WithLinks(link))
	}
	return options
}
