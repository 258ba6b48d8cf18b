package model

import "time"

// PodPhase is how far a pod is in its life, as its status says.
type PodPhase string

// The phases of a pod.
const (
	PodPending      PodPhase = "PENDING"
	PodRunning      PodPhase = "RUNNING"
	PodSucceeded    PodPhase = "SUCCEEDED"
	PodFailed       PodPhase = "FAILED"
	PodPhaseUnknown PodPhase = "UNKNOWN"
)

// PodQOSClass is how a pod is treated when its node runs short.
type PodQOSClass string

// The classes of service of a pod.
const (
	QOSGuaranteed PodQOSClass = "GUARANTEED"
	QOSBurstable  PodQOSClass = "BURSTABLE"
	QOSBestEffort PodQOSClass = "BEST_EFFORT"
)

// ContainerRole is what a container is there for.
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

// The states of a container. Unknown is one whose kubelet has not said.
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
	// Message tells of the trouble it is in; may be empty.
	Message string
	// Restarts is kubectl's RESTARTS.
	Restarts int
	// LastRestartAt is when the container that was restarted last had ended (lastState); nil when none
	// was, or nothing says.
	LastRestartAt *time.Time
	// NodeName is nil until it is scheduled.
	NodeName *string
	PodIP    *string
	HostIP   *string
	QOSClass *PodQOSClass
	// StartedAt is when a kubelet took it; nil until then.
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
	// Reason and Message are those of the state; empty when it runs and when nobody said.
	Reason  string
	Message string
	// ExitCode is nil unless it is terminated.
	ExitCode *int32
	Ready    bool
	Restarts int32
	// StartedAt is when this run started, FinishedAt when it ended; nil when not known or not so.
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
	// Signal is nil when none ended it or the runtime does not say.
	Signal     *int32
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// ContainerResources is CPU and memory of a container; what is not given, or cannot be read, is nil.
type ContainerResources struct {
	CPU    *CPUAmount
	Memory *MemoryAmount
}

// PodFilter says which pods. Empty lists match everything.
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
