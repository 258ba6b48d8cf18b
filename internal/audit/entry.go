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

// Result is the outcome of an action, and why.
type Result struct {
	Outcome Outcome
	// Code is a model.Code or an HTTP status; empty for a success.
	Code    string
	Message string
}

// panicked is the result of an action that ended without one.
var panicked = Result{Outcome: Failed, Code: string(model.CodeInternal), Message: "it ended without a result: it panicked"}

// codeCanceled is the code of a request that its client canceled.
const codeCanceled = "CANCELED"

// ResultOf returns the result for an error; nil is a success. Of an error that no client may see, it keeps only that
// it was one.
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

// ResultOfUserErrors returns the result for a mutation's userErrors; none is a success. The first one decides outcome
// and code.
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

// ResultOfStatus returns the result for the HTTP status of a proxied request. message is the reason, if known.
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

// Entry is an action in progress. Safe for concurrent use.
type Entry struct {
	recorder *Recorder
	ctx      context.Context
	began    time.Time

	mu     sync.Mutex
	event  Event
	hidden []string
	note   string
	ended  bool
	// objects were recorded, unsuccessful of them did not succeed; first is the result of the first of those.
	objects, unsuccessful int
	first                 Result
	// changes are those of objects, selects what policies among them select.
	changes map[model.Ref][]model.FieldChange
	selects map[model.Ref][]model.ResourceSelector
}

// Hide removes values from every message of this entry, plain, quoted or in base64, for instance those that
// SecretValues finds in a manifest. Values of fewer than four bytes cannot be hidden.
func (e *Entry) Hide(values ...string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hidden = append(e.hidden, values...)
}

// About sets an object that was not known when the entry began.
func (e *Entry) About(object model.Ref) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.event.Object = object
}

// Note sets the message of a success: what was done, where the object does not say.
func (e *Entry) Note(text string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.note = text
}

// Changed adds what was changed of an object, to the event that is recorded of it. Secrets have to be masked in it.
func (e *Entry) Changed(object model.Ref, changes []model.FieldChange) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.changes == nil {
		e.changes = map[model.Ref][]model.FieldChange{}
	}
	e.changes[object] = append(e.changes[object], changes[:min(len(changes), maxChanges+1)]...)
}

// Selects sets what a policy selects, for the event that is recorded of it: see Event.Selects.
func (e *Entry) Selects(object model.Ref, selectors []model.ResourceSelector) {
	if selectors == nil {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.selects == nil {
		e.selects = map[model.Ref][]model.ResourceSelector{}
	}
	e.selects[object] = selectors
}

// Object records the result for one of several objects, as an event of its own with the same request id. The entry
// stays open; it does not succeed unless all its objects do.
func (e *Entry) Object(object model.Ref, result Result) {
	e.mu.Lock()
	e.objects++
	if result.Outcome != Succeeded {
		if e.unsuccessful++; e.unsuccessful == 1 {
			e.first = result
		}
	}
	event, hidden := e.event, redact.NewValues(e.hidden)
	event.ID, event.Object, event.Changes, event.Selects = "", object, e.changes[object], e.selects[object]
	e.mu.Unlock()
	e.record(event, hidden, result)
}

// Unsuccessful reports whether one of the objects did not succeed.
func (e *Entry) Unsuccessful() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unsuccessful > 0
}

// End records the result. Only the first call counts.
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
	if result.Outcome == Succeeded && result.Message == "" {
		result.Message = e.note
	}
	event, hidden := e.event, redact.NewValues(e.hidden)
	event.Changes, event.Selects = e.changes[event.Object], e.selects[event.Object]
	e.mu.Unlock()
	e.record(event, hidden, result)
}

func (e *Entry) record(event Event, hidden redact.Values, result Result) {
	event.Outcome, event.Code, event.Message = result.Outcome, result.Code, result.Message
	event.Duration = time.Since(e.began)
	e.recorder.record(e.ctx, event, hidden)
}
