package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// Package propagation computes a state from the template, its binding, the clusters and the time. SQL can only exclude
// rows that cannot be in a state: the others are evaluated one by one.

// mayBeIn holds for all templates that are in one of the states, and for others. Where the state depends on more than
// an unhealthy binding, or a template that requests nothing, it holds for all: the evaluation is bounded, a search
// through every binding is not.
func mayBeIn(states []model.WorkloadState) sql.Condition {
	var bound, unhealthy, jobs bool
	for _, state := range states {
		switch state {
		case model.WorkloadRunning:
			bound = true
		case model.WorkloadDegraded:
			// Karmada reports Jobs Healthy whatever they do.
			unhealthy, jobs = true, true
		case model.WorkloadNotPropagated, model.WorkloadPaused, model.WorkloadStopped, model.WorkloadDeleting:
			unhealthy = true
		case model.WorkloadCompleted, model.WorkloadFailed:
			jobs = true
		default:
			return sql.All() // time or the clusters decide
		}
	}
	const jobResource = "jobs"
	var few sql.Condition
	switch {
	case unhealthy && jobs:
		few = sql.Unhealthy(jobResource)
	case unhealthy:
		few = sql.Unhealthy()
	case jobs:
		few = sql.OfResource(jobResource)
	}
	switch {
	case !bound:
		return few
	case few == nil:
		return sql.Binding()
	}
	return sql.All() // most templates are in one of the states
}

// inStates reads a page of the workloads in some states.
func (k *Loaders) inStates(ctx context.Context, list paging[string, model.Workload], q WorkloadQuery, states []model.WorkloadState, rows part) (*model.WorkloadConnection, error) {
	return filterPage(k, q.ListOptions, func(opts ListOptions) (*model.WorkloadConnection, error) {
		return list.one(ctx, k, opts, q.of(), []part{rows})
	}, func(w model.Workload) (bool, error) {
		state, _, err := k.State(ctx, w.Meta())
		return slices.Contains(states, state), err
	})
}
