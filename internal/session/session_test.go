package session

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/oauth2"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/session/oidctest"
	"github.com/kairship-io/kairship/internal/token/keyring"
)

// memory is a keyring.Store.
type memory struct {
	mu      sync.Mutex
	data    []byte
	version int
	err     error
}

func (m *memory) Load(context.Context) ([]byte, string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.data == nil {
		return nil, "", m.err
	}
	return m.data, strconv.Itoa(m.version), m.err
}

func (m *memory) Save(_ context.Context, data []byte, version string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if version != strconv.Itoa(m.version) && (version != "" || m.data != nil) {
		return keyring.ErrConflict
	}
	m.data, m.version = data, m.version+1
	return m.err
}

func (m *memory) set(change func(*memory)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	change(m)
}

// endings remembers who signed out.
type endings struct {
	mu    sync.Mutex
	ended map[string]time.Time
	err   error
}

func (e *endings) Ended(id string) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	_, ok := e.ended[id]
	return ok
}

func (e *endings) End(_ context.Context, id string, until time.Time) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.err == nil {
		e.ended[id] = until
	}
	return e.err
}

func (e *endings) set(err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.err = err
}

// fixture is Kairship with an identity provider. /whoami tells who asks.
type fixture struct {
	*Sessions
	t        *testing.T
	cfg      Config
	provider *oidctest.Provider
	server   *httptest.Server
	store    *memory
	endings  *endings
	log      *strings.Builder

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
	f := &fixture{t: t, provider: oidctest.New(t), store: &memory{}, endings: &endings{ended: map[string]time.Time{}}, log: &strings.Builder{}, time: time.Now()}
	mux := http.NewServeMux()
	f.server = httptest.NewUnstartedServer(mux)
	if secure {
		f.server.StartTLS()
	} else {
		f.server.Start()
	}
	t.Cleanup(f.server.Close)
	authenticator, err := access.NewOIDCAuthenticator(access.OIDCConfig{Issuer: f.provider.URL, Audiences: []string{oidctest.ClientID, "cli"}})
	if err != nil {
		t.Fatal(err)
	}
	f.cfg = Config{PublicURL: f.server.URL, Provider: authenticator, ProviderName: "Example", ClientID: oidctest.ClientID, ClientSecret: oidctest.ClientSecret,
		Keys: f.store, Endings: f.endings, Logger: slog.New(slog.NewTextHandler(f.log, nil))}
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

func TestSigningIn(t *testing.T) {
	for _, secure := range []bool{true, false} {
		t.Run(map[bool]string{true: "https", false: "http on a loopback address"}[secure], func(t *testing.T) {
			f := setUp(t, secure)
			b := newBrowser(t, f.server.Client())
			// By a link in a message: the person has to arrive signed in, strict cookie or not.
			p := b.open(f.server.URL+PathSignIn+"?return_to="+url.QueryEscape("/whoami?a=1&b=%20"), "mail.example.org")
			if want := "kairship:oidc:ann [kairship:oidc:devs kairship:oidc:ops] /whoami?a=1&b=%20"; p.body != want {
				t.Errorf("got %s %s, want %s", p.Status, p.body, want)
			}
			c := b.cookies[f.host()]
			if len(c) != 1 {
				t.Fatalf("cookies are left: %v", c)
			}
			name := map[bool]string{true: "__Host-kairship-session", false: "kairship-session"}[secure]
			got := c[name]
			if got == nil || got.Secure != secure || !got.HttpOnly || got.SameSite != http.SameSiteStrictMode || got.Path != "/" || got.Domain != "" || got.MaxAge != 3600 {
				t.Errorf("cookie %v", c)
			}
			if held := unsealed(t, got.Value); strings.Contains(held, "ann") || strings.Contains(held, "devs") {
				t.Errorf("the cookie can be read: %q", held)
			}
			f.wantIn(b)
		})
	}
}

// unsealed is what a cookie holds for whoever has no key.
func unsealed(t *testing.T, value string) string {
	t.Helper()
	_, sealed, _ := strings.Cut(value, ".")
	outer, err := base64.URLEncoding.DecodeString(sealed)
	parts := strings.SplitN(string(outer), "|", 3)
	if err != nil || len(parts) != 3 {
		t.Fatalf("%v: %q", err, outer)
	}
	inner, err := base64.URLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	return string(inner)
}

func TestTheCookieOfASignInIsShortLivedAndLax(t *testing.T) {
	f := setUp(t, true)
	b := newBrowser(t, f.server.Client())
	u, _ := url.Parse(f.server.URL + PathSignIn)
	p := b.get(u, false)
	got := b.cookies[f.host()]["__Host-kairship-sign-in"]
	if p.StatusCode != http.StatusFound || got == nil || !got.Secure || !got.HttpOnly || got.SameSite != http.SameSiteLaxMode || got.MaxAge != 600 {
		t.Fatalf("%s, cookie %v", p.Status, got)
	}
	to, err := p.Location()
	if err != nil {
		t.Fatal(err)
	}
	q := to.Query()
	if q.Get("code_challenge_method") != "S256" || len(q.Get("code_challenge")) != 43 || len(q.Get("state")) < 22 || len(q.Get("nonce")) < 22 ||
		q.Get("redirect_uri") != f.server.URL+PathCallback || q.Get("scope") != "openid profile email groups" || q.Get("state") == q.Get("nonce") {
		t.Errorf("asks the provider %v", q)
	}
	again, err := b.get(u, false).Location()
	if err != nil || again.Query().Get("state") == q.Get("state") || again.Query().Get("nonce") == q.Get("nonce") || again.Query().Get("code_challenge") == q.Get("code_challenge") {
		t.Errorf("two sign-ins share a secret: %v, %v", err, again)
	}
}

func TestTheLandingPageGoesOnByItself(t *testing.T) {
	f := setUp(t, true)
	b := newBrowser(t, f.server.Client())
	b.open(f.server.URL+PathSignIn+"?return_to="+url.QueryEscape(`/whoami?q="><script>alert(1)</script>&x='`), "")
	var callback string
	for _, at := range b.visited {
		if strings.Contains(at, PathCallback) {
			callback = at
		}
	}
	if last := b.visited[len(b.visited)-1]; !strings.HasPrefix(last, f.server.URL+"/whoami?q=%22%3E%3Cscript%3E") && !strings.HasPrefix(last, f.server.URL+`/whoami?q="><script>`) {
		t.Errorf("arrived at %s", last)
	}
	rec := httptest.NewRecorder()
	f.land(rec, `/x?q="><script>alert(1)</script>`)
	h, body := rec.Header(), rec.Body.String()
	if callback == "" || rec.Code != http.StatusOK || h.Get("Location") != "" || strings.Contains(body, "<script") || strings.Contains(body, `q="`) || !refresh.MatchString(body) {
		t.Errorf("%q: %d %v %s", callback, rec.Code, h, body)
	}
	if !strings.Contains(h.Get("Content-Security-Policy"), "default-src 'none'") || h.Get("Cache-Control") != "no-store" || h.Get("Referrer-Policy") != "no-referrer" {
		t.Errorf("headers %v", h)
	}
}

func TestOnlyLocalPathsAreComeBackTo(t *testing.T) {
	for address, want := range map[string]bool{
		"/": true, "/instances": true, "/a/b?c=d&e=%2F%2Fx#f": true, "/a//b": true, "/@x": true, "/a:b": true, "/?u=https://example.org": true, "/%5cexample.org": true,
		"": false, "instances": false, "//example.org": false, "///example.org": false, "////example.org": false, `/\example.org`: false, `\/example.org`: false, `\\example.org`: false,
		`/\/example.org`: false, `/a\b`: false, "https://example.org": false, "https:example.org": false, "http:/example.org": false, "javascript:alert(1)": false, "data:text/html,x": false,
		"/\t/example.org": false, "/\n/example.org": false, "/\r\nSet-Cookie: a=b": false, "\t//example.org": false, " //example.org": false, " /a": false, "/a b": false,
		"/\x00/example.org": false, "?//example.org": false, "#//example.org": false, "@example.org": false, ".example.org": false, "/ä": false, "/\u2028": false, "/a\x7f": false,
		"/%zz": false, "https:///example.org": false, "//example.org@here": false, "\u2044\u2044example.org": false,
	} {
		if got := localPath(address); got != want {
			t.Errorf("%q: %v, want %v", address, got, want)
		}
	}
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	f := setUp(t, false)
	for back, want := range map[string]string{
		"//example.org":                 "",
		`/\example.org`:                 "",
		"https://example.org":           "",
		"/\t/example.org":               "",
		"":                              "/",
		"/auth/sign-in":                 "/",
		"/" + strings.Repeat("a", 2000): "/",
		"/whoami":                       "/whoami",
	} {
		b := newBrowser(t, f.server.Client())
		p := b.open(f.server.URL+PathSignIn+"?return_to="+url.QueryEscape(back), "")
		if want == "" {
			if p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, "return_to") || len(b.visited) != 1 {
				t.Errorf("%q: %s, by way of %q", back, p.Status, b.visited)
			}
			continue
		}
		if last := b.visited[len(b.visited)-1]; last != f.server.URL+want {
			t.Errorf("%q leads to %s", back, last)
		}
	}
}

// halfway begins a sign-in and comes back from the provider, up to the callback's address.
func (f *fixture) halfway() (*browser, *url.URL) {
	f.t.Helper()
	b := newBrowser(f.t, f.server.Client())
	u, err := url.Parse(f.server.URL + PathSignIn)
	if err != nil {
		f.t.Fatal(err)
	}
	for range 2 {
		if u, err = b.get(u, true).Location(); err != nil {
			f.t.Fatal(err)
		}
	}
	return b, u
}

func TestCallbacksThatAreNotGood(t *testing.T) {
	set := func(name, value string) func(*fixture, *browser, url.Values) {
		return func(_ *fixture, _ *browser, q url.Values) { q.Set(name, value) }
	}
	provider := func(change func(*oidctest.Settings)) func(*fixture, *browser, url.Values) {
		return func(f *fixture, _ *browser, _ url.Values) { f.provider.Set(change) }
	}
	refused := func(name string) func(*fixture, *browser, url.Values) {
		return func(_ *fixture, _ *browser, q url.Values) {
			q.Del("code")
			q.Set("error", name)
			q.Set("error_description", "<script>alert(1)</script>")
		}
	}
	claim := func(name string, value any) func(*fixture, *browser, url.Values) {
		return provider(func(s *oidctest.Settings) { s.Claims = map[string]any{name: value} })
	}
	many := make([]string, 200)
	for i := range many {
		many[i] = fmt.Sprintf("a-group-of-the-company-%d", i)
	}
	for _, tc := range []struct {
		name   string
		change func(*fixture, *browser, url.Values)
		status int
		want   string
	}{
		{"a wrong state", set("state", "forged"), 400, "belongs to another sign-in"},
		{"no state", set("state", ""), 400, "belongs to another sign-in"},
		{"without the cookie, in another browser", func(_ *fixture, b *browser, _ url.Values) { clear(b.cookies) }, 400, "begun in another browser"},
		{"a forged cookie", func(f *fixture, b *browser, _ url.Values) { b.cookies[f.host()]["kairship-sign-in"].Value = "forged" }, 400, "not valid"},
		{"too late", func(f *fixture, _ *browser, _ url.Values) { f.add(signInFor) }, 400, "longer than 10 minutes"},
		{"a code that belongs to another sign-in", func(f *fixture, _ *browser, q url.Values) {
			_, other := f.halfway()
			q.Set("code", other.Query().Get("code"))
		}, 403, "used before, or is another&#39;s"},
		{"a code that nobody gave", set("code", "forged"), 403, "used before, or is another&#39;s"},
		{"no code", set("code", ""), 400, "holds no code"},
		{"an answer of another provider", set("iss", "https://other.example.org"), 400, "another identity provider"},
		{"the person said no", refused("access_denied"), 403, "did not let you in"},
		{"a scope that is unknown", refused("invalid_scope"), 500, "an administrator has to set it right"},
		{"a provider that is busy", refused("temporarily_unavailable"), 503, "at the moment"},
		{"an error that nobody knows", refused("<script>"), 403, "did not sign you in"},
		{"another nonce", claim("nonce", "forged"), 403, "nonce differs"},
		{"a token for another of our clients", claim("aud", "cli"), 403, "another client"},
		{"a token for anybody's client", claim("aud", "other"), 403, "another audience"},
		{"an expired token", claim("exp", 1), 403, "has expired"},
		{"a user of Kubernetes", claim("sub", "system:admin"), 403, "begins with system:"},
		{"more groups than a cookie holds", claim("groups", many), 403, "200 groups, whose names do not fit"},
		{"a provider that is down", provider(func(s *oidctest.Settings) { s.Down = true }), 503, "does not answer"},
		{"a provider that fails", provider(func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "<script>", http.StatusBadGateway) }}
		}), 503, "failed"},
		{"a provider that says nothing of who it is", provider(func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				fmt.Fprint(w, `{"access_token":"a","token_type":"Bearer"}`)
			}}
		}), 500, "no ID token"},
		{"a provider that does not know us", provider(func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/token": func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"error":"invalid_client"}`)
			}}
		}), 500, "does not take Kairship"},
		{"keys that are gone", func(f *fixture, _ *browser, _ url.Values) {
			f.store.set(func(m *memory) { m.err = errors.New("down") })
			f.Sessions = f.replica()
		}, 503, "keys cannot be read"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			for _, accept := range []string{"text/html", "application/json"} {
				f := setUp(t, false)
				b, callback := f.halfway()
				q := callback.Query()
				tc.change(f, b, q)
				callback.RawQuery = q.Encode()
				req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, callback.String(), http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				req.Header.Set("Accept", accept)
				p := b.send(req, true)
				body := p.body
				if accept == "application/json" {
					var e failure
					if err := json.Unmarshal([]byte(p.body), &e); err != nil || e.Code == "" {
						t.Errorf("%v: %s", err, p.body)
					}
					body = strings.ReplaceAll(e.Message, "'", "&#39;")
				}
				if p.StatusCode != tc.status || !strings.Contains(body, tc.want) || strings.Contains(p.body, "<script") {
					t.Errorf("%s: %s %s, want %d and %q", accept, p.Status, p.body, tc.status, tc.want)
				}
				if got := b.cookies[f.host()]["kairship-session"]; got != nil {
					t.Errorf("%s: somebody is signed in: %v", accept, got)
				}
			}
		})
	}
}

func TestACallbackWorksOnce(t *testing.T) {
	f := setUp(t, false)
	b, callback := f.halfway()
	stolen := *b.cookies[f.host()]["kairship-sign-in"]
	if p := b.get(callback, true); p.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", p.Status, p.body)
	}
	if p := b.get(callback, true); p.StatusCode != http.StatusBadRequest || !strings.Contains(p.body, "this sign-in is over") {
		t.Errorf("again: %s %s", p.Status, p.body)
	}
	f.wantIn(b)
	// Not even with the cookie that it had.
	thief := newBrowser(t, f.server.Client())
	thief.cookies[f.host()] = map[string]*http.Cookie{stolen.Name: &stolen}
	if p := thief.get(callback, true); p.StatusCode != http.StatusForbidden {
		t.Errorf("again with the cookie: %s %s", p.Status, p.body)
	}
	f.wantOut(thief, "nobody is signed in")
}

func TestASessionThatWasPlantedIsNotTakenOver(t *testing.T) {
	f := setUp(t, false)
	attacker := f.arrive()
	planted := *attacker.cookies[f.host()]["kairship-session"]
	var before content
	if _, err := f.open(t.Context(), &planted, &before); err != nil {
		t.Fatal(err)
	}
	victim := newBrowser(t, f.server.Client())
	victim.cookies[f.host()] = map[string]*http.Cookie{planted.Name: &planted}
	f.provider.Set(func(s *oidctest.Settings) { s.Claims = map[string]any{"sub": "bob"} })
	victim.open(f.server.URL+PathSignIn+"?return_to=/whoami", "")
	var after content
	if ok, err := f.open(t.Context(), victim.cookies[f.host()]["kairship-session"], &after); err != nil || !ok || after.User != "bob" || after.ID == before.ID {
		t.Errorf("before %v, after %v, %v", before, after, err)
	}
	if p := f.who(attacker); !strings.HasPrefix(p.body, "kairship:oidc:ann ") {
		t.Errorf("the attacker's cookie is now %s", p.body)
	}
}

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

func TestACookieIsRenewedNowAndThen(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	f.add(f.cfg.Idle)
	renewed := 0
	f.add(-f.cfg.Idle)
	for range 60 {
		if p := f.who(b); p.Header.Get("Set-Cookie") != "" {
			renewed++
		}
		f.add(time.Minute)
	}
	if renewed < 5 || renewed > renewals {
		t.Errorf("renewed %d times within an hour", renewed)
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

func TestSigningOut(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	copied := *b.cookies[f.host()]["kairship-session"]
	own := map[string]string{HeaderCSRF: "1", "Sec-Fetch-Site": "same-origin"}
	for name, header := range map[string]map[string]string{
		"without the header":        nil,
		"with an empty header":      {HeaderCSRF: ""},
		"by a page of another host": {HeaderCSRF: "1", "Sec-Fetch-Site": "cross-site"},
	} {
		if p := f.post(b, PathSignOut, header); p.StatusCode != http.StatusForbidden || !strings.Contains(p.body, "csrf") {
			t.Errorf("%s: %s %s", name, p.Status, p.body)
		}
		f.wantIn(b)
	}
	if p := b.open(f.server.URL+PathSignOut, ""); p.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("by a link: %s", p.Status)
	}
	f.endings.set(errors.New("down"))
	if p := f.post(b, PathSignOut, own); p.StatusCode != http.StatusServiceUnavailable || !strings.Contains(p.body, "still signed in") {
		t.Errorf("while nobody can be told: %s %s", p.Status, p.body)
	}
	f.wantIn(b)
	f.endings.set(nil)

	p := f.post(b, PathSignOut, own)
	var out signedOut
	if err := json.Unmarshal([]byte(p.body), &out); err != nil || p.StatusCode != http.StatusOK {
		t.Fatalf("%s %s", p.Status, p.body)
	}
	want := f.provider.URL + "/end?client_id=" + oidctest.ClientID + "&post_logout_redirect_uri=" + url.QueryEscape(f.server.URL+"/")
	if out.ProviderURL != want {
		t.Errorf("sign out of the provider at %s, want %s", out.ProviderURL, want)
	}
	f.wantOut(b, "nobody is signed in")
	// A copy of the cookie is good for nothing, for as long as it could be.
	thief := newBrowser(t, f.server.Client())
	thief.cookies[f.host()] = map[string]*http.Cookie{copied.Name: &copied}
	f.wantOut(thief, "has been ended")
	for _, until := range f.endings.ended {
		if left := until.Sub(f.clock()); left < 12*time.Hour-time.Second {
			t.Errorf("remembered for %s only", left)
		}
	}
	if p := f.post(b, PathSignOut, own); p.StatusCode != http.StatusOK {
		t.Errorf("again: %s %s", p.Status, p.body)
	}
}

func TestAProviderWithoutAPlaceToSignOut(t *testing.T) {
	f := setUp(t, false)
	f.provider.Set(func(s *oidctest.Settings) { s.NoEndSession = true })
	if p := f.post(f.arrive(), PathSignOut, map[string]string{HeaderCSRF: "1"}); p.StatusCode != http.StatusOK || strings.TrimSpace(p.body) != "{}" {
		t.Errorf("%s %s", p.Status, p.body)
	}
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

func TestAProviderThatIsDownAtTheStart(t *testing.T) {
	f := setUp(t, false)
	f.provider.Set(func(s *oidctest.Settings) { s.Down = true })
	b := newBrowser(t, f.server.Client())
	if p := b.open(f.server.URL+PathSignIn, ""); p.StatusCode != http.StatusServiceUnavailable || !strings.Contains(p.body, "does not answer") {
		t.Errorf("%s %s", p.Status, p.body)
	}
}

func TestForgedCookiesAreRefused(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	good := b.cookies[f.host()]["kairship-session"].Value
	id, sealed, _ := strings.Cut(good, ".")
	other := setUp(t, false).arrive()
	half, _ := f.halfway()
	var foreign string
	for _, c := range other.cookies {
		foreign = c["kairship-session"].Value
	}
	for name, value := range map[string]string{
		"nothing":                "",
		"no key":                 sealed,
		"an unknown key":         "forged." + sealed,
		"a key and nothing":      id + ".",
		"a changed letter":       id + "." + sealed[:40] + "A" + sealed[41:],
		"cut off":                good[:len(good)-8],
		"too long":               good + strings.Repeat("A", maxCookie),
		"that of another server": foreign,
		"another one's body":     id + "." + foreign[strings.Index(foreign, ".")+1:],
		"that of a sign-in":      half.cookies[f.host()]["kairship-sign-in"].Value,
	} {
		if value == good {
			t.Fatal(name)
		}
		b.cookies[f.host()]["kairship-session"].Value = value
		t.Run(name, func(*testing.T) { f.wantOut(b, "the session is not valid") })
	}
	b.cookies[f.host()]["kairship-session"].Value = good
	f.wantIn(b)
}

func TestKeysOfCookiesAreReplaced(t *testing.T) {
	f := setUp(t, false)
	f.cfg.Idle, f.cfg.Absolute = 30*time.Hour, 40*time.Hour
	f.Sessions = f.replica()
	b := f.arrive()
	key := func() string {
		id, _, _ := strings.Cut(b.cookies[f.host()]["kairship-session"].Value, ".")
		return id
	}
	first := key()
	f.add(rotateEvery + time.Hour)
	f.wantIn(b)
	if key() == first {
		t.Error("the cookie was renewed with the old key")
	}
	// A replica that has just started knows both.
	f.Sessions = f.replica()
	f.wantIn(b)
	// Whoever deletes the keys ends all sessions.
	f.store.set(func(m *memory) { m.data = nil })
	f.add(2 * time.Minute)
	f.wantOut(b, "not valid")
}

func TestKeysThatCannotBeReadAreAnOutage(t *testing.T) {
	f := setUp(t, false)
	b := f.arrive()
	f.store.set(func(m *memory) { m.err = errors.New("down") })
	f.add(30 * time.Minute)
	f.wantIn(b)
	f.Sessions = f.replica()
	r := httptest.NewRequest(http.MethodGet, "/", http.NoBody)
	r.AddCookie(b.cookies[f.host()]["kairship-session"])
	_, _, err := f.FromRequest(r)
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeUnavailable {
		t.Errorf("error = %v", err)
	}
	if p := b.open(f.server.URL+PathSession, ""); p.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("who is signed in: %s %s", p.Status, p.body)
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

func TestHowTheClientShowsItsSecret(t *testing.T) {
	f := setUp(t, false)
	public := *f.Sessions
	public.cfg.ClientSecret = ""
	for _, tc := range []struct {
		name string
		s    *Sessions
		in   access.OIDCEndpoints
		want oauth2.AuthStyle
	}{
		{"in the header", f.Sessions, access.OIDCEndpoints{}, oauth2.AuthStyleInHeader},
		{"in the form, where the provider wants it there", f.Sessions, access.OIDCEndpoints{SecretInBody: true}, oauth2.AuthStyleInParams},
		{"not at all, its name in the form", &public, access.OIDCEndpoints{}, oauth2.AuthStyleInParams},
	} {
		if got := tc.s.client(tc.in).Endpoint.AuthStyle; got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
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
		"no endings":              func(c *Config) { c.Endings = nil },
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

func TestSessionsWorkWithAProviderOfAPrivateCA(t *testing.T) {
	p := oidctest.NewTLS(t)
	if block, _ := pem.Decode(p.CA); block == nil {
		t.Fatal("no CA")
	}
	f := setUp(t, true)
	authenticator, err := access.NewOIDCAuthenticator(access.OIDCConfig{Issuer: p.URL, Audiences: []string{oidctest.ClientID}, CA: p.CA})
	if err != nil {
		t.Fatal(err)
	}
	f.cfg.Provider = authenticator
	f.Sessions = f.replica()
	f.wantIn(f.arrive())
}

func FuzzFromRequest(f *testing.F) {
	s, err := New(Config{PublicURL: "http://localhost", Keys: &memory{}, Endings: &endings{ended: map[string]time.Time{}}})
	if err != nil {
		f.Fatal(err)
	}
	good, err := s.seal(f.Context(), s.sessionCookie(), s.begin(access.OIDCIdentity{User: "ann"}))
	if err != nil {
		f.Fatal(err)
	}
	id, sealed, _ := strings.Cut(good, ".")
	for _, seed := range []string{good, "", ".", id, id + ".", id + "." + sealed[:20], sealed} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, value string) {
		r := &http.Request{Header: http.Header{"Cookie": {s.sessionCookie() + "=" + value}}}
		p, _, err := s.FromRequest(r.WithContext(t.Context()))
		var e *model.Error
		switch {
		case err == nil && p.Name != "kairship:oidc:ann":
			t.Fatalf("%q is %v", value, p)
		case err != nil && (!errors.As(err, &e) || e.Code != model.CodeUnauthenticated):
			t.Fatalf("%q: %v", value, err)
		}
	})
}

func FuzzLocalPath(f *testing.F) {
	for _, seed := range []string{"/", "//a", `/\a`, "/a?b#c", "https://a", "/\t/a", "/%2f/a"} {
		f.Add(seed)
	}
	base, _ := url.Parse("https://kairship.example.org/auth/callback")
	f.Fuzz(func(t *testing.T, address string) {
		if !localPath(address) {
			return
		}
		// A browser takes \ for / and leaves out blanks at the ends, tabs and line breaks.
		read := strings.NewReplacer(`\`, "/", "\t", "", "\n", "", "\r", "").Replace(strings.TrimSpace(address))
		u, err := base.Parse(read)
		if err != nil || u.Host != base.Host || u.Scheme != base.Scheme || u.User != nil {
			t.Fatalf("%q leads to %v, %v", address, u, err)
		}
	})
}
