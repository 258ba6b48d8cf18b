package model

import "time"

// EventType says whether an event is worth a look.
type EventType string

// The types of event. Unknown is one whose source said neither.
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
	// Source is who told it and on which host; may be empty.
	Source string
	// Regarding names what it is about.
	Regarding ObjectReference
}

// Namespace is the namespace.
func (e *KubernetesEvent) Namespace() string { return e.Ref.Namespace }

// ObjectReference names an object as another one does; it may not exist. What the source does not say
// is empty or nil.
type ObjectReference struct {
	APIVersion string
	Kind       string
	Namespace  *string
	Name       string
	UID        *string
	// FieldPath is the part of the object that is meant; nil when the whole is.
	FieldPath *string
}

// EventFilter says which events. Empty lists match everything.
type EventFilter struct {
	Types          []EventType
	Reasons        []string
	Namespaces     []string
	RegardingKinds []string
	// Since leaves out what was last seen before.
	Since *time.Time
	// Clusters asks for events of these members instead of the control plane's own.
	Clusters []string
}

// KubernetesEventConnection is a page of events.
type KubernetesEventConnection = Connection[*KubernetesEvent]

// KubernetesEventEdge is a row of a page of events.
type KubernetesEventEdge = Edge[*KubernetesEvent]
