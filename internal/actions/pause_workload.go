package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/model"
)

// PauseWorkload pauses a workload: the rollout of a Deployment, the run of a Job, the schedule of a CronJob; or takes
// that back.
type PauseWorkload struct {
	OnWorkload
	Resume bool
}

// Verb names the action.
func (a *PauseWorkload) Verb() string {
	if a.Resume {
		return "resumeWorkload"
	}
	return "pauseWorkload"
}

// Do returns the workload as Karmada returned it. Nothing is written when it is so already.
func (a *PauseWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	kind, err := a.kindOf(call, "paused", model.KindDeployment, model.KindJob, model.KindCronJob)
	if err != nil {
		return nil, nil, err
	}
	field := "suspend"
	if kind == model.KindDeployment {
		field = "paused"
	}
	w, err := a.edit(ctx, call, func(object map[string]any) error {
		spec := within(object, "spec")
		if was, _ := spec[field].(bool); was == a.Resume {
			spec[field] = !a.Resume
		}
		return nil
	})
	return w, nil, err
}
