// Package timeline tells what was done to an object and what happened to it as one story: each source becomes entries. It is pure: who
// reads the sources, and what of them may be seen, is others' business.
package timeline

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

const (
	// maxSummary bounds a sentence: events and conditions hold texts of any length.
	maxSummary = 1024
	// maxConditions bounds the conditions of one object: it may have any number.
	maxConditions = 100
)

// reference names an object of an entry.
func reference(ref model.Ref) model.ObjectReference {
	out := model.ObjectReference{APIVersion: ref.APIVersion(), Kind: ref.GVK.Kind, Name: ref.Name}
	if ref.Namespace != "" {
		out.Namespace = &ref.Namespace
	}
	return out
}

// entry is an entry about an object.
func entry(at time.Time, kind model.TimelineKind, ref model.Ref, source, summary string) *model.TimelineEntry {
	return &model.TimelineEntry{At: at.UTC(), Kind: kind, ClusterName: optional(ref.Cluster), Object: reference(ref), Summary: clip(summary),
		Key: strings.Join([]string{source, ref.Cluster, ref.GVK.Kind, ref.Namespace, ref.Name}, "/")}
}

func optional(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func clip(text string) string {
	text = strings.TrimSpace(text)
	if len(text) <= maxSummary {
		return text
	}
	return strings.ToValidUTF8(text[:maxSummary], "") + "…"
}

// OfRevisions is the revisions of a workload, each with what it changed.
func OfRevisions(l model.Lineage) []*model.TimelineEntry {
	var out []*model.TimelineEntry
	for _, r := range l {
		summary := fmt.Sprintf("revision %d", r.Revision)
		if r.ChangeCause != nil {
			summary += ": " + *r.ChangeCause
		}
		ref := r.WorkloadRef
		if ref.Name == "" {
			ref = r.Ref
		}
		at := r.CreatedAt
		if r.Since != nil { // the workload went back to it
			at = *r.Since
		}
		e := entry(at, model.TimelineRevision, ref, "revision "+strconv.FormatInt(r.Revision, 10), summary)
		if before := l.Before(r); before != nil && before.PodTemplate != nil && r.PodTemplate != nil {
			if changes, err := objects.Diff(before.PodTemplate, r.PodTemplate); err == nil {
				e.Changes = changes
			}
		}
		out = append(out, e)
	}
	return out
}

// Events of Karmada that tell of more than that something happened (pkg/events of Karmada).
var (
	schedulingReasons = []string{"ScheduleBinding", "DescheduleBinding"}
	evictionReasons   = []string{"EvictWorkloadFromCluster"}
	policyReasons     = []string{"ApplyPolicy", "PreemptPolicy", "ApplyOverridePolicy", "UnknownPolicy"}
)

// OfEvents is the events of Kubernetes about an object, its binding, what is in members, and its pods.
func OfEvents(events []*model.KubernetesEvent) []*model.TimelineEntry {
	out := make([]*model.TimelineEntry, 0, len(events))
	for _, e := range events {
		summary := e.Reason
		if e.Message != "" {
			summary += ": " + e.Message
		}
		if e.Count > 1 {
			summary += fmt.Sprintf(" (%d times since %s)", e.Count, e.FirstSeen.UTC().Format(time.RFC3339))
		}
		member := aboutMember(e)
		row := entry(e.LastSeen, eventKind(e.Reason), e.Ref, "event", member.summary(summary))
		row.Object, row.Actor = e.Regarding, optional(e.Source)
		if member != "" {
			row.Kind, row.ClusterName = model.TimelineStatus, &e.Regarding.Name
		}
		out = append(out, row)
	}
	return out
}

func eventKind(reason string) model.TimelineKind {
	begins := func(prefix string) bool { return strings.HasPrefix(reason, prefix) }
	switch {
	case slices.ContainsFunc(schedulingReasons, begins):
		return model.TimelineScheduling
	case slices.ContainsFunc(evictionReasons, begins):
		return model.TimelineEviction
	case slices.ContainsFunc(policyReasons, begins):
		return model.TimelinePolicy
	}
	return model.TimelineEvent
}

// OfBinding is what a binding tells of scheduling and evictions.
func OfBinding(b *model.ResourceBinding) []*model.TimelineEntry {
	if b == nil {
		return nil
	}
	var out []*model.TimelineEntry
	for _, c := range b.Conditions[:min(len(b.Conditions), maxConditions)] {
		kind := model.TimelineStatus
		if c.Type == "Scheduled" {
			kind = model.TimelineScheduling
		}
		out = appendCondition(out, b.Ref, kind, c)
	}
	for _, e := range b.Evictions {
		if e.Since == nil {
			continue
		}
		row := entry(*e.Since, model.TimelineEviction, b.TemplateRef(), "eviction "+e.ClusterName,
			fmt.Sprintf("it is being moved away from cluster %s: %s %s", e.ClusterName, e.Reason, e.Message))
		row.ClusterName, row.Actor = &e.ClusterName, optional(e.Producer)
		out = append(out, row)
	}
	return out
}

func appendCondition(out []*model.TimelineEntry, ref model.Ref, kind model.TimelineKind, c model.Condition) []*model.TimelineEntry {
	if c.Since == nil {
		return out
	}
	summary := fmt.Sprintf("%s is %s", c.Type, c.Status)
	if c.Reason != "" {
		summary += " (" + c.Reason + ")"
	}
	if c.Message != "" {
		summary += ": " + c.Message
	}
	return append(out, entry(*c.Since, kind, ref, "condition "+c.Type, summary))
}

// OfObject is when the conditions of an object changed, and when it was made and deleted.
func OfObject(o *model.Object) []*model.TimelineEntry {
	out := []*model.TimelineEntry{}
	if !o.CreatedAt.IsZero() {
		out = append(out, entry(o.CreatedAt, model.TimelineStatus, o.Ref, "created", "it was created"))
	}
	if o.DeletedAt != nil {
		out = append(out, entry(*o.DeletedAt, model.TimelineStatus, o.Ref, "deleted", "its deletion was asked for"))
	}
	var status struct {
		Status struct{ Conditions json.RawMessage }
	}
	if json.Unmarshal(o.Raw, &status) != nil {
		return out
	}
	var conditions []struct {
		Type, Status, Reason, Message string
		LastTransitionTime            *time.Time
	}
	// Custom resources may have anything there.
	if json.Unmarshal(status.Status.Conditions, &conditions) != nil {
		return out
	}
	for _, c := range conditions[:min(len(conditions), maxConditions)] {
		out = appendCondition(out, o.Ref, model.TimelineStatus, model.Condition{
			Type: c.Type, Status: model.FactValue(strings.ToUpper(c.Status)), Reason: c.Reason, Message: c.Message, Since: c.LastTransitionTime})
	}
	return out
}

// OfCluster is when the conditions of a member changed that the object is in.
func OfCluster(c *model.Cluster) []*model.TimelineEntry {
	ref := model.Ref{Instance: c.InstanceName, Name: c.Name}
	ref.GVK.Group, ref.GVK.Version, ref.GVK.Kind = "cluster.karmada.io", "v1alpha1", "Cluster"
	var out []*model.TimelineEntry
	for _, condition := range c.Conditions[:min(len(c.Conditions), maxConditions)] {
		out = appendCondition(out, ref, model.TimelineStatus, condition)
	}
	for i := range out {
		out[i].ClusterName = &c.Name
	}
	return out
}

// Done is something that somebody did, as the audit log has it.
type Done struct {
	ID, Principal, Action, Subresource, Outcome, Message string

	At     time.Time
	DryRun bool
	Object model.Ref
	// Changes is nil where they are not known, or may not be seen.
	Changes []model.FieldChange
}

// OfAudit is something that was done to the object itself, or to one of its policies.
func OfAudit(d Done, policy bool) *model.TimelineEntry {
	kind, what := model.TimelineAudit, d.Action
	if d.Subresource != "" {
		what += " " + d.Subresource
	}
	if policy {
		kind = model.TimelinePolicy
		what += " of " + d.Object.GVK.Kind + " " + d.Object.Name
	}
	if d.DryRun {
		what += " (dry run)"
	}
	summary := what
	switch d.Outcome {
	case "SUCCEEDED":
		if d.Message != "" {
			summary += ": " + d.Message
		}
	default:
		summary += " " + strings.ToLower(d.Outcome)
		if d.Message != "" {
			summary += ": " + d.Message
		}
	}
	out := entry(d.At, kind, d.Object, "audit "+d.ID, summary)
	out.Actor, out.Changes = optional(d.Principal), d.Changes
	return out
}

// Within is the entries from since on, up to a moment; zero is no bound.
func Within(entries []*model.TimelineEntry, since, until time.Time) []*model.TimelineEntry {
	return slices.DeleteFunc(entries, func(e *model.TimelineEntry) bool {
		return !since.IsZero() && e.At.Before(since) || !until.IsZero() && e.At.After(until)
	})
}
