package model

import "time"

// PodPhase is the phase of a pod's life, as its status reports it.
type PodPhase string

// The phases of a pod.
const (
	PodPending      PodPhase = "PENDING"
	PodRunning      PodPhase = "RUNNING"
	PodSucceeded    PodPhase = "SUCCEEDED"
	PodFailed       PodPhase = "FAILED"
	PodPhaseUnknown PodPhase = "UNKNOWN"
)

// PodQOSClass is how a pod is treated when its node runs out of resources.
type PodQOSClass string

// The classes of service of a pod.
const (
	QOSGuaranteed PodQOSClass = "GUARANTEED"
	QOSBurstable  PodQOSClass = "BURSTABLE"
	QOSBestEffort PodQOSClass = "BEST_EFFORT"
)

// ContainerRole is the purpose of a container.
type ContainerRole string

// The roles of a container.
const (
	ContainerMain      ContainerRole = "MAIN"
	ContainerSidecar   ContainerRole = "SIDECAR"
	ContainerInit      ContainerRole = "INIT"
	ContainerEphemeral ContainerRole = "EPHEMERAL"
)

// ContainerState is what a container is doing.
type ContainerState string

// The states of a container. Unknown is a container whose kubelet has not reported one.
const (
	ContainerWaiting      ContainerState = "WAITING"
	ContainerRunning      ContainerState = "RUNNING"
	ContainerTerminated   ContainerState = "TERMINATED"
	ContainerStateUnknown ContainerState = "UNKNOWN"
)

// Pod is a pod as its member has it.
type Pod struct {
	Object

	Phase PodPhase
	// Ready says that its Ready condition is True.
	Ready bool
	// ReadyContainers and ContainerCount are the two numbers of kubectl's READY.
	ReadyContainers int
	ContainerCount  int
	// Reason is kubectl's STATUS, in one word; never empty.
	Reason string
	// Message explains what is wrong with it; may be empty.
	Message string
	// Restarts is kubectl's RESTARTS.
	Restarts int
	// LastRestartAt is when the last run that was followed by a restart ended (lastState); nil when none was, or it is
	// not reported.
	LastRestartAt *time.Time
	// NodeName is nil until it is scheduled.
	NodeName *string
	PodIP    *string
	HostIP   *string
	QOSClass *PodQOSClass
	// StartedAt is when a kubelet accepted it; nil until then.
	StartedAt *time.Time
	// Containers is in the order of the spec: init, main, ephemeral.
	Containers []PodContainer
	// Conditions is sorted by type.
	Conditions []Condition
}

// Namespace is the namespace.
func (p *Pod) Namespace() string { return p.Ref.Namespace }

// PodContainer is one container of a pod, from its spec and its status.
type PodContainer struct {
	Name  string
	Image string
	Role  ContainerRole
	State ContainerState
	// Reason and Message are those of the state; empty when it runs or none was reported.
	Reason  string
	Message string
	// ExitCode is nil unless it is terminated.
	ExitCode *int32
	Ready    bool
	Restarts int32
	// StartedAt is when this run started, FinishedAt when it ended; nil when unknown or when that has not happened.
	StartedAt  *time.Time
	FinishedAt *time.Time
	// LastTermination is how the run before this one ended; nil when there was none.
	LastTermination *ContainerTermination
	Requests        ContainerResources
	Limits          ContainerResources
}

// ContainerTermination is how a run of a container ended.
type ContainerTermination struct {
	Reason   string
	Message  string
	ExitCode int32
	// Signal is nil when none ended it or the runtime does not report it.
	Signal     *int32
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// ContainerResources is CPU and memory of a container; an amount that is not given, or cannot be read, is nil.
type ContainerResources struct {
	CPU    *CPUAmount
	Memory *MemoryAmount
}

// PodFilter selects pods. Empty lists match everything.
type PodFilter struct {
	Namespaces    []string
	NameContains  *string
	LabelSelector *string
	Clusters      []string
	Phases        []PodPhase
}

// PodConnection is a page of pods.
type PodConnection = Connection[*Pod]

// PodEdge is a row of a page of pods.
type PodEdge = Edge[*Pod]
