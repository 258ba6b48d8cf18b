package upstream

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// ErrOpen is the error of a call that was not made because the upstream has not answered recently.
var ErrOpen = errors.New("the circuit is open: it has not answered lately")

// ErrNotMade is the error of a call that was not made for want of something of our own: it says nothing of the upstream.
var ErrNotMade = errors.New("it was not asked")

// Trip configures when a circuit opens, and for how long.
type Trip struct {
	// Failures in a row open the circuit; an answer of any kind resets the count.
	Failures int
	// Pause is how long no calls are made then. After it one call at a time is let through: its answer closes the
	// circuit, its failure starts another pause.
	Pause time.Duration
	// Down reports whether an error means that the upstream does not answer. Every other error is an answer: the
	// refusal of one request says nothing about the next.
	Down func(error) bool
	// Changed is called each time the circuit opens and closes; nil for none.
	Changed func(name string, open bool)
}

// Breaker is the circuit breaker of one upstream.
type Breaker struct {
	circuit *gobreaker.CircuitBreaker[struct{}]
}

// errLeft marks calls whose caller left first, or which panicked: they say nothing about the upstream.
var errLeft = errors.New("the caller left")

// NewBreaker makes a breaker with a closed circuit.
func NewBreaker(name string, t Trip) *Breaker {
	return &Breaker{gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:         name,
		Timeout:      t.Pause,
		ReadyToTrip:  func(c gobreaker.Counts) bool { return int(c.ConsecutiveFailures) >= t.Failures },
		IsSuccessful: func(err error) bool { return err == nil || !t.Down(err) },
		IsExcluded:   func(err error) bool { return errors.Is(err, errLeft) },
		OnStateChange: func(name string, _, to gobreaker.State) {
			if t.Changed != nil && to != gobreaker.StateHalfOpen {
				t.Changed(name, to == gobreaker.StateOpen)
			}
		},
	})}
}

// Open reports whether a call would be refused now, except while a trial call is under way.
func (b *Breaker) Open() bool { return b.circuit.State() == gobreaker.StateOpen }

// Through makes one call through a circuit. The error is ErrOpen when it was not made. Set the deadline of the attempt
// inside call, or by the caller's ctx: a call whose ctx has ended counts as neither success nor failure, nor does one
// that Await did not make or that failed with ErrNotMade.
func Through[T any](ctx context.Context, b *Breaker, call func(context.Context) (T, error)) (T, error) {
	var out T
	var failed error
	_, err := b.circuit.Execute(func() (struct{}, error) {
		out, failed = panics.Catch(func() (T, error) { return call(ctx) })
		if failed != nil && (ctx.Err() != nil || errors.Is(failed, errGivenUp) || errors.Is(failed, ErrNotMade) || errors.As(failed, new(*panics.Error))) {
			return struct{}{}, errLeft
		}
		return struct{}{}, failed
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return out, ErrOpen
	}
	return out, failed
}

// Breakers is the circuit breakers of many similar upstreams, by name.
type Breakers struct {
	trip Trip
	mu   sync.Mutex
	all  map[string]*Breaker
}

// NewBreakers makes breakers on demand.
func NewBreakers(t Trip) *Breakers { return &Breakers{trip: t, all: map[string]*Breaker{}} }

// Of is the breaker of one upstream. Names must be those of existing upstreams, never user input: breakers are kept.
func (b *Breakers) Of(name string) *Breaker {
	b.mu.Lock()
	defer b.mu.Unlock()
	one := b.all[name]
	if one == nil {
		one = NewBreaker(name, b.trip)
		b.all[name] = one
	}
	return one
}

// Forget drops the breaker of a removed upstream.
func (b *Breakers) Forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.all, name)
}
