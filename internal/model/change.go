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
