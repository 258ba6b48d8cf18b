package actions

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// restartedAt is kubectl's annotation of a pod template that is rolled out anew.
const restartedAt = "kubectl.kubernetes.io/restartedAt"

// RestartWorkload has the pods of a Deployment, StatefulSet or DaemonSet made anew in every member, as `kubectl rollout
// restart` does.
type RestartWorkload struct {
	OnWorkload
	// Now is the time that is written down; nil is the clock's.
	Now func() time.Time `json:"-"`
}

// Verb names the action.
func (a *RestartWorkload) Verb() string { return "restartWorkload" }

// Do returns the workload as Karmada returned it. A paused Deployment would not be rolled out: it is refused.
func (a *RestartWorkload) Do(ctx context.Context, call *Call) (model.Workload, []model.UserError, error) {
	if _, err := a.kindOf(call, "restarted", model.KindDeployment, model.KindStatefulSet, model.KindDaemonSet); err != nil {
		return nil, nil, err
	}
	now := time.Now
	if a.Now != nil {
		now = a.Now
	}
	w, err := a.edit(ctx, call, func(object map[string]any) error {
		if paused(object) {
			return errPaused("restarted")
		}
		within(object, "spec", "template", "metadata", "annotations")[restartedAt] = now().UTC().Format(time.RFC3339)
		return nil
	})
	return w, nil, err
}

// paused reports whether the rollout of a Deployment is paused.
func paused(object map[string]any) bool {
	spec, _ := object["spec"].(map[string]any)
	is, _ := spec["paused"].(bool)
	return is
}

func errPaused(done string) error {
	return model.BadInput("id", "is the id of a Deployment whose rollout is paused, which would not be %s; resume it first (resumeWorkload)", done)
}
