package policy

import (
	"encoding/json"
	"fmt"

	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"

	"github.com/kairship-io/kairship/internal/model"
)

// Overriders is what an override policy does to objects in a cluster, rule by rule, in Karmada's own type.
func Overriders(p *model.PolicyBody, c *model.Cluster) ([]policyv1alpha1.Overriders, error) {
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
	var out []policyv1alpha1.Overriders
	for i, rule := range AllRules(p) {
		if i < len(all) && AffinityMatches(rule.TargetCluster, c) {
			out = append(out, all[i])
		}
	}
	return out, nil
}
