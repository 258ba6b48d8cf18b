package resolvers

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

// claimingPolicy is the policy that a claim names; its body is read only when a field of it is selected.
func claimingPolicy(claim *model.PolicyClaim) model.Policy {
	if claim == nil {
		return nil
	}
	return model.NewPolicy(model.PolicyMeta{Ref: claim.Ref, Batch: claim.Batch})
}

// policyField reads one field of a policy's body; its zero value when the policy is gone.
func policyField[T any](ctx context.Context, p *model.PolicyMeta, field func(*model.PolicyBody) T) (T, error) {
	body, err := loaders.From(ctx).PolicyBody(ctx, p)
	if err != nil || body == nil {
		var none T
		return none, err
	}
	return field(body), nil
}

// What the fields of a policy's body are, one function a field: the resolvers hand them to policyField.
// Those of a spec are only asked of the kinds that have it.

func policyUID(b *model.PolicyBody) *string                  { return &b.UID }
func policyVersion(b *model.PolicyBody) *string              { return &b.ResourceVersion }
func policyLabels(b *model.PolicyBody) []model.KeyValue      { return b.Labels }
func policyAnnotations(b *model.PolicyBody) []model.KeyValue { return b.Annotations }
func policyCreatedAt(b *model.PolicyBody) *time.Time         { return &b.CreatedAt }
func policyDeletedAt(b *model.PolicyBody) *time.Time         { return b.DeletedAt }
func policyRaw(b *model.PolicyBody) []byte                   { return b.Raw }

func policyResourceSelectors(b *model.PolicyBody) []model.ResourceSelector { return b.Selectors() }

func policyAssociation(b *model.PolicyBody) *bool           { return &b.Propagation.Association }
func policyPropagateDeps(b *model.PolicyBody) *bool         { return &b.Propagation.PropagateDeps }
func policyPlacement(b *model.PolicyBody) *model.Placement  { return &b.Propagation.Placement }
func policyPriority(b *model.PolicyBody) *int32             { return &b.Propagation.Priority }
func policyDependentOverrides(b *model.PolicyBody) []string { return b.Propagation.DependentOverrides }
func policySchedulerName(b *model.PolicyBody) *string       { return &b.Propagation.SchedulerName }
func policyPreserveResourcesOnDeletion(b *model.PolicyBody) *bool {
	return &b.Propagation.PreserveResourcesOnDeletion
}

func policyPreemption(b *model.PolicyBody) *model.PreemptionBehavior {
	return &b.Propagation.Preemption
}

func policyFailover(b *model.PolicyBody) *model.FailoverBehavior { return b.Propagation.Failover }

func policyConflictResolution(b *model.PolicyBody) *model.ConflictResolution {
	return &b.Propagation.ConflictResolution
}

func policyActivationPreference(b *model.PolicyBody) *model.ActivationPreference {
	return &b.Propagation.ActivationPreference
}

func policySuspension(b *model.PolicyBody) *model.PolicySuspension { return b.Propagation.Suspension }

func policySchedulePriority(b *model.PolicyBody) *model.SchedulePriority {
	return b.Propagation.SchedulePriority
}

func policyOverrideRules(b *model.PolicyBody) []model.OverrideRule   { return b.Override.OverrideRules }
func policyTargetCluster(b *model.PolicyBody) *model.ClusterAffinity { return b.Override.TargetCluster }
func policyOverriders(b *model.PolicyBody) *model.Overriders         { return b.Override.Overriders }

func policyManifest(ctx context.Context, p *model.PolicyMeta, format model.ManifestFormat) (*string, error) {
	raw, err := policyField(ctx, p, policyRaw)
	if err != nil || raw == nil {
		return nil, err
	}
	return writeManifest(p.Ref, raw, format)
}

// overridePolicyAt is an override policy that was named; its body is read when a field of it is selected.
func overridePolicyAt(ref model.Ref) model.Policy {
	return model.NewPolicy(model.PolicyMeta{Ref: ref})
}

// policyObject is the common part of a policy; nil when it is gone.
func policyObject(ctx context.Context, p *model.PolicyMeta) (*model.Object, error) {
	body, err := loaders.From(ctx).PolicyBody(ctx, p)
	if body == nil || err != nil {
		return nil, err
	}
	return &body.Object, nil
}

func policyOwners(ctx context.Context, p *model.PolicyMeta) ([]model.KubernetesObject, error) {
	o, err := policyObject(ctx, p)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Owners(ctx, o)
}

func policyChildren(ctx context.Context, p *model.PolicyMeta, opts loaders.ListOptions) (*model.KubernetesObjectConnection, error) {
	o, err := policyObject(ctx, p)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Children(ctx, o, opts)
}

func policyEvents(ctx context.Context, p *model.PolicyMeta, opts loaders.ListOptions) (*model.KubernetesEventConnection, error) {
	o, err := policyObject(ctx, p)
	if o == nil || err != nil {
		return nil, err
	}
	return loaders.From(ctx).Events(ctx, o, opts)
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
