package upstream

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Hedging says when Hedge makes the other call.
type Hedging struct {
	// After is how long the call may take before the other one is made as well.
	After time.Duration
	// Late is asked before the other call is made because the first is late: what makes many calls late must not be
	// asked for twice as much.
	Late func() bool
	// Helps reports whether the other call may succeed after this error of the first.
	Helps func(error) bool
}

// Hedge makes a call, and the other one when the call is late or fails in a way in which the other may succeed. The first
// answer counts, and the context of the call that is still under way ends. When both fail, the error is the first call's.
func Hedge[T any](ctx context.Context, h Hedging, call, other func(context.Context) (T, error)) (T, error) {
	type result struct {
		out   T
		err   error
		first bool
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	results := make(chan result, 2)
	running := 0
	start := func(f func(context.Context) (T, error), first bool) {
		running++
		go func() {
			out, err := panics.Catch(func() (T, error) { return f(ctx) })
			results <- result{out, err, first}
		}()
	}
	start(call, true)
	late := time.NewTimer(h.After)
	defer late.Stop()
	var failed result
	for hedged := false; running > 0; {
		select {
		case <-late.C:
			if !hedged && h.Late() {
				hedged = true
				start(other, false)
			}
		case r := <-results:
			running--
			if r.err == nil {
				return r.out, nil
			}
			if !r.first {
				continue
			}
			failed = r
			if !hedged && h.Helps(r.err) && ctx.Err() == nil {
				hedged = true
				start(other, false)
			}
		}
	}
	return failed.out, failed.err
}
