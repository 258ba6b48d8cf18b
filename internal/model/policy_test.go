package model_test

import (
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
