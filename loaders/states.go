package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
)

// What a state is, package propagation decides from the template, its binding, the clusters and the time.
// SQL can only leave rows out that cannot be in a state: the rest is judged one by one.

// mayBeIn holds for all templates that are in one of the states, and for others.
func mayBeIn(states []model.WorkloadState) pedia.Condition {
	var any []pedia.Condition
	for _, state := range states {
		any = append(any, mayBe(state))
	}
	return pedia.Any(any...)
}

func mayBe(state model.WorkloadState) pedia.Condition {
	condition := func(kind string) pedia.Condition {
		return pedia.FieldContains([]string{"status", "conditions"}, []any{map[string]any{"type": kind, "status": "True"}})
	}
	kind := func(kinds ...string) pedia.Condition {
		return pedia.Field([]string{"spec", "resource", "kind"}, kinds...)
	}
	switch state {
	case model.WorkloadRunning:
		return pedia.Binding()
	case model.WorkloadDegraded:
		// Of Jobs and CronJobs, Karmada says Healthy whatever they do.
		return pedia.Binding(pedia.Any(kind("Job", "CronJob"),
			pedia.FieldContains([]string{"status", "aggregatedStatus"}, []any{map[string]any{"health": "Unhealthy"}}),
			pedia.Not(condition("FullyApplied")), pedia.Not(condition("Scheduled"))))
	case model.WorkloadStopped:
		return pedia.Field([]string{"spec", "replicas"}, "0")
	case model.WorkloadPaused:
		return pedia.Any(pedia.Field([]string{"spec", "paused"}, "true"), pedia.Field([]string{"spec", "suspend"}, "true"),
			pedia.Binding(pedia.FieldContains([]string{"spec", "suspension"}, map[string]any{})))
	case model.WorkloadNotPropagated:
		return pedia.Not(pedia.Binding(pedia.FieldContains([]string{"spec", "clusters"}, []any{map[string]any{}})))
	case model.WorkloadCompleted, model.WorkloadFailed:
		return pedia.Binding(kind("Job"))
	}
	return pedia.All() // time or the clusters decide, or the rows are few
}

// inStates reads a page of what is in some states.
func (k *Kernel) inStates(ctx context.Context, list paging[string, model.Workload], q WorkloadQuery, states []model.WorkloadState, rows part) (*model.WorkloadConnection, error) {
	return judged(q.ListOptions, func(opts ListOptions) (*model.WorkloadConnection, error) {
		return list.one(ctx, k, opts, q.of(), []part{rows})
	}, func(w model.Workload) (bool, error) {
		state, _, err := k.State(ctx, w.Meta())
		return slices.Contains(states, state), err
	})
}
