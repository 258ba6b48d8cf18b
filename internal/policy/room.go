package policy

import (
	"fmt"
	"math"

	"github.com/kairship-io/kairship/internal/model"
)

// needsRoom reports whether the scheduler checks the room in clusters: only where it divides replicas by what is
// available. Copied replicas and static weights are assigned regardless of room.
func needsRoom(p *model.Placement, want *Request) bool {
	r := p.ReplicaScheduling
	if r == nil || r.Type != model.ReplicasDivided || want.Replicas == nil || *want.Replicas == 0 {
		return false
	}
	return r.DivisionPreference != nil && *r.DivisionPreference == model.DivideAggregated ||
		r.WeightPreference != nil && r.WeightPreference.DynamicWeight != nil
}

// Room is how many more replicas a cluster has room for, from the sum of its nodes' resources, as Karmada's general
// estimator computes it; 0 when it has not reported. With resource models or an accurate estimator in Karmada it can be
// less: no single node may have the sum free.
func Room(want *Request, c *model.Cluster) int32 {
	s := c.Resources
	if s == nil {
		return 0
	}
	room := float64(s.Allocatable.Pods - s.Allocated.Pods - s.Allocating.Pods)
	per := func(free, one float64) {
		if one > 0 {
			// Float differences of whole millicores and bytes come out a little low.
			room = min(room, free/one+1e-9)
		}
	}
	per(s.Allocatable.CPU.Cores-s.Allocated.CPU.Cores-s.Allocating.CPU.Cores, want.Cores)
	per(s.Allocatable.Memory.Bytes-s.Allocated.Memory.Bytes-s.Allocating.Memory.Bytes, want.Bytes)
	return int32(max(0, min(room, math.MaxInt32)))
}

func noRoom(want *Request, c *model.Cluster) *model.UnfitReason {
	out := &model.UnfitReason{Code: model.UnfitNoRoom, Field: "status.resourceSummary", Value: "(not reported)"}
	if c.Resources == nil {
		out.Message = "the cluster has not reported what it has"
		return out
	}
	out.Message = "the cluster has no room for one replica: " + requestText(want)
	out.Value = freeText(c.Resources)
	return out
}

func requestText(want *Request) string {
	return fmt.Sprintf("one asks for %s CPU and %s memory", cores(want.Cores), mebibytes(want.Bytes))
}

func freeText(s *model.ResourceSummary) string {
	return fmt.Sprintf("free: %s CPU, %s memory, %d pods",
		cores(s.Allocatable.CPU.Cores-s.Allocated.CPU.Cores-s.Allocating.CPU.Cores),
		mebibytes(s.Allocatable.Memory.Bytes-s.Allocated.Memory.Bytes-s.Allocating.Memory.Bytes),
		s.Allocatable.Pods-s.Allocated.Pods-s.Allocating.Pods)
}

// cores and mebibytes format amounts for people, as Kubernetes does.
func cores(n float64) string { return fmt.Sprintf("%.0fm", n*1000) }

func mebibytes(n float64) string { return fmt.Sprintf("%.0fMi", n/(1<<20)) }
