package karmada

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// MaxReplicas is the most that a workload may be scaled to.
const MaxReplicas = 100_000

// ScaleRequest says what to scale, and how.
type ScaleRequest struct {
	// Ref is a Deployment or StatefulSet template.
	Ref model.Ref
	// UID is that of the object that is meant: a namesake made since is a CONFLICT. Empty for whichever has the name.
	UID string
	// Replicas is from 0 to MaxReplicas.
	Replicas int32
	// DryRun asks the API server only and changes nothing.
	DryRun bool
}

// Scale sets how many replicas a workload template of an instance asks for, as a person.
// It returns the object as the API server answered it, as JSON, or why it was refused; the error is for
// API servers that do not answer.
//
// It patches the template itself and not its scale subresource, which would answer with less than the
// object, and would need rights that the editing of workloads does not bring along.
func Scale(ctx context.Context, conn Connection, principal auth.Principal, req ScaleRequest) ([]byte, []model.UserError, error) {
	ref := req.Ref
	kind, ok := model.WorkloadKindOf(ref.GVK)
	if !ok || ref.Cluster != "" || (kind != model.KindDeployment && kind != model.KindStatefulSet) {
		return nil, refusal("id", "is not the id of a Deployment or StatefulSet template: only these can be scaled"), nil
	}
	if req.Replicas < 0 || req.Replicas > MaxReplicas {
		return nil, refusal("replicas", "%d is out of range; 0 to %d are allowed", req.Replicas, MaxReplicas), nil
	}
	client, err := as(conn, principal)
	if err != nil {
		return nil, nil, fmt.Errorf("scale in instance %q: %w", ref.Instance, err)
	}
	patch := map[string]any{"spec": map[string]any{"replicas": req.Replicas}}
	if req.UID != "" {
		patch["metadata"] = map[string]any{"uid": req.UID}
	}
	body, err := json.Marshal(patch)
	if err != nil {
		return nil, nil, fmt.Errorf("encode the patch that scales: %w", err)
	}
	mapping := &meta.RESTMapping{Resource: kind.GVR(), GroupVersionKind: ref.GVK, Scope: meta.RESTScopeNamespace}
	call := locate(client.Patch(types.MergePatchType), mapping, ref.Namespace, ref.Name).
		Param("fieldManager", FieldManager).
		Param("fieldValidation", "Strict").
		MaxRetries(maxRetries).
		Body(body)
	if req.DryRun {
		call = call.Param("dryRun", "All")
	}
	var raw []byte
	if err = reach(ctx, client, ref.Instance, DefaultTimeout); err == nil {
		raw, _, err = send(ctx, timeoutOf(DefaultTimeout, req.DryRun), call)
	}
	if err != nil && req.DryRun {
		err = unwritten{err}
	}
	if err == nil {
		return raw, []model.UserError{}, nil
	}
	f := explain(ref.Instance, err)
	if f.outage {
		slog.Warn("scale failed", "instance", ref.Instance, "kind", ref.GVK.String(),
			"namespace", ref.Namespace, "name", ref.Name, "err", err)
		return nil, nil, &model.Error{Code: model.Code(f.Code), Message: f.Message, Instance: ref.Instance, Retryable: true, Err: err}
	}
	return nil, []model.UserError{f.UserError}, nil
}

func refusal(field, format string, args ...any) []model.UserError {
	return []model.UserError{{Code: string(model.CodeBadUserInput), Field: []string{field},
		Message: field + ": " + fmt.Sprintf(format, args...)}}
}
