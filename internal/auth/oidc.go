package auth

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/coreos/go-oidc/v3/oidc"
	jose "github.com/go-jose/go-jose/v4"
	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/kairship-io/kairship/internal/model"
)

// OriginOIDC is the OpenID Connect provider.
const OriginOIDC Origin = "oidc"

// oidcLeeway is how far the provider's clock and ours may be apart.
const oidcLeeway = 30 * time.Second

// OIDCAlgorithms are the signature algorithms that may be allowed, all with a private key that only the
// provider has.
var OIDCAlgorithms = []string{
	oidc.RS256, oidc.RS384, oidc.RS512, oidc.PS256, oidc.PS384, oidc.PS512, oidc.ES256, oidc.ES384, oidc.ES512, oidc.EdDSA,
}

// OIDCConfig says which ID tokens are valid and how they name their users.
type OIDCConfig struct {
	// Issuer is the provider's address, exactly as in its tokens. It is https; http on a loopback address.
	Issuer string
	// Audiences are the accepted client ids; a token needs one of them.
	Audiences []string
	// UserClaim names the claim that is the user's name; "sub" when empty, which every provider keeps
	// unique and never gives to another person. "email" is taken only together with email_verified: true.
	UserClaim string
	// GroupsClaim names the claim that lists the groups, a string or a list of strings; "groups" when empty. Without
	// it the user has no groups.
	GroupsClaim string
	// Algorithms are the accepted ones of OIDCAlgorithms; all of them when empty.
	Algorithms []string
	// CA holds the certificates that must have issued the provider's, in PEM; those of the system when empty.
	CA []byte
}

// OIDCAuthenticator verifies ID tokens of an OpenID Connect provider. It fetches the provider's keys when a token
// first needs them, so that the provider may be down when Kairship starts.
type OIDCAuthenticator struct {
	cfg        OIDCConfig
	algorithms []jose.SignatureAlgorithm
	provider   *oidcProvider
	now        func() time.Time
	known      *lru.Cache[[sha256.Size]byte, verdict]
}

// NewOIDCAuthenticator makes an Authenticator for ID tokens. It fails for a configuration that can never work, and
// does not contact the provider.
func NewOIDCAuthenticator(cfg OIDCConfig) (*OIDCAuthenticator, error) {
	if len(cfg.Audiences) == 0 || slices.Contains(cfg.Audiences, "") {
		return nil, errors.New("the OIDC provider needs a client id: a token for anybody else's client must not be good here")
	}
	if cfg.UserClaim == "" {
		cfg.UserClaim = "sub"
	}
	if cfg.GroupsClaim == "" {
		cfg.GroupsClaim = "groups"
	}
	if len(cfg.Algorithms) == 0 {
		cfg.Algorithms = OIDCAlgorithms
	}
	a := &OIDCAuthenticator{cfg: cfg, now: time.Now}
	for _, algorithm := range cfg.Algorithms {
		if !slices.Contains(OIDCAlgorithms, algorithm) {
			return nil, fmt.Errorf("signature algorithm %q is not one of %s", algorithm, strings.Join(OIDCAlgorithms, ", "))
		}
		a.algorithms = append(a.algorithms, jose.SignatureAlgorithm(algorithm))
	}
	provider, err := newOIDCProvider(cfg.Issuer, cfg.CA, func() time.Time { return a.now() })
	if err != nil {
		return nil, err
	}
	a.provider = provider
	a.known, _ = lru.New[[sha256.Size]byte, verdict](maxTokens) // fails only for a size below 1
	return a, nil
}

// Issuer is the provider's address, as in its tokens.
func (a *OIDCAuthenticator) Issuer() string { return a.cfg.Issuer }

// Client is an HTTP client that trusts the provider's certificate and follows no redirect.
func (a *OIDCAuthenticator) Client() *http.Client { return a.provider.client }

// Endpoints returns the provider's addresses as last discovered. It asks the provider if they are not known yet; the
// error is UNAVAILABLE when it does not answer.
func (a *OIDCAuthenticator) Endpoints(ctx context.Context) (OIDCEndpoints, error) {
	return a.provider.addresses(ctx)
}

// Authenticate returns the principal of an ID token. It caches valid ones briefly, by their hash.
func (a *OIDCAuthenticator) Authenticate(ctx context.Context, token string) (Principal, error) {
	key := sha256.Sum256([]byte(token))
	v, known := a.known.Get(key)
	known = known && a.now().Before(v.until)
	looked(OriginOIDC, known)
	if known {
		return v.result()
	}
	id, _, err := a.verify(ctx, token)
	if err != nil {
		return Principal{}, err
	}
	v = verdict{principal: id.Principal(), until: a.now().Add(goodFor)}
	if id.Expires.Before(v.until) {
		v.until = id.Expires
	}
	a.known.Add(key, v)
	return v.principal, nil
}

// SignIn returns the identity of the ID token of a sign-in: besides passing the checks of Authenticate, it must be
// for that client and carry that nonce.
func (a *OIDCAuthenticator) SignIn(ctx context.Context, token, clientID, nonce string) (OIDCIdentity, error) {
	id, claims, err := a.verify(ctx, token)
	if err != nil {
		return OIDCIdentity{}, err
	}
	switch party := claims.text("azp"); {
	case !slices.Contains(claims.audience, clientID) || party != "" && party != clientID:
		return OIDCIdentity{}, unauthenticated("the token is for another client than the one that signs in here", nil)
	case nonce == "" || claims.text("nonce") != nonce:
		return OIDCIdentity{}, unauthenticated("the token belongs to another sign-in: its nonce differs", nil)
	}
	return id, nil
}

// verify checks what an unverified token says before it asks for a key, so that a token that cannot be valid costs
// the provider nothing.
func (a *OIDCAuthenticator) verify(ctx context.Context, token string) (OIDCIdentity, *oidcClaims, error) {
	fail := func(format string, args ...any) (OIDCIdentity, *oidcClaims, error) {
		return OIDCIdentity{}, nil, unauthenticated("the token "+fmt.Sprintf(format, args...), nil)
	}
	if token == "" {
		return OIDCIdentity{}, nil, unauthenticated("a bearer token is required", nil)
	}
	if len(token) > maxTokenLength {
		return fail("is longer than %d bytes", maxTokenLength)
	}
	// The library would also accept the JSON form, which may hold several signatures.
	if _, err := jose.ParseSignedCompact(token, a.algorithms); err != nil {
		if algorithm, ok := tokenAlgorithm(token); ok && !slices.Contains(a.cfg.Algorithms, algorithm) {
			return fail("is signed with an algorithm that is not allowed; allowed are %s", strings.Join(a.cfg.Algorithms, ", "))
		}
		return fail("is not a signed JSON Web Token")
	}
	switch issuer, ok := TokenIssuer(token); {
	case !ok:
		return fail("does not say who issued it")
	case issuer != a.cfg.Issuer:
		return fail("was not issued by %s", a.cfg.Issuer)
	}
	if exp, ok := TokenExpiry(token); !ok || !a.now().Before(exp.Add(oidcLeeway)) {
		return fail("has expired")
	}

	keys := &keysOfOneToken{provider: a.provider}
	verified, err := oidc.NewVerifier(a.cfg.Issuer, keys, &oidc.Config{
		SupportedSigningAlgs: a.cfg.Algorithms,
		SkipClientIDCheck:    true, // there may be several: checked below
		SkipExpiryCheck:      true, // it has no leeway for exp and a long one for nbf: checked below
	}).Verify(ctx, token)
	if err != nil {
		var known *model.Error
		if errors.As(keys.failure, &known) {
			return OIDCIdentity{}, nil, known
		}
		return fail("is not valid")
	}
	var claims oidcClaims
	if err := verified.Claims(&claims.all); err != nil {
		return fail("holds claims that cannot be read")
	}
	claims.audience = verified.Audience
	now := a.now()
	switch {
	case !slices.ContainsFunc(claims.audience, func(aud string) bool { return slices.Contains(a.cfg.Audiences, aud) }):
		return fail("is for another audience than %s", strings.Join(a.cfg.Audiences, ", "))
	case verified.Expiry.IsZero() || !now.Before(verified.Expiry.Add(oidcLeeway)):
		return fail("has expired")
	case claims.has("events"):
		// A logout token has the same signature, audience and user, and is sent to others, too.
		return fail("is not an ID token")
	}
	if claims.has("nbf") {
		nbf, ok := claims.time("nbf")
		if !ok {
			return fail("holds claims that cannot be read")
		}
		if now.Add(oidcLeeway).Before(nbf) {
			return fail("is not valid yet")
		}
	}
	id, why := claims.identity(a.cfg.UserClaim, a.cfg.GroupsClaim)
	if why != "" {
		return fail("%s", why)
	}
	id.Expires = verified.Expiry
	return id, &claims, nil
}

// keysOfOneToken gives the provider's keys to the library and keeps the error, which the library reduces to text.
type keysOfOneToken struct {
	provider *oidcProvider
	failure  error
}

// VerifySignature implements oidc.KeySet.
func (k *keysOfOneToken) VerifySignature(ctx context.Context, token string) ([]byte, error) {
	payload, err := k.provider.verify(ctx, token)
	k.failure = err
	return payload, err
}

// tokenAlgorithm is the algorithm that a token says it is signed with.
func tokenAlgorithm(token string) (string, bool) {
	head, _, _ := strings.Cut(token, ".")
	raw, err := base64.RawURLEncoding.DecodeString(head)
	if err != nil {
		return "", false
	}
	var header struct {
		Algorithm string `json:"alg"`
	}
	if json.Unmarshal(raw, &header) != nil || header.Algorithm == "" {
		return "", false
	}
	return header.Algorithm, true
}
