package oidc_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	gooidc "github.com/coreos/go-oidc/v3/oidc"

	"github.com/kairship-io/kairship/playground/internal/signin"
	"github.com/kairship-io/kairship/playground/oidc"
	"github.com/kairship-io/kairship/playground/oidc/oidctest"
)

// Starting one takes a second; what is asked of it does not.
func TestTheProvider(t *testing.T) {
	p := oidctest.Start(t)
	tests := map[string]func(*testing.T, *oidctest.Provider){
		"a page holds nothing from elsewhere and runs no script": aPageHoldsNothingFromElsewhereAndRunsNoScript,
		"a sign in that is not right gets no code":               aSignInThatIsNotRightGetsNoCode,
		"what somebody sends is no part of a page":               whatSomebodySendsIsNoPartOfAPage,
		"signing in is not asked twice":                          signingInIsNotAskedTwice,
		"canceling is told to kairship":                          cancelingIsToldToKairship,
		"a password is not accepted from elsewhere":              aPasswordIsNotAcceptedFromElsewhere,
		"signing out ends the session":                           signingOutEndsTheSession,
		"the device flow":                                        theDeviceFlow,
		"what was signed stays good":                             whatWasSignedStaysGood,
		"the log shows who and no secret":                        theLogShowsWhoAndNoSecret,
		"a provider that cannot work says why":                   aProviderThatCannotWorkSaysWhy,
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) { test(t, p) })
	}
}

// visitor is a browser that follows redirects by hand.
type visitor struct {
	t    *testing.T
	p    *oidctest.Provider
	http *http.Client
	// accept is the kind of answer that is asked for.
	accept string
}

// page is what a request led to.
type page struct {
	status int
	header http.Header
	body   string
}

func visit(t *testing.T, p *oidctest.Provider) visitor {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	client := p.HTTP(t)
	client.Jar = jar
	return visitor{t, p, client, "text/html"}
}

// get and post go to a path of the provider; redirects within it are followed.
func (v visitor) get(path string) page { return v.do(http.MethodGet, path, nil) }

func (v visitor) post(path string, form url.Values) page { return v.do(http.MethodPost, path, form) }

func (v visitor) do(method, path string, form url.Values) page {
	v.t.Helper()
	for range 10 {
		address := path
		if strings.HasPrefix(path, "/") {
			address = v.p.Issuer + path
		}
		req, err := http.NewRequestWithContext(v.t.Context(), method, address, strings.NewReader(form.Encode()))
		if err != nil {
			v.t.Fatal(err)
		}
		req.Header.Set("Accept", v.accept)
		if method == http.MethodPost {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		resp, err := v.http.Do(req)
		if err != nil {
			v.t.Fatal(err)
		}
		b, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if err != nil {
			v.t.Fatal(err)
		}
		to := resp.Header.Get("Location")
		if to == "" || !strings.HasPrefix(to, "/") && !strings.HasPrefix(to, v.p.Issuer+"/") {
			return page{resp.StatusCode, resp.Header, string(b)}
		}
		method, path, form = http.MethodGet, to, nil
	}
	v.t.Fatal("the provider leads in circles")
	return page{}
}

// authorize is the address that Kairship sends people to.
func authorize(p *oidctest.Provider, change func(url.Values)) string {
	q := url.Values{
		"client_id": {oidc.Client}, "response_type": {"code"}, "scope": {"openid profile email groups"},
		"redirect_uri": {p.Redirect}, "state": {"s"}, "nonce": {"n"},
		// Of the verifier in RFC 7636, appendix B.
		"code_challenge": {"E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"}, "code_challenge_method": {"S256"},
	}
	if change != nil {
		change(q)
	}
	return "/auth?" + q.Encode()
}

var action = regexp.MustCompile(`action="([^"]+)"`)

// submit sends the form of a page, with what the page has filled in.
func (v visitor) submit(from page, values url.Values) page {
	v.t.Helper()
	to := action.FindStringSubmatch(from.body)
	if to == nil {
		v.t.Fatalf("there is no form on the page:\n%s", from.body)
	}
	form := url.Values{}
	for _, hidden := range regexp.MustCompile(`type="hidden" name="(\w+)" value="([^"]*)"`).FindAllStringSubmatch(from.body, -1) {
		form.Set(hidden[1], hidden[2])
	}
	for name, value := range values {
		form[name] = value
	}
	return v.post(to[1], form)
}

func (v visitor) signIn(user string) page {
	v.t.Helper()
	return v.submit(v.get(authorize(v.p, nil)), url.Values{"user": {user}, "password": {v.p.UserPassword}})
}

// code is what the provider sent back to the client; the empty string for none.
func code(p page) string {
	u, err := url.Parse(p.header.Get("Location"))
	if err != nil {
		return ""
	}
	return u.Query().Get("code")
}

func aPageHoldsNothingFromElsewhereAndRunsNoScript(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	v := visit(t, p)
	signIn := v.get(authorize(p, nil))
	pages := map[string]page{
		"sign in":       signIn,
		"wrong":         v.submit(signIn, url.Values{"user": {"owner"}, "password": {"guess"}}),
		"device":        v.get("/device"),
		"error":         v.get("/auth?client_id=nobody"),
		"sign out":      func() page { v.signIn("owner"); return v.get("/session/end") }(),
		"signed out":    v.get("/session/end/success"),
		"a page gone":   v.get("/interaction/none"),
		"not signed in": visit(t, p).get("/interaction/none"),
	}
	for name, got := range pages {
		policy := got.header.Get("Content-Security-Policy")
		for _, want := range []string{"default-src 'none'", "base-uri 'none'", "frame-ancestors 'none'", "form-action 'self'"} {
			if !strings.Contains(policy, want) {
				t.Errorf("%s: the policy %q lacks %s", name, policy, want)
			}
		}
		if strings.Contains(policy, "unsafe") {
			t.Errorf("%s: the policy allows what is unsafe: %s", name, policy)
		}
		if !strings.Contains(got.body, `<html lang="en">`) || !strings.Contains(got.body, "<h1>") || !strings.Contains(got.body, "<title>") {
			t.Errorf("%s is a page without language, title or heading:\n%s", name, got.body)
		}
		if found := regexp.MustCompile(`(?i)<script|\son\w+=|<link|<img|@import|url\(|(src|href)="(https?:)?//`).FindString(got.body); found != "" {
			t.Errorf("%s has %q on it", name, found)
		}
		for _, id := range regexp.MustCompile(` id="(user-\d)"`).FindAllStringSubmatch(got.body, -1) {
			if !strings.Contains(got.body, `<label for="`+id[1]+`">`) {
				t.Errorf("%s: the field %s has no label", name, id[1])
			}
		}
	}
	if wrong := pages["wrong"]; wrong.status != http.StatusForbidden || !strings.Contains(wrong.body, `<p role="alert">The password is wrong.</p>`) {
		t.Errorf("a wrong password is answered with %d:\n%s", wrong.status, wrong.body)
	}
}

func aSignInThatIsNotRightGetsNoCode(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	tests := map[string]struct {
		change func(url.Values)
		want   string
	}{
		"without PKCE":                  {func(q url.Values) { q.Del("code_challenge"); q.Del("code_challenge_method") }, "PKCE"},
		"with a challenge in the clear": {func(q url.Values) { q.Set("code_challenge_method", "plain") }, "code_challenge_method"},
		"for a token in the address":    {func(q url.Values) { q.Set("response_type", "id_token") }, "response_type"},
		"to another address":            {func(q url.Values) { q.Set("redirect_uri", "https://127.0.0.1:1/callback") }, "redirect_uri"},
		"to no address":                 {func(q url.Values) { q.Del("redirect_uri") }, "redirect_uri"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			got := visit(t, p).get(authorize(p, tt.change))
			said, err := url.QueryUnescape(got.header.Get("Location") + got.body)
			if err != nil {
				said = got.body
			}
			if code(got) != "" || !strings.Contains(said, tt.want) {
				t.Errorf("it is answered with %d, %s, want an error about %s", got.status, said, tt.want)
			}
		})
	}
}

func whatSomebodySendsIsNoPartOfAPage(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	v := visit(t, p)
	form := v.get(authorize(p, func(q url.Values) {
		q.Set("client_id", oidc.CommandLine)
		q.Set("redirect_uri", "http://127.0.0.1:1/callback")
		q.Set("scope", "openid <b>")
		q.Set("login_hint", `"><b>`)
	}))
	consent := v.submit(form, url.Values{"user": {"viewer"}, "password": {p.UserPassword}})
	if strings.Contains(form.body+consent.body, "<b>") {
		t.Errorf("it is part of the page:\n%s\n%s", form.body, consent.body)
	}
	if !strings.Contains(consent.body, "asks who you are") {
		t.Errorf("nobody was asked for consent:\n%s", consent.body)
	}
}

func signingInIsNotAskedTwice(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	v := visit(t, p)
	first := v.signIn("editor")
	if code(first) == "" {
		t.Fatalf("there is no code: %d %s", first.status, first.body)
	}
	if again := v.get(authorize(p, nil)); code(again) == "" || code(again) == code(first) {
		t.Errorf("the second time it is answered with %d %q, want another code", again.status, again.header.Get("Location"))
	}
}

func cancelingIsToldToKairship(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	v := visit(t, p)
	cancel := regexp.MustCompile(`href="([^"]+/cancel)"`).FindStringSubmatch(v.get(authorize(p, nil)).body)
	if cancel == nil {
		t.Fatal("there is no way to cancel")
	}
	if got := v.get(cancel[1]).header.Get("Location"); !strings.HasPrefix(got, p.Redirect+"?error=access_denied") {
		t.Errorf("it leads to %q", got)
	}
}

func aPasswordIsNotAcceptedFromElsewhere(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	v := visit(t, p)
	form := v.get(authorize(p, nil))
	values := url.Values{"user": {"owner"}, "password": {p.UserPassword}}
	if got := visit(t, p).submit(form, values); got.status != http.StatusBadRequest || code(got) != "" {
		t.Errorf("a browser that did not open the page gets %d", got.status)
	}
	values.Set("password", strings.Repeat("x", 10_000))
	if got := v.submit(form, values); got.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a form of 10,000 bytes is answered with %d", got.status)
	}
}

func signingOutEndsTheSession(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	token, err := signin.Client{Issuer: p.Issuer, CAFile: p.CA, ID: oidc.Client, Secret: p.Secret, RedirectURL: p.Redirect}.
		IDToken(t.Context(), "owner", p.UserPassword)
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, p)
	v.signIn("owner")
	question := v.get("/session/end?" + url.Values{"id_token_hint": {token}, "post_logout_redirect_uri": {p.PostLogout}, "state": {"s"}}.Encode())
	if !strings.Contains(question.body, "as owner") {
		t.Fatalf("nobody is asked: %d %s", question.status, question.body)
	}
	if got := v.submit(question, url.Values{"logout": {"yes"}}).header.Get("Location"); got != p.PostLogout+"?state=s" {
		t.Errorf("it leads to %q, want to %s", got, p.PostLogout)
	}
	if got := v.get(authorize(p, nil)); code(got) != "" {
		t.Error("somebody is still signed in")
	}
	if got := v.get("/session/end?" + url.Values{"client_id": {oidc.Client}, "post_logout_redirect_uri": {"https://evil.example/"}}.Encode()); got.status != http.StatusBadRequest {
		t.Errorf("to sign out to another's address is answered with %d", got.status)
	}
}

func theDeviceFlow(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	device := visit(t, p)
	device.accept = "application/json"
	ask := func(path string, form url.Values) (answer map[string]any) {
		t.Helper()
		form.Set("client_id", oidc.CommandLine)
		if err := json.Unmarshal([]byte(device.post(path, form).body), &answer); err != nil {
			t.Fatal(err)
		}
		return answer
	}
	text := func(answer map[string]any, field string) string { s, _ := answer[field].(string); return s }
	offer := ask("/device/auth", url.Values{"scope": {"openid profile email groups"}})
	poll := func() map[string]any {
		t.Helper()
		return ask("/token", url.Values{"grant_type": {"urn:ietf:params:oauth:grant-type:device_code"}, "device_code": {text(offer, "device_code")}})
	}
	if got := text(poll(), "error"); got != "authorization_pending" {
		t.Fatalf("before anybody signed in there is %q", got)
	}

	v := visit(t, p)
	if wrong := v.submit(v.get("/device"), url.Values{"user_code": {"XXXX-XXXX"}}); !strings.Contains(wrong.body, "There is no such code.") {
		t.Errorf("a wrong code is answered with:\n%s", wrong.body)
	}
	confirm := v.submit(v.get("/device"), url.Values{"user_code": {text(offer, "user_code")}})
	if !strings.Contains(confirm.body, text(offer, "user_code")) {
		t.Fatalf("the code is not shown:\n%s", confirm.body)
	}
	consent := v.submit(v.submit(confirm, nil), url.Values{"user": {"viewer"}, "password": {p.UserPassword}})
	if !strings.Contains(consent.body, "asks who you are") {
		t.Fatalf("nobody is asked for consent:\n%s", consent.body)
	}
	if done := v.submit(consent, nil); !strings.Contains(done.body, "You are signed in") {
		t.Fatalf("it ends with:\n%s", done.body)
	}
	token := text(poll(), "id_token")
	if got := verify(t, p, oidc.CommandLine, token); got != "viewer" {
		t.Errorf("the token is of %q, want of viewer", got)
	}
}

// verify returns the subject of a token, by the keys that the provider publishes now.
func verify(t *testing.T, p *oidctest.Provider, audience, token string) string {
	t.Helper()
	ctx := gooidc.ClientContext(t.Context(), p.HTTP(t))
	provider, err := gooidc.NewProvider(ctx, p.Issuer)
	if err != nil {
		t.Fatal(err)
	}
	id, err := provider.Verifier(&gooidc.Config{ClientID: audience}).Verify(ctx, token)
	if err != nil {
		t.Fatal(err)
	}
	return id.Subject
}

func whatWasSignedStaysGood(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	token, err := signin.Client{Issuer: p.Issuer, CAFile: p.CA, ID: oidc.Client, Secret: p.Secret, RedirectURL: p.Redirect}.
		IDToken(t.Context(), "owner", p.UserPassword)
	if err != nil {
		t.Fatal(err)
	}
	p.Restart(t)
	if got := verify(t, p, oidc.Client, token); got != "owner" {
		t.Errorf("the token is of %q, want of owner", got)
	}
	for path, want := range map[string]os.FileMode{p.Data: 0o700, filepath.Join(p.Data, "keys.json"): 0o600} {
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := info.Mode().Perm(); got != want {
			t.Errorf("%s has mode %o, want %o", path, got, want)
		}
	}
}

func theLogShowsWhoAndNoSecret(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	c := signin.Client{Issuer: p.Issuer, CAFile: p.CA, ID: oidc.Client, Secret: p.Secret, RedirectURL: p.Redirect}
	token, err := c.IDToken(t.Context(), "editor", p.UserPassword)
	if err != nil {
		t.Fatal(err)
	}
	v := visit(t, p)
	granted := code(v.signIn("owner"))
	v.post("/token", url.Values{
		"client_id": {oidc.Client}, "client_secret": {p.Secret}, "grant_type": {"authorization_code"},
		"code": {granted}, "redirect_uri": {p.Redirect}, "code_verifier": {strings.Repeat("wrong", 10)},
	})
	v.get("/session/end?id_token_hint=" + token + "x")
	keys, err := os.ReadFile(filepath.Join(p.Data, "keys.json"))
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		JWKS struct{ Keys []struct{ D string } }
	}
	if err := json.Unmarshal(keys, &made); err != nil || len(made.JWKS.Keys) == 0 {
		t.Fatalf("no keys: %v", err)
	}
	for _, want := range []string{`"user":"editor"`, `"user":"owner"`, "invalid_grant", "end_session.error"} {
		p.Logs(t, want)
	}
	log := p.Log()
	for name, secret := range map[string]string{
		"password": p.UserPassword, "client secret": p.Secret, "code": granted, "signing key": made.JWKS.Keys[0].D,
		"token": strings.Split(token, ".")[2],
	} {
		if secret == "" || strings.Contains(log, secret) {
			t.Errorf("the log shows the %s, or there is none", name)
		}
	}
}

func aProviderThatCannotWorkSaysWhy(t *testing.T, p *oidctest.Provider) {
	t.Helper()
	short := filepath.Join(t.TempDir(), "short")
	if err := os.WriteFile(short, []byte("x\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "keys.json"), []byte("topsecret {"), 0o600); err != nil {
		t.Fatal(err)
	}
	tests := map[string]struct {
		change func(*oidc.Settings)
		want   string
	}{
		"plain HTTP":             {func(s *oidc.Settings) { s.Issuer = "http://127.0.0.1:1" }, "it must be https://127.0.0.1:PORT"},
		"all addresses":          {func(s *oidc.Settings) { s.Issuer = "https://0.0.0.0:1" }, "it must be https://127.0.0.1:PORT"},
		"a port that is taken":   {func(*oidc.Settings) {}, "EADDRINUSE"},
		"a short password":       {func(s *oidc.Settings) { s.Password = short }, "fewer than 16 characters"},
		"no secret":              {func(s *oidc.Settings) { s.ClientSecret = short + "-not-there" }, "ENOENT"},
		"no redirect URL":        {func(s *oidc.Settings) { s.Redirects = nil }, "--redirect-uri is missing"},
		"keys that are not JSON": {func(s *oidc.Settings) { s.Data = broken }, "delete it to have new keys"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			s := p.Settings
			tt.change(&s)
			out, err := p.Run(t, s)
			if err == nil || !strings.Contains(out, tt.want) || strings.Contains(out, "topsecret") {
				t.Errorf("it ends with %v and %q, want a failure with %q", err, out, tt.want)
			}
		})
	}
}
