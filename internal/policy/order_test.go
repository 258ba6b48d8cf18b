package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

// pp and cpp make policies of namespace shop, or cluster-wide, that select Deployments: extra goes into
// the selector, spec into the spec.
func pp(t *testing.T, name, extra, spec string) *model.PolicyBody {
	t.Helper()
	return propagating(t, model.PolicyPropagation, name, extra, spec)
}

func cpp(t *testing.T, name, extra, spec string) *model.PolicyBody {
	t.Helper()
	return propagating(t, model.PolicyClusterPropagation, name, extra, spec)
}

func propagating(t *testing.T, kind model.PolicyKind, name, extra, spec string) *model.PolicyBody {
	t.Helper()
	if extra != "" {
		extra = ", " + extra
	}
	if spec != "" {
		spec = ", " + spec
	}
	return decode(t, kind, fmt.Sprintf("{metadata: {name: %s}, spec: {resourceSelectors: [{apiVersion: apps/v1, kind: Deployment%s}]%s}}", name, extra, spec))
}

func TestThePolicyThatKarmadaPrefersComesFirst(t *testing.T) {
	byName, byLabels := "name: web", "labelSelector: {matchLabels: {a: '1'}}"
	cases := []struct {
		name     string
		policies []*model.PolicyBody
		want     []string
	}{
		{"higher priority first", []*model.PolicyBody{pp(t, "a", "", ""), pp(t, "b", "", "priority: 10")}, []string{"b", "a"}},
		{"priority before exactness", []*model.PolicyBody{pp(t, "a", byName, ""), pp(t, "b", "", "priority: 1")}, []string{"b", "a"}},
		{"a negative priority last", []*model.PolicyBody{pp(t, "a", byName, "priority: -1"), pp(t, "b", "", "")}, []string{"b", "a"}},
		{"name before labels before kind", []*model.PolicyBody{pp(t, "a", "", ""), pp(t, "b", byLabels, ""), pp(t, "c", byName, "")}, []string{"c", "b", "a"}},
		{"the alphabet at last", []*model.PolicyBody{pp(t, "foo", "", ""), pp(t, "bar", "", "")}, []string{"bar", "foo"}},
		{"the namespace's before the cluster-wide, whatever the priority", []*model.PolicyBody{cpp(t, "a", byName, "priority: 100"), pp(t, "b", "", "priority: -5")}, []string{"b", "a"}},
		{"among the cluster-wide by priority", []*model.PolicyBody{cpp(t, "a", "", ""), cpp(t, "b", "", "priority: 1")}, []string{"b", "a"}},
		{"without what does not select it", []*model.PolicyBody{pp(t, "a", "name: api", "priority: 9"), pp(t, "b", "", "")}, []string{"b"}},
		{"without override policies", []*model.PolicyBody{decode(t, model.PolicyOverride, "spec: {}")}, []string{}},
		{"without what is being deleted", []*model.PolicyBody{
			decode(t, model.PolicyPropagation, `{metadata: {name: old, deletionTimestamp: "2026-01-01T00:00:00Z"}, spec: {priority: 9, resourceSelectors: [{apiVersion: apps/v1, kind: Deployment}]}}`),
			pp(t, "b", "", "")}, []string{"b"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := []string{}
			for _, m := range policy.Order(object("shop", "web"), c.policies) {
				got = append(got, m.Policy.Name)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAPolicySaysWhyItStandsWhereItDoes(t *testing.T) {
	claimedBy := func(p *model.PolicyBody) *model.Object {
		o := object("shop", "web")
		o.Claim = &model.PolicyClaim{Ref: p.Ref}
		return o
	}
	type match struct {
		name   string
		claims bool
		why    string
	}
	low, high := pp(t, "low", "", ""), pp(t, "high", "name: web", "priority: 10")
	always := pp(t, "high", "name: web", "priority: 10, preemption: Always")
	alwaysByKind := pp(t, "high", "", "priority: 10, preemption: Always")
	alwaysEqual := pp(t, "eager", "", "preemption: Always")
	wide := cpp(t, "wide", "", "")
	cases := []struct {
		name     string
		object   *model.Object
		policies []*model.PolicyBody
		want     []match
	}{
		{"the only one", claimedBy(low), []*model.PolicyBody{low}, []match{{"low", true, "it is the only policy"}}},
		{"claimed by the winner", claimedBy(high), []*model.PolicyBody{low, high}, []match{
			{"high", true, "it wins: its priority 10 is higher than 0 of shop/low"},
			{"low", false, "it comes after shop/high: its priority 0 is lower than 10 of shop/high"}}},
		{"claimed before a better one came", claimedBy(low), []*model.PolicyBody{low, high}, []match{
			{"high", false, "shop/low claimed the object before, and it takes nothing over: its preemption is Never"},
			{"low", true, "priority 0 is lower"}}},
		{"a better one that may take over", claimedBy(low), []*model.PolicyBody{low, always}, []match{
			{"high", false, "feature gate PropagationPolicyPreemption"}, {"low", true, ""}}},
		{"a better one that may take over, but not by kind", claimedBy(low), []*model.PolicyBody{low, alwaysByKind}, []match{
			{"high", false, "takes over only what a policy selects by name"}, {"low", true, ""}}},
		{"preferred by the alphabet, which takes nothing over", claimedBy(low), []*model.PolicyBody{low, alwaysEqual}, []match{
			{"eager", false, "takes over only from policies of lower priority"}, {"low", true, "its name comes after eager"}}},
		{"claimed by a cluster-wide one", claimedBy(wide), []*model.PolicyBody{wide, low}, []match{
			{"low", false, "goes before every ClusterPropagationPolicy; wide claimed the object before"},
			{"wide", true, "a ClusterPropagationPolicy goes after every PropagationPolicy"}}},
		{"claimed by none of them", object("shop", "web"), []*model.PolicyBody{low, high}, []match{
			{"high", false, "it wins"}, {"low", false, "it comes after"}}},
		{"by exactness", object("shop", "web"), []*model.PolicyBody{low, pp(t, "exact", "name: web", "")}, []match{
			{"exact", false, "it wins: of equal priority, it selects by name, which is more exact than by kind"},
			{"low", false, "it selects by kind, which is less exact than by name"}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := policy.Order(c.object, c.policies)
			if len(got) != len(c.want) {
				t.Fatalf("%d policies, want %d: %+v", len(got), len(c.want), got)
			}
			for i, w := range c.want {
				if g := got[i]; g.Policy.Name != w.name || g.Claims != w.claims || !strings.Contains(g.Why, w.why) {
					t.Errorf("%d is %s (claims: %v): %s\nwant %+v", i, g.Policy.Name, g.Claims, g.Why, w)
				}
			}
		})
	}
}

func TestAMatchSaysPriorityAndHow(t *testing.T) {
	got := policy.Order(object("shop", "web"), []*model.PolicyBody{pp(t, "a", "labelSelector: {}", "priority: 7")})
	if len(got) != 1 || got[0].Priority != 7 || got[0].How != "LABEL_SELECTOR" || got[0].Policy.GVK.Kind != "PropagationPolicy" {
		t.Errorf("got %+v", got)
	}
}
