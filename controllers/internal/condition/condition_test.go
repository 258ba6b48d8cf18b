package condition_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	testclock "k8s.io/utils/clock/testing"
	"k8s.io/utils/ptr"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/internal/condition"
)

// recorder is a client that keeps what is applied to the status.
type recorder struct {
	client.Client

	applied []map[string]any
}

func (r *recorder) Status() client.SubResourceWriter { return statusRecorder{recorder: r} }

type statusRecorder struct{ *recorder }

func (r statusRecorder) Create(context.Context, client.Object, client.Object, ...client.SubResourceCreateOption) error {
	return errors.ErrUnsupported
}

func (r statusRecorder) Update(context.Context, client.Object, ...client.SubResourceUpdateOption) error {
	return errors.ErrUnsupported
}

func (r statusRecorder) Patch(context.Context, client.Object, client.Patch, ...client.SubResourcePatchOption) error {
	return errors.ErrUnsupported
}

func (r statusRecorder) Apply(_ context.Context, o runtime.ApplyConfiguration, _ ...client.SubResourceApplyOption) error {
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		return err
	}
	r.applied = append(r.applied, content)
	return nil
}

func TestWrite(t *testing.T) {
	then, now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), time.Date(2026, 1, 2, 4, 0, 0, 0, time.UTC)
	is := func(status metav1.ConditionStatus, reason, message string) metav1.Condition {
		return metav1.Condition{Type: "Ready", Status: status, Reason: reason, Message: message}
	}
	before := is(metav1.ConditionTrue, "Fine", "as ever")
	before.LastTransitionTime, before.ObservedGeneration = metav1.NewTime(then), 3
	status := func(c metav1.Condition, numbers *v1alpha1.VirtualClusterStatus, generation int64) v1alpha1.InstanceStatus {
		return v1alpha1.InstanceStatus{Conditions: []metav1.Condition{c}, VirtualCluster: numbers, ObservedGeneration: generation}
	}
	numbers := &v1alpha1.VirtualClusterStatus{Name: "kairship.asia", Members: ptr.To[int32](2)}
	instance := &v1alpha1.Instance{
		ObjectMeta: metav1.ObjectMeta{Name: "asia", UID: "u", Generation: 3},
		Status:     v1alpha1.InstanceStatus{ObservedGeneration: 3, VirtualCluster: numbers, Conditions: []metav1.Condition{before}},
	}
	for name, tt := range map[string]struct {
		status  v1alpha1.InstanceStatus
		written bool
		changed bool
		since   time.Time
	}{
		"nothing changed":                {status: status(is(metav1.ConditionTrue, "Fine", "as ever"), numbers, 3)},
		"another message":                {status(is(metav1.ConditionTrue, "Fine", "new"), numbers, 3), true, false, then},
		"another reason":                 {status(is(metav1.ConditionTrue, "Better", "as ever"), numbers, 3), true, true, then},
		"another status":                 {status(is(metav1.ConditionFalse, "Fine", "as ever"), numbers, 3), true, true, now},
		"other numbers":                  {status(is(metav1.ConditionTrue, "Fine", "as ever"), &v1alpha1.VirtualClusterStatus{Name: "kairship.asia"}, 3), true, false, then},
		"numbers that are known no more": {status(is(metav1.ConditionTrue, "Fine", "as ever"), nil, 3), true, false, then},
		"another observed generation":    {status(is(metav1.ConditionTrue, "Fine", "as ever"), numbers, 4), true, false, then},
		"a condition that is no more":    {v1alpha1.InstanceStatus{ObservedGeneration: 3, VirtualCluster: numbers}, true, false, time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{}
			w := condition.Writer{
				Client: r, Owner: "test", Clock: testclock.NewFakePassiveClock(now), Conditions: []string{"Ready", "Other"},
				Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
					return v1alpha1.InstanceStatus{ObservedGeneration: s.ObservedGeneration, VirtualCluster: s.VirtualCluster}
				},
			}
			changed, err := w.Write(t.Context(), instance, tt.status)
			if err != nil {
				t.Fatal(err)
			}
			if (len(changed) > 0) != tt.changed {
				t.Errorf("changed: want %v, got %v", tt.changed, changed)
			}
			if written := len(r.applied) > 0; written != tt.written {
				t.Fatalf("written: want %v, got %v", tt.written, r.applied)
			}
			if !tt.written {
				return
			}
			if diff := cmp.Diff(map[string]any{"name": "asia", "uid": "u"}, r.applied[0]["metadata"]); diff != "" {
				t.Errorf("written to (-want +got):\n%s", diff)
			}
			if tt.since.IsZero() {
				if conditions := r.applied[0]["status"].(map[string]any)["conditions"]; conditions != nil {
					t.Errorf("conditions that are left: %v", conditions)
				}
				return
			}
			got := r.applied[0]["status"].(map[string]any)["conditions"].([]any)[0].(map[string]any)
			if diff := cmp.Diff(tt.since.Format(time.RFC3339), got["lastTransitionTime"]); diff != "" {
				t.Errorf("since (-want +got):\n%s", diff)
			}
		})
	}
}

func TestALongMessageIsCut(t *testing.T) {
	r := &recorder{}
	w := condition.Writer{Client: r, Owner: "test", Clock: testclock.NewFakePassiveClock(time.Now()), Conditions: []string{"Ready"}}
	long := strings.Repeat("ä", 100_000)
	if _, err := w.Write(t.Context(), &v1alpha1.Instance{}, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{{Type: "Ready", Message: long}}}); err != nil {
		t.Fatal(err)
	}
	message := r.applied[0]["status"].(map[string]any)["conditions"].([]any)[0].(map[string]any)["message"].(string)
	if n := len([]rune(message)); n > 3000 || !strings.HasSuffix(message, "ä…") {
		t.Errorf("the message has %d characters and ends with %q", n, message[len(message)-10:])
	}
}

func TestAConditionThatNamesAGenerationKeepsIt(t *testing.T) {
	r := &recorder{}
	w := condition.Writer{Client: r, Owner: "test", Clock: testclock.NewFakePassiveClock(time.Now()), Conditions: []string{"Ready", "Other"}}
	instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Generation: 3}}
	part := v1alpha1.InstanceStatus{Conditions: []metav1.Condition{{Type: "Ready", ObservedGeneration: 2}, {Type: "Other"}}}
	if _, err := w.Write(t.Context(), instance, part); err != nil {
		t.Fatal(err)
	}
	var got []any
	for _, c := range r.applied[0]["status"].(map[string]any)["conditions"].([]any) {
		got = append(got, c.(map[string]any)["observedGeneration"])
	}
	if diff := cmp.Diff([]any{int64(2), int64(3)}, got); diff != "" {
		t.Errorf("generations (-want +got):\n%s", diff)
	}
}
