package resolvers

import (
	"context"
	"errors"
	"fmt"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/propagation"
)

func (r *Resolver) applyManifests(ctx context.Context, in graph.ApplyManifestsInput) (*graph.ApplyManifestsPayload, error) {
	request := karmada.Request{Manifests: in.Manifests, DryRun: isTrue(in.DryRun), Force: isTrue(in.Force), OnError: model.OnErrorStop,
		Seen: func(objects []map[string]any) { hideSecrets(ctx, objects) }}
	if in.OnError != nil {
		request.OnError = *in.OnError
	}
	payload := &graph.ApplyManifestsPayload{Documents: []model.DocumentOutcome{}, ClientMutationID: in.ClientMutationID}
	conn, err := r.connectToWrite(ctx, in.Instance)
	if err == nil {
		payload.Documents, payload.UserErrors, err = karmada.Apply(ctx, conn, access.ActingFrom(ctx, in.Instance), request)
	}
	auditDocuments(ctx, in.Instance, payload.Documents)
	if payload.UserErrors, err = userErrors(payload.UserErrors, err, "instance"); err != nil {
		return nil, err
	}
	return payload, nil
}

// connectToWrite connects to an instance for somebody who may write anything at all there: nothing that others sent
// is looked at. What exactly they may write Karmada decides.
func (r *Resolver) connectToWrite(ctx context.Context, instance string) (karmada.Connection, error) {
	scope := access.ScopeFrom(ctx)
	conn, err := r.Connect(scope, instance)
	if err == nil && !scope.Writes(instance) {
		return nil, &model.Error{Code: model.CodeForbidden, Instance: instance,
			Message: fmt.Sprintf("none of your roles lets you write anything in instance %q; ask its administrators for the role Editor", instance)}
	}
	return conn, err
}

func (r *Resolver) scaleWorkload(ctx context.Context, in graph.ScaleWorkloadInput) (*graph.ScaleWorkloadPayload, error) {
	payload := &graph.ScaleWorkloadPayload{ClientMutationID: in.ClientMutationID}
	ref, err := workloadRef(in.ID)
	if err == nil {
		payload.Workload, payload.UserErrors, err = r.scale(ctx, ref, in)
	}
	if payload.UserErrors, err = userErrors(payload.UserErrors, err, "id"); err != nil {
		return nil, err
	}
	return payload, nil
}

func (r *Resolver) scale(ctx context.Context, ref model.Ref, in graph.ScaleWorkloadInput) (model.Workload, []model.UserError, error) {
	conn, err := r.Connect(access.ScopeFrom(ctx), ref.Instance)
	if err != nil {
		return nil, nil, err
	}
	var uid string
	if in.UID != nil {
		uid = *in.UID
	}
	raw, problems, err := karmada.Scale(ctx, conn, access.ActingFrom(ctx, ref.Instance), ref, uid, in.Replicas, isTrue(in.DryRun))
	if err != nil || len(problems) > 0 {
		return nil, problems, err
	}
	w, err := returned(ref, raw)
	return w, nil, err
}

// returned makes a workload of what Karmada returned: the read store does not have it yet.
func returned(ref model.Ref, raw []byte) (model.Workload, error) {
	kind, _ := model.WorkloadKindOf(ref.GVK)
	w, err := propagation.DecodeWorkload(ref.Instance, kind, raw)
	if err != nil {
		return nil, err
	}
	model.NewBatch([]model.Workload{w})
	return w, nil
}

// userErrors turns an error about the input into a user error of the payload; other errors stay errors.
// An input that named nothing is blamed on the field given.
func userErrors(problems []model.UserError, err error, field string) ([]model.UserError, error) {
	var e *model.Error
	switch {
	case !errors.As(err, &e):
	case e.Code == model.CodeBadUserInput:
		return append(problems, model.UserError{Code: string(e.Code), Message: e.Message, Field: append([]string{"input"}, e.Field...)}), nil
	case e.Code == model.CodeNotFound:
		return append(problems, model.UserError{Code: string(e.Code), Message: e.Message, Field: []string{"input", field}}), nil
	}
	if problems == nil {
		problems = []model.UserError{}
	}
	return problems, err
}

func isTrue(b *bool) bool { return b != nil && *b }
