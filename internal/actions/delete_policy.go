package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// DeletePolicy deletes a policy. Karmada leaves what a propagation policy put into members there until another one claims it.
type DeletePolicy struct{ OnResource }

// Verb names the action.
func (a *DeletePolicy) Verb() string { return "deletePolicy" }

// Do returns the id of the policy.
func (a *DeletePolicy) Do(ctx context.Context, call *Call) (string, []model.UserError, error) {
	if err := isPolicy(call.Target.Ref); err != nil {
		return "", nil, err
	}
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return "", nil, err
	}
	if err := toDelete(ctx, call, object).Delete(ctx, karmada.Expected{UID: a.UID}); err != nil {
		return "", nil, err
	}
	return a.ID, nil, nil
}

// Again returns the id.
func (a *DeletePolicy) Again(context.Context, *Call, []byte) (string, error) { return a.ID, nil }
