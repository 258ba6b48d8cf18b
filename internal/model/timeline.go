package model

import "time"

// TimelineKind is what an entry of a timeline tells of.
type TimelineKind string

// The kinds of entries.
const (
	TimelineAudit      TimelineKind = "AUDIT"
	TimelineRevision   TimelineKind = "REVISION"
	TimelinePolicy     TimelineKind = "POLICY"
	TimelineScheduling TimelineKind = "SCHEDULING"
	TimelineEvent      TimelineKind = "EVENT"
	TimelineEviction   TimelineKind = "EVICTION"
	TimelineStatus     TimelineKind = "STATUS"
)

// TimelineEntry is one thing that was done to an object, or happened to it.
type TimelineEntry struct {
	At   time.Time
	Kind TimelineKind
	// Actor is who did it, or the component that reports it; nil where nobody says so.
	Actor *string
	// ClusterName is the member that it is about; nil for the control plane.
	ClusterName *string
	// Object is what it is about.
	Object  ObjectReference
	Summary string
	// Changes is which fields changed; nil where that is not known.
	Changes []FieldChange
	// Key tells entries of one moment apart, whenever they are read.
	Key string
}

// TimelineConnection is a page of a timeline.
type TimelineConnection struct {
	Connection[*TimelineEntry]

	// Withheld is what the viewer's roles do not show; never nil.
	Withheld []TimelineKind
}

// TimelineEdge is a row of a page of a timeline.
type TimelineEdge = Edge[*TimelineEntry]
