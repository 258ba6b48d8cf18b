package policy_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/boundedyaml/bombs"
	"github.com/kairship-io/kairship/internal/policy"
)

func TestAPolicyThatIsMadeToBeCostlyIsNotComputedWith(t *testing.T) {
	many := func(n int, item string) string { return "[" + strings.Repeat(item+",", n) + "]" }
	const selector = "{apiVersion: apps/v1, kind: Deployment, name: web}"
	for name, tt := range map[string]struct {
		kind  model.PolicyKind
		spec  func(n int) string
		most  int
		words string
	}{
		"selectors": {model.PolicyPropagation, func(n int) string { return "{resourceSelectors: " + many(n, selector) + "}" }, policy.MostSelectors, "resourceSelectors"},
		"selectors of an override policy": {model.PolicyOverride, func(n int) string { return "{resourceSelectors: " + many(n, selector) + "}" },
			policy.MostSelectors, "resourceSelectors"},
		"rules": {model.PolicyOverride, func(n int) string {
			return "{resourceSelectors: [" + selector + "], overrideRules: " + many(n, "{}") + "}"
		}, policy.MostRules, "override rules"},
		"groups of clusters": {model.PolicyPropagation, func(n int) string { return "{placement: {clusterAffinities: " + many(n, "{affinityName: a}") + "}}" },
			policy.MostAffinities, "clusterAffinities"},
		"groups that take what overflows": {model.PolicyPropagation, func(n int) string {
			return "{placement: {clusterAffinities: [{affinityName: a, overflowAffinities: " + many(n-1, "{affinityName: b}") + "}]}}"
		}, policy.MostAffinities, "clusterAffinities"},
		"static weights": {model.PolicyPropagation, func(n int) string {
			return "{placement: {replicaScheduling: {weightPreference: {staticWeightList: " + many(n, "{weight: 1}") + "}}}}"
		}, policy.MostWeights, "static weights"},
	} {
		t.Run(name, func(t *testing.T) {
			most := decode(t, tt.kind, "{metadata: {name: p}, spec: "+tt.spec(tt.most)+"}")
			if most.Excess != "" || policy.Bounded(most) != most {
				t.Errorf("as many as there may be: %q", most.Excess)
			}
			more := decode(t, tt.kind, "{metadata: {name: p}, spec: "+tt.spec(tt.most+1)+"}")
			if want := fmt.Sprintf("%d %s; at most %d are allowed", tt.most+1, tt.words, tt.most); more.Excess != want {
				t.Errorf("one more is %q, want %q", more.Excess, want)
			}
			bounded := policy.Bounded(more)
			web := &model.Object{Ref: model.Ref{Instance: "asia", GVK: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}, Namespace: "shop", Name: "web"}}
			if bounded.Ref != more.Ref || policy.Selects(bounded, web) != policy.HowNot || len(policy.Reads(bounded)) > 0 || len(policy.AllRules(bounded)) > 0 {
				t.Errorf("it is computed with: %+v", bounded)
			}
			if tt.kind.Propagates() {
				web.Claim = &model.PolicyClaim{Ref: more.Ref}
				taker := decode(t, tt.kind, "{metadata: {name: taker}, spec: {preemption: Always, resourceSelectors: ["+selector+"]}}")
				if got := (&policy.Change{After: taker, Others: []*model.PolicyBody{bounded}, Preemption: true}).Claims(web); got.By != bounded {
					t.Errorf("what it claims goes to %+v", got)
				}
			}
		})
	}
}

// Each selector costs the same, however many there are.
func TestWhatManySelectorsNeedIsFoundInOnePass(t *testing.T) {
	var text strings.Builder
	const many = 10_000
	for i := range many {
		fmt.Fprintf(&text, "{apiVersion: apps/v1, kind: Deployment, name: w%d},", many-i)
	}
	p := decode(t, model.PolicyOverride, selectors(text.String()))
	var got []policy.Read
	took := bombs.Allocated(t, func() { got = policy.Reads(p) })
	if len(got) != 1 || len(got[0].Names) != many || got[0].Names[0] != "w1" {
		t.Fatalf("%d reads", len(got))
	}
	if most := uint64(many * 1000); took > most {
		t.Errorf("%d bytes were allocated for it, at most %d are expected", took, most)
	}
}

func TestAReadThatAnotherOneCoversIsLeftOut(t *testing.T) {
	const d = "apiVersion: apps/v1, kind: Deployment"
	p := decode(t, model.PolicyClusterPropagation, selectors("{"+d+", name: web, namespace: a}, {"+d+", name: api}, {"+d+", name: web}, {"+d+
		", namespace: b, labelSelector: {matchLabels: {x: z}}}, {"+d+", labelSelector: {matchLabels: {x: z}}}, {"+d+", namespace: b, name: other}"))
	var text []string
	for _, r := range policy.Reads(p) {
		text = append(text, fmt.Sprintf("%s %v %s", r.Namespace, r.Names, r.LabelSelector))
	}
	if got := strings.Join(text, "; "); got != " [api web] ;  [] x=z; b [other] " {
		t.Errorf("reads are %q", got)
	}
}
