package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
)

// MaxReplicas is the most that a workload may be scaled to.
const MaxReplicas = 100_000

// ScaleWorkload sets how many replicas a workload template asks for.
type ScaleWorkload struct {
	// ID is the global id of a Deployment or StatefulSet template.
	ID string
	// UID is the expected UID of the object; empty for any object of that name.
	UID string
	// Replicas is from 0 to MaxReplicas.
	Replicas int32
	DryRun   bool
}

// Verb names the action.
func (a *ScaleWorkload) Verb() string { return "scaleWorkload" }

// Target returns the workload.
func (a *ScaleWorkload) Target(auth.Principal) (Target, error) {
	ref, err := model.ParseWorkloadID(a.ID)
	return Target{Ref: ref, Field: "id", DryRun: a.DryRun}, err
}

// Allowed leaves the decision to Karmada.
func (a *ScaleWorkload) Allowed(*Call) error { return nil }

// Do returns the workload as Karmada returned it: the read store does not have the change yet. It patches the
// template itself, not its scale subresource, which would not return the whole object and would need rights beyond
// editing workloads.
func (a *ScaleWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	ref := call.Target.Ref
	kind, ok := model.WorkloadKindOf(ref.GVK)
	if !ok || ref.Cluster != "" || (kind != model.KindDeployment && kind != model.KindStatefulSet) {
		return nil, nil, model.BadInput("id", "is not the id of a Deployment or StatefulSet template: only these can be scaled")
	}
	if a.Replicas < 0 || a.Replicas > MaxReplicas {
		return nil, nil, model.BadInput("replicas", "%d is out of range; 0 to %d are allowed", a.Replicas, MaxReplicas)
	}
	raw, problems, err := call.Patch(ctx, a.UID, map[string]any{"spec": map[string]any{"replicas": a.Replicas}})
	if err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	w, err := propagation.DecodeWorkload(ref.Instance, kind, raw)
	return w, nil, err
}
