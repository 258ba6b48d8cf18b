package actions

import (
	"context"
	"errors"
	"strings"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// Karmada's webhook refuses to delete what has this label.
const (
	protectedLabel = "resourcetemplate.karmada.io/deletion-protected"
	protectedValue = "Always"
)

// ProtectResource protects an object of a control plane from deletion, or takes that back.
type ProtectResource struct {
	OnResource
	Protected bool
}

// Verb names the action.
func (a *ProtectResource) Verb() string { return "protectResource" }

// InputOf is whether it is protected: nothing else is sent.
func (a *ProtectResource) InputOf([]string) []string { return []string{"protected"} }

// Do returns the object as Karmada returned it. Nothing is written when it is so already.
func (a *ProtectResource) Do(ctx context.Context, call *Call) (model.KubernetesObject, []model.UserError, error) {
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID}, func(object map[string]any) error {
		metadata := within(object, "metadata")
		labels, _ := metadata["labels"].(map[string]any)
		switch {
		case a.Protected:
			within(metadata, "labels")[protectedLabel] = protectedValue
		case labels != nil:
			delete(labels, protectedLabel)
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	out, err := decoded(call.Target.Ref, raw)
	return out, nil, err
}

// unlessProtected is why an object was not deleted; Karmada's webhook does not say what to do about its protection.
func unlessProtected(err error) error {
	if refused := (*karmada.Refused)(nil); errors.As(err, &refused) && strings.Contains(refused.Message, protectedLabel) {
		return model.BadInput("id", "is the id of an object that is protected from deletion; take the protection back first (protectResource)")
	}
	return err
}

// Again returns the object as it is now.
func (a *ProtectResource) Again(ctx context.Context, call *Call, _ []byte) (model.KubernetesObject, error) {
	return a.now(ctx, call)
}
