package audit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

// Result is how something ended.
type Result struct {
	Outcome Outcome
	// Code is a model.Code or an HTTP status; empty for a success.
	Code    string
	Message string
}

// panicked is the result of what ended without one.
var panicked = Result{Outcome: Failed, Code: string(model.CodeInternal), Message: "it ended without a result: it panicked"}

// codeCanceled is the code of what its client gave up.
const codeCanceled = "CANCELED"

// ResultOf is the result that an error means; nil is a success. Of an error that no client may see, only that
// it was one is kept.
func ResultOf(err error) Result {
	var known *model.Error
	switch {
	case err == nil:
		return Result{Outcome: Succeeded}
	case errors.As(err, &known):
		return resultOfCode(string(known.Code), known.Message)
	case errors.Is(err, context.Canceled):
		return Result{Failed, codeCanceled, "the client gave up"}
	case errors.Is(err, context.DeadlineExceeded):
		return Result{Failed, string(model.CodeTimeout), "it did not end in time"}
	}
	return Result{Failed, string(model.CodeInternal), "internal error"}
}

// ResultOfUserErrors is the result that a mutation's userErrors mean; none is a success. The first one gives
// outcome and code.
func ResultOfUserErrors(errs []model.UserError) Result {
	if len(errs) == 0 {
		return Result{Outcome: Succeeded}
	}
	messages := make([]string, len(errs))
	for i, e := range errs {
		messages[i] = e.Message
	}
	return resultOfCode(errs[0].Code, strings.Join(messages, "; "))
}

func resultOfCode(code, message string) Result {
	switch model.Code(code) {
	case model.CodeForbidden, model.CodeUnauthenticated, model.CodeLimitExceeded:
		return Result{Refused, code, message}
	}
	return Result{Failed, code, message}
}

// ResultOfStatus is the result that the HTTP status of a proxied request means. message is why, if it is known.
func ResultOfStatus(status int, message string) Result {
	code := strconv.Itoa(status)
	switch {
	case status == http.StatusUnauthorized, status == http.StatusForbidden, status == http.StatusTooManyRequests:
		return Result{Refused, code, message}
	case status >= http.StatusContinue && status < http.StatusBadRequest:
		return Result{Succeeded, code, message}
	}
	return Result{Failed, code, message}
}

// Entry is something that is being done. Safe for use by many goroutines.
type Entry struct {
	recorder *Recorder
	ctx      context.Context
	began    time.Time

	mu     sync.Mutex
	event  Event
	hidden []string
	ended  bool
	// objects have been recorded; unsuccessful of them ended like the first of those.
	objects, unsuccessful int
	first                 Result
}

// Hide names values that may not be in any message of this entry, for instance what SecretValues finds in a
// manifest: neither as they are nor quoted nor in base64. Values of fewer than four bytes cannot be hidden.
func (e *Entry) Hide(values ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hidden = append(e.hidden, values...)
}

// About names the object, where it was not known in the beginning.
func (e *Entry) About(object model.Ref) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.event.Object = object
}

// Object records how it ended for one of several objects, as an event of its own with the same request id. The
// entry goes on; it is no success when one of its objects was none.
func (e *Entry) Object(object model.Ref, result Result) {
	e.mu.Lock()
	e.objects++
	if result.Outcome != Succeeded {
		if e.unsuccessful++; e.unsuccessful == 1 {
			e.first = result
		}
	}
	event, hidden := e.event, redact.NewValues(e.hidden)
	e.mu.Unlock()
	event.ID, event.Object = "", object
	e.record(event, hidden, result)
}

// Unsuccessful says that one of its objects did not end well.
func (e *Entry) Unsuccessful() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unsuccessful > 0
}

// End records how it ended. Only the first call counts.
func (e *Entry) End(result Result) {
	e.mu.Lock()
	if e.ended {
		e.mu.Unlock()
		return
	}
	e.ended = true
	if result.Outcome == Succeeded && e.unsuccessful > 0 {
		result = Result{e.first.Outcome, e.first.Code, fmt.Sprintf("%d of %d objects: %s", e.unsuccessful, e.objects, e.first.Message)}
	}
	event, hidden := e.event, redact.NewValues(e.hidden)
	e.mu.Unlock()
	e.record(event, hidden, result)
}

func (e *Entry) record(event Event, hidden redact.Values, result Result) {
	event.Outcome, event.Code, event.Message = result.Outcome, result.Code, result.Message
	event.Duration = time.Since(e.began)
	e.recorder.record(e.ctx, event, hidden)
}
