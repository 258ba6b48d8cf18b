package propagation

import (
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

// rolloutGrace is how long after its last known change a workload may be unhealthy or unreported and still count as in
// progress. Kubernetes' own deadline (ten minutes) is far too long to hide a crash, and Karmada omits the conditions
// that would show a rollout that has been given up.
const rolloutGrace = time.Minute

// State sums up the state of a workload over all its clusters in one word, with its reason. The propagation is nil when
// its binding could not be read.
//
// Whether an unhealthy workload is PROGRESSING or DEGRADED depends on time: it is PROGRESSING until a minute after its
// last known change, which is the latest of its creation, its binding's, the scheduler's last success (with copied
// replicas that follows every change of the template, with divided ones every change of their number), and, where the
// template carries managedFields, its last write. Without those, a change that did not involve the scheduler has no
// known time; an incomplete rollout is then PROGRESSING as long as no more pods are unavailable than a rolling update
// allows. A hanging rollout keeps its old pods, so it is not DEGRADED by that measure; the fact `healthy` is FALSE and
// gives the counts.
func State(w *model.WorkloadMeta, p *model.Propagation, now time.Time) (model.WorkloadState, string) {
	if w.DeletedAt != nil {
		return model.WorkloadDeleting, ReasonDeleting
	}
	if p == nil {
		return model.WorkloadUnknown, ReasonPropagationUnknown
	}
	due := settling(w, p, now)
	if state, reason := jobOver(w, p); state != "" {
		return state, reason
	}
	if state, reason := byScheduling(w, p, due); state != "" {
		return state, reason
	}
	switch {
	case p.Applied.Value == model.FactFalse && p.Applied.Reason == ReasonDispatchingSuspended:
		return model.WorkloadPaused, ReasonDispatchingSuspended
	case p.Applied.Value == model.FactFalse:
		return model.WorkloadDegraded, p.Applied.Reason
	case w.Halted && w.WorkloadKind == model.KindDeployment:
		return model.WorkloadPaused, ReasonRolloutPaused
	case w.Halted:
		return model.WorkloadPaused, ReasonSuspended
	case stopped(w, p):
		return model.WorkloadStopped, ReasonZeroReplicas
	case p.Healthy.Value == model.FactFalse && (due || rolling(w, p)):
		return model.WorkloadProgressing, p.Healthy.Reason
	case p.Healthy.Value == model.FactFalse:
		return model.WorkloadDegraded, p.Healthy.Reason
	}
	for _, f := range []model.Fact{p.Applied, p.Healthy, p.Scheduled} {
		if f.Value == model.FactUnknown {
			return undecided(w, f.Reason, due), f.Reason
		}
	}
	return model.WorkloadRunning, p.Healthy.Reason
}

// ChangesAt is when State will change although nothing else has changed; nil when it will not.
func ChangesAt(w *model.WorkloadMeta, p *model.Propagation) *time.Time {
	if p == nil {
		return nil
	}
	at := lastChange(w, p).Add(rolloutGrace)
	before, whyBefore := State(w, p, at.Add(-time.Nanosecond))
	after, whyAfter := State(w, p, at)
	if before == after && whyBefore == whyAfter {
		return nil
	}
	return &at
}

// jobOver is the state of Jobs that are finished in every cluster, or failed in one; empty for all others.
func jobOver(w *model.WorkloadMeta, p *model.Propagation) (model.WorkloadState, string) {
	if w.WorkloadKind != model.KindJob {
		return "", ""
	}
	targets, complete := 0, 0
	for _, t := range p.Targets {
		if t.Reason == model.PlacementEvicting {
			continue
		}
		targets++
		switch t.Healthy.Reason {
		case ReasonJobFailed:
			return model.WorkloadFailed, ReasonJobFailed
		case ReasonJobComplete:
			complete++
		}
	}
	if targets > 0 && complete == targets {
		return model.WorkloadCompleted, ReasonJobComplete
	}
	return "", ""
}

// byScheduling is the state of workloads that are not yet scheduled; empty for all others.
func byScheduling(w *model.WorkloadMeta, p *model.Propagation, due bool) (model.WorkloadState, string) {
	why := p.Scheduled.Reason
	switch {
	case p.Scheduled.Value == model.FactFalse && why == ReasonSchedulingSuspended:
		return model.WorkloadPaused, why
	case p.Scheduled.Value == model.FactFalse && len(p.Targets) == 0:
		return model.WorkloadNotPropagated, why
	case p.Scheduled.Value == model.FactFalse:
		return model.WorkloadDegraded, why
	case p.Scheduled.Value == model.FactUnknown && len(p.Targets) == 0:
		return undecided(w, why, due), why
	}
	return "", ""
}

// stopped reports whether zero replicas are requested and none run.
func stopped(w *model.WorkloadMeta, p *model.Propagation) bool {
	if w.Replicas == nil || *w.Replicas != 0 || p.Scheduled.Value != model.FactTrue {
		return false
	}
	for _, t := range p.Targets {
		if t.Applied.Value != model.FactTrue || t.Healthy.Value != model.FactTrue ||
			t.Status == nil || t.Status.Replicas == nil || *t.Status.Replicas != 0 {
			return false
		}
	}
	return true
}

// undecided decides whether an unknown state is in progress or simply unknown.
func undecided(w *model.WorkloadMeta, reason string, due bool) model.WorkloadState {
	switch reason {
	case ReasonJobActive:
		return model.WorkloadProgressing
	case ReasonBindingBehind, ReasonSchedulerBehind, ReasonStatusBehind:
		// Being behind proves that a change is under way; its time is known only from the template's own write time.
		if due || w.ChangedAt == nil {
			return model.WorkloadProgressing
		}
	case ReasonBindingPending, ReasonSchedulingPending, ReasonNotYetReported, ReasonNotYetApplied, ReasonHealthNotReported,
		ReasonNoTargets:
		if due {
			return model.WorkloadProgressing
		}
	}
	return model.WorkloadUnknown
}

// rolling reports whether an incomplete rollout of unknown age stays within what a rolling update allows: one pod
// unavailable, or a quarter of them.
func rolling(w *model.WorkloadMeta, p *model.Propagation) bool {
	if w.ChangedAt != nil || p.Binding == nil || !p.Binding.Divided {
		return false
	}
	for _, t := range p.Targets {
		if t.Reason == model.PlacementEvicting || t.Healthy.Value != model.FactFalse {
			continue
		}
		if t.Healthy.Reason != ReasonRolloutIncomplete || t.DesiredReplicas == nil {
			return false
		}
		if *t.DesiredReplicas-*t.Status.Available > max(1, *t.DesiredReplicas/4) {
			return false
		}
	}
	return true
}

// settling reports whether the last known change is so recent that the workload may still become healthy.
func settling(w *model.WorkloadMeta, p *model.Propagation, now time.Time) bool {
	return now.Before(lastChange(w, p).Add(rolloutGrace))
}

func lastChange(w *model.WorkloadMeta, p *model.Propagation) time.Time {
	latest := later(&w.CreatedAt, w.ChangedAt)
	if b := p.Binding; b != nil {
		latest = later(later(latest, &b.CreatedAt), b.LastScheduledAt)
		for i := range b.Conditions {
			switch b.Conditions[i].Type {
			case "Scheduled", "FullyApplied":
				latest = later(latest, b.Conditions[i].Since)
			}
		}
	}
	return *latest
}
