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

// Authenticator tells who a bearer token belongs to. Its errors are *model.Error: UNAUTHENTICATED for a
// token that is not good, UNAVAILABLE when that could not be found out.
type Authenticator interface {
	Authenticate(ctx context.Context, token string) (Principal, error)
}

// TokenReviews asks a cluster about tokens; client-go's AuthenticationV1().TokenReviews() does.
type TokenReviews interface {
	Create(context.Context, *authenticationv1.TokenReview, metav1.CreateOptions) (*authenticationv1.TokenReview, error)
}

const (
	// goodFor bounds how long a token that was good is taken to be good still: a revoked one works no
	// longer than that. With the time until open streams look again it is less than five seconds.
	goodFor = 2 * time.Second
	// spareFor is how long it is good when the host cluster does not answer: an outage takes no right away at
	// once.
	spareFor = time.Minute
	// badFor is how long a token that was not good is refused without asking.
	badFor = 5 * time.Second
	// reviewTimeout bounds one review, and so how long somebody waits of whom nothing is known.
	reviewTimeout = 1500 * time.Millisecond
	// patience is how long somebody waits whose token was good a moment ago: then it is taken to be good still, while the
	// host cluster is waited for on.
	patience = 500 * time.Millisecond
	// againAfter is how long it is before the next one waits for a host cluster that did not answer in time.
	againAfter = time.Second
	// maxTokens is how many tokens are remembered.
	maxTokens = 10_000
	// maxTokenLength is more than any token in use; longer ones are refused unasked.
	maxTokenLength = 16 << 10
)

// HostAuthenticator asks the host cluster. What it was told is remembered for a moment by the token's
// hash, and callers with the same token share one question.
type HostAuthenticator struct {
	reviews  TokenReviews
	audience string
	now      func() time.Time
	flight   singleflight.Group
	// mu keeps what is found out from being overwritten by what was.
	mu    sync.Mutex
	known *lru.Cache[[sha256.Size]byte, verdict]
}

type verdict struct {
	principal Principal
	err       *model.Error
	// until is how long it holds; spare how long while nobody can be asked, zero for not at all.
	until, spare time.Time
}

// NewHostAuthenticator makes an Authenticator for tokens that the host cluster issued for an audience.
func NewHostAuthenticator(reviews TokenReviews, audience string) *HostAuthenticator {
	known, _ := lru.New[[sha256.Size]byte, verdict](maxTokens) // fails only for a size below 1
	return &HostAuthenticator{reviews: reviews, audience: audience, now: time.Now, known: known}
}

// Authenticate tells who a token belongs to.
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
	// The question outlives the caller who asked first: others wait for the same answer.
	answer := a.flight.DoChan(string(key[:]), panics.Guarded(func() (any, error) {
		// Who came too late for a question finds what it brought.
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
		timer := time.NewTimer(patience)
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

// spare is what was found out of a token a while ago, where that may be taken for good while nobody can be asked; nil
// when there is nothing of the kind.
func (a *HostAuthenticator) spare(key [sha256.Size]byte) *verdict {
	if last, ok := a.known.Get(key); ok && a.now().Before(last.spare) {
		return &last
	}
	return nil
}

// extend lets what was found out hold for a moment more, within its bounds: a host cluster that does not answer is not
// waited for by everybody who comes. What it returns is what holds now, which is something else when that has been found
// out meanwhile.
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

// review asks the host cluster. An error means that it could not be asked.
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
		// A cluster that ignores audiences would let any of its tokens in, those it gave to others too.
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
			v.until = exp // its end is looked at before it is taken from here
		}
		return v, nil
	}
}

func unauthenticated(message string, err error) *model.Error {
	return &model.Error{Code: model.CodeUnauthenticated, Message: message, Err: err}
}

// TokenExpiry is when a token says that it expires; false for one that does not say. The token is not
// verified: who asks must know from elsewhere that it is good.
func TokenExpiry(token string) (time.Time, bool) {
	claims, ok := unverified(token)
	if !ok || claims.Expiry == nil || *claims.Expiry <= 0 {
		return time.Time{}, false
	}
	return claims.Expiry.Time(), true
}

// signatures are all algorithms that a token may be signed with for its claims to be read: whoever verifies it decides
// which of them are good.
var signatures = []jose.SignatureAlgorithm{
	jose.EdDSA, jose.HS256, jose.HS384, jose.HS512, jose.RS256, jose.RS384, jose.RS512,
	jose.ES256, jose.ES384, jose.ES512, jose.PS256, jose.PS384, jose.PS512,
}

// unverified reads the claims of a token that nobody has verified; false for what is no JWT.
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
