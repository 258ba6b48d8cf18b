package actions

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/promotion"
)

// PromoteResource makes an object of a member part of the federation.
type PromoteResource struct {
	Instance, Cluster      string
	APIVersion, Kind       string
	Namespace, Name        string
	UID                    string
	Dependencies, Preserve bool
	DryRun                 bool
}

// Promotion is a promotion that goes on, and what it comes to.
type Promotion struct {
	Operation *model.Operation
	Promoted  []model.PromotedObject
	Left      []model.LeftObject
}

// Verb names the action.
func (a *PromoteResource) Verb() string { return "promoteResource" }

// InputOf is the name or the namespace: all else is the member's.
func (a *PromoteResource) InputOf(path []string) []string { return namedOr(path, "name") }

// Target returns the object that is to be in the instance.
func (a *PromoteResource) Target(auth.Principal) (Target, error) {
	t := Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance", DryRun: a.DryRun}
	gv, err := schema.ParseGroupVersion(a.APIVersion)
	if err != nil || gv.Version == "" || len(a.APIVersion) > validation.DNS1123SubdomainMaxLength {
		return t, model.BadInput("apiVersion", "%.100q is not a group and a version, such as apps/v1", a.APIVersion)
	}
	if len(validation.IsDNS1035Label(strings.ToLower(a.Kind))) > 0 {
		return t, model.BadInput("kind", "%.100q is not a kind, such as Deployment", a.Kind)
	}
	t.Ref.GVK, t.Ref.Namespace, t.Ref.Name = gv.WithKind(a.Kind), clipped(a.Namespace), clipped(a.Name)
	for field, name := range map[string]string{"name": a.Name, "namespace": a.Namespace, "cluster": a.Cluster} {
		if field != "namespace" && name == "" || len(name) > validation.DNS1123SubdomainMaxLength {
			return t, model.BadInput(field, "has %d characters; 1 to %d are allowed", len(name), validation.DNS1123SubdomainMaxLength)
		}
	}
	return t, nil
}

// Allowed refuses who may write nothing there; Karmada and the member decide on the rest.
func (a *PromoteResource) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do says what the promotion comes to, and starts it unless this is a dry run.
func (a *PromoteResource) Do(ctx context.Context, call *Call) (Promotion, []model.UserError, error) {
	if err := a.known(call); err != nil {
		return Promotion{}, nil, err
	}
	conn, err := call.Connection()
	if err != nil {
		return Promotion{}, nil, err
	}
	if err := call.introduce(ctx, a.Cluster); err != nil {
		return Promotion{}, nil, err
	}
	in, err := karmada.OpenMember(ctx, conn, call.Acting(), a.Cluster)
	if err != nil {
		return Promotion{}, nil, err
	}
	plan, err := promotion.Make(ctx, in, karmada.Federation{Connection: conn, Principal: call.Acting()}, karmada.IsAbsent, promotion.Request{
		Ref: call.Target.Ref, Cluster: a.Cluster, UID: a.UID, Dependencies: a.Dependencies, Compare: true})
	if err != nil {
		return Promotion{}, nil, a.explained(err)
	}
	out, err := shownPlan(plan)
	if err == nil {
		err = a.try(ctx, call, plan)
	}
	if err != nil || a.DryRun {
		return out, nil, err
	}
	ref := call.Target.Ref
	out.Operation, err = call.Begin(ctx, v1alpha1.OperationSpec{Instance: call.Target.Ref.Instance,
		Kind: v1alpha1.OperationPromoteResource, Cluster: a.Cluster,
		Object:          &v1alpha1.OperationObject{APIVersion: ref.APIVersion(), Kind: ref.GVK.Kind, Namespace: ref.Namespace, Name: ref.Name, UID: a.UID},
		PromoteResource: &v1alpha1.PromoteResourceInput{Dependencies: a.Dependencies, Preserve: a.Preserve},
	}, nil)
	return out, nil, err
}

// known fails for a cluster that the instance does not have.
func (a *PromoteResource) known(call *Call) error {
	clusters, err := call.Fleet.Clusters(call.Scope, a.Instance)
	if err != nil {
		return err
	}
	for _, c := range clusters {
		if c.Name == a.Cluster {
			return nil
		}
	}
	return model.BadInput("cluster", "instance %q has no cluster %.100q", a.Instance, a.Cluster)
}

// explained says which field of the input stands in the way.
func (a *PromoteResource) explained(err error) error {
	wrong, conflict, refused := (*promotion.RefusedError)(nil), (*promotion.ConflictError)(nil), (*karmada.Refused)(nil)
	switch {
	case errors.As(err, &wrong):
		return model.BadInput("name", "%s", wrong.Message)
	case errors.As(err, &conflict):
		field := "name"
		if a.UID != "" {
			field = "uid"
		}
		return &model.Error{Code: model.CodeConflict, Instance: a.Instance, Field: []string{field}, Message: conflict.Message}
	case karmada.IsAbsent(err):
		return &karmada.Refused{UserError: model.UserError{Code: string(model.CodeNotFound), Field: []string{"input", "name"},
			Message: fmt.Sprintf("cluster %q has no %s %q", a.Cluster, a.Kind, a.Name)}}
	case errors.As(err, &refused):
		refused.Field = nil // it is about an object of the cluster, not about the input
	}
	return err
}

// shownPlan is a plan as people see it: with what the templates are without.
func shownPlan(plan *promotion.Plan) (Promotion, error) {
	out := Promotion{Promoted: []model.PromotedObject{}, Left: []model.LeftObject{}}
	for _, o := range plan.Objects {
		template, err := json.Marshal(o.Template)
		if err != nil {
			return out, fmt.Errorf("encode a template: %w", err)
		}
		changes := differences(o.Ref, o.Was, template)
		if changes == nil {
			changes = []model.FieldChange{}
		}
		out.Promoted = append(out.Promoted, model.PromotedObject{APIVersion: o.Ref.APIVersion(), Kind: o.Ref.GVK.Kind, Namespace: optional(o.Ref.Namespace), Name: o.Ref.Name,
			PolicyName: promotion.PolicyRef(o.Ref).Name, Changes: changes})
	}
	for _, l := range plan.Left {
		out.Left = append(out.Left, model.LeftObject{APIVersion: l.Ref.APIVersion(), Kind: l.Ref.GVK.Kind, Namespace: optional(l.Ref.Namespace), Name: l.Ref.Name,
			Reason: l.Why, Federated: l.Federated})
	}
	return out, nil
}

// try asks Karmada whether the person may make all of it. In a namespace that the instance does not have yet nothing can be tried.
func (a *PromoteResource) try(ctx context.Context, call *Call, plan *promotion.Plan) error {
	if a.Namespace != "" {
		object, err := call.Open(ctx, model.Ref{Instance: a.Instance, GVK: schema.GroupVersionKind{Version: "v1", Kind: "Namespace"}, Name: a.Namespace})
		if err != nil {
			return err
		}
		if _, err = object.Get(ctx); err != nil && !karmada.IsAbsent(err) {
			return a.explained(err)
		}
		if err != nil {
			_, err = object.Trying().Create(ctx, map[string]any{"apiVersion": "v1", "kind": "Namespace", "metadata": map[string]any{"name": a.Namespace}})
			return a.explained(err)
		}
	}
	for _, o := range plan.Objects {
		for _, part := range []struct {
			ref    model.Ref
			object map[string]any
		}{{promotion.PolicyRef(o.Ref), o.Policy}, {o.Ref, o.Template}} {
			part.ref.Instance = a.Instance
			object, err := call.Open(ctx, part.ref)
			if err != nil {
				return err
			}
			if _, err := object.Trying().Create(ctx, part.object); err != nil {
				return a.explained(err)
			}
		}
	}
	return nil
}

// Kept is the operation.
func (a *PromoteResource) Kept(p Promotion) any { return keptOperation(p.Operation) }

// Again returns the operation as it is now.
func (a *PromoteResource) Again(_ context.Context, call *Call, kept []byte) (Promotion, error) {
	o, err := call.operation(kept)
	return Promotion{Operation: o, Promoted: []model.PromotedObject{}, Left: []model.LeftObject{}}, err
}
