package auth

import (
	"context"
	"maps"
)

// Authenticators sends each token to the one authority that could have issued it. What that authority
// refuses is refused: no other is asked.
type Authenticators struct {
	host     Authenticator
	byIssuer map[string]Authenticator
}

// NewAuthenticators makes an Authenticator of others: those by the issuer that a token names, and the host
// cluster's for every other token, those included that name nobody.
func NewAuthenticators(host Authenticator, byIssuer map[string]Authenticator) *Authenticators {
	return &Authenticators{host: host, byIssuer: maps.Clone(byIssuer)}
}

// With is the same with one issuer's authority replaced or added.
func (a *Authenticators) With(issuer string, authority Authenticator) *Authenticators {
	b := NewAuthenticators(a.host, a.byIssuer)
	if b.byIssuer == nil {
		b.byIssuer = map[string]Authenticator{}
	}
	b.byIssuer[issuer] = authority
	return b
}

// Authenticate tells who a token belongs to.
func (a *Authenticators) Authenticate(ctx context.Context, token string) (Principal, error) {
	if token == "" {
		return Principal{}, unauthenticated("a bearer token is required", nil)
	}
	if len(token) > maxTokenLength {
		return Principal{}, unauthenticated("the bearer token is not valid", nil)
	}
	if issuer, ok := TokenIssuer(token); ok {
		if authority := a.byIssuer[issuer]; authority != nil {
			return authority.Authenticate(ctx, token)
		}
	}
	return a.host.Authenticate(ctx, token)
}

// TokenIssuer is who a token says issued it; false for one that does not say. The token is not verified:
// it tells whom to ask, nothing more.
func TokenIssuer(token string) (string, bool) {
	claims, ok := unverified(token)
	return claims.Issuer, ok && claims.Issuer != ""
}
