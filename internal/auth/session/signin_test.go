package session

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/oauth2"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
)

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

func TestAProviderThatIsDownAtTheStart(t *testing.T) {
	f := setUp(t, false)
	f.provider.Set(func(s *oidctest.Settings) { s.Down = true })
	b := newBrowser(t, f.server.Client())
	if p := b.open(f.server.URL+PathSignIn, ""); p.StatusCode != http.StatusServiceUnavailable || !strings.Contains(p.body, "does not answer") {
		t.Errorf("%s %s", p.Status, p.body)
	}
}

func TestHowTheClientShowsItsSecret(t *testing.T) {
	f := setUp(t, false)
	public := *f.Sessions
	public.cfg.ClientSecret = ""
	for _, tc := range []struct {
		name string
		s    *Sessions
		in   auth.OIDCEndpoints
		want oauth2.AuthStyle
	}{
		{"in the header", f.Sessions, auth.OIDCEndpoints{}, oauth2.AuthStyleInHeader},
		{"in the form, where the provider wants it there", f.Sessions, auth.OIDCEndpoints{SecretInBody: true}, oauth2.AuthStyleInParams},
		{"not at all, its name in the form", &public, auth.OIDCEndpoints{}, oauth2.AuthStyleInParams},
	} {
		if got := tc.s.client(tc.in).Endpoint.AuthStyle; got != tc.want {
			t.Errorf("%s: %v, want %v", tc.name, got, tc.want)
		}
	}
}

func TestSessionsWorkWithAProviderOfAPrivateCA(t *testing.T) {
	p := oidctest.NewTLS(t)
	if block, _ := pem.Decode(p.CA); block == nil {
		t.Fatal("no CA")
	}
	f := setUp(t, true)
	authenticator, err := auth.NewOIDCAuthenticator(auth.OIDCConfig{Issuer: p.URL, Audiences: []string{oidctest.ClientID}, CA: p.CA})
	if err != nil {
		t.Fatal(err)
	}
	f.cfg.Provider = authenticator
	f.Sessions = f.replica()
	f.wantIn(f.arrive())
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
