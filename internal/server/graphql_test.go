package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestWhoIsLetIn(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		headers     []string
		status      int
		code        string
	}{
		{"an administrator", "{who}", nil, 200, ""},
		{"nobody without a token", "{who}", []string{"Authorization", ""}, 401, "UNAUTHENTICATED"},
		{"nobody with another scheme", "{who}", []string{"Authorization", "Basic admin"}, 401, "UNAUTHENTICATED"},
		{"nobody with a bad token", "{who}", []string{"Authorization", "Bearer nonsense"}, 401, "UNAUTHENTICATED"},
		{"nobody with a bad token, whatever they ask", "}{", []string{"Authorization", "Bearer nonsense"}, 401, "UNAUTHENTICATED"},
		{"no stranger", "{who}", []string{"Authorization", "Bearer stranger"}, 403, "FORBIDDEN"},
		{"no stranger who wants the schema", "{__schema{queryType{name}}}", []string{"Authorization", "Bearer stranger"}, 403, "FORBIDDEN"},
		{"no stranger who wants a type's name", "{__typename}", []string{"Authorization", "Bearer stranger"}, 403, "FORBIDDEN"},
		{"nobody by the token of a kubeconfig", "{who}", []string{"Authorization", "Bearer ann-at-asia"}, 401, "UNAUTHENTICATED"},
		{"nobody while it cannot be found out, which is an outage", "{who}", []string{"Authorization", "Bearer broken"}, 503, "UNAVAILABLE"},
		{"the scheme's name in any case", "{who}", []string{"Authorization", "bearer admin"}, 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := newFixture(t).query(tc.query, tc.headers...)
			if a.status != tc.status || a.code() != tc.code {
				t.Fatalf("%d %q, want %d %q: %s", a.status, a.code(), tc.status, tc.code, a.raw)
			}
			if tc.code != "" && a.Data != nil {
				t.Errorf("data was given: %s", a.raw)
			}
			if got := a.header.Get("WWW-Authenticate"); (got != "") != (tc.status == 401) {
				t.Errorf("WWW-Authenticate: %q", got)
			}
			if tc.code == "" {
				if diff := cmp.Diff(map[string]any{"who": "ann"}, a.Data); diff != "" {
					t.Errorf("data (-want +got):\n%s", diff)
				}
			}
		})
	}
}

func TestWhatARequestMayLookLike(t *testing.T) {
	ok := `{"query":"{echo(text:\"x\")}"}`
	for _, tc := range []struct {
		name, method, path, body string
		headers                  []string
		status                   int
		code                     string
		header, value            string // of the answer
	}{
		{"POST", "POST", "/graphql", ok, nil, 200, "", "Content-Type", "application/json; charset=utf-8"},
		{"the newer media type when it is asked for", "POST", "/graphql", ok, []string{"Accept", "application/graphql-response+json, application/json;q=0.9"}, 200, "", "Content-Type", "application/graphql-response+json; charset=utf-8"},
		{"the older one when it is preferred", "POST", "/graphql", ok, []string{"Accept", "application/graphql-response+json;q=0.5, application/json"}, 200, "", "Content-Type", "application/json; charset=utf-8"},
		{"the older one for those who take anything", "POST", "/graphql", ok, []string{"Accept", "*/*"}, 200, "", "Content-Type", "application/json; charset=utf-8"},
		{"no answer in a type that there is not", "POST", "/graphql", ok, []string{"Accept", "text/html"}, 406, "BAD_USER_INPUT", "", ""},
		{"a key", "POST", "/graphql", ok, []string{"Idempotency-Key", "0b8f"}, 200, "", "", ""},
		{"no key with blanks", "POST", "/graphql", ok, []string{"Idempotency-Key", "a b"}, 400, "BAD_USER_INPUT", "", ""},
		{"no key that is long", "POST", "/graphql", ok, []string{"Idempotency-Key", strings.Repeat("k", 256)}, 400, "BAD_USER_INPUT", "", ""},
		{"no form", "POST", "/graphql", "query={who}", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "BAD_USER_INPUT", "", ""},
		{"no plain text", "POST", "/graphql", ok, []string{"Content-Type", "text/plain"}, 415, "BAD_USER_INPUT", "", ""},
		{"no multipart", "POST", "/graphql", ok, []string{"Content-Type", "multipart/form-data; boundary=x"}, 415, "BAD_USER_INPUT", "", ""},
		{"no other charset", "POST", "/graphql", ok, []string{"Content-Type", "application/json; charset=utf-16"}, 415, "BAD_USER_INPUT", "", ""},
		{"a charset that is UTF-8", "POST", "/graphql", ok, []string{"Content-Type", "application/json; charset=UTF-8"}, 200, "", "", ""},
		{"no other method", "PUT", "/graphql", ok, nil, 405, "BAD_USER_INPUT", "Allow", "GET, POST"},
		{"no batch", "POST", "/graphql", "[" + ok + "]", nil, 400, "BAD_USER_INPUT", "", ""},
		{"no broken JSON", "POST", "/graphql", `{"query":`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"no JSON that is null", "POST", "/graphql", `null`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"nothing behind the JSON", "POST", "/graphql", ok + "{}", nil, 400, "BAD_USER_INPUT", "", ""},
		{"no request without a query", "POST", "/graphql", `{}`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"no query that is a number", "POST", "/graphql", `{"query":1}`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"no variables that are a list", "POST", "/graphql", `{"query":"{who}","variables":[]}`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"variables that are null", "POST", "/graphql", `{"query":"{who}","variables":null,"operationName":null,"extensions":null}`, nil, 200, "", "", ""},
		{"no extensions that are a string", "POST", "/graphql", `{"query":"{who}","extensions":"x"}`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"a document that does not parse, for old clients", "POST", "/graphql", `{"query":"{"}`, nil, 200, "BAD_USER_INPUT", "", ""},
		{"a document that does not parse, for new clients", "POST", "/graphql", `{"query":"{"}`, []string{"Accept", "application/graphql-response+json"}, 400, "BAD_USER_INPUT", "", ""},
		{"a field that there is not", "POST", "/graphql", `{"query":"{nothing}"}`, nil, 200, "BAD_USER_INPUT", "", ""},
		{"an operation that there is not", "POST", "/graphql", `{"query":"query a{who}","operationName":"b"}`, nil, 200, "BAD_USER_INPUT", "", ""},
		{"a variable of the wrong type", "POST", "/graphql", `{"query":"query($t:String!){echo(text:$t)}","variables":{"t":{}}}`, nil, 200, "BAD_USER_INPUT", "", ""},
		{"a mutation", "POST", "/graphql", `{"query":"mutation{change}"}`, nil, 200, "", "", ""},
		{"a subscription needs a stream", "POST", "/graphql", `{"query":"subscription{ticks}"}`, nil, 400, "BAD_USER_INPUT", "", ""},
		{"what is deferred would never come", "POST", "/graphql", `{"query":"{...@defer{who}}"}`, nil, 200, "BAD_USER_INPUT", "", ""},
		{"GET", "GET", "/graphql?query={who}", "", nil, 200, "", "", ""},
		{"GET with variables", "GET", "/graphql?" + url.Values{"query": {"query($t:String){echo(text:$t)}"}, "variables": {`{"t":"x"}`}}.Encode(), "", nil, 200, "", "", ""},
		{"no mutation by GET", "GET", "/graphql?query=mutation{change}", "", nil, 405, "BAD_USER_INPUT", "Allow", "POST"},
		{"no GET without a query", "GET", "/graphql", "", nil, 400, "BAD_USER_INPUT", "", ""},
		{"no GET with variables that are no object", "GET", "/graphql?query={who}&variables=x", "", nil, 400, "BAD_USER_INPUT", "", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := newFixture(t).do(tc.method, tc.path, tc.body, tc.headers...)
			if a.status != tc.status || a.code() != tc.code {
				t.Fatalf("%d %q, want %d %q: %s", a.status, a.code(), tc.status, tc.code, a.raw)
			}
			if tc.header != "" && a.header.Get(tc.header) != tc.value {
				t.Errorf("%s: %q, want %q", tc.header, a.header.Get(tc.header), tc.value)
			}
			if tc.code == "" && a.Data == nil {
				t.Errorf("no data: %s", a.raw)
			}
		})
	}
}

func TestAGETNeedsAHeaderThatAForeignPageCannotSend(t *testing.T) {
	r, _ := http.NewRequest(http.MethodGet, "/graphql?query={who}", nil)
	d := newFixture(t).Server
	if _, status, err := d.read(nil, r); status != http.StatusBadRequest || err == nil {
		t.Errorf("without such a header: %d %v", status, err)
	}
	for _, h := range nonSimple {
		r.Header = http.Header{}
		r.Header.Set(h, "1")
		if _, status, err := d.read(nil, r); err != nil {
			t.Errorf("with %s: %d %v", h, status, err)
		}
	}
}

func TestWhatIsToldOfAnError(t *testing.T) {
	for _, tc := range []struct {
		how     string
		message string
		want    map[string]any
	}{
		{"known", "asia is down", map[string]any{"code": "UNAVAILABLE", "instance": "asia", "cluster": "tokyo", "retryable": true, "field": []any{"input", "x"}}},
		{"secret", "internal error; the server's log tells more under the request id", map[string]any{"code": "INTERNAL", "requestId": "req-1"}},
		{"panic", "internal error; the server's log tells more under the request id", map[string]any{"code": "INTERNAL", "requestId": "req-1"}},
		{"internal", "internal error; the server's log tells more under the request id", map[string]any{"code": "INTERNAL", "requestId": "req-1"}},
	} {
		t.Run(tc.how, func(t *testing.T) {
			f := newFixture(t)
			a := f.query(`{fail(how:"`+tc.how+`") who}`, "X-Request-Id", "req-1")
			if len(a.Errors) != 1 {
				t.Fatalf("%d errors, want 1: %s", len(a.Errors), a.raw)
			}
			if a.Errors[0].Message != tc.message {
				t.Errorf("message %q, want %q", a.Errors[0].Message, tc.message)
			}
			if diff := cmp.Diff(tc.want, a.Errors[0].Extensions); diff != "" {
				t.Errorf("extensions (-want +got):\n%s", diff)
			}
			if a.Data["who"] != "ann" {
				t.Errorf("the sibling is lost: %s", a.raw)
			}
			if strings.Contains(a.raw, "hunter2") || strings.Contains(a.raw, "10.0.0.1") {
				t.Errorf("the cause was told: %s", a.raw)
			}
			if got := f.log.String(); tc.how != "known" && (!strings.Contains(got, "hunter2") || !strings.Contains(got, "req-1")) {
				t.Errorf("the log does not hold the cause under the request id: %s", got)
			}
		})
	}
}

func TestARequestThatTakesTooLong(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.Time = 50 * time.Millisecond })
	a := f.query("{wait who}")
	if a.code() != "TIMEOUT" || a.limit() != "time" || a.Data["who"] != "ann" {
		t.Errorf("got %s", a.raw)
	}
}

func TestRequestIDs(t *testing.T) {
	f := newFixture(t)
	if got := f.query("{who}", "X-Request-Id", "abc-1.2_3").header.Get("X-Request-Id"); got != "abc-1.2_3" {
		t.Errorf("a fit id became %q", got)
	}
	for _, bad := range []string{"a b", "a\"b", strings.Repeat("a", 65)} {
		if got := f.query("{who}", "X-Request-Id", bad).header.Get("X-Request-Id"); len(got) != 16 {
			t.Errorf("%q became %q, want a new one", bad, got)
		}
	}
}

func TestTheLogHoldsNoSecret(t *testing.T) {
	f := newFixture(t)
	f.do("GET", "/graphql?query={echo(text:%22hunter2%22)}", "")
	f.query("{who}", "Authorization", "Bearer hunter2")
	if got := f.log.String(); strings.Contains(got, "hunter2") || strings.Contains(got, "Bearer") || !strings.Contains(got, "principal=ann") {
		t.Errorf("log: %s", got)
	}
}

func TestHealthAndMetrics(t *testing.T) {
	known, err := NewDocuments("query Page{who} query Other{who}")
	if err != nil {
		t.Fatal(err)
	}
	f := newFixture(t, func(c *Config) { c.Ready, c.Documents = func() error { return nil }, known })
	for _, name := range []string{"Page", "Page", "Made_up_by_a_client", "Other_of_the_same"} {
		f.query("query " + name + "{who}")
	}
	f.query("{fail(how:\"known\")}")
	f.query("{nothing}")
	for _, path := range []string{"/healthz", "/readyz"} {
		if a := f.do("GET", path, "", "Authorization", ""); a.status != 200 {
			t.Errorf("%s: %d", path, a.status)
		}
	}
	a := f.do("GET", "/metrics", "")
	for _, want := range []string{
		`kairship_graphql_operations_total{kind="query",operation="Page",outcome="ok"} 2`,
		`kairship_graphql_operations_total{kind="query",operation="other",outcome="ok"} 2`,
		`kairship_graphql_document_cache_requests_total{result="hit"} 1`,
		`kairship_http_requests_total{code="200",method="GET",route="/readyz"} 1`,
		`kairship_graphql_operations_total{kind="query",operation="anonymous",outcome="partial"} 1`,
		`kairship_graphql_operations_total{kind="refused",operation="anonymous",outcome="BAD_USER_INPUT"} 1`,
	} {
		if !strings.Contains(a.raw, want) {
			t.Errorf("metrics are without %s", want)
		}
	}
	f.close()
	if a := f.do("GET", "/readyz", ""); a.status != 503 {
		t.Errorf("ready while shutting down: %d", a.status)
	}
}

func TestEventStream(t *testing.T) {
	f := newFixture(t)
	done := make(chan answer)
	go func() {
		done <- f.do("POST", "/graphql", `{"query":"subscription{ticks}"}`, "Accept", "text/event-stream")
	}()
	eventually(t, "the subscription opens", func() bool { return f.schema.subscribers() == 1 })
	f.schema.tick(1)
	f.schema.tick(2)
	f.schema.tick(-1)
	a := <-done
	// Each event has loaders of its own: the numbers after the first (the operation's) differ.
	want := ":\n\nevent: next\ndata: {\"data\":{\"ticks\":1,\"loaders\":2}}\n\nevent: next\ndata: {\"data\":{\"ticks\":2,\"loaders\":3}}\n\nevent: complete\ndata:\n\n"
	if diff := cmp.Diff(want, a.raw); diff != "" {
		t.Errorf("stream (-want +got):\n%s", diff)
	}
	a = f.do("POST", "/graphql", `{"query":"subscription{refused}"}`, "Accept", "text/event-stream")
	if !strings.Contains(a.raw, `"code":"FORBIDDEN"`) || !strings.HasSuffix(a.raw, "event: complete\ndata:\n\n") {
		t.Errorf("a refused subscription: %s", a.raw)
	}
}
