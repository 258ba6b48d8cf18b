package objects

import (
	"cmp"
	"fmt"
	"time"
)

// podSummary is the line of `kubectl get pods` for a pod. People know these words and numbers, so they follow kubectl's
// rules (v1.35) in every case, even where others would be more logical.
type podSummary struct {
	// reason is STATUS; it is never empty.
	reason string
	// ready and containers are READY.
	ready, containers int
	// restarts and lastRestart are RESTARTS.
	restarts    int
	lastRestart *time.Time
}

func summarise(o *podObject) podSummary {
	s := podSummary{reason: cmp.Or(o.Status.Reason, o.Status.Phase), containers: len(o.Spec.Containers)}
	if find(o.Status.Conditions, "PodScheduled").Reason == "SchedulingGated" {
		s.reason = "SchedulingGated"
	}
	sidecars := map[string]bool{}
	for i := range o.Spec.InitContainers {
		if c := &o.Spec.InitContainers[i]; c.RestartPolicy == "Always" {
			sidecars[c.Name] = true
			s.containers++
		}
	}
	initialising := s.addInit(o, sidecars)
	if !initialising || find(o.Status.Conditions, "Initialized").Status == "True" {
		// What init containers did is over; sidecars keep running.
		s.restarts, s.lastRestart = 0, nil
		for i := range o.Status.InitContainerStatuses {
			c := &o.Status.InitContainerStatuses[i]
			if sidecars[c.Name] {
				s.addRestarts(c)
			}
			if !c.endedWell() && (!sidecars[c.Name] || !c.hasStarted()) {
				break
			}
		}
		s.addMain(o)
	}
	switch {
	case o.Metadata.DeletionTimestamp != nil && o.Status.Reason == "NodeLost":
		s.reason = "Unknown"
	case o.Metadata.DeletionTimestamp != nil && o.Status.Phase != "Succeeded" && o.Status.Phase != "Failed":
		s.reason = "Terminating"
	}
	s.reason = cmp.Or(s.reason, "Unknown")
	if s.restarts == 0 {
		s.lastRestart = nil
	}
	return s
}

func (s *podSummary) addRestarts(c *containerStatus) {
	s.restarts += int(c.RestartCount)
	if t := c.LastState.Terminated; t != nil && t.FinishedAt != nil && (s.lastRestart == nil || t.FinishedAt.After(*s.lastRestart)) {
		s.lastRestart = t.FinishedAt
	}
}

// addInit goes through the init containers up to the first that is not done, which gives the reason, and reports
// whether there was one.
func (s *podSummary) addInit(o *podObject, sidecars map[string]bool) bool {
	for i := range o.Status.InitContainerStatuses {
		c := &o.Status.InitContainerStatuses[i]
		s.addRestarts(c)
		t, w := c.State.Terminated, c.State.Waiting
		switch {
		case c.endedWell():
			continue
		case sidecars[c.Name] && c.hasStarted():
			if c.Ready {
				s.ready++
			}
			continue
		case t != nil:
			s.reason = "Init:" + t.word()
		case w != nil && w.Reason != "" && w.Reason != "PodInitializing":
			s.reason = "Init:" + w.Reason
		default:
			s.reason = fmt.Sprintf("Init:%d/%d", i, len(o.Spec.InitContainers))
		}
		return true
	}
	return false
}

func (c *containerStatus) endedWell() bool {
	return c.State.Terminated != nil && c.State.Terminated.ExitCode == 0
}

func (c *containerStatus) hasStarted() bool { return c.Started != nil && *c.Started }

// addMain goes through the main containers from the last to the first, so that of several reasons the first container's
// is kept.
func (s *podSummary) addMain(o *podObject) {
	running, failure := false, ""
	for i := len(o.Status.ContainerStatuses) - 1; i >= 0; i-- {
		c := &o.Status.ContainerStatuses[i]
		s.addRestarts(c)
		switch {
		case c.State.Waiting != nil && c.State.Waiting.Reason != "":
			s.reason = c.State.Waiting.Reason
		case c.State.Terminated != nil:
			s.reason = c.State.Terminated.word()
			if c.State.Terminated.ExitCode != 0 {
				failure = s.reason
			}
		case c.Ready && c.State.Running != nil:
			running = true
			s.ready++
		}
	}
	// A pod is Completed when all its containers are, not when the first one is.
	if s.reason == "Completed" {
		switch {
		case running && find(o.Status.Conditions, "Ready").Status == "True":
			s.reason = "Running"
		case failure != "":
			s.reason = failure
		case running:
			s.reason = "NotReady"
		}
	}
}

// word sums up the end of a run in one word.
func (t *termination) word() string {
	switch {
	case t.Reason != "":
		return t.Reason
	case t.Signal != 0:
		return fmt.Sprintf("Signal:%d", t.Signal)
	}
	return fmt.Sprintf("ExitCode:%d", t.ExitCode)
}
