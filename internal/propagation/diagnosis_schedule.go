package propagation

import (
	"fmt"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
)

// claim reports on the policy that claims the object.
func (f *finder) claim() {
	s := f.Propagation.Scheduled
	switch s.Reason {
	case ReasonNoPolicy:
		f.unclaimed()
	case ReasonPolicyRemoved:
		f.add(model.FindingPolicyRemoved, model.SeverityError, "", s.Message,
			"make a policy that selects it, or delete what it left in the clusters",
			f.ofObject("metadata.annotations", "no claim of a policy"), f.ofBindingField("spec.clusters", f.clusterNames()))
	case ReasonBindingPending, ReasonBindingBehind:
		f.add(model.FindingBindingPending, f.pending(), "", s.Message,
			"wait; when it stays, see the instance's controller manager and the events of the template",
			f.ofObject("metadata.annotations", "claimed by "+f.claimer()), f.ofBindingField("spec.replicas", fmt.Sprint(f.bindingReplicas())))
	case ReasonBindingDeleting:
		f.add(model.FindingDeleting, f.pending(), "", s.Message, "wait; when it stays, look for finalizers that nobody takes away",
			f.ofBindingField("metadata.deletionTimestamp", "is set"))
	}
	f.otherPolicies()
}

// unclaimed reports an object that no policy has claimed.
func (f *finder) unclaimed() {
	if len(f.Policies) > 0 {
		first := f.Policies[0]
		f.add(model.FindingBindingPending, f.pending(), "",
			fmt.Sprintf("%s selects it, but has not claimed it", described(first.Policy)),
			"wait; a policy whose activationPreference is Lazy claims a template only when that is next changed",
			model.Evidence{Object: described(first.Policy), Field: "spec.resourceSelectors", Value: "selects it by " + strings.ToLower(first.How)})
		return
	}
	severity := model.SeverityWarning
	if f.Workload != nil {
		severity = model.SeverityError
	}
	who := "no policy"
	if f.PoliciesHidden {
		who = "no policy that you may see"
	}
	looked := f.ofObject("metadata.annotations", "no claim of a policy")
	f.add(model.FindingNoPolicy, severity, "", who+" selects it: it is only a template, and runs nowhere",
		"make a PropagationPolicy in its namespace, or a ClusterPropagationPolicy, whose resourceSelectors select it", looked)
}

// otherPolicies says why other policies that select the object have no effect.
func (f *finder) otherPolicies() {
	claimed := slices.IndexFunc(f.Policies, func(m model.PolicyMatch) bool { return m.Claims })
	if claimed < 0 || len(f.Policies) < 2 {
		return
	}
	holder := f.Policies[claimed]
	evidence := []model.Evidence{f.ofObject("metadata.annotations", "claimed by "+f.claimer())}
	var others []string
	for i, m := range f.Policies {
		if i != claimed {
			others = append(others, described(m.Policy))
		}
		evidence = append(evidence, model.Evidence{Object: described(m.Policy), Field: "spec.priority",
			Value: fmt.Sprintf("%d; %s", m.Priority, m.Why)})
	}
	if claimed > 0 {
		f.add(model.FindingClaimedByAnother, model.SeverityWarning, "",
			fmt.Sprintf("it is claimed by %s, although %s goes before it: %s", described(holder.Policy), described(f.Policies[0].Policy), f.Policies[0].Why),
			"let the policy that is to have it take over (preemption: Always, with a higher priority), or end the other one's selection", evidence...)
		return
	}
	f.add(model.FindingClaimedByAnother, model.SeverityInfo, "",
		fmt.Sprintf("it is claimed by %s; %s selects it too, without effect: %s", described(holder.Policy), strings.Join(others, ", "), holder.Why),
		"raise the priority of the policy that is to have it, or select it there by name", evidence...)
}

func (f *finder) claimer() string {
	if f.Object.Claim == nil {
		return "no policy"
	}
	return described(f.Object.Claim.Ref)
}

func (f *finder) bindingReplicas() int32 {
	if f.binding == nil {
		return 0
	}
	return count(f.binding.Replicas)
}

func (f *finder) clusterNames() string {
	names := []string{}
	if f.binding != nil {
		for _, c := range f.binding.Clusters {
			names = append(names, c.ClusterName)
		}
	}
	return strings.Join(names, ", ")
}

// scheduling reports on the scheduler's decision.
func (f *finder) scheduling() {
	s, b := f.Propagation.Scheduled, f.binding
	if b == nil {
		return
	}
	switch {
	case s.Reason == ReasonSchedulingSuspended:
		f.add(model.FindingSchedulingSuspended, model.SeverityWarning, "", s.Message,
			"end the suspension, or wait for whoever asked for it: a queue of workloads suspends what has no turn yet",
			f.ofBindingField("spec.suspension.scheduling", "true"))
	case s.Reason == ReasonSchedulingPending, s.Reason == ReasonSchedulerBehind:
		observed := "not set"
		if b.SchedulerObservedGeneration != nil {
			observed = fmt.Sprint(*b.SchedulerObservedGeneration)
		}
		f.add(model.FindingSchedulerBehind, f.pending(), "", s.Message,
			"wait; when it stays, see the instance's scheduler: "+b.SchedulerName,
			f.ofBindingField("metadata.generation", fmt.Sprint(b.Generation)),
			f.ofBindingField("status.schedulerObservedGeneration", observed), f.ofCondition("Scheduled"))
	case s.Reason == ReasonNoClusterChosen && f.Object.Claim == nil && len(b.RequiredBy) > 0:
		f.add(model.FindingDependencyWaiting, model.SeverityWarning, "", s.Message,
			"see the diagnosis of what takes it along", f.ofBindingField("spec.requiredBy", dependents(b.RequiredBy)))
	case s.Value == model.FactFalse && f.refused(s.Reason):
		f.noPlace(s)
	case s.Value == model.FactTrue:
		f.replicas()
	}
}

// refused reports whether a reason is a refusal by the scheduler, and not one that claim has already reported.
func (f *finder) refused(reason string) bool {
	switch reason {
	case ReasonNoPolicy, ReasonPolicyRemoved, ReasonBindingDeleting:
		return false
	}
	return true
}

// unfit is the texts of findings for each reason why clusters do not fit.
var unfit = map[model.UnfitCode]struct {
	finding         model.FindingCode
	message, remedy string
	phrases         []string // in the scheduler's messages, Karmada v1.18
	asked           []string // the fields of a placement concerned
}{
	model.UnfitAPINotEnabled: {model.FindingAPINotEnabled, "does not serve its kind",
		"install the CRD or the API in the cluster, or choose clusters that have it",
		[]string{"did not have the API resource"}, nil},
	model.UnfitTaint: {model.FindingTaint, "has a taint that its policy does not tolerate",
		"take the taint away, or add a toleration to the policy's placement",
		[]string{"had untolerated taint"}, []string{"clusterTolerations"}},
	model.UnfitAffinity: {model.FindingAffinity, "is not among those that its policy's affinity chooses",
		"label a cluster as the affinity asks, or change the affinity",
		[]string{"did not match the placement cluster affinity constraint"}, []string{"clusterAffinity", "clusterAffinities"}},
	model.UnfitSpread: {model.FindingSpread, "cannot be counted for its policy's spread constraints",
		"ask for fewer groups in the spread constraints, or add clusters with the property they spread by",
		[]string{"did not have provider property", "did not have region property", "did not have zones property",
			"is less than spreadConstraint.MinGroups", "is less than the cluster spreadConstraint.MinGroups"},
		[]string{"spreadConstraints"}},
	model.UnfitNoRoom: {model.FindingNoRoom, "does not have enough room",
		"add nodes, ask for less, or let more clusters be chosen",
		[]string{"available replicas", "no enough resource when selecting"}, nil},
	model.UnfitEviction: {model.FindingEvicting, "is one that it is being moved away from",
		"wait until it has left", []string{"is in the process of eviction"}, nil},
	model.UnfitNotReady: {model.FindingClusterNotReady, "is not ready", "see the cluster's conditions", nil, nil},
}

// unfitOrder is the order in which the reasons are checked.
var unfitOrder = []model.UnfitCode{model.UnfitAPINotEnabled, model.UnfitTaint, model.UnfitSpread, model.UnfitNoRoom,
	model.UnfitEviction, model.UnfitNotReady, model.UnfitAffinity}

// noPlace says why no cluster fits. Clusters that the affinity leaves out were not intended: they are mentioned only
// when the affinity leaves out all of them.
func (f *finder) noPlace(s model.Fact) {
	if s.Reason == "QuotaExceeded" {
		f.add(model.FindingQuota, model.SeverityError, "", "a federated quota does not allow it: "+s.Message,
			"raise the FederatedResourceQuota of the namespace, or ask for less", f.ofCondition("Scheduled"))
		return
	}
	meant := slices.DeleteFunc(slices.Clone(f.Verdicts), func(v model.ClusterVerdict) bool {
		return v.Fits || slices.ContainsFunc(v.Reasons, func(r model.UnfitReason) bool { return r.Code == model.UnfitAffinity })
	})
	if len(meant) == 0 {
		meant = slices.DeleteFunc(slices.Clone(f.Verdicts), func(v model.ClusterVerdict) bool { return v.Fits })
	}
	told := 0
	for _, code := range unfitOrder {
		if f.misfit(code, s, meant) {
			told++
		}
	}
	switch {
	case told > 0:
	case s.Reason == "SchedulerError":
		f.add(model.FindingSchedulerError, model.SeverityError, "", "the scheduler failed: "+s.Message,
			"see the instance's scheduler", f.ofCondition("Scheduled"))
	default:
		f.add(model.FindingNoClusterFits, model.SeverityError, "", "no cluster fits: "+s.Message,
			"see which clusters its policy's placement leaves", f.ofCondition("Scheduled"))
	}
}

// misfit reports one reason why no cluster fits, from our own verdicts and the scheduler's message.
func (f *finder) misfit(code model.UnfitCode, s model.Fact, meant []model.ClusterVerdict) bool {
	u := unfit[code]
	evidence := []model.Evidence{}
	var names, reasons []string
	for _, v := range meant {
		for _, r := range v.Reasons {
			if r.Code != code {
				continue
			}
			if !slices.Contains(names, v.ClusterName) {
				names = append(names, v.ClusterName)
			}
			if !slices.Contains(reasons, r.Message) {
				reasons = append(reasons, r.Message)
			}
			evidence = append(evidence, model.Evidence{Object: "Cluster " + v.ClusterName, Field: r.Field, Value: r.Value})
		}
	}
	whole := slices.IndexFunc(f.Unfit, func(r model.UnfitReason) bool { return r.Code == code })
	if whole >= 0 {
		r := f.Unfit[whole]
		evidence = append(evidence, model.Evidence{Object: f.claimer(), Field: r.Field, Value: r.Value})
	}
	said := slices.ContainsFunc(u.phrases, func(p string) bool { return strings.Contains(s.Message, p) })
	if code == model.UnfitAffinity && len(names) == 0 && f.saidMore(s) {
		return false
	}
	// A reason that the scheduler's message lacks may have been momentary, unless the message has no known reason at
	// all; a reason in the message may be one that our verdicts missed.
	if !said && (len(names) == 0 && whole < 0 || f.saidAny(s)) {
		return false
	}
	if code == model.UnfitTaint && f.outOfOrder(s, names, evidence) {
		return true
	}
	if code == model.UnfitSpread {
		evidence = append(evidence, f.leftOut()...)
	}
	message := "no cluster fits: " + s.Message
	switch {
	case whole >= 0:
		message = "no cluster fits: " + f.Unfit[whole].Message
	case len(reasons) == 1 && reasons[0] != "":
		message = fmt.Sprintf("no cluster fits: %s: %s", listed(names), reasons[0])
	case len(names) > 1:
		message = fmt.Sprintf("no cluster fits: each of %s %s", listed(names), u.message)
	case len(names) == 1:
		message = fmt.Sprintf("no cluster fits: %s %s", names[0], u.message)
	}
	f.add(u.finding, model.SeverityError, "", message, u.remedy, append(evidence, f.asked(u.asked), f.ofCondition("Scheduled"))...)
	return true
}

// asked is the first of the given fields that the binding's placement has, or that of the claiming policy, as evidence;
// empty when there is none.
func (f *finder) asked(fields []string) model.Evidence {
	if f.binding == nil {
		return model.Evidence{}
	}
	object, raw := described(f.binding.Ref), f.binding.Raw
	if raw == nil {
		object, raw = f.claimer(), f.Claiming
	}
	var o struct {
		Spec struct {
			Placement map[string]jsonv2.Raw `json:"placement"`
		} `json:"spec"`
	}
	if jsonv2.Unmarshal(raw, &o) != nil {
		return model.Evidence{}
	}
	for _, field := range fields {
		if v := o.Spec.Placement[field]; v != nil {
			return model.Evidence{Object: object, Field: "spec.placement." + field, Value: string(v)}
		}
	}
	return model.Evidence{}
}

// conditionTaint begins the taints that Karmada itself puts on clusters while they are not ready.
const conditionTaint = "cluster.karmada.io/"

// outOfOrder reports clusters that are excluded only by Karmada's own taints: their state is the cause.
func (f *finder) outOfOrder(s model.Fact, names []string, evidence []model.Evidence) bool {
	own := len(evidence) > 0 || strings.Contains(s.Message, "had untolerated taint {"+conditionTaint)
	for _, e := range evidence {
		own = own && strings.Contains(e.Value, conditionTaint)
	}
	if !own {
		return false
	}
	code, message := model.FindingClusterNotReady, "no cluster fits: "+s.Message
	if len(names) > 0 {
		message = fmt.Sprintf("no cluster fits: %s cannot be used now", listed(names))
	}
	for _, name := range names {
		if c := f.Clusters[name]; c != nil {
			evidence = append(evidence, readiness(c))
			if c.State == model.ClusterOffline {
				code = model.FindingClusterOffline
			}
		}
	}
	f.add(code, model.SeverityError, "", message, "bring the cluster back; see its conditions", append(evidence, f.ofCondition("Scheduled"))...)
	return true
}

// readiness is a cluster's state as evidence.
func readiness(c *model.Cluster) model.Evidence {
	e := model.Evidence{Object: "Cluster " + c.Name, Field: "status.conditions[type=Ready]", Value: string(c.State) + ": " + c.StateMessage}
	if r := findCondition(c.Conditions, "Ready"); r != nil {
		e.Value = conditionText(r)
	}
	return e
}

// leftOut is the clusters that do not count for a spread constraint, and why, as evidence.
func (f *finder) leftOut() []model.Evidence {
	var out []model.Evidence
	for _, v := range f.Verdicts {
		for _, r := range v.Reasons {
			if r.Code != model.UnfitSpread {
				out = append(out, model.Evidence{Object: "Cluster " + v.ClusterName, Field: r.Field, Value: r.Value})
			}
		}
	}
	return out
}

// saidMore reports whether the scheduler's message names a reason other than the affinity.
func (f *finder) saidMore(s model.Fact) bool {
	return slices.ContainsFunc(unfitOrder, func(code model.UnfitCode) bool {
		return code != model.UnfitAffinity &&
			slices.ContainsFunc(unfit[code].phrases, func(p string) bool { return strings.Contains(s.Message, p) })
	})
}

// saidAny reports whether the scheduler's message names any known reason.
func (f *finder) saidAny(s model.Fact) bool {
	return f.saidMore(s) || strings.Contains(s.Message, unfit[model.UnfitAffinity].phrases[0])
}

// listed names clusters, at most a few.
func listed(names []string) string {
	if len(names) > namedClusters {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:namedClusters], ", "), len(names)-namedClusters)
	}
	return strings.Join(names, ", ")
}

// replicas reports unassigned replicas. Copied replicas are always assigned, in every cluster.
func (f *finder) replicas() {
	b := f.binding
	if !b.Divided || b.Components || b.Replicas == nil || len(b.Clusters) == 0 {
		return
	}
	var assigned int32
	for _, c := range b.Clusters {
		assigned += count(c.Replicas)
	}
	if assigned >= *b.Replicas {
		return
	}
	f.add(model.FindingReplicasUnassigned, model.SeverityError, "",
		fmt.Sprintf("%d of %d replicas are assigned to clusters", assigned, *b.Replicas),
		"see whether its clusters have room; the scheduler assigns what is missing when they do",
		f.ofBindingField("spec.replicas", fmt.Sprint(*b.Replicas)), f.ofBindingField("spec.clusters", fmt.Sprint(assigned)+" in all"),
		f.ofCondition("Scheduled"))
}
