package upstream

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/sony/gobreaker/v2"

	"github.com/kairship-io/kairship/internal/upstream/panics"
)

// ErrOpen is the error of a call that was not made, since the upstream has not answered lately.
var ErrOpen = errors.New("the circuit is open: it has not answered lately")

// Trip says when a circuit opens, and for how long.
type Trip struct {
	// Failures in a row open the circuit; an answer of any kind begins the count anew.
	Failures int
	// Pause is how long nothing is asked then. After it one call at a time is let through: its answer
	// closes the circuit, its failure begins another pause.
	Pause time.Duration
	// Down says of an error that it means an upstream that does not answer. Every other error is an
	// answer: a refusal of one request says nothing of the next.
	Down func(error) bool
	// Changed is told each time the circuit opens and closes; nil to tell nobody.
	Changed func(name string, open bool)
}

// Breaker is the circuit of one upstream.
type Breaker struct {
	circuit *gobreaker.CircuitBreaker[struct{}]
}

// errLeft marks the calls whose caller left first, or panicked: they tell nothing of the upstream.
var errLeft = errors.New("the caller left")

// NewBreaker makes a closed circuit.
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

// Open says whether a call would be refused now, or is waiting for the one that tries.
func (b *Breaker) Open() bool { return b.circuit.State() == gobreaker.StateOpen }

// Through makes one call through a circuit. The error is ErrOpen when it was not made. The deadline of
// the attempt is set inside call, or at the caller's: a call whose ctx has ended counts neither way, nor does one
// that Await did not make.
func Through[T any](ctx context.Context, b *Breaker, call func(context.Context) (T, error)) (T, error) {
	var out T
	var failed error
	_, err := b.circuit.Execute(func() (struct{}, error) {
		out, failed = panics.Catch(func() (T, error) { return call(ctx) })
		if failed != nil && (ctx.Err() != nil || errors.Is(failed, errGivenUp) || errors.As(failed, new(*panics.Error))) {
			return struct{}{}, errLeft
		}
		return struct{}{}, failed
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return out, ErrOpen
	}
	return out, failed
}

// Breakers is the circuits of many upstreams that are treated alike, by name.
type Breakers struct {
	trip Trip
	mu   sync.Mutex
	all  map[string]*Breaker
}

// NewBreakers makes circuits as they are asked for.
func NewBreakers(t Trip) *Breakers { return &Breakers{trip: t, all: map[string]*Breaker{}} }

// Of is the circuit of one upstream. Names must come from what there is, never from what a user typed:
// circuits are kept.
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

// Forget drops a circuit of an upstream that is no more.
func (b *Breakers) Forget(name string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.all, name)
}
