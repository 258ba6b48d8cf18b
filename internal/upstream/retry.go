package upstream

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"
)

// RetryPolicy says how often and how soon a read is made again. It is shared by all calls to one upstream:
// its budget keeps many callers from multiplying the load of an upstream that is failing. Safe for use by
// many goroutines.
type RetryPolicy struct {
	attempts   int
	first, max time.Duration
	budget     *rate.Limiter
	transient  func(error) bool
}

// RetryOptions are the settings of a RetryPolicy.
type RetryOptions struct {
	// Attempts is how often a call is made at most, the first time included.
	Attempts int
	// First is about how long the first pause is; each further one is about twice as long, up to Max.
	// All are spread by half either way.
	First, Max time.Duration
	// Burst is how many retries of all callers together may be made at once, Every how long it takes to
	// earn another one.
	Burst int
	Every time.Duration
	// Transient says of an error that the same call may succeed in a moment.
	Transient func(error) bool
}

// NewRetryPolicy makes a RetryPolicy with its whole budget.
func NewRetryPolicy(o RetryOptions) *RetryPolicy {
	return &RetryPolicy{attempts: o.Attempts, first: o.First, max: o.Max,
		budget: rate.NewLimiter(rate.Every(o.Every), o.Burst), transient: o.Transient}
}

// Retry makes a call until it succeeds, fails in a way that is not transient, or attempts, budget or
// context are at their end. The error is that of the last attempt. Only for calls that change nothing.
func Retry[T any](ctx context.Context, p *RetryPolicy, call func(context.Context) (T, error)) (T, error) {
	pauses := backoff.NewExponentialBackOff()
	pauses.InitialInterval, pauses.MaxInterval, pauses.Multiplier, pauses.RandomizationFactor = p.first, p.max, 2, 0.5
	var last error
	left := p.attempts
	out, err := backoff.Retry(ctx, func() (T, error) {
		out, err := call(ctx)
		last = err
		left--
		if err != nil && (left <= 0 || !p.transient(err) || ctx.Err() != nil || !p.budget.Allow()) {
			return out, backoff.Permanent(err)
		}
		return out, err
	}, backoff.WithBackOff(pauses), backoff.WithMaxElapsedTime(0))
	if err == nil {
		return out, nil
	}
	// The library answers with the context's error when it ends during a pause; what the upstream said
	// tells more.
	return out, last
}
