package propagation

import "github.com/kairship-io/kairship/internal/model"

// Sum adds up the status of the clusters that an object should be in; nil when none was collected. Counts that a kind
// does not have stay nil.
func Sum(targets []*model.PropagationTarget) *model.TargetStatus {
	var sum *model.TargetStatus
	for _, t := range targets {
		if t.Status == nil || t.Reason == model.PlacementEvicting {
			continue
		}
		if sum == nil {
			sum = &model.TargetStatus{}
		}
		s := t.Status
		for _, n := range []struct {
			into **int32
			from *int32
		}{
			{&sum.Replicas, s.Replicas}, {&sum.Ready, s.Ready}, {&sum.Updated, s.Updated}, {&sum.Available, s.Available},
			{&sum.Active, s.Active}, {&sum.Succeeded, s.Succeeded}, {&sum.Failed, s.Failed},
		} {
			if n.from == nil {
				continue
			}
			total := *n.from
			if *n.into != nil {
				total += **n.into
			}
			*n.into = &total
		}
	}
	return sum
}
