package propagation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/kairship-io/kairship/internal/model"
)

// Diagnosis is the input of Diagnose. Only the first three are required; a nil field was not read, and yields no
// findings.
type Diagnosis struct {
	// Object is the template, and Workload the same one when it is a workload.
	Object   *model.Object
	Workload *model.WorkloadMeta
	// Propagation is the result of Of.
	Propagation *model.Propagation
	// Now is the time of the diagnosis.
	Now time.Time
	// Clusters are those that the instance federates, by name.
	Clusters map[string]*model.Cluster
	// Policies are the propagation policies that select the object, in the order of Karmada's
	// preference; empty, not nil, when none does.
	Policies []model.PolicyMatch
	// PoliciesHidden says that other policies, which the reader may not see, may select it too.
	PoliciesHidden bool
	// Claiming is the policy that claims the object, as JSON: what it asks for is evidence where the binding was read
	// without its own JSON, as watches read it.
	Claiming []byte
	// Verdicts say of each cluster whether it fits the claiming policy's placement.
	Verdicts []model.ClusterVerdict
	// Unfit is the requirements that the clusters do not meet together.
	Unfit []model.UnfitReason
	// Events are those of the control plane about the object and its binding.
	Events []*model.KubernetesEvent
	// Dependencies are what the object needs in its clusters (ResourceBinding.DependsOn).
	Dependencies []DependencyState
	// Freshness is the freshness of the read store for the control plane.
	Freshness *model.Freshness
	// Places is what is known of the object in each cluster, by name.
	Places map[string]*Place
}

// Place is what is known of an object in one cluster; all of it is optional.
type Place struct {
	// Work is what Karmada sends there.
	Work *model.Work
	// Overrides are the changes that override policies made.
	Overrides []model.AppliedOverride
	// Pods are the object's, and Events about it, its pods and the objects in between.
	Pods   []*model.Pod
	Events []*model.KubernetesEvent
	// Freshness is the freshness of the read store for the member.
	Freshness *model.Freshness
}

// DependencyState is one dependency of the object.
type DependencyState struct {
	model.Dependency

	// Exists says that the control plane has it.
	Exists bool
	// Propagation is how it is propagated; nil when it is not, or when this was not read.
	Propagation *model.Propagation
}

// Diagnose says why an object is not where, or not as, it should be. The most urgent finding comes first: a stale read
// store before everything else, because everything after it may be outdated; then errors, warnings and infos, each in
// the order of the object's steps: claimed, scheduled, sent, applied, healthy. A healthy object has neither errors nor
// warnings. The result is never nil.
func Diagnose(in Diagnosis) []model.Finding {
	f := &finder{Diagnosis: &in, found: []model.Finding{}}
	if in.Propagation == nil || in.Object == nil {
		return f.found
	}
	f.binding = in.Propagation.Binding
	f.instanceFreshness()
	if in.Object.DeletedAt != nil {
		f.deleting()
	} else {
		f.claim()
		f.scheduling()
		f.dependencies()
	}
	for _, t := range in.Propagation.Targets {
		f.target(t)
	}
	f.dispatching()
	slices.SortStableFunc(f.found, func(a, b model.Finding) int {
		return cmp.Or(cmp.Compare(urgency(&a), urgency(&b)), cmp.Compare(stage(a.Code), stage(b.Code)))
	})
	return f.found
}

// urgency is the first criterion of the order of findings.
func urgency(f *model.Finding) int {
	switch {
	case f.Code == model.FindingStoreStale && f.ClusterName == nil:
		return 0
	case f.Severity == model.SeverityError:
		return 1
	case f.Severity == model.SeverityWarning:
		return 2
	}
	return 3
}

// stages are the steps of an object into its clusters. In the last ones, what is known exactly comes before what is
// only observed.
var stages = []model.FindingCode{
	model.FindingStoreStale, model.FindingDeleting, model.FindingNoPolicy, model.FindingPolicyRemoved,
	model.FindingClaimedByAnother, model.FindingBindingPending, model.FindingSchedulingSuspended, model.FindingSchedulerBehind,
	model.FindingAPINotEnabled, model.FindingTaint, model.FindingAffinity, model.FindingSpread, model.FindingNoRoom,
	model.FindingQuota, model.FindingNoClusterFits, model.FindingSchedulerError, model.FindingReplicasUnassigned,
	model.FindingDispatchSuspended, model.FindingResourceConflict, model.FindingOverrideBroke, model.FindingApplyFailed,
	model.FindingClusterOffline, model.FindingClusterNotReady, model.FindingDependencyWaiting,
	model.FindingImagePull, model.FindingOutOfMemory, model.FindingCrashLoop, model.FindingPodUnschedulable, model.FindingPodFailed,
	model.FindingJobFailed, model.FindingUnhealthy, model.FindingEvicting, model.FindingNotYetApplied, model.FindingRollout,
}

func stage(code model.FindingCode) int { return slices.Index(stages, code) }

// finder collects findings.
type finder struct {
	*Diagnosis

	binding *model.ResourceBinding
	found   []model.Finding
}

// add adds a finding; cluster is empty when it is about the object as a whole.
func (f *finder) add(code model.FindingCode, severity model.Severity, cluster, message, remedy string, evidence ...model.Evidence) {
	finding := model.Finding{Code: code, Severity: severity, Message: message, Remedy: remedy, Evidence: []model.Evidence{}}
	if cluster != "" {
		finding.ClusterName = &cluster
	}
	for _, e := range evidence {
		if e.Object != "" {
			e.Value = cut(e.Value)
			finding.Evidence = append(finding.Evidence, e)
		}
	}
	f.found = append(f.found, finding)
}

// longValue is how many bytes of a value evidence shows.
const longValue = 600

func cut(s string) string {
	if len(s) <= longValue {
		return s
	}
	n := longValue
	for !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + " …"
}

// described is an object's name in evidence.
func described(r model.Ref) string {
	name := r.GVK.Kind + " " + qualified(r)
	if r.Cluster != "" {
		name += " in " + r.Cluster
	}
	return name
}

// ofBindingField is evidence from the binding; empty when there is none.
func (f *finder) ofBindingField(field, value string) model.Evidence {
	if f.binding == nil {
		return model.Evidence{}
	}
	return model.Evidence{Object: described(f.binding.Ref), Field: field, Value: value}
}

// ofCondition is evidence from a condition of the binding; empty when it has none.
func (f *finder) ofCondition(kind string) model.Evidence {
	c := conditionOf(f.binding, kind)
	if c == nil {
		return model.Evidence{}
	}
	return f.ofBindingField("status.conditions[type="+kind+"]", conditionText(c))
}

func conditionText(c *model.Condition) string {
	text := string(c.Status) + " " + c.Reason
	if c.Message != "" {
		text += ": " + c.Message
	}
	return text
}

func (f *finder) ofObject(field, value string) model.Evidence {
	return model.Evidence{Object: described(f.Object.Ref), Field: field, Value: value}
}

// settling reports whether the last known change is so recent that missing parts may still arrive.
func (f *finder) settling() bool {
	w := f.Workload
	if w == nil {
		w = &model.WorkloadMeta{Object: *f.Object}
	}
	return settling(w, f.Propagation, f.Now)
}

// pending is the severity of what is still in progress: info while it is new.
func (f *finder) pending() model.Severity {
	if f.settling() {
		return model.SeverityInfo
	}
	return model.SeverityWarning
}

func (f *finder) instanceFreshness() {
	if f.Freshness == nil || f.Freshness.State == model.FreshnessLive {
		return
	}
	instance := f.Object.Ref.Instance
	f.add(model.FindingStoreStale, model.SeverityWarning, "",
		fmt.Sprintf("the read store does not follow instance %s: what is said here may be old", instance),
		"see the components of the instance: its API server and the read sync",
		staleness("Instance "+instance, f.Freshness))
}

func staleness(object string, fresh *model.Freshness) model.Evidence {
	e := model.Evidence{Object: object, Field: "freshness.state", Value: string(fresh.State)}
	if fresh.SyncedAt != nil {
		e.Value += " since " + fresh.SyncedAt.UTC().Format(time.RFC3339)
	}
	if fresh.Message != "" {
		e.Value += ": " + fresh.Message
	}
	return e
}

func (f *finder) deleting() {
	f.add(model.FindingDeleting, f.pending(), "", "it is being deleted, with everything of it in the clusters",
		"wait; when it stays, look for finalizers that nobody takes away",
		f.ofObject("metadata.deletionTimestamp", f.Object.DeletedAt.UTC().Format(time.RFC3339)))
}

// dependencies reports missing dependencies of the object.
func (f *finder) dependencies() {
	for _, d := range f.Dependencies {
		name := described(d.Ref)
		needs := f.ofBindingField("metadata.annotations["+dependenciesOf+"]", name)
		if d.Ref.Name == "" {
			continue // selected by labels: matching none may be intended
		}
		if !d.Exists {
			f.add(model.FindingDependencyWaiting, model.SeverityWarning, "",
				fmt.Sprintf("it needs %s, which the control plane does not have", name),
				"create it in the control plane: Karmada takes it along then", needs)
			continue
		}
		f.missingThere(d, name, needs)
	}
}

// missingThere compares where a dependency is with where it is required.
func (f *finder) missingThere(d DependencyState, name string, needs model.Evidence) {
	if d.Propagation == nil {
		return
	}
	for _, t := range f.Propagation.Targets {
		if t.Reason == model.PlacementEvicting || OutOfReach(t.Applied.Reason) {
			continue
		}
		i := slices.IndexFunc(d.Propagation.Targets, func(o *model.PropagationTarget) bool { return o.ClusterName == t.ClusterName })
		switch {
		case i < 0 || d.Propagation.Targets[i].Reason == model.PlacementEvicting:
			f.add(model.FindingDependencyWaiting, f.pending(), t.ClusterName,
				fmt.Sprintf("it needs %s, which does not go to %s", name, t.ClusterName),
				"see the propagation of what it needs: Karmada takes it along when the policy's propagateDeps is true", needs)
		case d.Propagation.Targets[i].Applied.Value == model.FactFalse:
			there := d.Propagation.Targets[i].Applied
			f.add(model.FindingDependencyWaiting, model.SeverityError, t.ClusterName,
				fmt.Sprintf("it needs %s, which %s does not hold: %s", name, t.ClusterName, cmp.Or(there.Message, there.Reason)),
				"see the diagnosis of what it needs", needs,
				model.Evidence{Object: name, Field: "applied in " + t.ClusterName, Value: strings.TrimSpace(there.Reason + " " + there.Message)})
		}
	}
}
