// Package token makes and checks the short-lived tokens of the kubeconfigs that Kairship issues. A token names its
// principal and its instance; what they may do is looked up elsewhere at each request, and Revocations knows whether
// it was revoked.
package token

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	jose "github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token/keyring"
	"github.com/kairship-io/kairship/internal/model"
)

const (
	// IssuerName is the iss of every token.
	IssuerName = "kairship"
	// MinLifetime is the shortest lifetime that may be requested.
	MinLifetime = 10 * time.Minute
	// MaxLifetime is the longest, unless Config says less.
	MaxLifetime = 30 * 24 * time.Hour
	// DefaultLifetime applies when no lifetime is requested.
	DefaultLifetime = 8 * time.Hour

	// audiencePrefix comes before the instance's name in the aud.
	audiencePrefix = "kairship:instance:"
	// rotateEvery is the age at which a key stops signing.
	rotateEvery = 30 * 24 * time.Hour
	// leeway is how far the clocks of two replicas may be apart.
	leeway = 30 * time.Second
	// issueTries is how many consecutive seconds are tried as issue time: tokens of the first may have been revoked,
	// and those of the second by a replica whose clock is ahead.
	issueTries = 3
	// maxLength is the longest token, in bytes: longer ones are refused wherever they are sent.
	maxLength = 16 << 10
)

// Token is the content of a token.
type Token struct {
	// ID is random; a token is revoked by it.
	ID        string
	Principal auth.Principal
	// Instance is the only one that it is valid for.
	Instance          string
	IssuedAt, Expires time.Time
}

// Revocations knows the revoked tokens. It is asked for every token, so it must answer from memory.
type Revocations interface {
	// Revoked reports whether a token was revoked: by its id, or with all tokens issued to the principal until some
	// time.
	Revoked(id, principal string, issuedAt time.Time) bool
}

// Config says how tokens are made.
type Config struct {
	// Keys holds the signing keys, for all replicas.
	Keys        keyring.Store
	Revocations Revocations
	// MaxLifetime is the longest that may be requested, up to the constant MaxLifetime, which is also what 0 means.
	MaxLifetime time.Duration
}

// Issuer makes and checks tokens.
type Issuer struct {
	revocations Revocations
	max         time.Duration
	keys        *keyring.Ring[*ecdsa.PrivateKey]
	now         func() time.Time
}

// New makes an Issuer. Its keys are read, and made, when they are first needed.
func New(cfg Config) (*Issuer, error) {
	if cfg.Keys == nil || cfg.Revocations == nil {
		return nil, errors.New("tokens need a store for their keys and somebody who knows which are revoked")
	}
	if cfg.MaxLifetime == 0 {
		cfg.MaxLifetime = MaxLifetime
	}
	if cfg.MaxLifetime < MinLifetime || cfg.MaxLifetime > MaxLifetime {
		return nil, fmt.Errorf("the longest lifetime of a token, %s, is not between %s and %s", cfg.MaxLifetime, MinLifetime, MaxLifetime)
	}
	i := &Issuer{revocations: cfg.Revocations, max: cfg.MaxLifetime, now: time.Now}
	i.keys = keyring.New(cfg.Keys, keyring.Options[*ecdsa.PrivateKey]{
		Generate: generate, Parse: x509.ParseECPrivateKey, RotateEvery: rotateEvery, KeepFor: MaxLifetime,
		Now: func() time.Time { return i.now() },
	})
	return i, nil
}

func generate() ([]byte, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	return x509.MarshalECPrivateKey(key)
}

// claims is the body of a token.
type claims struct {
	jwt.Claims
	Groups []string `json:"groups,omitempty"`
}

// Issue makes a token for a principal and an instance with that lifetime, or DefaultLifetime when it is 0. The error
// is BAD_USER_INPUT on expirationSeconds for a lifetime out of bounds, FORBIDDEN for a principal without an origin,
// LIMIT_EXCEEDED for one in too many groups, and UNAVAILABLE when the keys cannot be read or no token would be valid
// yet.
func (i *Issuer) Issue(ctx context.Context, p auth.Principal, instance string, lifetime time.Duration) (signed string, t Token, err error) {
	if lifetime == 0 {
		lifetime = min(DefaultLifetime, i.max)
	}
	switch {
	case lifetime < MinLifetime || lifetime > i.max:
		return "", Token{}, model.BadInput("expirationSeconds", "between %d and %d seconds are possible",
			int64(MinLifetime/time.Second), int64(i.max/time.Second))
	case instance == "":
		return "", Token{}, model.BadInput("instance", "a token is for one instance, which is not named")
	case !vouched(p):
		return "", Token{}, &model.Error{Code: model.CodeForbidden, Message: "no token can be made for a name that no authority vouches for"}
	}
	key, err := i.keys.Current(ctx)
	if err != nil {
		return "", Token{}, err
	}
	id := rand.Text()
	now, err := i.issueTime(ctx, id, p.Name)
	if err != nil {
		return "", Token{}, err
	}
	t = Token{ID: id, Principal: p, Instance: instance, IssuedAt: now, Expires: now.Add(lifetime)}
	signer, err := jose.NewSigner(jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: key.Value, KeyID: key.ID}},
		(&jose.SignerOptions{}).WithType("JWT"))
	if err != nil {
		return "", Token{}, &model.Error{Code: model.CodeInternal, Message: "the token could not be signed", Err: err}
	}
	signed, err = jwt.Signed(signer).Claims(claims{Groups: p.Groups, Claims: jwt.Claims{
		Issuer: IssuerName, Subject: p.Name, Audience: jwt.Audience{audiencePrefix + instance}, ID: t.ID,
		IssuedAt: jwt.NewNumericDate(now), NotBefore: jwt.NewNumericDate(now), Expiry: jwt.NewNumericDate(t.Expires),
	}}).Serialize()
	if err != nil {
		return "", Token{}, &model.Error{Code: model.CodeInternal, Message: "the token could not be signed", Err: err}
	}
	if len(signed) > maxLength {
		return "", Token{}, &model.Error{Code: model.CodeLimitExceeded,
			Message: fmt.Sprintf("you are in %d groups, whose names do not fit into a token of %d bytes", len(p.Groups), maxLength)}
	}
	return signed, t, nil
}

// issueTime returns the second in which a token is issued. In the second of a revocation it waits for the next:
// tokens have whole seconds, so that a new one would be revoked with the earlier ones. A later second than the
// current one cannot be used: the next revocation would miss that token.
func (i *Issuer) issueTime(ctx context.Context, id, principal string) (time.Time, error) {
	for try := 1; ; try++ {
		now := i.now()
		second := now.Truncate(time.Second)
		if !i.revocations.Revoked(id, principal, second) {
			return second, nil
		}
		early := &model.Error{Code: model.CodeUnavailable, Retryable: true, Message: "kubeconfigs have just been taken back; ask for the new one again in a moment"}
		if try == issueTries {
			return time.Time{}, early
		}
		next := time.NewTimer(second.Add(time.Second).Sub(now))
		select {
		case <-next.C:
		case <-ctx.Done():
			next.Stop()
			early.Err = ctx.Err()
			return time.Time{}, early
		}
	}
}

// Verify checks a token. The error is UNAUTHENTICATED for one that is not valid, and UNAVAILABLE when the keys are
// needed and cannot be read.
func (i *Issuer) Verify(ctx context.Context, token string) (Token, error) {
	fail := func(format string, args ...any) (Token, error) {
		return Token{}, &model.Error{Code: model.CodeUnauthenticated, Message: "the token " + fmt.Sprintf(format, args...)}
	}
	if len(token) > maxLength {
		return fail("is longer than %d bytes", maxLength)
	}
	parsed, err := jwt.ParseSigned(token, []jose.SignatureAlgorithm{jose.ES256})
	if err != nil || len(parsed.Headers) != 1 {
		return fail("is not one of Kairship's")
	}
	key, ok, err := i.keys.ByID(ctx, parsed.Headers[0].KeyID)
	if err != nil {
		return Token{}, err
	}
	if !ok {
		return fail("is signed with a key that is no longer in use")
	}
	var c claims
	if err := parsed.Claims(&key.Value.PublicKey, &c); err != nil {
		return fail("is not one of Kairship's")
	}
	if c.Issuer != IssuerName || len(c.Audience) != 1 || c.ID == "" || c.IssuedAt == nil || c.Expiry == nil {
		return fail("is not one of Kairship's")
	}
	t := Token{ID: c.ID, Principal: auth.Principal{Name: c.Subject, Groups: c.Groups}, IssuedAt: c.IssuedAt.Time(), Expires: c.Expiry.Time()}
	if t.Instance, ok = strings.CutPrefix(c.Audience[0], audiencePrefix); !ok || t.Instance == "" || !vouched(t.Principal) {
		return fail("is not one of Kairship's")
	}
	now := i.now()
	switch {
	case !now.Before(t.Expires):
		return fail("has expired; ask for another kubeconfig")
	case now.Add(leeway).Before(t.IssuedAt), c.NotBefore != nil && now.Add(leeway).Before(c.NotBefore.Time()):
		return fail("is not valid yet")
	case i.revocations.Revoked(t.ID, t.Principal.Name, t.IssuedAt):
		return fail("has been revoked")
	}
	return t, nil
}

// Authenticate returns the principal of a token, limited to its instance; its errors are those of Verify.
func (i *Issuer) Authenticate(ctx context.Context, token string) (auth.Principal, error) {
	t, err := i.Verify(ctx, token)
	if err != nil {
		return auth.Principal{}, err
	}
	t.Principal.Instance = t.Instance
	return t.Principal, nil
}

// vouched says whether every name has an origin and none of them is Kubernetes' own.
func vouched(p auth.Principal) bool {
	return auth.CheckGroups(append([]string{p.Name}, p.Groups...)) == nil
}
