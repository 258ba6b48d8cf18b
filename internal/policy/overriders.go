package policy

import (
	"encoding/json"
	"fmt"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
)

// Overriding is an override policy with its overriders in Karmada's own type. They are read once for all objects and clusters.
type Overriding struct {
	Ref   model.Ref
	rules []model.OverrideRule
	all   []policyv1alpha1.Overriders
}

// NewOverriding reads the overriders of an override policy.
func NewOverriding(p *model.PolicyBody) (*Overriding, error) {
	var o struct {
		Spec policyv1alpha1.OverrideSpec `json:"spec"`
	}
	// Overriders contain raw JSON of API machinery, which only encoding/json decodes.
	if err := json.Unmarshal(p.Raw, &o); err != nil {
		return nil, fmt.Errorf("decoding a %s: %w", p.Ref.GVK.Kind, err)
	}
	all := []policyv1alpha1.Overriders{o.Spec.Overriders} //nolint:staticcheck // the deprecated form still counts
	if len(o.Spec.OverrideRules) > 0 {
		all = nil
		for i := range o.Spec.OverrideRules {
			all = append(all, o.Spec.OverrideRules[i].Overriders)
		}
	}
	return &Overriding{Ref: p.Ref, rules: AllRules(p), all: all}, nil
}

// In is what the policy does to objects in a cluster, rule by rule.
func (o *Overriding) In(c *model.Cluster) []policyv1alpha1.Overriders {
	var out []policyv1alpha1.Overriders
	for i := range o.rules {
		if i < len(o.all) && AffinityMatches(o.rules[i].TargetCluster, c) {
			out = append(out, o.all[i])
		}
	}
	return out
}
