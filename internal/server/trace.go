package server

import (
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.40.0"
	"go.opentelemetry.io/otel/trace"

	"github.com/kairship-io/kairship/internal/telemetry"
)

// Names of Kairship's own span attributes.
const (
	attributeRequest  = attribute.Key("kairship.request.id")
	attributeOutcome  = attribute.Key("kairship.outcome")
	attributeDocument = attribute.Key("graphql.document.hash")
)

// probes are requested by programs every few seconds: they are not traced, and logged at debug level.
var probes = []string{"/healthz", "/readyz", "/metrics"}

// beginSpan begins the span of a request. Any caller may name a trace: it is linked but not continued, and Kairship
// decides whether the request is traced.
func beginSpan(r *http.Request, id string) (context.Context, trace.Span) {
	if slices.Contains(probes, r.URL.Path) {
		return r.Context(), trace.SpanFromContext(r.Context())
	}
	from := trace.SpanContextFromContext(propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header)))
	// Its state is arbitrary text.
	caller := trace.ContextWithRemoteSpanContext(r.Context(), from.WithTraceState(trace.TraceState{}))
	method := methodOf(r)
	options := append(telemetry.NewRoot(caller), trace.WithSpanKind(trace.SpanKindServer),
		trace.WithAttributes(semconv.HTTPRequestMethodKey.String(method), attributeRequest.String(id)))
	return telemetry.Tracer().Start(r.Context(), method, options...)
}

// endSpan ends it when the route and the outcome of the request are known.
func endSpan(span trace.Span, r *http.Request, status int, outcome string) {
	if !span.IsRecording() {
		return
	}
	route := routeOf(r)
	span.SetName(methodOf(r) + " " + route)
	span.SetAttributes(semconv.HTTPRoute(route), semconv.HTTPResponseStatusCode(status))
	if outcome != "" {
		span.SetAttributes(attributeOutcome.String(outcome))
	}
	if status >= http.StatusInternalServerError {
		span.SetStatus(codes.Error, "")
	}
	span.End()
}

// methodOf is the method of a request; _OTHER for one that clients made up.
func methodOf(r *http.Request) string {
	switch r.Method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return r.Method
	}
	return "_OTHER"
}

// routeOf is the pattern of the route that served a request; "" for none.
func routeOf(r *http.Request) string {
	if _, path, ok := strings.Cut(r.Pattern, " "); ok {
		return path
	}
	return r.Pattern
}

// traced makes a span for an operation: its name, type and hash, never its text or its variables. It ends with the last
// response, or when the operation is cancelled.
func traced(ctx context.Context, run func(context.Context) graphql.ResponseHandler) graphql.ResponseHandler {
	if !trace.SpanFromContext(ctx).IsRecording() {
		return run(ctx)
	}
	op := graphql.GetOperationContext(ctx)
	kind := string(op.Operation.Operation)
	options := []trace.SpanStartOption{trace.WithAttributes(semconv.GraphQLOperationTypeKey.String(kind), semconv.GraphQLOperationName(clip(op.Operation.Name, 100)),
		attributeDocument.String(hashOf(op.RawQuery)), attributeRequest.String(requestID(ctx)))}
	if recordOf(ctx).isSocket() {
		options = append(options, telemetry.NewRoot(ctx)...) // sockets live for days
	}
	name := strings.TrimSpace(kind + " " + clip(op.Operation.Name, 100))
	ctx, span := telemetry.Tracer().Start(ctx, name, options...)
	context.AfterFunc(ctx, func() { span.End() })
	answers := run(ctx)
	return func(ctx context.Context) *graphql.Response {
		response := answers(ctx)
		switch {
		case response == nil:
			span.End()
		case op.Operation.Operation != ast.Subscription:
			result := outcomeOf(response)
			span.SetAttributes(attributeOutcome.String(result))
			if result != outcomeOK {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}
		return response
	}
}
