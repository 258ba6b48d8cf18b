package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
)

// abuse is a request that is to be refused.
type abuse struct {
	name, method, path, kind, body string
	status                         int    // over application/json
	limit                          string // what refuses it: a limit, or a rule when it is none
}

func asBody(query string) string {
	raw, _ := json.Marshal(map[string]string{"query": query})
	return string(raw)
}

// abuses is what everybody tries against a GraphQL server, on a graph as large as the real one.
func abuses() []abuse {
	post := func(name, query, limit string) abuse {
		return abuse{name, "POST", "/graphql", mediaJSON, asBody(query), http.StatusOK, limit}
	}
	var form bytes.Buffer
	parts := multipart.NewWriter(&form)
	_ = parts.WriteField("operations", asBody("mutation{__typename}"))
	_ = parts.WriteField("map", "{}")
	_ = parts.Close()
	numbered := func(n int, format string) string {
		return repeat(n, func(i int) string { return fmt.Sprintf(format, i) })
	}
	introspect := func(deep int) string {
		return "{__schema{types{fields{type" + strings.Repeat("{fields{type", deep) + "{name}" + strings.Repeat("}}", deep) + "}}}}"
	}
	return []abuse{
		{"10 MB body", "POST", "/graphql", mediaJSON, asBody("{__typename}" + strings.Repeat(" ", 10<<20)), http.StatusRequestEntityTooLarge, "body"},
		post("50,000 directives", "{__typename "+strings.Repeat("@skip(if:false) ", 50_000)+"}", "directives"),
		post("2,000 directives", "{__typename "+strings.Repeat("@skip(if:false) ", 2_000)+"}", "directives"),
		post("50,000 unknown directives", "{__typename "+strings.Repeat("@a ", 50_000)+"}", "directives"),
		post("100,000 commas and fields", "{"+strings.Repeat("__typename,", 80_000)+"}", "tokens"),
		post("1,000 aliases", "{"+numbered(1_000, "a%d:__typename ")+"}", "aliases"),
		post("1,000 aliases deeper", "{instances{nodes{"+numbered(1_000, "a%d:name ")+"}}}", "aliases"),
		post("depth 100", "{workloads{nodes{"+strings.Repeat("instance{workloads{nodes{", 33)+"name"+strings.Repeat("}}}", 33)+"}}}", "depth"),
		post("introspection that goes round", introspect(12), "depth"),
		post("introspection many times over", "{"+numbered(20, "a%d:__schema{types{fields{type{fields{name}}}}} ")+"}", "cost"),
		post("introspection in fragments", "{__schema{types{...f0}}}"+
			numbered(12, "fragment f%d on __Type{fields{type{...f%[1]d_}}}")+
			repeat(12, func(i int) string { return fmt.Sprintf("fragment f%d_ on __Type{...f%d ...f%d name}", i, i+1, i+1) })+
			"fragment f12 on __Type{name}", "depth"),
		post("a fragment that spreads itself", "{...a} fragment a on Query{...a}", "NoFragmentCycles"),
		post("fragments that spread each other", "{...a} fragment a on Query{...b} fragment b on Query{...c} fragment c on Query{...a}", "NoFragmentCycles"),
		post("500 duplicates of a field", "{instances{nodes{"+strings.Repeat("name ", 500)+"}}}", "repeats"),
		post("500 duplicates of a root field", "{"+strings.Repeat("viewer{name} ", 500)+"}", "rootFields"),
		post("everything of everything", "{instances{nodes{workloads(first:200){nodes{pods(first:200){nodes{name}}}}}}}", "cost"),
		{"a batch", "POST", "/graphql", mediaJSON, "[" + strings.Repeat(asBody("{__typename}")+",", 99) + asBody("{__typename}") + "]", http.StatusBadRequest, "batch"},
		{"a form", "POST", "/graphql", "application/x-www-form-urlencoded", url.Values{"query": {"mutation{__typename}"}}.Encode(), http.StatusUnsupportedMediaType, "mediaType"},
		{"multipart", "POST", "/graphql", parts.FormDataContentType(), form.String(), http.StatusUnsupportedMediaType, "mediaType"},
		{"plain text", "POST", "/graphql", "text/plain", asBody("mutation{__typename}"), http.StatusUnsupportedMediaType, "mediaType"},
		{"a mutation by GET", "GET", "/graphql?" + url.Values{"query": {"mutation{__typename}"}}.Encode(), "", "", http.StatusMethodNotAllowed, "mutationByGet"},
	}
}

func TestEachAbuseIsRefusedByName(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Schema = realSchema() })
	for _, tc := range abuses() {
		t.Run(tc.name, func(t *testing.T) {
			a := f.do(tc.method, tc.path, tc.body, "Content-Type", tc.kind)
			if a.status != tc.status || len(a.Errors) == 0 || a.Data != nil {
				t.Fatalf("%d, want %d: %.300s", a.status, tc.status, a.raw)
			}
			name := a.limit()
			if name == "" {
				name, _ = a.Errors[0].Extensions["rule"].(string)
			}
			if name != tc.limit {
				t.Errorf("refused by %q, want %q: %.300s", name, tc.limit, a.raw)
			}
			if len(a.raw) > 10_000 {
				t.Errorf("the refusal has %d bytes", len(a.raw))
			}
			// A browser that asks for the newer media type never gets 200 for it.
			if a := f.do(tc.method, tc.path, tc.body, "Content-Type", tc.kind, "Accept", mediaGraphQL); a.status < 400 || a.status > 499 {
				t.Errorf("as %s: %d", mediaGraphQL, a.status)
			}
		})
	}
}

// BenchmarkANormalQueryBesideAbuse tells the 95th percentile of a normal query while another
// user sends one kind of abuse as fast as two connections can. `alone` is the same without anybody else.
func BenchmarkANormalQueryBesideAbuse(b *testing.B) {
	for _, tc := range slices.Concat([]abuse{{name: "alone"}}, abuses()) {
		b.Run(tc.name, func(b *testing.B) {
			known := &tokens{owners: map[string]auth.Principal{
				"admin":   {Name: "ann", Groups: []string{"admins"}},
				"mallory": {Name: "mallory", Groups: []string{"admins"}},
			}}
			d := New(Config{Schema: realSchema(), Authenticator: known, Authorizer: rbac.NewAuthorizer([]string{"admins"}), Limits: Limits{Rate: 1_000_000}, Logger: slog.New(slog.DiscardHandler)})
			server := httptest.NewServer(d)
			defer server.Close()
			send := func(token, method, path, kind, body string) (int, error) {
				req, err := http.NewRequestWithContext(b.Context(), method, server.URL+path, strings.NewReader(body))
				if err != nil {
					return 0, err
				}
				req.Header.Set("Authorization", "Bearer "+token)
				req.Header.Set("Content-Type", kind)
				res, err := http.DefaultClient.Do(req)
				if err != nil {
					return 0, err
				}
				return res.StatusCode, res.Body.Close()
			}
			stop := make(chan struct{})
			var others sync.WaitGroup
			if tc.method != "" {
				for range 2 {
					others.Go(func() {
						for {
							select {
							case <-stop:
								return
							default:
								_, _ = send("mallory", tc.method, tc.path, tc.kind, tc.body) // cut off, often enough
							}
						}
					})
				}
			}
			var took []time.Duration
			for b.Loop() {
				began := time.Now()
				if status, err := send("admin", "POST", "/graphql", mediaJSON, `{"query":"{__typename}"}`); err != nil || status != http.StatusOK {
					b.Fatalf("%d %v", status, err)
				}
				took = append(took, time.Since(began))
			}
			close(stop)
			others.Wait()
			slices.Sort(took)
			b.ReportMetric(float64(took[len(took)*95/100].Microseconds()), "p95-µs")
		})
	}
}
