package policy_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

// object is a Deployment of asia with labels a=1 and tier=gold.
func object(namespace, name string) *model.Object {
	return &model.Object{
		Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"},
			Namespace: namespace, Name: name},
		Labels: []model.KeyValue{{Key: "a", Value: "1"}, {Key: "tier", Value: "gold"}},
	}
}

func clusterRole(name string) *model.Object {
	return &model.Object{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}, Name: name}}
}

func selectors(list string) string { return "spec: {resourceSelectors: [" + list + "]}" }

func TestAPolicySelectsAnObject(t *testing.T) {
	const deployment = "apiVersion: apps/v1, kind: Deployment"
	pp, cpp, op, cop := model.PolicyPropagation, model.PolicyClusterPropagation, model.PolicyOverride, model.PolicyClusterOverride
	web := object("shop", "web")
	cases := []struct {
		name   string
		kind   model.PolicyKind
		spec   string
		object *model.Object
		want   policy.How
	}{
		{"by kind alone", pp, selectors("{" + deployment + "}"), web, policy.HowKind},
		{"by labels", pp, selectors("{" + deployment + ", labelSelector: {matchLabels: {a: '1'}}}"), web, policy.HowLabels},
		{"by an expression", pp, selectors("{" + deployment + ", labelSelector: {matchExpressions: [{key: tier, operator: In, values: [gold, silver]}]}}"), web, policy.HowLabels},
		{"by an empty label selector, which counts as labels", pp, selectors("{" + deployment + ", labelSelector: {}}"), web, policy.HowLabels},
		{"by name", pp, selectors("{" + deployment + ", name: web}"), web, policy.HowName},
		{"by name, and the labels are ignored", pp, selectors("{" + deployment + ", name: web, labelSelector: {matchLabels: {a: other}}}"), web, policy.HowName},
		{"not by another name, whatever the labels", pp, selectors("{" + deployment + ", name: api, labelSelector: {matchLabels: {a: '1'}}}"), web, policy.HowNot},
		{"not by other labels", pp, selectors("{" + deployment + ", labelSelector: {matchLabels: {a: '2'}}}"), web, policy.HowNot},
		{"not by a label selector that Kubernetes refuses", pp, selectors("{" + deployment + ", labelSelector: {matchExpressions: [{key: a, operator: In}]}}"), web, policy.HowNot},
		{"not by an operator that Kubernetes does not know", pp, selectors("{" + deployment + ", labelSelector: {matchExpressions: [{key: a, operator: Like, values: ['1']}]}}"), web, policy.HowNot},
		{"not in another version of its API", pp, selectors("{apiVersion: apps/v1beta1, kind: Deployment}"), web, policy.HowNot},
		{"not of another kind", pp, selectors("{apiVersion: apps/v1, kind: StatefulSet}"), web, policy.HowNot},
		{"by the best of several selectors", pp, selectors("{" + deployment + "}, {" + deployment + ", name: web}, {" + deployment + ", labelSelector: {}}"), web, policy.HowName},
		{"not in another namespace than the policy's", pp, selectors("{" + deployment + "}"), object("payments", "web"), policy.HowNot},
		{"not where a selector names another namespace", pp, selectors("{" + deployment + ", namespace: payments}"), web, policy.HowNot},
		{"not another namespace's, even if a selector names that", pp, selectors("{" + deployment + ", namespace: payments}"), object("payments", "web"), policy.HowNot},
		{"without selectors a propagation policy selects nothing", pp, "spec: {}", web, policy.HowNot},

		{"in any namespace, cluster-wide", cpp, selectors("{" + deployment + "}"), web, policy.HowKind},
		{"in one namespace, cluster-wide", cpp, selectors("{" + deployment + ", namespace: shop}"), web, policy.HowKind},
		{"not in another one, cluster-wide", cpp, selectors("{" + deployment + ", namespace: shop}"), object("payments", "web"), policy.HowNot},
		{"a cluster-scoped object", cpp, selectors("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"), clusterRole("view"), policy.HowKind},
		{"not a cluster-scoped object by a policy of a namespace", pp, selectors("{apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole}"), clusterRole("view"), policy.HowNot},
		{"nothing in karmada-system", cpp, selectors("{" + deployment + "}"), object("karmada-system", "web"), policy.HowNot},
		{"nothing in karmada-cluster", cpp, selectors("{" + deployment + "}"), object("karmada-cluster", "web"), policy.HowNot},
		{"nothing in an execution namespace", cpp, selectors("{" + deployment + "}"), object("karmada-es-tokyo", "web"), policy.HowNot},
		{"nothing in kube-system", cpp, selectors("{" + deployment + "}"), object("kube-system", "web"), policy.HowNot},
		{"in a namespace that only looks reserved", cpp, selectors("{" + deployment + "}"), object("karmada-systems", "web"), policy.HowKind},
		{"nothing of Karmada's own kinds", cpp, selectors("{apiVersion: work.karmada.io/v1alpha2, kind: ResourceBinding}"),
			&model.Object{Ref: model.Ref{GVK: schema.GroupVersionKind{Group: "work.karmada.io", Version: "v1alpha2", Kind: "ResourceBinding"}, Namespace: "shop", Name: "b"}}, policy.HowNot},

		{"without selectors an override policy is for its namespace", op, "spec: {}", web, policy.HowKind},
		{"and not for another one", op, "spec: {}", object("payments", "web"), policy.HowNot},
		{"without selectors a cluster-wide one is for everything", cop, "spec: {}", clusterRole("view"), policy.HowKind},
		{"overrides by name", op, selectors("{" + deployment + ", name: web}"), web, policy.HowName},
		{"overrides nothing else", op, selectors("{" + deployment + ", name: web}"), object("shop", "api"), policy.HowNot},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := policy.Selects(decode(t, c.kind, c.spec), c.object); got != c.want {
				t.Errorf("selects %q, want %q", got, c.want)
			}
		})
	}
}

func TestAPolicyCanSelectWhatIsHalfKnown(t *testing.T) {
	text := func(s string) *string { return &s }
	pp := decode(t, model.PolicyPropagation, selectors("{apiVersion: apps/v1, kind: Deployment, namespace: shop, name: web}, {apiVersion: v1, kind: ConfigMap, labelSelector: {matchLabels: {a: b}}}"))
	everything := decode(t, model.PolicyClusterOverride, "spec: {}")
	cases := []struct {
		name string
		body *model.PolicyBody
		want model.PolicySelectsInput
		can  bool
	}{
		{"nothing known", pp, model.PolicySelectsInput{}, true},
		{"its kind", pp, model.PolicySelectsInput{Kind: text("ConfigMap")}, true},
		{"another kind", pp, model.PolicySelectsInput{Kind: text("Secret")}, false},
		{"its name", pp, model.PolicySelectsInput{Kind: text("Deployment"), Name: text("web")}, true},
		{"another name", pp, model.PolicySelectsInput{Kind: text("Deployment"), Name: text("api")}, false},
		{"any name, where it selects by labels", pp, model.PolicySelectsInput{Kind: text("ConfigMap"), Name: text("x")}, true},
		{"kind and name of different selectors", pp, model.PolicySelectsInput{APIVersion: text("v1"), Name: text("web"), Kind: text("Deployment")}, false},
		{"its namespace", pp, model.PolicySelectsInput{Namespace: text("shop")}, true},
		{"another namespace", pp, model.PolicySelectsInput{Namespace: text("payments")}, false},
		{"what is cluster-scoped", pp, model.PolicySelectsInput{Namespace: text("")}, false},
		{"anything, without selectors", everything, model.PolicySelectsInput{Kind: text("Secret"), Name: text("x"), Namespace: text("")}, true},
		{"nothing, a propagation policy without selectors", decode(t, model.PolicyPropagation, "spec: {}"), model.PolicySelectsInput{}, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := policy.CanSelect(c.body, &c.want); got != c.can {
				t.Errorf("can select: %v, want %v", got, c.can)
			}
		})
	}
	if !policy.CanSelect(pp, nil) {
		t.Error("without a question the answer is no")
	}
}
