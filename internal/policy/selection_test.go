package policy_test

import (
	"testing"

	"sigs.k8s.io/yaml"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/policy"
)

func TestWhatAPolicySelectedIsKnownWithoutIt(t *testing.T) {
	version := func(spec string) []byte {
		if spec == "" {
			return nil
		}
		raw, err := yaml.YAMLToJSON([]byte("{metadata: {namespace: shop, name: p}, " + spec + "}"))
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
	const web, api = "{apiVersion: apps/v1, kind: Deployment, name: web}", "{apiVersion: apps/v1, kind: Deployment, name: api}"
	for _, c := range []struct {
		name          string
		kind          model.PolicyKind
		before, after string
		known, web    bool
	}{
		{"one that is made", model.PolicyPropagation, "", selectors(web), true, true},
		{"one of something else", model.PolicyPropagation, "", selectors(api), true, false},
		{"one that is deleted", model.PolicyOverride, selectors(web), "", true, true},
		{"one that let go of it", model.PolicyPropagation, selectors(web), selectors(api), true, true},
		{"one that came to select it", model.PolicyOverride, selectors(api), selectors(web), true, true},
		{"an override of everything, once", model.PolicyOverride, "spec: {}", selectors(api), true, true},
		{"an override of everything, now", model.PolicyOverride, selectors(api), "spec: {}", true, true},
		{"a propagation policy of nothing", model.PolicyPropagation, "", "spec: {}", false, false},
		{"one by labels", model.PolicyPropagation, "", selectors("{apiVersion: apps/v1, kind: Deployment, labelSelector: {matchLabels: {a: '1'}}}"), true, true},
		{"one by other labels", model.PolicyPropagation, "", selectors("{apiVersion: apps/v1, kind: Deployment, labelSelector: {matchLabels: {a: '2'}}}"), true, false},
		{"one that could not be read", model.PolicyOverride, "", "", false, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			selection := policy.Selection(c.kind, version(c.before), version(c.after))
			if (selection != nil) != c.known {
				t.Fatalf("%+v", selection)
			}
			ref := model.Ref{Instance: "asia", GVK: c.kind.GVK(), Namespace: "shop", Name: "p"}
			if got := c.known && policy.SelectedBy(ref, selection, object("shop", "web")); got != c.web {
				t.Errorf("selected: %t", got)
			}
			if policy.SelectedBy(ref, selection, object("payments", "web")) {
				t.Error("it selected something in another namespace")
			}
		})
	}
	if got := policy.Selection(model.PolicyOverride, []byte("{")); got != nil {
		t.Errorf("what is no JSON selects %+v", got)
	}
	if policy.SelectedBy(model.Ref{Namespace: "shop"}, nil, object("shop", "web")) {
		t.Error("what is no policy selected something")
	}
}
