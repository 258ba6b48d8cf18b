// Package condition writes a controller's findings into the status of an Instance: only its own conditions and fields,
// by server-side apply, and only when something changed. It must not know what a condition means.
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
	"github.com/kairship-io/kairship/controllers/internal/text"
)

// Writer writes status on behalf of one controller.
type Writer struct {
	Client client.Client
	// Owner is the field manager.
	Owner client.FieldOwner
	Clock clock.PassiveClock
	// Conditions are the types that the controller owns.
	Conditions []string
	// Fields reduces a status to the other fields that the controller owns; nil when there are none.
	Fields func(v1alpha1.InstanceStatus) v1alpha1.InstanceStatus
}

// Write brings the controller's part of the status up to date: conditions that it owns and part lacks are removed. It
// returns the conditions whose status or reason changed, which deserve an event. The Instance given is the one that the
// status was found out for; it is not changed. A condition without a generation gets that of the Instance.
func (w Writer) Write(ctx context.Context, instance *v1alpha1.Instance, part v1alpha1.InstanceStatus) (changed []metav1.Condition, err error) {
	want := w.fields(part)
	same := equality.Semantic.DeepEqual(w.fields(instance.Status), want)
	for _, kind := range w.Conditions {
		before, after := meta.FindStatusCondition(instance.Status.Conditions, kind), meta.FindStatusCondition(part.Conditions, kind)
		if after == nil {
			same = same && before == nil
			continue
		}
		c := w.complete(instance, before, *after)
		want.Conditions = append(want.Conditions, c)
		if before == nil || before.Status != c.Status || before.Reason != c.Reason {
			changed = append(changed, c)
		}
		same = same && before != nil && equality.Semantic.DeepEqual(*before, c)
	}
	if same {
		return nil, nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&want)
	if err != nil {
		return nil, fmt.Errorf("writing the status of instance %q: %w", instance.Name, err)
	}
	object := &unstructured.Unstructured{Object: map[string]any{
		// The UID makes the write fail on another Instance of the same name.
		"metadata": map[string]any{"name": instance.Name, "uid": string(instance.UID)},
		"status":   fields,
	}}
	object.SetGroupVersionKind(v1alpha1.InstanceKind)
	if err := w.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(object), w.Owner, client.ForceOwnership); err != nil {
		return nil, fmt.Errorf("writing the status of instance %q: %w", instance.Name, err)
	}
	return changed, nil
}

func (w Writer) fields(status v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
	if w.Fields == nil {
		return v1alpha1.InstanceStatus{}
	}
	return w.Fields(*status.DeepCopy())
}

// complete returns a condition as it is written; before is the current one.
func (w Writer) complete(instance *v1alpha1.Instance, before *metav1.Condition, c metav1.Condition) metav1.Condition {
	// A condition with a generation repeats what was found out about that one.
	if c.ObservedGeneration == 0 {
		c.ObservedGeneration = instance.Generation
	}
	c.Message = text.Status(c.Message)
	if before != nil && before.Status == c.Status {
		c.LastTransitionTime = before.LastTransitionTime
	} else {
		c.LastTransitionTime = metav1.NewTime(w.Clock.Now()).Rfc3339Copy()
	}
	return c
}
