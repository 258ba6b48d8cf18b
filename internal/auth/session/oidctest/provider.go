// Package oidctest gives tests an OpenID Connect provider: discovery, keys, and the code flow with PKCE. It can
// rotate its keys, go down and misbehave. It is for tests only, and knows nothing of what they test.
package oidctest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"log/slog"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync"
	"testing"
	"time"

	jose "github.com/go-jose/go-jose/v4"
)

// The client that the provider knows.
const (
	ClientID     = "kairship-ui"
	ClientSecret = "the secret of kairship-ui"
)

// Provider is an OpenID Connect provider with one client and one person at a time.
type Provider struct {
	// URL is its issuer.
	URL string
	// CA is the certificate of its server in PEM; nil when it speaks plain http.
	CA []byte

	tb     testing.TB
	server *httptest.Server

	mu       sync.Mutex
	settings Settings
	keys     []jose.JSONWebKey // private; the last one signs
	codes    map[string]code
	asked    map[string]int
}

// Settings is how the provider behaves.
type Settings struct {
	// Claims are added to the tokens of those who sign in, and override the default ones.
	Claims map[string]any
	// Down cuts every connection instead of answering.
	Down bool
	// Refuse is the error that sign-ins end with; empty for none.
	Refuse string
	// RedirectURI is the only one that the client may use; empty for any.
	RedirectURI string
	// NoEndSession omits the sign-out endpoint from the configuration.
	NoEndSession bool
	// Configuration is added to the configuration.
	Configuration map[string]any
	// Answer replaces the provider's handlers, by path.
	Answer map[string]http.HandlerFunc
}

// code is what an authorization code was issued for.
type code struct {
	challenge, redirect, nonce string
}

// New starts a provider on plain http; it stops with the test.
func New(tb testing.TB) *Provider {
	tb.Helper()
	return start(tb, (*httptest.Server).Start)
}

// NewTLS starts a provider with a certificate that only its own CA vouches for.
func NewTLS(tb testing.TB) *Provider {
	tb.Helper()
	p := start(tb, (*httptest.Server).StartTLS)
	p.CA = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: p.server.Certificate().Raw})
	return p
}

func start(tb testing.TB, serve func(*httptest.Server)) *Provider {
	tb.Helper()
	p := &Provider{tb: tb, codes: map[string]code{}, asked: map[string]int{}}
	p.Rotate()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /.well-known/openid-configuration", p.configuration)
	mux.HandleFunc("GET /keys", p.serveKeys)
	mux.HandleFunc("GET /authorize", p.authorize)
	mux.HandleFunc("POST /token", p.token)
	p.server = httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.mu.Lock()
		p.asked[r.URL.Path]++
		down, instead := p.settings.Down, p.settings.Answer[r.URL.Path]
		p.mu.Unlock()
		switch {
		case down:
			panic(http.ErrAbortHandler) //nolint:forbidigo // how net/http is told to cut a connection
		case instead != nil:
			instead(w, r)
		default:
			mux.ServeHTTP(w, r)
		}
	}))
	// Tests make handshakes fail on purpose: not logged.
	p.server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	serve(p.server)
	p.URL = p.server.URL
	tb.Cleanup(p.server.Close)
	return p
}

// Set changes how the provider behaves from now on.
func (p *Provider) Set(change func(*Settings)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.settings)
}

// Asked returns how often a path was requested.
func (p *Provider) Asked(path string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.asked[path]
}

// Rotate replaces the signing key. Earlier ones are no longer published.
func (p *Provider) Rotate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = []jose.JSONWebKey{NewKey(p.tb, rand.Text())}
}

// SetKeys replaces all keys, also with private ones of any type. The last one signs.
func (p *Provider) SetKeys(keys ...jose.JSONWebKey) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.keys = keys
}

// Key returns the private key that signs.
func (p *Provider) Key() jose.JSONWebKey {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.keys[len(p.keys)-1]
}

// NewKey makes a private key for ES256.
func NewKey(tb testing.TB, id string) jose.JSONWebKey {
	tb.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	return jose.JSONWebKey{Key: private, KeyID: id, Algorithm: string(jose.ES256), Use: "sig"}
}

// Claims returns those of a valid token for ClientID that expires in an hour, with changes. A change to nil removes
// the claim.
func (p *Provider) Claims(changes map[string]any) map[string]any {
	now := time.Now()
	claims := map[string]any{"iss": p.URL, "sub": "ann", "aud": ClientID, "iat": now.Unix(), "exp": now.Add(time.Hour).Unix()}
	maps.Copy(claims, changes)
	maps.DeleteFunc(claims, func(_ string, v any) bool { return v == nil })
	return claims
}

// Token returns a token of the provider, of Claims with changes.
func (p *Provider) Token(changes map[string]any) string {
	p.tb.Helper()
	return Sign(p.tb, p.Key(), p.Claims(changes))
}

// Sign makes a token with a key of any kind.
func Sign(tb testing.TB, key jose.JSONWebKey, claims map[string]any) string {
	tb.Helper()
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.SignatureAlgorithm(key.Algorithm), Key: key}, (&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		tb.Fatal(err)
	}
	payload, err := json.Marshal(claims)
	if err != nil {
		tb.Fatal(err)
	}
	signed, err := signer.Sign(payload)
	if err != nil {
		tb.Fatal(err)
	}
	token, err := signed.CompactSerialize()
	if err != nil {
		tb.Fatal(err)
	}
	return token
}

func (p *Provider) configuration(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	c := map[string]any{
		"issuer": p.URL, "authorization_endpoint": p.URL + "/authorize", "token_endpoint": p.URL + "/token", "jwks_uri": p.URL + "/keys",
		"id_token_signing_alg_values_supported": []string{"ES256"}, "response_types_supported": []string{"code"},
		"subject_types_supported": []string{"public"},
	}
	if !p.settings.NoEndSession {
		c["end_session_endpoint"] = p.URL + "/end"
	}
	maps.Copy(c, p.settings.Configuration)
	answer(w, http.StatusOK, c)
}

func (p *Provider) serveKeys(w http.ResponseWriter, _ *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	var set jose.JSONWebKeySet
	for _, k := range p.keys {
		set.Keys = append(set.Keys, k.Public())
	}
	answer(w, http.StatusOK, set)
}

// authorize signs the person in without asking.
func (p *Provider) authorize(w http.ResponseWriter, r *http.Request) {
	p.mu.Lock()
	defer p.mu.Unlock()
	q := r.URL.Query()
	redirect, err := url.Parse(q.Get("redirect_uri"))
	if err != nil || q.Get("client_id") != ClientID || p.settings.RedirectURI != "" && q.Get("redirect_uri") != p.settings.RedirectURI {
		http.Error(w, "unknown client or redirect_uri", http.StatusBadRequest)
		return
	}
	back := url.Values{"state": {q.Get("state")}, "iss": {p.URL}}
	switch {
	case p.settings.Refuse != "":
		back.Set("error", p.settings.Refuse)
		back.Set("error_description", "<script>alert(1)</script>")
	case q.Get("response_type") != "code" || q.Get("code_challenge_method") != "S256" || q.Get("code_challenge") == "" || q.Get("nonce") == "" || q.Get("state") == "":
		back.Set("error", "invalid_request")
	default:
		c := rand.Text()
		p.codes[c] = code{q.Get("code_challenge"), q.Get("redirect_uri"), q.Get("nonce")}
		back.Set("code", c)
	}
	redirect.RawQuery = back.Encode()
	http.Redirect(w, r, redirect.String(), http.StatusFound)
}

func (p *Provider) token(w http.ResponseWriter, r *http.Request) {
	id, secret, ok := r.BasicAuth()
	id, _ = url.QueryUnescape(id)
	secret, _ = url.QueryUnescape(secret)
	if !ok || id != ClientID || secret != ClientSecret {
		answer(w, http.StatusUnauthorized, map[string]any{"error": "invalid_client"})
		return
	}
	p.mu.Lock()
	given, ok := p.codes[r.PostFormValue("code")]
	delete(p.codes, r.PostFormValue("code"))
	changes := maps.Clone(p.settings.Claims)
	p.mu.Unlock()
	challenge := sha256.Sum256([]byte(r.PostFormValue("code_verifier")))
	if !ok || r.PostFormValue("grant_type") != "authorization_code" || r.PostFormValue("redirect_uri") != given.redirect ||
		base64.RawURLEncoding.EncodeToString(challenge[:]) != given.challenge {
		answer(w, http.StatusBadRequest, map[string]any{"error": "invalid_grant", "error_description": "the code is not good"})
		return
	}
	claims := map[string]any{"nonce": given.nonce}
	maps.Copy(claims, changes)
	answer(w, http.StatusOK, map[string]any{"access_token": rand.Text(), "token_type": "Bearer", "expires_in": 3600, "id_token": p.Token(claims)})
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) //nolint:errchkjson // a client that left is no matter
}
