package proxy_test

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/prometheus/common/expfmt"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/server/proxy"
)

func TestRequestsReachWhatTheirPathSays(t *testing.T) {
	s := start(t, nil)
	s.fleet.instances["europe"] = instance{config: s.fleet.instances["asia"].config, members: []string{"paris"}}
	for path, want := range map[string]string{
		"/instances/asia/api/v1/pods?limit=5&continue=a%2Bb": "/api/v1/pods?limit=5&continue=a%2Bb",
		"/instances/asia": "/",
		"/instances/asia/clusters/tokyo/api/v1/pods":                memberPath + "tokyo/proxy/api/v1/pods",
		"/instances/asia/clusters/tokyo/api/v1/services/a/proxy/":   memberPath + "tokyo/proxy/api/v1/services/a/proxy/",
		"/api/clusters/asia.tokyo/v1/pods?watch=false":              memberPath + "tokyo/proxy/api/v1/pods?watch=false",
		"/apis/clusters/asia.tokyo/apps/v1/deployments":             memberPath + "tokyo/proxy/apis/apps/v1/deployments",
		"/apis/clusters/paris/apps/v1/deployments":                  memberPath + "paris/proxy/apis/apps/v1/deployments",
		"/instances/asia" + memberPath + "tokyo/proxy/api/v1/nodes": memberPath + "tokyo/proxy/api/v1/nodes",
	} {
		t.Run(path, func(t *testing.T) {
			if r := s.get(t, path); r.code != http.StatusOK {
				t.Fatalf("got %d %s", r.code, r.body)
			}
			got := s.last()
			if got.path != want {
				t.Errorf("asked for %s, want %s", got.path, want)
			}
			if diff := cmp.Diff([]string{ada.Name}, got.header["Impersonate-User"]); diff != "" {
				t.Errorf("asked as (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(ada.Groups, got.header["Impersonate-Group"]); diff != "" {
				t.Errorf("asked as one of (-want +got):\n%s", diff)
			}
			if got.header.Get("Authorization") != "Bearer kairships-own" {
				t.Errorf("asked with %q", got.header.Get("Authorization"))
			}
		})
	}
}

func TestARefusalIsAStatus(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.Body = 1000 })
	asia := s.fleet.instances["asia"].config
	wrong := rest.CopyConfig(asia)
	wrong.Impersonate.UserName = "kairship:host:bob"
	system := rest.CopyConfig(asia)
	system.Impersonate = rest.ImpersonationConfig{UserName: ada.Name, Groups: []string{"system:masters"}}
	for name, in := range map[string]instance{
		"europe": {config: asia, members: []string{"paris", "tokyo"}},
		"down":   {config: asia, down: true},
		"wrong":  {config: wrong},
		"system": {config: system},
		"hidden": {config: asia, hidden: true, members: []string{"paris"}},
	} {
		s.fleet.instances[name] = in
	}
	for _, tc := range []struct {
		name, method, path string
		change             func(*http.Request)
		code               int
		reason             metav1.StatusReason
		says               []string
	}{
		{name: "nobody", path: "/instances/asia/api", change: func(r *http.Request) { r.Header.Del("Authorization") }, code: 401, reason: metav1.StatusReasonUnauthorized},
		{name: "somebody without a right", path: "/instances/asia/api", change: func(r *http.Request) { r.Header.Set("Authorization", "Bearer stranger") }, code: 403, reason: metav1.StatusReasonForbidden},
		{name: "somebody without a right, of a cluster alone", path: "/api/clusters/absent/v1/pods", change: func(r *http.Request) { r.Header.Set("Authorization", "Bearer stranger") }, code: 403, reason: metav1.StatusReasonForbidden},
		{name: "an instance that is not there", path: "/instances/absent/api", code: 404, reason: metav1.StatusReasonNotFound, says: []string{"absent"}},
		{name: "a cluster that is not there", path: "/instances/asia/clusters/absent/api", code: 404, reason: metav1.StatusReasonNotFound},
		{name: "a cluster that no instance has", path: "/api/clusters/absent/v1/pods", code: 404, reason: metav1.StatusReasonNotFound, says: []string{"absent"}},
		{name: "a cluster that two instances have", path: "/api/clusters/tokyo/v1/pods", code: 409, reason: metav1.StatusReasonConflict, says: []string{"asia.tokyo", "europe.tokyo"}},
		{name: "a kind without its instance", path: "/apis/apps/v1/deployments", code: 400, reason: metav1.StatusReasonBadRequest, says: []string{"/instances/", "/apis/clusters/"}},
		{name: "a path of nothing", path: "/version", code: 404, reason: metav1.StatusReasonNotFound},
		{name: "an instance that is known to be down", path: "/instances/down/api", code: 503, reason: metav1.StatusReasonServiceUnavailable, says: []string{"down"}},
		{name: "an upstream that is asked as somebody else", path: "/instances/wrong/api", code: 500, reason: metav1.StatusReasonInternalError},
		{name: "an upstream that is asked as one of Kubernetes' own", path: "/instances/system/api", code: 500, reason: metav1.StatusReasonInternalError},
		{name: "a method that is none", method: "TRACE", path: "/instances/asia/api", code: 405, reason: metav1.StatusReasonMethodNotAllowed},
		{name: "a body that is too large", method: "POST", path: "/instances/asia/api/v1/namespaces", code: 413, reason: metav1.StatusReasonRequestEntityTooLarge, says: []string{"limit body"},
			change: func(r *http.Request) {
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 1001))), 1001
			}},
		{name: "a body that turns out to be too large", method: "POST", path: "/instances/asia/api/v1/namespaces", code: 413, reason: metav1.StatusReasonRequestEntityTooLarge, says: []string{"limit body"},
			change: func(r *http.Request) {
				r.Body, r.ContentLength = io.NopCloser(strings.NewReader(strings.Repeat("x", 1001))), -1
			}},
		{name: "impersonation of a user", path: "/instances/asia/api", change: func(r *http.Request) { r.Header.Set("Impersonate-User", "root") }, code: 403, reason: metav1.StatusReasonForbidden, says: []string{"Impersonate-User"}},
		{name: "impersonation of a group", path: "/instances/asia/api", change: func(r *http.Request) { r.Header.Set("Impersonate-Group", "system:masters") }, code: 403, reason: metav1.StatusReasonForbidden, says: []string{"Impersonate-Group"}},
		{name: "impersonation with anything else", path: "/instances/asia/api", change: func(r *http.Request) { r.Header.Set("impersonate-extra-scopes", "x") }, code: 403, reason: metav1.StatusReasonForbidden, says: []string{"Impersonate-Extra-Scopes"}},
		{name: "impersonation that is written otherwise", path: "/instances/asia/api", change: func(r *http.Request) { r.Header["IMPERSONATE_USER"] = []string{"root"} }, code: 403, reason: metav1.StatusReasonForbidden, says: []string{"Impersonate_user"}},
		{name: "impersonation with nothing", path: "/instances/asia/api", change: func(r *http.Request) { r.Header["Impersonate-User"] = []string{""} }, code: 403, reason: metav1.StatusReasonForbidden},
		{name: "a switch to another protocol", path: "/instances/asia/api", code: 400, reason: metav1.StatusReasonBadRequest, says: []string{"Upgrade"},
			change: func(r *http.Request) { r.Header.Set("Connection", "Upgrade"); r.Header.Set("Upgrade", "h2c") }},
		{name: "a switch to two protocols", path: "/instances/asia/api", code: 400, reason: metav1.StatusReasonBadRequest, says: []string{"Upgrade"},
			change: func(r *http.Request) {
				r.Header.Set("Connection", "keep-alive, upgrade")
				r.Header.Set("Upgrade", "websocket, h2c")
			}},
		{name: "a switch by another method", method: "PUT", path: "/instances/asia/api", code: 400, reason: metav1.StatusReasonBadRequest, says: []string{"Upgrade"},
			change: func(r *http.Request) {
				r.Header.Set("Connection", "Upgrade")
				r.Header.Set("Upgrade", "websocket")
			}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			r := s.request(t, strings.ToUpper(tc.method), tc.path, nil)
			if tc.change != nil {
				tc.change(r)
			}
			got := do(t, r)
			status := got.status(t, tc.code, tc.reason)
			for _, word := range tc.says {
				if !strings.Contains(status.Message, word) {
					t.Errorf("%q does not say %q", status.Message, word)
				}
			}
			if (got.header.Get("WWW-Authenticate") != "") != (tc.code == 401) {
				t.Errorf("WWW-Authenticate is %q", got.header.Get("WWW-Authenticate"))
			}
			if (got.header.Get("Retry-After") != "") != (tc.code == 503) {
				t.Errorf("Retry-After is %q", got.header.Get("Retry-After"))
			}
			if got.header.Get("X-Request-Id") != "the-doors" {
				t.Error("the server's headers are gone")
			}
			// That a body is too large may turn out when a part of it has been sent.
			if asked := s.last().path; asked != "" && strings.HasSuffix(tc.path, asked) && tc.code != http.StatusRequestEntityTooLarge {
				t.Errorf("the upstream was asked for %s", s.last().path)
			}
		})
	}
	t.Run("a hidden instance looks like an absent one", func(t *testing.T) {
		hidden, absent := s.get(t, "/instances/hidden/api"), s.get(t, "/instances/absent/api")
		absent.body = strings.ReplaceAll(absent.body, "absent", "hidden")
		for _, h := range []http.Header{hidden.header, absent.header} {
			h.Del("Date")
		}
		if diff := cmp.Diff(absent, hidden, cmp.AllowUnexported(reply{})); diff != "" {
			t.Errorf("(-absent +hidden):\n%s", diff)
		}
	})
	t.Run("a hidden instance makes no name ambiguous", func(t *testing.T) {
		if r := s.get(t, "/api/clusters/paris/v1/pods"); r.code != http.StatusOK {
			t.Errorf("got %d %s", r.code, r.body)
		}
	})
}

func TestHostilePathsReachNothing(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{
		"/instances/asia/../europe/api", "/instances/asia/%2e%2e/europe", "/instances/asia/clusters/tokyo/%2e%2e/%2e%2e/api",
		"/instances/asia/clusters/tokyo/..%2f..%2fapi", "/instances/asia//api", "/instances/asia/..;/x", "/instances/asia/%252e%252e/x",
		"/api/clusters/.tokyo/v1/pods", "/api/clusters/asia./v1/secrets", "/instances/asia/clusters/tokyo/..\\..\\api",
	} {
		t.Run(path, func(t *testing.T) {
			r := s.request(t, http.MethodGet, "", nil)
			// As it is: no client cleans it.
			r.URL.Opaque = "//" + r.URL.Host + path
			if got := do(t, r); got.code != http.StatusBadRequest && got.code != http.StatusNotFound {
				t.Errorf("got %d %s", got.code, got.body)
			}
			if got := s.last(); got.path != "" {
				t.Errorf("the upstream was asked for %s", got.path)
			}
		})
	}
}

func TestHeadersThatAreNotForTheOtherSide(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		for name, value := range map[string]string{
			"Set-Cookie": "a=b", "Access-Control-Allow-Origin": "*", "Www-Authenticate": "Basic", "Clear-Site-Data": "*",
			"X-Accel-Redirect": "/etc", "Refresh": "0;url=https://evil", "Strict-Transport-Security": "max-age=0", "Alt-Svc": "h3",
			"Content-Security-Policy": "default-src *", "X-Request-Id": "the-upstreams", "X-Content-Type-Options": "sniff",
			"Content-Type": "application/json", "Warning": `299 - "old"`, "Audit-Id": "1", "Cache-Control": "no-cache, private",
			"Keep-Alive": "1", "Proxy-Authenticate": "Basic", "Trailer": "Set-Cookie",
		} {
			w.Header().Set(name, value)
		}
		w.WriteHeader(http.StatusEarlyHints) // informational answers have headers of their own
		_, _ = io.WriteString(w, "{}")
		w.Header().Set("Set-Cookie", "trailer=1")
	})
	r := s.request(t, http.MethodGet, "/instances/asia/clusters/tokyo/api/v1/pods", nil)
	for name, value := range map[string]string{
		"Cookie": "session=secret", "X-Forwarded-For": "1.1.1.1", "X-Forwarded-User": "root", "X_forwarded_Host": "evil", "Forwarded": "for=1.1.1.1",
		"X-Remote-User": "root", "X-Remote-Group": "system:masters", "X-Remote-Extra-A": "b", "X-Real-Ip": "1.1.1.1", "X-Kairship-Csrf": "1", "Proxy-Authorization": "Basic secret",
		"Te": "trailers", "Keep-Alive": "1", "Origin": "https://evil", "Referer": "https://kairship/secret", "X-Hop": "1", "Connection": "X-Hop, Impersonate-User, Authorization",
		"Traceparent": "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "Tracestate": "x=1", "Baggage": "x=1", "B3": "0", "X-B3-Traceid": "0af7651916cd43dd",
		"Audit-Id": "mine", "X-Envoy-Original-Path": "/", "Sec-Websocket-Protocol": "base64url.bearer.authorization.k8s.io.c2VjcmV0, v4.channel.k8s.io",
		"Accept": "application/json;as=Table;v=v1;g=meta.k8s.io", "User-Agent": "kubectl/v1", "Kubectl-Command": "get", "If-None-Match": "1",
	} {
		r.Header.Set(name, value)
	}
	got := do(t, r)
	up := s.last().header
	up.Del("Accept-Encoding") // Go's own client asks for it
	if diff := cmp.Diff(http.Header{
		"Authorization": {"Bearer kairships-own"}, "Impersonate-User": {ada.Name}, "Impersonate-Group": ada.Groups,
		"Accept": {"application/json;as=Table;v=v1;g=meta.k8s.io"}, "User-Agent": {"kubectl/v1"}, "Kubectl-Command": {"get"}, "If-None-Match": {"1"},
		"Sec-Websocket-Protocol": {"v4.channel.k8s.io"}, "Te": {"trailers"},
	}, up); diff != "" {
		t.Errorf("upstream (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(http.Header{
		"Content-Type": {"application/json"}, "Warning": {`299 - "old"`}, "Audit-Id": {"1"}, "Cache-Control": {"no-cache, private"}, "X-Request-Id": {"the-doors"},
		"Content-Security-Policy": {"default-src 'none'; frame-ancestors 'none'; sandbox"}, "X-Content-Type-Options": {"nosniff"},
	}, got.header, cmpopts.IgnoreMapEntries(func(name string, _ []string) bool {
		return name == "Date" || name == "Content-Length" || name == "Connection"
	})); diff != "" {
		t.Errorf("client (-want +got):\n%s", diff)
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	s := start(t, nil)
	for _, tc := range []struct {
		name, location string
		code           int
		want           string
	}{
		{"within the member", memberPath + "tokyo/proxy/api/v1/x/", 301, "/instances/asia/clusters/tokyo/api/v1/x/"},
		{"as the member has it", "/api/v1/x/?a=b", 307, "/instances/asia/clusters/tokyo/api/v1/x/?a=b"},
		{"elsewhere", "https://169.254.169.254/latest", 302, ""},
		{"to another member", "UPSTREAM" + memberPath + "osaka/proxy/api", 308, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s.serve(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Location", strings.ReplaceAll(tc.location, "UPSTREAM", s.upstream.URL))
				w.WriteHeader(tc.code)
			})
			got := s.get(t, "/api/clusters/asia.tokyo/v1/x")
			if tc.want == "" {
				got.status(t, http.StatusBadGateway, metav1.StatusReasonServiceUnavailable)
			} else if got.code != tc.code {
				t.Errorf("got %d", got.code)
			}
			if got.header.Get("Location") != tc.want {
				t.Errorf("to %q, want %q", got.header.Get("Location"), tc.want)
			}
		})
	}
}

func TestWhatIsAudited(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, r *http.Request) {
		switch r.Method {
		case http.MethodPatch:
			w.WriteHeader(http.StatusForbidden)
		case http.MethodPost:
			w.WriteHeader(http.StatusCreated)
			_, _ = io.WriteString(w, `{"kind":"ConfigMap","metadata":{"name":"made","generateName":"m"}}`)
		}
	})
	for _, tc := range []struct {
		method, path string
		want         []proxy.Record
	}{
		{"GET", "/instances/asia/api/v1/namespaces/a/secrets", nil},
		{"PATCH", "/instances/asia/apis/apps/v1/namespaces/a/deployments/b?fieldManager=x&dryRun=All",
			[]proxy.Record{{Verb: "patch", Instance: "asia", Group: "apps", Version: "v1", Resource: "deployments", Namespace: "a", Name: "b", Status: 403, DryRun: true}}},
		{"POST", "/api/clusters/asia.tokyo/v1/namespaces/a/configmaps",
			[]proxy.Record{{Verb: "create", Instance: "asia", Cluster: "tokyo", Version: "v1", Resource: "configmaps", Namespace: "a", Name: "made", Status: 201}}},
		{"GET", "/instances/asia/clusters/tokyo/api/v1/namespaces/a/services/b/proxy/x",
			[]proxy.Record{{Verb: "get", Instance: "asia", Cluster: "tokyo", Version: "v1", Resource: "services", Subresource: "proxy", Namespace: "a", Name: "b", Proxied: true, Status: 200}}},
		{"GET", "/instances/asia" + memberPath + "tokyo/proxy/api/v1/namespaces/a/pods/b",
			[]proxy.Record{{Verb: "get", Instance: "asia", Cluster: "tokyo", Version: "v1", Resource: "pods", Namespace: "a", Name: "b", Proxied: true, Status: 200}}},
		{"DELETE", "/instances/absent/api/v1/namespaces/a",
			[]proxy.Record{{Verb: "delete", Instance: "absent", Version: "v1", Resource: "namespaces", Namespace: "a", Name: "a", Status: 404}}},
	} {
		t.Run(tc.method+" "+tc.path, func(t *testing.T) {
			s.mu.Lock()
			s.records = nil
			s.mu.Unlock()
			r := s.request(t, tc.method, tc.path, nil)
			r.Header.Set("User-Agent", "kubectl/"+strings.Repeat("x", 300))
			do(t, r)
			for i := range tc.want {
				tc.want[i].Stage, tc.want[i].UserAgent = proxy.StageComplete, "kubectl/"+strings.Repeat("x", 248)
			}
			// The answer may be there before the audit is told.
			var got []proxy.Record
			eventually(t, func() bool { got = s.audited(); return len(got) >= len(tc.want) })
			if diff := cmp.Diff(tc.want, got, cmpopts.IgnoreFields(proxy.Record{}, "Duration", "Remote"), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, one := range got {
				if one.Duration <= 0 || one.Duration > time.Minute || !strings.HasPrefix(one.Remote, "127.0.0.1:") {
					t.Errorf("took %s, from %q", one.Duration, one.Remote)
				}
			}
		})
	}
}

func TestMetrics(t *testing.T) {
	s := start(t, nil)
	for _, path := range []string{"/instances/asia/api", "/instances/asia/api", "/instances/made-up/api", "/instances/asia/api/v1/pods?watch=1", "/nothing"} {
		s.get(t, path)
	}
	do(t, s.request(t, http.MethodDelete, "/instances/asia/api/v1/namespaces/a", nil))
	want := `# HELP kairship_proxy_requests_total Requests that ended, by instance ('' when it is none that there is), kind ('read', 'watch', 'write', 'connect') and status code (499 when the client left first).
# TYPE kairship_proxy_requests_total counter
kairship_proxy_requests_total{code="200",instance="asia",kind="read"} 2
kairship_proxy_requests_total{code="200",instance="asia",kind="watch"} 1
kairship_proxy_requests_total{code="200",instance="asia",kind="write"} 1
kairship_proxy_requests_total{code="404",instance="",kind="none"} 1
kairship_proxy_requests_total{code="404",instance="",kind="read"} 1
`
	var got string
	eventually(t, func() bool { got = s.metrics(t, "kairship_proxy_requests_total"); return got == want })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBodiesArriveAsTheyAre(t *testing.T) {
	s := start(t, nil)
	body := strings.Repeat("k8s\x00\xff", 100_000)
	r := s.request(t, http.MethodPost, "/instances/asia/api/v1/namespaces", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/vnd.kubernetes.protobuf")
	if got := do(t, r); got.code != http.StatusOK {
		t.Fatalf("got %d %s", got.code, got.body)
	}
	if got := s.last(); string(got.body) != body || got.header.Get("Content-Type") != "application/vnd.kubernetes.protobuf" {
		t.Error("another body arrived")
	}
}

func TestQueriesArriveAsTheyAre(t *testing.T) {
	s := start(t, nil)
	query := url.Values{"labelSelector": {"a in (b,c),d!=e"}, "fieldSelector": {"metadata.name=x;y"}, "command": {"sh", "-c", "echo ../..; ls"}}.Encode()
	s.get(t, "/instances/asia/api/v1/pods?"+query)
	if got := s.last(); got.query != query {
		t.Errorf("got %s, want %s", got.query, query)
	}
}

// metrics is one metric with its values, in Prometheus' text.
func (s *stage) metrics(t *testing.T, name string) string {
	t.Helper()
	families, err := s.registry.Gather()
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for _, f := range families {
		if f.GetName() == name {
			if _, err := expfmt.MetricFamilyToText(&out, f); err != nil {
				t.Fatal(err)
			}
		}
	}
	return out.String()
}

// eventually waits until check is true, or gives up and lets the test say what is wrong.
func eventually(t *testing.T, check func() bool) {
	t.Helper()
	ticker := time.NewTicker(5 * time.Millisecond)
	defer ticker.Stop()
	for deadline := time.Now().Add(time.Minute); !check() && time.Now().Before(deadline); {
		<-ticker.C
	}
}
