package upstream

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

// Silence is how long one operation waits for an upstream that says nothing, all its requests to it together: less
// than the two seconds in which the graph answers, whatever hangs.
const Silence = 1300 * time.Millisecond

// afterSilence is how long the operation waits for another upstream once one has been silent.
const afterSilence = 300 * time.Millisecond

// ErrSilent is the error of a request whose upstream said nothing for as long as the operation waits for it. It is a
// context.DeadlineExceeded.
var ErrSilent = fmt.Errorf("it has been silent for as long as this operation waits: %w", context.DeadlineExceeded)

// errGivenUp is the ErrSilent of a request that was not made, since the operation has given its upstream up before.
var errGivenUp = fmt.Errorf("it is not asked again: %w", ErrSilent)

type operationKey struct{}

// operation is what the requests of one operation know of its upstreams.
type operation struct {
	mu        sync.Mutex
	upstreams map[string]*hearing
	// silent says that one of them was.
	silent bool
}

// hearing is one upstream as one operation hears it. The operation's lock guards it.
type hearing struct {
	waiting map[*context.CancelCauseFunc]struct{}
	timer   *time.Timer
	// most is how long it may be silent while anybody waits.
	most time.Duration
	// since is when it was heard last, or when somebody began to wait.
	since time.Time
	over  bool
}

// NewOperation returns the context of one operation: a query, a mutation, an event of a subscription. What it waits
// for an upstream in vain it waits once, however many requests there are, one after the other or at once.
func NewOperation(ctx context.Context) context.Context {
	return context.WithValue(ctx, operationKey{}, &operation{upstreams: map[string]*hearing{}})
}

// Await makes a request to the upstream of that name, whose context ends when the upstream has said nothing for a
// time (most, or less after another one was silent) to anybody of the same operation. Then the error is ErrSilent,
// and all further requests of the operation to it fail at once, as they do after one that ended by a deadline of
// its own. An answer is whatever call says was heard, and its end without an error or with one that is no deadline's.
// Without an operation the request is one by itself.
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

// check ends what is waited for when nothing was heard for too long, and looks again later when something was.
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

// giveUp ends what is waited for.
func (o *operation) giveUp(h *hearing) {
	h.over, o.silent = true, true
	for cancel := range h.waiting {
		(*cancel)(ErrSilent)
	}
}
