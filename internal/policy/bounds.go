package policy

import (
	"fmt"

	"github.com/kairship-io/kairship/internal/model"
)

// What a preview computes with. An API server stores some 15,000 of each in a policy, and every object is compared with every one of them, in
// every cluster or with every other.
const (
	// MostSelectors is the most resource selectors of a policy: each is a condition of one statement, and is compared with each object.
	MostSelectors = 1000
	// MostAffinities is the most groups of clusters of a policy, those that take what overflows counted. The scheduler tries them one after the
	// other, and each time looks for the one in use among all: 5,000 looks for each cluster and object.
	MostAffinities = 100
	// MostWeights is the most static weights of a policy, and MostRules the most rules of an override policy: one for each of a thousand clusters,
	// each compared with each cluster.
	MostWeights = 1000
	MostRules   = 1000
)

// excess is the first bound that a policy exceeds, for people; empty when it exceeds none.
func excess(p *model.PolicyBody) string {
	counts := []struct {
		what      string
		has, most int
	}{{"resourceSelectors", len(p.Selectors()), MostSelectors}, {"override rules", len(AllRules(p)), MostRules}}
	if p.Propagation != nil {
		affinities, weights := len(p.Propagation.Placement.ClusterAffinities), 0
		for i := range p.Propagation.Placement.ClusterAffinities {
			affinities += len(p.Propagation.Placement.ClusterAffinities[i].OverflowAffinities)
		}
		if r := p.Propagation.Placement.ReplicaScheduling; r != nil && r.WeightPreference != nil {
			weights = len(r.WeightPreference.StaticWeights)
		}
		counts = append(counts, struct {
			what      string
			has, most int
		}{"clusterAffinities", affinities, MostAffinities}, struct {
			what      string
			has, most int
		}{"static weights", weights, MostWeights})
	}
	for _, c := range counts {
		if c.has > c.most {
			return fmt.Sprintf("%d %s; at most %d are allowed", c.has, c.what, c.most)
		}
	}
	return ""
}

// Bounded is a policy to compute with: one that exceeds a bound stands there without its lists. It selects nothing and changes nothing, and keeps
// what it claims as its priority lets it.
func Bounded(p *model.PolicyBody) *model.PolicyBody {
	if p == nil || p.Excess == "" {
		return p
	}
	out := &model.PolicyBody{Object: p.Object, Excess: p.Excess}
	if p.Propagation != nil {
		s := p.Propagation
		out.Propagation = &model.PropagationSpec{Priority: s.Priority, Preemption: s.Preemption, SchedulerName: s.SchedulerName}
	}
	return out
}
