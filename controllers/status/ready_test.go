package status

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func TestReadySumsUpWhatEveryControllerFoundOut(t *testing.T) {
	is := func(kind string, status metav1.ConditionStatus, reason string, generation int64) metav1.Condition {
		return metav1.Condition{Type: kind, Status: status, Reason: reason, Message: "so it is", ObservedGeneration: generation}
	}
	const read, access, installed = v1alpha1.ConditionReadPathSynced, v1alpha1.ConditionAccessApplied, v1alpha1.ConditionInstalled
	synced := is(read, metav1.ConditionTrue, v1alpha1.ReasonSynced, 2)
	applied := is(access, metav1.ConditionTrue, v1alpha1.ReasonApplied, 2)
	says := func(status metav1.ConditionStatus, reason, message string) metav1.Condition {
		return metav1.Condition{Type: v1alpha1.ConditionReady, Status: status, Reason: reason, Message: message}
	}
	yes := says(metav1.ConditionTrue, v1alpha1.ReasonReady, "the instance can be read and written")
	server := is(v1alpha1.ConditionAPIServerReachable, metav1.ConditionTrue, v1alpha1.ReasonAnswering, 0)
	for name, tt := range map[string]struct {
		conditions []metav1.Condition
		own        []metav1.Condition
		components []v1alpha1.ComponentStatus
		managed    bool
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
		"a member that does not answer is tolerated": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{is(v1alpha1.ConditionMembersReachable, metav1.ConditionFalse, v1alpha1.ReasonNotAnswering, 0)},
			want:       yes,
		},
		"a member that somebody else holds as well is tolerated": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{is(v1alpha1.ConditionMembersUnique, metav1.ConditionFalse, v1alpha1.ReasonHeldTwice, 0)},
			want:       yes,
		},
		"a Karmada that the read store cannot follow is not": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonUnreachable, 2), applied},
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonUnreachable, "ReadPathSynced: so it is"),
		},
		"permissions that are missing are not": {
			conditions: []metav1.Condition{synced, is(access, metav1.ConditionFalse, v1alpha1.ReasonRefused, 2)},
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonRefused, "AccessApplied: so it is"),
		},
		"one controller has not looked yet": {
			conditions: []metav1.Condition{synced},
			want:       says(metav1.ConditionUnknown, v1alpha1.ReasonPending, "AccessApplied is not known yet"),
		},
		"nor has this one": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{is(v1alpha1.ConditionAPIServerReachable, metav1.ConditionUnknown, v1alpha1.ReasonPending, 0)},
			want:       says(metav1.ConditionUnknown, v1alpha1.ReasonPending, "APIServerReachable is not known yet"),
		},
		"an API server that does not answer comes first": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonMembersNotSynced, 2)},
			own:        []metav1.Condition{is(v1alpha1.ConditionAPIServerReachable, metav1.ConditionFalse, v1alpha1.ReasonUnreachable, 0)},
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonUnreachable, "APIServerReachable: so it is"),
		},
		"so does a credential that is missing": {
			own:  []metav1.Condition{is(v1alpha1.ConditionAPIServerReachable, metav1.ConditionUnknown, v1alpha1.ReasonKubeconfigSecretNotFound, 0)},
			want: says(metav1.ConditionFalse, v1alpha1.ReasonKubeconfigSecretNotFound, "APIServerReachable: so it is"),
		},
		"a scheduler that does not work is not tolerated": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{server, is(v1alpha1.ConditionSchedulerReady, metav1.ConditionFalse, v1alpha1.ReasonLeaseExpired, 0)},
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonLeaseExpired, "SchedulerReady: so it is"),
		},
		"one of which nothing is known is": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{server, is(v1alpha1.ConditionSchedulerReady, metav1.ConditionUnknown, v1alpha1.ReasonNoEvidence, 0)},
			want:       yes,
		},
		"a component without a condition counts as well": {
			conditions: []metav1.Condition{synced, applied},
			own:        []metav1.Condition{server},
			components: []v1alpha1.ComponentStatus{{Name: componentDescheduler, State: v1alpha1.ComponentNotReady, Message: "nobody holds it"}},
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonNotAnswering, "Descheduler: nobody holds it"),
		},
		"a managed one has to be installed": {
			conditions: []metav1.Condition{synced, applied, is(installed, metav1.ConditionFalse, v1alpha1.ReasonInstalling, 2)},
			own:        []metav1.Condition{server},
			managed:    true,
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonInstalling, "Installed: so it is"),
		},
		"after an edit, what was said holds until all have looked again": {
			conditions: []metav1.Condition{is(read, metav1.ConditionFalse, v1alpha1.ReasonUnreachable, 1), applied, yes},
			unknown:    true,
		},
		"an instance that goes is not ready, whatever else is": {
			conditions: []metav1.Condition{synced, applied},
			deleting:   true,
			want:       says(metav1.ConditionFalse, v1alpha1.ReasonDeleting, "the instance is being removed from Kairship"),
		},
	} {
		t.Run(name, func(t *testing.T) {
			instance := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Generation: 2}, Status: v1alpha1.InstanceStatus{Conditions: tt.conditions}}
			instance.Spec.Source = v1alpha1.InstanceAttached
			if tt.managed {
				instance.Spec.Source = v1alpha1.InstanceManaged
			}
			if tt.deleting {
				now := metav1.NewTime(time.Unix(1, 0))
				instance.DeletionTimestamp = &now
			}
			got, known := ready(instance, v1alpha1.InstanceStatus{Conditions: tt.own, Components: tt.components})
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
