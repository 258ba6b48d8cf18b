package upstream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Silence is how long one operation waits in total for an upstream that sends nothing, over all its requests: less than
// the two seconds in which the graph answers, whatever hangs.
const Silence = 1300 * time.Millisecond

// afterSilence is how long the operation waits for another upstream once one has been silent.
const afterSilence = 300 * time.Millisecond

// ErrSilent is the error of a request whose upstream sent nothing for as long as the operation waits. It is a
// context.DeadlineExceeded.
var ErrSilent = fmt.Errorf("it has been silent for as long as this operation waits: %w", context.DeadlineExceeded)

// errGivenUp is the ErrSilent of a request that was not made because the operation gave up its upstream before.
var errGivenUp = fmt.Errorf("it is not asked again: %w", ErrSilent)

type operationKey struct{}

// operation is the state of an operation's upstreams.
type operation struct {
	mu        sync.Mutex
	upstreams map[string]*hearing
	// silent says that one of them was silent.
	silent bool
}

// hearing is the state of one upstream for one operation. The operation's lock guards it.
type hearing struct {
	waiting map[*context.CancelCauseFunc]struct{}
	timer   *time.Timer
	// most is how long it may be silent while requests wait.
	most time.Duration
	// since is when it last sent something, or when the first request began to wait.
	since time.Time
	over  bool
}

// NewOperation returns the context of one operation: a query, a mutation, an event of a subscription. It times out on
// an upstream only once, however many requests there are, in sequence or at once.
func NewOperation(ctx context.Context) context.Context {
	return context.WithValue(ctx, operationKey{}, &operation{upstreams: map[string]*hearing{}})
}

// Await makes a request to the named upstream. Its context ends when the upstream has sent nothing to any request of
// the operation for a time (most, or less after another upstream was silent). The error is then ErrSilent, and all
// further requests of the operation to it fail at once, as they do after a request that exceeded its own deadline. The
// upstream counts as answering when call calls heard, or returns without an error or with one other than a deadline's.
// Outside an operation each request stands alone.
func Await[T any](ctx context.Context, name string, most time.Duration, call func(ctx context.Context, heard func()) (T, error)) (T, error) {
	op, ok := ctx.Value(operationKey{}).(*operation)
	if !ok {
		op = &operation{upstreams: map[string]*hearing{}}
	}
	waiting, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	h, ok := op.begin(name, most, &cancel)
	if !ok {
		var none T
		return none, errGivenUp
	}
	out, err := call(waiting, func() { op.heard(h) })
	op.end(h, &cancel, err == nil || !isDeadline(err) && waiting.Err() == nil, isDeadline(err) && ctx.Err() == nil)
	if err != nil && ctx.Err() == nil && context.Cause(waiting) == ErrSilent { //nolint:errorlint // the cause itself
		return out, ErrSilent
	}
	return out, err
}

func (o *operation) begin(name string, most time.Duration, cancel *context.CancelCauseFunc) (*hearing, bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h := o.upstreams[name]
	if h == nil {
		h = &hearing{waiting: map[*context.CancelCauseFunc]struct{}{}}
		o.upstreams[name] = h
	}
	if h.over {
		return nil, false
	}
	if len(h.waiting) == 0 {
		h.most, h.since = most, time.Now()
		if o.silent {
			h.most = min(most, afterSilence)
		}
		h.timer = time.AfterFunc(h.most, func() { o.check(h) })
	}
	h.waiting[cancel] = struct{}{}
	return h, true
}

func (o *operation) heard(h *hearing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	h.since = time.Now()
}

func (o *operation) end(h *hearing, cancel *context.CancelCauseFunc, answered, late bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if answered {
		h.since = time.Now()
	}
	if delete(h.waiting, cancel); len(h.waiting) == 0 {
		h.timer.Stop()
	}
	if late {
		o.giveUp(h)
	}
}

func isDeadline(err error) bool { return errors.Is(err, context.DeadlineExceeded) }

// check cancels the waiting requests when the upstream was silent for too long, and otherwise checks again later.
func (o *operation) check(h *hearing) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(h.waiting) == 0 || h.over {
		return
	}
	if left := h.most - time.Since(h.since); left > 0 {
		h.timer.Reset(left)
		return
	}
	o.giveUp(h)
}

// giveUp cancels the waiting requests.
func (o *operation) giveUp(h *hearing) {
	h.over, o.silent = true, true
	for cancel := range h.waiting {
		(*cancel)(ErrSilent)
	}
}
