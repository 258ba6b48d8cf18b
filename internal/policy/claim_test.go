package policy

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// claiming is a policy for a table: "NAMESPACE/NAME PRIORITY SELECTORS PREEMPTION"; one without a namespace is cluster-wide.
func claiming(t *testing.T, text string) *model.PolicyBody {
	t.Helper()
	f := strings.Fields(text)
	namespace, name, _ := strings.Cut(f[0], "/")
	kind := model.PolicyPropagation
	if namespace == "" {
		kind = model.PolicyClusterPropagation
	}
	selector := map[string]string{
		"name": `{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"cart"}`, "bare": `{"apiVersion":"apps/v1","kind":"Deployment","name":"cart"}`,
		"labels": `{"apiVersion":"apps/v1","kind":"Deployment","labelSelector":{"matchLabels":{"app":"cart"}}}`, "kind": `{"apiVersion":"apps/v1","kind":"Deployment"}`,
		"other": `{"apiVersion":"apps/v1","kind":"Deployment","namespace":"shop","name":"till"}`,
	}[f[2]]
	preemption := "Never"
	if len(f) > 3 {
		preemption = f[3]
	}
	raw := `{"metadata":{"namespace":"` + namespace + `","name":"` + name + `"},"spec":{"priority":` + f[1] + `,"preemption":"` + preemption + `","resourceSelectors":[` + selector + `],"placement":{}}}`
	meta, err := Decode(kind, "asia", []byte(raw))
	if err != nil {
		t.Fatal(err)
	}
	return meta.Body
}

func TestWhoClaimsAfterAChange(t *testing.T) {
	for _, tc := range []struct {
		name, before, after string
		others              string
		claim               string
		hidden, without     bool
		want                string
		gate                bool
	}{
		{name: "a new policy takes what nobody has", after: "shop/a 0 name", want: "shop/a ONLY_MATCH"},
		{name: "a new policy that selects something else takes nothing", after: "shop/a 0 other", want: "NOT_SELECTED"},
		{name: "of two policies the one in the namespace comes first", after: "shop/a 0 kind", others: "/b 9 name", want: "shop/a NAMESPACED_FIRST"},
		{name: "of two policies the higher priority comes first", after: "shop/a 1 kind", others: "shop/b 0 name", want: "shop/a PRIORITY"},
		{name: "of two policies the more exact comes first", after: "shop/b 0 name", others: "shop/a 0 labels", want: "shop/b SELECTOR_PRECISION"},
		{name: "of two policies the name decides last", after: "shop/a 0 name", others: "shop/b 0 name", want: "shop/a NAME_ORDER"},
		{name: "a claim stays", after: "shop/a 9 name", others: "shop/b 0 name", claim: "shop/b", want: "shop/b FIRST_CLAIM_STAYS"},
		{name: "a claim of a policy in all namespaces stays", after: "shop/a 9 name", others: "/b 0 name", claim: "/b", want: "/b FIRST_CLAIM_STAYS"},
		{name: "preemption takes over by name", after: "shop/a 9 name Always", others: "shop/b 0 name", claim: "shop/b", want: "shop/a PREEMPTION", gate: true},
		{name: "without the gate it does not", after: "shop/a 9 name Always", others: "shop/b 0 name", claim: "shop/b", without: true, want: "shop/b FIRST_CLAIM_STAYS", gate: true},
		{name: "preemption needs more priority", after: "shop/a 0 name Always", others: "shop/b 0 name", claim: "shop/b", want: "shop/b FIRST_CLAIM_STAYS"},
		{name: "preemption needs the name", after: "shop/a 9 labels Always", others: "shop/b 0 name", claim: "shop/b", want: "shop/b FIRST_CLAIM_STAYS"},
		{name: "in a namespace it needs no priority against all namespaces", after: "shop/a 0 name Always", others: "/b 9 name", claim: "/b", want: "shop/a PREEMPTION", gate: true},
		{name: "for all namespaces it takes over from its like", after: "/a 9 name Always", others: "/b 0 name", claim: "/b", want: "/a PREEMPTION", gate: true},
		{name: "for all namespaces it has to name the namespace", after: "/a 9 bare Always", others: "/b 0 name", claim: "/b", want: "/b FIRST_CLAIM_STAYS"},
		{name: "for all namespaces it takes nothing from one in a namespace", after: "/a 9 name Always", others: "shop/b 0 name", claim: "shop/b", want: "shop/b FIRST_CLAIM_STAYS"},
		{name: "an edit that selects it still keeps it", before: "shop/a 0 name", after: "shop/a 0 kind", others: "shop/b 9 name", claim: "shop/a", want: "shop/a FIRST_CLAIM_STAYS"},
		{name: "an edit that drops it leaves it to the next", before: "shop/a 0 name", after: "shop/a 0 other", others: "shop/b 0 kind", claim: "shop/a", want: "shop/b ONLY_MATCH"},
		{name: "an edit that drops it leaves it to nobody", before: "shop/a 0 name", after: "shop/a 0 other", claim: "shop/a", want: "NOT_SELECTED"},
		{name: "less priority lets one between take over", before: "shop/a 9 name", after: "shop/a 1 name", others: "shop/b 5 name Always", claim: "shop/a", want: "shop/b PREEMPTION", gate: true},
		{name: "less priority, the highest between", before: "shop/a 9 name", after: "shop/a 1 name", others: "shop/b 5 name Always;shop/c 6 name Always", claim: "shop/a", want: "shop/c PREEMPTION", gate: true},
		{name: "less priority, but one above the old is not looked at", before: "shop/a 9 name", after: "shop/a 1 name", others: "shop/b 10 name Always", claim: "shop/a", want: "shop/a FIRST_CLAIM_STAYS"},
		{name: "a deletion leaves it to the next", before: "shop/a 0 name", others: "/c 9 name;shop/b 0 kind", claim: "shop/a", want: "shop/b NAMESPACED_FIRST"},
		{name: "a deletion leaves it to nobody", before: "shop/a 0 name", claim: "shop/a", want: "NO_OTHER_POLICY"},
		{name: "a deletion leaves alone what another has", before: "shop/a 0 name", others: "shop/b 0 name", claim: "shop/b", want: "shop/b NOT_SELECTED"},
		{name: "a claim by a policy that is gone is none", after: "shop/a 0 name", claim: "shop/gone", want: "shop/a ONLY_MATCH"},
		{name: "a claim by a hidden policy stays", after: "shop/a 9 name", claim: "shop/hidden", hidden: true, want: "shop/hidden FIRST_CLAIM_STAYS"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			c := &Change{Preemption: !tc.without, Hidden: tc.hidden}
			if tc.before != "" {
				c.Before = claiming(t, tc.before)
			}
			if tc.after != "" {
				c.After = claiming(t, tc.after)
			}
			for _, text := range strings.Split(tc.others, ";") {
				if text != "" {
					c.Others = append(c.Others, claiming(t, text))
				}
			}
			o := &model.Object{Ref: model.Ref{Instance: "asia", Namespace: "shop", Name: "cart"}, Labels: []model.KeyValue{{Key: "app", Value: "cart"}}}
			o.Ref.GVK.Group, o.Ref.GVK.Version, o.Ref.GVK.Kind = "apps", "v1", "Deployment"
			if namespace, name, ok := strings.Cut(tc.claim, "/"); ok {
				kind := model.PolicyPropagation
				if namespace == "" {
					kind = model.PolicyClusterPropagation
				}
				o.Claim = &model.PolicyClaim{Ref: model.Ref{Instance: "asia", GVK: kind.GVK(), Namespace: namespace, Name: name}}
			}
			claimed := c.Claims(o)
			got := string(claimed.Rule)
			if claimed.By != nil {
				got = claimed.By.Ref.Namespace + "/" + claimed.By.Ref.Name + " " + got
			}
			if got != tc.want || claimed.Gate != tc.gate || claimed.Reason == "" {
				t.Errorf("got %q (%q, gate %t), want %q (gate %t)", got, claimed.Reason, claimed.Gate, tc.want, tc.gate)
			}
		})
	}
}
