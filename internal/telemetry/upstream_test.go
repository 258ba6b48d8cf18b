package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	dto "github.com/prometheus/client_model/go"
	"go.opentelemetry.io/otel/codes"
)

const canary = "c4n4ry-s3cr3t"

// serve is a server that answers with the status that the query names, and a client of it.
func serve(t *testing.T, target Target, instance string) (*httptest.Server, *http.Client, *http.Header) {
	t.Helper()
	sent := &http.Header{}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*sent = r.Header.Clone()
		status := http.StatusOK
		if _, err := fmt.Sscan(r.URL.Query().Get("status"), &status); err == nil {
			w.WriteHeader(status)
		}
		_, _ = io.WriteString(w, "answer "+canary)
	}))
	t.Cleanup(server.Close)
	return server, &http.Client{Transport: Upstream(target, instance)(http.DefaultTransport)}, sent
}

func ask(ctx context.Context, t *testing.T, c *http.Client, address string) {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Authorization", "Bearer "+canary)
	res, err := c.Do(req)
	if err != nil {
		return
	}
	if _, err := io.ReadAll(res.Body); err != nil {
		t.Error(err)
	}
	_ = res.Body.Close()
}

func TestARequestWithinATracedOneIsASpanThatHoldsNoSecret(t *testing.T) {
	spans := record(t)
	server, client, sent := serve(t, TargetKarmada, "asia")
	ctx, parent := Tracer().Start(t.Context(), "parent")
	ask(ctx, t, client, server.URL+"/api/v1/namespaces/"+canary+"/secrets/"+canary+"?status=403&fieldSelector="+canary)
	ended := spans.Ended()
	if len(ended) != 1 {
		t.Fatalf("%d spans", len(ended))
	}
	span := ended[0]
	if span.Parent().SpanID() != parent.SpanContext().SpanID() || span.Status().Code != codes.Error {
		t.Errorf("parent %s, status %v", span.Parent().SpanID(), span.Status())
	}
	u, _ := url.Parse(server.URL)
	want := map[string]string{
		"kairship.upstream": "karmada", "kairship.instance": "asia", "http.request.method": "GET", "http.response.status_code": "403", "error.type": "403",
		"url.template": "/api/v1/namespaces/{namespace}/secrets/{name}", "server.address": u.Hostname(), "server.port": u.Port(),
	}
	if diff := cmp.Diff(want, attributes(span)); diff != "" {
		t.Error(diff)
	}
	if span.Name() != "GET /api/v1/namespaces/{namespace}/secrets/{name}" {
		t.Errorf("it is called %q", span.Name())
	}
	for _, name := range []string{"Traceparent", "Tracestate", "Baggage"} {
		if sent.Get(name) != "" {
			t.Errorf("%s was sent", name)
		}
	}
}

func TestARequestOutsideOfATracedOneIsNone(t *testing.T) {
	spans := record(t)
	server, client, _ := serve(t, TargetHost, "")
	ask(t.Context(), t, client, server.URL+"/readyz")
	if n := len(spans.Started()); n != 0 {
		t.Errorf("%d spans", n)
	}
}

func TestASpanEndsWithItsAnswer(t *testing.T) {
	spans := record(t)
	server, client, _ := serve(t, TargetOIDC, "")
	ctx, _ := Tracer().Start(t.Context(), "parent")
	req, _ := http.NewRequestWithContext(ctx, http.MethodGet, server.URL+"/.well-known/openid-configuration", http.NoBody)
	res, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(spans.Ended()); n != 0 {
		t.Errorf("%d spans ended before the answer was read", n)
	}
	_ = res.Body.Close()
	_ = res.Body.Close()
	ended := spans.Ended()
	if len(ended) != 1 || ended[0].Name() != "GET /.well-known/openid-configuration" || ended[0].Status().Code != codes.Unset {
		t.Errorf("ended: %v", ended)
	}
}

func TestRequestsAreCountedByWhatBecameOfThem(t *testing.T) {
	spans := record(t)
	server, client, _ := serve(t, TargetKarmada, "counted")
	ctx, _ := Tracer().Start(t.Context(), "parent")
	ask(ctx, t, client, server.URL)
	ask(ctx, t, client, server.URL+"?status=404")
	gone, leave := context.WithCancel(ctx)
	leave()
	ask(gone, t, client, server.URL)
	server.Close()
	ask(ctx, t, client, server.URL+"?token="+canary)
	for code, want := range map[string]float64{"200": 1, "404": 1, "canceled": 1, "error": 1} {
		var counted dto.Metric
		if err := upstreamRequests.WithLabelValues("karmada", "counted", code).Write(&counted); err != nil {
			t.Fatal(err)
		}
		if got := counted.GetCounter().GetValue(); got != want {
			t.Errorf("%s: %v requests, want %v", code, got, want)
		}
	}
	last := spans.Ended()[len(spans.Ended())-1]
	if last.Status().Description != "" || attributes(last)["error.type"] != "error" || strings.Contains(fmt.Sprint(attributes(last)), canary) {
		t.Errorf("a request without an answer: %v %v", last.Status(), attributes(last))
	}
}

type failing struct{ closed bool }

func (f *failing) RoundTrip(*http.Request) (*http.Response, error) { return nil, errors.New("no") }
func (f *failing) CloseIdleConnections()                           { f.closed = true }

func TestTheTransportBelowIsFound(t *testing.T) {
	below := &failing{}
	wrapped := Upstream(TargetHost, "")(below)
	if w, ok := wrapped.(interface{ WrappedRoundTripper() http.RoundTripper }); !ok || w.WrappedRoundTripper() != http.RoundTripper(below) {
		t.Error("the transport below is not given")
	}
	(&http.Client{Transport: wrapped}).CloseIdleConnections()
	if !below.closed {
		t.Error("idle connections stay open")
	}
}

func TestPathsAreWrittenWithoutNames(t *testing.T) {
	for path, want := range map[string]string{
		"":                                   "/",
		"/readyz":                            "/readyz",
		"/version":                           "/version",
		"/openapi/v3/apis/apps/v1":           "/openapi/{path}",
		"/api":                               "/api",
		"/apis/apps/v1":                      "/apis/apps/v1",
		"/api/v1/namespaces":                 "/api/v1/namespaces",
		"/api/v1/namespaces/shop":            "/api/v1/namespaces/{name}",
		"/api/v1/namespaces/shop/status":     "/api/v1/namespaces/{name}/status",
		"/api/v1/namespaces/shop/secrets":    "/api/v1/namespaces/{namespace}/secrets",
		"/api/v1/namespaces/shop/secrets/db": "/api/v1/namespaces/{namespace}/secrets/{name}",
		"/api/v1/namespaces/shop/pods/a/log": "/api/v1/namespaces/{namespace}/pods/{name}/log",
		"/api/v1/namespaces/shop/services/a/proxy/b/c?": "/api/v1/namespaces/{namespace}/services/{name}/proxy/{path}",
		"/api/v1/nodes/n1": "/api/v1/nodes/{name}",
		"/apis/apps/v1/namespaces/s/deployments/a/scale/":                                    "/apis/apps/v1/namespaces/{namespace}/deployments/{name}/scale",
		"/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/api/v1/namespaces/s/pods/p/log": "/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/api/v1/namespaces/{namespace}/pods/{name}/log",
		"/apis/cluster.karmada.io/v1alpha1/clusters/m1/proxy/" + canary:                      "/apis/cluster.karmada.io/v1alpha1/clusters/{name}/proxy/{path}",
		"/apis/clusterpedia.io/v1beta1/resources/apis/apps/v1/deployments":                   "/apis/clusterpedia.io/v1beta1/resources/apis/apps/v1/deployments",
		"/apis/clusterpedia.io/v1beta1/resources/clusters/asia/api/v1/pods":                  "/apis/clusterpedia.io/v1beta1/resources/clusters/{name}/api/v1/pods",
		"/apis/clusterpedia.io/v1beta1/collectionresources/any":                              "/apis/clusterpedia.io/v1beta1/collectionresources/{name}",
		"/apis/clusterpedia.io/v1beta1/resources":                                            "/apis/clusterpedia.io/v1beta1/resources",
		"/api/v1/eyJhbGciOiJSUzI1NiJ9":                                                       "/api/v1/{…}",
		"/" + canary:                                                                         "/{path}",
	} {
		if got := PathTemplate(path); got != want {
			t.Errorf("%s is written as %s, want %s", path, got, want)
		}
	}
}
