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
	end     func()
	wrap    func(change[K, T]) C
}

func (s *stream[K, T, C]) start(ctx context.Context) (<-chan C, error) {
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

// run sends the waiting changes, each when its turn is granted. A change is taken from the buffer only then, so that
// newer states replace older ones meanwhile.
func (s *stream[K, T, C]) run(ctx context.Context, out chan<- C) {
	turn := pace.From(ctx)
	for {
		if !s.buffer.pending() {
			if !s.comes(ctx, s.buffer.wake) {
				return
			}
			continue
		}
		granted, giveBack := turn()
		if !s.comes(ctx, granted) {
			giveBack()
			return
		}
		c, ok := s.buffer.take(time.Now)
		if !ok {
			giveBack() // the object came and went
			continue
		}
		select {
		case out <- s.wrap(c):
		case <-ctx.Done():
			giveBack()
			return
		case <-s.gone:
			giveBack()
			return
		case <-s.hub.ctx.Done():
			giveBack()
			return
		}
		if c.kind == model.ChangeResync {
			s.restart()
		}
	}
}

// comes waits for a signal, and reports whether it came before the subscription, its instance or the hub ended.
func (s *stream[K, T, C]) comes(ctx context.Context, what <-chan struct{}) bool {
	select {
	case <-what:
		return true
	case <-ctx.Done():
	case <-s.gone:
	case <-s.hub.ctx.Done():
	}
	return false
}
