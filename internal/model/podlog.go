package model

import "time"

// PodLogChunk is what pods have logged since the chunk before.
type PodLogChunk struct {
	// Lines are in the order of their times; those of a pod are in its order.
	Lines []PodLogLine
	// Dropped is how many lines before these were left out, because the reader was too slow.
	Dropped int
	// Ended are the pods of which nothing more comes.
	Ended []PodLogEnd
}

// PodLogLine is a line that a pod has logged.
type PodLogLine struct {
	// At is when the container wrote it.
	At        time.Time
	Cluster   string
	Namespace string
	Pod       string
	// Container is nil when none was named.
	Container *string
	Text      string
	// Cut is how many bytes at its end were left out.
	Cut int
}

// PodLogEnd is a pod of which nothing more comes.
type PodLogEnd struct {
	Cluster   string
	Namespace string
	Pod       string
	// Error is why; nil when the log has ended.
	Error *UserError
}
