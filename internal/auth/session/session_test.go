package session

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
)

func TestSessionsEnd(t *testing.T) {
	f := setUp(t, false)
	f.cfg.Idle, f.cfg.Absolute = time.Hour, 3*time.Hour
	f.Sessions = f.replica()
	idle, busy := f.arrive(), f.arrive()
	f.add(59 * time.Minute)
	f.wantIn(busy) // and is renewed
	f.add(time.Minute + time.Second)
	f.wantOut(idle, "has expired")
	for range 3 {
		f.wantIn(busy)
		f.add(39 * time.Minute)
	}
	// 2 h 57 min 1 s after the beginning: no request makes it longer.
	f.wantIn(busy)
	f.add(3 * time.Minute)
	f.wantOut(busy, "has expired")
}

func TestTheEndOfASessionIsTold(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.AddCookie(b.cookies[f.host()]["kairship-session"])
	p, expires, err := f.FromRequest(r)
	if want := f.clock().Add(time.Hour); err != nil || p.Name != "kairship:oidc:ann" || expires.Sub(want).Abs() > time.Second {
		t.Errorf("got %v, %s, %v", p, expires, err)
	}
	_, _, err = f.FromRequest(httptest.NewRequest(http.MethodGet, "/", http.NoBody))
	if !errors.Is(err, ErrNoSession) {
		t.Errorf("without a cookie: %v", err)
	}
}

func TestAskingWhoIsSignedInIsARequestLikeAnother(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	for range 3 {
		f.add(45 * time.Minute)
		if !f.standing(b).SignedIn {
			t.Fatal("the session was not renewed")
		}
	}
}

func TestWhoIsSignedIn(t *testing.T) {
	f := setUp(t, false)
	ways := []way{{Kind: "oidc", Name: "Example", URL: PathSignIn}, {Kind: "bearer", Name: "Bearer token"}}
	if diff := cmp.Diff(standing{Ways: ways}, f.standing(newBrowser(t, f.server.Client()))); diff != "" {
		t.Errorf("nobody (-want +got):\n%s", diff)
	}
	b := f.arrive()
	got := f.standing(b)
	if got.Expires == nil || got.Ends == nil || got.Expires.Sub(f.clock()).Round(time.Minute) != time.Hour || got.Ends.Sub(f.clock()).Round(time.Minute) != 12*time.Hour {
		t.Errorf("until %v, at most %v", got.Expires, got.Ends)
	}
	got.Expires, got.Ends = nil, nil
	want := standing{SignedIn: true, Principal: "kairship:oidc:ann", Groups: []string{"kairship:oidc:devs", "kairship:oidc:ops"}, Ways: ways}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("somebody (-want +got):\n%s", diff)
	}
	f.add(time.Hour)
	if diff := cmp.Diff(standing{Ways: ways, Reason: "the session has expired; sign in again"}, f.standing(b)); diff != "" {
		t.Errorf("nobody any more (-want +got):\n%s", diff)
	}
}

func TestWhereNobodyCanSignInPeopleBringTokens(t *testing.T) {
	w := httptest.NewRecorder()
	Without().ServeHTTP(w, httptest.NewRequest(http.MethodGet, PathSession, nil))
	if got, want := strings.TrimSpace(w.Body.String()), `{"signedIn":false,"ways":[{"kind":"bearer","name":"Bearer token"}]}`; w.Code != http.StatusOK || got != want {
		t.Errorf("got %d %s", w.Code, got)
	}
}

func TestWithoutAProvider(t *testing.T) {
	f := setUp(t, false)
	f.cfg.Provider = nil
	f.Sessions = f.replica()
	b := newBrowser(t, f.server.Client())
	if diff := cmp.Diff(standing{Ways: []way{{Kind: "bearer", Name: "Bearer token"}}}, f.standing(b)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, path := range []string{PathSignIn, PathCallback} {
		if p := b.open(f.server.URL+path, ""); p.StatusCode != http.StatusNotFound || !strings.Contains(p.body, "bearer token") {
			t.Errorf("%s: %s %s", path, p.Status, p.body)
		}
	}
}

func TestNoSecretIsLogged(t *testing.T) {
	f := setUp(t, false)
	b, callback := f.halfway()
	code, state := callback.Query().Get("code"), callback.Query().Get("state")
	attempt := b.cookies[f.host()]["kairship-sign-in"].Value
	b.get(callback, true)
	b.get(callback, true)
	_, other := f.halfway()
	b, callback = f.halfway()
	callback.RawQuery = strings.Replace(callback.RawQuery, callback.Query().Get("code"), other.Query().Get("code"), 1)
	b.get(callback, true)
	said := f.log.String()
	if !strings.Contains(said, "signed in") || !strings.Contains(said, "invalid_grant") {
		t.Errorf("nothing of it is logged: %s", said)
	}
	for _, secret := range []string{code, state, attempt, other.Query().Get("code"), oidctest.ClientSecret} {
		if strings.Contains(said, secret) {
			t.Errorf("%q is logged: %s", secret, said)
		}
	}
}

func TestConfigurationsThatCannotWork(t *testing.T) {
	f := setUp(t, false)
	for name, change := range map[string]func(*Config){
		"no address":              func(c *Config) { c.PublicURL = "" },
		"plain http":              func(c *Config) { c.PublicURL = "http://kairship.example.org" },
		"http that looks local":   func(c *Config) { c.PublicURL = "http://127.0.0.1.example.org" },
		"an address with a path":  func(c *Config) { c.PublicURL = "https://example.org/kairship" },
		"an address with a query": func(c *Config) { c.PublicURL = "https://example.org?a" },
		"no keys":                 func(c *Config) { c.Keys = nil },
		"no endings":              func(c *Config) { c.Revocations = nil },
		"no client":               func(c *Config) { c.ClientID = "" },
		"too short":               func(c *Config) { c.Idle = time.Second },
		"idle longer than all":    func(c *Config) { c.Idle, c.Absolute = 2*time.Hour, time.Hour },
	} {
		cfg := f.cfg
		change(&cfg)
		if _, err := New(cfg); err == nil {
			t.Errorf("%s: taken", name)
		}
	}
	cfg := f.cfg
	cfg.PublicURL = "https://kairship.example.org/"
	if s, err := New(cfg); err != nil || !s.secure || s.cfg.PublicURL != "https://kairship.example.org" {
		t.Errorf("a good one: %v", err)
	}
}
