package upstream

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Flight makes one call for all callers with the same key at the same time. The key has to include everything that the
// answer depends on, the principal too. Its zero value is ready.
type Flight[T any] struct {
	group singleflight.Group
}

// Do returns the answer of the call in flight for key, or of a new one. The call has its own context, with the values
// of the first caller's, which ends after timeout: a caller that leaves does not cancel it for the others. Each caller
// waits until their own ctx ends, and then gets its error.
func (f *Flight[T]) Do(ctx context.Context, key string, timeout time.Duration, call func(context.Context) (T, error)) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	// A panic would end the process: return it as an error to all callers.
	answer := f.group.DoChan(key, panics.Guarded(func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), timeout)
		defer cancel()
		return call(ctx)
	}))
	select {
	case r := <-answer:
		out, _ := r.Val.(T)
		return out, r.Err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}
