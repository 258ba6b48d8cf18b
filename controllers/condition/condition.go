// Package condition writes what a controller found out into the status of an Instance: each controller
// its own conditions and fields, by server-side apply, and nothing when nothing changed. It must not
// know what a condition means.
package condition

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// maxMessage keeps a message readable, and within what the API allows.
const maxMessage = 2048

// Writer writes status on behalf of one controller.
type Writer struct {
	Client client.Client
	// Owner is the field manager.
	Owner client.FieldOwner
	Clock clock.PassiveClock
}

// Status is the part of an Instance's status that one controller owns. Fields left nil are not owned.
type Status struct {
	Condition          metav1.Condition
	VirtualCluster     *v1alpha1.VirtualClusterStatus
	ObservedGeneration *int64
}

// Write brings the controller's part of the status up to date. It reports whether the condition's
// status or reason changed, which is when people want to be told. The Instance given is the one that
// the status was found out for; it is not changed.
func (w Writer) Write(ctx context.Context, instance *v1alpha1.Instance, status Status) (changed bool, err error) {
	c := status.Condition
	c.ObservedGeneration = instance.Generation
	if runes := []rune(c.Message); len(runes) > maxMessage {
		c.Message = string(runes[:maxMessage]) + "…"
	}
	before := meta.FindStatusCondition(instance.Status.Conditions, c.Type)
	if before != nil && before.Status == c.Status {
		c.LastTransitionTime = before.LastTransitionTime
	} else {
		c.LastTransitionTime = metav1.NewTime(w.Clock.Now()).Rfc3339Copy()
	}
	changed = before == nil || before.Status != c.Status || before.Reason != c.Reason
	same := before != nil && equality.Semantic.DeepEqual(*before, c) &&
		(status.VirtualCluster == nil || equality.Semantic.DeepEqual(instance.Status.VirtualCluster, status.VirtualCluster)) &&
		(status.ObservedGeneration == nil || instance.Status.ObservedGeneration == *status.ObservedGeneration)
	if same {
		return false, nil
	}

	content := v1alpha1.InstanceStatus{Conditions: []metav1.Condition{c}, VirtualCluster: status.VirtualCluster}
	if status.ObservedGeneration != nil {
		content.ObservedGeneration = *status.ObservedGeneration
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&content)
	if err != nil {
		return false, fmt.Errorf("writing the status of instance %q: %w", instance.Name, err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		// The UID makes the write fail on another Instance of the same name.
		"metadata": map[string]any{"name": instance.Name, "uid": string(instance.UID)},
		"status":   fields,
	}}
	object.SetGroupVersionKind(v1alpha1.InstanceKind)
	if err := w.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), w.Owner, client.ForceOwnership); err != nil {
		return false, fmt.Errorf("writing the status of instance %q: %w", instance.Name, err)
	}
	return changed, nil
}
