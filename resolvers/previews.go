package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

func overrides(kind model.PolicyKind) bool { return !kind.Propagates() }

// previewManifests tries manifests, and says what would become of each.
func (r *Resolver) previewManifests(ctx context.Context, input graph.PreviewManifestsInput) (*model.ManifestsPreview, error) {
	tried, problems, err := actions.Run(ctx, r.Actions, &actions.PreviewManifests{Instance: input.Instance, Manifests: input.Manifests}, nil)
	if err != nil {
		return nil, err
	}
	if len(problems) > 0 {
		p := problems[0]
		return nil, &model.Error{Code: model.Code(p.Code), Message: p.Message, Field: p.Field}
	}
	return loaders.From(ctx).ManifestsPreview(ctx, input.Instance, tried)
}
