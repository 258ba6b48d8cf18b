package model

import "time"

// InstanceStatistics count the resources of an instance, over all of its members.
type InstanceStatistics struct {
	Clusters  ReadyCount
	Nodes     ReadyCount
	CPU       CPUSummary
	Memory    MemorySummary
	Workloads []WorkloadCount
	Policies  []PolicyCount
	AsOf      time.Time
}

// ReadyCount is a total, and how many of it are ready.
type ReadyCount struct {
	Total int
	Ready int
}

// CPUSummary is CPU capacity and use.
type CPUSummary struct {
	Allocatable CPUAmount
	Allocated   CPUAmount
}

// MemorySummary is memory capacity and use.
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
