package status

import (
	"slices"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// tolerated are the reasons for which a condition may not be True in an instance that is ready.
var tolerated = map[string][]string{
	// One member that does not answer does not make the whole instance unready.
	v1alpha1.ConditionReadPathSynced: {v1alpha1.ReasonMembersNotSynced},
}

// ready sums up an instance, where part is what this controller reports now. It returns false while another
// controller's condition is about an earlier generation: the former Ready holds until every controller has looked
// again.
func ready(instance *v1alpha1.Instance, part v1alpha1.InstanceStatus) (c metav1.Condition, known bool) {
	no := func(reason, message string) (metav1.Condition, bool) {
		return metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: reason, Message: message}, true
	}
	pending := func(kind string) (metav1.Condition, bool) {
		return metav1.Condition{
			Type: v1alpha1.ConditionReady, Status: metav1.ConditionUnknown, Reason: v1alpha1.ReasonPending, Message: kind + " is not known yet",
		}, true
	}
	if instance.DeletionTimestamp != nil {
		return no(v1alpha1.ReasonDeleting, "the instance is being removed from Kairship")
	}
	before := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionReady)
	others := []string{v1alpha1.ConditionReadPathSynced, v1alpha1.ConditionAccessApplied}
	if instance.Spec.Source == v1alpha1.InstanceManaged {
		others = append([]string{v1alpha1.ConditionInstalled}, others...)
	}
	if before != nil {
		for _, kind := range others {
			if got := meta.FindStatusCondition(instance.Status.Conditions, kind); got != nil && got.ObservedGeneration != instance.Generation {
				return c, false
			}
		}
	}

	// 1. The control plane answers.
	if server := meta.FindStatusCondition(part.Conditions, v1alpha1.ConditionAPIServerReachable); server != nil && server.Status != metav1.ConditionTrue {
		if server.Reason == v1alpha1.ReasonPending {
			return pending(v1alpha1.ConditionAPIServerReachable)
		}
		return no(server.Reason, v1alpha1.ConditionAPIServerReachable+": "+server.Message)
	}
	// 2. It can be read and written through Kairship.
	for _, kind := range others {
		got := meta.FindStatusCondition(instance.Status.Conditions, kind)
		switch {
		case got == nil:
			return pending(kind)
		case got.Status != metav1.ConditionTrue && !slices.Contains(tolerated[kind], got.Reason):
			return no(got.Reason, kind+": "+got.Message)
		}
	}
	// 3. Every component works, as far as is known.
	for _, kind := range []string{
		v1alpha1.ConditionAggregatedAPIAvailable, v1alpha1.ConditionSchedulerReady, v1alpha1.ConditionControllersReady, v1alpha1.ConditionWebhookReady,
	} {
		if got := meta.FindStatusCondition(part.Conditions, kind); got != nil && got.Status == metav1.ConditionFalse {
			return no(got.Reason, kind+": "+got.Message)
		}
	}
	for _, component := range part.Components {
		if component.State == v1alpha1.ComponentNotReady {
			return no(v1alpha1.ReasonNotAnswering, component.Name+": "+component.Message)
		}
	}
	return metav1.Condition{
		Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonReady, Message: "the instance can be read and written",
	}, true
}
