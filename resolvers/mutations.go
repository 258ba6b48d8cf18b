package resolvers

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// changed is a workload as Karmada returned it, in its own batch: a read that several of its fields need is made once.
func changed(ctx context.Context, w model.Workload) model.Workload {
	if w != nil {
		batch.Join(loaders.From(ctx).Operation, []model.Workload{w})
	}
	return w
}

func isTrue(b *bool) bool { return b != nil && *b }

// or is an optional value, or its default.
func or[T any](value *T, otherwise T) T {
	if value == nil {
		return otherwise
	}
	return *value
}

func seconds(n *int32) *time.Duration {
	if n == nil {
		return nil
	}
	d := time.Duration(*n) * time.Second
	return &d
}
