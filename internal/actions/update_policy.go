package actions

import (
	"context"
	"maps"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/typed"
)

// UpdatePolicy changes a policy to what was made of the one that was read.
type UpdatePolicy struct {
	OnResource
	// ResourceVersion is the version that was read; a newer one is a conflict.
	ResourceVersion string
	// Manifest is the policy as it is to be, as YAML or JSON; nil when it is typed.
	Manifest *string
	// Typed is the policy as it is to be, by the typed input of its kind.
	Typed Typed
}

// Verb names the action.
func (a *UpdatePolicy) Verb() string { return "updatePolicy" }

// InputOf is the manifest, or the field of the typed input.
func (a *UpdatePolicy) InputOf(path []string) []string { return a.Typed.inputOf(typed.Policies, path) }

// ChangedPolicy is a policy as Karmada returned it, or what stands in the way of the change.
type ChangedPolicy struct {
	Policy   model.Policy
	Conflict *model.Conflict
}

// Do returns the policy as Karmada returned it. What the typed input says differently is changed; or its spec, labels and
// annotations become those of the manifest. Only what is different is sent.
func (a *UpdatePolicy) Do(ctx context.Context, call *Call) (ChangedPolicy, []model.UserError, error) {
	if err := isPolicy(call.Target.Ref); err != nil {
		return ChangedPolicy{}, nil, err
	}
	if err := versionNeeded(a.ResourceVersion, "policy"); err != nil {
		return ChangedPolicy{}, nil, err
	}
	kind, input, err := a.Typed.only(typed.Policies, a.Manifest)
	if err != nil {
		return ChangedPolicy{}, nil, err
	}
	var out Changed
	var problems []model.UserError
	if kind != nil {
		out, problems, err = updateTyped(ctx, call, a.UID, a.ResourceVersion, kind, input)
	} else {
		out, err = a.byManifest(ctx, call)
	}
	p, _ := out.Object.(model.Policy)
	return ChangedPolicy{Policy: p, Conflict: out.Conflict}, problems, err
}

func (a *UpdatePolicy) byManifest(ctx context.Context, call *Call) (Changed, error) {
	ref := call.Target.Ref
	manifest, release, err := karmada.ReadObject(ctx, call.Viewer, "manifest", *a.Manifest)
	if err != nil {
		return Changed{}, err
	}
	defer release()
	if gvk := manifest.GroupVersionKind(); gvk != ref.GVK || manifest.GetName() != ref.Name || manifest.GetNamespace() != ref.Namespace {
		return Changed{}, model.BadInput("manifest", "is %s %q of %q in namespace %q, and the id is that of %s %q of %q in namespace %q; these cannot be changed",
			gvk.Kind, manifest.GetName(), gvk.GroupVersion(), manifest.GetNamespace(), ref.GVK.Kind, ref.Name, ref.APIVersion(), ref.Namespace)
	}
	out, _, err := edited(ctx, call, karmada.Expected{UID: a.UID, ResourceVersion: a.ResourceVersion}, func(object map[string]any) error {
		object["spec"] = manifest.Object["spec"]
		metadata, given := within(object, "metadata"), within(manifest.Object, "metadata")
		for _, field := range []string{"labels", "annotations"} {
			if kept := withKarmadas(metadata[field], given[field]); len(kept) > 0 {
				metadata[field] = kept
			} else {
				delete(metadata, field)
			}
		}
		return nil
	}, func(err error) ([]model.UserError, error) { return nil, err })
	return out, err
}

// withKarmadas are the labels or annotations that are given, and those of the ones before that Karmada itself keeps: a manifest that
// somebody wrote does not have them.
func withKarmadas(before, given any) map[string]any {
	out := map[string]any{}
	has, _ := before.(map[string]any)
	for key, value := range has {
		if objects.OfKarmada(key) {
			out[key] = value
		}
	}
	wanted, _ := given.(map[string]any)
	maps.Copy(out, wanted)
	return out
}

// isPolicy fails when a reference is not to a policy.
func isPolicy(ref model.Ref) error {
	if kind, ok := model.PolicyKindOf(ref.GVK.Group, ref.GVK.Kind); !ok || kind.GVK() != ref.GVK {
		return model.BadInput("id", "is the id of a %s, not of a policy", ref.GVK.Kind)
	}
	return nil
}

// Again returns the policy as it is now.
func (a *UpdatePolicy) Again(ctx context.Context, call *Call, _ []byte) (ChangedPolicy, error) {
	policy, _, err := as[model.Policy](a.now(ctx, call))
	return ChangedPolicy{Policy: policy}, err
}
