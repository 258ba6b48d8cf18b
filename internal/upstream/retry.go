package upstream

import (
	"context"
	"time"

	"github.com/cenkalti/backoff/v5"
	"golang.org/x/time/rate"
)

// RetryPolicy says how often and how soon a read is retried. All calls to one upstream share it: its budget keeps many
// callers from multiplying the load of a failing upstream. Safe for concurrent use.
type RetryPolicy struct {
	attempts   int
	first, max time.Duration
	budget     *rate.Limiter
	transient  func(error) bool
}

// RetryOptions are the settings of a RetryPolicy.
type RetryOptions struct {
	// Attempts is the maximum number of calls, including the first.
	Attempts int
	// First is the approximate length of the first pause; each further one is about twice as long, up to Max. All vary
	// by half either way.
	First, Max time.Duration
	// Burst is how many retries of all callers together may be made at once, Every the time after which another one is
	// allowed.
	Burst int
	Every time.Duration
	// Transient reports whether the same call may succeed in a moment.
	Transient func(error) bool
}

// NewRetryPolicy makes a RetryPolicy with its full budget.
func NewRetryPolicy(o RetryOptions) *RetryPolicy {
	return &RetryPolicy{attempts: o.Attempts, first: o.First, max: o.Max,
		budget: rate.NewLimiter(rate.Every(o.Every), o.Burst), transient: o.Transient}
}

// Retry makes a call until it succeeds, fails with an error that is not transient, or attempts, budget or context are
// exhausted. The error is that of the last attempt. Only for calls that change nothing.
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
	// The library returns the context's error when it ends during a pause; the upstream's error tells more.
	return out, last
}
