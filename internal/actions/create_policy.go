package actions

import (
	"context"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/typed"
)

// CreatePolicy makes a policy of one of the four kinds.
type CreatePolicy struct {
	Instance string
	// Manifest is the policy, as YAML or JSON; nil when it is typed.
	Manifest *string
	// Typed is the policy by the typed input of its kind.
	Typed  Typed
	DryRun bool
}

// Verb names the action.
func (a *CreatePolicy) Verb() string { return "createPolicy" }

// InputOf is the manifest, or the field of the typed input.
func (a *CreatePolicy) InputOf(path []string) []string { return a.Typed.inputOf(typed.Policies, path) }

// Target returns the instance.
func (a *CreatePolicy) Target(auth.Principal) (Target, error) {
	return Target{Ref: model.Ref{Instance: a.Instance}, Field: "instance", DryRun: a.DryRun}, nil
}

// Allowed refuses people who may write nothing in the instance, before their manifest is read.
func (a *CreatePolicy) Allowed(call *Call) error { return mayWrite(call, a.Instance) }

// Do returns the policy as Karmada returned it. One of that name is a CONFLICT.
func (a *CreatePolicy) Do(ctx context.Context, call *Call) (model.Policy, []model.UserError, error) {
	kind, input, err := a.Typed.only(typed.Policies, a.Manifest)
	if err != nil {
		return nil, nil, err
	}
	if kind != nil {
		out, problems, err := createTyped(ctx, call, a.Instance, kind, input)
		p, _ := out.(model.Policy)
		return p, problems, err
	}
	return a.byManifest(ctx, call)
}

func (a *CreatePolicy) byManifest(ctx context.Context, call *Call) (model.Policy, []model.UserError, error) {
	manifest, release, err := karmada.ReadObject(ctx, call.Viewer, "manifest", *a.Manifest)
	if err != nil {
		return nil, nil, err
	}
	defer release()
	gvk := manifest.GroupVersionKind()
	kind, ok := model.PolicyKindOf(gvk.Group, gvk.Kind)
	if !ok || gvk != kind.GVK() {
		return nil, nil, model.BadInput("manifest", "is a %.100q of %.100q; it has to be a PropagationPolicy, ClusterPropagationPolicy, OverridePolicy or ClusterOverridePolicy of policy.karmada.io/v1alpha1",
			gvk.Kind, gvk.GroupVersion().String())
	}
	ref := model.Ref{Instance: a.Instance, GVK: gvk, Namespace: manifest.GetNamespace(), Name: manifest.GetName()}
	switch {
	case kind.Namespaced() && ref.Namespace == "":
		return nil, nil, model.BadInput("manifest", "metadata.namespace: is missing: a %s is in a namespace", gvk.Kind)
	case !kind.Namespaced() && ref.Namespace != "":
		return nil, nil, model.BadInput("manifest", "metadata.namespace: is %q, and a %s is in none", ref.Namespace, gvk.Kind)
	}
	call.Entry.About(ref)
	object, err := call.Open(ctx, ref)
	if err != nil {
		return nil, nil, err
	}
	raw, err := object.Create(ctx, manifest.Object)
	if err != nil {
		return nil, nil, err
	}
	return as[model.Policy](decoded(ref, raw))
}

// Kept is the id of the policy.
func (a *CreatePolicy) Kept(p model.Policy) any { return p.ObjectRef().ID() }

// Again returns the policy as it is now.
func (a *CreatePolicy) Again(ctx context.Context, call *Call, kept []byte) (model.Policy, error) {
	out, err := againBy(ctx, call, kept)
	p, _ := out.(model.Policy)
	return p, err
}
