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

// FieldChange is one field that two versions of an object differ in.
type FieldChange struct {
	// Path leads to the field as a JSON pointer does (RFC 6901), except that an item of a list that has
	// a name is called by it: /spec/containers[name=web]/image.
	Path string
	// From and To are the values: a text as it is, anything else as JSON. Nil where there is none.
	From *string
	To   *string
}
