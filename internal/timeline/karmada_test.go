package timeline_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	clustercontroller "github.com/karmada-io/karmada/pkg/controllers/cluster"
	"github.com/karmada-io/karmada/pkg/events"
	"github.com/karmada-io/karmada/pkg/util/helper"
	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/timeline"
)

// aboutTokyo is an event about a member.
func aboutTokyo(reason, message string) *model.KubernetesEvent {
	return &model.KubernetesEvent{Reason: reason, Message: message, LastSeen: *at(6), Source: "cluster-controller",
		Regarding: model.ObjectReference{APIVersion: "cluster.karmada.io/v1alpha1", Kind: "Cluster", Name: "tokyo"}}
}

// The messages are those of Karmada's own code.
func TestAMembersEventsTellOfItsFaults(t *testing.T) {
	taints := func(taints ...*corev1.Taint) string {
		var all []corev1.Taint
		for _, one := range taints {
			all = append(all, *one)
		}
		return fmt.Sprintf("Taint cluster succeed: %s.", helper.GenerateTaintsMessage(all))
	}
	other := &corev1.Taint{Key: "maintenance", Value: "yes", Effect: corev1.TaintEffectNoExecute}
	ofPolicy := fmt.Sprintf("Update Cluster(tokyo) with taints(%v) succeed", helper.GenerateTaintsMessage([]corev1.Taint{*other}))
	for name, c := range map[string]struct {
		event *model.KubernetesEvent
		want  string
	}{
		"not ready":                             {aboutTokyo(events.EventReasonTaintClusterSucceed, taints(other, clustercontroller.NotReadyTaintTemplateForSched)), "it was found not ready: "},
		"unreachable":                           {aboutTokyo(events.EventReasonTaintClusterSucceed, taints(clustercontroller.UnreachableTaintTemplateForSched)), "it was found unreachable: "},
		"ready":                                 {aboutTokyo(events.EventReasonTaintClusterSucceed, taints()), "it was found ready: "},
		"ready, and tainted for another reason": {aboutTokyo(events.EventReasonTaintClusterSucceed, taints(other)), "it was found ready: "},
		"a policy of taints does not say whether it is ready": {aboutTokyo(events.EventReasonTaintClusterSucceed, ofPolicy), ""},
		"a failure does not say whether it is ready":          {aboutTokyo(events.EventReasonTaintClusterFailed, "conflict: "+taints(clustercontroller.NotReadyTaintTemplateForSched)), ""},
	} {
		t.Run(name, func(t *testing.T) {
			want := []string{"12:06 STATUS Cluster " + c.want + c.event.Reason + ": " + c.event.Message + " by cluster-controller in tokyo"}
			if diff := cmp.Diff(want, told(timeline.OfEvents([]*model.KubernetesEvent{c.event}))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if !slices.Contains(timeline.MemberReasons, c.event.Reason) {
				t.Errorf("%s is not asked for", c.event.Reason)
			}
		})
	}
	foreign := aboutTokyo(events.EventReasonTaintClusterSucceed, taints())
	foreign.Regarding.APIVersion = "example.com/v1"
	if got := told(timeline.OfEvents([]*model.KubernetesEvent{foreign})); got[0] != "12:06 EVENT Cluster TaintClusterSucceed: "+foreign.Message+" by cluster-controller" {
		t.Errorf("of another kind of the same name: %s", got)
	}
}

func TestPoliciesAreKnownByWhatKarmadaSaysOfThem(t *testing.T) {
	for message, want := range map[string][]string{
		"Apply policy(shop/web) succeed":                                                          {"PropagationPolicy shop/web"},
		"Apply policy(shop/web) failed: conflict":                                                 {"PropagationPolicy shop/web"},
		"Apply cluster policy(web) succeed":                                                       {"ClusterPropagationPolicy /web"},
		"Apply override policy(shop/web) for cluster(tokyo) succeed.":                             {"OverridePolicy shop/web"},
		"Apply cluster override policy(web.a) for cluster(tokyo) failed.":                         {"ClusterOverridePolicy /web.a"},
		"Propagation policy(shop/a) preempted propagation policy(shop/b) successfully":            {"PropagationPolicy shop/a", "PropagationPolicy shop/b"},
		"Propagation policy(shop/a) preempted cluster propagation policy(b) successfully":         {"PropagationPolicy shop/a", "ClusterPropagationPolicy /b"},
		"Cluster propagation policy(a) failed to preempt cluster propagation policy(b): conflict": {"ClusterPropagationPolicy /a", "ClusterPropagationPolicy /b"},
		"Apply policy(vault/web) succeed":                                                         nil, // it claims nothing of another namespace
		"Apply cluster policy(shop/web) succeed":                                                  nil,
		"Apply policy(web) succeed":                                                               nil,
		"Apply policy(../web) succeed, policy(shop/WEB{)":                                         nil,
	} {
		var got []string
		for _, ref := range timeline.PoliciesNamed([]*model.KubernetesEvent{{Message: message}, {Message: message}}, "asia", "shop") {
			if ref.Instance != "asia" || ref.GVK.GroupVersion().String() != "policy.karmada.io/v1alpha1" {
				t.Errorf("%s: %v", message, ref)
			}
			got = append(got, ref.GVK.Kind+" "+ref.Namespace+"/"+ref.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", message, diff)
		}
	}
	for _, reason := range []string{events.EventReasonApplyPolicySucceed, events.EventReasonApplyPolicyFailed, events.EventReasonPreemptPolicySucceed,
		events.EventReasonPreemptPolicyFailed, events.EventReasonApplyOverridePolicySucceed, events.EventReasonApplyOverridePolicyFailed} {
		if !slices.Contains(timeline.PolicyReasons, reason) {
			t.Errorf("%s is not asked for", reason)
		}
	}
}
