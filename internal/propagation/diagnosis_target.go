package propagation

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/kairship-io/kairship/internal/model"
)

// target reports on one cluster: causes first, and their consequences only without them.
func (f *finder) target(t *model.PropagationTarget) {
	place := f.Places[t.ClusterName]
	if place == nil {
		place = &Place{}
	}
	f.eviction(t)
	if t.Reason == model.PlacementEvicting {
		return // its state there no longer matters
	}
	if f.outOfReach(t) {
		return
	}
	if place.Freshness != nil && place.Freshness.State != model.FreshnessLive {
		f.add(model.FindingStoreStale, model.SeverityWarning, t.ClusterName,
			fmt.Sprintf("the read store does not follow %s: what is said of the objects there may be old", t.ClusterName),
			"see the freshness of the cluster and the read sync of the instance", staleness("Cluster "+t.ClusterName, place.Freshness))
	}
	switch {
	case t.Applied.Reason == ReasonDispatchingSuspended:
		// Reported once for all clusters, in dispatching.
	case t.Applied.Value == model.FactFalse:
		f.notApplied(t, place)
	case t.Applied.Value == model.FactUnknown:
		f.notYetApplied(t, place)
	default:
		f.health(t, place)
	}
}

// eviction reports a cluster that the object is being moved away from.
func (f *finder) eviction(t *model.PropagationTarget) {
	e := t.Eviction
	if e == nil {
		if t.Scheduled.Reason == ReasonNotChosen {
			f.add(model.FindingEvicting, f.pending(), t.ClusterName,
				fmt.Sprintf("it is still in %s, which the scheduler does not choose any more", t.ClusterName),
				"wait; when it stays, see whether the cluster can be reached, and the instance's controller manager",
				f.ofBindingField("spec.clusters", f.clusterNames()), f.ofBindingField("status.aggregatedStatus", t.ClusterName+" is among them"))
		}
		return
	}
	f.add(model.FindingEvicting, model.SeverityWarning, t.ClusterName,
		fmt.Sprintf("it is being moved away from %s: %s", t.ClusterName, cmp.Or(e.Message, e.Reason)),
		"wait: it leaves when it works elsewhere, or when its time is over; to have it back, remove the cause",
		f.ofBindingField("spec.gracefulEvictionTasks[fromCluster="+t.ClusterName+"]", strings.TrimSpace(e.Reason+" "+e.Message)),
		f.ofBindingField("spec.gracefulEvictionTasks[fromCluster="+t.ClusterName+"].producer", e.Producer))
}

// outOfReach reports an unreachable cluster.
func (f *finder) outOfReach(t *model.PropagationTarget) bool {
	fact := t.Healthy
	if !OutOfReach(fact.Reason) {
		fact = t.Applied
	}
	if !OutOfReach(fact.Reason) {
		return false
	}
	code, severity := model.FindingClusterNotReady, model.SeverityError
	remedy := "see the cluster's conditions"
	switch fact.Reason {
	case ReasonClusterOffline:
		code, remedy = model.FindingClusterOffline, "bring the cluster, or the way to its API server, back; nothing is known of it until then"
	case ReasonClusterJoining, ReasonClusterRemoving, ReasonClusterStateUnknown:
		severity = model.SeverityWarning
	case ReasonClusterNotJoined:
		remedy = "join the cluster again, or take it out of the policy"
	}
	evidence := []model.Evidence{{Object: "Cluster " + t.ClusterName, Field: "state", Value: fact.Message}}
	if c := f.Clusters[t.ClusterName]; c != nil {
		evidence = []model.Evidence{readiness(c)}
	}
	f.add(code, severity, t.ClusterName, fmt.Sprintf("%s: %s", t.ClusterName, fact.Message), remedy, evidence...)
	return true
}

// dispatching reports suspended dispatching.
func (f *finder) dispatching() {
	var held []string
	for _, t := range f.Propagation.Targets {
		if t.Applied.Reason == ReasonDispatchingSuspended {
			held = append(held, t.ClusterName)
		}
	}
	if len(held) == 0 || f.binding == nil {
		return
	}
	evidence := f.ofBindingField("spec.suspension.dispatchingOnClusters.clusterNames", strings.Join(f.binding.DispatchSuspendedOn, ", "))
	if f.binding.DispatchSuspended {
		evidence = f.ofBindingField("spec.suspension.dispatching", "true")
	}
	cluster := ""
	if len(held) == 1 {
		cluster = held[0]
	}
	f.add(model.FindingDispatchSuspended, model.SeverityWarning, cluster,
		"sending it is suspended by its policy: "+listed(held)+" do not get what it asks for now",
		"end the suspension in the policy (spec.suspension)", evidence)
}

// notApplied reports why the member's API server refused the object.
func (f *finder) notApplied(t *model.PropagationTarget, place *Place) {
	words := t.Applied.Message
	evidence := []model.Evidence{f.ofBindingField("status.aggregatedStatus[clusterName="+t.ClusterName+"].appliedMessage", words)}
	if w := place.Work; w != nil {
		if c := findCondition(w.Conditions, "Applied"); c != nil {
			evidence = []model.Evidence{{Object: described(w.Ref), Field: "status.conditions[type=Applied]", Value: conditionText(c)}}
		}
	}
	switch {
	case conflicts(words):
		f.add(model.FindingResourceConflict, model.SeverityError, t.ClusterName,
			fmt.Sprintf("%s already holds an object of this name that Karmada did not put there, and Karmada leaves it alone: %s", t.ClusterName, words),
			"delete the object in the cluster, or let Karmada take it over: conflictResolution: Overwrite in the policy", append(evidence,
				f.ofBindingField("spec.conflictResolution", string(f.binding.ConflictResolution)))...)
	case f.brokenByOverride(t, place, words, evidence):
	case strings.Contains(words, "no matches for kind") || strings.Contains(words, "could not find the requested resource"):
		f.add(model.FindingAPINotEnabled, model.SeverityError, t.ClusterName,
			fmt.Sprintf("%s does not serve its kind: %s", t.ClusterName, words),
			"install the CRD or the API in the cluster", evidence...)
	default:
		f.add(model.FindingApplyFailed, model.SeverityError, t.ClusterName,
			fmt.Sprintf("%s refused it: %s", t.ClusterName, words),
			"change the template, or an override of it, so that the cluster takes it; Karmada tries again by itself", evidence...)
	}
}

// conflicts recognises Karmada's message about an object that Karmada does not manage.
func conflicts(words string) bool {
	return strings.Contains(words, "already exists in the cluster") && strings.Contains(words, "Karmada will not manage")
}

// brokenByOverride reports a refusal that names a field which an override changed.
func (f *finder) brokenByOverride(t *model.PropagationTarget, place *Place, words string, evidence []model.Evidence) bool {
	for _, o := range place.Overrides {
		for _, c := range o.Changes {
			if !names(words, c) {
				continue
			}
			f.add(model.FindingOverrideBroke, model.SeverityError, t.ClusterName,
				fmt.Sprintf("%s refused what %s put into it: %s", t.ClusterName, described(o.Ref), words),
				"change the override policy", append(evidence, changed(o.Ref, c))...)
			return true
		}
	}
	return false
}

// changed is what an override did, as evidence.
func changed(policy model.Ref, c model.FieldChange) model.Evidence {
	text := func(s *string) string {
		if s == nil {
			return "nothing"
		}
		return *s
	}
	return model.Evidence{Object: described(policy), Field: c.Path, Value: text(c.From) + " → " + text(c.To)}
}

// shortValue is the length below which a value is no evidence: "1" is in many messages.
const shortValue = 4

// brackets are the positions of items in a path, which messages and changes write differently.
var brackets = regexp.MustCompile(`\[[^\]]*\]`)

// names reports whether an API server's message is about a changed field: by its path, or by its new value.
func names(words string, c model.FieldChange) bool {
	path := brackets.ReplaceAllString(strings.ReplaceAll(strings.TrimPrefix(c.Path, "/"), "/", "."), "")
	plain := brackets.ReplaceAllString(words, "")
	if strings.Count(path, ".") > 0 {
		for at := 0; ; {
			i := strings.Index(plain[at:], path)
			if i < 0 {
				break
			}
			at += i + len(path)
			if at == len(plain) || strings.ContainsRune(".:, ", rune(plain[at])) {
				return true
			}
		}
	}
	return c.To != nil && len(*c.To) >= shortValue && !strings.HasPrefix(*c.To, "{") && strings.Contains(words, *c.To)
}

// notYetApplied reports an object that has not arrived.
func (f *finder) notYetApplied(t *model.PropagationTarget, place *Place) {
	if e := f.overrideFailed(t.ClusterName); e != nil {
		f.add(model.FindingOverrideBroke, model.SeverityError, t.ClusterName,
			"Karmada cannot apply an override policy to it, and sends nothing: "+e.Message,
			"change the override policy so that it fits the template: a path to replace has to be there",
			model.Evidence{Object: described(f.Object.Ref), Field: "events[reason=" + e.Reason + "]", Value: e.Message})
		return
	}
	evidence := []model.Evidence{f.ofBindingField("status.aggregatedStatus", "nothing of "+t.ClusterName)}
	switch {
	case place.Work != nil:
		evidence = []model.Evidence{{Object: described(place.Work.Ref), Field: "status.conditions[type=Applied]",
			Value: strings.TrimSpace(string(place.Work.Applied.Value) + " " + place.Work.Applied.Message)}}
	case t.Applied.ObservedGeneration != nil:
		evidence = []model.Evidence{f.ofObject("metadata.generation", fmt.Sprint(f.Object.Generation)),
			f.ofBindingField("status.aggregatedStatus[clusterName="+t.ClusterName+"].status.resourceTemplateGeneration",
				fmt.Sprint(*t.Applied.ObservedGeneration))}
	case f.binding != nil && slices.ContainsFunc(f.binding.Members, func(m model.BindingMember) bool { return m.ClusterName == t.ClusterName }):
		evidence = []model.Evidence{f.ofBindingField("status.aggregatedStatus[clusterName="+t.ClusterName+"].applied", "not yet, or not yet again")}
	}
	f.add(model.FindingNotYetApplied, f.pending(), t.ClusterName, fmt.Sprintf("%s: %s", t.ClusterName, t.Applied.Message),
		"wait; when it stays, see the instance's controller manager, or the agent of a cluster that pulls", evidence...)
}

// overrideFailed is Karmada's event about an override that it could not apply for a cluster.
func (f *finder) overrideFailed(cluster string) *model.KubernetesEvent {
	var last *model.KubernetesEvent
	for _, e := range f.Events {
		if e.Reason == "ApplyOverridePolicyFailed" && strings.Contains(e.Message, "cluster("+cluster+")") && (last == nil || e.LastSeen.After(last.LastSeen)) {
			last = e
		}
	}
	return last
}
