package propagation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// health reports why an applied object is unhealthy: by its pods, else by the events about it, else by the counts.
func (f *finder) health(t *model.PropagationTarget, place *Place) {
	switch {
	case t.Healthy.Value == model.FactTrue:
		return
	case t.Healthy.Reason == ReasonNoHealthCheck, t.Healthy.Reason == ReasonJobActive:
		return // nothing is known to be wrong
	}
	evidence := []model.Evidence{f.ofBindingField("status.aggregatedStatus[clusterName="+t.ClusterName+"].health", cmp.Or(t.Healthy.Message, t.Healthy.Reason))}
	message := fmt.Sprintf("%s: %s", t.ClusterName, cmp.Or(t.Healthy.Message, t.Healthy.Reason))
	switch t.Healthy.Reason {
	case ReasonJobFailed:
		f.add(model.FindingJobFailed, model.SeverityError, t.ClusterName, "it failed in "+message,
			"see the logs of its pods, then run it again", append(evidence, anyTrouble(place.Pods)...)...)
		return
	case ReasonJobPodsFailed, ReasonLastRunNotSucceeded:
		f.add(model.FindingJobFailed, model.SeverityWarning, t.ClusterName, message,
			"see the logs of its pods", append(evidence, anyTrouble(place.Pods)...)...)
		return
	}
	if f.pods(t, place) {
		return
	}
	if f.changing(t) {
		f.add(model.FindingRollout, model.SeverityInfo, t.ClusterName, message, "wait", evidence...)
		return
	}
	if e := warning(place.Events); e != nil {
		f.event(t, e, message, evidence)
		return
	}
	severity := model.SeverityError
	if t.Healthy.Value == model.FactUnknown {
		severity = model.SeverityWarning
	}
	f.add(model.FindingUnhealthy, severity, t.ClusterName, message, "see its pods and events in the cluster", evidence...)
}

// anyTrouble is the trouble of the first pod that has any.
func anyTrouble(pods []*model.Pod) []model.Evidence {
	for _, p := range pods {
		if tr := troubleOf(p); tr != nil {
			return tr.evidence
		}
	}
	return nil
}

// changing reports whether an unhealthy object is still changing.
func (f *finder) changing(t *model.PropagationTarget) bool {
	if f.settling() || t.Healthy.Reason == ReasonStatusBehind {
		return true
	}
	return f.Workload != nil && t.Healthy.Reason == ReasonRolloutIncomplete && rolling(f.Workload, f.Propagation)
}

// event reports the newest warning about the object in the member.
func (f *finder) event(t *model.PropagationTarget, e *model.KubernetesEvent, message string, evidence []model.Evidence) {
	code, remedy := model.FindingUnhealthy, "see its pods and events in the cluster"
	if e.Reason == "FailedCreate" {
		code, remedy = model.FindingPodFailed, "remove what keeps its pods from being made, for instance a quota or a webhook of the cluster"
	}
	f.add(code, model.SeverityError, t.ClusterName, message+": "+e.Message, remedy,
		append([]model.Evidence{{Object: e.Regarding.Kind + " " + e.Regarding.Name + " in " + t.ClusterName, Field: "events[reason=" + e.Reason + "]", Value: e.Message}}, evidence...)...)
}

// warning is the newest warning of events; nil when there is none.
func warning(events []*model.KubernetesEvent) *model.KubernetesEvent {
	var last *model.KubernetesEvent
	for _, e := range events {
		if e.Type == model.EventWarning && (last == nil || e.LastSeen.After(last.LastSeen)) {
			last = e
		}
	}
	return last
}

// trouble is a problem of one pod.
type trouble struct {
	code     model.FindingCode
	pod      *model.Pod
	image    string // of the container concerned; empty for the pod as a whole
	message  string
	evidence []model.Evidence
}

// remedies is what to do about pods.
var remedies = map[model.FindingCode]string{
	model.FindingImagePull:         "correct the image's name, or give the cluster access to its registry",
	model.FindingCrashLoop:         "see the logs of the container",
	model.FindingOutOfMemory:       "raise the container's memory limit, or make it use less",
	model.FindingPodUnschedulable:  "add nodes to the cluster, or ask for less, or for other nodes",
	model.FindingPodFailed:         "see the events of the pod",
	model.FindingDependencyWaiting: "bring what it needs to the cluster: propagateDeps: true in the policy takes it along",
}

// pods reports the problems of the pods in a cluster, each kind of problem once.
func (f *finder) pods(t *model.PropagationTarget, place *Place) bool {
	var kinds []model.FindingCode
	byKind := map[model.FindingCode][]trouble{}
	for _, p := range place.Pods {
		if p.DeletedAt != nil {
			continue
		}
		if tr := troubleOf(p); tr != nil {
			if byKind[tr.code] == nil {
				kinds = append(kinds, tr.code)
			}
			byKind[tr.code] = append(byKind[tr.code], *tr)
		}
	}
	for _, code := range kinds {
		all := byKind[code]
		first := all[0]
		message := fmt.Sprintf("%s: %d of %d pods: %s", t.ClusterName, len(all), len(place.Pods), first.message)
		if code == model.FindingImagePull && f.imageByOverride(t, place, first, message) {
			continue
		}
		evidence, remedy := first.evidence, remedies[code]
		for _, o := range place.Overrides {
			for _, c := range o.Changes {
				if strings.Contains(c.Path, "/containers") && code == model.FindingCrashLoop {
					evidence, remedy = append(evidence, changed(o.Ref, c)), remedies[code]+"; an override changed it in this cluster"
				}
			}
		}
		f.add(code, model.SeverityError, t.ClusterName, message, remedy, evidence...)
	}
	return len(kinds) > 0
}

// imageByOverride reports an image that cannot be pulled and that an override had set.
func (f *finder) imageByOverride(t *model.PropagationTarget, place *Place, tr trouble, message string) bool {
	for _, o := range place.Overrides {
		for _, c := range o.Changes {
			if strings.HasSuffix(c.Path, "/image") && c.To != nil && *c.To == tr.image {
				f.add(model.FindingOverrideBroke, model.SeverityError, t.ClusterName,
					message+"; "+described(o.Ref)+" put that image in", "correct the image in the override policy",
					append(tr.evidence, changed(o.Ref, c))...)
				return true
			}
		}
	}
	return false
}

// troubleOf is the problem of a pod; nil when none is known.
func troubleOf(p *model.Pod) *trouble {
	for i := range p.Containers {
		if tr := containerTrouble(p, &p.Containers[i]); tr != nil {
			return tr
		}
	}
	object := described(p.Ref)
	for i := range p.Conditions {
		c := &p.Conditions[i]
		if c.Type == "PodScheduled" && c.Status == model.FactFalse {
			return &trouble{code: model.FindingPodUnschedulable, pod: p, message: "no node takes it: " + c.Message,
				evidence: []model.Evidence{{Object: object, Field: "status.conditions[type=PodScheduled]", Value: conditionText(c)}}}
		}
	}
	if p.Phase == model.PodFailed {
		return &trouble{code: model.FindingPodFailed, pod: p, message: strings.TrimSuffix(p.Reason+": "+p.Message, ": "),
			evidence: []model.Evidence{{Object: object, Field: "status.phase", Value: string(p.Phase) + " " + p.Reason + " " + p.Message}}}
	}
	return nil
}

// containerTrouble is the problem of a container; nil when none is known.
func containerTrouble(p *model.Pod, c *model.PodContainer) *trouble {
	tr := &trouble{pod: p, image: c.Image}
	object, field := described(p.Ref), "status.containerStatuses[name="+c.Name+"]"
	state := ".state.waiting"
	if c.State == model.ContainerTerminated {
		state = ".state.terminated"
	}
	tr.evidence = []model.Evidence{{Object: object, Field: field + state, Value: strings.TrimSuffix(c.Reason+": "+c.Message, ": ")}}
	ended := ""
	if l := c.LastTermination; l != nil {
		ended = fmt.Sprintf("%s, exit code %d", l.Reason, l.ExitCode)
		if l.Message != "" {
			ended += ": " + l.Message
		}
		tr.evidence = append(tr.evidence, model.Evidence{Object: object, Field: field + ".lastState.terminated", Value: ended})
	}
	words := "container " + c.Name + ": " + strings.TrimSuffix(c.Reason+": "+cmp.Or(ended, c.Message), ": ")
	memory := c.Reason == "OOMKilled" || !c.Ready && c.LastTermination != nil && c.LastTermination.Reason == "OOMKilled"
	switch {
	case memory:
		tr.code, tr.message = model.FindingOutOfMemory, "container "+c.Name+" was ended for using more memory than it may"
		if c.Limits.Memory != nil {
			tr.evidence = append(tr.evidence, model.Evidence{Object: object, Field: "spec.containers[name=" + c.Name + "].resources.limits.memory", Value: c.Limits.Memory.Quantity})
		}
	case slices.Contains([]string{"ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "ImageInspectError", "RegistryUnavailable"}, c.Reason):
		tr.code, tr.message = model.FindingImagePull, "container "+c.Name+" cannot get "+c.Image+": "+c.Reason
		tr.evidence = append(tr.evidence, model.Evidence{Object: object, Field: "spec.containers[name=" + c.Name + "].image", Value: c.Image})
	case c.Reason == "CrashLoopBackOff":
		tr.code, tr.message = model.FindingCrashLoop, words
	case c.Reason == "CreateContainerConfigError" && strings.Contains(c.Message, "not found"):
		tr.code, tr.message = model.FindingDependencyWaiting, "container "+c.Name+" needs what is not there: "+c.Message
	case slices.Contains([]string{"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreStartHookError", "PostStartHookError"}, c.Reason):
		tr.code, tr.message = model.FindingPodFailed, words
	case c.State == model.ContainerTerminated && c.ExitCode != nil && *c.ExitCode != 0:
		tr.code, tr.message = model.FindingPodFailed, fmt.Sprintf("%s, exit code %d", words, *c.ExitCode)
	default:
		return nil
	}
	return tr
}
