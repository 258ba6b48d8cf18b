// Package pace makes the producer of a subscription's events wait until the next event is wanted and paid for, so that
// a newer change can replace an older one that still waits. It knows neither who subscribes nor what an event costs.
package pace

import "context"

// Turn asks for permission to send one event. granted is closed when it may be sent; decide what to send only then.
// giveBack withdraws the request, or returns the permission when nothing is sent after all.
type Turn func() (granted <-chan struct{}, giveBack func())

type contextKey struct{}

// NewContext returns a context for a subscription whose events need permission.
func NewContext(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, contextKey{}, turn)
}

// From returns the Turn of a context; one that grants at once for a context that has none.
func From(ctx context.Context) Turn {
	if turn, ok := ctx.Value(contextKey{}).(Turn); ok {
		return turn
	}
	return func() (<-chan struct{}, func()) { return always, func() {} }
}

var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
