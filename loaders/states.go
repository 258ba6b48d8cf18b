package loaders

import (
	"context"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
)

// What a state is, package propagation decides from the template, its binding, the clusters and the time.
// SQL can only leave rows out that cannot be in a state: the rest is judged one by one.

// mayBeIn holds for all templates that are in one of the states, and for others. Where something else than a
// binding that is not well, or a template that asks for nothing, makes the state, it holds for all: the
// judgement is bounded, a search through every binding is not.
func mayBeIn(states []model.WorkloadState) sql.Condition {
	var bound, amiss, jobs bool
	for _, state := range states {
		switch state {
		case model.WorkloadRunning:
			bound = true
		case model.WorkloadDegraded:
			// Of Jobs, Karmada says Healthy whatever they do.
			amiss, jobs = true, true
		case model.WorkloadNotPropagated, model.WorkloadPaused, model.WorkloadStopped, model.WorkloadDeleting:
			amiss = true
		case model.WorkloadCompleted, model.WorkloadFailed:
			jobs = true
		default:
			return sql.All() // time or the clusters decide
		}
	}
	const jobResource = "jobs"
	var few sql.Condition
	switch {
	case amiss && jobs:
		few = sql.Unhealthy(jobResource)
	case amiss:
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

// inStates reads a page of what is in some states.
func (k *Loaders) inStates(ctx context.Context, list paging[string, model.Workload], q WorkloadQuery, states []model.WorkloadState, rows part) (*model.WorkloadConnection, error) {
	return filterPage(k, q.ListOptions, func(opts ListOptions) (*model.WorkloadConnection, error) {
		return list.one(ctx, k, opts, q.of(), []part{rows})
	}, func(w model.Workload) (bool, error) {
		state, _, err := k.State(ctx, w.Meta())
		return slices.Contains(states, state), err
	})
}
