package globalmanagement

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/globalmanagement/event"
)

// Record is one change for the audit log. It holds no secret.
type Record struct {
	Time time.Time
	// Source sent the change, in the event of that id, type and sequence; id and type are empty when Kairship asked.
	Source    string
	EventID   string
	EventType event.Type
	Sequence  int64
	// Address of the event's sender, or of the server that was asked.
	Address string
	// Action is what was to be done.
	Action Action
	// Binding is the name of the AccessBinding.
	Binding string
	// Before and After are its spec; nil when there is none.
	Before, After *v1alpha1.AccessBindingSpec
	// Outcome is what became of it: OutcomeCreated, OutcomeUpdated, OutcomeRemoved, OutcomeRefused,
	// OutcomeConflict, or OutcomeFailed when it is to be tried again.
	Outcome Outcome
	// Message says why it was not done.
	Message string
}

// Action is what was to be done with an AccessBinding.
type Action string

// The actions.
const (
	ActionApply  Action = "apply"
	ActionRemove Action = "remove"
)

// origin is where a change comes from.
type origin struct {
	source   string
	id       string
	kind     event.Type
	sequence int64
	address  string
}

func (w *writer) record(ctx context.Context, from origin, action Action, name string, before, after *v1alpha1.AccessBindingSpec, outcome Outcome, message string) {
	w.audit(ctx, Record{
		Time: w.clock.Now(), Source: from.source, EventID: from.id, EventType: from.kind, Sequence: from.sequence, Address: from.address,
		Action: action, Binding: name, Before: before, After: after, Outcome: outcome, Message: message,
	})
	w.logger.InfoContext(ctx, "global management changed a binding", "source", from.source, "eventId", from.id, "action", action,
		"binding", name, "outcome", outcome, "message", message)
}
