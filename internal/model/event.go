package model

import "time"

// EventType says whether an event needs attention.
type EventType string

// The types of event. Unknown is an event whose source gave neither.
const (
	EventNormal      EventType = "NORMAL"
	EventWarning     EventType = "WARNING"
	EventTypeUnknown EventType = "UNKNOWN"
)

// KubernetesEvent is something that happened to an object.
type KubernetesEvent struct {
	Object

	Type    EventType
	Reason  string
	Message string
	// Count is how often it happened from FirstSeen to LastSeen; at least 1.
	Count     int
	FirstSeen time.Time
	LastSeen  time.Time
	// Source is the reporting component and its host; may be empty.
	Source string
	// Regarding names the object it is about.
	Regarding ObjectReference
}

// Namespace is the namespace.
func (e *KubernetesEvent) Namespace() string { return e.Ref.Namespace }

// ObjectReference is a reference from one object to another, which may not exist. What the source does not give is
// empty or nil.
type ObjectReference struct {
	APIVersion string
	Kind       string
	Namespace  *string
	Name       string
	UID        *string
	// FieldPath is the part of the object that is meant; nil for the whole object.
	FieldPath *string
}

// EventFilter selects events. Empty lists match everything.
type EventFilter struct {
	Types          []EventType
	Reasons        []string
	Namespaces     []string
	RegardingKinds []string
	// Since leaves out events that were last seen earlier.
	Since *time.Time
	// Clusters asks for events of these members instead of the control plane's own.
	Clusters []string
}

// KubernetesEventConnection is a page of events.
type KubernetesEventConnection = Connection[*KubernetesEvent]

// KubernetesEventEdge is a row of a page of events.
type KubernetesEventEdge = Edge[*KubernetesEvent]
