package lifecycle

import (
	"context"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/text"
)

// The reasons of the events on an Instance, besides those of its conditions.
const (
	eventRemoved    = "ControlPlaneRemoved"
	eventOrphaned   = "ControlPlaneLeft"
	eventForced     = "DeletionForced"
	eventTemplates  = "TemplatesRemoved"
	eventLeftBehind = "LeftBehind"
	eventPutBack    = "PutBack"
)

// The actions of the events.
const (
	actionInstall = "Install"
	actionApply   = "ApplySettings"
	actionRemove  = "Remove"
)

// report brings the controller's part of the status up to date.
func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, o outcome) error {
	for _, kind := range o.keep {
		if was := meta.FindStatusCondition(instance.Status.Conditions, kind); was != nil {
			o.conditions = append(o.conditions, *was)
		}
	}
	writer := condition.Writer{
		Client: c.Client, Owner: fieldOwner, Clock: c.Clock,
		Conditions: []string{v1alpha1.ConditionInstalled, v1alpha1.ConditionSettingsApplied, v1alpha1.ConditionDeletable},
		Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
			return v1alpha1.InstanceStatus{KubeconfigSecretRef: s.KubeconfigSecretRef, Steps: s.Steps, KarmadaVersion: s.KarmadaVersion}
		},
	}
	if instance.DeletionTimestamp != nil {
		o.version = instance.Status.KarmadaVersion
	}
	changed, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Conditions: o.conditions, KubeconfigSecretRef: o.kubeconfig, Steps: o.steps, KarmadaVersion: o.version})
	if err != nil {
		return err
	}
	c.measure(instance, o)
	for _, condition := range changed {
		c.tellCondition(instance, condition)
	}
	return nil
}

func (c *Controller) measure(instance *v1alpha1.Instance, o outcome) {
	if instance.Spec.Source != v1alpha1.InstanceManaged {
		return
	}
	is := func(kind string, status metav1.ConditionStatus) float64 {
		if meta.IsStatusConditionPresentAndEqual(o.conditions, kind, status) {
			return 1
		}
		return 0
	}
	installedGauge.WithLabelValues(instance.Name).Set(is(v1alpha1.ConditionInstalled, metav1.ConditionTrue))
	heldBack := 0.0
	if instance.DeletionTimestamp != nil {
		heldBack = is(v1alpha1.ConditionDeletable, metav1.ConditionFalse)
	}
	heldBackGauge.WithLabelValues(instance.Name).Set(heldBack)
}

func (c *Controller) tell(instance *v1alpha1.Instance, kind, reason, action, format string, args ...any) {
	c.Events.Eventf(instance, nil, kind, reason, action, format, args...)
}

// tellCondition records an event for a condition that changed.
func (c *Controller) tellCondition(instance *v1alpha1.Instance, condition metav1.Condition) {
	kind, action := corev1.EventTypeWarning, actionInstall
	switch condition.Type {
	case v1alpha1.ConditionSettingsApplied:
		action = actionApply
	case v1alpha1.ConditionDeletable:
		if instance.DeletionTimestamp == nil {
			// Nobody has asked for the deletion yet.
			return
		}
		action = actionRemove
	}
	calm := []string{v1alpha1.ReasonInstalling, v1alpha1.ReasonPending, v1alpha1.ReasonRemoving}
	if condition.Status == metav1.ConditionTrue || slices.Contains(calm, condition.Reason) {
		kind = corev1.EventTypeNormal
	}
	c.tell(instance, kind, condition.Reason, action, "%s", text.Event(condition.Message))
}
