package resolvers_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/model"
)

// However a policy is written, the audit log knows what it selects.
func TestEveryWriteOfAPolicyTellsWhatItSelects(t *testing.T) {
	policy := inAsia("policy.karmada.io", "v1alpha1", "PropagationPolicy", "shop", "cart")
	for name, mutation := range map[string]string{
		"one that is made":                          good(t, "createPolicy"),
		"one that is changed":                       good(t, "updatePolicy"),
		"one that is deleted":                       good(t, "deletePolicy"),
		"one that is deleted as any object":         `deleteResource(input:{id:` + policy + `}){userErrors{code message}}`,
		"one that is patched":                       `patchResource(input:{patch:"{metadata: {labels: {a: b}}}", id:` + policy + `}){userErrors{code message}}`,
		"one that is applied":                       `applyManifests(input:{instance:"asia", manifests:"` + aPolicy + `"}){userErrors{code message}}`,
		"those that are made with what they select": good(t, "createWorkload"),
	} {
		t.Run(name, func(t *testing.T) {
			c := newChanging(t)
			if got := c.mutate(t, "owner", mutation); len(got.Errors) > 0 || strings.Contains(fmt.Sprint(got.Data), "code") {
				t.Fatalf("it does not work: %v", got)
			}
			policies := 0
			for _, e := range c.recorded(t) {
				_, ok := model.PolicyKindOf(e.Object.GVK.Group, e.Object.GVK.Kind)
				if ok {
					policies++
				}
				if ok && (len(e.Selects) == 0 || e.Selects[0].Kind != "Deployment") || !ok && e.Selects != nil {
					t.Errorf("%s %s selects %+v", e.Object.GVK.Kind, e.Object.Name, e.Selects)
				}
			}
			if policies == 0 {
				t.Error("nothing is recorded of a policy")
			}
		})
	}
}
