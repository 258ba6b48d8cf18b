package objects

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

func TestClaimOf(t *testing.T) {
	ref := func(kind, ns, name string) *model.PolicyClaim {
		return &model.PolicyClaim{Ref: model.Ref{Instance: "asia", Namespace: ns, Name: name,
			GVK: schema.GroupVersionKind{Group: "policy.karmada.io", Version: "v1alpha1", Kind: kind}}}
	}
	cases := []struct {
		name        string
		annotations map[string]string
		want        *model.PolicyClaim
	}{
		{"nothing claims an object without annotations", nil, nil},
		{"a PropagationPolicy claims by namespace and name",
			map[string]string{PolicyNamespace: "shop", PolicyName: "all"}, ref("PropagationPolicy", "shop", "all")},
		{"half a claim is none", map[string]string{PolicyName: "all"}, nil},
		{"a ClusterPropagationPolicy claims by name",
			map[string]string{ClusterPolicyName: "everywhere"}, ref("ClusterPropagationPolicy", "", "everywhere")},
		{"a PropagationPolicy goes before a ClusterPropagationPolicy", map[string]string{
			ClusterPolicyName: "everywhere", PolicyNamespace: "shop", PolicyName: "all"},
			ref("PropagationPolicy", "shop", "all")},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, ClaimOf("asia", c.annotations)); diff != "" {
				t.Errorf("claim (-want +got):\n%s", diff)
			}
		})
	}
}
