package signin

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/oidc"
	"github.com/kairship-io/kairship/playground/oidc/oidctest"
)

// claims are what Kairship reads in an ID token.
type claims struct {
	Sub           string   `json:"sub"`
	Name          string   `json:"name"`
	Email         string   `json:"email"`
	EmailVerified bool     `json:"email_verified"`
	Groups        []string `json:"groups"`
}

// payload decodes a token that was verified.
func payload(t *testing.T, token string, into any) {
	t.Helper()
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		t.Fatalf("this is no token: %s", token)
	}
	b, err := base64.RawURLEncoding.DecodeString(parts[1])
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

func kairship(p *oidctest.Provider) Client {
	return Client{Issuer: p.Issuer, CAFile: p.CA, ID: oidc.Client, Secret: p.Secret, RedirectURL: p.Redirect}
}

func TestThePeopleOfThePlayground(t *testing.T) {
	p := oidctest.Start(t)
	tests := map[string]claims{
		"owner":    {"owner", "Olivia Owner", "owner@kairship.example", true, []string{"platform-owners"}},
		"editor":   {"editor", "Edo Editor", "editor@kairship.example", true, []string{"book-club"}},
		"viewer":   {"viewer", "Vera Viewer", "viewer@kairship.example", true, []string{"europe-viewers"}},
		"stranger": {"stranger", "Stefan Stranger", "stranger@kairship.example", true, []string{}},
	}
	for user, want := range tests {
		t.Run(user, func(t *testing.T) {
			token, err := kairship(p).IDToken(t.Context(), user, p.UserPassword)
			if err != nil {
				t.Fatal(err)
			}
			var got claims
			payload(t, token, &got)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("claims (-want +got):\n%s", diff)
			}
			var about struct {
				Iss, Aud string
				Iat, Exp int64
			}
			payload(t, token, &about)
			if about.Iss != p.Issuer || about.Aud != "kairship" || about.Exp-about.Iat != 3600 {
				t.Errorf("the token is from %s for %s, good for %d s; want from %s for kairship, good for 3600 s",
					about.Iss, about.Aud, about.Exp-about.Iat, p.Issuer)
			}
		})
	}
}

func TestAProgramOnTheCommandLineSignsInAtAnyLoopbackPort(t *testing.T) {
	p := oidctest.Start(t)
	cli := Client{Issuer: p.Issuer, CAFile: p.CA, ID: oidc.CommandLine, RedirectURL: "http://127.0.0.1:43210/callback"}
	token, err := cli.IDToken(t.Context(), "viewer", p.UserPassword)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Sub, Aud string }
	payload(t, token, &got)
	if got.Sub != "viewer" || got.Aud != "kairship-cli" {
		t.Errorf("the token is of %s for %s, want of viewer for kairship-cli", got.Sub, got.Aud)
	}
}

func TestWhoIsRefusedIsToldWhy(t *testing.T) {
	p := oidctest.Start(t)
	tests := map[string]struct {
		change         func(*Client)
		user, password string
		want           string
	}{
		"a wrong password":                        {nil, "owner", "guess", "The password is wrong."},
		"a user who is not there":                 {nil, "mallory", p.UserPassword, "there are: owner, editor, viewer, stranger"},
		"a wrong client secret":                   {func(c *Client) { c.Secret = "guess" }, "owner", p.UserPassword, "invalid_client"},
		"a client that is not there":              {func(c *Client) { c.ID = "another" }, "owner", p.UserPassword, "invalid_client"},
		"a redirect URL that is not registered":   {func(c *Client) { c.RedirectURL = "https://127.0.0.1:9999/callback" }, "owner", p.UserPassword, "redirect_uri"},
		"a public client at a host of its choice": {func(c *Client) { c.ID, c.RedirectURL = oidc.CommandLine, "http://evil.example/callback" }, "owner", p.UserPassword, "redirect_uri"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := kairship(p)
			if tt.change != nil {
				tt.change(&c)
			}
			token, err := c.IDToken(t.Context(), tt.user, tt.password)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
			if token != "" {
				t.Error("there is a token all the same")
			}
			if err != nil && (strings.Contains(err.Error(), p.UserPassword) || strings.Contains(err.Error(), p.Secret)) {
				t.Error("the error shows a secret")
			}
		})
	}
}

// A provider that does otherwise than ours: what it is given, and what becomes of it.
func TestAProviderThatMisbehaves(t *testing.T) {
	const password = "correct-horse-battery"
	page := func(action string) string {
		return fmt.Sprintf(`<form method="post" action=%q><input type="radio" name="user" value="owner"><input type="password" name="password"></form>`, action)
	}
	tests := map[string]struct {
		auth http.HandlerFunc
		want string
	}{
		"leads to another host": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example/", http.StatusFound)
		}, "leads away, to evil.example"},
		"leads in circles": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.String(), http.StatusFound)
		}, "in circles"},
		"would send the password elsewhere": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, page("https://evil.example/"))
		}, "would send the password to evil.example"},
		"asks again and again": {func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprint(w, page("/auth"))
		}, "again and again"},
		"answers for another sign-in": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1:8443/callback?code=1&state=other", http.StatusFound)
		}, "another sign-in"},
		"answers in another's name": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://127.0.0.1:8443/callback?code=1&iss=https://evil.example&state="+r.URL.Query().Get("state"), http.StatusFound)
		}, "evil.example"},
		"has no page": {http.NotFound, "status 404"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c, _ := standIn(t, tt.auth)
			_, err := c.IDToken(t.Context(), "owner", password)
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(err.Error(), password) {
				t.Errorf("error is %v, want one with %q", err, tt.want)
			}
		})
	}
}

func TestAProviderThatHangsIsNotWaitedFor(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	c, end := standIn(t, func(_ http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	defer end()
	if _, err := c.IDToken(ctx, "owner", "x"); !errors.Is(err, context.Canceled) {
		t.Errorf("error is %v, want that it was cancelled", err)
	}
}

func TestAProviderThatIsNotThereIsNamed(t *testing.T) {
	c, end := standIn(t, http.NotFound)
	end()
	began := time.Now()
	if _, err := c.IDToken(t.Context(), "owner", "x"); err == nil || !strings.Contains(err.Error(), c.Issuer) {
		t.Errorf("error is %v, want one that names %s", err, c.Issuer)
	}
	if took := time.Since(began); took > requestTimeout {
		t.Errorf("it took %s", took)
	}
}

func TestWithoutItsAuthorityNoProviderIsTrusted(t *testing.T) {
	authority, err := pki.Open(t.TempDir(), "another")
	if err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{
		authority.CA().Cert: "unknown authority",
		empty:               "holds no certificate",
		filepath.Join(t.TempDir(), "nothing.crt"): "no such file",
	} {
		c, _ := standIn(t, http.NotFound)
		c.CAFile = file
		if _, err := c.IDToken(t.Context(), "owner", "x"); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error is %v, want one with %q", err, want)
		}
	}
}

// standIn is a provider whose page for signing in is the given one.
func standIn(t *testing.T, auth http.HandlerFunc) (c Client, end func()) {
	t.Helper()
	mux := http.NewServeMux()
	s := httptest.NewTLSServer(mux)
	t.Cleanup(s.Close)
	mux.HandleFunc("/auth", auth)
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{
			"issuer": s.URL, "authorization_endpoint": s.URL + "/auth", "token_endpoint": s.URL + "/token", "jwks_uri": s.URL + "/jwks",
		})
	})
	ca := filepath.Join(t.TempDir(), "ca.crt")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	return Client{Issuer: s.URL, CAFile: ca, ID: "kairship", Secret: "s", RedirectURL: "https://127.0.0.1:8443/callback"}, s.Close
}
