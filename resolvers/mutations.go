package resolvers

import (
	"context"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// changed is a workload as Karmada returned it, in a batch of its own: what several fields of it read is read once.
func changed(ctx context.Context, w model.Workload) model.Workload {
	if w != nil {
		batch.Join(loaders.From(ctx).Operation, []model.Workload{w})
	}
	return w
}

func isTrue(b *bool) bool { return b != nil && *b }

// or is a value that may be left out, or what it stands for then.
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
