package status

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/status/health"
)

// observed is all that the status of an instance is judged by.
type observed struct {
	instance *v1alpha1.Instance
	// credential is why there is no usable credential; its reason is empty when there is one.
	credential health.Saying
	view       view
	// duplicates are the members that others hold as well; judged only when members are known.
	duplicates      string
	duplicatesKnown bool
	now             metav1.Time
}

// judge returns the status of an instance. It does not judge Ready anew: see ready.
func judge(o observed) v1alpha1.InstanceStatus {
	before := o.instance.Status
	if leaves(o.instance) {
		// Components go one after the other now, which means nothing.
		return v1alpha1.InstanceStatus{
			Phase: v1alpha1.PhaseDeleting, Conditions: ownedOf(before.Conditions), Components: before.Components, KubernetesVersion: before.KubernetesVersion,
		}
	}
	if !o.view.looked && o.credential.Reason == "" && len(before.Components) > 0 {
		// A new prober has nothing to report before its first look.
		part := v1alpha1.InstanceStatus{
			Phase: before.Phase, Conditions: ownedOf(before.Conditions), Components: before.Components, KubernetesVersion: before.KubernetesVersion,
		}
		setCondition(&part, uniqueness(o))
		return part
	}
	said := sayings(o)
	part := v1alpha1.InstanceStatus{
		Phase: phase(o, said[componentAPIServer]), KubernetesVersion: before.KubernetesVersion, Components: describe(o, said),
	}
	if o.view.kubernetes != "" {
		part.KubernetesVersion = o.view.kubernetes
	}
	setCondition(&part, conditionOf(v1alpha1.ConditionAPIServerReachable, said[componentAPIServer]))
	setCondition(&part, conditionOf(v1alpha1.ConditionAggregatedAPIAvailable, said[componentAggregatedAPI]))
	setCondition(&part, conditionOf(v1alpha1.ConditionSchedulerReady, said[componentScheduler]))
	setCondition(&part, managers(said))
	setCondition(&part, conditionOf(v1alpha1.ConditionWebhookReady, said[componentWebhook]))
	setCondition(&part, reachability(o, said))
	setCondition(&part, uniqueness(o))
	return part
}

// sayings returns what is reported about the components. While the API server does not answer, nothing is known of the
// others.
func sayings(o observed) map[string]health.Saying {
	server := o.view.components[componentAPIServer]
	switch {
	case o.credential.Reason != "":
		server = health.Saying{Reason: o.credential.Reason, Message: o.credential.Message}
	case !o.view.looked:
		server = health.Saying{Reason: v1alpha1.ReasonPending, Message: "the Karmada API server has not been asked yet"}
	}
	said := map[string]health.Saying{componentAPIServer: server}
	for _, name := range components {
		s, ok := o.view.components[name]
		optional := name == componentDescheduler || name == componentMetricsAdapter
		switch {
		case name == componentAPIServer || name == componentReadSync:
		case optional && !ok:
		case o.credential.Reason != "":
			said[name] = noEvidence("there is no credential to ask with")
		case server.Reason == v1alpha1.ReasonPending:
			said[name] = noEvidence("it has not been looked at yet")
		case server.State != health.Well:
			said[name] = noEvidence(withoutAPIServer)
		case s.Reason == "":
			said[name] = noEvidence("it has not been looked at yet")
		default:
			said[name] = s
		}
	}
	return said
}

func phase(o observed, server health.Saying) v1alpha1.InstancePhase {
	installing := o.instance.Spec.Source == v1alpha1.InstanceManaged &&
		!meta.IsStatusConditionTrue(o.instance.Status.Conditions, v1alpha1.ConditionInstalled)
	switch {
	case o.instance.DeletionTimestamp != nil:
		return v1alpha1.PhaseDeleting
	case server.State == health.Well:
		return v1alpha1.PhaseRunning
	case installing:
		return v1alpha1.PhaseInstalling
	case server.State == health.Ill:
		return v1alpha1.PhaseUnavailable
	default:
		return v1alpha1.PhaseUnknown
	}
}

// describe turns that into the components of the status.
func describe(o observed, said map[string]health.Saying) []v1alpha1.ComponentStatus {
	if sync := meta.FindStatusCondition(o.instance.Status.Conditions, v1alpha1.ConditionReadPathSynced); sync != nil {
		said[componentReadSync] = health.Saying{State: health.Well, Reason: sync.Reason, Message: sync.Message}
		if sync.Status != metav1.ConditionTrue && !slices.Contains(tolerated[v1alpha1.ConditionReadPathSynced], sync.Reason) {
			said[componentReadSync] = ill(sync.Reason, sync.Message)
		}
	}
	var out []v1alpha1.ComponentStatus
	for _, name := range components {
		s, ok := said[name]
		if !ok {
			continue
		}
		c := v1alpha1.ComponentStatus{Name: name, State: v1alpha1.ComponentUnknown, Message: s.Message, Since: &o.now}
		switch s.State {
		case health.Well:
			c.State = v1alpha1.ComponentReady
		case health.Ill:
			c.State = v1alpha1.ComponentNotReady
		case health.Unknown:
		}
		if i := slices.IndexFunc(o.instance.Status.Components, func(b v1alpha1.ComponentStatus) bool { return b.Name == name }); i >= 0 {
			if b := o.instance.Status.Components[i]; b.State == c.State && b.Since != nil {
				c.Since = b.Since
			}
		}
		out = append(out, c)
	}
	return out
}

// told returns the condition about one thing.
func conditionOf(kind string, s health.Saying) metav1.Condition {
	c := metav1.Condition{Type: kind, Status: metav1.ConditionUnknown, Reason: s.Reason, Message: s.Message}
	switch s.State {
	case health.Well:
		c.Status = metav1.ConditionTrue
	case health.Ill:
		c.Status = metav1.ConditionFalse
	case health.Unknown:
	}
	return c
}

// managers sums up the two controller managers: False when one does not work, Unknown when nothing is known of one.
func managers(said map[string]health.Saying) metav1.Condition {
	karmada, kubernetes := said[componentControllerManager], said[componentKubeControllerManager]
	if karmada == kubernetes {
		// Nothing is known of either, for one reason.
		return conditionOf(v1alpha1.ConditionControllersReady, karmada)
	}
	both := []struct {
		name string
		health.Saying
	}{{"karmada-controller-manager", karmada}, {"kube-controller-manager", kubernetes}}
	for _, state := range []health.State{health.Ill, health.Unknown, health.Well} {
		var messages []string
		reason := ""
		for _, s := range both {
			if s.State != state {
				continue
			}
			messages = append(messages, s.name+": "+s.Message)
			if reason == "" {
				reason = s.Reason
			}
		}
		if reason != "" {
			return conditionOf(v1alpha1.ConditionControllersReady, health.Saying{State: state, Reason: reason, Message: strings.Join(messages, "; ")})
		}
	}
	return conditionOf(v1alpha1.ConditionControllersReady, noEvidence("it has not been looked at yet"))
}

// reachability sums up the members.
func reachability(o observed, said map[string]health.Saying) metav1.Condition {
	const kind = v1alpha1.ConditionMembersReachable
	switch {
	case said[componentAggregatedAPI].State == health.Unknown:
		return conditionOf(kind, noEvidence(said[componentAggregatedAPI].Message))
	case said[componentAggregatedAPI].State == health.Ill:
		return conditionOf(kind, noEvidence("the API of clusters is not served"))
	case !o.view.membersLooked:
		if before := meta.FindStatusCondition(o.instance.Status.Conditions, kind); before != nil {
			return conditionOf(kind, sayingOf(before))
		}
		return conditionOf(kind, noEvidence("the members have not been asked yet"))
	}
	var failing, unknown []string
	for _, m := range o.view.members {
		switch m.State {
		case health.Ill:
			failing = append(failing, m.name+": "+m.Message)
		case health.Unknown:
			unknown = append(unknown, m.name+": "+m.Message)
		case health.Well:
		}
	}
	switch {
	case len(failing) > 0:
		return conditionOf(kind, ill(v1alpha1.ReasonNotAnswering, strings.Join(failing, "; ")))
	case len(unknown) > 0:
		return conditionOf(kind, noEvidence(strings.Join(unknown, "; ")))
	case len(o.view.members) == 0:
		return conditionOf(kind, well(v1alpha1.ReasonAnswering, "there are no members"))
	case len(o.view.members) == 1:
		return conditionOf(kind, well(v1alpha1.ReasonAnswering, "the one member answers"))
	default:
		return conditionOf(kind, well(v1alpha1.ReasonAnswering, fmt.Sprintf("all %d members answer", len(o.view.members))))
	}
}

// uniqueness reports whether others hold the same members.
func uniqueness(o observed) metav1.Condition {
	const kind = v1alpha1.ConditionMembersUnique
	before := meta.FindStatusCondition(o.instance.Status.Conditions, kind)
	switch {
	case o.duplicatesKnown && o.duplicates != "":
		return conditionOf(kind, ill(v1alpha1.ReasonHeldTwice, o.duplicates))
	case o.duplicatesKnown:
		return conditionOf(kind, well(v1alpha1.ReasonUnique, "no other instance holds one of the members"))
	case before != nil:
		return conditionOf(kind, sayingOf(before))
	default:
		return conditionOf(kind, noEvidence("the members are not known yet"))
	}
}

func sayingOf(c *metav1.Condition) health.Saying {
	s := health.Saying{Reason: c.Reason, Message: c.Message}
	switch c.Status {
	case metav1.ConditionTrue:
		s.State = health.Well
	case metav1.ConditionFalse:
		s.State = health.Ill
	case metav1.ConditionUnknown:
	}
	return s
}

// owned are the conditions that this controller writes.
var owned = []string{
	v1alpha1.ConditionReady, v1alpha1.ConditionAPIServerReachable, v1alpha1.ConditionAggregatedAPIAvailable,
	v1alpha1.ConditionSchedulerReady, v1alpha1.ConditionControllersReady, v1alpha1.ConditionWebhookReady,
	v1alpha1.ConditionMembersReachable, v1alpha1.ConditionMembersUnique,
}

// ownedOf are those of the conditions that this controller wrote, to be written as they are.
func ownedOf(conditions []metav1.Condition) []metav1.Condition {
	var out []metav1.Condition
	for _, c := range conditions {
		if slices.Contains(owned, c.Type) {
			out = append(out, c)
		}
	}
	return out
}

func setCondition(status *v1alpha1.InstanceStatus, c metav1.Condition) {
	for i := range status.Conditions {
		if status.Conditions[i].Type == c.Type {
			status.Conditions[i] = c
			return
		}
	}
	status.Conditions = append(status.Conditions, c)
}
