package server

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"go.opentelemetry.io/otel"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
)

// record makes the spans of a test.
func recordSpans(t *testing.T) *tracetest.SpanRecorder {
	t.Helper()
	spans, before := tracetest.NewSpanRecorder(), otel.GetTracerProvider()
	otel.SetTracerProvider(sdktrace.NewTracerProvider(sdktrace.WithSpanProcessor(spans)))
	t.Cleanup(func() { otel.SetTracerProvider(before) })
	return spans
}

// ended waits for a span of a name.
func ended(t *testing.T, spans *tracetest.SpanRecorder, name string) sdktrace.ReadOnlySpan {
	t.Helper()
	var found sdktrace.ReadOnlySpan
	eventually(t, "a span "+name, func() bool {
		all := spans.Ended()
		i := slices.IndexFunc(all, func(s sdktrace.ReadOnlySpan) bool { return s.Name() == name })
		if i >= 0 {
			found = all[i]
		}
		return i >= 0
	})
	return found
}

func attributeOf(s sdktrace.ReadOnlySpan, key string) string {
	for _, a := range s.Attributes() {
		if string(a.Key) == key {
			return a.Value.String()
		}
	}
	return ""
}

func TestARequestIsASpanAndItsOperationAnother(t *testing.T) {
	spans := recordSpans(t)
	f := newFixture(t)
	const document = `query Page($t: String){echo(text:$t)}`
	a := f.do("POST", "/graphql", `{"query":"`+document+`","variables":{"t":"`+canary+`"}}`,
		"traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "tracestate", "x="+canary)
	server, operation := ended(t, spans, "POST /graphql"), ended(t, spans, "query Page")
	if server.SpanKind() != trace.SpanKindServer || server.Parent().IsValid() || operation.Parent().SpanID() != server.SpanContext().SpanID() {
		t.Errorf("the operation is within %v, the request within %v", operation.Parent(), server.Parent())
	}
	// Anybody can send a traceparent.
	caller := server.Links()
	if len(caller) != 1 || caller[0].SpanContext.SpanID().String() != "b7ad6b7169203331" || caller[0].SpanContext.TraceState().Len() > 0 ||
		server.SpanContext().TraceID() == caller[0].SpanContext.TraceID() {
		t.Errorf("links: %+v", caller)
	}
	for key, want := range map[string]string{"http.route": "/graphql", "http.response.status_code": "200", "kairship.request.id": a.header.Get("X-Request-Id"), "kairship.outcome": "ok"} {
		if got := attributeOf(server, key); got != want {
			t.Errorf("%s of the request is %q, want %q", key, got, want)
		}
	}
	for key, want := range map[string]string{"graphql.operation.name": "Page", "graphql.operation.type": "query", "graphql.document.hash": hashOf(document), "kairship.outcome": "ok",
		"kairship.request.id": a.header.Get("X-Request-Id")} {
		if got := attributeOf(operation, key); got != want {
			t.Errorf("%s of the operation is %q, want %q", key, got, want)
		}
	}
	if !strings.Contains(f.log.String(), "requestId="+a.header.Get("X-Request-Id")) {
		t.Error("the log is without the id of the request")
	}
	for _, s := range spans.Ended() {
		if text := fmt.Sprint(s.Name(), s.Attributes(), s.Links(), s.Events(), s.Status()); strings.Contains(text, canary) || strings.Contains(text, "echo") {
			t.Errorf("a span holds what was sent: %s", text)
		}
	}
}

func TestAnOperationOnASocketIsATraceOfItsOwn(t *testing.T) {
	spans := recordSpans(t)
	f := newFixture(t)
	s := f.admitted()
	s.send(subscribe("1", "query Page{who}")).next()
	one := ended(t, spans, "query Page")
	if one.Parent().IsValid() || len(one.Links()) != 1 {
		t.Errorf("it is within %v, linked to %v", one.Parent(), one.Links())
	}
}

func TestASubscriptionIsOneSpanUntilItEnds(t *testing.T) {
	spans := recordSpans(t)
	f := newFixture(t)
	s := f.admitted()
	s.send(subscribe("1", "subscription Ticks{ticks}"))
	eventually(t, "a subscriber", func() bool { return f.schema.subscribers() == 1 })
	f.schema.tick(1)
	s.next()
	if slices.ContainsFunc(spans.Ended(), func(s sdktrace.ReadOnlySpan) bool { return s.Name() == "subscription Ticks" }) {
		t.Error("it ended with its first event")
	}
	s.send(`{"type":"complete","id":"1"}`)
	ended(t, spans, "subscription Ticks")
}

func TestAnOperationThatFailsIsSeenToAndProbesAreNone(t *testing.T) {
	spans := recordSpans(t)
	f := newFixture(t)
	f.query(`query Bad{fail(how:"known")}`)
	if got := attributeOf(ended(t, spans, "query Bad"), "kairship.outcome"); got != "partial" {
		t.Errorf("the outcome is %q", got)
	}
	before := len(spans.Started())
	f.do("GET", "/healthz", "")
	f.do("GET", "/readyz", "")
	f.do("GET", "/metrics", "")
	if n := len(spans.Started()) - before; n != 0 {
		t.Errorf("%d spans for probes", n)
	}
	f.do("MADEUP", "/nowhere/"+canary, "")
	if s := ended(t, spans, "_OTHER /"); attributeOf(s, "http.route") != "/" {
		t.Errorf("a method that is none: %v", s.Attributes())
	}
}

func TestMetricsAreForOwners(t *testing.T) {
	f := newFixture(t)
	f.tokens.set("viewer", &auth.Principal{Name: "kairship:oidc:vera"})
	f.cfg.Authorizer.(*rbac.Authorizer).SetBindings(rbac.NewBindings([]v1alpha1.AccessBinding{{Spec: v1alpha1.AccessBindingSpec{
		Subject: v1alpha1.AccessSubject{Kind: v1alpha1.SubjectUser, Name: "kairship:oidc:vera"}, Role: v1alpha1.RoleViewer}}}, nil))
	if a := f.query("{who}", "Authorization", "Bearer viewer"); a.status != 200 {
		t.Fatalf("the viewer is nobody: %s", a.raw)
	}
	for _, tc := range []struct {
		name   string
		change func(*http.Request)
		status int
	}{
		{"a program on this machine", func(*http.Request) {}, 401},
		{"by the name of this machine", func(r *http.Request) { r.Host = "localhost:8080" }, 401},
		{"over IPv6", func(r *http.Request) { r.RemoteAddr, r.Host = "[::1]:4711", "[::1]:8080" }, 401},
		{"from elsewhere", func(r *http.Request) { r.RemoteAddr = "10.0.0.7:4711" }, 401},
		{"through a proxy here that does not say that it is one", func(r *http.Request) { r.Header.Set("Connection", "close") }, 401},
		{"an owner on this machine", func(r *http.Request) { r.Header.Set("Authorization", "Bearer admin") }, 200},
		{"somebody on this machine who sees a part", func(r *http.Request) { r.Header.Set("Authorization", "Bearer viewer") }, 403},
		{"with a token that is not good", func(r *http.Request) {
			r.RemoteAddr = "10.0.0.7:4711"
			r.Header.Set("Authorization", "Bearer bad")
		}, 401},
		{"as somebody without a role", func(r *http.Request) {
			r.RemoteAddr = "10.0.0.7:4711"
			r.Header.Set("Authorization", "Bearer stranger")
		}, 403},
		{"as an owner", func(r *http.Request) {
			r.RemoteAddr = "10.0.0.7:4711"
			r.Header.Set("Authorization", "Bearer admin")
		}, 200},
		{"with a kubeconfig's token", func(r *http.Request) {
			r.RemoteAddr = "10.0.0.7:4711"
			r.Header.Set("Authorization", "Bearer ann-at-asia")
		}, 401},
	} {
		r := httptest.NewRequest(http.MethodGet, "http://127.0.0.1:8080/metrics", http.NoBody)
		r.RemoteAddr = "127.0.0.1:4711"
		tc.change(r)
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != tc.status || (w.Code == 200) != strings.Contains(w.Body.String(), "kairship_graphql_websockets") {
			t.Errorf("%s: %d %.200s", tc.name, w.Code, w.Body)
		}
	}
}
