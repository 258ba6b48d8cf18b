package server

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server/gate"
)

// subscriber is who a subscription tells: its events are paid for (gate.Events), and answers that were made for others are shared.
type subscriber struct {
	*gate.Events
	server    *Server
	to        recipient
	selection string

	// resume is where the stream goes on, and reached where it will once the answer that is made has been sent.
	resume, reached string

	mu sync.Mutex
	// claimed is the answer that is being made here, while others wait for it.
	claimed *sharedAnswer
	key     sharedKey
	ended   bool
}

var _ pace.Subscriber = (*subscriber)(nil)

func (d *Server) subscriber(ctx context.Context, op *graphql.OperationContext, to recipient) *subscriber {
	s := &subscriber{
		Events: d.gate.Events(principalName(ctx), d.pricing.cost(op.Doc, op.Operation, op.Variables)),
		server: d, to: to, selection: selectionOf(ctx, op),
	}
	if last := op.Headers.Get(headerLastEventID); last != "" && resumable(to) {
		var mine bool
		if s.resume, mine = strings.CutPrefix(last, s.mark()); !mine || s.resume == "" {
			s.resume = "-" // of another subscription, or of none: it begins anew
		}
	}
	return s
}

// headerLastEventID is the header with which a client of server-sent events says what it has.
const headerLastEventID = "Last-Event-ID"

// resumable reports whether somebody is told the ids of events.
func resumable(to recipient) bool {
	_, is := to.(*eventStream)
	return is
}

// mark begins the ids of a subscription's events: they mean nothing to another one.
func (s *subscriber) mark() string { return fmt.Sprintf("%x.", s.selection[:min(6, len(s.selection))]) }

// Resume is where the stream goes on.
func (s *subscriber) Resume() string { return s.resume }

// Returns reports whether the subscriber is told the ids of events.
func (s *subscriber) Returns() bool { return s.selection != "" && resumable(s.to) }

// Reached notes where the stream goes on once the answer that is made has been sent.
func (s *subscriber) Reached(position string) { s.reached = position }

// id is that of an event after which the stream goes on at a position; empty when it does not.
func (s *subscriber) id(position string) string {
	if position == "" || s.selection == "" {
		return ""
	}
	return s.mark() + position
}

// selectionOf identifies what an operation selects, and for whom: a selection may hold what somebody wrote a moment ago, or what a member
// shows to one person alone, so that equal rights are not enough. Empty for what is shared with nobody.
func selectionOf(ctx context.Context, op *graphql.OperationContext) string {
	variables, err := json.Marshal(op.Variables)
	if err != nil {
		return ""
	}
	h := sha256.New()
	for _, part := range []string{rbac.PrincipalFrom(ctx).Key(), rbac.ScopeFrom(ctx).Key(), op.RawQuery, op.Operation.Name, string(variables)} {
		_, _ = fmt.Fprintf(h, "%d:%s", len(part), part)
	}
	return string(h.Sum(nil))
}

// Known returns the answer to an event that was made for another subscriber.
func (s *subscriber) Known(e pace.Event) ([]byte, bool) {
	if s.selection == "" {
		return nil, false
	}
	raw, ok := s.server.sharing.known(sharedKey{s.selection, e})
	return raw, ok && s.Share()
}

// Claim waits for an answer that is being made for another subscriber, or leaves it to this one.
func (s *subscriber) Claim(ctx context.Context, e pace.Event) ([]byte, bool) {
	if s.selection == "" {
		return nil, false
	}
	key := sharedKey{s.selection, e}
	raw, mine := s.server.sharing.claim(ctx, key)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.claimed, s.key = mine, key; s.ended {
		s.settle(nil)
	}
	return raw, raw != nil
}

// made gives an answer to those who wait for it; one with errors is nobody else's.
func (s *subscriber) made(raw []byte, good bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !good {
		raw = nil
	}
	s.settle(raw)
}

func (s *subscriber) settle(raw []byte) {
	if s.claimed != nil {
		s.server.sharing.settle(s.key, s.claimed, raw)
		s.claimed = nil
	}
}

// Send holds an answer back that was made for another subscriber.
func (s *subscriber) Send(raw []byte, position string) (full bool) {
	s.server.metrics.events.Inc()
	s.server.metrics.shared.Inc()
	return s.to.hold(raw, s.id(position))
}

// Flush sends what is held back.
func (s *subscriber) Flush() error { return s.to.flush() }

// end ends the events, and lets go who waits for an answer that is not made any more.
func (s *subscriber) end() {
	s.Events.End()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	s.settle(nil)
}
