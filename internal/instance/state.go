package instance

import (
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// doubt is how long this server's view of an instance must differ from the controllers' phase before it is used: the
// controllers may not be running. They judge with hysteresis, this server does not.
const doubt = 30 * time.Second

// sight is a view of an instance's state, and since when. UNKNOWN is no opinion.
type sight struct {
	state model.InstanceState
	why   string
	since time.Time
}

// settle decides the state of an instance from what the controllers say and what this server's own connection sees.
// blind says that there is no connection.
func settle(controllers, own sight, blind bool, now time.Time) (model.InstanceState, string) {
	switch controllers.state {
	case "":
		return own.state, own.why
	case model.InstanceUnknown:
		if !blind && own.state != model.InstanceUnknown {
			return own.state, own.why
		}
		if controllers.why == "" {
			return controllers.state, own.why
		}
		return controllers.state, controllers.why
	case model.InstanceInstalling, model.InstanceDeleting:
		// An API server may or may not answer meanwhile: neither contradicts.
		return controllers.state, controllers.why
	case model.InstanceRunning, model.InstanceDown:
	}
	if own.state == model.InstanceUnknown || own.state == controllers.state {
		return controllers.state, controllers.why
	}
	disagreed := own.since
	if controllers.since.After(disagreed) {
		disagreed = controllers.since
	}
	if now.Sub(disagreed) < doubt {
		return controllers.state, controllers.why
	}
	return own.state, own.why
}

// controllersSay is what the status of an Instance says.
func controllersSay(o *v1alpha1.Instance, since time.Time) sight {
	says := func(state model.InstanceState, otherwise string, conditions ...string) sight {
		return sight{state: state, why: whyNot(o, otherwise, conditions...), since: since}
	}
	switch {
	case !o.DeletionTimestamp.IsZero():
		what := "being detached; its control plane stays as it is"
		if o.Deletion() == v1alpha1.DeletionCascade {
			what = "being removed with everything in it"
		}
		return says(model.InstanceDeleting, what, v1alpha1.ConditionDeletable)
	case o.Status.Phase == v1alpha1.PhaseInstalling,
		o.Status.Phase == "" && o.Spec.Source == v1alpha1.InstanceManaged && o.CredentialSecret() == "":
		return says(model.InstanceInstalling, "being installed", v1alpha1.ConditionInstalled)
	}
	switch o.Status.Phase {
	case v1alpha1.PhaseRunning:
		return sight{state: model.InstanceRunning, since: since}
	case v1alpha1.PhaseUnavailable:
		return says(model.InstanceDown, "its API server does not answer", v1alpha1.ConditionAPIServerReachable, v1alpha1.ConditionReady)
	case v1alpha1.PhaseUnknown:
		return says(model.InstanceUnknown, "", v1alpha1.ConditionAPIServerReachable, v1alpha1.ConditionReady)
	case v1alpha1.PhaseDeleting:
		return says(model.InstanceDeleting, "being removed", v1alpha1.ConditionDeletable)
	case v1alpha1.PhaseInstalling:
	}
	return sight{since: since}
}

// whyNot returns the message of the first of some conditions that is not true.
func whyNot(o *v1alpha1.Instance, otherwise string, conditions ...string) string {
	for _, name := range conditions {
		c := meta.FindStatusCondition(o.Status.Conditions, name)
		if c != nil && c.Status != metav1.ConditionTrue && c.Message != "" {
			return c.Message
		}
	}
	return otherwise
}
