package resolvers

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

// policyResolver resolves the fields that policies of all kinds have, and those of a spec, which the schema has only
// for kinds with that spec. A policy may be known by its name alone; its body is read when one of its fields is
// requested.
type policyResolver[T model.Policy] struct{ *Resolver }

// policyField reads one field of a policy's body; its zero value when the policy is gone.
func policyField[T any](ctx context.Context, p model.Policy, field func(*model.PolicyBody) T) (T, error) {
	body, err := loaders.From(ctx).PolicyBody(ctx, p.PolicyMetadata())
	if err != nil || body == nil {
		var none T
		return none, err
	}
	return field(body), nil
}

func (r policyResolver[T]) Instance(ctx context.Context, obj T) (*model.Instance, error) {
	return loaders.From(ctx).Instance(obj.ObjectRef().Instance)
}

func (policyResolver[T]) Cluster(context.Context, T) (*model.Cluster, error) {
	return nil, nil //nolint:nilnil // policies live in control planes
}

func (policyResolver[T]) Propagation(context.Context, T) (*model.Propagation, error) {
	return nil, nil //nolint:nilnil // policies are not propagated
}

func (policyResolver[T]) Manifest(ctx context.Context, obj T, format model.ManifestFormat) (*string, error) {
	raw, err := policyField(ctx, obj, func(b *model.PolicyBody) []byte { return b.Raw })
	if err != nil || raw == nil {
		return nil, err
	}
	return writeManifest(obj.ObjectRef(), raw, format)
}

// policyObject is the common part of a policy; nil when it is gone.
func policyObject(ctx context.Context, p model.Policy) (*model.Object, error) {
	return policyField(ctx, p, func(b *model.PolicyBody) *model.Object { return &b.Object })
}

func (policyResolver[T]) Owners(ctx context.Context, obj T) ([]model.KubernetesObject, error) {
	o, err := policyObject(ctx, obj)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Owners(ctx, o)
}

func (policyResolver[T]) Children(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[model.KubernetesObject], error) {
	o, err := policyObject(ctx, obj)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Children(ctx, o, listOptions(ctx, first, after))
}

func (policyResolver[T]) Events(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[*model.KubernetesEvent], error) {
	o, err := policyObject(ctx, obj)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Events(ctx, o, listOptions(ctx, first, after))
}

func (r policyResolver[T]) Timeline(ctx context.Context, obj T, first *int32, after *string, since *time.Time) (*model.TimelineConnection, error) {
	o, err := policyObject(ctx, obj)
	if o == nil || err != nil {
		return nil, err
	}
	return r.timelineOf(ctx, o, nil, page(first, after), since)
}

func (policyResolver[T]) Matched(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[model.Workload], error) {
	return loaders.From(ctx).PolicyMatched(ctx, obj.PolicyMetadata(), listOptions(ctx, first, after))
}

func (policyResolver[T]) Bindings(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[*model.ResourceBinding], error) {
	return loaders.From(ctx).PolicyBindings(ctx, obj.PolicyMetadata(), listOptions(ctx, first, after))
}

func (policyResolver[T]) Clusters(ctx context.Context, obj T) ([]model.Cluster, error) {
	clusters, err := loaders.From(ctx).PolicyClusters(ctx, obj.PolicyMetadata())
	return byValue(ctx, clusters, err)
}

func (policyResolver[T]) UID(ctx context.Context, obj T) (*string, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *string { return &b.UID })
}

func (policyResolver[T]) Labels(ctx context.Context, obj T) ([]model.KeyValue, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) []model.KeyValue { return b.Labels })
}

func (policyResolver[T]) Annotations(ctx context.Context, obj T) ([]model.KeyValue, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) []model.KeyValue { return b.Annotations })
}

func (policyResolver[T]) ResourceVersion(ctx context.Context, obj T) (*string, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *string { return &b.ResourceVersion })
}

func (policyResolver[T]) CreatedAt(ctx context.Context, obj T) (*time.Time, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *time.Time { return &b.CreatedAt })
}

func (policyResolver[T]) DeletedAt(ctx context.Context, obj T) (*time.Time, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *time.Time { return b.DeletedAt })
}

func (policyResolver[T]) ResourceSelectors(ctx context.Context, obj T) ([]model.ResourceSelector, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) []model.ResourceSelector { return b.Selectors() })
}

func (policyResolver[T]) Association(ctx context.Context, obj T) (*bool, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *bool { return &b.Propagation.Association })
}

func (policyResolver[T]) PropagateDeps(ctx context.Context, obj T) (*bool, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *bool { return &b.Propagation.PropagateDeps })
}

func (policyResolver[T]) Placement(ctx context.Context, obj T) (*model.Placement, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.Placement { return &b.Propagation.Placement })
}

func (policyResolver[T]) Priority(ctx context.Context, obj T) (*int32, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *int32 { return &b.Propagation.Priority })
}

func (policyResolver[T]) Preemption(ctx context.Context, obj T) (*model.PreemptionBehavior, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.PreemptionBehavior { return &b.Propagation.Preemption })
}

func (policyResolver[T]) DependentOverrides(ctx context.Context, obj T) ([]string, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) []string { return b.Propagation.DependentOverrides })
}

func (policyResolver[T]) SchedulerName(ctx context.Context, obj T) (*string, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *string { return &b.Propagation.SchedulerName })
}

func (policyResolver[T]) Failover(ctx context.Context, obj T) (*model.FailoverBehavior, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.FailoverBehavior { return b.Propagation.Failover })
}

func (policyResolver[T]) ConflictResolution(ctx context.Context, obj T) (*model.ConflictResolution, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.ConflictResolution { return &b.Propagation.ConflictResolution })
}

func (policyResolver[T]) ActivationPreference(ctx context.Context, obj T) (*model.ActivationPreference, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.ActivationPreference { return &b.Propagation.ActivationPreference })
}

func (policyResolver[T]) Suspension(ctx context.Context, obj T) (*model.PolicySuspension, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.PolicySuspension { return b.Propagation.Suspension })
}

func (policyResolver[T]) PreserveResourcesOnDeletion(ctx context.Context, obj T) (*bool, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *bool { return &b.Propagation.PreserveResourcesOnDeletion })
}

func (policyResolver[T]) SchedulePriority(ctx context.Context, obj T) (*model.SchedulePriority, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.SchedulePriority { return b.Propagation.SchedulePriority })
}

func (policyResolver[T]) OverrideRules(ctx context.Context, obj T) ([]model.OverrideRule, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) []model.OverrideRule { return b.Override.OverrideRules })
}

func (policyResolver[T]) TargetCluster(ctx context.Context, obj T) (*model.ClusterAffinity, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.ClusterAffinity { return b.Override.TargetCluster })
}

func (policyResolver[T]) Overriders(ctx context.Context, obj T) (*model.Overriders, error) {
	return policyField(ctx, obj, func(b *model.PolicyBody) *model.Overriders { return b.Override.Overriders })
}

// onePolicy is a policy by name.
func onePolicy(ctx context.Context, instance string, kind model.PolicyKind, namespace, name string) (model.Policy, error) {
	switch {
	case kind.Namespaced() && namespace == "":
		return nil, model.BadInput("namespace", "is needed: %s is namespaced", kind.GVK().Kind)
	case !kind.Namespaced() && namespace != "":
		return nil, model.BadInput("namespace", "may not be given: %s is cluster-wide", kind.GVK().Kind)
	}
	obj, err := loaders.From(ctx).Object(ctx, model.Ref{Instance: instance, GVK: kind.GVK(), Namespace: namespace, Name: name})
	if p, ok := obj.(model.Policy); ok {
		return p, err
	}
	return nil, err
}
