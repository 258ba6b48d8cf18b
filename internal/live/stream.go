package live

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
)

// stream moves changes from a buffer to a channel.
type stream[K comparable, T, C any] struct {
	name string
	hub  *Hub
	// gone ends it: its instance is.
	gone    <-chan struct{}
	buffer  *buffer[K, T]
	restart func()
	// resume begins the stream with what has changed since a position, and position names one; nil where who comes back begins anew.
	resume   func(position string) bool
	position func(number int64) string
	end      func()
	wrap     func(change[K, T]) C
}

func (s *stream[K, T, C]) start(ctx context.Context) (<-chan C, error) {
	to := pace.From(ctx)
	if !to.Returns() {
		s.position = nil
	}
	if from := to.Resume(); from != "" && (s.resume == nil || !s.resume(from)) {
		s.buffer.lose() // with RESYNC
	}
	out := make(chan C)
	open := s.hub.metrics.subscribers.WithLabelValues(s.name)
	if !s.hub.spawn(func() {
		open.Inc()
		defer open.Dec()
		defer s.hub.metrics.queues.open(s.buffer)()
		defer close(out)
		defer s.end()
		s.run(ctx, out)
	}) {
		s.end()
		return nil, errClosed
	}
	return out, nil
}

// run sends what waits in bursts and rests between them, so that what has changed meanwhile goes out together.
func (s *stream[K, T, C]) run(ctx context.Context, out chan<- C) {
	to := pace.From(ctx)
	defer func() { _ = to.Flush() }()
	for {
		n, rest := s.buffer.burst(time.Now())
		if !s.burst(ctx, to, n, out) || to.Flush() != nil {
			return
		}
		s.buffer.flushed(time.Now())
		switch {
		case n == 0:
			if !s.comes(ctx, s.buffer.wake, rest) {
				return
			}
		case rest > 0:
			if !s.comes(ctx, nil, rest) {
				return
			}
		}
	}
}

// burst sends at most so many changes; false when the stream has ended.
func (s *stream[K, T, C]) burst(ctx context.Context, to pace.Subscriber, left int, out chan<- C) bool {
	for left > 0 {
		sent, full := s.tellKnown(ctx, to, left)
		left -= sent
		switch {
		case full:
			if to.Flush() != nil {
				return false
			}
		case left > 0:
			if !s.next(ctx, to, out) {
				return false
			}
			left--
		}
	}
	return true
}

// tellKnown sends changes whose answers are known, as long as there are such, and returns how many; full says that they have to be flushed.
// Few streams do so at once: with hundreds of them ready to run, the watches, which everybody waits for, would wait for each of them.
func (s *stream[K, T, C]) tellKnown(ctx context.Context, to pace.Subscriber, most int) (sent int, full bool) {
	select {
	case s.hub.telling <- struct{}{}:
		defer func() { <-s.hub.telling }()
	case <-ctx.Done():
		return 0, false
	}
	for sent < most && !full {
		c, ok := s.buffer.peek()
		if !ok {
			break
		}
		answer, ok := to.Known(eventOf(c))
		if !ok || !s.buffer.takeSame(&c) {
			break
		}
		full = to.Send(answer, s.positionOf(c))
		sent++
	}
	return sent, full
}

// next sends the change that waits longest, if there is one; false when the stream has ended. It waits for its turn, and is taken from the
// buffer only then, so that newer states replace older ones meanwhile.
func (s *stream[K, T, C]) next(ctx context.Context, to pace.Subscriber, out chan<- C) bool {
	granted, giveBack := to.Turn()
	select {
	case <-granted:
	default:
		if to.Flush() != nil || !s.comes(ctx, granted, 0) {
			giveBack()
			return false
		}
	}
	c, ok := s.buffer.take(time.Now)
	if !ok {
		giveBack() // the object came and went
		return true
	}
	if c.shared() {
		if answer, ok := to.Claim(ctx, eventOf(c)); ok {
			giveBack()
			return !to.Send(answer, s.positionOf(c)) || to.Flush() == nil
		}
	}
	to.Reached(s.positionOf(c))
	select {
	case out <- s.wrap(c):
	case <-ctx.Done():
		giveBack()
		return false
	case <-s.gone:
		giveBack()
		return false
	case <-s.hub.ctx.Done():
		giveBack()
		return false
	}
	if c.kind == model.ChangeResync {
		s.restart()
	}
	return true
}

// positionOf is where somebody who is sent a change goes on when they come back; empty while they have not been sent everything.
func (s *stream[K, T, C]) positionOf(c change[K, T]) string {
	if s.position == nil {
		return ""
	}
	return s.position(c.sent)
}

func eventOf[K comparable, T any](c change[K, T]) pace.Event {
	return pace.Event{Type: string(c.kind), Object: c.value, At: c.at.UnixNano()}
}

// comes waits for a signal, and for no longer than a time unless that is 0. It returns false when the subscription, its instance or the hub ended
// meanwhile.
func (s *stream[K, T, C]) comes(ctx context.Context, what <-chan struct{}, most time.Duration) bool {
	var over <-chan time.Time
	if most > 0 {
		timer := time.NewTimer(most)
		defer timer.Stop()
		over = timer.C
	}
	select {
	case <-what:
		return true
	case <-over:
		return true
	case <-ctx.Done():
	case <-s.gone:
	case <-s.hub.ctx.Done():
	}
	return false
}
