package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// part is one of the objects that an action makes together.
type part struct {
	ref    model.Ref
	object map[string]any
	// input is the field of the input that a field of the object comes from, without "input"; nil for none.
	input func(path []string) []string

	open *karmada.Object
	// raw is the object as Karmada returned it; nil unless it is there.
	raw []byte
	// result is what became of it.
	result model.DocumentOutcome
}

// makeAll makes objects in order, the one that matters last, so that nothing goes to a member before all that belongs to it
// is there. Everything is tried first. When one is refused all the same, those before are taken back; when it is not known what
// became of it, they stay, since it may be there. What was made and what was not is in the results, whatever happens; the error is for
// outages before anything was made.
func makeAll(ctx context.Context, call *Call, parts []*part) ([]model.UserError, error) {
	for i, p := range parts {
		apiVersion, kind := p.ref.APIVersion(), p.ref.GVK.Kind
		p.result = model.DocumentOutcome{Index: i, APIVersion: &apiVersion, Kind: &kind, Namespace: &p.ref.Namespace, Name: &p.ref.Name, Outcome: model.OutcomeSkipped}
	}
	for _, p := range parts {
		var err error
		if p.open, err = call.Open(ctx, p.ref); err != nil {
			return nil, err
		}
		raw, err := p.open.Trying().Create(ctx, p.object)
		if err != nil {
			problems, err := p.failed(err)
			return problems, err
		}
		if call.Target.DryRun {
			p.raw, p.result.Outcome = raw, model.OutcomeCreated
		}
	}
	if call.Target.DryRun {
		return nil, nil
	}
	for i, p := range parts {
		raw, err := p.open.Create(ctx, p.object)
		if err == nil {
			p.raw, p.result.Outcome = raw, model.OutcomeCreated
			call.Entry.Object(p.ref, audit.ResultOfUserErrors(nil))
			continue
		}
		problems, err := p.failed(err)
		if err != nil {
			if i == 0 {
				return nil, err
			}
			// An answer that says what there is already: an error would hide it.
			problems = p.unknown(err, parts[:i])
		} else {
			problems = append(problems, takeBack(ctx, call, parts[:i])...)
		}
		call.Entry.Object(p.ref, audit.ResultOfUserErrors(problems))
		return problems, nil
	}
	return nil, nil
}

// failed says why an object was not made; the error is for what nobody refused.
func (p *part) failed(err error) ([]model.UserError, error) {
	refused := (*karmada.Refused)(nil)
	if !errors.As(err, &refused) {
		return nil, err
	}
	problems := pointed(refused, p.inputOf(refused))
	p.result.Outcome, p.result.Error = model.OutcomeFailed, &model.UserError{Code: refused.Code, Message: refused.Message, Field: refused.Field}
	return problems, nil
}

// inputOf is where the input says what a refusal is about.
func (p *part) inputOf(refused *karmada.Refused) func([]string) []string {
	return func(path []string) []string {
		switch {
		case len(path) == 0 && refused.Code == string(model.CodeNotFound), joined(path) == "metadata.namespace":
			return []string{"namespace"}
		case len(path) == 0 && refused.Code == string(model.CodeConflict), joined(path) == "metadata.name":
			path = []string{"metadata", "name"}
		}
		return p.input(path)
	}
}

// unknown says that it is not known whether an object was made, and what was made before it.
func (p *part) unknown(err error, made []*part) []model.UserError {
	problem := model.UserError{Code: string(model.CodeUnavailable), Message: fmt.Sprintf("whether %s %q was made is not known", p.ref.GVK.Kind, p.ref.Name)}
	if e := (*model.Error)(nil); errors.As(err, &e) {
		problem.Code, problem.Message = string(e.Code), fmt.Sprintf("%s %q: %s", p.ref.GVK.Kind, p.ref.Name, e.Message)
	}
	for _, m := range made {
		problem.Message += fmt.Sprintf("; %s %q was made and stays", m.ref.GVK.Kind, m.ref.Name)
	}
	p.result.Outcome, p.result.Error = model.OutcomeFailed, &problem
	return []model.UserError{problem}
}

// takeBack deletes what was made, the latest first, and says what it could not delete.
func takeBack(ctx context.Context, call *Call, made []*part) (problems []model.UserError) {
	// Also when the client has gone: it asked for all of it or for nothing.
	ctx = context.WithoutCancel(ctx)
	for i := len(made) - 1; i >= 0; i-- {
		p := made[i]
		err := p.open.Delete(ctx, karmada.Expected{UID: uidOf(p.raw)})
		if err != nil && !karmada.IsAbsent(err) {
			problems = append(problems, model.UserError{Code: string(model.CodeConflict),
				Message: fmt.Sprintf("%s %q was made and could not be taken back; delete it: %v", p.ref.GVK.Kind, p.ref.Name, err)})
			continue
		}
		p.raw, p.result.Outcome = nil, model.OutcomeFailed
		p.result.Error = &model.UserError{Code: string(model.CodeConflict), Message: "it was taken back, because what it is for could not be made"}
		call.Entry.Object(p.ref, audit.ResultOfUserErrors([]model.UserError{*p.result.Error}))
	}
	return problems
}

func uidOf(raw []byte) string {
	var o struct{ Metadata struct{ UID string } }
	_ = json.Unmarshal(raw, &o) // without a uid any object of the name is meant
	return o.Metadata.UID
}

// results are what became of the objects.
func results(parts []*part) []model.DocumentOutcome {
	out := make([]model.DocumentOutcome, len(parts))
	for i, p := range parts {
		out[i] = p.result
	}
	return out
}

// ids are those of the objects, as an action keeps them.
func ids(parts []*part) []string {
	out := make([]string, len(parts))
	for i, p := range parts {
		out[i] = p.ref.ID()
	}
	return out
}

// madeBefore are the objects that were made before, as they are now; nil for one that is gone.
func madeBefore(ctx context.Context, call *Call, kept []byte) ([]*part, error) {
	var ids []string
	if err := json.Unmarshal(kept, &ids); err != nil {
		return nil, fmt.Errorf("reading which objects were made: %w", err)
	}
	out := make([]*part, len(ids))
	for i, text := range ids {
		id, err := model.ParseID(text)
		if err != nil {
			return nil, err
		}
		p := &part{ref: id.Ref}
		apiVersion, kind := p.ref.APIVersion(), p.ref.GVK.Kind
		p.result = model.DocumentOutcome{Index: i, APIVersion: &apiVersion, Kind: &kind, Namespace: &p.ref.Namespace, Name: &p.ref.Name, Outcome: model.OutcomeCreated}
		if p.raw, err = call.read(ctx, id.Ref); err != nil && !karmada.IsAbsent(err) {
			return nil, err
		}
		out[i] = p
	}
	return out, nil
}

// madeAs is a made object of a type; nil when it is not there.
func madeAs[T model.KubernetesObject](p *part) (out T, err error) {
	if p == nil || p.raw == nil {
		return out, nil
	}
	out, _, err = as[T](decoded(p.ref, p.raw))
	return out, err
}
