package model

import "time"

// InstanceStatistics count what an instance has, over all of its members.
type InstanceStatistics struct {
	Clusters  ReadyCount
	Nodes     ReadyCount
	CPU       CPUSummary
	Memory    MemorySummary
	Workloads []WorkloadCount
	Policies  []PolicyCount
	AsOf      time.Time
}

// ReadyCount is how many there are, and how many of them are ready.
type ReadyCount struct {
	Total int
	Ready int
}

// CPUSummary is how much CPU there is and how much of it is in use.
type CPUSummary struct {
	Allocatable CPUAmount
	Allocated   CPUAmount
}

// MemorySummary is how much memory there is and how much of it is in use.
type MemorySummary struct {
	Allocatable MemoryAmount
	Allocated   MemoryAmount
}

// WorkloadCount counts the workloads of one kind.
type WorkloadCount struct {
	Kind  string
	Total int
	Ready int
}

// PolicyCount counts the policies of one kind.
type PolicyCount struct {
	Kind  string
	Total int
}
