package policy

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/kairship-io/kairship/internal/model"
)

// Placing is where an object could go under a placement.
type Placing struct {
	// Verdicts is one for each cluster, by name: a cluster fits when the filters let it in and it is in the chosen
	// group.
	Verdicts []model.ClusterVerdict
	// Group is the name of the chosen group of clusters; "" when the placement has no groups, or none of them is
	// possible: Verdicts and Unfit are then about the first.
	Group string
	// Unfit is the requirements that the clusters accepted by the filters do not meet together: spread constraints, and
	// room for all replicas. Empty when the object can be placed, or when no cluster fits on its own.
	Unfit []model.UnfitReason
	// Room is how many replicas those clusters have room for, including those already there; nil when the scheduler
	// does not check.
	Room *int64
}

// Placed reports whether the scheduler would find a place.
func (p *Placing) Placed() bool {
	return len(p.Unfit) == 0 && slices.ContainsFunc(p.Verdicts, func(v model.ClusterVerdict) bool { return v.Fits })
}

// Place computes where an object could go: which clusters the filters accept, which group of clusters is chosen, and
// whether these satisfy the spread constraints. It does not say which of the clusters the scheduler then chooses, where
// it may choose fewer: that depends on its scores. It leaves out clusters that get no replica: an object with 0
// replicas (not nil) is scheduled, to no cluster.
func Place(p *model.Placement, want *Request, clusters []*model.Cluster) Placing {
	clusters = slices.SortedFunc(slices.Values(clusters), func(a, b *model.Cluster) int { return cmp.Compare(a.Name, b.Name) })
	groups := 1
	if p.ClusterAffinity == nil {
		groups = max(1, len(p.ClusterAffinities))
	}
	var first Placing
	for i := range groups {
		g := group(p, want, i)
		out := place(p, g, want, clusters)
		if out.Placed() {
			out.Group = g.name
			return out
		}
		if i == 0 {
			first = out
		}
	}
	return first
}

func place(p *model.Placement, g affinityGroup, want *Request, clusters []*model.Cluster) Placing {
	out := Placing{Verdicts: make([]model.ClusterVerdict, len(clusters))}
	var fitting []*model.Cluster
	for i, c := range clusters {
		verdict, letIn := fit(p, g, want, c)
		out.Verdicts[i] = verdict
		if letIn {
			fitting = append(fitting, c)
		}
	}
	if len(fitting) == 0 {
		return out
	}
	out.Unfit = Spread(p, want, fitting)
	if needsRoom(p, want) {
		room := roomOf(want, fitting)
		out.Room = &room
		if room < int64(*want.Replicas) && len(out.Unfit) == 0 {
			out.Unfit = append(out.Unfit, model.UnfitReason{
				Code:    model.UnfitNoRoom,
				Message: fmt.Sprintf("the clusters that fit have room for %d of %d replicas; %s", room, *want.Replicas, requestText(want)),
				Field:   "status.resourceSummary", Value: clip(roomText(want, fitting)),
			})
		}
	}
	return out
}

// roomOf is the replicas that clusters have room for, including those already there.
func roomOf(want *Request, clusters []*model.Cluster) int64 {
	var sum int64
	for _, c := range clusters {
		sum += int64(Room(want, c)) + int64(want.Scheduled[c.Name])
	}
	return sum
}

func roomText(want *Request, clusters []*model.Cluster) string {
	text := ""
	for i, c := range clusters {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", c.Name, Room(want, c)+want.Scheduled[c.Name])
	}
	return text
}

// Spread is the spread constraints that clusters do not satisfy together; nil when all are satisfied. The clusters are
// those accepted by the filters.
func Spread(p *model.Placement, want *Request, clusters []*model.Cluster) []model.UnfitReason {
	if len(p.SpreadConstraints) == 0 || spreadIgnored(p.ReplicaScheduling) {
		return nil
	}
	by := map[model.SpreadField]*model.SpreadConstraint{}
	for i := range p.SpreadConstraints {
		if f := p.SpreadConstraints[i].SpreadByField; f != nil {
			by[*f] = &p.SpreadConstraints[i]
		}
	}
	unfit := func(c *model.SpreadConstraint, field, format string, args ...any) []model.UnfitReason {
		return []model.UnfitReason{{
			Code: model.UnfitSpread, Message: fmt.Sprintf(format, args...),
			Field: "spec.placement.spreadConstraints" + field, Value: constraintText(c),
		}}
	}
	region, cluster := by[model.SpreadRegion], by[model.SpreadCluster]
	switch {
	case region == nil && cluster == nil:
		return unfit(&p.SpreadConstraints[0], "", "Karmada's scheduler spreads by cluster or by region, and the policy asks for neither")
	case region != nil:
		return spreadByRegion(region, cluster, clusters, unfit)
	}
	n := len(clusters)
	switch most := atMost(cluster); {
	case n < cluster.MinGroups:
		return unfit(cluster, "[cluster].minGroups", "it has to be spread over at least %d clusters, and %d fit", cluster.MinGroups, n)
	case most == 0:
		return unfit(cluster, "[cluster].maxGroups", "the spread constraint by cluster has no maxGroups, and Karmada's scheduler then selects no cluster")
	case needsRoom(p, want):
		if room := roomOf(want, roomiest(want, clusters, most)); room < int64(*want.Replicas) {
			return unfit(cluster, "[cluster].maxGroups", "no %d clusters have room for all %d replicas together: those with the most have room for %d",
				min(most, n), *want.Replicas, room)
		}
	}
	return nil
}

func spreadByRegion(region, cluster *model.SpreadConstraint, clusters []*model.Cluster,
	unfit func(*model.SpreadConstraint, string, string, ...any) []model.UnfitReason,
) []model.UnfitReason {
	sizes := map[string]int{}
	for _, c := range clusters {
		if c.Region != nil {
			sizes[*c.Region]++
		}
	}
	if len(sizes) < region.MinGroups {
		return unfit(region, "[region].minGroups", "it has to be spread over at least %d regions, and clusters of %d fit", region.MinGroups, len(sizes))
	}
	if atMost(region) == 0 {
		return unfit(region, "[region].maxGroups", "the spread constraint by region has no maxGroups, and Karmada's scheduler then selects no region")
	}
	if cluster == nil {
		return nil
	}
	// The regions with the most clusters are the best choice.
	var counts []int
	for _, n := range sizes {
		counts = append(counts, n)
	}
	slices.SortFunc(counts, func(a, b int) int { return cmp.Compare(b, a) })
	sum := 0
	for _, n := range counts[:min(len(counts), atMost(region))] {
		sum += n
	}
	if sum < cluster.MinGroups {
		return unfit(cluster, "[cluster].minGroups", "it has to be spread over at least %d clusters in at most %d regions, and %d fit",
			cluster.MinGroups, atMost(region), sum)
	}
	return nil
}

// spreadIgnored reports whether the scheduler ignores spread constraints: it does where replicas are divided by static
// weights.
func spreadIgnored(r *model.ReplicaScheduling) bool {
	if r == nil || r.Type != model.ReplicasDivided {
		return false
	}
	if r.DivisionPreference != nil && *r.DivisionPreference != model.DivideWeighted {
		return false
	}
	w := r.WeightPreference
	return w == nil || len(w.StaticWeights) > 0 && w.DynamicWeight == nil
}

// atMost is a constraint's maxGroups; 0 when none was given, as the scheduler reads it.
func atMost(c *model.SpreadConstraint) int {
	if c.MaxGroups == nil {
		return 0
	}
	return *c.MaxGroups
}

// roomiest is the n clusters with the most room.
func roomiest(want *Request, clusters []*model.Cluster, n int) []*model.Cluster {
	sorted := slices.SortedStableFunc(slices.Values(clusters), func(a, b *model.Cluster) int {
		return cmp.Compare(Room(want, b)+want.Scheduled[b.Name], Room(want, a)+want.Scheduled[a.Name])
	})
	return sorted[:min(n, len(sorted))]
}

func constraintText(c *model.SpreadConstraint) string {
	by := "label"
	if c.SpreadByField != nil {
		by = string(*c.SpreadByField)
	} else if c.SpreadByLabel != nil {
		by = "label " + *c.SpreadByLabel
	}
	text := fmt.Sprintf("by %s, minGroups %d", by, c.MinGroups)
	if c.MaxGroups != nil {
		text += fmt.Sprintf(", maxGroups %d", *c.MaxGroups)
	}
	return text
}
