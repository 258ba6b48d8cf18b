package auth

import (
	"context"
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	lru "github.com/hashicorp/golang-lru/v2"
	"golang.org/x/sync/singleflight"
	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Authenticator finds the principal of a bearer token. Its errors are *model.Error: UNAUTHENTICATED for a token that
// is not valid, UNAVAILABLE when that could not be checked.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (Principal, error)
}

// TokenReviews creates token reviews in a cluster; client-go's AuthenticationV1().TokenReviews() implements it.
type TokenReviews interface {
	Create(context.Context, *authenticationv1.TokenReview, metav1.CreateOptions) (*authenticationv1.TokenReview, error)
}

const (
	// goodFor is how long a valid token is cached: a revoked one works no longer than that. Together with the
	// interval at which open streams check again it is less than five seconds.
	goodFor = 2 * time.Second
	// spareFor is how long it stays valid while the host cluster does not answer: an outage locks nobody out at once.
	spareFor = time.Minute
	// badFor is how long an invalid token is refused from the cache.
	badFor = 5 * time.Second
	// reviewTimeout bounds one review, and so how long somebody waits whose token is not cached.
	reviewTimeout = 1500 * time.Millisecond
	// patience is how long somebody waits whose token was valid a moment ago: then the cached verdict is used, while
	// the review goes on.
	verifyTimeout = 500 * time.Millisecond
	// againAfter is how long the cached verdict is used after a slow review, before somebody waits for the host
	// cluster again.
	againAfter = time.Second
	// maxTokens is how many tokens are remembered.
	maxTokens = 10_000
	// maxTokenLength is more than any token in use; longer ones are refused without a review.
	maxTokenLength = 16 << 10
)

// HostAuthenticator asks the host cluster for token reviews. It caches verdicts briefly by the token's hash, and
// callers with the same token share one review.
type HostAuthenticator struct {
	reviews  TokenReviews
	audience string
	now      func() time.Time
	flight   singleflight.Group
	// mu keeps a new verdict from being overwritten by an older one.
	mu    sync.Mutex
	known *lru.Cache[[sha256.Size]byte, verdict]
}

type verdict struct {
	principal Principal
	err       *model.Error
	// until is when the verdict expires; spare when it does while the host cluster does not answer, zero for no such
	// use.
	until, spare time.Time
}

// NewHostAuthenticator makes an Authenticator for tokens that the host cluster issued for an audience.
func NewHostAuthenticator(reviews TokenReviews, audience string) *HostAuthenticator {
	known, _ := lru.New[[sha256.Size]byte, verdict](maxTokens) // fails only for a size below 1
	return &HostAuthenticator{reviews: reviews, audience: audience, now: time.Now, known: known}
}

// Authenticate returns the principal that a token belongs to.
func (a *HostAuthenticator) Authenticate(ctx context.Context, token string) (Principal, error) {
	if token == "" {
		return Principal{}, unauthenticated("a bearer token is required", nil)
	}
	if len(token) > maxTokenLength {
		return Principal{}, unauthenticated("the bearer token is not valid", nil)
	}
	if exp, ok := TokenExpiry(token); ok && !a.now().Before(exp) {
		return Principal{}, unauthenticated("the bearer token has expired", nil)
	}
	key := sha256.Sum256([]byte(token))
	v, known := a.known.Get(key)
	known = known && a.now().Before(v.until)
	looked(OriginHost, known)
	if known {
		return v.result()
	}
	spare := a.spare(key)
	// The review outlives the first caller: others wait for the same answer.
	answer := a.flight.DoChan(string(key[:]), panics.Guarded(func() (any, error) {
		// Another review may have finished since the lookup above.
		if v, ok := a.known.Get(key); ok && a.now().Before(v.until) {
			return v, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), reviewTimeout)
		defer cancel()
		v, err := a.review(ctx, token)
		if err != nil {
			return nil, err
		}
		a.mu.Lock()
		defer a.mu.Unlock()
		a.known.Add(key, v)
		return v, nil
	}))
	var enough <-chan time.Time
	if spare != nil {
		timer := time.NewTimer(verifyTimeout)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case <-enough:
		return a.extend(key, *spare).result()
	case r := <-answer:
		if r.Err != nil && spare != nil {
			return a.extend(key, *spare).result()
		}
		if r.Err != nil {
			return Principal{}, &model.Error{Code: model.CodeUnavailable, Retryable: true, Err: r.Err,
				Message: "the host cluster, which knows whose token this is, does not answer"}
		}
		return r.Val.(verdict).result()
	case <-ctx.Done():
		return Principal{}, &model.Error{Code: model.CodeTimeout, Retryable: true, Err: ctx.Err(),
			Message: "the request ended before the host cluster told whose token this is"}
	}
}

// spare returns an expired verdict that may still be used while the host cluster does not answer; nil when there is
// none.
func (a *HostAuthenticator) spare(key [sha256.Size]byte) *verdict {
	if last, ok := a.known.Get(key); ok && a.now().Before(last.spare) {
		return &last
	}
	return nil
}

// extend prolongs a verdict by againAfter, within its spare time, so that not every caller waits for a host cluster
// that does not answer. It returns the current verdict, which differs if a review has finished meanwhile.
func (a *HostAuthenticator) extend(key [sha256.Size]byte, was verdict) verdict {
	a.mu.Lock()
	defer a.mu.Unlock()
	last, ok := a.known.Get(key)
	if !ok {
		return was
	}
	if now := a.now(); !now.Before(last.until) && now.Before(last.spare) {
		if last.until = now.Add(againAfter); last.until.After(last.spare) {
			last.until = last.spare
		}
		a.known.Add(key, last)
	}
	return last
}

func (v verdict) result() (Principal, error) {
	if v.err != nil {
		return Principal{}, v.err
	}
	return v.principal, nil
}

// review asks the host cluster. An error means that it did not answer.
func (a *HostAuthenticator) review(ctx context.Context, token string) (verdict, error) {
	res, err := a.reviews.Create(ctx, &authenticationv1.TokenReview{
		Spec: authenticationv1.TokenReviewSpec{Token: token, Audiences: []string{a.audience}},
	}, metav1.CreateOptions{})
	if err != nil {
		return verdict{}, fmt.Errorf("asking for a token review: %w", err)
	}
	now := a.now()
	refuse := func(why string) (verdict, error) {
		return verdict{until: now.Add(badFor),
			err: unauthenticated("the bearer token is not valid", fmt.Errorf("token review: %s", why))}, nil
	}
	switch status := res.Status; {
	case !status.Authenticated:
		return refuse(status.Error)
	case !slices.Contains(status.Audiences, a.audience):
		// A cluster that ignores audiences would accept any of its tokens, also those for other audiences.
		return refuse(fmt.Sprintf("audiences %q are without %q", status.Audiences, a.audience))
	case status.User.Username == "":
		return refuse("the user has no name")
	case padded(status.User.Username):
		return refuse(fmt.Sprintf("the name of the user, %q, begins or ends with white space", status.User.Username))
	case slices.ContainsFunc(status.User.Groups, padded):
		return refuse(fmt.Sprintf("the name of one of the groups %q begins or ends with white space", status.User.Groups))
	default:
		v := verdict{principal: NewPrincipal(OriginHost, status.User.Username, status.User.Groups), until: now.Add(goodFor), spare: now.Add(spareFor)}
		if exp, ok := TokenExpiry(token); ok && exp.Before(v.until) {
			v.until = exp // the expiry itself is checked before the cache is used
		}
		return v, nil
	}
}

func unauthenticated(message string, err error) *model.Error {
	return &model.Error{Code: model.CodeUnauthenticated, Message: message, Err: err}
}

// TokenExpiry returns the expiry that a token claims; false when it claims none. The token is not verified: callers
// must verify it elsewhere.
func TokenExpiry(token string) (time.Time, bool) {
	claims, ok := unverified(token)
	if !ok || claims.Expiry == nil || *claims.Expiry <= 0 {
		return time.Time{}, false
	}
	return claims.Expiry.Time(), true
}

// signatures are the algorithms of tokens whose claims are read; the verifier decides which of them it accepts.
var signatures = []jose.SignatureAlgorithm{
	jose.EdDSA, jose.HS256, jose.HS384, jose.HS512, jose.RS256, jose.RS384, jose.RS512,
	jose.ES256, jose.ES384, jose.ES512, jose.PS256, jose.PS384, jose.PS512,
}

// unverified reads the claims of a token without verifying it; false for what is not a JWT.
func unverified(token string) (jwt.Claims, bool) {
	parsed, err := jwt.ParseSigned(token, signatures)
	if err != nil {
		return jwt.Claims{}, false
	}
	var claims jwt.Claims
	if parsed.UnsafeClaimsWithoutVerification(&claims) != nil {
		return jwt.Claims{}, false
	}
	return claims, true
}
