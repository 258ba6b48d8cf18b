package telemetry

import (
	"context"
	"log/slog"

	"go.opentelemetry.io/otel/trace"
)

// tracing adds the trace's id to log lines.
type tracing struct{ slog.Handler }

// Logs returns a handler that adds traceId to what is logged within a traced request.
func Logs(h slog.Handler) slog.Handler { return tracing{h} }

func (h tracing) Handle(ctx context.Context, r slog.Record) error {
	if span := trace.SpanContextFromContext(ctx); span.IsSampled() {
		r = r.Clone()
		r.AddAttrs(slog.String("traceId", span.TraceID().String()))
	}
	return h.Handler.Handle(ctx, r)
}

func (h tracing) WithAttrs(attrs []slog.Attr) slog.Handler {
	return tracing{h.Handler.WithAttrs(attrs)}
}

func (h tracing) WithGroup(name string) slog.Handler { return tracing{h.Handler.WithGroup(name)} }
