package virtualcluster

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/ptr"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// followed is a status as Clusterpedia writes it; pairs are conditions' types and their reasons, in
// which "True" stands for a condition that is.
func followed(resources []any, conditions ...string) func(*registered) {
	return func(r *registered) {
		var list []any
		for i := 0; i < len(conditions); i += 2 {
			status, reason := "False", conditions[i+1]
			if reason == "True" {
				status, reason = "True", "Fine"
			}
			list = append(list, map[string]any{"type": conditions[i], "status": status, "reason": reason, "message": "so it is", "lastTransitionTime": "2026-01-02T03:04:05Z"})
		}
		r.object.Object["status"] = map[string]any{"conditions": list, "syncResources": resources}
	}
}

func resource(group, name, status string, listing bool) map[string]any {
	return map[string]any{"group": group, "resources": []any{map[string]any{
		"name": name, "syncConditions": []any{map[string]any{"status": status, "reason": "", "initialListPhase": listing}},
	}}}
}

var fine = []string{"Validated", "True", "SynchroRunning", "True", "ClusterHealthy", "True"}

func TestHealthOf(t *testing.T) {
	deployments := []any{resource("apps", "deployments", "Syncing", false)}
	for name, tt := range map[string]struct {
		edit func(*registered)
		want health
	}{
		"followed":                    {followed(deployments, fine...), health{synced: true}},
		"not taken up":                {func(*registered) {}, health{starting: true, why: "has not been taken up by Clusterpedia"}},
		"being dropped":               {deleted, health{why: "is being dropped by Clusterpedia"}},
		"not valid":                   {followed(nil, "Validated", "InvalidConfig"), health{why: "InvalidConfig: so it is"}},
		"beginning":                   {followed(nil, "Validated", "True", "SynchroRunning", "WaitInit"), health{starting: true, why: "WaitInit: so it is"}},
		"failing to begin":            {followed(nil, "Validated", "True", "SynchroRunning", "InitialFailed"), health{why: "InitialFailed: so it is"}},
		"not reached":                 {followed(deployments, "Validated", "True", "SynchroRunning", "True", "ClusterHealthy", "NotReachable"), health{why: "NotReachable: so it is"}},
		"not listed yet":              {followed(nil, fine...), health{starting: true, why: "has not begun to list"}},
		"listing one kind":            {followed([]any{deployments[0], resource("", "pods", "Syncing", true)}, fine...), health{starting: true, why: "is still listing pods"}},
		"waiting for one kind":        {followed([]any{deployments[0], resource("batch", "jobs", "Pending", false)}, fine...), health{starting: true, why: "is still listing jobs.batch"}},
		"one kind that cannot be had": {followed([]any{resource("", "pods", "Syncing", true), resource("batch", "jobs", "Error", false)}, fine...), health{why: "does not follow jobs.batch"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := healthOf(there("https://here", source{karmada: "k1"}, tt.edit))
			if diff := cmp.Diff(tt.want, got, cmp.AllowUnexported(health{})); diff != "" {
				t.Errorf("health (-want +got):\n%s", diff)
			}
		})
	}
}

func TestJudge(t *testing.T) {
	good := followed([]any{resource("apps", "deployments", "Syncing", false)}, fine...)
	dead := followed(nil, "Validated", "True", "SynchroRunning", "True", "ClusterHealthy", "NotReachable")
	root := func(edit func(*registered)) registered {
		return there("https://here", source{karmada: "k1"}, edit)
	}
	member := func(name string, edit func(*registered)) registered {
		return there("https://here", source{cluster: name, karmada: "k1", uid: "u"}, edit)
	}
	numbers := func(members, synced int32) *v1alpha1.VirtualClusterStatus {
		return &v1alpha1.VirtualClusterStatus{Name: "kairship.asia", Members: ptr.To(members), MembersSynced: ptr.To(synced)}
	}
	for name, tt := range map[string]struct {
		outcome outcome
		status  metav1.ConditionStatus
		reason  string
		message string
		numbers *v1alpha1.VirtualClusterStatus
	}{
		"all is followed": {
			outcome{observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u"},
				registered: map[string]registered{"": root(good), "m1": member("m1", good)}}},
			metav1.ConditionTrue, v1alpha1.ReasonSynced, "the read store follows the control plane and one member", numbers(1, 1),
		},
		"a Karmada without members is followed": {
			outcome{observed: observed{identity: "k1", membersKnown: true, registered: map[string]registered{"": root(good)}}},
			metav1.ConditionTrue, v1alpha1.ReasonSynced, "the read store follows the control plane and no members", numbers(0, 0),
		},
		"one member is not followed any more": {
			outcome{observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u", "m2": "u", "m3": "u"},
				registered: map[string]registered{"": root(good), "m1": member("m1", dead), "m2": member("m2", good)}}},
			metav1.ConditionFalse, v1alpha1.ReasonMembersNotSynced, "m1 NotReachable: so it is; m3 is not registered yet", numbers(3, 1),
		},
		"a member that has just joined is no fault": {
			outcome{unregistered: map[string]string{"m1": "answers 403 Forbidden"},
				observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u"}, registered: map[string]registered{"": root(good)}}},
			metav1.ConditionFalse, v1alpha1.ReasonSyncing, "m1 is not registered yet: answers 403 Forbidden", numbers(1, 0),
		},
		"the control plane comes before the members": {
			outcome{observed: observed{identity: "k1", membersKnown: true, members: map[string]string{"m1": "u"},
				registered: map[string]registered{"": root(dead), "m1": member("m1", dead)}}},
			metav1.ConditionFalse, v1alpha1.ReasonControlPlaneNotSynced, "the control plane NotReachable: so it is", numbers(1, 0),
		},
		"a Karmada that does not answer leaves what is known": {
			outcome{unreachable: errors.New("refused"), observed: observed{registered: map[string]registered{"": root(good), "m1": member("m1", good)}}},
			metav1.ConditionFalse, v1alpha1.ReasonUnreachable, "Karmada does not answer: refused", numbers(1, 1),
		},
		"a Karmada that never answered has members that nobody knows": {
			outcome{unreachable: errors.New("refused")},
			metav1.ConditionFalse, v1alpha1.ReasonUnreachable, "Karmada does not answer: refused", &v1alpha1.VirtualClusterStatus{Name: "kairship.asia"},
		},
		"a Karmada that was asked a moment ago": {
			outcome{},
			metav1.ConditionFalse, v1alpha1.ReasonSyncing, "waiting for Karmada's first answer", &v1alpha1.VirtualClusterStatus{Name: "kairship.asia"},
		},
		"another Karmada has taken the place": {
			outcome{plan: plan{rebuild: true, remove: []string{"m1"}, leaving: []string{""}},
				observed: observed{identity: "k2", membersKnown: true, registered: map[string]registered{"": root(deleted), "m1": member("m1", good)}}},
			metav1.ConditionFalse, v1alpha1.ReasonRebuilding,
			"another Karmada, or another member, has taken the place of the one that was registered; waiting for Clusterpedia to drop kairship.asia, kairship.asia.m1", numbers(0, 0),
		},
	} {
		t.Run(name, func(t *testing.T) {
			tt.outcome.instance, tt.outcome.config = asia, &kubeconfig.Credential{Host: "https://here"}
			condition, numbers := judge(tt.outcome)
			want := metav1.Condition{Type: v1alpha1.ConditionReadPathSynced, Status: tt.status, Reason: tt.reason, Message: tt.message}
			if diff := cmp.Diff(want, condition); diff != "" {
				t.Errorf("condition (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.numbers, numbers); diff != "" {
				t.Errorf("numbers (-want +got):\n%s", diff)
			}
		})
	}
}
