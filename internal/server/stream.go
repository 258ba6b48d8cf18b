package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/gate"
)

const (
	// heartbeat is the interval at which an idle stream sends a sign of life.
	heartbeat = 15 * time.Second
)

// recipient is where the answers of an operation go.
type recipient interface {
	// send sends an answer. Who comes back with its id goes on after it; empty for none.
	send(raw []byte, id string) error
	// hold holds an answer back until flush, and never waits. When full is true flush has to be next.
	hold(raw []byte, id string) (full bool)
	flush() error
	// refuse sends that a subscription could not begin.
	refuse(gqlerror.List) error
}

// execute runs an operation and sends each response, until there are no more, ctx ends or sending fails.
func (d *Server) execute(ctx context.Context, op *graphql.OperationContext, to recipient) error {
	began := time.Now()
	if op.Operation.Operation != ast.Subscription {
		ctx, cancel := context.WithTimeout(ctx, d.limits.Time)
		defer cancel()
		response := d.run(ctx, op)
		d.ended(ctx, op, response, began)
		raw, err := encode(response)
		if err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
		return to.send(raw, "")
	}
	var last *graphql.Response
	defer func() {
		if last == nil {
			last = &graphql.Response{}
		}
		d.ended(ctx, op, last, began)
	}()
	s := d.subscriber(ctx, op, to)
	defer s.end()
	next, end := d.responses(pace.NewContext(ctx, s), op)
	defer end()
	for first := true; ; first = false {
		if !s.Want(ctx) {
			return nil
		}
		response := next()
		s.Got()
		if response == nil || ctx.Err() != nil {
			return nil
		}
		last = &graphql.Response{Errors: response.Errors}
		if first && len(response.Data) == 0 && len(response.Errors) > 0 {
			return to.refuse(response.Errors)
		}
		raw, err := encode(response)
		if err != nil {
			return fmt.Errorf("writing an answer: %w", err)
		}
		s.made(raw, len(response.Errors) == 0)
		if err := to.send(raw, s.id(s.reached)); err != nil {
			return err
		}
		d.metrics.events.Inc()
		if len(response.Data) == 0 {
			return nil // a panic: nothing useful follows
		}
	}
}

// responses returns the responses of a subscription one by one; nil after the last.
func (d *Server) responses(ctx context.Context, op *graphql.OperationContext) (next func() *graphql.Response, end func()) {
	ctx, cancel := context.WithCancel(ctx)
	var handler graphql.ResponseHandler
	guarded := func(do func() *graphql.Response) (out *graphql.Response) {
		defer func() {
			if p := recover(); p != nil {
				out = &graphql.Response{Errors: gqlerror.List{d.present(ctx, recovered(ctx, p))}}
			}
		}()
		return do()
	}
	inner := ctx
	return func() *graphql.Response {
		return guarded(func() *graphql.Response {
			if handler == nil {
				handler, inner = d.exec.DispatchOperation(ctx, op)
			}
			return handler(inner)
		})
	}, cancel
}

// stream answers with server-sent events: `next` for each response, then `complete`.
func (d *Server) stream(w http.ResponseWriter, r *http.Request, in gate.Visit, params *graphql.RawParams) {
	if !d.beginStream() {
		d.refuse(w, r, http.StatusServiceUnavailable, shuttingDown())
		return
	}
	defer d.endStream()
	ctx, cancel := context.WithCancel(graphql.StartOperationTrace(r.Context()))
	defer cancel()
	defer context.AfterFunc(d.drain, cancel)()

	op, errs := d.prepare(ctx, params)
	if errs == nil && op.Operation.Operation == ast.Mutation && r.Method == http.MethodGet {
		errs = gqlerror.List{mutationByGET()}
	}
	if errs != nil {
		d.refuse(w, r, statusOf(errs, http.StatusBadRequest), errs...)
		return
	}
	if op.Operation.Operation == ast.Subscription {
		leave, refusal := d.subscribe(in.Principal)
		if refusal != nil {
			d.refuse(w, r, http.StatusTooManyRequests, refusal)
			return
		}
		defer leave()
	}

	h := w.Header()
	h.Set("Content-Type", mediaEvents+"; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no") // proxies must not buffer events
	w.WriteHeader(http.StatusOK)

	control := http.NewResponseController(w)
	unread := false
	write := func(format string, args ...any) error {
		_ = control.SetWriteDeadline(time.Now().Add(d.writeTimeout))
		_, err := fmt.Fprintf(w, format, args...)
		if err == nil {
			err = control.Flush()
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			d.metrics.refusals.WithLabelValues(limitWriteTime).Inc()
			unread = true
		}
		return err
	}
	if write(":\n\n") != nil {
		return
	}

	// One goroutine makes the responses, this one writes them and the heartbeats between them.
	answers, done := make(chan heldAnswer), make(chan struct{})
	go func() {
		defer close(done)
		_ = d.execute(ctx, op, &eventStream{ctx: ctx, answers: answers})
	}()
	defer func() {
		cancel()
		<-done
		if unread { // only now: the operation sets its own outcome, too
			recordOf(r.Context()).note(func(rec *record) { rec.outcome = outcomeUnread })
		}
	}()
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	right := d.gate.Lost(ctx, in)
	for {
		var err error
		select {
		case a := <-answers:
			id := ""
			if a.id != "" {
				id = "id: " + a.id + "\n"
			}
			err = write("%sevent: next\ndata: %s\n\n", id, a.raw)
		case <-beat.C:
			err = write(":\n\n")
		case refusal := <-right:
			recordOf(r.Context()).note(func(rec *record) { rec.outcome = string(refusal.Code) })
			if raw, err := json.Marshal(&failure{Errors: gqlerror.List{d.presentCause(ctx, refusal)}}); err == nil {
				_ = write("event: next\ndata: %s\n\nevent: complete\ndata:\n\n", raw)
			}
			return
		case <-done:
			_ = write("event: complete\ndata:\n\n")
			return
		}
		if err != nil {
			return
		}
	}
}

// eventStream receives answers as server-sent events.
type eventStream struct {
	ctx     context.Context
	answers chan<- heldAnswer
	held    heldAnswers
}

func (s *eventStream) send(raw []byte, id string) error {
	select {
	case s.answers <- heldAnswer{bytes.ReplaceAll(raw, []byte("\n"), []byte(" ")), id}: // an event's data is one line
		return nil
	case <-s.ctx.Done():
		return s.ctx.Err()
	}
}

func (s *eventStream) hold(raw []byte, id string) (full bool) { return s.held.add(raw, id) }

func (s *eventStream) flush() error { return s.held.flush(s.send) }

func (s *eventStream) refuse(errs gqlerror.List) error {
	raw, err := json.Marshal(&failure{Errors: errs})
	if err != nil {
		return fmt.Errorf("writing an answer: %w", err)
	}
	return s.send(raw, "")
}

func shuttingDown() *gqlerror.Error {
	e := clientError(model.CodeUnavailable, "the server is shutting down")
	e.Extensions["retryable"] = true
	return e
}

// subscribe counts a subscription of a principal, until leave is called.
func (d *Server) subscribe(p auth.Principal) (leave func(), refusal *gqlerror.Error) {
	end, tooMany := d.gate.Subscription(p)
	if tooMany != nil {
		return nil, clientErrorOf(tooMany)
	}
	d.metrics.subscriptions.Inc()
	return func() {
		end()
		d.metrics.subscriptions.Dec()
	}, nil
}
