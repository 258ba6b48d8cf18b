package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// MaxReplicas is the most that a workload may be scaled to.
const MaxReplicas = 100_000

// ScaleWorkload sets how many replicas a Deployment or StatefulSet template asks for.
type ScaleWorkload struct {
	OnWorkload
	// Replicas is from 0 to MaxReplicas.
	Replicas int32
}

// Verb names the action.
func (a *ScaleWorkload) Verb() string { return "scaleWorkload" }

// InputOf is the number: nothing else is sent.
func (a *ScaleWorkload) InputOf([]string) []string { return []string{"replicas"} }

// Do returns the workload as Karmada returned it: the read store does not have the change yet. It patches the
// template itself, not its scale subresource, which would not return the whole object and would need rights beyond
// editing workloads; and it does not read first, so that those who may not read can scale.
func (a *ScaleWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	if _, err := a.kindOf(call, "scaled", model.KindDeployment, model.KindStatefulSet); err != nil {
		return nil, nil, err
	}
	if a.Replicas < 0 || a.Replicas > MaxReplicas {
		return nil, nil, model.BadInput("replicas", "%d is out of range; 0 to %d are allowed", a.Replicas, MaxReplicas)
	}
	object, err := call.Open(ctx, call.Target.Ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := known(ctx, call, object).Merge(ctx, karmada.Expected{UID: a.UID}, map[string]any{"spec": map[string]any{"replicas": a.Replicas}})
	if err != nil {
		return nil, nil, err
	}
	w, err := decodeWorkload(call.Target.Ref, raw)
	return w, nil, err
}
