package readiness

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func TestReady(t *testing.T) {
	is := func(kind string, status metav1.ConditionStatus, reason string, generation int64) metav1.Condition {
		return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: "so it is", ObservedGeneration: generation}
	}
	const read, access = v1alpha1.ConditionReadPathSynced, v1alpha1.ConditionAccessApplied
	synced := is(read, metav1.ConditionTrue, v1alpha1.ReasonSynced, 2)
	applied := is(access, metav1.ConditionTrue, v1alpha1.ReasonApplied, 2)
	yes := metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonReady, Message: "the instance can be read and written"}
	for name, tt := range map[string]struct {
		conditions []metav1.Condition
		deleting   bool
		want       metav1.Condition
		unknown    bool
	}{
		"all is well": {
			conditions: []metav1.Condition{synced, applied},
			want:       yes,
		},
		"a member that is not followed is tolerated": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonMembersNotSynced, 2), applied},
			want:       yes,
		},
		"a Karmada that does not answer is not": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonUnreachable, 2), applied},
			want:       metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonUnreachable, Message: "ReadPathSynced: so it is"},
		},
		"permissions that are missing are not": {
			conditions: []metav1.Condition{synced, is(access, metav1.ConditionFalse, v1alpha1.ReasonRefused, 2)},
			want:       metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonRefused, Message: "AccessApplied: so it is"},
		},
		"one controller has not looked yet": {
			conditions: []metav1.Condition{synced},
			want:       metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionUnknown, Reason: v1alpha1.ReasonPending, Message: "AccessApplied is not known yet"},
		},
		"after an edit, what was said holds until all have looked again": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonUnreachable, 1), applied, yes},
			unknown:    true,
		},
		"an instance that goes is not ready, whatever else is": {
			conditions: []metav1.Condition{synced, applied},
			deleting:   true,
			want:       metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse, Reason: v1alpha1.ReasonDeleting, Message: "the instance is being removed from Kairship"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Generation: 2}, Status: v1alpha1.InstanceStatus{Conditions: tt.conditions}}
			if tt.deleting {
				now := metav1.NewTime(time.Unix(1, 0))
				instance.DeletionTimestamp = &now
			}
			got, known := ready(instance)
			if known == tt.unknown {
				t.Fatalf("known: want %v, got %v", !tt.unknown, known)
			}
			if !known {
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("condition (-want +got):\n%s", diff)
			}
		})
	}
}
