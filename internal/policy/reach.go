package policy

import (
	"maps"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// Reaches is the clusters that a policy reaches through the bindings of what it claims (propagation
// policies) or selects (override policies), by name: where these are scheduled, or follow what depends
// on them. Of an override policy only those for which one of its rules asks; a cluster that is not in
// clusters (by name) cannot be asked about and is left out. Never nil.
func Reaches(p *model.PolicyBody, bindings []*model.ResourceBinding, clusters map[string]*model.Cluster) []string {
	found := map[string]bool{}
	for _, b := range bindings {
		for i := range b.Clusters {
			found[b.Clusters[i].ClusterName] = true
		}
		for i := range b.RequiredBy {
			for _, name := range b.RequiredBy[i].Clusters {
				found[name] = true
			}
		}
	}
	if p.Override != nil {
		maps.DeleteFunc(found, func(name string, _ bool) bool {
			return clusters[name] == nil || len(Rules(p, clusters[name])) == 0
		})
	}
	return append([]string{}, slices.Sorted(maps.Keys(found))...)
}
