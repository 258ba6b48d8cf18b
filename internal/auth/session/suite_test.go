package session

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
	"github.com/kairship-io/kairship/internal/auth/token/keyring/keyringtest"
)

// revocations remembers who signed out.
type revocations struct {
	mu    sync.Mutex
	ended map[string]time.Time
	err   error
}

func (e *revocations) Ended(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.ended[id]
	return ok
}

func (e *revocations) End(_ context.Context, id string, until time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.ended[id] = until
	}
	return e.err
}

func (e *revocations) set(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

// fixture is Kairship with an identity provider. /whoami tells who asks.
type fixture struct {
	*Sessions
	t           *testing.T
	cfg         Config
	provider    *oidctest.Provider
	server      *httptest.Server
	store       *keyringtest.Store
	revocations *revocations
	log         *strings.Builder

	mu   sync.Mutex
	time time.Time
}

func (f *fixture) clock() time.Time {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.time
}

func (f *fixture) add(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.time = f.time.Add(d)
}

func setUp(t *testing.T, secure bool) *fixture {
	t.Helper()
	f := &fixture{t: t, provider: oidctest.New(t), store: &keyringtest.Store{}, revocations: &revocations{ended: map[string]time.Time{}}, log: &strings.Builder{}, time: time.Now()}
	mux := http.NewServeMux()
	f.server = httptest.NewUnstartedServer(mux)
	if secure {
		f.server.StartTLS()
	} else {
		f.server.Start()
	}
	t.Cleanup(f.server.Close)
	authenticator, err := auth.NewOIDCAuthenticator(auth.OIDCConfig{Issuer: f.provider.URL, Audiences: []string{oidctest.ClientID, "cli"}})
	if err != nil {
		t.Fatal(err)
	}
	f.cfg = Config{PublicURL: f.server.URL, Provider: authenticator, ProviderName: "Example", ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
		Keys: f.store, Revocations: f.revocations, Logger: slog.New(slog.NewTextHandler(f.log, nil))}
	f.Sessions = f.replica()
	f.provider.Set(func(s *oidctest.Settings) {
		s.RedirectURI = f.server.URL + PathCallback
		s.Claims = map[string]any{"groups": []string{"ops", "devs"}}
	})
	mux.HandleFunc("/auth/", func(w http.ResponseWriter, r *http.Request) { f.Handler().ServeHTTP(w, r) })
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		f.Renew(w, r)
		p, _, err := f.FromRequest(r)
		if err != nil {
			http.Error(w, err.Error(), http.StatusUnauthorized)
			return
		}
		fmt.Fprint(w, p.Name, " ", p.Groups, " ", r.URL)
	})
	return f
}

// replica is another of the same, with the same clock.
func (f *fixture) replica() *Sessions {
	f.t.Helper()
	s, err := New(f.cfg)
	if err != nil {
		f.t.Fatal(err)
	}
	s.now = f.clock
	return s
}

// arrive signs in with a new browser and returns it.
func (f *fixture) arrive() *browser {
	f.t.Helper()
	b := newBrowser(f.t, f.server.Client())
	if p := b.open(f.server.URL+PathSignIn+"?return_to=/whoami", "mail.example.org"); p.StatusCode != http.StatusOK {
		f.t.Fatalf("signing in: %s %s", p.Status, p.body)
	}
	return b
}

func (f *fixture) host() string {
	return strings.TrimPrefix(strings.TrimPrefix(f.server.URL, "https://"), "http://")
}

// who asks /whoami.
func (f *fixture) who(b *browser) page { f.t.Helper(); return b.open(f.server.URL+"/whoami", "") }

func (f *fixture) wantIn(b *browser) {
	f.t.Helper()
	if p := f.who(b); p.StatusCode != http.StatusOK || !strings.HasPrefix(p.body, "kairship:oidc:ann ") {
		f.t.Errorf("want somebody signed in, got %s %s", p.Status, p.body)
	}
}

func (f *fixture) wantOut(b *browser, why string) {
	f.t.Helper()
	if p := f.who(b); p.StatusCode != http.StatusUnauthorized || !strings.Contains(p.body, why) {
		f.t.Errorf("want nobody because %q, got %s %s", why, p.Status, p.body)
	}
}

// post sends a request as the UI does.
func (f *fixture) post(b *browser, path string, header map[string]string) page {
	f.t.Helper()
	req, err := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.server.URL+path, http.NoBody)
	if err != nil {
		f.t.Fatal(err)
	}
	for k, v := range header {
		req.Header.Set(k, v)
	}
	return b.send(req, false)
}

func (f *fixture) standing(b *browser) standing {
	f.t.Helper()
	p := b.open(f.server.URL+PathSession, "")
	var out standing
	if err := json.Unmarshal([]byte(p.body), &out); err != nil || p.StatusCode != http.StatusOK || p.Header.Get("Cache-Control") != "no-store" {
		f.t.Fatalf("%s %v %s", p.Status, p.Header, p.body)
	}
	return out
}
