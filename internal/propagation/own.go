package propagation

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// Reasons of the states of workloads that live in a member, beside those of templates. Where a Deployment cannot create
// pods, the reason is its own controller's (FailedCreate …).
const (
	// ReasonProgressDeadlineExceeded is the Deployment controller's reason for a rollout that it gave up.
	ReasonProgressDeadlineExceeded = "ProgressDeadlineExceeded"
	// ReasonNoNodes is for DaemonSets that no node of the cluster matches.
	ReasonNoNodes = "NoNodes"
)

// own is the status of a workload in a member.
type own struct {
	*memberStatus
	conditions []ownCondition
	// mustUpdate is how many pods a rollout updates without intervention; nil for all.
	mustUpdate *int32
}

// ownCondition is a condition with the time of its last update, which Deployments have beside that of the last
// transition: for Progressing it is the time of the rollout's last progress.
type ownCondition struct {
	condition
	LastUpdateTime *time.Time `json:"lastUpdateTime"`
}

// readOwn reads a workload's own status; nil when there is none, or none that can be parsed.
func readOwn(w *model.WorkloadMeta) *own {
	var o struct {
		Spec struct {
			UpdateStrategy struct {
				Type          string `json:"type"`
				RollingUpdate struct {
					Partition *int32 `json:"partition"`
				} `json:"rollingUpdate"`
			} `json:"updateStrategy"`
		} `json:"spec"`
		Status jsonv2.Raw `json:"status"`
	}
	if len(w.Raw) == 0 || jsonv2.Unmarshal(w.Raw, &o) != nil || o.Status.Kind() != '{' {
		return nil
	}
	s := parseMember(o.Status)
	if s == nil {
		return nil
	}
	out := &own{memberStatus: s}
	var c struct {
		Conditions []ownCondition `json:"conditions"`
	}
	if jsonv2.Unmarshal(o.Status, &c) == nil {
		out.conditions = c.Conditions
	}
	if partition := o.Spec.UpdateStrategy.RollingUpdate.Partition; partition != nil && w.Replicas != nil {
		rest := max(0, *w.Replicas-*partition)
		out.mustUpdate = &rest
	}
	if o.Spec.UpdateStrategy.Type == "OnDelete" {
		out.mustUpdate = new(int32)
	}
	return out
}

// find returns a condition, whatever its status; the zero value when there is none.
func (o *own) find(kind string) ownCondition {
	for _, c := range o.conditions {
		if c.Type == kind {
			return c
		}
	}
	return ownCondition{}
}

// OwnStatus is the counts of a workload that lives in a member, from its own status; nil until its controller has
// processed it.
func OwnStatus(w *model.WorkloadMeta) *model.TargetStatus {
	o := readOwn(w)
	if o == nil {
		return nil
	}
	switch w.WorkloadKind {
	case model.KindDeployment, model.KindStatefulSet, model.KindDaemonSet:
		if o.ObservedGeneration == 0 {
			return nil
		}
	}
	return o.targetStatus(w.WorkloadKind)
}

// OwnState sums up the state of a workload that lives in a member in one word, from its own status alone: with its
// reason, in one CamelCase word, and a message that may be empty. It is the counterpart of State, and applies the same
// criteria: an unhealthy workload is PROGRESSING until a minute after its last known change, or while a rollout makes
// no more pods unavailable than allowed, and DEGRADED otherwise. It cannot know whether the cluster is reachable.
func OwnState(w *model.WorkloadMeta, now time.Time) (state model.WorkloadState, reason, message string) {
	if w.DeletedAt != nil {
		return model.WorkloadDeleting, ReasonDeleting, ""
	}
	o := readOwn(w)
	due := now.Before(later(&w.CreatedAt, w.ChangedAt).Add(rolloutGrace))
	switch w.WorkloadKind {
	case model.KindJob:
		return ownJob(w, o, due)
	case model.KindCronJob:
		return ownCronJob(w, o)
	}
	switch {
	case o == nil || o.ObservedGeneration == 0:
		return unreported(due)
	case o.ObservedGeneration < w.Generation && w.ChangedAt != nil && !due:
		return model.WorkloadUnknown, ReasonStatusBehind, "its controller has not looked at its last change"
	case o.ObservedGeneration < w.Generation:
		return model.WorkloadProgressing, ReasonStatusBehind, "its controller has not looked at its last change yet"
	}
	c := o.counts(w)
	switch {
	case w.Halted && c.complete():
		return model.WorkloadPaused, ReasonRolloutPaused, ""
	case w.Halted:
		return model.WorkloadPaused, ReasonRolloutPaused, c.String()
	case c.want == 0 && w.WorkloadKind == model.KindDaemonSet:
		return model.WorkloadStopped, ReasonNoNodes, "no node of the cluster matches it"
	case c.want == 0 && c.have == 0:
		return model.WorkloadStopped, ReasonZeroReplicas, ""
	case c.want == 0:
		return model.WorkloadProgressing, ReasonZeroReplicas, fmt.Sprintf("%d pods are still there", c.have)
	case c.complete():
		return model.WorkloadRunning, ReasonHealthy, ""
	}
	return o.incomplete(c, due || o.movedSince(now.Add(-rolloutGrace)))
}

func unreported(due bool) (state model.WorkloadState, reason, message string) {
	if due {
		return model.WorkloadProgressing, ReasonNotYetReported, "its controller has not looked at it yet"
	}
	return model.WorkloadUnknown, ReasonNotYetReported, "its controller has not looked at it"
}

// counts is the pods of a workload that keeps a number of them.
type counts struct{ want, have, mustUpdate, updated, available int32 }

func (o *own) counts(w *model.WorkloadMeta) counts {
	c := counts{have: o.Replicas, updated: o.UpdatedReplicas, available: o.AvailableReplicas}
	if w.WorkloadKind == model.KindDaemonSet {
		n := o.DesiredNumberScheduled
		c = counts{want: n, have: n, updated: o.UpdatedNumberScheduled, available: o.NumberAvailable}
	} else if w.Replicas != nil {
		c.want = *w.Replicas
	}
	c.mustUpdate = c.want
	if o.mustUpdate != nil {
		c.mustUpdate = *o.mustUpdate
	}
	return c
}

// rolledOut reports whether the pods are up to date: the old ones are gone.
func (c counts) rolledOut() bool { return c.updated >= c.mustUpdate && c.have <= c.want }

func (c counts) complete() bool { return c.rolledOut() && c.available >= c.want }

func (c counts) String() string {
	return fmt.Sprintf("%d of %d updated, %d available", c.updated, c.want, c.available)
}

// movedSince reports whether a rollout progressed, or availability changed, after a time. Only Deployments report this.
func (o *own) movedSince(since time.Time) bool {
	progressing, available := o.find("Progressing"), o.find("Available")
	for _, at := range []*time.Time{progressing.LastUpdateTime, available.LastTransitionTime} {
		if at != nil && at.After(since) {
			return true
		}
	}
	return false
}

// incomplete is the state of a workload that does not have all its pods.
func (o *own) incomplete(c counts, moving bool) (state model.WorkloadState, reason, message string) {
	if f := o.find("ReplicaFailure"); f.Status == "True" {
		return model.WorkloadDegraded, cmp.Or(f.Reason, ReasonPodsUnavailable), cmp.Or(f.Message, c.String())
	}
	if p := o.find("Progressing"); p.Status == "False" && p.Reason == ReasonProgressDeadlineExceeded {
		return model.WorkloadDegraded, p.Reason, strings.TrimPrefix(strings.TrimSuffix(p.Message, ".")+": "+c.String(), ": ")
	}
	reason = ReasonPodsUnavailable
	if !c.rolledOut() {
		reason = ReasonRolloutIncomplete
	}
	if moving || reason == ReasonRolloutIncomplete && o.tolerable(c) {
		return model.WorkloadProgressing, reason, c.String()
	}
	return model.WorkloadDegraded, reason, c.String()
}

// tolerable reports whether a rollout makes no more pods unavailable than allowed. A Deployment reports this itself;
// for the others one pod or a quarter of them may be missing.
func (o *own) tolerable(c counts) bool {
	switch o.find("Available").Status {
	case "True":
		return true
	case "False":
		return false
	}
	return c.want-c.available <= max(1, c.want/4)
}

func ownJob(w *model.WorkloadMeta, o *own, due bool) (state model.WorkloadState, reason, message string) {
	if o == nil {
		o = &own{memberStatus: &memberStatus{}}
	}
	failed, complete, failing := o.find("Failed"), o.find("Complete"), o.find("FailureTarget")
	switch {
	case failed.Status == "True":
		return model.WorkloadFailed, ReasonJobFailed, cmp.Or(failed.Message, failed.Reason)
	case complete.Status == "True":
		return model.WorkloadCompleted, ReasonJobComplete, ""
	case w.Halted:
		return model.WorkloadPaused, ReasonSuspended, ""
	case failing.Status == "True":
		return model.WorkloadDegraded, ReasonJobPodsFailed, cmp.Or(failing.Message, failing.Reason)
	case o.Failed > 0:
		message = fmt.Sprintf("%d of its pods failed, and it is not over", o.Failed)
		if due {
			return model.WorkloadProgressing, ReasonJobPodsFailed, message
		}
		return model.WorkloadDegraded, ReasonJobPodsFailed, message
	case o.active() > 0 || o.Succeeded > 0:
		return model.WorkloadProgressing, ReasonJobActive, fmt.Sprintf("%d pods active, %d succeeded", o.active(), o.Succeeded)
	}
	return unreported(due)
}

// ownCronJob judges by the last run, as for templates.
func ownCronJob(w *model.WorkloadMeta, o *own) (state model.WorkloadState, reason, message string) {
	switch {
	case w.Halted:
		return model.WorkloadPaused, ReasonSuspended, ""
	case o == nil:
		return unreported(false)
	case o.LastScheduleTime == nil:
		return model.WorkloadRunning, ReasonNoRunYet, ""
	case o.active() > 0:
		return model.WorkloadRunning, ReasonRunActive, ""
	case o.LastSuccessfulTime != nil && !o.LastSuccessfulTime.Before(*o.LastScheduleTime):
		return model.WorkloadRunning, ReasonLastRunSucceeded, ""
	}
	return model.WorkloadUnknown, ReasonLastRunNotSucceeded,
		"its last run, of " + o.LastScheduleTime.UTC().Format(time.RFC3339) + ", is over and was not recorded as a success"
}
