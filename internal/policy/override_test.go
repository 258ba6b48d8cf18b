package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

func TestOverridesAreAppliedInKarmadasOrder(t *testing.T) {
	const deployment = "apiVersion: apps/v1, kind: Deployment"
	named := func(kind model.PolicyKind, name, spec string) *model.PolicyBody {
		return decode(t, kind, "{metadata: {name: "+name+"}, "+spec+"}")
	}
	op, cop := model.PolicyOverride, model.PolicyClusterOverride
	policies := []*model.PolicyBody{
		named(op, "by-name", selectors("{"+deployment+", name: web}")),
		named(op, "a-by-labels", selectors("{"+deployment+", labelSelector: {}}")),
		named(op, "z-all", "spec: {}"),
		named(op, "y-kind", selectors("{"+deployment+"}")),
		named(cop, "wide-by-name", selectors("{"+deployment+", name: web}")),
		named(cop, "wide-all", "spec: {}"),
		named(op, "not-this", selectors("{"+deployment+", name: api}")),
		pp(t, "propagation", "", ""),
	}
	got := []string{}
	for _, p := range policy.OrderOverrides(object("shop", "web"), policies) {
		got = append(got, p.Ref.Name)
	}
	want := []string{"wide-all", "wide-by-name", "y-kind", "z-all", "a-by-labels", "by-name"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestAnOverridePolicyAppliesToAnObjectInACluster(t *testing.T) {
	rule := func(path, target string) string {
		return "{targetCluster: " + target + ", overriders: {plaintext: [{path: " + path + ", operator: remove}]}}"
	}
	rules := "resourceSelectors: [{apiVersion: apps/v1, kind: Deployment, name: web}], overrideRules: [" +
		rule("/everywhere", "null") + ", " + rule("/tokyo", "{clusterNames: [tokyo]}") + ", " +
		rule("/not-tokyo", "{exclude: [tokyo]}") + ", " + rule("/japan", "{fieldSelector: {matchExpressions: [{key: region, operator: In, values: [jp]}]}}") + "]"
	tokyo := &model.Cluster{Name: "tokyo", Region: new(string)}
	*tokyo.Region = "jp"
	cases := []struct {
		name    string
		spec    string
		object  *model.Object
		cluster *model.Cluster
		want    []string
	}{
		{"the rules that ask for the cluster, in their order", rules, object("shop", "web"), tokyo, []string{"/everywhere", "/tokyo", "/japan"}},
		{"other rules elsewhere", rules, object("shop", "web"), &model.Cluster{Name: "paris"}, []string{"/everywhere", "/not-tokyo"}},
		{"nothing to what it does not select", rules, object("shop", "api"), tokyo, nil},
		{"the deprecated form", "targetCluster: {clusterNames: [tokyo]}, overriders: {plaintext: [{path: /old, operator: remove}]}", object("shop", "web"), tokyo, []string{"/old"}},
		{"the deprecated form elsewhere", "targetCluster: {clusterNames: [tokyo]}, overriders: {plaintext: [{path: /old, operator: remove}]}", object("shop", "web"), &model.Cluster{Name: "paris"}, nil},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, r := range policy.AppliesTo(decode(t, model.PolicyOverride, "spec: {"+c.spec+"}"), c.object, c.cluster) {
				got = append(got, r.Overriders.Plaintext[0].Path)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
	if got := policy.AppliesTo(pp(t, "a", "", ""), object("shop", "web"), tokyo); got != nil {
		t.Errorf("a propagation policy overrides %v", got)
	}
}
