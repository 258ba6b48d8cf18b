package proxy_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/server/proxy"
)

func TestADeadUpstream(t *testing.T) {
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	const tokyo, asia = "/instances/asia/clusters/tokyo/api/v1/pods", "/instances/asia/api/v1/pods"
	plain := func(code int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	const failure = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"dial tcp 10.1.2.3:6443: refused","code":500}`
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, tc := range []struct {
		name, path, method string
		answer             http.HandlerFunc
		change             func(*stage)
		upgrade            bool
	}{
		{name: "that refuses connections", path: asia, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that refuses connections, to a watch", path: watchPath, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that refuses connections, to an upgrade", path: execPath, upgrade: true, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that is not to be trusted", path: asia, change: func(s *stage) { // its certificate is for 127.0.0.1
			s.fleet.instances["asia"].config.Host = strings.Replace(s.upstream.URL, "127.0.0.1", "localhost", 1)
		}},
		{name: "that hangs", path: asia, answer: hang},
		{name: "that hangs, for a write", path: asia, method: "POST", answer: hang},
		{name: "that hangs, for a watch", path: watchPath, answer: hang},
		{name: "that hangs, for an upgrade", path: execPath, upgrade: true, answer: hang},
		{name: "that ends the connection", path: asia, answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, //nolint:forbidigo // how a handler cuts its connection
		{name: "whose gateway answers in HTML", path: asia, answer: plain(502, "text/html", "<h1>10.1.2.3</h1>")},
		{name: "whose aggregator answers in plain text", path: tokyo, answer: plain(503, "text/plain", "error trying to reach service: dial tcp 10.1.2.3:443")},
		{name: "whose gateway has run out of time", path: asia, answer: plain(504, "application/json", `{"error":"10.1.2.3"}`)},
		{name: "whose member is not reached", path: tokyo, answer: plain(500, "application/json", failure)},
		{name: "whose member is not reached by Karmada's path", path: "/instances/asia" + memberPath + "tokyo/proxy/api", answer: plain(500, "application/json", failure)},
		{name: "that refuses Kairship's credential", path: asia, answer: plain(401, "application/json", `{"kind":"Status","code":401,"reason":"Unauthorized","message":"10.1.2.3"}`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, nil)
			s.fleet.instances["asia"].config.Timeout = 300 * time.Millisecond
			s.serve(tc.answer)
			if tc.change != nil {
				tc.change(s)
			}
			r := s.request(t, tc.method, tc.path, nil)
			r.URL.RawQuery += "&token=canary"
			r.Header.Set("Cookie", "canary")
			if tc.upgrade {
				r.Header.Set("Connection", "Upgrade")
				r.Header.Set("Upgrade", "SPDY/3.1")
			}
			began := time.Now()
			got := do(t, r)
			status := got.status(t, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
			if took := time.Since(began); took > 30*time.Second {
				t.Errorf("answered after %s", took)
			}
			if strings.Contains(got.body, "10.1.2.3") || strings.Contains(got.body, "127.0.0.1") {
				t.Errorf("the answer names an address: %s", got.body)
			}
			if log := s.logged.String(); strings.Contains(log, "canary") || strings.Contains(log, "kairships-own") || !strings.Contains(log, "could not be forwarded") {
				t.Errorf("the log says %s", log)
			}
			if !strings.Contains(status.Message, `"asia"`) || got.header.Get("Retry-After") == "" {
				t.Errorf("the answer says %q, %v", status.Message, got.header)
			}
		})
	}
}

func TestAnswersOfAnUpstreamAreItsOwn(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		code       int
		media      string
		body       string
	}{
		{"an outage in Kubernetes' form", "/instances/asia/api", 503, "application/json", `{"kind":"Status","reason":"ServiceUnavailable","message":"etcd"}`},
		{"a failure with a reason", "/instances/asia/clusters/tokyo/api", 500, "application/json", `{"kind":"Status","reason":"InternalError","message":"etcd"}`},
		{"a failure of the instance", "/instances/asia/api", 500, "application/json", `{"kind":"Status","message":"etcd"}`},
		{"a refusal", "/instances/asia/api", 403, "application/json", `{"kind":"Status","reason":"Forbidden","message":"no"}`},
		{"what an application says of itself", "/instances/asia/clusters/tokyo/api/v1/namespaces/a/services/b/proxy/x", 503, "text/html", "<h1>closed</h1>"},
		{"what an application says of its own users", "/instances/asia/clusters/tokyo/api/v1/namespaces/a/services/b/proxy/x", 401, "text/plain", "who?"},
		{"more than a Status may hold", "/instances/asia/clusters/tokyo/api", 500, "application/json", `{"kind":"Other","x":"` + strings.Repeat("y", 200_000) + `"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, nil)
			s.serve(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tc.media)
				w.WriteHeader(tc.code)
				_, _ = io.WriteString(w, tc.body)
			})
			if got := s.get(t, tc.path); got.code != tc.code || got.body != tc.body || got.cut {
				t.Errorf("got %d, %d bytes", got.code, len(got.body))
			}
		})
	}
}

func TestAnUpstreamThatDiesInTheMiddle(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler cuts its connection
	})
	for _, path := range []string{"/instances/asia/api/v1/pods", watchPath} {
		if got := s.get(t, path); got.code != http.StatusOK || !got.cut {
			t.Errorf("%s: a client takes %d with %d bytes for the whole answer", path, got.code, len(got.body))
		}
	}
}

func TestARequestHasItsTime(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.Time = 200 * time.Millisecond })
	t.Run("to be answered", func(t *testing.T) {
		s.serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		status := s.get(t, "/instances/asia/api").status(t, http.StatusGatewayTimeout, metav1.StatusReasonTimeout)
		if !strings.Contains(status.Message, "limit time") {
			t.Errorf("says %q", status.Message)
		}
	})
	t.Run("to be answered to the end", func(t *testing.T) {
		s.serve(drip(nil))
		if got := s.get(t, "/instances/asia/api"); !got.cut {
			t.Errorf("got %+v", got)
		}
	})
}

func TestNobodyWaitsForABodyThatDoesNotCome(t *testing.T) {
	for _, tc := range []struct {
		name, header string
		time         time.Duration
		code         int
	}{
		{"when the request has had its time", "", 300 * time.Millisecond, http.StatusGatewayTimeout},
		{"when the upstream does not want it", "X-Unread: 1\r\n", time.Minute, http.StatusForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, func(c *proxy.Config) { c.Limits.Time = tc.time })
			s.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
			conn := s.dial(t)
			if err := conn.SetDeadline(time.Now().Add(time.Minute)); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "POST /instances/asia/api/v1/namespaces HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\n%sContent-Length: 10\r\n\r\n12345", tc.header)
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tc.code {
				t.Errorf("got %d", res.StatusCode)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestABodyMayTakeLongerThanAnAnswer(t *testing.T) {
	s := start(t, nil)
	s.fleet.instances["asia"].config.Timeout = time.Second
	s.serve(besides(func(http.ResponseWriter, *http.Request) {}))
	body, send := io.Pipe()
	go func() {
		defer send.Close()
		_, _ = io.WriteString(send, "slow")
		s.outlast(t)
	}()
	if got := do(t, s.request(t, http.MethodPost, "/instances/asia/api/v1/namespaces", body)); got.code != http.StatusOK {
		t.Errorf("got %d %s", got.code, got.body)
	}
}
