package model

import (
	"time"
)

// InstanceSource says who runs an instance.
type InstanceSource string

// The sources of an instance.
const (
	InstanceManaged  InstanceSource = "MANAGED"
	InstanceAttached InstanceSource = "ATTACHED"
)

// InstanceState sums up the state of an instance in one word.
type InstanceState string

// The states of an instance.
const (
	InstanceInstalling InstanceState = "INSTALLING"
	InstanceRunning    InstanceState = "RUNNING"
	InstanceDeleting   InstanceState = "DELETING"
	InstanceDown       InstanceState = "UNAVAILABLE"
	InstanceUnknown    InstanceState = "UNKNOWN"
)

// InstanceStates lists all states, the healthy ones first.
var InstanceStates = []InstanceState{InstanceRunning, InstanceInstalling, InstanceDeleting, InstanceUnknown, InstanceDown}

// DeletionPolicy says what happens to a control plane when its instance is deleted.
type DeletionPolicy string

// The deletion policies.
const (
	DeletionCascade DeletionPolicy = "CASCADE"
	DeletionOrphan  DeletionPolicy = "ORPHAN"
)

// Instance is one Karmada control plane.
type Instance struct {
	Name string
	// UID is that of its object in the host cluster.
	UID         string
	DisplayName *string
	Description *string
	Labels      []KeyValue
	CreatedAt   time.Time
	// ResourceVersion is that of what people say of it: its spec and labels.
	ResourceVersion string
	Source          InstanceSource
	DeletionPolicy  DeletionPolicy
	State           InstanceState
	StateMessage    string
	Conditions      []Condition
	// KarmadaVersion is nil where it cannot be known.
	KarmadaVersion *string
	// KubernetesVersion is nil until the API server has been reached.
	KubernetesVersion *string
	Components        []Component
	Steps             []InstanceStep
	// Statistics is nil until something has been counted.
	Statistics *InstanceStatistics
	Settings   InstanceSettings
	// Provisioning says that the control plane is still being created: it holds nothing yet, and not answering is no
	// failure.
	Provisioning bool
}

// ID is the global id.
func (i *Instance) ID() string { return InstanceID(i.Name) }

// IsNode marks the type as a GraphQL Node.
func (*Instance) IsNode() {}

// ComponentState is the state of a component of a control plane.
type ComponentState string

// The states of a component.
const (
	ComponentReady    ComponentState = "READY"
	ComponentNotReady ComponentState = "NOT_READY"
	ComponentUnknown  ComponentState = "UNKNOWN"
)

// Component is one component of a control plane.
type Component struct {
	Name    string
	State   ComponentState
	Message string
	Since   *time.Time
}

// StepState is the progress of a step.
type StepState string

// The states of a step.
const (
	StepPending   StepState = "PENDING"
	StepRunning   StepState = "RUNNING"
	StepSucceeded StepState = "SUCCEEDED"
	StepFailed    StepState = "FAILED"
)

// InstanceStep is one step of the installation or the removal of an instance.
type InstanceStep struct {
	Name       string
	State      StepState
	Message    string
	StartedAt  *time.Time
	FinishedAt *time.Time
}

// InstanceFilter selects instances.
type InstanceFilter struct {
	Names        []string
	States       []InstanceState
	NameContains *string
}

// InstanceConnection is a page of instances.
type InstanceConnection = Connection[*Instance]

// InstanceEdge is a row of a page of instances.
type InstanceEdge = Edge[*Instance]
