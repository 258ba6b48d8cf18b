package policy

import (
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/kairship-io/kairship/internal/model"
)

func overrideSpec(s *policyv1alpha1.OverrideSpec) *model.OverrideSpec {
	out := &model.OverrideSpec{
		ResourceSelectors: each(s.ResourceSelectors, resourceSelector),
		OverrideRules: each(s.OverrideRules, func(r *policyv1alpha1.RuleWithCluster) model.OverrideRule {
			return model.OverrideRule{TargetCluster: clusterAffinity(r.TargetCluster), Overriders: overriders(&r.Overriders)}
		}),
	}
	if len(s.OverrideRules) == 0 {
		out.TargetCluster = clusterAffinity(s.TargetCluster) //nolint:staticcheck // the deprecated form still counts
		o := overriders(&s.Overriders)                       //nolint:staticcheck // the deprecated form still counts
		out.Overriders = &o
	}
	return out
}

func overriders(o *policyv1alpha1.Overriders) model.Overriders {
	return model.Overriders{
		ImageOverrider:       each(o.ImageOverrider, imageOverrider),
		CommandOverrider:     each(o.CommandOverrider, commandArgsOverrider),
		ArgsOverrider:        each(o.ArgsOverrider, commandArgsOverrider),
		LabelsOverrider:      each(o.LabelsOverrider, labelAnnotationOverrider),
		AnnotationsOverrider: each(o.AnnotationsOverrider, labelAnnotationOverrider),
		FieldOverrider: each(o.FieldOverrider, func(f *policyv1alpha1.FieldOverrider) model.FieldOverrider {
			return model.FieldOverrider{
				FieldPath: f.FieldPath,
				JSON: each(f.JSON, func(p *policyv1alpha1.JSONPatchOperation) model.FieldPatch {
					return fieldPatch(p.SubPath, p.Operator, p.Value)
				}),
				YAML: each(f.YAML, func(p *policyv1alpha1.YAMLPatchOperation) model.FieldPatch {
					return fieldPatch(p.SubPath, p.Operator, p.Value)
				}),
			}
		}),
		Plaintext: each(o.Plaintext, func(p *policyv1alpha1.PlaintextOverrider) model.PlaintextOverrider {
			return model.PlaintextOverrider{Path: p.Path, Operator: operator(p.Operator), Value: jsonText(p.Value)}
		}),
	}
}

func operator(o policyv1alpha1.OverriderOperator) model.OverriderOperator {
	return enum[model.OverriderOperator](o)
}

func imageOverrider(o *policyv1alpha1.ImageOverrider) model.ImageOverrider {
	out := model.ImageOverrider{Component: enum[model.ImageComponent](o.Component), Operator: operator(o.Operator), Value: orNil(o.Value)}
	if o.Predicate != nil {
		out.Predicate = &model.ImagePredicate{Path: o.Predicate.Path}
	}
	return out
}

func commandArgsOverrider(o *policyv1alpha1.CommandArgsOverrider) model.CommandArgsOverrider {
	return model.CommandArgsOverrider{ContainerName: o.ContainerName, Operator: operator(o.Operator), Value: some(o.Value)}
}

func labelAnnotationOverrider(o *policyv1alpha1.LabelAnnotationOverrider) model.LabelAnnotationOverrider {
	return model.LabelAnnotationOverrider{Operator: operator(o.Operator), Value: model.KeyValues(o.Value)}
}

func fieldPatch(path string, op policyv1alpha1.OverriderOperator, value apiextensionsv1.JSON) model.FieldPatch {
	return model.FieldPatch{SubPath: path, Operator: operator(op), Value: jsonText(value)}
}

// jsonText is a value's JSON as written in the policy; nil for none.
func jsonText(v apiextensionsv1.JSON) *string { return orNil(string(v.Raw)) }
