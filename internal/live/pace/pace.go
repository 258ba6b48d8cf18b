// Package pace lets the producer of a subscription's events wait until the next event is wanted and paid for, so that a newer
// change can replace an older one that still waits, and lets subscribers that are told the same share the answer. It knows neither who
// subscribes nor what an event costs.
package pace

import "context"

// Event identifies a change that a stream tells: for one selection and the same rights, equal events have the same answer.
type Event struct {
	// Type is what happened, Object what it happened to (a pointer to a value that is never modified), and At when, in nanoseconds since 1970.
	Type   string
	Object any
	At     int64
}

// Subscriber is who a stream tells. Its methods are called by one goroutine.
type Subscriber interface {
	// Turn asks for permission to have the answer to one event made. granted is closed when it may be; decide for which event only then.
	// giveBack withdraws the request, or returns the permission when none is made after all.
	Turn() (granted <-chan struct{}, giveBack func())
	// Known returns the answer to an event if another subscriber has had it made. It never waits.
	Known(Event) (answer []byte, ok bool)
	// Claim is Known for who has a turn: it waits for an answer that is being made. When ok is false the caller makes it, and others may
	// wait for that.
	Claim(context.Context, Event) (answer []byte, ok bool)
	// Resume is the position at which the subscriber goes on, as a stream has told it by Reached or Send; empty for who begins.
	Resume() (position string)
	// Returns reports whether the subscriber may come back to a position: who may not is told none.
	Returns() bool
	// Reached says at which position the subscriber goes on once the answer that is made now has been sent.
	Reached(position string)
	// Send holds a known answer back until Flush, and never waits. When full is true Flush has to be next.
	Send(answer []byte, position string) (full bool)
	// Flush sends what is held back. An error ends the stream.
	Flush() error
}

type contextKey struct{}

// NewContext returns a context for the subscription of somebody.
func NewContext(ctx context.Context, to Subscriber) context.Context {
	return context.WithValue(ctx, contextKey{}, to)
}

// From returns the Subscriber of a context; Alone for a context that has none.
func From(ctx context.Context) Subscriber {
	if to, ok := ctx.Value(contextKey{}).(Subscriber); ok {
		return to
	}
	return Alone{}
}

// Alone is a subscriber with whom nobody shares, and whose events are made at once.
type Alone struct{}

// Turn grants at once.
func (Alone) Turn() (granted <-chan struct{}, giveBack func()) { return always, func() {} }

// Known knows nothing.
func (Alone) Known(Event) (answer []byte, ok bool) { return nil, false }

// Claim leaves every answer to the caller.
func (Alone) Claim(context.Context, Event) (answer []byte, ok bool) { return nil, false }

// Resume begins.
func (Alone) Resume() (position string) { return "" }

// Returns never.
func (Alone) Returns() bool { return false }

// Reached keeps nothing.
func (Alone) Reached(string) {}

// Send is never called: nothing is known.
func (Alone) Send([]byte, string) (full bool) { return false }

// Flush has nothing to send.
func (Alone) Flush() error { return nil }

var always = func() <-chan struct{} {
	c := make(chan struct{})
	close(c)
	return c
}()
