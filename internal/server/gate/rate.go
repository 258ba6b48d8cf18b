package gate

import (
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/hashicorp/golang-lru/v2/expirable"
	"golang.org/x/time/rate"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

const (
	// maxBuckets is how many users, and how many addresses, have a bucket. The least recently used one is dropped, and
	// starts again with a full bucket.
	maxBuckets = 20_000
	// maxKnown is how many valid credentials are remembered, and knownFor how long.
	maxKnown = 10_000
	knownFor = 10 * time.Minute
)

// buckets are token buckets by key. A nil one refuses nothing.
type buckets struct {
	limit rate.Limit
	burst int
	now   func() time.Time

	mu    sync.Mutex
	known *lru.Cache[string, *rate.Limiter]
}

// newBuckets makes buckets that gain perSecond tokens and hold burst; nil when perSecond is negative.
func newBuckets(perSecond, burst int, now func() time.Time) *buckets {
	if perSecond < 0 {
		return nil
	}
	known, _ := lru.New[string, *rate.Limiter](maxBuckets) // fails only for a size below 1
	return &buckets{limit: rate.Limit(perSecond), burst: burst, now: now, known: known}
}

func (b *buckets) of(key string) *rate.Limiter {
	b.mu.Lock()
	defer b.mu.Unlock()
	l, ok := b.known.Get(key)
	if !ok {
		l = rate.NewLimiter(b.limit, b.burst)
		b.known.Add(key, l)
	}
	return l
}

// take takes n tokens; when there are fewer it takes none and returns the time until there are enough.
func (b *buckets) take(key string, n int) (wait time.Duration) {
	if b == nil {
		return 0
	}
	now := b.now()
	r := b.of(key).ReserveN(now, min(n, b.burst))
	if wait = r.DelayFrom(now); wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

// owe takes n tokens that were used already, even if there are fewer.
func (b *buckets) owe(key string, n int) {
	if b != nil && n > 0 {
		b.of(key).ReserveN(b.now(), min(n, b.burst))
	}
}

// repay returns n tokens that were taken and not used.
func (b *buckets) repay(key string, n int) {
	if b != nil && n > 0 {
		b.of(key).ReserveN(b.now(), -min(n, b.burst))
	}
}

// lacks returns the time until there are n tokens; 0 when there are. It takes none.
func (b *buckets) lacks(key string, n int) (wait time.Duration) {
	if b == nil {
		return 0
	}
	if has, want := b.of(key).TokensAt(b.now()), float64(min(n, b.burst)); has < want {
		return time.Duration(math.Ceil((want - has) / float64(b.limit) * float64(time.Second)))
	}
	return 0
}

// empty returns the time until there is a token again; 0 when there is one.
func (b *buckets) empty(key string) (wait time.Duration) {
	if b == nil {
		return 0
	}
	if has := b.of(key).TokensAt(b.now()); has < 1 {
		return time.Duration((1 - has) / float64(b.limit) * float64(time.Second))
	}
	return 0
}

// Charge takes points from the caller, and refuses when they have fewer.
func (g *Gate) Charge(ctx context.Context, points int) *model.Error {
	wait := g.rates.take(rbac.PrincipalFrom(ctx).Name, points)
	if wait == 0 {
		return nil
	}
	return tooFast("rate", g.limits.Rate, wait, "you may spend %d points a second, and %d at once", g.limits.Rate, g.limits.RateBurst)
}

// exceeded refuses by a limit on what may be open at once.
func exceeded(limit string, allowed int, format string, args ...any) *model.Error {
	return &model.Error{Code: model.CodeLimitExceeded, Message: fmt.Sprintf(format, args...) + " (limit " + limit + ")",
		Limit: &model.ErrorLimit{Name: limit, Allowed: allowed}}
}

// tooFast refuses by a limit over time, in whole seconds.
func tooFast(limit string, allowed int, wait time.Duration, format string, args ...any) *model.Error {
	e := exceeded(limit, allowed, format, args...)
	e.Retryable, e.Limit.RetryAfter = true, max(int(math.Ceil(wait.Seconds())), 1)
	return e
}

// refused is the recent failures to authenticate, by remote address. A credential that was valid a while ago is not
// blocked by others at the same address, such as a proxy's.
type refused struct {
	*buckets
	allowed int
	good    *expirable.LRU[[sha256.Size]byte, struct{}]
}

func newRefused(n int, now func() time.Time) *refused {
	return &refused{buckets: newBuckets(n, 10*n, now), allowed: n, good: expirable.NewLRU[[sha256.Size]byte, struct{}](maxKnown, nil, knownFor)}
}

func (f *refused) failed(c Credential)    { f.take(c.Address, 1) }
func (f *refused) succeeded(c Credential) { f.good.Add(c.key(), struct{}{}) }

// Refusal is the error for a credential that may not be checked now; nil when it may.
func (g *Gate) Refusal(c Credential) *model.Error {
	wait := g.refused.empty(c.Address)
	if wait == 0 || g.refused.good.Contains(c.key()) {
		return nil
	}
	return tooFast("authentication", g.refused.allowed, wait, "too many requests from your address were refused; at most %d a second may be", g.refused.allowed)
}
