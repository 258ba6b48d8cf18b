package upstream

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// Flight makes one call for all who ask for the same at the same time. The key has to hold everything
// that the answer depends on: whoever asks, too. Its zero value is ready.
type Flight[T any] struct {
	group singleflight.Group
}

// Do is the answer of the call in flight for key, or of a new one. The call has a context of its own, that
// carries the values of the first one who asked and ends after timeout: one who leaves takes the answer
// from nobody. Each one who asks waits until their own ctx ends, and has its error then.
func (f *Flight[T]) Do(ctx context.Context, key string, timeout time.Duration, call func(context.Context) (T, error)) (T, error) {
	if err := ctx.Err(); err != nil {
		var none T
		return none, err
	}
	// A panic would end the process: it is the error of all who wait.
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
