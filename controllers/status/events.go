package status

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/text"
)

const (
	// reasonPhase is the reason of events about the phase; those about a condition have its own.
	reasonPhase = "PhaseChanged"
	// Events of one reason and one action are counted as one, whatever their message: so the action names what was
	// judged, or the new phase.
	actionProbe  = "Probe"
	actionBecome = "Become"
)

// tell records events for what changed.
func (c *Controller) tell(instance *v1alpha1.Instance, part v1alpha1.InstanceStatus, changed []metav1.Condition) {
	if before := instance.Status.Phase; before != part.Phase && before != "" {
		c.Events.Eventf(instance, nil, corev1.EventTypeNormal, reasonPhase, actionBecome+string(part.Phase), "%s, was %s", part.Phase, before)
	}
	for _, condition := range changed {
		first := meta.FindStatusCondition(instance.Status.Conditions, condition.Type) == nil
		if first && condition.Status == metav1.ConditionUnknown {
			// Unknown in the beginning is no news.
			continue
		}
		kind := corev1.EventTypeNormal
		if condition.Status == metav1.ConditionFalse && condition.Reason != v1alpha1.ReasonDeleting {
			kind = corev1.EventTypeWarning
		}
		c.Events.Eventf(instance, nil, kind, condition.Reason, actionProbe+condition.Type, "%s", text.Event(fmt.Sprintf("%s is %s: %s", condition.Type, condition.Status, condition.Message)))
	}
}
