package model_test

import (
	"errors"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

func TestAPolicyIsOfItsKind(t *testing.T) {
	for _, kind := range model.PolicyKinds {
		p := model.NewPolicy(model.PolicyMeta{Ref: model.Ref{GVK: kind.GVK(), Name: "p"}})
		if p == nil || p.PolicyMetadata().PolicyKind() != kind {
			t.Errorf("%s makes %v", kind, p)
		}
		if kind.GVR().Resource == "" || kind.GVK().Kind == "" {
			t.Errorf("%s has the resource %s", kind, kind.GVR())
		}
	}
	if p := model.NewPolicy(model.PolicyMeta{Ref: model.Ref{GVK: model.KindDeployment.GVK()}}); p != nil {
		t.Errorf("a Deployment is taken for the policy %v", p)
	}
	other := model.PolicyPropagation.GVK()
	other.Group = "example.com"
	if p := model.NewPolicy(model.PolicyMeta{Ref: model.Ref{GVK: other}}); p != nil {
		t.Errorf("a kind of the same name in another group is taken for the policy %v", p)
	}
}

func TestAPolicyFilterRefusesWhatCanMatchNothing(t *testing.T) {
	text := func(s string) *string { return &s }
	cases := []struct {
		name   string
		filter *model.PolicyFilter
		field  string
	}{
		{"no filter", nil, ""},
		{"a part of a name", &model.PolicyFilter{NameContains: text("web-1.x")}, ""},
		{"a quote in a name", &model.PolicyFilter{NameContains: text("a'b")}, "nameContains"},
		{"a selector", &model.PolicyFilter{LabelSelector: text("a in (b),!c")}, ""},
		{"half a selector", &model.PolicyFilter{LabelSelector: text("a in (")}, "labelSelector"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			var bad *model.Error
			switch err := c.filter.Validate(); {
			case c.field == "" && err != nil:
				t.Error(err)
			case c.field != "" && (!errors.As(err, &bad) || bad.Code != model.CodeBadUserInput || bad.Field[0] != c.field):
				t.Errorf("got %v, want bad input of %s", err, c.field)
			}
		})
	}
}
