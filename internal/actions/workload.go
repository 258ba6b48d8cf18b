package actions

import (
	"context"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// OnWorkload is what actions on one workload template have in common.
type OnWorkload struct {
	// ID is the global id of the template.
	ID string
	// UID is the expected UID of the object; empty for any object of that name.
	UID    string
	DryRun bool
}

// Target returns the workload.
func (a *OnWorkload) Target(auth.Principal) (Target, error) {
	ref, err := model.ParseWorkloadID(a.ID)
	return Target{Ref: ref, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves the decision to Karmada.
func (a *OnWorkload) Allowed(*Call) error { return nil }

// kindOf is the kind of the target, which must be one of those that can be done to what they are done to.
func (a *OnWorkload) kindOf(call *Call, done string, kinds ...model.WorkloadKind) (model.WorkloadKind, error) {
	kind, ok := model.WorkloadKindOf(call.Target.Ref.GVK)
	if ok && slices.Contains(kinds, kind) {
		return kind, nil
	}
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = k.GVK().Kind
	}
	return "", model.BadInput("id", "is the id of a %s, which cannot be %s; these can: %s", call.Target.Ref.GVK.Kind, done, strings.Join(names, ", "))
}

// edit changes the template and returns it as Karmada returned it: the read store does not have the change yet.
func (a *OnWorkload) edit(ctx context.Context, call *Call, change func(object map[string]any) error) (model.Workload, error) {
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID}, change)
	if err != nil {
		return nil, err
	}
	return decodeWorkload(call.Target.Ref, raw)
}

func decodeWorkload(ref model.Ref, raw []byte) (model.Workload, error) {
	w, _, err := as[model.Workload](decoded(ref, raw))
	return w, err
}

// templateField is the field of a workload's spec that holds what its pods are made of.
func templateField(kind model.WorkloadKind) string {
	if kind == model.KindCronJob {
		return "jobTemplate"
	}
	return "template"
}

// podSpec is the spec of the pods of a workload, to be changed in place.
func podSpec(kind model.WorkloadKind, object map[string]any) map[string]any {
	path := []string{"spec", "template", "spec"}
	if kind == model.KindCronJob {
		path = []string{"spec", "jobTemplate", "spec", "template", "spec"}
	}
	return within(object, path...)
}

// within is the map at a path, which is made where there is none.
func within(object map[string]any, path ...string) map[string]any {
	for _, name := range path {
		next, ok := object[name].(map[string]any)
		if !ok {
			next = map[string]any{}
			object[name] = next
		}
		object = next
	}
	return object
}

// Again returns the workload as it is now.
func (a *OnWorkload) Again(ctx context.Context, call *Call, _ []byte) (model.Workload, error) {
	raw, err := call.read(ctx, call.Target.Ref)
	if err != nil {
		return nil, err
	}
	return decodeWorkload(call.Target.Ref, raw)
}
