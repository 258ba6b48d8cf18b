package resolvers

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
)

// object is a Kubernetes object that was read with its common part.
type object interface{ ObjectMeta() *model.Object }

// objectResolver resolves the fields that all Kubernetes objects have, whatever their type.
type objectResolver[T object] struct{ *Resolver }

func (r objectResolver[T]) Instance(ctx context.Context, obj T) (*model.Instance, error) {
	return loaders.From(ctx).Instance(obj.ObjectMeta().Ref.Instance)
}

func (r objectResolver[T]) Cluster(ctx context.Context, obj T) (*model.Cluster, error) {
	ref := obj.ObjectMeta().Ref
	if ref.Cluster == "" {
		return nil, nil //nolint:nilnil // it lives in no member
	}
	return loaders.From(ctx).Cluster(ref.Instance, ref.Cluster)
}

func (objectResolver[T]) Propagation(ctx context.Context, obj T) (*model.Propagation, error) {
	return loaders.From(ctx).Propagation(ctx, obj.ObjectMeta())
}

func (objectResolver[T]) Manifest(_ context.Context, obj T, format model.ManifestFormat) (*string, error) {
	o := obj.ObjectMeta()
	return writeManifest(o.Ref, o.Raw, format)
}

func (objectResolver[T]) Owners(ctx context.Context, obj T) ([]model.KubernetesObject, error) {
	return loaders.From(ctx).Owners(ctx, obj.ObjectMeta())
}

func (objectResolver[T]) Children(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[model.KubernetesObject], error) {
	return loaders.From(ctx).Children(ctx, obj.ObjectMeta(), listOptions(ctx, first, after))
}

func (r objectResolver[T]) Timeline(ctx context.Context, obj T, first *int32, after *string, since *time.Time) (*model.TimelineConnection, error) {
	var meta *model.WorkloadMeta
	if w, ok := any(obj).(model.Workload); ok {
		meta = w.Meta()
	}
	return r.timelineOf(ctx, obj.ObjectMeta(), meta, page(first, after), since)
}

func (objectResolver[T]) Events(ctx context.Context, obj T, first *int32, after *string) (*model.Connection[*model.KubernetesEvent], error) {
	return loaders.From(ctx).Events(ctx, obj.ObjectMeta(), listOptions(ctx, first, after))
}
