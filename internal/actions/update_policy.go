package actions

import (
	"context"
	"maps"
	"strings"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
)

// UpdatePolicy changes a policy to a manifest that was made of the one that was read.
type UpdatePolicy struct {
	OnResource
	// ResourceVersion is the version that was read; a newer one is a conflict.
	ResourceVersion string
	// Manifest is the policy as it is to be, as YAML or JSON.
	Manifest string
}

// Verb names the action.
func (a *UpdatePolicy) Verb() string { return "updatePolicy" }

// ChangedPolicy is a policy as Karmada returned it, or what stands in the way of the change.
type ChangedPolicy struct {
	Policy   model.Policy
	Conflict *model.Conflict
}

// Do returns the policy as Karmada returned it. Its spec, labels and annotations become those of the manifest, and only what is
// different is sent.
func (a *UpdatePolicy) Do(ctx context.Context, call *Call) (ChangedPolicy, []model.UserError, error) {
	ref := call.Target.Ref
	if err := isPolicy(ref); err != nil {
		return ChangedPolicy{}, nil, err
	}
	if a.ResourceVersion == "" {
		return ChangedPolicy{}, nil, model.BadInput("resourceVersion", "is empty: give that of the policy as it was read, so that changes that others made since are not lost")
	}
	manifest, release, err := karmada.ReadObject(ctx, call.Viewer, "manifest", a.Manifest)
	if err != nil {
		return ChangedPolicy{}, nil, err
	}
	defer release()
	if gvk := manifest.GroupVersionKind(); gvk != ref.GVK || manifest.GetName() != ref.Name || manifest.GetNamespace() != ref.Namespace {
		return ChangedPolicy{}, nil, model.BadInput("manifest", "is %s %q of %q in namespace %q, and the id is that of %s %q of %q in namespace %q; these cannot be changed",
			gvk.Kind, manifest.GetName(), gvk.GroupVersion(), manifest.GetNamespace(), ref.GVK.Kind, ref.Name, ref.APIVersion(), ref.Namespace)
	}
	object, err := call.Open(ctx, ref)
	if err != nil {
		return ChangedPolicy{}, nil, err
	}
	change := func(policy map[string]any) error {
		policy["spec"] = manifest.Object["spec"]
		metadata, given := within(policy, "metadata"), within(manifest.Object, "metadata")
		for _, field := range []string{"labels", "annotations"} {
			metadata[field] = withKarmadas(metadata[field], given[field])
		}
		return nil
	}
	raw, err := object.Edit(ctx, karmada.Expected{UID: a.UID, ResourceVersion: a.ResourceVersion}, change)
	if err != nil {
		return ChangedPolicy{Conflict: conflictOf(ctx, call, object, err, a.ResourceVersion, func(anew *karmada.Object) ([]byte, error) {
			return anew.Edit(ctx, karmada.Expected{}, change)
		})}, nil, err
	}
	policy, _, err := as[model.Policy](decoded(ref, raw))
	return ChangedPolicy{Policy: policy}, nil, err
}

// withKarmadas are the labels or annotations that are given, and those of the ones before that Karmada itself keeps: a manifest that
// somebody wrote does not have them.
func withKarmadas(before, given any) map[string]any {
	out := map[string]any{}
	has, _ := before.(map[string]any)
	for key, value := range has {
		if domain, _, ok := strings.Cut(key, "/"); ok && (domain == "karmada.io" || strings.HasSuffix(domain, ".karmada.io")) {
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
