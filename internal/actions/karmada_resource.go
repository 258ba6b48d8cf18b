package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/typed"
)

// CreateKarmadaResource makes an object of one of Karmada's kinds by its typed input.
type CreateKarmadaResource struct {
	Instance string
	Typed    Typed
	DryRun   bool
}

// Verb names the action.
func (a *CreateKarmadaResource) Verb() string { return "createKarmadaResource" }

// InputOf is the field of the typed input.
func (a *CreateKarmadaResource) InputOf(path []string) []string {
	return a.Typed.inputOf(typed.KarmadaKinds, path)
}

// Target returns the instance.
func (a *CreateKarmadaResource) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed refuses people who may write nothing in the instance, before their input is looked at.
func (a *CreateKarmadaResource) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do returns the object as Karmada returned it. One of that name is a CONFLICT.
func (a *CreateKarmadaResource) Do(ctx context.Context, call *Call) (model.KubernetesObject, []model.UserError, error) {
	kind, input, err := a.Typed.only(typed.KarmadaKinds, nil)
	if err != nil {
		return nil, nil, err
	}
	return createTyped(ctx, call, a.Instance, kind, input)
}

// Kept is the id of the object.
func (a *CreateKarmadaResource) Kept(o model.KubernetesObject) any { return o.ObjectRef().ID() }

// Again returns the object as it is now.
func (a *CreateKarmadaResource) Again(ctx context.Context, call *Call, kept []byte) (model.KubernetesObject, error) {
	return againBy(ctx, call, kept)
}

// UpdateKarmadaResource changes an object of one of Karmada's kinds by its typed input.
type UpdateKarmadaResource struct {
	OnResource
	// ResourceVersion is the version that was read; a newer one is a conflict.
	ResourceVersion string
	Typed           Typed
}

// Verb names the action.
func (a *UpdateKarmadaResource) Verb() string { return "updateKarmadaResource" }

// InputOf is the field of the typed input.
func (a *UpdateKarmadaResource) InputOf(path []string) []string {
	return a.Typed.inputOf(typed.KarmadaKinds, path)
}

// Do returns the object as Karmada returned it. Only what is different is sent.
func (a *UpdateKarmadaResource) Do(ctx context.Context, call *Call) (Changed, []model.UserError, error) {
	if err := versionNeeded(a.ResourceVersion, "object"); err != nil {
		return Changed{}, nil, err
	}
	kind, input, err := a.Typed.only(typed.KarmadaKinds, nil)
	if err != nil {
		return Changed{}, nil, err
	}
	return updateTyped(ctx, call, a.UID, a.ResourceVersion, kind, input)
}

// Again returns the object as it is now.
func (a *UpdateKarmadaResource) Again(ctx context.Context, call *Call, _ []byte) (Changed, error) {
	object, err := a.now(ctx, call)
	return Changed{Object: object}, err
}
