package kubelet

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// observation is what is known of a container.
type observation struct {
	container corev1.Container
	// process is what the supervisor reports; nil before it has the process.
	process *supervisor.Status
	// waiting is why it was not started at all.
	waiting *corev1.ContainerStateWaiting
	// restarts is how often it was started again.
	restarts int32
	id       string
}

// status returns the status of a pod. Conditions that did not change keep their times.
func status(pod *corev1.Pod, ip string, containers []observation, now metav1.Time) corev1.PodStatus {
	s := *pod.Status.DeepCopy()
	s.HostIP, s.HostIPs = hostIP, []corev1.HostIP{{IP: hostIP}}
	if ip != "" {
		s.PodIP, s.PodIPs = ip, []corev1.PodIP{{IP: ip}}
	}
	if s.StartTime == nil {
		s.StartTime = &now
	}
	s.QOSClass = pod.Status.QOSClass
	var unready []string
	started := true
	s.ContainerStatuses = nil
	for _, c := range containers {
		cs := c.status()
		s.ContainerStatuses = append(s.ContainerStatuses, cs)
		if !cs.Ready {
			unready = append(unready, cs.Name)
		}
		started = started && c.process != nil
	}
	s.Phase = corev1.PodPending
	if started {
		s.Phase = corev1.PodRunning
	}
	ready, reason, message := corev1.ConditionTrue, "", ""
	if len(unready) > 0 {
		ready, reason = corev1.ConditionFalse, "ContainersNotReady"
		message = fmt.Sprintf("containers with unready status: [%s]", strings.Join(unready, " "))
	}
	for _, c := range []corev1.PodCondition{
		{Type: corev1.PodScheduled, Status: corev1.ConditionTrue},
		{Type: corev1.PodInitialized, Status: corev1.ConditionTrue},
		{Type: corev1.ContainersReady, Status: ready, Reason: reason, Message: message},
		{Type: corev1.PodReady, Status: ready, Reason: reason, Message: message},
	} {
		s.Conditions = condition(s.Conditions, c, pod.Generation, now)
	}
	s.ObservedGeneration = pod.Generation
	return s
}

func condition(all []corev1.PodCondition, c corev1.PodCondition, generation int64, now metav1.Time) []corev1.PodCondition {
	c.LastTransitionTime, c.ObservedGeneration = now, generation
	for i, old := range all {
		if old.Type == c.Type {
			if old.Status == c.Status {
				c.LastTransitionTime = old.LastTransitionTime
			}
			all[i] = c
			return all
		}
	}
	return append(all, c)
}

func (o observation) status() corev1.ContainerStatus {
	cs := corev1.ContainerStatus{
		Name: o.container.Name, Image: o.container.Image, ImageID: o.container.Image,
		RestartCount: o.restarts, Started: new(bool),
	}
	switch {
	case o.waiting != nil:
		cs.State.Waiting, cs.ImageID = o.waiting, ""
		return cs
	case o.process == nil:
		cs.State.Waiting, cs.ImageID = &corev1.ContainerStateWaiting{Reason: "ContainerCreating"}, ""
		return cs
	}
	cs.ContainerID = o.id
	p := *o.process
	if p.Exit != nil {
		cs.LastTerminationState.Terminated = &corev1.ContainerStateTerminated{
			ExitCode: int32(p.Exit.Code), Reason: ending(p.Exit.Code), ContainerID: o.id,
			StartedAt: metav1.NewTime(p.Exit.Began).Rfc3339Copy(), FinishedAt: metav1.NewTime(p.Exit.Ended).Rfc3339Copy(),
		}
	}
	switch {
	case !p.Began.IsZero():
		*cs.Started = true
		cs.State.Running = &corev1.ContainerStateRunning{StartedAt: metav1.NewTime(p.Began).Rfc3339Copy()}
		// A container without probes is ready when it runs. Some have to be: they answer only once they are reached
		// through their own Service.
		asked := o.container.ReadinessProbe != nil || o.container.StartupProbe != nil
		cs.Ready = p.State == supervisor.Running || !asked && (p.State == supervisor.Starting || p.State == supervisor.Unhealthy)
	case p.State == supervisor.Stopped:
		cs.State.Waiting = &corev1.ContainerStateWaiting{Reason: "Stopped", Message: "stopped with `playground stop`"}
	default:
		cs.State.Waiting = &corev1.ContainerStateWaiting{Reason: "CrashLoopBackOff", Message: p.Message}
	}
	return cs
}

func ending(code int) string {
	if code == 0 {
		return "Completed"
	}
	return "Error"
}

// same reports whether nothing has to be written.
func same(a, b corev1.PodStatus) bool { return apiequality.Semantic.DeepEqual(a, b) }
