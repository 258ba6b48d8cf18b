package actions

import (
	"context"
	"errors"
	"fmt"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// CancelOperation asks for an operation to be cancelled.
type CancelOperation struct {
	// ID is the global id of the operation.
	ID string
	// UID is the expected UID of the operation; empty for any of that name.
	UID    string
	DryRun bool
}

// Verb names the action.
func (a *CancelOperation) Verb() string { return "cancelOperation" }

// Target returns the operation.
func (a *CancelOperation) Target(auth.Principal) (Target, error) {
	id, err := model.ParseID(a.ID)
	if err == nil && id.Operation() == "" {
		err = model.BadInput("id", "is not the id of an operation")
	}
	return Target{Ref: model.Ref{GVK: v1alpha1.OperationKindGVK, Name: id.Operation()}, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves the decision to Do: whoever may see an operation may cancel it, and the others are not told that there is one.
func (a *CancelOperation) Allowed(*Call) error { return nil }

func (a *CancelOperation) find(call *Call) (*model.Operation, error) {
	if call.Operations == nil {
		return nil, errNoOperations
	}
	o := call.Operations.Operation(call.Viewer, call.Scope, call.Target.Ref.Name)
	if o == nil {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no such operation"}
	}
	if err := (karmada.Expected{UID: a.UID}).Meets(karmada.Expected{UID: o.UID}); err != nil {
		return nil, err
	}
	ref := call.Target.Ref
	ref.Instance = o.InstanceName
	call.Entry.About(ref)
	return o, nil
}

// Do returns the operation. One that has ended, or cannot be cancelled any more, is a CONFLICT.
func (a *CancelOperation) Do(ctx context.Context, call *Call) (*model.Operation, []model.UserError, error) {
	o, err := a.find(call)
	conflict := func(format string, args ...any) (*model.Operation, []model.UserError, error) {
		return nil, []model.UserError{{Code: string(model.CodeConflict), Field: []string{"input", "id"}, Message: fmt.Sprintf(format, args...)}}, nil
	}
	switch {
	case err != nil:
		return nil, nil, err
	case o.State.Ended():
		return conflict("operation %q has ended: %s", o.Name, o.State)
	case o.CancelRequested:
		return o, nil, nil
	case o.State == model.OperationRunning && !o.Cancellable:
		return conflict("operation %q cannot be cancelled now: %s", o.Name, o.Message)
	}
	o, err = call.Operations.Cancel(ctx, o.Name, o.UID, a.DryRun)
	return o, nil, err
}

// Again returns the operation as it is now.
func (a *CancelOperation) Again(_ context.Context, call *Call, _ []byte) (*model.Operation, error) {
	return a.find(call)
}

// isCode reports whether an error is one with a code.
func isCode(err error, code model.Code) bool {
	e := (*model.Error)(nil)
	return errors.As(err, &e) && e.Code == code
}

// messageOf is the message of an error that clients may see.
func messageOf(err error) string {
	if e := (*model.Error)(nil); errors.As(err, &e) {
		return e.Message
	}
	return ""
}
