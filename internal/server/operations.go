package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/coder/websocket"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"
)

// subscribe starts the operation of a message.
func (s *socket) subscribe(ctx context.Context, m incoming) (websocket.StatusCode, string) {
	began := graphql.Now()
	params := &graphql.RawParams{Headers: s.request.Header}
	// Large messages are charged before they are parsed.
	unpaid := s.server.charge(ctx, pointsOf(m.size))
	if unpaid == nil {
		if _, err := readParams(m.Payload, params); err != nil {
			return closeBadMessage, "Invalid message: payload: " + err.Message
		}
		params.ReadTime = graphql.TraceTiming{Start: began, End: graphql.Now()}
	}

	running, cancel := context.WithCancel(graphql.StartOperationTrace(ctx))
	s.mu.Lock()
	_, duplicate := s.operations[m.ID]
	open := len(s.operations)
	if !duplicate && open < s.server.limits.SubscriptionsPerConnection {
		s.operations[m.ID] = cancel
	}
	s.mu.Unlock()
	switch limit := s.server.limits.SubscriptionsPerConnection; {
	case duplicate:
		cancel()
		return closeDuplicate, "Subscriber for " + m.ID + " already exists"
	case open >= limit:
		cancel()
		e := limitExceeded("subscriptionsPerConnection", limit, 0, "this connection has %d operations open; no more are allowed", limit)
		s.server.countLimits(gqlerror.List{e})
		_ = s.fail(ctx, m.ID, gqlerror.List{e})
		return 0, ""
	case unpaid != nil:
		cancel()
		s.server.countLimits(gqlerror.List{unpaid})
		_ = s.fail(ctx, m.ID, gqlerror.List{unpaid})
		return 0, ""
	}
	s.running.Go(func() {
		defer cancel()
		s.run(running, m.ID, params)
	})
	return 0, ""
}

// run runs one operation and sends how it ended, unless the client ended it.
func (s *socket) run(ctx context.Context, id string, params *graphql.RawParams) {
	op, errs := s.server.prepare(ctx, params)
	if errs == nil && op.Operation.Operation == ast.Subscription {
		if leave, refusal := s.server.subscribe(s.visit.Principal); refusal == nil {
			defer leave()
		} else {
			errs = gqlerror.List{refusal}
		}
	}
	if errs != nil {
		s.server.countLimits(errs)
		_ = s.fail(ctx, id, errs)
		return
	}
	quoted, _ := json.Marshal(id) //nolint:errchkjson // a string
	to := &operation{socket: s, ctx: ctx, id: id, head: slices.Concat([]byte(`{"id":`), quoted, []byte(`,"type":"next","payload":`))}
	err := s.server.execute(ctx, op, to)
	if err == nil && !to.refused && s.finish(ctx, id) {
		_ = s.write(ctx, message{ID: id, Type: "complete"})
	}
	s.finish(ctx, id)
}

// operation receives the answers of one operation of a socket.
type operation struct {
	*socket
	ctx context.Context
	id  string
	// head is how each message with an answer begins.
	head    []byte
	answers heldAnswers
	refused bool
}

func (o *operation) send(raw []byte, _ string) error {
	return o.writeRaw(o.ctx, o.head, raw, []byte("}"))
}

func (o *operation) hold(raw []byte, id string) (full bool) { return o.answers.add(raw, id) }

func (o *operation) flush() error {
	if o.answers.size == 0 {
		return nil
	}
	o.held.Hold()
	return errors.Join(o.answers.flush(o.send), o.written(o.held.Flush()))
}

func (o *operation) refuse(errs gqlerror.List) error {
	o.refused = true
	return o.fail(o.ctx, o.id, errs)
}

// fail sends the errors of an operation, which ends it.
func (s *socket) fail(ctx context.Context, id string, errs gqlerror.List) error {
	raw, err := json.Marshal(errs)
	if err != nil {
		return fmt.Errorf("writing errors: %w", err)
	}
	// Free the id before the client reads that it is free.
	s.finish(ctx, id)
	return s.write(ctx, message{ID: id, Type: "error", Payload: raw})
}

// finish frees an operation's id; false when the id was no longer its own.
func (s *socket) finish(ctx context.Context, id string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil {
		return false // stopped by the client: the id may be in use again
	}
	_, ok := s.operations[id]
	delete(s.operations, id)
	return ok
}

func (s *socket) stop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cancel, ok := s.operations[id]; ok {
		cancel()
		delete(s.operations, id)
	}
}

func (s *socket) stopAll() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, cancel := range s.operations {
		cancel()
	}
	clear(s.operations)
}
