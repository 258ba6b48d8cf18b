package actions

import (
	"context"
	"fmt"
	"strings"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// RevokeAccess takes a role from a person or a group.
type RevokeAccess struct {
	// ID is the global id of the access binding.
	ID string
	// UID is the expected UID of the binding; empty for any of that name.
	UID    string
	DryRun bool
}

// Verb names the action.
func (a *RevokeAccess) Verb() string { return "revokeAccess" }

// Target returns the binding.
func (a *RevokeAccess) Target(auth.Principal) (Target, error) {
	id, err := model.ParseID(a.ID)
	if err == nil && id.AccessBinding() == "" {
		err = model.BadInput("id", "is not the id of an access binding")
	}
	return Target{Ref: model.Ref{GVK: v1alpha1.AccessBindingKind, Name: id.AccessBinding()}, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves the decision to Do, which may be asked for what is done already.
func (a *RevokeAccess) Allowed(*Call) error { return nil }

func (a *RevokeAccess) find(call *Call) (*model.AccessBinding, error) {
	if call.Access == nil {
		return nil, errNoAccess
	}
	b := call.Access.AccessBinding(call.Viewer, call.Scope, call.Target.Ref.Name)
	if b == nil {
		return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no such access binding"}
	}
	if err := (karmada.Expected{UID: a.UID}).Meets(karmada.Expected{UID: b.UID}); err != nil {
		return nil, err
	}
	if b.Instance != nil {
		ref := call.Target.Ref
		ref.Instance = *b.Instance
		call.Entry.About(ref)
	}
	return b, nil
}

// Do returns the id of the binding. It is for those who could give the role; a binding that the viewer may not see is not found. What global management gave has to be taken there, and somebody has to stay an owner.
func (a *RevokeAccess) Do(ctx context.Context, call *Call) (string, []model.UserError, error) {
	b, err := a.find(call)
	if err != nil {
		return "", nil, err
	}
	instance := ""
	if b.Instance != nil {
		instance = *b.Instance
	}
	call.Entry.Note(fmt.Sprintf("%s from %s %s, namespaces %q", b.Role, strings.ToLower(string(b.Subject.Kind)), b.Subject.Name, b.Namespaces))
	if !call.Scope.Grants(instance, b.Namespaces) {
		return "", nil, errNotYours(instance, "take")
	}
	switch {
	case b.Source == model.AccessFromGlobalManagement:
		return "", nil, model.BadInput("id", "is the id of an access binding that global management (source %q) made, and would make again: take the role there", *b.SourceName)
	case rbac.Owner(b) && !call.Access.OtherOwners(b.Name):
		return "", nil, model.BadInput("id", "is the id of the access binding of the last owner: make somebody else an owner first (role Admin on all instances)")
	}
	if err := call.Access.Delete(ctx, b, a.DryRun); err != nil {
		return "", nil, err
	}
	return a.ID, nil, nil
}

// Again returns the id.
func (a *RevokeAccess) Again(context.Context, *Call, []byte) (string, error) { return a.ID, nil }
