package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
)

func TestWhatAPolicySelectsIsRecordedWithinBounds(t *testing.T) {
	text := func(s string) *string { return &s }
	deployments := func(n int) (out []model.ResourceSelector) {
		for i := range n {
			out = append(out, model.ResourceSelector{APIVersion: "apps/v1", Kind: "Deployment", Namespace: text("shop"), Name: text(fmt.Sprint("web-", i))})
		}
		return out
	}
	kinds := func(n int) (out []model.ResourceSelector) {
		for i := range n {
			out = append(out, model.ResourceSelector{APIVersion: "v1", Kind: fmt.Sprint("Kind", i)})
		}
		return out
	}
	labelled := func(n int) []model.ResourceSelector {
		labels := &model.LabelSelector{}
		for i := range n {
			labels.MatchExpressions = append(labels.MatchExpressions, model.SelectorRequirement{Key: fmt.Sprint("k", i), Operator: model.OperatorIn, Values: []string{"v"}})
		}
		return []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment", LabelSelector: labels}}
	}
	anyDeployment := []model.ResourceSelector{{APIVersion: "apps/v1", Kind: "Deployment"}}
	for name, c := range map[string]struct{ in, want []model.ResourceSelector }{
		"nothing that is known":             {nil, nil},
		"everything":                        {[]model.ResourceSelector{}, []model.ResourceSelector{}},
		"a hundred names":                   {deployments(100), deployments(100)},
		"more names, as their kind":         {deployments(101), anyDeployment},
		"more kinds than there is room for": {kinds(200), kinds(100)},
		"labels":                            {labelled(10), labelled(10)},
		"endless labels, as their kind":     {labelled(400), anyDeployment},
		"a text without end":                {[]model.ResourceSelector{{APIVersion: "v1", Kind: "A", Name: text(strings.Repeat("a", 9000))}}, []model.ResourceSelector{{APIVersion: "v1", Kind: "A", Name: text(strings.Repeat("a", 509) + "…")}}},
		"a secret":                          {[]model.ResourceSelector{{APIVersion: "v1", Kind: "A\x00", Name: text("in-the-mine")}}, []model.ResourceSelector{{APIVersion: "v1", Kind: "A ", Name: text(redact.Mark)}}},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, tidy(Event{Selects: c.in}, redact.NewValues([]string{"in-the-mine"})).Selects); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}
