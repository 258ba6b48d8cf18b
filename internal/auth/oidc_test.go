package auth

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/auth/session/oidctest"
	"github.com/kairship-io/kairship/internal/model"
)

func newOIDC(t *testing.T, p *oidctest.Provider, change func(*OIDCConfig)) (*OIDCAuthenticator, *testClock) {
	t.Helper()
	cfg := OIDCConfig{Issuer: p.URL, Audiences: []string{oidctest.ClientID}, CA: p.CA}
	if change != nil {
		change(&cfg)
	}
	a, err := NewOIDCAuthenticator(cfg)
	if err != nil {
		t.Fatal(err)
	}
	clock := &testClock{now: time.Now()}
	a.now = clock.Now
	return a, clock
}

// testClock stands still until it is told to go on.
type testClock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *testClock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *testClock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

func wantCode(t *testing.T, err error, code model.Code, message string) {
	t.Helper()
	var e *model.Error
	switch {
	case code == "" && err != nil:
		t.Fatalf("error = %v, want none", err)
	case code == "":
	case !errors.As(err, &e) || e.Code != code || !strings.Contains(e.Message, message):
		t.Fatalf("error = %v, want %s that says %q", err, code, message)
	}
}

func TestIDTokens(t *testing.T) {
	p := oidctest.New(t)
	stranger := oidctest.NewKey(t, p.Key().KeyID)
	shared := jose.JSONWebKey{Key: []byte("0123456789abcdef0123456789abcdef"), KeyID: p.Key().KeyID, Algorithm: string(jose.HS256)}
	ago := func(d time.Duration) int64 { return time.Now().Add(-d).Unix() }
	many := make([]string, maxGroups+1)
	for i := range many {
		many[i] = fmt.Sprint("g", i)
	}
	claims := func(changes map[string]any) string { return p.Token(changes) }
	type m = map[string]any
	for _, tc := range []struct {
		name    string
		config  func(*OIDCConfig)
		token   string
		user    string
		groups  []string
		code    model.Code
		message string
	}{
		{name: "a good token is somebody, with the origin in every name", token: claims(m{"groups": []string{"ops", "devs", "ops"}}),
			user: "ann", groups: []string{"kairship:oidc:devs", "kairship:oidc:ops"}},
		{name: "one group may be a text", token: claims(m{"groups": "ops"}), user: "ann", groups: []string{"kairship:oidc:ops"}},
		{name: "no groups are no groups", token: claims(nil), user: "ann", groups: []string{}},
		{name: "groups that are null are none", token: claims(m{"groups": json.RawMessage("null")}), user: "ann", groups: []string{}},
		{name: "one of several audiences", token: claims(m{"aud": []string{"other", oidctest.ClientID}}), user: "ann", groups: []string{}},
		{name: "one of several clients", config: func(c *OIDCConfig) { c.Audiences = []string{"cli", oidctest.ClientID} },
			token: claims(m{"aud": "cli"}), user: "ann", groups: []string{}},
		{name: "claims of other names", config: func(c *OIDCConfig) { c.UserClaim, c.GroupsClaim = "upn", "https://example.org/roles" },
			token: claims(m{"upn": "ann@example.org", "https://example.org/roles": []string{"ops"}}), user: "ann@example.org", groups: []string{"kairship:oidc:ops"}},
		{name: "an email address that was verified", config: func(c *OIDCConfig) { c.UserClaim = "email" },
			token: claims(m{"email": "ann@example.org", "email_verified": true}), user: "ann@example.org", groups: []string{}},
		{name: "a moment after its end is within the leeway", token: claims(m{"exp": ago(5 * time.Second)}), user: "ann", groups: []string{}},
		{name: "a moment before its beginning as well", token: claims(m{"nbf": ago(-20 * time.Second)}), user: "ann", groups: []string{}},

		{name: "no token", token: "", code: model.CodeUnauthenticated, message: "required"},
		{name: "not a token", token: "opaque", code: model.CodeUnauthenticated, message: "not a signed JSON Web Token"},
		{name: "three parts that are nothing", token: "a.b.c", code: model.CodeUnauthenticated, message: "not a signed JSON Web Token"},
		{name: "too long a token", token: strings.Repeat("x", maxTokenLength+1), code: model.CodeUnauthenticated, message: "longer than 16384 bytes"},
		{name: "expired", token: claims(m{"exp": ago(time.Minute)}), code: model.CodeUnauthenticated, message: "has expired"},
		{name: "without an end", token: claims(m{"exp": nil}), code: model.CodeUnauthenticated, message: "has expired"},
		{name: "not valid yet", token: claims(m{"nbf": ago(-time.Minute)}), code: model.CodeUnauthenticated, message: "not valid yet"},
		{name: "a beginning that is no time", token: claims(m{"nbf": m{}}), code: model.CodeUnauthenticated},
		{name: "of another issuer", token: claims(m{"iss": "https://id.example.org"}), code: model.CodeUnauthenticated, message: "was not issued by"},
		{name: "of no issuer", token: claims(m{"iss": nil}), code: model.CodeUnauthenticated, message: "does not say who issued it"},
		{name: "for another client", token: claims(m{"aud": "other"}), code: model.CodeUnauthenticated, message: "another audience"},
		{name: "for no client", token: claims(m{"aud": nil}), code: model.CodeUnauthenticated, message: "another audience"},
		{name: "a logout token", token: claims(m{"events": m{}}), code: model.CodeUnauthenticated, message: "not an ID token"},
		{name: "signed by another key of the same name", token: oidctest.Sign(t, stranger, p.Claims(nil)), code: model.CodeUnauthenticated, message: "signature is not good"},
		{name: "signed by an unknown key", token: oidctest.Sign(t, oidctest.NewKey(t, "forged"), p.Claims(nil)), code: model.CodeUnauthenticated, message: "a key that the identity provider does not have"},
		{name: "signed with a shared secret", token: oidctest.Sign(t, shared, p.Claims(nil)), code: model.CodeUnauthenticated, message: "algorithm that is not allowed"},
		{name: "not signed", token: unsigned(t, p.Claims(nil)), code: model.CodeUnauthenticated, message: "algorithm that is not allowed"},
		{name: "signed with another algorithm than is allowed", config: func(c *OIDCConfig) { c.Algorithms = []string{"RS256"} },
			token: claims(nil), code: model.CodeUnauthenticated, message: "allowed are RS256"},
		{name: "changed after it was signed", token: tampered(p.Token(nil)), code: model.CodeUnauthenticated, message: "signature is not good"},

		{name: "without a user", token: claims(m{"sub": nil}), code: model.CodeUnauthenticated, message: "does not name its user"},
		{name: "an empty user", token: claims(m{"sub": ""}), code: model.CodeUnauthenticated, message: "does not name its user"},
		{name: "a user of blanks", token: claims(m{"sub": "  "}), code: model.CodeUnauthenticated, message: "is empty"},
		{name: "a user that is a number", config: func(c *OIDCConfig) { c.UserClaim = "uid" }, token: claims(m{"uid": 7}), code: model.CodeUnauthenticated, message: "does not name its user"},
		{name: "a user of Kubernetes", token: claims(m{"sub": "system:admin"}), code: model.CodeUnauthenticated, message: "begins with system:"},
		{name: "a user of Kubernetes in other letters", token: claims(m{"sub": "System:admin"}), code: model.CodeUnauthenticated, message: "begins with system:"},
		{name: "a user of Kubernetes behind a blank", token: claims(m{"sub": " System:admin"}), code: model.CodeUnauthenticated, message: "begins or ends with white space"},
		{name: "a user that ends with a blank", token: claims(m{"sub": "ann "}), code: model.CodeUnauthenticated, message: "(claim \"sub\") that begins or ends with white space"},
		{name: "a user that begins with a blank of another width", token: claims(m{"sub": "\u2003ann"}), code: model.CodeUnauthenticated, message: "begins or ends with white space"},
		{name: "a user of Kairship", token: claims(m{"sub": "kairship:host:ann"}), code: model.CodeUnauthenticated, message: "begins with system:"},
		{name: "a user of two lines", token: claims(m{"sub": "ann\nkairship:oidc:admins"}), code: model.CodeUnauthenticated, message: "control characters"},
		{name: "too long a user", token: claims(m{"sub": strings.Repeat("a", maxNameLength+1)}), code: model.CodeUnauthenticated, message: "longer than 256 bytes"},
		{name: "an email address that was not verified", config: func(c *OIDCConfig) { c.UserClaim = "email" },
			token: claims(m{"email": "ann@example.org", "email_verified": false}), code: model.CodeUnauthenticated, message: "has not verified"},
		{name: "an email address of which nothing is said", config: func(c *OIDCConfig) { c.UserClaim = "email" },
			token: claims(m{"email": "ann@example.org"}), code: model.CodeUnauthenticated, message: "has not verified"},

		{name: "a group of Kubernetes", token: claims(m{"groups": []string{"ops", "system:masters"}}), code: model.CodeUnauthenticated, message: "names a group"},
		{name: "one group of Kubernetes", token: claims(m{"groups": "system:masters"}), code: model.CodeUnauthenticated, message: "names a group"},
		{name: "a group of Kairship", token: claims(m{"groups": []string{"kairship:host:admins"}}), code: model.CodeUnauthenticated, message: "names a group"},
		{name: "a group that begins with a tab", token: claims(m{"groups": []string{"ops", "\tadmins"}}), code: model.CodeUnauthenticated, message: "(claim \"groups\") that begins or ends with white space"},
		{name: "an empty group", token: claims(m{"groups": []string{""}}), code: model.CodeUnauthenticated, message: "is empty"},
		{name: "a group of two lines", token: claims(m{"groups": []string{"a\r\nImpersonate-Group: b"}}), code: model.CodeUnauthenticated, message: "control characters"},
		{name: "too long a group", token: claims(m{"groups": []string{strings.Repeat("a", maxNameLength+1)}}), code: model.CodeUnauthenticated, message: "longer than 256 bytes"},
		{name: "too many groups", token: claims(m{"groups": many}), code: model.CodeUnauthenticated, message: "names 257 groups, more than 256"},
		{name: "groups that are no texts", token: claims(m{"groups": []any{"ops", 7}}), code: model.CodeUnauthenticated, message: "neither a text nor a list"},
		{name: "groups in another place", token: claims(m{"_claim_names": m{"groups": "src1"}, "_claim_sources": m{"src1": m{"endpoint": "https://example.org"}}}),
			code: model.CodeUnauthenticated, message: "names a place that does"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := newOIDC(t, p, tc.config)
			got, err := a.Authenticate(t.Context(), tc.token)
			wantCode(t, err, tc.code, tc.message)
			want := Principal{}
			if tc.code == "" {
				want = Principal{Name: "kairship:oidc:" + tc.user, Groups: tc.groups}
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("principal (-want +got):\n%s", diff)
			}
			for part := range strings.SplitSeq(tc.token, ".") {
				if err != nil && len(part) > 10 && strings.Contains(err.Error(), part) {
					t.Errorf("the error holds a part of the token: %v", err)
				}
			}
		})
	}
}

func unsigned(t *testing.T, claims map[string]any) string {
	t.Helper()
	payload, err := json.Marshal(claims)
	if err != nil {
		t.Fatal(err)
	}
	encode := base64.RawURLEncoding.EncodeToString
	return encode([]byte(`{"alg":"none","typ":"JWT"}`)) + "." + encode(payload) + "."
}

// tampered makes somebody else of the one whom a token is for.
func tampered(token string) string {
	parts := strings.Split(token, ".")
	payload, _ := base64.RawURLEncoding.DecodeString(parts[1])
	parts[1] = base64.RawURLEncoding.EncodeToString([]byte(strings.Replace(string(payload), `"ann"`, `"bob"`, 1)))
	return strings.Join(parts, ".")
}

func TestRSAKeysVerifyAndUnknownKindsAreLeftOut(t *testing.T) {
	p := oidctest.New(t)
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	key := jose.JSONWebKey{Key: private, KeyID: "r", Algorithm: "RS256"}
	p.Set(func(s *oidctest.Settings) {
		public, _ := key.Public().MarshalJSON()
		s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, _ *http.Request) {
			fmt.Fprintf(w, `{"keys":[{"kty":"FUTURE","kid":"f"},{"kty":"oct","kid":"r","k":"c2VjcmV0"},%s]}`, public)
		}}
	})
	a, _ := newOIDC(t, p, nil)
	if _, err := a.Authenticate(t.Context(), oidctest.Sign(t, key, p.Claims(nil))); err != nil {
		t.Error(err)
	}
}

func TestAKeyForEncryptionSignsNothing(t *testing.T) {
	p := oidctest.New(t)
	other := oidctest.NewKey(t, "for encryption")
	other.Use = "enc"
	p.SetKeys(other, p.Key())
	a, _ := newOIDC(t, p, nil)
	_, err := a.Authenticate(t.Context(), oidctest.Sign(t, other, p.Claims(nil)))
	wantCode(t, err, model.CodeUnauthenticated, "does not have")
}

func TestEndpoints(t *testing.T) {
	p := oidctest.New(t)
	for name, tc := range map[string]struct {
		configuration map[string]any
		want          OIDCEndpoints
	}{
		"a place to sign out that is none": {map[string]any{"end_session_endpoint": "javascript:alert(1)"}, OIDCEndpoints{}},
		"the secret in the form":           {map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post"}}, OIDCEndpoints{EndSession: p.URL + "/end", SecretInBody: true}},
		"the secret in either":             {map[string]any{"token_endpoint_auth_methods_supported": []string{"client_secret_post", "client_secret_basic"}}, OIDCEndpoints{EndSession: p.URL + "/end"}},
	} {
		t.Run(name, func(t *testing.T) {
			p.Set(func(s *oidctest.Settings) { s.Configuration = tc.configuration })
			a, _ := newOIDC(t, p, nil)
			got, err := a.Endpoints(t.Context())
			tc.want.Authorization, tc.want.Token = p.URL+"/authorize", p.URL+"/token"
			if diff := cmp.Diff(tc.want, got); err != nil || diff != "" {
				t.Errorf("%v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestAProviderOnHTTPSHasNoAddressWithoutIt(t *testing.T) {
	for _, name := range []string{"authorization_endpoint", "token_endpoint", "jwks_uri"} {
		p := oidctest.NewTLS(t)
		plain := oidctest.New(t)
		p.Set(func(s *oidctest.Settings) { s.Configuration = map[string]any{name: plain.URL + "/keys"} })
		a, _ := newOIDC(t, p, nil)
		_, err := a.Endpoints(t.Context())
		wantCode(t, err, model.CodeUnavailable, "does not answer")
		if plain.Asked("/keys") != 0 {
			t.Errorf("%s was asked in the clear", name)
		}
	}
}

func TestKeysAreRotated(t *testing.T) {
	p := oidctest.New(t)
	a, clock := newOIDC(t, p, nil)
	old := p.Token(map[string]any{"jti": "1"})
	if _, err := a.Authenticate(t.Context(), old); err != nil {
		t.Fatal(err)
	}
	p.Rotate()
	clock.add(oidcPause)
	if _, err := a.Authenticate(t.Context(), p.Token(nil)); err != nil {
		t.Fatalf("a token of the new key: %v", err)
	}
	if got := p.Asked("/keys"); got != 2 {
		t.Errorf("asked for keys %d times, want 2", got)
	}
	// What the key signed that the provider withdrew is remembered for a moment only.
	clock.add(goodFor)
	_, err := a.Authenticate(t.Context(), old)
	wantCode(t, err, model.CodeUnauthenticated, "does not have")
}

func TestAWithdrawnKeyIsNoticedWithoutAReason(t *testing.T) {
	p := oidctest.New(t)
	a, clock := newOIDC(t, p, nil)
	token := p.Token(map[string]any{"exp": time.Now().Add(24 * time.Hour).Unix()})
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	p.Rotate()
	clock.add(oidcFresh)
	// The keys are asked for beside this request, which does not wait.
	for deadline := time.Now().Add(10 * time.Second); ; {
		if _, err := a.Authenticate(t.Context(), token); err != nil {
			wantCode(t, err, model.CodeUnauthenticated, "does not have")
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("a token of a withdrawn key is good for ever")
		}
		clock.add(goodFor)
	}
}

func TestForgedKeysDoNotHammerTheProvider(t *testing.T) {
	p := oidctest.New(t)
	a, clock := newOIDC(t, p, nil)
	if _, err := a.Authenticate(t.Context(), p.Token(nil)); err != nil {
		t.Fatal(err)
	}
	forge := func() {
		var wait sync.WaitGroup
		for i := range 50 {
			forged := oidctest.Sign(t, oidctest.NewKey(t, fmt.Sprint("forged", i)), p.Claims(nil))
			wait.Go(func() {
				_, err := a.Authenticate(t.Context(), forged)
				if err == nil {
					t.Error("a forged token was taken")
				}
			})
		}
		wait.Wait()
	}
	forge()
	if got := p.Asked("/keys"); got != 1 {
		t.Errorf("asked %d times, want 1: a moment ago it told all its keys", got)
	}
	clock.add(oidcPause)
	forge()
	if got := p.Asked("/keys"); got != 2 {
		t.Errorf("asked %d times, want 2", got)
	}
	// Nor when it is down.
	p.Set(func(s *oidctest.Settings) { s.Down = true })
	clock.add(oidcPause)
	before := p.Asked("/.well-known/openid-configuration")
	forge()
	if got := p.Asked("/.well-known/openid-configuration") - before; got > 2 { // the client repeats what failed on a kept connection
		t.Errorf("asked %d times while it is down", got)
	}
}

func TestKnownKeysWorkWhileTheProviderIsDown(t *testing.T) {
	p := oidctest.New(t)
	a, clock := newOIDC(t, p, nil)
	later := time.Now().Add(48 * time.Hour).Unix()
	if _, err := a.Authenticate(t.Context(), p.Token(map[string]any{"exp": later})); err != nil {
		t.Fatal(err)
	}
	p.Set(func(s *oidctest.Settings) { s.Down = true })
	clock.add(24 * time.Hour)
	if _, err := a.Authenticate(t.Context(), p.Token(map[string]any{"exp": later, "jti": "2"})); err != nil {
		t.Errorf("a token of a known key: %v", err)
	}
	clock.add(oidcRetry)
	_, err := a.Authenticate(t.Context(), oidctest.Sign(t, oidctest.NewKey(t, "new"), p.Claims(map[string]any{"exp": later})))
	wantCode(t, err, model.CodeUnavailable, "does not answer")
}

func TestAProviderThatIsDownAtTheStartIsAskedAgain(t *testing.T) {
	p := oidctest.New(t)
	p.Set(func(s *oidctest.Settings) { s.Down = true })
	a, clock := newOIDC(t, p, nil)
	token := p.Token(nil)
	_, err := a.Authenticate(t.Context(), token)
	wantCode(t, err, model.CodeUnavailable, "does not answer")
	_, err = a.Endpoints(t.Context())
	wantCode(t, err, model.CodeUnavailable, "does not answer")
	p.Set(func(s *oidctest.Settings) { s.Down = false })
	clock.add(oidcRetry)
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Errorf("the provider answers again: %v", err)
	}
	got, err := a.Endpoints(t.Context())
	want := OIDCEndpoints{Authorization: p.URL + "/authorize", Token: p.URL + "/token", EndSession: p.URL + "/end"}
	if diff := cmp.Diff(want, got); err != nil || diff != "" {
		t.Errorf("endpoints: %v (-want +got):\n%s", err, diff)
	}
}

func TestAProviderThatAnswersNonsenseIsDown(t *testing.T) {
	for name, set := range map[string]func(*oidctest.Settings){
		"another issuer": func(s *oidctest.Settings) { s.Configuration = map[string]any{"issuer": "https://other.example.org"} },
		"keys in a file": func(s *oidctest.Settings) { s.Configuration = map[string]any{"jwks_uri": "file:///etc/passwd"} },
		"keys at nobody's": func(s *oidctest.Settings) {
			s.Configuration = map[string]any{"jwks_uri": ""}
		},
		"no keys": func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `{"keys":[]}`) }}
		},
		"a shared secret for a key": func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, _ *http.Request) {
				fmt.Fprint(w, `{"keys":[{"kty":"oct","kid":"s","k":"c2VjcmV0"}]}`)
			}}
		},
		"a page instead of keys": func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, `<html>`) }}
		},
		"keys elsewhere": func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/other", http.StatusFound) }}
		},
		"no end of keys": func(s *oidctest.Settings) {
			s.Answer = map[string]http.HandlerFunc{"/keys": func(w http.ResponseWriter, _ *http.Request) {
				_, _ = w.Write([]byte(`{"keys":[]` + strings.Repeat(" ", maxOIDCAnswer) + `}`))
			}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := oidctest.New(t)
			p.Set(set)
			a, _ := newOIDC(t, p, nil)
			_, err := a.Authenticate(t.Context(), p.Token(nil))
			wantCode(t, err, model.CodeUnavailable, "does not answer")
		})
	}
}

func TestARequestThatEndsDoesNotWaitForTheProvider(t *testing.T) {
	p := oidctest.New(t)
	gate := make(chan struct{})
	p.Set(func(s *oidctest.Settings) {
		s.Answer = map[string]http.HandlerFunc{"/keys": func(http.ResponseWriter, *http.Request) { <-gate }}
	})
	defer close(gate)
	a, _ := newOIDC(t, p, nil)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := a.Authenticate(ctx, p.Token(nil))
	wantCode(t, err, model.CodeTimeout, "the request ended")
}

func TestTheProvidersCertificateIsChecked(t *testing.T) {
	p := oidctest.NewTLS(t)
	a, _ := newOIDC(t, p, nil)
	if _, err := a.Authenticate(t.Context(), p.Token(nil)); err != nil {
		t.Errorf("with its CA: %v", err)
	}
	a, _ = newOIDC(t, p, func(c *OIDCConfig) { c.CA = nil })
	_, err := a.Authenticate(t.Context(), p.Token(nil))
	wantCode(t, err, model.CodeUnavailable, "does not answer")
}

func TestAGoodTokenIsRememberedNoLongerThanItLasts(t *testing.T) {
	p := oidctest.New(t)
	a, clock := newOIDC(t, p, nil)
	token := p.Token(map[string]any{"exp": clock.Now().Add(10 * time.Second).Unix()})
	if _, err := a.Authenticate(t.Context(), token); err != nil {
		t.Fatal(err)
	}
	clock.add(10*time.Second + oidcLeeway)
	_, err := a.Authenticate(t.Context(), token)
	wantCode(t, err, model.CodeUnauthenticated, "has expired")
}

func TestSignInTokens(t *testing.T) {
	p := oidctest.New(t)
	for _, tc := range []struct {
		name    string
		claims  map[string]any
		nonce   string
		message string
	}{
		{"the nonce of this sign-in", map[string]any{"nonce": "n"}, "n", ""},
		{"another nonce", map[string]any{"nonce": "m"}, "n", "nonce"},
		{"no nonce", nil, "n", "nonce"},
		{"no nonce asked for", nil, "", "nonce"},
		{"another of our clients", map[string]any{"nonce": "n", "aud": "cli"}, "n", "another client"},
		{"made for another client", map[string]any{"nonce": "n", "azp": "cli"}, "n", "another client"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			a, _ := newOIDC(t, p, func(c *OIDCConfig) { c.Audiences = append(c.Audiences, "cli") })
			id, err := a.SignIn(t.Context(), p.Token(tc.claims), oidctest.ClientID, tc.nonce)
			if tc.message == "" {
				if err != nil || id.User != "ann" {
					t.Errorf("got %v, %v", id, err)
				}
				return
			}
			wantCode(t, err, model.CodeUnauthenticated, tc.message)
		})
	}
}

func TestOIDCConfigurationsThatCannotWork(t *testing.T) {
	good := OIDCConfig{Issuer: "https://id.example.org", Audiences: []string{"kairship"}}
	if _, err := NewOIDCAuthenticator(good); err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(*OIDCConfig){
		"no audience":             func(c *OIDCConfig) { c.Audiences = nil },
		"an empty audience":       func(c *OIDCConfig) { c.Audiences = []string{""} },
		"no issuer":               func(c *OIDCConfig) { c.Issuer = "" },
		"plain http":              func(c *OIDCConfig) { c.Issuer = "http://id.example.org" },
		"http that looks local":   func(c *OIDCConfig) { c.Issuer = "http://localhost.example.org" },
		"an issuer with a query":  func(c *OIDCConfig) { c.Issuer = "https://id.example.org?x=1" },
		"a shared secret":         func(c *OIDCConfig) { c.Algorithms = []string{"RS256", "HS256"} },
		"no signature":            func(c *OIDCConfig) { c.Algorithms = []string{"none"} },
		"a CA without PEM inside": func(c *OIDCConfig) { c.CA = []byte("certificate") },
	} {
		t.Run(name, func(t *testing.T) {
			cfg := good
			change(&cfg)
			if _, err := NewOIDCAuthenticator(cfg); err == nil {
				t.Error("taken")
			}
		})
	}
}

func FuzzAuthenticateIDToken(f *testing.F) {
	p := oidctest.New(f)
	a, err := NewOIDCAuthenticator(OIDCConfig{Issuer: p.URL, Audiences: []string{oidctest.ClientID}})
	if err != nil {
		f.Fatal(err)
	}
	good := p.Token(nil)
	for _, seed := range []string{good, "", "..", "a.b.c", tampered(good), good + ".", strings.TrimSuffix(good, good[len(good)-4:])} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, token string) {
		got, err := a.Authenticate(t.Context(), token)
		var e *model.Error
		// The last letter of a signature holds bits that count for nothing.
		if err == nil && (got.Name != "kairship:oidc:ann" || len(token) != len(good) || token[:len(good)-1] != good[:len(good)-1]) {
			t.Fatalf("%q is %v", token, got)
		}
		if err != nil && (!errors.As(err, &e) || e.Code != model.CodeUnauthenticated) {
			t.Fatalf("%q: %v", token, err)
		}
	})
}
