package auth

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	jose "github.com/go-jose/go-jose/v4"
	"golang.org/x/sync/singleflight"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

const (
	// oidcTimeout bounds asking the provider for its addresses and keys.
	oidcTimeout = 5 * time.Second
	// oidcFresh is how long the keys are used before they are fetched again: a withdrawn key works no longer than
	// that, while the provider answers.
	oidcFresh = 10 * time.Minute
	// oidcPause is the least time between an answer and the next request, whatever keys tokens name: it delays a new
	// key by no more than that.
	oidcPause = 10 * time.Second
	// oidcRetry is the same after a failure.
	oidcRetry = 2 * time.Second
	// maxOIDCAnswer is the largest answer of the provider, in bytes.
	maxOIDCAnswer = 1 << 20
)

// OIDCEndpoints are a provider's addresses.
type OIDCEndpoints struct {
	// Authorization is where a browser is sent to sign in, Token where its code is exchanged for tokens.
	Authorization, Token string
	// EndSession is where a browser is sent to sign out; empty when the provider has no such endpoint.
	EndSession string
	// SecretInBody says that Token wants the client's secret in the form and not in the header.
	SecretInBody bool
}

// oidcProvider caches a provider's configuration and keys.
type oidcProvider struct {
	issuer string
	local  bool // http on a loopback address: then its other addresses may be http as well
	client *http.Client
	now    func() time.Time
	flight singleflight.Group

	mu        sync.Mutex
	endpoints OIDCEndpoints
	keys      []jose.JSONWebKey
	answered  time.Time // when it last did; zero when it never did
	next      time.Time // when it may be asked again
	failure   error     // of the last time it was asked; nil when it answered
}

func newOIDCProvider(issuer string, ca []byte, now func() time.Time) (*oidcProvider, error) {
	u, err := url.Parse(issuer)
	if err != nil || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, errors.New("the OIDC issuer is not an address like https://id.example.org")
	}
	local := u.Scheme == "http" && Loopback(u.Hostname())
	if u.Scheme != "https" && !local {
		return nil, fmt.Errorf("the OIDC issuer %s is not https: its keys could be anybody's", issuer)
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout: oidcTimeout,
		ForceAttemptHTTP2:   true,
		MaxIdleConns:        4,
		IdleConnTimeout:     time.Minute,
	}
	if len(ca) > 0 {
		transport.TLSClientConfig.RootCAs = x509.NewCertPool()
		if !transport.TLSClientConfig.RootCAs.AppendCertsFromPEM(ca) {
			return nil, errors.New("the CA bundle of the OIDC provider holds no certificate in PEM")
		}
	}
	return &oidcProvider{issuer: issuer, local: local, now: now, client: &http.Client{
		Transport: telemetry.Upstream(telemetry.TargetOIDC, "")(bounded{transport}),
		Timeout:   2 * oidcTimeout,
		// Only the provider's own answer counts, not one that it redirects to.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Loopback reports whether a host name means this machine, where nobody can intercept plain http.
func Loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// bounded limits the size of answers.
type bounded struct{ next http.RoundTripper }

func (b bounded) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := b.next.RoundTrip(r)
	if err == nil {
		res.Body = http.MaxBytesReader(nil, res.Body, maxOIDCAnswer)
	}
	return res, err
}

// verify checks a token's signature and returns the payload. It tries the known keys first: when one fits, the
// provider need not answer. Its errors are *model.Error.
func (p *oidcProvider) verify(ctx context.Context, token string) ([]byte, error) {
	algorithms := make([]jose.SignatureAlgorithm, len(OIDCAlgorithms))
	for i, a := range OIDCAlgorithms {
		algorithms[i] = jose.SignatureAlgorithm(a)
	}
	signed, err := jose.ParseSignedCompact(token, algorithms)
	if err != nil {
		return nil, unauthenticated("the token is not a signed JSON Web Token", nil)
	}
	p.mu.Lock()
	stale := p.now().Sub(p.answered) >= oidcFresh
	keys := p.keys
	p.mu.Unlock()
	payload, named := verifyWith(keys, signed)
	if payload != nil {
		if stale {
			p.ask(ctx)
		}
		return payload, nil
	}
	// An unknown key may be new, and one that does not fit may have been replaced under the same id.
	err = p.wait(ctx, p.ask(ctx))
	p.mu.Lock()
	keys = p.keys
	p.mu.Unlock()
	payload, namedNow := verifyWith(keys, signed)
	switch {
	case payload != nil:
		return payload, nil
	case named || namedNow:
		return nil, unauthenticated("the token's signature is not good", nil)
	case err != nil:
		return nil, err
	default:
		return nil, unauthenticated("the token is signed with a key that the identity provider does not have", nil)
	}
}

// verifyWith returns the payload, nil when no key fits; named reports whether one of them is the key that the token
// names.
func verifyWith(keys []jose.JSONWebKey, signed *jose.JSONWebSignature) (payload []byte, named bool) {
	id := signed.Signatures[0].Header.KeyID
	for _, key := range keys {
		if id != "" && key.KeyID != id {
			continue
		}
		named = true
		if payload, err := signed.Verify(key); err == nil {
			return payload, true
		}
	}
	return nil, named
}

func (p *oidcProvider) addresses(ctx context.Context) (OIDCEndpoints, error) {
	p.mu.Lock()
	known, endpoints := !p.answered.IsZero(), p.endpoints
	stale := p.now().Sub(p.answered) >= oidcFresh
	p.mu.Unlock()
	if known && !stale {
		return endpoints, nil
	}
	answer := p.ask(ctx)
	if known {
		return endpoints, nil
	}
	if err := p.wait(ctx, answer); err != nil {
		return OIDCEndpoints{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.endpoints, nil
}

// ask queries the provider unless it was queried a moment ago; concurrent callers share one request, which outlives
// the first of them.
func (p *oidcProvider) ask(ctx context.Context) <-chan singleflight.Result {
	return p.flight.DoChan("", panics.Guarded(func() (any, error) {
		p.mu.Lock()
		early, failure := p.now().Before(p.next), p.failure
		p.mu.Unlock()
		if early {
			return nil, failure
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), oidcTimeout)
		defer cancel()
		endpoints, keys, err := p.discover(ctx)
		p.mu.Lock()
		defer p.mu.Unlock()
		now := p.now()
		if p.failure = err; err != nil {
			p.next = now.Add(oidcRetry)
			return nil, err
		}
		p.endpoints, p.keys, p.answered, p.next = endpoints, keys, now, now.Add(oidcPause)
		return nil, nil
	}))
}

func (p *oidcProvider) wait(ctx context.Context, answer <-chan singleflight.Result) error {
	select {
	case r := <-answer:
		if r.Err != nil {
			return &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: r.Err,
				Message: "the identity provider, whose keys tell whether the token is good, does not answer"}
		}
		return nil
	case <-ctx.Done():
		return &model.Error{Code: model.CodeTimeout, Retryable: true, Err: ctx.Err(),
			Message: "the request ended before the identity provider answered"}
	}
}

// discover asks for the provider's addresses and keys.
func (p *oidcProvider) discover(ctx context.Context) (OIDCEndpoints, []jose.JSONWebKey, error) {
	found, err := oidc.NewProvider(oidc.ClientContext(ctx, p.client), p.issuer)
	if err != nil {
		// The library's error holds the whole answer.
		return OIDCEndpoints{}, nil, fmt.Errorf("asking %s for its configuration: %.300s", p.issuer, err.Error())
	}
	var also struct {
		Keys       string   `json:"jwks_uri"`
		EndSession string   `json:"end_session_endpoint"`
		Methods    []string `json:"token_endpoint_auth_methods_supported"`
	}
	if err := found.Claims(&also); err != nil {
		return OIDCEndpoints{}, nil, fmt.Errorf("reading the configuration of %s: %w", p.issuer, err)
	}
	endpoints := OIDCEndpoints{Authorization: found.Endpoint().AuthURL, Token: found.Endpoint().TokenURL, EndSession: also.EndSession,
		// The header is the default.
		SecretInBody: slices.Contains(also.Methods, "client_secret_post") && !slices.Contains(also.Methods, "client_secret_basic")}
	for name, address := range map[string]string{"jwks_uri": also.Keys, "authorization_endpoint": endpoints.Authorization, "token_endpoint": endpoints.Token} {
		if !p.safe(address) {
			return OIDCEndpoints{}, nil, fmt.Errorf("the configuration of %s: %s %q is no https address", p.issuer, name, address)
		}
	}
	if !p.safe(endpoints.EndSession) {
		endpoints.EndSession = ""
	}
	keys, err := p.fetchKeys(ctx, also.Keys)
	if err != nil {
		return OIDCEndpoints{}, nil, fmt.Errorf("asking %s for its keys: %w", p.issuer, err)
	}
	return endpoints, keys, nil
}

func (p *oidcProvider) safe(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Host != "" && (u.Scheme == "https" || p.local && u.Scheme == "http")
}

func (p *oidcProvider) fetchKeys(ctx context.Context, address string) ([]jose.JSONWebKey, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		return nil, err
	}
	res, err := p.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("it answers %s", res.Status)
	}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(raw, &set); err != nil {
		return nil, errors.New("it answers something else than a set of keys")
	}
	var keys []jose.JSONWebKey
	for _, one := range set.Keys {
		// Keys of unknown types and keys for encryption are for other clients.
		var key jose.JSONWebKey
		if key.UnmarshalJSON(one) == nil && key.Valid() && (key.Use == "" || key.Use == "sig") {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("it answers no key that can verify a signature")
	}
	return keys, nil
}
