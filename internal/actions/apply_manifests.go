package actions

import (
	"context"
	"encoding/json"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// ApplyManifests applies manifests to an instance by server-side apply; see karmada.Apply.
type ApplyManifests struct {
	Instance  string
	Manifests string
	DryRun    bool
	Force     bool
	OnError   model.OnError
}

// Verb names the action.
func (a *ApplyManifests) Verb() string { return "applyManifests" }

// Target returns the instance.
func (a *ApplyManifests) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed refuses people who may write nothing in the instance, before their manifests are read.
func (a *ApplyManifests) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do returns one outcome for each document.
func (a *ApplyManifests) Do(ctx context.Context, call *Call) ([]model.DocumentOutcome, []model.UserError, error) {
	conn, err := call.Connection()
	if err != nil {
		return nil, nil, err
	}
	documents, problems, err := karmada.Apply(ctx, conn, call.Acting(), karmada.Request{
		Manifests: a.Manifests, DryRun: a.DryRun, Force: a.Force, OnError: a.OnError,
		Seen: func(objects []map[string]any) { // keeps secrets out of the audit log, whatever a message quotes
			for _, object := range objects {
				call.Entry.Hide(audit.SecretValuesOf(object)...)
			}
		},
	})
	for i, p := range problems {
		if len(p.Field) > 0 { // nil where no field in particular is to blame
			problems[i].Field = append([]string{"input"}, p.Field...)
		}
	}
	a.record(call.Entry, documents)
	return documents, problems, err
}

// record writes the outcome of each attempted document to the audit log.
func (a *ApplyManifests) record(entry *audit.Entry, documents []model.DocumentOutcome) {
	for i := range documents {
		d := &documents[i]
		if d.Outcome == model.OutcomeSkipped {
			continue
		}
		var problems []model.UserError
		if d.Error != nil {
			problems = append(problems, *d.Error)
		}
		entry.Object(model.Ref{Instance: a.Instance, Namespace: text(d.Namespace), Name: text(d.Name),
			GVK: schema.FromAPIVersionAndKind(text(d.APIVersion), text(d.Kind))}, audit.ResultOfUserErrors(problems))
	}
}

func text(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}

// Kept is the outcomes.
func (a *ApplyManifests) Kept(documents []model.DocumentOutcome) any { return documents }

// Again returns the outcomes.
func (a *ApplyManifests) Again(_ context.Context, _ *Call, kept []byte) (documents []model.DocumentOutcome, err error) {
	err = json.Unmarshal(kept, &documents)
	return documents, err
}
