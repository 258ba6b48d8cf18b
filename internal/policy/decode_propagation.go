package policy

import (
	policyv1alpha1 "github.com/karmada-io/karmada/pkg/apis/policy/v1alpha1"
	corev1 "k8s.io/api/core/v1"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
)

// defaultScheduler is the scheduler of policies that name none.
const defaultScheduler = "default-scheduler"

// propagationSpec fills in the defaults of Karmada's webhook and CRD: a policy in a dry run has not passed through
// them.
func propagationSpec(s *policyv1alpha1.PropagationSpec) *model.PropagationSpec {
	out := &model.PropagationSpec{
		ResourceSelectors:    each(s.ResourceSelectors, resourceSelector),
		Association:          s.Association,
		PropagateDeps:        s.PropagateDeps,
		Placement:            placement(&s.Placement),
		Priority:             s.ExplicitPriority(),
		Preemption:           enumOr(s.Preemption, model.PreemptNever),
		DependentOverrides:   some(s.DependentOverrides),
		SchedulerName:        s.SchedulerName,
		Failover:             failover(s.Failover),
		ConflictResolution:   enumOr(s.ConflictResolution, model.ConflictAbort),
		ActivationPreference: enumOr(s.ActivationPreference, model.ActivationImmediate),
		Suspension:           suspension(s.Suspension),
	}
	if out.SchedulerName == "" {
		out.SchedulerName = defaultScheduler
	}
	if s.PreserveResourcesOnDeletion != nil {
		out.PreserveResourcesOnDeletion = *s.PreserveResourcesOnDeletion
	}
	if p := s.SchedulePriority; p != nil {
		out.SchedulePriority = &model.SchedulePriority{
			PriorityClassSource: enumOr(p.PriorityClassSource, model.PriorityKube),
			PriorityClassName:   p.PriorityClassName,
		}
	}
	return out
}

func placement(p *policyv1alpha1.Placement) model.Placement {
	out := model.Placement{
		ClusterAffinity:    clusterAffinity(p.ClusterAffinity),
		ClusterAffinities:  each(p.ClusterAffinities, affinityTerm),
		ClusterTolerations: each(p.ClusterTolerations, toleration),
		SpreadConstraints:  each(p.SpreadConstraints, spreadConstraint),
		ReplicaScheduling:  replicaScheduling(p.ReplicaScheduling),
	}
	if w := p.WorkloadAffinity; w != nil {
		out.WorkloadAffinity = &model.WorkloadAffinity{}
		if w.Affinity != nil {
			out.WorkloadAffinity.Affinity = &model.WorkloadAffinityTerm{GroupByLabelKey: w.Affinity.GroupByLabelKey}
		}
		if w.AntiAffinity != nil {
			out.WorkloadAffinity.AntiAffinity = &model.WorkloadAffinityTerm{GroupByLabelKey: w.AntiAffinity.GroupByLabelKey}
		}
	}
	return out
}

func clusterAffinity(a *policyv1alpha1.ClusterAffinity) *model.ClusterAffinity {
	if a == nil {
		return nil
	}
	out := &model.ClusterAffinity{
		LabelSelector: objects.LabelSelector(a.LabelSelector),
		ClusterNames:  some(a.ClusterNames),
		Exclude:       some(a.ExcludeClusters),
	}
	if a.FieldSelector != nil {
		out.FieldSelector = &model.FieldSelector{
			MatchExpressions: each(a.FieldSelector.MatchExpressions, func(r *corev1.NodeSelectorRequirement) model.SelectorRequirement {
				return model.SelectorRequirement{Key: r.Key, Operator: enum[model.SelectorOperator](r.Operator), Values: some(r.Values)}
			}),
		}
	}
	return out
}

func affinityTerm(t *policyv1alpha1.ClusterAffinityTerm) model.ClusterAffinityTerm {
	return model.ClusterAffinityTerm{
		AffinityName: t.AffinityName, ClusterAffinity: *clusterAffinity(&t.ClusterAffinity),
		OverflowAffinities: each(t.OverflowAffinities, func(o *policyv1alpha1.OverflowClusterAffinity) model.OverflowClusterAffinity {
			return model.OverflowClusterAffinity{AffinityName: o.AffinityName, ClusterAffinity: *clusterAffinity(&o.ClusterAffinity)}
		}),
	}
}

func toleration(t *corev1.Toleration) model.Toleration {
	return model.Toleration{
		Key: orNil(t.Key), Operator: enumOr(t.Operator, model.TolerationEqual), Value: orNil(t.Value),
		Effect: enumOrNil[model.TaintEffect](t.Effect), TolerationSeconds: t.TolerationSeconds,
	}
}

func spreadConstraint(c *policyv1alpha1.SpreadConstraint) model.SpreadConstraint {
	out := model.SpreadConstraint{SpreadByField: enumOrNil[model.SpreadField](c.SpreadByField), SpreadByLabel: orNil(c.SpreadByLabel)}
	if out.SpreadByField == nil && out.SpreadByLabel == nil {
		field := model.SpreadCluster
		out.SpreadByField = &field
	}
	out.MinGroups = max(c.MinGroups, 1)
	if c.MaxGroups != 0 {
		out.MaxGroups = &c.MaxGroups
	}
	return out
}

func replicaScheduling(r *policyv1alpha1.ReplicaSchedulingStrategy) *model.ReplicaScheduling {
	if r == nil {
		return nil
	}
	out := &model.ReplicaScheduling{
		Type:               enumOr(r.ReplicaSchedulingType, model.ReplicasDivided),
		DivisionPreference: enumOrNil[model.ReplicaDivisionPreference](r.ReplicaDivisionPreference),
	}
	if w := r.WeightPreference; w != nil {
		out.WeightPreference = &model.WeightPreference{
			DynamicWeight: enumOrNil[model.DynamicWeight](w.DynamicWeight),
			StaticWeights: each(w.StaticWeightList, func(w *policyv1alpha1.StaticClusterWeight) model.StaticWeight {
				return model.StaticWeight{TargetCluster: *clusterAffinity(&w.TargetCluster), Weight: w.Weight}
			}),
		}
	}
	return out
}

func failover(f *policyv1alpha1.FailoverBehavior) *model.FailoverBehavior {
	if f == nil {
		return nil
	}
	out := &model.FailoverBehavior{}
	if a := f.Application; a != nil {
		out.Application = &model.ApplicationFailover{
			DecisionConditions: model.FailoverDecisionConditions{TolerationSeconds: a.DecisionConditions.TolerationSeconds},
			PurgeMode:          enumOrNil[model.PurgeMode](a.PurgeMode),
			GracePeriodSeconds: a.GracePeriodSeconds,

			StatePreservation: statePreservation(a.StatePreservation),
		}
	}
	if c := f.Cluster; c != nil {
		out.Cluster = &model.ClusterFailover{
			PurgeMode:         enumOrNil[model.PurgeMode](c.PurgeMode),
			StatePreservation: statePreservation(c.StatePreservation),
		}
	}
	return out
}

func statePreservation(s *policyv1alpha1.StatePreservation) *model.StatePreservation {
	if s == nil {
		return nil
	}
	return &model.StatePreservation{Rules: each(s.Rules, func(r *policyv1alpha1.StatePreservationRule) model.StatePreservationRule {
		return model.StatePreservationRule{AliasLabelName: r.AliasLabelName, JSONPath: r.JSONPath}
	})}
}

func suspension(s *policyv1alpha1.Suspension) *model.PolicySuspension {
	if s == nil {
		return nil
	}
	out := &model.PolicySuspension{Dispatching: s.Dispatching != nil && *s.Dispatching, DispatchingOnClusters: []string{}}
	if s.DispatchingOnClusters != nil {
		out.DispatchingOnClusters = some(s.DispatchingOnClusters.ClusterNames)
	}
	return out
}
