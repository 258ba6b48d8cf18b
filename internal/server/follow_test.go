package server

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/internal/live/pace"
)

// follow tells what is published as package live does: each when its turn has come, as it is then; "shared" is told to others, too.
func (s *tiny) follow(ctx context.Context, field string) graphql.ResponseHandler {
	to, out := pace.From(ctx), make(chan int)
	context.AfterFunc(ctx, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.changed.Broadcast()
	})
	s.mu.Lock()
	seen := s.version
	s.readers++
	s.resumed = append(s.resumed, to.Resume())
	s.mu.Unlock()
	go func() { // ends with ctx
		for ctx.Err() == nil {
			seen = s.tell(ctx, to, field == "shared", seen, out)
		}
	}()
	return func(ctx context.Context) *graphql.Response {
		select {
		case n := <-out:
			s.mu.Lock()
			s.made++
			making, unsound := s.making, s.unsound
			s.mu.Unlock()
			if making != nil {
				making(ctx)
			}
			if unsound {
				graphql.AddErrorf(ctx, "not quite")
			}
			return &graphql.Response{Data: json.RawMessage(fmt.Sprintf(`{%q:%d}`, field, n)), Errors: graphql.GetErrors(ctx)}
		case <-ctx.Done():
			return nil
		}
	}
}

// tell tells the next version after one that was seen, and returns it.
func (s *tiny) tell(ctx context.Context, to pace.Subscriber, shared bool, seen int, out chan<- int) int {
	s.mu.Lock()
	for s.version == seen && ctx.Err() == nil {
		s.changed.Wait()
	}
	now := s.version
	s.mu.Unlock()
	give := func(raw []byte) {
		to.Send(raw, position(now))
		_ = to.Flush() // who is gone is told by ctx
	}
	if shared {
		if raw, ok := to.Known(s.event(now)); ok {
			give(raw)
			return now
		}
	}
	granted, giveBack := to.Turn()
	select {
	case <-granted:
	case <-ctx.Done():
		giveBack()
		return now
	}
	s.mu.Lock()
	n := s.newest
	now = s.version
	s.claims++
	s.mu.Unlock()
	if shared {
		if raw, ok := to.Claim(ctx, s.event(now)); ok {
			giveBack()
			give(raw)
			return now
		}
	}
	to.Reached(position(now))
	select {
	case out <- n:
	case <-ctx.Done():
		giveBack()
	}
	return now
}

func position(version int) string { return fmt.Sprint("p.", version) }

func (s *tiny) event(version int) pace.Event {
	if s.oneEvent {
		version = 0
	}
	return pace.Event{Type: "MODIFIED", Object: s, At: int64(version)}
}

func (s *tiny) publish(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.newest = n
	s.version++
	s.changed.Broadcast()
}

func (s *tiny) newestReaders() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.readers
}
