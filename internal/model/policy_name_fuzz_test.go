package model

import (
	"slices"
	"testing"
)

// FuzzPolicyRefsStayWithinTheirInstances: whatever is written for a policy, what is read is a propagation policy
// of one of the instances, or an error.
func FuzzPolicyRefsStayWithinTheirInstances(f *testing.F) {
	instances := []string{"prod", "prod-eu"}
	for _, name := range []string{"", "/", "cart", "shop/cart", "shop/", "a/b/c", "shop/'; --", "\x00", InstanceID("prod"), ClusterID("prod", "eu"),
		Ref{Instance: "prod", GVK: PolicyPropagation.GVK(), Namespace: "shop", Name: "cart"}.ID(),
		Ref{Instance: "other", GVK: PolicyPropagation.GVK(), Namespace: "shop", Name: "cart"}.ID(),
		Ref{Instance: "prod", GVK: KindDeployment.GVK(), Namespace: "shop", Name: "cart"}.ID()} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		refs, err := PolicyRefs(instances, name)
		if (err == nil) == (len(refs) == 0) {
			t.Fatalf("%q: %v, %v", name, refs, err)
		}
		for _, ref := range refs {
			kind, ok := PolicyKindOf(ref.GVK.Group, ref.GVK.Kind)
			if !ok || !kind.Propagates() || !slices.Contains(instances, ref.Instance) || ref.Name == "" {
				t.Fatalf("%q was read as %+v", name, ref)
			}
		}
	})
}
