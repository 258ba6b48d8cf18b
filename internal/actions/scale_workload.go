package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
)

// ScaleWorkload sets how many replicas a workload template asks for; see karmada.Scale.
type ScaleWorkload struct {
	// ID is the workload's global id.
	ID string
	// UID is that of the object that is meant; empty for whichever has the name now.
	UID      string
	Replicas int32
	DryRun   bool
}

// Verb names it.
func (a *ScaleWorkload) Verb() string { return "scaleWorkload" }

// Target is the workload.
func (a *ScaleWorkload) Target(auth.Principal) (Target, error) {
	ref, err := model.ParseWorkloadID(a.ID)
	return Target{Ref: ref, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves it to Karmada.
func (a *ScaleWorkload) Allowed(*Call) error { return nil }

// Do gives the workload as Karmada returned it: the read store does not have it yet.
func (a *ScaleWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	conn, err := call.Connection()
	if err != nil {
		return nil, nil, err
	}
	ref := call.Target.Ref
	raw, problems, err := karmada.Scale(ctx, conn, call.Acting(), karmada.ScaleRequest{Ref: ref, UID: a.UID, Replicas: a.Replicas, DryRun: a.DryRun})
	if err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	kind, _ := model.WorkloadKindOf(ref.GVK)
	w, err := propagation.DecodeWorkload(ref.Instance, kind, raw)
	return w, nil, err
}
