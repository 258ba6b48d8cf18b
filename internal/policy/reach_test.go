package policy_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

func TestTheClustersThatAPolicyReaches(t *testing.T) {
	bindings := []*model.ResourceBinding{
		{Clusters: []model.BindingCluster{{ClusterName: "tokyo"}, {ClusterName: "paris"}}},
		{Clusters: []model.BindingCluster{{ClusterName: "tokyo"}}, RequiredBy: []model.DependentBinding{{Clusters: []string{"gone"}}}},
	}
	clusters := map[string]*model.Cluster{"tokyo": {Name: "tokyo"}, "paris": {Name: "paris"}, "rome": {Name: "rome"}}
	override := func(target string) *model.PolicyBody {
		return decode(t, model.PolicyOverride, "spec: {overrideRules: [{targetCluster: "+target+", overriders: {plaintext: [{path: /a, operator: remove}]}}]}")
	}
	cases := []struct {
		name     string
		body     *model.PolicyBody
		bindings []*model.ResourceBinding
		want     []string
	}{
		{"all that its bindings are in", pp(t, "a", "", ""), bindings, []string{"gone", "paris", "tokyo"}},
		{"none without bindings", pp(t, "a", "", ""), nil, []string{}},
		{"those of its rules", override("{clusterNames: [tokyo, rome]}"), bindings, []string{"tokyo"}},
		{"all that are known, where a rule is for all", override("null"), bindings, []string{"paris", "tokyo"}},
		{"none without rules that ask", override("{clusterNames: [rome]}"), bindings, []string{}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, policy.Reaches(c.body, c.bindings, clusters)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
