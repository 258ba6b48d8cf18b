package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/model"
)

// SuspendCronJob stops the schedule of a CronJob, or has it go on.
type SuspendCronJob struct {
	OnWorkload
	Suspend bool
}

// Verb names the action.
func (a *SuspendCronJob) Verb() string { return "suspendCronJob" }

// Do returns the CronJob as Karmada returned it. Nothing is written when it is so already.
func (a *SuspendCronJob) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	if _, err := a.kindOf(call, "suspended by suspendCronJob", model.KindCronJob); err != nil {
		return nil, nil, err
	}
	return (&PauseWorkload{OnWorkload: a.OnWorkload, Resume: !a.Suspend}).Do(ctx, call)
}
