package actions

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// unschedulable is the key of the taint by which `karmadactl cordon` keeps new workloads away from a cluster.
const unschedulable = "cluster.karmada.io/unschedulable"

// SetClusterSchedulable pauses the scheduling to a member cluster, or resumes it. What runs there stays.
type SetClusterSchedulable struct {
	OnCluster
	Schedulable bool
}

// Verb names the action.
func (a *SetClusterSchedulable) Verb() string { return "setClusterSchedulable" }

// Do returns the cluster as Karmada returned it. Other taints stay, so that a cluster may be unschedulable by them.
func (a *SetClusterSchedulable) Do(ctx context.Context, call *Call) (*model.Cluster, []model.UserError, error) {
	c, err := a.edit(ctx, call, func(object map[string]any) error {
		spec := within(object, "spec")
		taints, _ := spec["taints"].([]any)
		left := slices.DeleteFunc(slices.Clone(taints), func(t any) bool {
			taint, _ := t.(map[string]any)
			return taint["key"] == unschedulable
		})
		switch {
		case !a.Schedulable && len(left) == len(taints):
			spec["taints"] = append(left, map[string]any{"key": unschedulable, "effect": "NoSchedule"})
		case a.Schedulable && len(left) < len(taints):
			spec["taints"] = left
		}
		return nil
	})
	return c, nil, err
}
