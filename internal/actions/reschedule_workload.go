package actions

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// rebalancer is Karmada's request to schedule workloads anew.
var rebalancer = schema.GroupVersionKind{Group: "apps.karmada.io", Version: "v1alpha1", Kind: "WorkloadRebalancer"}

// keptSeconds is how long a request is kept when it is done, so that people can see what became of it.
const keptSeconds = 3600

// RescheduleWorkload has Karmada choose the clusters of a workload anew, as its policy says today: what runs may move.
type RescheduleWorkload struct{ OnWorkload }

// Verb names the action.
func (a *RescheduleWorkload) Verb() string { return "rescheduleWorkload" }

// Do returns the workload as it is. A workload that is not there is NOT_FOUND.
func (a *RescheduleWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	ref := call.Target.Ref
	workload, err := call.Open(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := workload.Get(ctx)
	if err != nil {
		return nil, nil, err
	}
	w, err := decodeWorkload(ref, raw)
	if err != nil {
		return nil, nil, err
	}
	if err := (karmada.Expected{UID: a.UID}).Meets(karmada.Expected{UID: w.Meta().UID}); err != nil {
		return nil, nil, err
	}
	if w.Meta().Claim == nil {
		return nil, nil, model.BadInput("id", "is the id of a %s that no propagation policy claims: there is nothing to schedule", ref.GVK.Kind)
	}
	name := karmada.UniqueName(ref.Name)
	request, err := call.Open(ctx, model.Ref{Instance: ref.Instance, GVK: rebalancer, Name: name})
	if err != nil {
		return nil, nil, err
	}
	_, err = request.Create(ctx, map[string]any{
		"apiVersion": rebalancer.GroupVersion().String(), "kind": rebalancer.Kind, "metadata": map[string]any{"name": name},
		"spec": map[string]any{
			"workloads":               []any{map[string]any{"apiVersion": ref.APIVersion(), "kind": ref.GVK.Kind, "namespace": ref.Namespace, "name": ref.Name}},
			"ttlSecondsAfterFinished": keptSeconds,
		},
	})
	if karmada.IsForbidden(err) {
		return nil, nil, &model.Error{Code: model.CodeForbidden, Instance: ref.Instance,
			Message: fmt.Sprintf("only those with the role Admin on all of instance %q may reschedule: a WorkloadRebalancer is in no namespace", ref.Instance)}
	}
	if err != nil {
		return nil, nil, err
	}
	return w, nil, nil
}
