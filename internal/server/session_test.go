package server

import (
	"crypto/tls"
	"errors"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// sessions knows the cookies session=NAME.
type sessions struct {
	mu    sync.Mutex
	known map[string]session
}

type session struct {
	auth.Principal
	expires time.Time
	err     error
}

func (s *sessions) of(r *http.Request) (auth.Principal, time.Time, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cookie, err := r.Cookie("session")
	if err != nil {
		return auth.Principal{}, time.Time{}, nil
	}
	found, ok := s.known[cookie.Value]
	if !ok {
		return auth.Principal{}, time.Time{}, &model.Error{Code: model.CodeUnauthenticated, Message: "the session is not valid"}
	}
	return found.Principal, found.expires, found.err
}

func (s *sessions) set(name string, is session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.known[name] = is
}

var anna = auth.Principal{Name: "ann", Groups: []string{"admins"}}

func newSessions(expires time.Time) *sessions {
	return &sessions{known: map[string]session{
		"ann":     {Principal: anna, expires: expires},
		"bob":     {Principal: auth.Principal{Name: "bob"}, expires: expires},
		"expired": {Principal: anna, expires: time.Now().Add(-time.Second)},
		"broken":  {err: errors.New("hunter2")},
	}}
}

func TestSessions(t *testing.T) {
	const self = "SELF" // stands for the server's own origin
	body := `{"query":"{who}"}`
	for _, tc := range []struct {
		name    string
		method  string
		headers []string // Authorization is absent unless it is among them
		status  int
		code    string
	}{
		{"a page of the host", "POST", []string{"Cookie", "session=ann", "Origin", self}, 200, ""},
		{"a page of the host as the browser says", "POST", []string{"Cookie", "session=ann", "Sec-Fetch-Site", "same-origin"}, 200, ""},
		{"a page of another host that is allowed", "POST", []string{"Cookie", "session=ann", "Origin", "https://console.example.com"}, 200, ""},
		{"a page of another host", "POST", []string{"Cookie", "session=ann", "Origin", "https://evil.example", headerCSRF, "1"}, 403, "FORBIDDEN"},
		{"a page of another host, whatever the browser says", "POST", []string{"Cookie", "session=ann", "Origin", "https://evil.example", "Sec-Fetch-Site", "same-origin"}, 403, "FORBIDDEN"},
		{"a page of another port", "POST", []string{"Cookie", "session=ann", "Origin", "http://127.0.0.1:1"}, 403, "FORBIDDEN"},
		{"a page without origin", "POST", []string{"Cookie", "session=ann", "Origin", "null"}, 403, "FORBIDDEN"},
		{"a page of the same site only", "POST", []string{"Cookie", "session=ann", "Sec-Fetch-Site", "same-site"}, 403, "FORBIDDEN"},
		{"nobody says where from", "POST", []string{"Cookie", "session=ann", headerCSRF, "1"}, 403, "FORBIDDEN"},
		{"a form", "POST", []string{"Cookie", "session=ann", "Origin", self, "Content-Type", "text/plain"}, 403, "FORBIDDEN"},
		{"a form with the header is still no JSON", "POST", []string{"Cookie", "session=ann", "Origin", self, "Content-Type", "text/plain", headerCSRF, "1"}, 415, "BAD_USER_INPUT"},
		{"a link", "GET", []string{"Cookie", "session=ann", "Sec-Fetch-Site", "none", "Content-Type", ""}, 403, "FORBIDDEN"},
		{"a link on a page of the host", "GET", []string{"Cookie", "session=ann", "Sec-Fetch-Site", "same-origin", "Content-Type", ""}, 403, "FORBIDDEN"},
		{"a script of a page of the host", "GET", []string{"Cookie", "session=ann", "Sec-Fetch-Site", "same-origin", "Content-Type", "", headerCSRF, "1"}, 200, ""},
		{"a stream of a page of the host", "POST", []string{"Cookie", "session=ann", "Origin", self, "Accept", mediaEvents}, 200, ""},
		{"a stream of a page of another host", "POST", []string{"Cookie", "session=ann", "Origin", "https://evil.example", "Accept", mediaEvents}, 403, "FORBIDDEN"},
		{"a stranger", "POST", []string{"Cookie", "session=bob", "Origin", self}, 403, "FORBIDDEN"},
		{"a session that has expired", "POST", []string{"Cookie", "session=expired", "Origin", self}, 401, "UNAUTHENTICATED"},
		{"a session that is not known", "POST", []string{"Cookie", "session=forged", "Origin", self}, 401, "UNAUTHENTICATED"},
		{"a session that cannot be read", "POST", []string{"Cookie", "session=broken", "Origin", self}, 500, "INTERNAL"},
		{"another cookie", "POST", []string{"Cookie", "theme=dark", "Origin", self}, 401, "UNAUTHENTICATED"},
		{"a token counts before the cookie", "POST", []string{"Cookie", "session=ann", "Authorization", "Bearer nonsense", "Origin", self}, 401, "UNAUTHENTICATED"},
		{"even one of another scheme", "POST", []string{"Cookie", "session=ann", "Authorization", "Basic x", "Origin", self}, 401, "UNAUTHENTICATED"},
		{"a token needs no origin beside a cookie", "POST", []string{"Cookie", "session=bob", "Authorization", "Bearer admin"}, 200, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) {
				c.Session, c.Origins = newSessions(time.Now().Add(time.Hour)).of, []string{"https://*.example.com"}
			})
			headers := append([]string{"Authorization", ""}, tc.headers...)
			for i := range headers {
				headers[i] = strings.ReplaceAll(headers[i], self, f.server.URL)
			}
			path, sent := "/graphql", body
			if tc.method == http.MethodGet {
				path, sent = "/graphql?query={who}", ""
			}
			a := f.do(tc.method, path, sent, headers...)
			if a.status != tc.status || a.code() != tc.code {
				t.Fatalf("%d %q, want %d %q: %s", a.status, a.code(), tc.status, tc.code, a.raw)
			}
			if tc.code == "" != strings.Contains(a.raw, `"who":"ann"`) || strings.Contains(a.raw, "hunter2") {
				t.Errorf("got %s", a.raw)
			}
		})
	}
}

// Whose page came in the clear could be anybody's, where the server itself is not.
func TestAPageInTheClearIsNotOfAHostThatIsNot(t *testing.T) {
	d := newFixture(t).Server
	for origin, want := range map[string]bool{"https://kairship.example": true, "http://kairship.example": false, "": false, "https://": false, "%": false} {
		r := &http.Request{Host: "kairship.example", TLS: &tls.ConnectionState{}, Header: http.Header{"Origin": {origin}}}
		if got := d.ownOrigin(r); got != want {
			t.Errorf("%q: %v", origin, got)
		}
	}
}

func TestSocketsBySession(t *testing.T) {
	const plain = `{"type":"connection_init"}`
	for _, tc := range []struct {
		name, cookie, origin, init, want string
	}{
		{"a page of the host", "session=ann", "SELF", plain, ack},
		{"a page of another host that is allowed", "session=ann", "https://console.example.com", plain, ack},
		{"a program with a stolen cookie and no origin", "session=ann", "", plain, "closed 4403 Forbidden: a request with a session cookie has to come from a page of this host*"},
		{"no cookie", "", "SELF", plain, "closed 4403 Forbidden: a bearer token is required*"},
		{"a session that has expired", "session=expired", "SELF", plain, "closed 4403 Forbidden: the session has expired; sign in again"},
		{"a stranger", "session=bob", "SELF", plain, "closed 4403 Forbidden: you have no role*"},
		{"a token counts before the cookie", "session=bob", "", initAdmin, ack},
		{"a bad token too", "session=ann", "SELF", `{"type":"connection_init","payload":{"authorization":"Bearer x"}}`, "closed 4403 Forbidden: the bearer token is not valid"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) {
				c.Session, c.Origins = newSessions(time.Now().Add(time.Hour)).of, []string{"https://*.example.com"}
			})
			var headers []string
			if tc.cookie != "" {
				headers = append(headers, "Cookie", tc.cookie)
			}
			if tc.origin != "" {
				headers = append(headers, "Origin", strings.ReplaceAll(tc.origin, "SELF", f.server.URL))
			}
			got := f.dial(headers...).send(tc.init).next()
			if prefix, open := strings.CutSuffix(tc.want, "*"); got != tc.want && (!open || !strings.HasPrefix(got, prefix)) {
				t.Errorf("got %s, want %s", got, tc.want)
			}
		})
	}
}

func TestStreamsEndWithTheirSession(t *testing.T) {
	s := newSessions(time.Now().Add(2 * time.Second))
	f := newFixture(t, func(c *Config) { c.Session = s.of })
	c := f.dial("Cookie", "session=ann", "Origin", f.server.URL).send(`{"type":"connection_init"}`).want(ack)
	c.send(subscribe("a", "subscription{ticks}"))
	events := make(chan answer, 1)
	go func() {
		events <- f.do("POST", "/graphql", `{"query":"subscription{ticks}"}`, "Authorization", "", "Cookie", "session=ann", "Origin", f.server.URL, "Accept", mediaEvents)
	}()
	c.want("closed 4401 Unauthorized: the session has expired; sign in again")
	if a := <-events; !strings.Contains(a.raw, `"code":"UNAUTHENTICATED"`) || !strings.HasSuffix(a.raw, "event: complete\ndata:\n\n") {
		t.Errorf("the stream ended with %q", a.raw)
	}
	eventually(t, "the subscriptions end", func() bool { return f.schema.subscribers() == 0 })
}

func TestStreamsEndWhenTheSessionIsSignedOut(t *testing.T) {
	s := newSessions(time.Now().Add(time.Hour))
	f := newFixture(t, func(c *Config) { c.Session, c.recheck = s.of, 10*time.Millisecond })
	c := f.dial("Cookie", "session=ann", "Origin", f.server.URL).send(`{"type":"connection_init"}`).want(ack)
	s.set("ann", session{err: &model.Error{Code: model.CodeUnauthenticated, Message: "you have signed out"}})
	c.want("closed 4401 Unauthorized: you have signed out")
}
