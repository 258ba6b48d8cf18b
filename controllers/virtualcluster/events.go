package virtualcluster

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/text"
)

// The reasons of the events on an Instance, besides those of its condition.
const (
	eventRegistered   = "MemberRegistered"
	eventDeregistered = "MemberDeregistered"
	eventRebuilding   = "VirtualClusterRebuilding"
	eventRemoved      = "VirtualClusterRemoved"
	eventStuck        = "VirtualClusterStuck"
)

// The actions of the events.
const (
	actionSync     = "SyncReadPath"
	actionRegister = "Register"
	actionRemove   = "Remove"
)

func (c *Controller) tell(instance *v1alpha1.Instance, kind, reason, action, format string, args ...any) {
	c.Events.Eventf(instance, nil, kind, reason, action, format, args...)
}

// tellCondition records an event for a condition that changed.
func (c *Controller) tellCondition(instance *v1alpha1.Instance, condition metav1.Condition) {
	kind := corev1.EventTypeNormal
	switch condition.Reason {
	case v1alpha1.ReasonSynced, v1alpha1.ReasonSyncing, v1alpha1.ReasonRemoving:
	default:
		kind = corev1.EventTypeWarning
	}
	c.tell(instance, kind, condition.Reason, actionSync, "%s", text.Event(condition.Message))
}
