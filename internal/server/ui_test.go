package server

import (
	"compress/gzip"
	"io"
	"io/fs"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

var build = fstest.MapFS{
	"index.html":       {Data: []byte(`<meta name="csp-nonce" content="__CSP_NONCE__"><script src="/assets/app-1.js">`)},
	"graphiql.html":    {Data: []byte(`<title>GraphiQL</title>`)},
	"favicon.svg":      {Data: []byte(`<svg/>`)},
	"assets/app-1.js":  {Data: []byte("let app = 1;" + strings.Repeat(" // nothing", 500))},
	"assets/f.woff2":   {Data: []byte("font")},
	"assets/x/deep.js": {Data: []byte("1")},
}

func withUI(c *Config) { c.UI = build }

func TestUI(t *testing.T) {
	page := []string{"Accept", "text/html,application/xhtml+xml,*/*;q=0.8"}
	for _, tc := range []struct {
		name, method, path string
		headers            []string
		status             int
		kind, cache, body  string
	}{
		{"the first page", "GET", "/", page, 200, "text/html; charset=utf-8", "no-store", `src="/assets/app-1.js"`},
		{"the first page for a program", "GET", "/", nil, 200, "text/html; charset=utf-8", "no-store", `src="/assets/app-1.js"`},
		{"an address within the app", "GET", "/workloads/asia/shop?tab=yaml", page, 200, "text/html; charset=utf-8", "no-store", `src="/assets/app-1.js"`},
		{"an address within the app that looks like a file", "GET", "/clusters/asia/node.js", page, 200, "text/html; charset=utf-8", "no-store", `src="/assets/app-1.js"`},
		{"no page for what is no page", "GET", "/workloads/asia", []string{"Accept", "application/json"}, 404, "text/plain; charset=utf-8", "no-store", "not found"},
		{"GraphiQL", "GET", "/graphiql", page, 200, "text/html; charset=utf-8", "no-store", "GraphiQL"},
		{"GraphiQL with a slash", "GET", "/graphiql/", page, 200, "text/html; charset=utf-8", "no-store", "GraphiQL"},
		{"an asset is kept for ever", "GET", "/assets/app-1.js", nil, 200, "text/javascript; charset=utf-8", "public, max-age=31536000, immutable", "let app"},
		{"an asset that is not there is no page", "GET", "/assets/app-0.js", page, 404, "text/plain; charset=utf-8", "no-store", "not found"},
		{"a folder is not listed", "GET", "/assets/x", nil, 404, "text/plain; charset=utf-8", "no-store", "not found"},
		{"any other file is asked about each time", "GET", "/favicon.svg", nil, 200, "image/svg+xml", "no-cache", "<svg/>"},
		{"nothing outside the build", "GET", "/../../etc/passwd", nil, 404, "text/plain; charset=utf-8", "no-store", "not found"},
		{"reading only", "POST", "/", nil, 405, "text/plain; charset=utf-8", "no-store", "use GET"},
		{"HEAD", "HEAD", "/", page, 200, "text/html; charset=utf-8", "no-store", ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a := newFixture(t, withUI).do(tc.method, tc.path, "", append([]string{"Authorization", "", "Accept-Encoding", "identity"}, tc.headers...)...)
			got := []string{a.header.Get("Content-Type"), a.header.Get("Cache-Control")}
			if diff := cmp.Diff([]string{tc.kind, tc.cache}, got); a.status != tc.status || diff != "" {
				t.Errorf("%d, want %d; headers (-want +got):\n%s", a.status, tc.status, diff)
			}
			if !strings.Contains(a.raw, tc.body) {
				t.Errorf("body %q, want it to hold %q", a.raw, tc.body)
			}
		})
	}
}

func TestContentSecurityPolicies(t *testing.T) {
	f := newFixture(t, withUI)
	a, b := f.do("GET", "/", ""), f.do("GET", "/", "")
	nonce := regexp.MustCompile(`content="([A-Za-z0-9+/]{24})"`)
	first, second := nonce.FindStringSubmatch(a.raw), nonce.FindStringSubmatch(b.raw)
	if first == nil || second == nil || first[1] == second[1] {
		t.Fatalf("nonces %v and %v have to be there and to differ", first, second)
	}
	want := "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-" + first[1] + "'; connect-src 'self'; img-src 'self' data:; font-src 'self'; worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	if diff := cmp.Diff(want, a.header.Get("Content-Security-Policy")); diff != "" {
		t.Errorf("the app's policy (-want +got):\n%s", diff)
	}
	want = "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; font-src 'self' data:; worker-src 'self' blob:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
	if diff := cmp.Diff(want, f.do("GET", "/graphiql", "").header.Get("Content-Security-Policy")); diff != "" {
		t.Errorf("GraphiQL's policy (-want +got):\n%s", diff)
	}
	for _, path := range []string{"/", "/assets/app-1.js", "/healthz", "/graphql", "/graphql?query={who}", "/nowhere"} {
		h := f.do("GET", path, "").header
		for name, want := range map[string]string{"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY", "Referrer-Policy": "no-referrer",
			"Cross-Origin-Opener-Policy": "same-origin", "Cross-Origin-Resource-Policy": "same-origin", "X-Permitted-Cross-Domain-Policies": "none"} {
			if got := h.Get(name); got != want {
				t.Errorf("%s: %s is %q, want %q", path, name, got, want)
			}
		}
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "form-action '", "frame-ancestors 'none'"} {
			if got := h.Get("Content-Security-Policy"); !strings.Contains(got, want) && path != "/assets/app-1.js" {
				t.Errorf("%s: policy %q is without %s", path, got, want)
			}
		}
	}
}

func TestAssetsAreCompressedForThoseWhoTakeIt(t *testing.T) {
	f := newFixture(t, withUI)
	for _, tc := range []struct {
		path, accept string
		want         bool
	}{
		{"/assets/app-1.js", "gzip, br", true},
		{"/assets/app-1.js", "br", false},
		{"/assets/app-1.js", "gzip;q=0, *", false},
		{"/assets/app-1.js", "gzip; q=0.5", true},
		{"/assets/f.woff2", "gzip", false},
	} {
		req, _ := http.NewRequest(http.MethodGet, f.server.URL+tc.path, nil)
		req.Header.Set("Accept-Encoding", tc.accept)
		res, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		var body io.Reader = res.Body
		if got := res.Header.Get("Content-Encoding") == "gzip"; got != tc.want {
			t.Errorf("%s for %q: compressed %v, want %v", tc.path, tc.accept, got, tc.want)
		} else if got {
			if body, err = gzip.NewReader(res.Body); err != nil {
				t.Fatal(err)
			}
		}
		raw, err := io.ReadAll(body)
		_ = res.Body.Close()
		want, _ := fs.ReadFile(build, strings.TrimPrefix(tc.path, "/"))
		if err != nil || string(raw) != string(want) {
			t.Errorf("%s for %q: %d bytes (%v), want %d", tc.path, tc.accept, len(raw), err, len(want))
		}
		req.Header.Set("If-None-Match", res.Header.Get("ETag"))
		again, err := http.DefaultTransport.RoundTrip(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = again.Body.Close()
		if again.StatusCode != http.StatusNotModified {
			t.Errorf("%s asked again: %d", tc.path, again.StatusCode)
		}
	}
}

func TestABinaryWithoutUISaysSo(t *testing.T) {
	a := newFixture(t).do("GET", "/", "", "Accept", "text/html")
	if a.status != 404 || !strings.Contains(a.raw, "without the UI") {
		t.Errorf("%d %q", a.status, a.raw)
	}
}
