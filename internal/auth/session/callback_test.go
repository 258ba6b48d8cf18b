package session

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
)

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
			f.store.Fail(errors.New("down"))
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
