package policy

import (
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

// ClusterTaintPolicyOf is what an object says as a ClusterTaintPolicy; nil for another kind.
func ClusterTaintPolicyOf(o *model.Object) (*model.ClusterTaintPolicy, error) {
	if o.Ref.GVK != objects.ClusterTaintPolicy {
		return nil, nil //nolint:nilnil // another kind says nothing
	}
	in, err := decode[policyv1alpha1.ClusterTaintPolicySpec](o.Ref, o.Raw)
	if err != nil {
		return nil, err
	}
	matches := func(all []policyv1alpha1.MatchCondition) []model.ClusterConditionMatch {
		return each(all, func(m *policyv1alpha1.MatchCondition) model.ClusterConditionMatch {
			return model.ClusterConditionMatch{
				ConditionType: m.ConditionType, Operator: enum[model.SelectorOperator](m.Operator),
				StatusValues: each(m.StatusValues, func(s *metav1.ConditionStatus) model.FactValue { return enum[model.FactValue](*s) }),
			}
		})
	}
	return &model.ClusterTaintPolicy{
		TargetClusters: clusterAffinity(in.Spec.TargetClusters), AddOnConditions: matches(in.Spec.AddOnConditions), RemoveOnConditions: matches(in.Spec.RemoveOnConditions),
		Taints: each(in.Spec.Taints, func(t *policyv1alpha1.Taint) model.Taint {
			return model.Taint{Key: t.Key, Value: t.Value, Effect: enum[model.TaintEffect](t.Effect)}
		}),
	}, nil
}
