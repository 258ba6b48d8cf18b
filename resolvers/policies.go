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

func policyUID(b *model.PolicyBody) *string                  { return &b.UID }
func policyVersion(b *model.PolicyBody) *string              { return &b.ResourceVersion }
func policyLabels(b *model.PolicyBody) []model.KeyValue      { return b.Labels }
func policyAnnotations(b *model.PolicyBody) []model.KeyValue { return b.Annotations }
func policyCreatedAt(b *model.PolicyBody) *time.Time         { return &b.CreatedAt }
func policyPriority(b *model.PolicyBody) *int32              { return &b.Propagation.Priority }
func policyRaw(b *model.PolicyBody) []byte                   { return b.Raw }

func policyManifest(ctx context.Context, p *model.PolicyMeta, format model.ManifestFormat) (*string, error) {
	raw, err := policyField(ctx, p, policyRaw)
	if err != nil || raw == nil {
		return nil, err
	}
	return writeManifest(p.Ref, raw, format)
}
