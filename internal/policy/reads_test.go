package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

func TestWhatHasToBeReadToFindWhatAPolicySelects(t *testing.T) {
	deployment := schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
	configMap := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	const d, cm = "apiVersion: apps/v1, kind: Deployment", "apiVersion: v1, kind: ConfigMap"
	cases := []struct {
		name string
		kind model.PolicyKind
		spec string
		want []policy.Read
	}{
		{"a kind in the policy's namespace", model.PolicyOverride, selectors("{" + d + "}"), []policy.Read{{GVK: deployment, Namespace: "shop"}}},
		{"a kind everywhere", model.PolicyClusterOverride, selectors("{" + cm + "}"), []policy.Read{{GVK: configMap}}},
		{"a kind in one namespace", model.PolicyClusterOverride, selectors("{" + cm + ", namespace: shop}"), []policy.Read{{GVK: configMap, Namespace: "shop"}}},
		{"names of one kind together, each once", model.PolicyOverride, selectors("{" + d + ", name: web}, {" + cm + ", name: web}, {" + d + ", name: api}, {" + d + ", name: web}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop", Names: []string{"api", "web"}}, {GVK: configMap, Namespace: "shop", Names: []string{"web"}}}},
		{"names of different namespaces apart", model.PolicyClusterOverride, selectors("{" + d + ", name: web, namespace: a}, {" + d + ", name: web, namespace: b}"),
			[]policy.Read{{GVK: deployment, Namespace: "a", Names: []string{"web"}}, {GVK: deployment, Namespace: "b", Names: []string{"web"}}}},
		{"labels as Kubernetes writes them", model.PolicyOverride, selectors("{" + d + ", labelSelector: {matchLabels: {a: '1'}, matchExpressions: [{key: tier, operator: In, values: [gold]}, {key: old, operator: DoesNotExist}]}}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop", LabelSelector: "a=1,!old,tier in (gold)"}}},
		{"an empty label selector is any", model.PolicyOverride, selectors("{" + d + ", labelSelector: {}}"), []policy.Read{{GVK: deployment, Namespace: "shop"}}},
		{"names only, where labels are said too", model.PolicyOverride, selectors("{" + d + ", name: web, labelSelector: {matchLabels: {a: b}}}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop", Names: []string{"web"}}}},
		{"a whole kind instead of parts that came before", model.PolicyOverride, selectors("{" + d + ", name: web}, {" + d + ", labelSelector: {matchLabels: {a: b}}}, {" + d + "}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop"}}},
		{"a whole kind instead of parts that come after", model.PolicyClusterOverride, selectors("{" + d + "}, {" + d + ", name: web, namespace: shop}"), []policy.Read{{GVK: deployment}}},
		{"names and labels apart", model.PolicyOverride, selectors("{" + d + ", labelSelector: {matchLabels: {a: b}}}, {" + d + ", name: web}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop", LabelSelector: "a=b"}, {GVK: deployment, Namespace: "shop", Names: []string{"web"}}}},
		{"the same labels once", model.PolicyOverride, selectors("{" + d + ", labelSelector: {matchLabels: {a: b}}}, {" + d + ", labelSelector: {matchLabels: {a: b}}}, {" + d + ", labelSelector: {matchLabels: {a: c}}}"),
			[]policy.Read{{GVK: deployment, Namespace: "shop", LabelSelector: "a=b"}, {GVK: deployment, Namespace: "shop", LabelSelector: "a=c"}}},
		{"everything in the namespace", model.PolicyOverride, "spec: {}", []policy.Read{{Namespace: "shop"}}},
		{"everything", model.PolicyClusterOverride, "spec: {}", []policy.Read{{}}},
		{"nothing of another namespace", model.PolicyPropagation, selectors("{" + d + ", namespace: payments}"), nil},
		{"nothing of a reserved namespace", model.PolicyClusterPropagation, selectors("{" + d + ", namespace: karmada-system}"), nil},
		{"nothing by a selector that Kubernetes refuses", model.PolicyPropagation, selectors("{" + d + ", labelSelector: {matchExpressions: [{key: a, operator: In}]}}"), nil},
		{"nothing of a version that is none", model.PolicyPropagation, selectors("{apiVersion: a/b/c, kind: Deployment}"), nil},
		{"nothing without selectors", model.PolicyPropagation, "spec: {}", nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, policy.Reads(decode(t, c.kind, c.spec))); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTheLabelOfAClaim(t *testing.T) {
	cases := []struct {
		name       string
		kind       model.PolicyKind
		metadata   string
		key, value string
	}{
		{"of a policy of a namespace", model.PolicyPropagation, "labels: {propagationpolicy.karmada.io/permanent-id: x}", "propagationpolicy.karmada.io/permanent-id", "x"},
		{"of a cluster-wide policy", model.PolicyClusterPropagation, "labels: {clusterpropagationpolicy.karmada.io/permanent-id: z}", "clusterpropagationpolicy.karmada.io/permanent-id", "z"},
		{"of a policy that has no id yet", model.PolicyPropagation, "labels: {}", "propagationpolicy.karmada.io/permanent-id", ""},
		{"of an override policy, which claims nothing", model.PolicyOverride, "labels: {propagationpolicy.karmada.io/permanent-id: x}", "", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			key, value := policy.ClaimLabel(decode(t, c.kind, "{metadata: {name: p, "+c.metadata+"}, spec: {}}"))
			if key != c.key || value != c.value {
				t.Errorf("%s=%s, want %s=%s", key, value, c.key, c.value)
			}
		})
	}
}
