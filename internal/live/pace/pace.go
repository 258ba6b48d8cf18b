// Package pace lets whoever makes the events of a subscription wait until the next one is wanted and paid for, so
// that changes which come meanwhile can take each other's place where they are kept. It knows neither who
// subscribes nor what an event costs.
package pace

import "context"

// Turn asks for leave to send one event. granted is closed when it may be sent; what is sent is to be decided
// then and not before. giveBack ends the asking, or gives the leave back, when nothing is sent after all.
type Turn func() (granted <-chan struct{}, giveBack func())

type contextKey struct{}

// NewContext returns a context of a subscription whose events have to ask.
func NewContext(ctx context.Context, turn Turn) context.Context {
	return context.WithValue(ctx, contextKey{}, turn)
}

// From is the Turn of a context; one that is granted at once for a context that has none.
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
