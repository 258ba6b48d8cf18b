package objects

import (
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
)

type podObject struct {
	Metadata Meta `json:"metadata"`
	Spec     struct {
		NodeName            string          `json:"nodeName"`
		InitContainers      []containerSpec `json:"initContainers"`
		Containers          []containerSpec `json:"containers"`
		EphemeralContainers []containerSpec `json:"ephemeralContainers"`
	} `json:"spec"`
	Status podStatus `json:"status"`
}

type podStatus struct {
	Phase      string            `json:"phase"`
	Reason     string            `json:"reason"`
	Message    string            `json:"message"`
	PodIP      string            `json:"podIP"`
	HostIP     string            `json:"hostIP"`
	QOSClass   string            `json:"qosClass"`
	StartTime  *time.Time        `json:"startTime"`
	Conditions []statusCondition `json:"conditions"`

	InitContainerStatuses      []containerStatus `json:"initContainerStatuses"`
	ContainerStatuses          []containerStatus `json:"containerStatuses"`
	EphemeralContainerStatuses []containerStatus `json:"ephemeralContainerStatuses"`
}

type containerSpec struct {
	Name  string `json:"name"`
	Image string `json:"image"`
	// RestartPolicy is for init containers only: Always makes one a sidecar.
	RestartPolicy string `json:"restartPolicy"`
	Resources     struct {
		Requests resourceList `json:"requests"`
		Limits   resourceList `json:"limits"`
	} `json:"resources"`
}

type containerStatus struct {
	Name         string    `json:"name"`
	Ready        bool      `json:"ready"`
	Started      *bool     `json:"started"`
	RestartCount int32     `json:"restartCount"`
	State        runStatus `json:"state"`
	LastState    runStatus `json:"lastState"`
}

// runStatus is one run of a container: at most one of the three is set.
type runStatus struct {
	Waiting *struct {
		Reason  string `json:"reason"`
		Message string `json:"message"`
	} `json:"waiting"`
	Running *struct {
		StartedAt *time.Time `json:"startedAt"`
	} `json:"running"`
	Terminated *termination `json:"terminated"`
}

type termination struct {
	ExitCode   int32      `json:"exitCode"`
	Signal     int32      `json:"signal"`
	Reason     string     `json:"reason"`
	Message    string     `json:"message"`
	StartedAt  *time.Time `json:"startedAt"`
	FinishedAt *time.Time `json:"finishedAt"`
}

// DecodePod reads a Pod (v1) of a member, or of the control plane when cluster is empty, from JSON. The
// pod keeps raw, which must not be changed afterwards.
func DecodePod(instance, cluster string, raw []byte) (*model.Pod, error) {
	ref := model.Ref{Instance: instance, Cluster: cluster, GVK: core("Pod")}
	var o podObject
	if err := read(ref, raw, &o, &o.Metadata); err != nil {
		return nil, err
	}
	s := summarise(&o)
	p := &model.Pod{
		Object:          o.Metadata.Object(ref, raw),
		Phase:           podPhase(o.Status.Phase),
		Ready:           find(o.Status.Conditions, "Ready").Status == "True",
		ReadyContainers: s.ready,
		ContainerCount:  s.containers,
		Reason:          s.reason,
		Restarts:        s.restarts,
		LastRestartAt:   s.lastRestart,
		NodeName:        orNil(o.Spec.NodeName),
		PodIP:           orNil(o.Status.PodIP),
		HostIP:          orNil(o.Status.HostIP),
		QOSClass:        qosClass(o.Status.QOSClass),
		StartedAt:       o.Status.StartTime,
		Containers:      podContainers(&o),
		Conditions:      statusConditions(o.Status.Conditions),
	}
	if !p.Ready && p.Phase != model.PodSucceeded {
		p.Message = trouble(&o)
	}
	return p, nil
}

func podPhase(phase string) model.PodPhase {
	switch p := model.PodPhase(strings.ToUpper(phase)); p {
	case model.PodPending, model.PodRunning, model.PodSucceeded, model.PodFailed:
		return p
	}
	return model.PodPhaseUnknown
}

func qosClass(class string) *model.PodQOSClass {
	classes := map[string]model.PodQOSClass{
		"Guaranteed": model.QOSGuaranteed, "Burstable": model.QOSBurstable, "BestEffort": model.QOSBestEffort,
	}
	if c, ok := classes[class]; ok {
		return &c
	}
	return nil
}

// trouble is the first message that says why a pod is not ready: the kubelet's on the whole pod, the scheduler's, those
// of the containers in the order in which they start, and last the conditions'.
func trouble(o *podObject) string {
	if o.Status.Message != "" {
		return o.Status.Message
	}
	if c := find(o.Status.Conditions, "PodScheduled"); c.Status == "False" && c.Message != "" {
		return c.Message
	}
	for _, list := range [][]containerStatus{o.Status.InitContainerStatuses, o.Status.ContainerStatuses} {
		for i := range list {
			switch s := &list[i].State; {
			case s.Waiting != nil && s.Waiting.Message != "":
				return s.Waiting.Message
			case s.Terminated != nil && s.Terminated.ExitCode != 0 && s.Terminated.Message != "":
				return s.Terminated.Message
			}
		}
	}
	for _, kind := range []string{"Initialized", "ContainersReady", "Ready"} {
		if c := find(o.Status.Conditions, kind); c.Status == "False" && c.Message != "" {
			return c.Message
		}
	}
	return ""
}

func podContainers(o *podObject) []model.PodContainer {
	out := make([]model.PodContainer, 0, len(o.Spec.InitContainers)+len(o.Spec.Containers)+len(o.Spec.EphemeralContainers))
	add := func(specs []containerSpec, statuses []containerStatus, role model.ContainerRole) {
		for i := range specs {
			r := role
			if r == model.ContainerInit && specs[i].RestartPolicy == "Always" {
				r = model.ContainerSidecar
			}
			out = append(out, podContainer(&specs[i], statusOf(statuses, specs[i].Name), r))
		}
	}
	add(o.Spec.InitContainers, o.Status.InitContainerStatuses, model.ContainerInit)
	add(o.Spec.Containers, o.Status.ContainerStatuses, model.ContainerMain)
	add(o.Spec.EphemeralContainers, o.Status.EphemeralContainerStatuses, model.ContainerEphemeral)
	return out
}

// statusOf finds a container's status by name: the two lists need not be in the same order.
func statusOf(statuses []containerStatus, name string) *containerStatus {
	for i := range statuses {
		if statuses[i].Name == name {
			return &statuses[i]
		}
	}
	return nil
}

func podContainer(spec *containerSpec, status *containerStatus, role model.ContainerRole) model.PodContainer {
	c := model.PodContainer{
		Name: spec.Name, Image: spec.Image, Role: role, State: model.ContainerStateUnknown,
		Requests: containerResources(&spec.Resources.Requests), Limits: containerResources(&spec.Resources.Limits),
	}
	if status == nil {
		return c
	}
	c.Ready, c.Restarts = status.Ready, status.RestartCount
	switch s := &status.State; {
	case s.Waiting != nil:
		c.State, c.Reason, c.Message = model.ContainerWaiting, s.Waiting.Reason, s.Waiting.Message
	case s.Running != nil:
		c.State, c.StartedAt = model.ContainerRunning, s.Running.StartedAt
	case s.Terminated != nil:
		t := s.Terminated
		c.State, c.Reason, c.Message = model.ContainerTerminated, t.Reason, t.Message
		c.ExitCode, c.StartedAt, c.FinishedAt = &t.ExitCode, t.StartedAt, t.FinishedAt
	}
	if t := status.LastState.Terminated; t != nil {
		c.LastTermination = &model.ContainerTermination{Reason: t.Reason, Message: t.Message, ExitCode: t.ExitCode,
			StartedAt: t.StartedAt, FinishedAt: t.FinishedAt}
		if t.Signal != 0 {
			c.LastTermination.Signal = &t.Signal
		}
	}
	return c
}

func containerResources(l *resourceList) model.ContainerResources {
	return model.ContainerResources{CPU: l.cpu(), Memory: l.memory()}
}
