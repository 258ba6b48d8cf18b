package auth

import (
	"context"
	"maps"
)

// Authenticators sends each token to the one authority that could have issued it. Its refusal is final: no other is
// asked.
type Authenticators struct {
	host     Authenticator
	byIssuer map[string]Authenticator
}

// NewAuthenticators combines Authenticators: byIssuer for the issuers that tokens name, host for all other tokens,
// also those that name no issuer.
func NewAuthenticators(host Authenticator, byIssuer map[string]Authenticator) *Authenticators {
	return &Authenticators{host: host, byIssuer: maps.Clone(byIssuer)}
}

// With returns a copy with one issuer's authority replaced or added.
func (a *Authenticators) With(issuer string, authority Authenticator) *Authenticators {
	b := NewAuthenticators(a.host, a.byIssuer)
	if b.byIssuer == nil {
		b.byIssuer = map[string]Authenticator{}
	}
	b.byIssuer[issuer] = authority
	return b
}

// Authenticate returns the principal that a token belongs to.
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

// TokenIssuer returns the issuer that a token names; false when it names none. The token is not verified: use the
// issuer only to choose whom to ask.
func TokenIssuer(token string) (string, bool) {
	claims, ok := unverified(token)
	return claims.Issuer, ok && claims.Issuer != ""
}
