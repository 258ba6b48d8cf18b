package propagation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// Input is the input for the propagation of one object. Nil fields were not read; all but the object may be nil.
type Input struct {
	// Object is the template.
	Object *model.Object
	// Workload is the same template when it is a workload; nil for all other kinds.
	Workload *model.WorkloadMeta
	// Binding is nil when there is none (not when it could not be read: then there is no propagation to compute). A
	// binding whose spec.resource is another object is ignored: a binding's name does not contain the API group.
	Binding *model.ResourceBinding
	// Clusters are those that the instance federates, by name; nil when their states are not known.
	Clusters map[string]*model.Cluster
	// Works by cluster make `applied` more exact: their messages are those of the members' API servers.
	Works map[string]*model.Work
	// Members by cluster are the objects as they are there, from a read store that follows the member; they take
	// precedence over what Karmada collected unless they are older.
	Members map[string]*Member
}

// Compute computes how a workload is propagated and its state in each cluster, from its binding: see Input.
func Compute(w *model.WorkloadMeta, b *model.ResourceBinding, clusters map[string]*model.Cluster) *model.Propagation {
	return Of(Input{Object: &w.Object, Workload: w, Binding: b, Clusters: clusters})
}

// Of computes how an object of any kind is propagated and its state in each cluster.
func Of(in Input) *model.Propagation {
	w, b := in.subject(), in.Binding
	if b != nil && !carries(b, w) {
		b, in.Binding = nil, nil
	}
	p := &model.Propagation{Object: in.Object, Claim: w.Claim, Binding: b, Scheduled: scheduled(w, b),
		Targets: []*model.PropagationTarget{}, RequiredBy: []model.DependentBinding{}}
	if b != nil {
		p.RequiredBy = b.RequiredBy
		known := &statuses{}
		places := placements(b)
		targets := make([]model.PropagationTarget, len(places)) // one allocation for all of them
		p.Targets = make([]*model.PropagationTarget, len(places))
		for i, place := range places {
			place.statuses = known
			place.work, place.member = in.Works[place.cluster], in.Members[place.cluster]
			targets[i] = target(w, b, place, p.Scheduled, in.Clusters)
			targets[i].Of = p
			p.Targets[i] = &targets[i]
		}
	}
	p.Applied = overall(p, ReasonApplied, func(t *model.PropagationTarget) *model.Fact { return &t.Applied })
	p.Healthy = overall(p, ReasonHealthy, func(t *model.PropagationTarget) *model.Fact { return &t.Healthy })
	// An object that could not be scheduled is certainly in no cluster.
	if p.Applied.Value == model.FactUnknown && len(p.Targets) == 0 && p.Scheduled.Value == model.FactFalse {
		p.Applied.Value = model.FactFalse
	}
	if c := conditionOf(b, "FullyApplied"); c != nil && c.Status == p.Applied.Value {
		p.Applied.Since = c.Since
	}
	return p
}

// subject is the propagated object: any object, with the fields that workloads have in addition.
type subject struct {
	*model.Object
	// WorkloadKind is empty, and Replicas nil, for anything but a workload.
	WorkloadKind model.WorkloadKind
	Replicas     *int32
}

func (in *Input) subject() *subject {
	s := &subject{Object: in.Object}
	if in.Workload != nil {
		s.WorkloadKind, s.Replicas = in.Workload.WorkloadKind, in.Workload.Replicas
	}
	return s
}

func carries(b *model.ResourceBinding, w *subject) bool {
	r := b.Resource
	if string(r.UID) != "" && w.UID != "" {
		return string(r.UID) == w.UID
	}
	return r.GVK.GroupKind() == w.Ref.GVK.GroupKind() && r.Namespace == w.Ref.Namespace && r.Name == w.Ref.Name
}

func conditionOf(b *model.ResourceBinding, kind string) *model.Condition {
	if b == nil {
		return nil
	}
	return findCondition(b.Conditions, kind)
}

func findCondition(in []model.Condition, kind string) *model.Condition {
	for i := range in {
		if in[i].Type == kind {
			return &in[i]
		}
	}
	return nil
}

// scheduled says whether Karmada has chosen clusters for the current template.
func scheduled(w *subject, b *model.ResourceBinding) model.Fact {
	required := b != nil && len(b.RequiredBy) > 0
	switch {
	case b == nil && w.Claim == nil:
		return model.Fact{Value: model.FactFalse, Reason: ReasonNoPolicy, Message: "no policy selects it"}
	case b == nil:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonBindingPending,
			Message: fmt.Sprintf("%s claims it, but there is no binding of its own yet", describeClaim(w.Claim))}
	case b.DeletedAt != nil:
		return model.Fact{Value: model.FactFalse, Reason: ReasonBindingDeleting,
			Message: "its binding is being deleted", Since: b.DeletedAt}
	case w.Claim == nil && required:
		return requiredOnly(b)
	case w.Claim == nil:
		return model.Fact{Value: model.FactFalse, Reason: ReasonPolicyRemoved,
			Message: "no policy claims it any more: it stays where it was, and its changes go nowhere"}
	}
	return byScheduler(w, b)
}

// requiredOnly is for objects that no policy claims, but that other objects depend on.
func requiredOnly(b *model.ResourceBinding) model.Fact {
	for _, r := range b.RequiredBy {
		if len(r.Clusters) > 0 {
			return model.Fact{Value: model.FactTrue, Reason: ReasonRequiredBy,
				Message: "it follows what depends on it: " + dependents(b.RequiredBy)}
		}
	}
	return model.Fact{Value: model.FactFalse, Reason: ReasonNoClusterChosen,
		Message: "what depends on it is in no cluster: " + dependents(b.RequiredBy)}
}

// byScheduler evaluates the scheduler's condition.
func byScheduler(w *subject, b *model.ResourceBinding) model.Fact {
	c := conditionOf(b, "Scheduled")
	observed := b.SchedulerObservedGeneration != nil && *b.SchedulerObservedGeneration >= b.Generation
	switch {
	case behind(w, b):
		return model.Fact{Value: model.FactUnknown, Reason: ReasonBindingBehind,
			Message: fmt.Sprintf("the template asks for %d replicas, its binding still says %d", *w.Replicas, count(b.Replicas))}
	case b.Suspended && (c == nil || !observed):
		return model.Fact{Value: model.FactFalse, Reason: ReasonSchedulingSuspended,
			Message: "scheduling is suspended (spec.suspension.scheduling of its binding)"}
	case c == nil:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonSchedulingPending,
			Message: "the scheduler has not looked at it yet"}
	case c.Status == model.FactFalse:
		return model.Fact{Value: model.FactFalse, Reason: c.Reason, Message: c.Message, Since: c.Since}
	case c.Status == model.FactUnknown:
		return model.Fact{Value: model.FactUnknown, Reason: c.Reason, Message: c.Message, Since: c.Since}
	case !observed:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonSchedulerBehind,
			Message: "its binding has changed since the scheduler looked at it"}
	}
	f := model.Fact{Value: model.FactTrue, Reason: ReasonScheduled, Message: c.Message, Since: c.Since}
	if b.Resource.ResourceVersion != "" && b.Resource.ResourceVersion == w.ResourceVersion {
		f.ObservedGeneration = &w.Generation
	}
	if len(b.Clusters) == 0 {
		// An object with zero replicas is scheduled successfully to no cluster.
		if w.Replicas != nil && *w.Replicas == 0 {
			f.Reason, f.Message = ReasonZeroReplicas, "it asks for no replicas, so that no cluster is needed"
			return f
		}
		return model.Fact{Value: model.FactFalse, Reason: ReasonNoClusterChosen, Message: "no cluster is chosen for it"}
	}
	return f
}

// behind reports whether the binding was provably made from an older template.
func behind(w *subject, b *model.ResourceBinding) bool {
	return w.Replicas != nil && !b.Components && count(b.Replicas) != *w.Replicas &&
		b.Resource.ResourceVersion != w.ResourceVersion
}

// count is the number of replicas; 0 for kinds that have none.
func count(replicas *int32) int32 {
	if replicas == nil {
		return 0
	}
	return *replicas
}

// placement is one cluster that a binding names, and why.
type placement struct {
	cluster  string
	reason   model.PlacementReason
	replicas int32
	item     *model.BindingMember
	eviction *model.Eviction
	requires []model.DependentBinding
	work     *model.Work
	member   *Member
	// statuses parses the items of all placements of a binding.
	statuses *statuses
}

// placements is every cluster that the object should be in or is still in, each once, by name.
func placements(b *model.ResourceBinding) []*placement {
	byName := make(map[string]*placement, len(b.Clusters))
	room := make([]placement, 0, len(b.Clusters)) // of most of them: one allocation
	at := func(cluster string, reason model.PlacementReason) *placement {
		p, ok := byName[cluster]
		if !ok {
			if len(room) < cap(room) {
				room = room[:len(room)+1]
				p = &room[len(room)-1]
			} else {
				p = &placement{}
			}
			p.cluster, p.reason = cluster, reason
			byName[cluster] = p
		}
		return p
	}
	for _, c := range b.Clusters {
		at(c.ClusterName, model.PlacementScheduled).replicas = count(c.Replicas)
	}
	for _, r := range b.RequiredBy {
		for i, c := range r.Clusters {
			p := at(c, model.PlacementRequiredBy)
			if p.reason != model.PlacementRequiredBy {
				continue // the scheduler's choice takes precedence over a dependency
			}
			if len(p.requires) == 0 {
				p.replicas = r.Replicas[i]
			}
			p.requires = append(p.requires, r)
		}
	}
	for i := range b.Evictions {
		p := at(b.Evictions[i].ClusterName, model.PlacementEvicting)
		p.eviction = &b.Evictions[i]
	}
	for i := range b.Members {
		p := at(b.Members[i].ClusterName, model.PlacementEvicting)
		p.item = &b.Members[i]
	}
	out := make([]*placement, 0, len(byName))
	for _, p := range byName {
		if b.DeletedAt != nil {
			p.reason = model.PlacementEvicting
		}
		out = append(out, p)
	}
	slices.SortFunc(out, func(a, b *placement) int { return cmp.Compare(a.cluster, b.cluster) })
	return out
}

// dependents names bindings.
func dependents(all []model.DependentBinding) string {
	names := make([]string, 0, len(all))
	for _, r := range all {
		names = append(names, qualified(r.Ref))
	}
	return strings.Join(names, ", ")
}

// qualified is namespace and name; for cluster-scoped objects the name alone.
func qualified(r model.Ref) string {
	if r.Namespace == "" {
		return r.Name
	}
	return r.Namespace + "/" + r.Name
}

func describeClaim(c *model.PolicyClaim) string {
	return fmt.Sprintf("%s %q", c.Ref.GVK.Kind, qualified(c.Ref))
}

// overall combines the targets' facts into one: TRUE when all are, FALSE when one is, else UNKNOWN. Clusters that the
// object is being moved away from do not count.
func overall(p *model.Propagation, yes string, fact func(*model.PropagationTarget) *model.Fact) model.Fact {
	var all, no, unknown []*model.PropagationTarget
	for _, t := range p.Targets {
		if t.Reason == model.PlacementEvicting {
			continue
		}
		all = append(all, t)
		switch fact(t).Value {
		case model.FactFalse:
			no = append(no, t)
		case model.FactUnknown:
			unknown = append(unknown, t)
		}
	}
	switch {
	case len(all) == 0 && p.Scheduled.Value != model.FactTrue:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonNotScheduled,
			Message: "no cluster has been chosen for it"}
	case len(all) == 0:
		return model.Fact{Value: model.FactUnknown, Reason: ReasonNoTargets, Message: "no cluster should hold it"}
	case len(no) > 0:
		return summary(model.FactFalse, no, fact)
	case len(unknown) > 0:
		return summary(model.FactUnknown, unknown, fact)
	}
	out := summary(model.FactTrue, all, fact)
	for _, t := range all {
		if fact(t).Reason != out.Reason {
			out.Reason = yes
		}
	}
	out.Message = ""
	return out
}

// namedClusters is how many clusters a message lists.
const namedClusters = 5

// summary sums up the given targets. Its reason is the first one's, except that an unreachable cluster comes first:
// nothing else is certain then.
func summary(value model.FactValue, targets []*model.PropagationTarget, fact func(*model.PropagationTarget) *model.Fact) model.Fact {
	out := model.Fact{Value: value, Reason: fact(targets[0]).Reason, ObservedGeneration: fact(targets[0]).ObservedGeneration}
	parts := make([]string, 0, namedClusters+1)
	for i, t := range targets {
		f := fact(t)
		if OutOfReach(f.Reason) && !OutOfReach(out.Reason) {
			out.Reason = f.Reason
		}
		switch {
		case i == namedClusters:
			parts = append(parts, fmt.Sprintf("and %d more", len(targets)-namedClusters))
		case i < namedClusters:
			parts = append(parts, t.ClusterName+": "+cmp.Or(f.Message, f.Reason))
		}
		if g := f.ObservedGeneration; g == nil || out.ObservedGeneration == nil {
			out.ObservedGeneration = nil
		} else if *g < *out.ObservedGeneration {
			out.ObservedGeneration = g
		}
	}
	out.Message = strings.Join(parts, "; ")
	return out
}
