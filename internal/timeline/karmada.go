package timeline

import (
	"regexp"
	"strings"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
)

// MemberReasons are the events by which Karmada tells how a member is (pkg/controllers/cluster of Karmada): it taints a member that is not
// ready, and takes the taint away when it is ready again. A condition tells its last change alone; these tell those before.
var MemberReasons = []string{"TaintClusterSucceed", "TaintClusterFailed"}

// PolicyReasons are the events about a template that name policies (pkg/detector and pkg/util/overridemanager of Karmada).
var PolicyReasons = []string{"ApplyPolicySucceed", "ApplyPolicyFailed", "PreemptPolicySucceed", "PreemptPolicyFailed", "ApplyOverridePolicySucceed", "ApplyOverridePolicyFailed"}

// memberState is what an event tells of how a member is: not ready, unreachable, ready, or tainted. Empty for other events.
type memberState string

// byReadiness begins the message of Karmada's controller that does nothing but keep the two taints as the condition Ready says. Those who
// follow policies of taints say it otherwise, and may come before it.
const byReadiness = "Taint cluster succeed: "

func aboutMember(e *model.KubernetesEvent) memberState {
	if e.Regarding.Kind != clusterv1alpha1.ResourceKindCluster || !strings.HasPrefix(e.Regarding.APIVersion, clusterv1alpha1.GroupName+"/") {
		return ""
	}
	switch {
	case e.Reason == MemberReasons[0] && strings.Contains(e.Message, "Key:"+clusterv1alpha1.TaintClusterNotReady+","):
		return "not ready"
	case e.Reason == MemberReasons[0] && strings.Contains(e.Message, "Key:"+clusterv1alpha1.TaintClusterUnreachable+","):
		return "unreachable"
	case e.Reason == MemberReasons[0] && strings.HasPrefix(e.Message, byReadiness):
		return "ready"
	}
	return "tainted"
}

// summary is the sentence of an event with what it means.
func (s memberState) summary(of string) string {
	if s == "" || s == "tainted" {
		return of
	}
	return "it was found " + string(s) + ": " + of
}

// namedPolicy is a policy as messages of Karmada name it: "Apply cluster override policy(name) for cluster(member) succeed.".
var namedPolicy = regexp.MustCompile(`(?i)(cluster )?(override |propagation )?policy\((?:([a-z0-9.-]+)/)?([a-z0-9.-]+)\)`)

// PoliciesNamed are the policies that events about a template of a namespace name, the latest first. Anybody who may write events may name
// any: nothing may be told of them but what the viewer may see anyway.
func PoliciesNamed(events []*model.KubernetesEvent, instance, namespace string) []model.Ref {
	var out []model.Ref
	seen := map[model.Ref]bool{}
	for _, e := range events {
		for _, found := range namedPolicy.FindAllStringSubmatch(clip(e.Message), -1) {
			kind := model.PolicyPropagation
			clusterWide, override := found[1] != "", strings.EqualFold(found[2], "override ")
			switch {
			case clusterWide && override:
				kind = model.PolicyClusterOverride
			case clusterWide:
				kind = model.PolicyClusterPropagation
			case override:
				kind = model.PolicyOverride
			}
			ref := model.Ref{Instance: instance, GVK: kind.GVK(), Namespace: found[3], Name: found[4]}
			if clusterWide == (ref.Namespace == "") && (clusterWide || ref.Namespace == namespace) && !seen[ref] {
				seen[ref] = true
				out = append(out, ref)
			}
		}
	}
	return out
}
