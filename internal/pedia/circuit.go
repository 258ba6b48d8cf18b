package pedia

import (
	"context"
	"errors"
	"sync"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"github.com/kairship-io/kairship/internal/upstream"
)

const (
	// failures in a row after which no requests are made, and for how long. Attempts count one by one, so that it takes
	// more than three requests.
	failures = 10
	pause    = 5 * time.Second
	// trialTimeout is how long the store may take for the cheapest request.
	trialTimeout = time.Second
	// maxPrincipals is the number of principals whose failures are remembered.
	maxPrincipals = 10_000
)

// circuit decides whether the store is asked. One person's requests may be too much for it, which says nothing of the
// requests of others: after repeated failures a person's requests are refused for a moment. Requests of everybody are
// refused only when the store does not answer the cheapest request either.
type circuit struct {
	// name is the upstream's.
	name string
	// trial makes that request.
	trial func(context.Context) error
	own   *lru.Cache[string, *upstream.Breaker]

	mu sync.Mutex
	// failed counts requests in a row, of all principals, that were not answered.
	failed int
	open   bool
	// until is when an open circuit is next tried.
	until time.Time
	// trying says that the trial is running.
	trying bool
}

func newCircuit(name string, trial func(context.Context) error) *circuit {
	own, _ := lru.New[string, *upstream.Breaker](maxPrincipals) // fails only for a size below 1
	circuitOpen.WithLabelValues(name).Set(0)
	return &circuit{name: name, trial: trial, own: own}
}

// through makes a request of a principal. The error is upstream.ErrOpen when it was not made.
func through[T any](ctx context.Context, c *circuit, principal string, request func(context.Context) (T, error)) (answer T, err error) {
	if !c.admit(ctx) {
		return answer, upstream.ErrOpen
	}
	answer, err = upstream.Through(ctx, c.of(principal), request)
	if !errors.Is(err, upstream.ErrOpen) && !errors.Is(err, upstream.ErrNotMade) && (err == nil || ctx.Err() == nil) {
		c.count(ctx, err)
	}
	return answer, err
}

// of is the circuit breaker of a principal's own requests.
func (c *circuit) of(principal string) *upstream.Breaker {
	c.mu.Lock()
	defer c.mu.Unlock()
	b, ok := c.own.Get(principal)
	if !ok {
		b = upstream.NewBreaker(c.name, upstream.Trip{Failures: failures, Pause: pause, Down: down})
		c.own.Add(principal, b)
	}
	return b
}

// admit reports whether requests are made now. After the pause the first caller tries the store for all.
func (c *circuit) admit(ctx context.Context) bool {
	c.mu.Lock()
	if !c.open {
		c.mu.Unlock()
		return true
	}
	if c.trying || time.Now().Before(c.until) {
		c.mu.Unlock()
		return false
	}
	c.trying = true
	c.mu.Unlock()
	return !c.try(ctx)
}

// count counts an attempt. After too many failures in a row it has the store tried.
func (c *circuit) count(ctx context.Context, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err == nil || !down(err) {
		c.failed = 0
		return
	}
	if c.failed++; c.failed < failures || c.open || c.trying {
		return
	}
	c.trying = true
	ctx = context.WithoutCancel(ctx)
	go c.try(ctx) // ends after trialTimeout
}

// try runs the trial, and reports whether the circuit is open afterwards.
func (c *circuit) try(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, trialTimeout)
	defer cancel()
	err := c.trial(ctx)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.trying, c.failed, c.until = false, 0, time.Now().Add(pause)
	was := c.open
	c.open = err != nil && down(err)
	if was && !c.open {
		c.own.Purge() // the store was down: no principal caused these failures
	}
	circuitOpen.WithLabelValues(c.name).Set(map[bool]float64{true: 1}[c.open])
	return c.open
}

// Open reports whether the circuit is open for everybody.
func (c *circuit) Open() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.open
}
