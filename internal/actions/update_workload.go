package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/workloadform"
)

// UpdateWorkload changes a workload by its form.
type UpdateWorkload struct {
	OnWorkload
	// ResourceVersion is the version that the form was read with; a newer one is a conflict.
	ResourceVersion string
	// Form is what is to be different; see workloadform.Apply.
	Form workloadform.Form
}

// Verb names the action.
func (a *UpdateWorkload) Verb() string { return "updateWorkload" }

// InputOf is the form: a field that it knows is named before.
func (a *UpdateWorkload) InputOf([]string) []string { return []string{"form"} }

// ChangedWorkload is a workload as Karmada returned it, or what stands in the way of the change.
type ChangedWorkload struct {
	Workload model.Workload
	Conflict *model.Conflict
}

// Do returns the workload as Karmada returned it. Only what is different is sent.
func (a *UpdateWorkload) Do(ctx context.Context, call *Call) (ChangedWorkload, []model.UserError, error) {
	ref := call.Target.Ref
	kind, ok := model.WorkloadKindOf(ref.GVK)
	switch {
	case !ok:
		return ChangedWorkload{}, nil, model.BadInput("id", "is the id of a %s, not of a workload", ref.GVK.Kind)
	case a.ResourceVersion == "":
		return ChangedWorkload{}, nil, model.BadInput("resourceVersion", "is empty: give that of the workload as its form was read, so that changes that others made since are not lost")
	}
	if err := versionForm(a.ResourceVersion); err != nil {
		return ChangedWorkload{}, nil, err
	}
	object, err := call.Open(ctx, ref)
	if err != nil {
		return ChangedWorkload{}, nil, err
	}
	change := func(workload map[string]any) error {
		if problems := workloadform.Apply(kind, workload, a.Form); len(problems) > 0 {
			return wrongForm(problems)
		}
		return nil
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID, ResourceVersion: a.ResourceVersion}, change)
	if err != nil {
		out := ChangedWorkload{Conflict: conflictOf(ctx, call, object, err, a.ResourceVersion, func(anew *karmada.Object) ([]byte, error) {
			return anew.Edit(ctx, karmada.Expected{}, change)
		})}
		problems, err := ofForm(kind, a.Form, err)
		return out, problems, err
	}
	w, err := decodeWorkload(ref, raw)
	return ChangedWorkload{Workload: w}, nil, err
}

// Again returns the workload as it is now.
func (a *UpdateWorkload) Again(ctx context.Context, call *Call, kept []byte) (ChangedWorkload, error) {
	w, err := a.OnWorkload.Again(ctx, call, kept)
	return ChangedWorkload{Workload: w}, err
}
