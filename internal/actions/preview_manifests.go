package actions

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

const (
	// mostPreviewed is how many documents one preview may hold.
	mostPreviewed = 100
	// previewTime is how long all dry runs of one preview may take; what was not tried by then is said.
	previewTime = 15 * time.Second
)

// PreviewManifests tries manifests in dry runs as the person, and changes nothing; see karmada.Apply. It is an action because a
// dry run is a request to write: the API server authorises it, admission sees it, and the audit log has it.
type PreviewManifests struct {
	Instance  string
	Manifests string
}

// Verb names the action.
func (a *PreviewManifests) Verb() string { return "previewManifests" }

// Target returns the instance.
func (a *PreviewManifests) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance", DryRun: true}, nil
}

// Allowed leaves the check to Karmada, which refuses each document that the person may not write.
func (a *PreviewManifests) Allowed(*Call) error { return nil }

// Do returns each document with the API server's answer.
func (a *PreviewManifests) Do(ctx context.Context, call *Call) ([]model.TriedDocument, []model.UserError, error) {
	conn, err := call.Connection()
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, previewTime)
	defer cancel()
	type tried struct{ before, after map[string]any }
	answers := map[int]tried{}
	outcomes, problems, err := karmada.Apply(ctx, conn, call.Acting(), karmada.Request{
		Manifests: a.Manifests, DryRun: true, OnError: model.OnErrorContinue, Most: mostPreviewed,
		Tried: func(index int, before, after map[string]any) { answers[index] = tried{before, after} },
		Seen: func(objects []map[string]any) { // keeps secrets out of the audit log, whatever a message quotes
			for _, object := range objects {
				call.Entry.Hide(audit.SecretValuesOf(object)...)
			}
		},
	})
	for i, p := range problems {
		if len(p.Field) > 0 {
			problems[i].Field = append([]string{"input"}, p.Field...)
		}
	}
	(&ApplyManifests{Instance: a.Instance}).record(call.Entry, outcomes)
	if err != nil {
		return nil, problems, err
	}
	out := make([]model.TriedDocument, len(outcomes))
	for i := range outcomes {
		answer, answered := answers[outcomes[i].Index]
		out[i] = model.TriedDocument{DocumentOutcome: outcomes[i], Ref: model.Ref{Instance: a.Instance, Namespace: text(outcomes[i].Namespace), Name: text(outcomes[i].Name),
			GVK: schema.FromAPIVersionAndKind(text(outcomes[i].APIVersion), text(outcomes[i].Kind))}}
		if !answered || outcomes[i].Outcome == model.OutcomeFailed {
			continue
		}
		if err := told(&out[i], answer.before, answer.after); err != nil {
			return nil, problems, err
		}
	}
	return out, problems, nil
}

// told fills in a document as it is and as it would be. What the API server made up for an object that will not be made is left
// out, and so is the stand-in for an object whose namespace does not exist yet.
func told(d *model.TriedDocument, before, after map[string]any) (err error) {
	created := d.Outcome == model.OutcomeCreated
	if m, ok := after["metadata"].(map[string]any); ok {
		m = maps.Clone(m)
		d.StoodIn = created && (m["name"] != d.Ref.Name || d.Ref.Namespace != "" && m["namespace"] != d.Ref.Namespace)
		m["name"] = d.Ref.Name
		if d.Ref.Namespace != "" {
			m["namespace"] = d.Ref.Namespace
		}
		if created {
			for _, made := range []string{"uid", "creationTimestamp", "resourceVersion", "generation", "selfLink"} {
				delete(m, made)
			}
		}
		after["metadata"] = m
	}
	if d.StoodIn && d.Ref.GVK.Group == model.PolicyGroup {
		backFromStandIn(after, d.Ref.Namespace)
	}
	if d.After, err = json.Marshal(after); err != nil {
		return fmt.Errorf("encode what would be: %w", err)
	}
	if created {
		before = nil
	}
	if before != nil {
		if d.Before, err = json.Marshal(before); err != nil {
			return fmt.Errorf("encode what is: %w", err)
		}
	}
	switch {
	case before == nil && !created:
		d.Changes = []model.FieldChange{} // it may not be read
	case before == nil:
		masked, err := objects.Prune(d.Ref.GVK.GroupKind(), d.After)
		if err != nil {
			return err
		}
		d.Changes, err = objects.Diff([]byte("{}"), masked)
		if err != nil {
			return err
		}
	default:
		d.Changes = differences(d.Ref, d.Before, d.After)
	}
	return nil
}

// backFromStandIn gives the selectors of a policy its own namespace where Karmada's webhook filled in that of its stand-in.
func backFromStandIn(policy map[string]any, namespace string) {
	spec, _ := policy["spec"].(map[string]any)
	selectors, _ := spec["resourceSelectors"].([]any)
	for _, s := range selectors {
		if s, ok := s.(map[string]any); ok && s["namespace"] == karmada.StandInNamespace {
			s["namespace"] = namespace
		}
	}
}

// Again tries them again.
func (a *PreviewManifests) Again(ctx context.Context, call *Call, _ []byte) ([]model.TriedDocument, error) {
	out, _, err := a.Do(ctx, call)
	return out, err
}
