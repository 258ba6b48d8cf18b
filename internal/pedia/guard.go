package pedia

import (
	"context"
	"errors"
	"sync/atomic"
	"time"

	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// guard makes the requests of an executor resilient: callers share the same request, it is retried where that may help,
// and it is not made where the upstream has not answered recently.
type guard[T any] struct {
	// name is the upstream's: in metrics, and among those that an operation waits for.
	name    string
	timeout time.Duration
	circuit *circuit
	retries *upstream.RetryPolicy
	shared  upstream.Flight[T]
}

// newGuard makes a guard of the named upstream. Each request ends after timeout at the latest. The trial makes the
// cheapest request that there is.
func newGuard[T any](name string, timeout time.Duration, trial func(context.Context) error) *guard[T] {
	return &guard[T]{name: name, timeout: timeout, circuit: newCircuit(name, trial), retries: newRetryPolicy()}
}

// wait is how long a caller waits at most.
func (g *guard[T]) wait() time.Duration { return g.timeout + cancelGrace }

// run makes a request and retries it where that may help, within one deadline. Callers with the same key at the same time,
// as the same principal, share it. One operation times out on the upstream only once. The label names the request in
// metrics.
func (g *guard[T]) run(ctx context.Context, key, label string, attempt func(context.Context) (T, error)) (T, error) {
	return upstream.Await(ctx, g.name, g.wait(), func(ctx context.Context, _ func()) (T, error) { return g.share(ctx, key, label, attempt) })
}

func (g *guard[T]) share(ctx context.Context, key, label string, attempt func(context.Context) (T, error)) (T, error) {
	principal := rbac.PrincipalFrom(ctx)
	var alone atomic.Bool
	answer, err := g.shared.Do(ctx, principal.Key()+"\n"+key, g.wait(), func(ctx context.Context) (T, error) {
		alone.Store(true)
		deadline := time.Now().Add(g.timeout)
		var said error
		return upstream.Retry(ctx, g.retries, func(ctx context.Context) (T, error) {
			if said != nil {
				retries.WithLabelValues(g.name, label).Inc()
			}
			answer, err := through(ctx, g.circuit, principal.Name, func(ctx context.Context) (T, error) {
				ctx, cancel := context.WithDeadline(ctx, deadline)
				defer cancel()
				return attempt(ctx)
			})
			if errors.Is(err, upstream.ErrOpen) && said != nil {
				return answer, &lastWord{said} // the response to this request tells more
			}
			said = err
			return answer, err
		})
	})
	if !alone.Load() && err == nil {
		sharedAnswers.WithLabelValues(g.name, label).Inc()
	}
	return answer, err
}

// cancelGrace is how long callers wait beyond a request's deadline, so that the request times out first: an upstream that
// hangs then counts for the circuit.
const cancelGrace = 100 * time.Millisecond
