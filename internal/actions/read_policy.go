package actions

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// ReadPolicy reads a manifest of a policy of some kinds for an instance, within the limits of everything that is written, and
// returns what it names and the policy as JSON. Its memory counts for the person until the context ends, which is when everything that is computed
// with it is there. What is wrong with it is an error about the field "manifest"; nil is no manifest.
func ReadPolicy(ctx context.Context, instance string, manifest *string, fits func(model.PolicyKind) bool) (*model.Ref, []byte, error) {
	if manifest == nil {
		return nil, nil, nil
	}
	object, release, err := karmada.ReadObject(ctx, rbac.PrincipalFrom(ctx), "manifest", *manifest)
	if err != nil {
		return nil, nil, err
	}
	context.AfterFunc(ctx, release)
	gvk := object.GroupVersionKind()
	kind, ok := model.PolicyKindOf(gvk.Group, gvk.Kind)
	if !ok || gvk != kind.GVK() || !fits(kind) {
		wanted := ""
		for _, k := range model.PolicyKinds {
			if fits(k) {
				wanted += " or " + k.GVK().Kind
			}
		}
		return nil, nil, model.BadInput("manifest", "is a %.100q of %.100q; it has to be a%s of policy.karmada.io/v1alpha1", gvk.Kind, gvk.GroupVersion().String(), wanted[len(" or"):])
	}
	ref := &model.Ref{Instance: instance, GVK: gvk, Namespace: object.GetNamespace(), Name: object.GetName()}
	switch {
	case kind.Namespaced() && ref.Namespace == "":
		return nil, nil, model.BadInput("manifest", "metadata.namespace: is missing: a %s is in a namespace", gvk.Kind)
	case !kind.Namespaced() && ref.Namespace != "":
		return nil, nil, model.BadInput("manifest", "metadata.namespace: is %q, and a %s is in none", model.Clip(ref.Namespace), gvk.Kind)
	}
	raw, err := json.Marshal(object.Object)
	if err != nil {
		return nil, nil, fmt.Errorf("encode a policy: %w", err)
	}
	return ref, raw, nil
}
