package actions

import (
	"context"
	"fmt"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// DeleteInstance deletes an instance.
type DeleteInstance struct {
	OnInstance
	// UID is that of the Instance that is meant; empty for any of that name.
	UID string
	// Name is typed once more; nil when it is not asked for.
	Name *string
	// Force deletes the control plane although clusters are joined.
	Force bool
}

// Verb names the action.
func (a *DeleteInstance) Verb() string { return "deleteInstance" }

// Do returns the instance and the operation that deletes it. What stands in the way is told before it begins.
func (a *DeleteInstance) Do(ctx context.Context, call *Call) (*InstanceChange, []model.UserError, error) {
	name := call.Target.Ref.Instance
	switch {
	case call.Instances == nil:
		return nil, nil, errNoInstances
	case a.Name != nil && *a.Name != name:
		return nil, nil, model.BadInput("name", "is %.60q; the instance is called %q", *a.Name, name)
	}
	if err := call.underWay(name, "id", model.OperationDeleteInstance); err != nil {
		return nil, nil, err
	}
	uid, deleting, err := call.Instances.UID(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	if a.UID != "" && a.UID != uid {
		return nil, nil, &model.Error{Code: model.CodeConflict, Instance: name, Field: []string{"uid"},
			Message: fmt.Sprintf("uid: instance %q is another one than was meant, made anew: its uid is %q, not %.100q", name, uid, a.UID)}
	}
	if !deleting && !a.Force {
		if err := call.Instances.TryDelete(ctx, name, uid); err != nil {
			if isCode(err, model.CodeConflict) { // the guard's words
				return nil, []model.UserError{{Code: string(model.CodeConflict), Message: messageOf(err), Field: []string{"input", "id"}}}, nil
			}
			return nil, nil, err
		}
	}
	out := &InstanceChange{}
	out.Operation, err = call.Begin(ctx, v1alpha1.OperationSpec{
		Kind: v1alpha1.OperationDeleteInstance, Instance: name, DeleteInstance: &v1alpha1.DeleteInstanceInput{UID: uid, Force: a.Force},
	}, nil)
	if err != nil {
		return nil, nil, err
	}
	if out.Instance, err = call.Fleet.Instance(call.Scope, name); isCode(err, model.CodeNotFound) {
		err = nil // it is gone already
	}
	return out, nil, err
}
