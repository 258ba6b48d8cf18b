package model

import (
	"cmp"
	"slices"
	"time"
)

// Overview is totals over several instances.
type Overview struct {
	Instances     []InstanceStateCount
	Clusters      ReadyCount
	ClusterStates []ClusterStateCount
	Nodes         ReadyCount
	CPU           CPUSummary
	Memory        MemorySummary
	Workloads     []WorkloadCount
	Policies      []PolicyCount
	// AsOf is when the oldest of the counts was made; nil when nothing has been counted.
	AsOf *time.Time
	// Uncounted is the instances of which nothing has been counted yet, Troubled the unhealthy ones.
	Uncounted []*Instance
	Troubled  []*Instance
}

// InstanceStateCount counts the instances in a state.
type InstanceStateCount struct {
	State InstanceState
	Total int
}

// ClusterStateCount counts the member clusters in a state.
type ClusterStateCount struct {
	State ClusterState
	Total int
}

// NewOverview sums up instances. The clusters are those of the instances whose Karmada answers.
func NewOverview(instances []*Instance, clusters []*Cluster) *Overview {
	o := &Overview{Workloads: []WorkloadCount{}, Policies: []PolicyCount{}, Uncounted: []*Instance{}, Troubled: []*Instance{},
		Instances: []InstanceStateCount{}, ClusterStates: []ClusterStateCount{}}
	// Without any cluster the amounts are "0", not empty.
	o.CPU.Allocatable.add(CPUAmount{})
	o.CPU.Allocated.add(CPUAmount{})
	o.Memory.Allocatable.add(MemoryAmount{})
	o.Memory.Allocated.add(MemoryAmount{})
	states, clusterStates := map[InstanceState]int{}, map[ClusterState]int{}
	workloads, policies := map[string]WorkloadCount{}, map[string]int{}
	for _, i := range instances {
		states[i.State]++
		if i.troubled() {
			o.Troubled = append(o.Troubled, i)
		}
		s := i.Statistics
		if s == nil {
			o.Uncounted = append(o.Uncounted, i)
			continue
		}
		o.Clusters.add(s.Clusters)
		o.Nodes.add(s.Nodes)
		o.CPU.Allocatable.add(s.CPU.Allocatable)
		o.CPU.Allocated.add(s.CPU.Allocated)
		o.Memory.Allocatable.add(s.Memory.Allocatable)
		o.Memory.Allocated.add(s.Memory.Allocated)
		for _, w := range s.Workloads {
			sum := workloads[w.Kind]
			workloads[w.Kind] = WorkloadCount{Kind: w.Kind, Total: sum.Total + w.Total, Ready: sum.Ready + w.Ready}
		}
		for _, p := range s.Policies {
			policies[p.Kind] += p.Total
		}
		if o.AsOf == nil || s.AsOf.Before(*o.AsOf) {
			o.AsOf = &s.AsOf
		}
	}
	for _, c := range clusters {
		clusterStates[c.State]++
	}
	for _, w := range workloads {
		o.Workloads = append(o.Workloads, w)
	}
	for kind, total := range policies {
		o.Policies = append(o.Policies, PolicyCount{Kind: kind, Total: total})
	}
	slices.SortFunc(o.Workloads, func(a, b WorkloadCount) int { return cmp.Compare(a.Kind, b.Kind) })
	slices.SortFunc(o.Policies, func(a, b PolicyCount) int { return cmp.Compare(a.Kind, b.Kind) })
	for _, state := range InstanceStates {
		if n := states[state]; n > 0 {
			o.Instances = append(o.Instances, InstanceStateCount{state, n})
		}
	}
	for _, state := range ClusterStates {
		if n := clusterStates[state]; n > 0 {
			o.ClusterStates = append(o.ClusterStates, ClusterStateCount{state, n})
		}
	}
	return o
}

// troubled reports whether the instance is not RUNNING, or one of its components does not work.
func (i *Instance) troubled() bool {
	return i.State != InstanceRunning ||
		slices.ContainsFunc(i.Components, func(c Component) bool { return c.State == ComponentNotReady })
}

func (r *ReadyCount) add(o ReadyCount) { r.Total, r.Ready = r.Total+o.Total, r.Ready+o.Ready }
