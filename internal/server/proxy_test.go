package server

import (
	"encoding/json"
	"io"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/rbac"
)

// echo says who asks, and then waits until their right ends when the path says so.
func echo(w http.ResponseWriter, r *http.Request) {
	if rbac.ScopeFrom(r.Context()).Empty() {
		w.WriteHeader(http.StatusTeapot)
		return
	}
	_, _ = io.WriteString(w, rbac.PrincipalFrom(r.Context()).Name+" "+r.RemoteAddr+"\n")
	if strings.HasSuffix(r.URL.Path, "/watch") {
		_ = http.NewResponseController(w).Flush()
		select {
		case <-Revoked(r.Context()):
			_, _ = io.WriteString(w, "revoked")
		case <-r.Context().Done():
		}
	}
}

func withProxy(c *Config) { c.Proxy = http.HandlerFunc(echo) }

func TestTheProxyIsForThoseWhoAreLetIn(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		headers    []string
		status     int
		reason     metav1.StatusReason
	}{
		{"an instance", "/instances/asia/api/v1/pods", nil, 200, ""},
		{"a member", "/instances/asia/clusters/hangzhou/api/v1/pods", nil, 200, ""},
		{"a member the other way", "/api/clusters/asia.hangzhou/v1/pods", nil, 200, ""},
		{"a member's group", "/apis/clusters/asia.hangzhou/apps/v1/deployments", nil, 200, ""},
		{"nobody", "/instances/asia/api", []string{"Authorization", ""}, 401, metav1.StatusReasonUnauthorized},
		{"a bad token", "/instances/asia/api", []string{"Authorization", "Bearer x"}, 401, metav1.StatusReasonUnauthorized},
		{"the token of a kubeconfig", "/instances/asia/api", []string{"Authorization", "Bearer ann-at-asia"}, 200, ""},
		{"a path of no instance", "/api/v1/pods", nil, 200, ""},
		{"a stranger", "/instances/asia/api", []string{"Authorization", "Bearer stranger"}, 403, metav1.StatusReasonForbidden},
		{"an outage", "/instances/asia/api", []string{"Authorization", "Bearer broken"}, 503, metav1.StatusReasonServiceUnavailable},
		{"a page of the host", "/instances/asia/api", []string{"Authorization", "", "Cookie", "session=ann", "Sec-Fetch-Site", "same-origin", headerCSRF, "1"}, 200, ""},
		{"a page of another host", "/instances/asia/api", []string{"Authorization", "", "Cookie", "session=ann", "Origin", "https://evil.example"}, 403, metav1.StatusReasonForbidden},
		{"a link", "/instances/asia/api", []string{"Authorization", "", "Cookie", "session=ann", "Content-Type", ""}, 403, metav1.StatusReasonForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, withProxy, func(c *Config) { c.Session = newSessions(time.Now().Add(time.Hour)).of })
			a := f.do("GET", tc.path, "", tc.headers...)
			if a.status != tc.status {
				t.Fatalf("%d, want %d: %s", a.status, tc.status, a.raw)
			}
			if tc.reason == "" {
				if !strings.HasPrefix(a.raw, "ann ") {
					t.Errorf("got %q", a.raw)
				}
				return
			}
			var status metav1.Status
			if err := json.Unmarshal([]byte(a.raw), &status); err != nil || status.Kind != "Status" || status.Reason != tc.reason || int(status.Code) != tc.status || status.Message == "" {
				t.Errorf("%v: %s", err, a.raw)
			}
		})
	}
}

func TestAProxiedStreamLearnsThatItsRightHasEnded(t *testing.T) {
	r := newRights()
	f := newFixture(t, withProxy, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	ended := make(chan answer, 1)
	go func() { ended <- f.do("GET", "/instances/asia/watch", "") }()
	eventually(t, "it is let in", func() bool { return r.looks.Load() > 0 })
	r.change("ann")
	if a := <-ended; !strings.HasSuffix(a.raw, "revoked") {
		t.Errorf("got %q", a.raw)
	}
	if Revoked(t.Context()) != nil {
		t.Error("a context that the server did not make has a right that may end")
	}
}

func TestProxiedRequestsCount(t *testing.T) {
	f, _ := newSlow(t, withProxy, func(c *Config) { c.Limits.Cost, c.Limits.Rate, c.Limits.RateBurst = 1, 1, 3 })
	for range 3 {
		f.do("GET", "/instances/asia/api", "")
	}
	a := f.do("GET", "/instances/asia/api", "")
	if a.status != http.StatusTooManyRequests || a.header.Get("Retry-After") != "1" || !strings.Contains(a.raw, `"retryAfterSeconds":1`) || !strings.Contains(a.raw, "(limit rate)") {
		t.Errorf("%d %s", a.status, a.raw)
	}
}

func TestWhatIsBehindSeesTheClientsAddress(t *testing.T) {
	f := newFixture(t, withProxy, func(c *Config) { c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")} })
	if a := f.do("GET", "/instances/asia/api", "", "X-Forwarded-For", "192.0.2.7"); a.raw != "ann 192.0.2.7:0\n" {
		t.Errorf("got %q", a.raw)
	}
}

func TestRoutesAreOpen(t *testing.T) {
	f := newFixture(t, func(c *Config) {
		c.Routes = map[string]http.Handler{"POST /hooks/x": http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "taken") })}
	})
	a := f.do("POST", "/hooks/x", "", "Authorization", "")
	if a.raw != "taken" || a.header.Get("X-Request-Id") == "" || a.header.Get("Content-Security-Policy") == "" {
		t.Errorf("%d %q %v", a.status, a.raw, a.header)
	}
}

func TestSessionsAreRenewedByWhatIsLetIn(t *testing.T) {
	var renewed atomic.Int64
	f := newFixture(t, func(c *Config) {
		c.Session = newSessions(time.Now().Add(time.Hour)).of
		c.Renew = func(w http.ResponseWriter, _ *http.Request) {
			renewed.Add(1)
			http.SetCookie(w, &http.Cookie{Name: "session", Value: "ann", Secure: true, HttpOnly: true})
		}
	})
	page := []string{"Authorization", "", "Cookie", "session=ann", "Origin", f.server.URL}
	if a := f.query("{who}", page...); renewed.Load() != 1 || !strings.HasPrefix(a.header.Get("Set-Cookie"), "session=ann") {
		t.Errorf("renewed %d times: %v", renewed.Load(), a.header)
	}
	page[len(page)-1] = "https://evil.example"
	f.query("{who}", page...)
	f.query("{who}")
	if renewed.Load() != 1 {
		t.Errorf("renewed %d times", renewed.Load())
	}
}
