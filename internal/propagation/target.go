package propagation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// target computes the facts of the object in one cluster.
func target(w *subject, b *model.ResourceBinding, place *placement, whole model.Fact, clusters map[string]*model.Cluster) model.PropagationTarget {
	t := model.PropagationTarget{
		InstanceName:    b.Ref.Instance,
		ClusterName:     place.cluster,
		Reason:          place.reason,
		DesiredReplicas: desired(w, b, place),
		Scheduled:       scheduledThere(b, place, whole),
		RequiredBy:      []model.DependentBinding{},
		Eviction:        place.eviction,
	}
	if place.requires != nil {
		t.RequiredBy = place.requires
	}
	if place.work != nil {
		if m := collectedBy(place.work, w.Ref); m != nil {
			place.item = m
		}
	}
	member := observe(w, place)
	t.Status = member.targetStatus(w.WorkloadKind)
	barrier := outOfReach(place.cluster, clusters)
	t.Applied = applied(w, b, place, &member, whole, barrier)
	t.Healthy = healthy(w, place, &member, &t, barrier)
	return t
}

// desired is the number of replicas that the scheduler assigned. A Job's replicas are the pods it may run at once.
func desired(w *subject, b *model.ResourceBinding, place *placement) *int32 {
	switch w.WorkloadKind {
	case model.KindDeployment, model.KindStatefulSet, model.KindJob:
	default:
		// For other kinds the binding shows whether Karmada's interpreter counts replicas.
		if w.WorkloadKind != "" || b.Replicas == nil {
			return nil
		}
	}
	switch place.reason {
	case model.PlacementScheduled:
		return &place.replicas
	case model.PlacementRequiredBy:
		// Where the object only follows another, its template's own replicas run, unless the binding has replicas.
		if count(b.Replicas) > 0 {
			return &place.replicas
		}
		return nil
	}
	none := int32(0)
	return &none
}

func scheduledThere(b *model.ResourceBinding, place *placement, whole model.Fact) model.Fact {
	switch place.reason {
	case model.PlacementScheduled:
		// The time at which this cluster was chosen is not recorded.
		return model.Fact{Value: whole.Value, Reason: whole.Reason, ObservedGeneration: whole.ObservedGeneration,
			Message: messageUnlessTrue(whole)}
	case model.PlacementRequiredBy:
		return model.Fact{Value: model.FactTrue, Reason: ReasonRequiredBy, Message: dependents(place.requires[:1]) + " is there and depends on it"}
	}
	if e := place.eviction; e != nil {
		return model.Fact{Value: model.FactFalse, Reason: ReasonEvicting, Since: e.Since,
			Message: strings.TrimSuffix("it is being moved away: "+cmp.Or(e.Message, e.Reason), ": ")}
	}
	if b.DeletedAt != nil {
		return model.Fact{Value: model.FactFalse, Reason: ReasonBindingDeleting, Message: whole.Message, Since: b.DeletedAt}
	}
	return model.Fact{Value: model.FactFalse, Reason: ReasonNotChosen, Message: "the scheduler does not choose this cluster any more"}
}

func messageUnlessTrue(f model.Fact) string {
	if f.Value == model.FactTrue {
		return ""
	}
	return f.Message
}

// applied says whether the member holds the current template. barrier is the fact that replaces all others while the
// cluster is unreachable; nil when it is reachable.
func applied(w *subject, b *model.ResourceBinding, place *placement, member *observation, whole model.Fact, barrier *model.Fact) model.Fact {
	suspended := b.DispatchSuspended || slices.Contains(b.DispatchSuspendedOn, place.cluster)
	held := model.Fact{Value: model.FactFalse, Reason: ReasonDispatchingSuspended,
		Message: "sending it to this cluster is suspended by its policy"}
	unknown := func(reason, format string, args ...any) model.Fact {
		return model.Fact{Value: model.FactUnknown, Reason: reason, Message: fmt.Sprintf(format, args...)}
	}
	item, generation := place.item, member.templateGeneration()
	switch {
	case item != nil && !item.Applied && item.Message != "":
		f := model.Fact{Value: model.FactFalse, Reason: ReasonApplyFailed, Message: item.Message}
		if place.work != nil {
			f.Since = place.work.Applied.Since
		}
		return f
	case member.own && barrier == nil && generation != nil && *generation >= w.Generation:
		return model.Fact{Value: model.FactTrue, Reason: ReasonApplied, ObservedGeneration: generation}
	case item == nil || !item.Applied:
		switch {
		case suspended:
			return held
		case barrier != nil:
			return *barrier
		case item == nil:
			return unknown(ReasonNotYetReported, "nothing has been heard of it from this cluster yet")
		}
		return unknown(ReasonNotYetApplied, "it has not been sent to this cluster yet")
	case generation != nil && *generation >= w.Generation && !member.gone:
		return model.Fact{Value: model.FactTrue, Reason: ReasonApplied, ObservedGeneration: generation}
	case generation != nil && suspended:
		held.ObservedGeneration = generation
		return held
	case barrier != nil:
		return *barrier
	case generation != nil && *generation < w.Generation:
		f := unknown(ReasonStatusBehind, "the cluster reports generation %d of the template, which is at %d", *generation, w.Generation)
		f.ObservedGeneration = generation
		return f
	case whole.Reason == ReasonBindingBehind:
		return unknown(ReasonBindingBehind, "%s", whole.Message)
	case member.gone:
		return unknown(ReasonNotInMember, "Karmada says that it is applied, but it is not among the objects of the cluster")
	}
	return model.Fact{Value: model.FactTrue, Reason: ReasonApplied}
}

// healthy says whether it is healthy there, from Karmada's judgement and, for the kinds that Karmada has no health
// check for, from their status.
func healthy(w *subject, place *placement, member *observation, t *model.PropagationTarget, barrier *model.Fact) model.Fact {
	if f := finished(w, place, member); f != nil {
		return *f // a finished Job stays finished, whatever happens to the cluster
	}
	switch {
	case barrier != nil:
		return *barrier
	case t.Applied.Value == model.FactFalse:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonNotApplied, Message: "it has not been applied there: " + cmp.Or(t.Applied.Message, t.Applied.Reason)}
	case t.Applied.Value == model.FactUnknown:
		return model.Fact{Value: model.FactUnknown, Reason: t.Applied.Reason, Message: t.Applied.Message, ObservedGeneration: t.Applied.ObservedGeneration}
	case member.unobserved(w.WorkloadKind):
		return model.Fact{Value: model.FactUnknown, Reason: ReasonStatusBehind, ObservedGeneration: t.Applied.ObservedGeneration,
			Message: "the cluster's own controller has not looked at it yet"}
	}
	collected := model.HealthUnknown
	if place.item != nil {
		collected = place.item.Health
	}
	var f model.Fact
	switch assessed := member.assessed(w.WorkloadKind, collected); {
	case assessed == model.Healthy:
		f = unassessed(w, member)
	case assessed == model.Unhealthy:
		f = unhealthy(w, t, member)
	case neverAssessed(w, member):
		f = model.Fact{Value: model.FactUnknown, Reason: ReasonNoHealthCheck, Message: noHealthCheck}
	default:
		f = model.Fact{Value: model.FactUnknown, Reason: ReasonHealthNotReported, Message: "Karmada has not judged its health there yet"}
	}
	f.ObservedGeneration = t.Applied.ObservedGeneration
	return f
}

// finished is the fact for finished Jobs; nil for all others.
func finished(w *subject, place *placement, member *observation) *model.Fact {
	if w.WorkloadKind != model.KindJob || member.memberStatus == nil || !member.own && !place.item.Applied {
		return nil
	}
	if c := member.condition("Failed"); c != nil {
		return &model.Fact{Value: model.FactFalse, Reason: ReasonJobFailed, Since: c.LastTransitionTime,
			Message: cmp.Or(c.Message, c.Reason)}
	}
	if c := member.condition("Complete"); c != nil {
		return &model.Fact{Value: model.FactTrue, Reason: ReasonJobComplete, Since: c.LastTransitionTime}
	}
	return nil
}

// unassessed interprets Karmada's Healthy: a judgement where Karmada has a check, a default for Jobs and CronJobs.
func unassessed(w *subject, member *observation) model.Fact {
	switch w.WorkloadKind {
	case model.KindJob:
		if member.memberStatus != nil && member.Failed > 0 {
			return model.Fact{Value: model.FactFalse, Reason: ReasonJobPodsFailed,
				Message: fmt.Sprintf("%d of its pods failed, and it is not over", member.Failed)}
		}
		return model.Fact{Value: model.FactUnknown, Reason: ReasonJobActive, Message: "it is not over"}
	case model.KindCronJob:
		switch {
		case member.memberStatus == nil || member.LastScheduleTime == nil:
			return model.Fact{Value: model.FactTrue, Reason: ReasonNoRunYet}
		case member.active() > 0:
			return model.Fact{Value: model.FactTrue, Reason: ReasonRunActive}
		case member.LastSuccessfulTime != nil && !member.LastSuccessfulTime.Before(*member.LastScheduleTime):
			return model.Fact{Value: model.FactTrue, Reason: ReasonLastRunSucceeded, Since: member.LastSuccessfulTime}
		}
		return model.Fact{Value: model.FactUnknown, Reason: ReasonLastRunNotSucceeded,
			Message: "its last run, of " + member.LastScheduleTime.UTC().Format(time.RFC3339) + ", is over and was not recorded as a success"}
	case "":
		if !checked(w, member) {
			return model.Fact{Value: model.FactUnknown, Reason: ReasonNoHealthCheck, Message: noHealthCheck}
		}
	}
	return model.Fact{Value: model.FactTrue, Reason: ReasonHealthy}
}

// unhealthy reports by the counts what is missing.
func unhealthy(w *subject, t *model.PropagationTarget, member *observation) model.Fact {
	f := model.Fact{Value: model.FactFalse, Reason: ReasonUnhealthy, Message: "Karmada judges it unhealthy"}
	if member.own {
		f.Message = "the member reports too few pods"
	}
	s := t.Status
	if s == nil || s.Replicas == nil {
		return f
	}
	want := *s.Replicas
	if w.WorkloadKind != model.KindDaemonSet && t.DesiredReplicas != nil {
		want = *t.DesiredReplicas
	}
	if member.replicas != nil {
		want = *member.replicas // an override may set another number than was assigned
	}
	switch {
	case *s.Updated < want:
		f.Reason, f.Message = ReasonRolloutIncomplete, fmt.Sprintf("%d of %d updated, %d available", *s.Updated, want, *s.Available)
	case *s.Available < *s.Updated:
		f.Reason, f.Message = ReasonPodsUnavailable, fmt.Sprintf("%d of %d available, %d ready", *s.Available, *s.Updated, *s.Ready)
	}
	return f
}
