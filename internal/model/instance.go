package model

import (
	"time"
)

// InstanceSource says where an instance came from.
type InstanceSource string

// The sources of an instance.
const (
	InstanceManaged  InstanceSource = "MANAGED"
	InstanceAttached InstanceSource = "ATTACHED"
)

// InstanceState is what an instance is doing, in one word.
type InstanceState string

// The states of an instance.
const (
	InstanceInstalling InstanceState = "INSTALLING"
	InstanceRunning    InstanceState = "RUNNING"
	InstanceDeleting   InstanceState = "DELETING"
	InstanceDown       InstanceState = "UNAVAILABLE"
	InstanceUnknown    InstanceState = "UNKNOWN"
)

// Instance is one Karmada control plane.
type Instance struct {
	Name         string
	DisplayName  *string
	Description  *string
	Labels       []KeyValue
	CreatedAt    time.Time
	Source       InstanceSource
	State        InstanceState
	StateMessage string
	Conditions   []Condition
	// KubernetesVersion is nil until the API server has been reached.
	KubernetesVersion *string
}

// ID is the global id.
func (i *Instance) ID() string { return InstanceID(i.Name) }

// IsNode marks the type as a GraphQL Node.
func (*Instance) IsNode() {}

// InstanceFilter says which instances.
type InstanceFilter struct {
	Names        []string
	States       []InstanceState
	NameContains *string
}

// InstanceConnection is a page of instances.
type InstanceConnection = Connection[*Instance]

// InstanceEdge is a row of a page of instances.
type InstanceEdge = Edge[*Instance]
