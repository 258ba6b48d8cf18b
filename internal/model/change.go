package model

import "time"

// ChangeType is what happened to an object, or to the stream.
type ChangeType string

// The types of a change.
const (
	ChangeSnapshot ChangeType = "SNAPSHOT"
	ChangeSynced   ChangeType = "SYNCED"
	ChangeAdded    ChangeType = "ADDED"
	ChangeModified ChangeType = "MODIFIED"
	ChangeDeleted  ChangeType = "DELETED"
	ChangeResync   ChangeType = "RESYNC"
)

// WorkloadChange is one change of a workload or of its propagation.
type WorkloadChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node Workload
	At   time.Time
}

// ClusterChange is one change of a member cluster.
type ClusterChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node *Cluster
	At   time.Time
}

// PolicyChange is one change of a policy.
type PolicyChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node Policy
	At   time.Time
}

// KubernetesEventChange is one change of an event.
type KubernetesEventChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node *KubernetesEvent
	At   time.Time
}

// KubernetesResourceChange is one change of an object of any kind.
type KubernetesResourceChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node *KubernetesResource
	At   time.Time
}

// InstanceChange is one change of an instance.
type InstanceChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node *Instance
	At   time.Time
}

// OverviewChange is one change of the overview.
type OverviewChange struct {
	Type ChangeType
	// ID is always nil: there is only one overview.
	ID *string
	// Node is nil for SYNCED and RESYNC.
	Node *Overview
	At   time.Time
}

// FieldChange is one field in which two versions of an object differ.
type FieldChange struct {
	// Path is a JSON pointer (RFC 6901) to the field, except that a list item that has a name is addressed by it:
	// /spec/containers[name=web]/image.
	Path string
	// From and To are the values: a string as it is, anything else as JSON. Nil where there is none.
	From *string
	To   *string
}

// PodChange is one change of a pod in a member.
type PodChange struct {
	Type ChangeType
	// ID and Node are nil for SYNCED and RESYNC.
	ID   *string
	Node *Pod
	At   time.Time
	// Missing are the members whose pods are not followed now, and Limited says that there are more pods than are followed; both for SYNCED alone.
	Missing []MissingPods
	Limited bool
}

// MissingPods is a member whose pods are not followed.
type MissingPods struct {
	ClusterName string
	Error       UserError
}
