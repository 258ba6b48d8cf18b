package karmada

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"

	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/types"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
)

// PatchRequest says what to change of one object.
type PatchRequest struct {
	// Ref is an object of the control plane itself, of a kind of the catalogue.
	Ref model.Ref
	// UID is the expected UID: a recreated object of the same name is a CONFLICT. Empty for any object of that name.
	UID string
	// Fields are a JSON merge patch (RFC 7396): nil removes a field.
	Fields map[string]any
	// DryRun sends a server-side dry run, which changes nothing.
	DryRun bool
}

// Patch changes fields of one object of an instance, as a person. It returns the object as the API server answered it,
// as JSON, or why it was refused; the error is for API servers that do not answer.
func Patch(ctx context.Context, conn Connection, principal auth.Principal, req PatchRequest) ([]byte, []model.UserError, error) {
	ref := req.Ref
	mapping, err := mappingOf(ref)
	if err != nil {
		return nil, nil, err
	}
	body, err := json.Marshal(req.fields())
	if err != nil {
		return nil, nil, fmt.Errorf("encode a patch of %s %q: %w", ref.GVK.Kind, ref.Name, err)
	}
	client, err := as(conn, principal)
	if err != nil {
		return nil, nil, fmt.Errorf("patch in instance %q: %w", ref.Instance, err)
	}
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
		return raw, nil, nil
	}
	f := explain(ref.Instance, err)
	if f.outage {
		slog.WarnContext(ctx, "patch failed", "instance", ref.Instance, "kind", ref.GVK.String(),
			"namespace", ref.Namespace, "name", ref.Name, "err", err)
		return nil, nil, &model.Error{Code: model.Code(f.Code), Message: f.Message, Instance: ref.Instance, Retryable: true, Err: err}
	}
	return nil, []model.UserError{f.UserError}, nil
}

// fields returns the patch with the expected uid: the API server refuses it if the object's differs.
func (r *PatchRequest) fields() map[string]any {
	if r.UID == "" {
		return r.Fields
	}
	out := maps.Clone(r.Fields)
	metadata := map[string]any{"uid": r.UID}
	if named, ok := out["metadata"].(map[string]any); ok {
		maps.Copy(metadata, named)
		metadata["uid"] = r.UID
	}
	out["metadata"] = metadata
	return out
}

// mappingOf returns where the API server serves an object, without a request.
func mappingOf(ref model.Ref) (*meta.RESTMapping, error) {
	kind := catalog.ByGVK(ref.GVK)
	if kind == nil || ref.Cluster != "" {
		return nil, fmt.Errorf("%s %q of instance %q, cluster %q, cannot be patched: not an object of a control plane whose kind is known", ref.GVK, ref.Name, ref.Instance, ref.Cluster)
	}
	scope := meta.RESTScopeRoot
	if kind.Namespaced {
		scope = meta.RESTScopeNamespace
	}
	return &meta.RESTMapping{Resource: kind.GVR(), GroupVersionKind: ref.GVK, Scope: scope}, nil
}
