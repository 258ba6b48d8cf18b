package resolvers

import (
	"context"
	"reflect"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// changed is an object as Karmada returned it, in its own batch: a read that several of its fields need is made once. It is nil
// when there is none, because of the problems.
func changed[T model.KubernetesObject](ctx context.Context, object T, problems []model.UserError) T {
	if len(problems) == 0 {
		batch.Join(loaders.From(ctx).Operation, []T{object})
	}
	return object
}

// made is an object that a mutation made beside others, in its own batch; nil when it is not there.
func made[T model.KubernetesObject](ctx context.Context, object T) T {
	if v := reflect.ValueOf(object); v.IsValid() && !v.IsNil() {
		batch.Join(loaders.From(ctx).Operation, []T{object})
	}
	return object
}

// conflict is what stands in the way of a change, with its object in its own batch.
func conflict(ctx context.Context, c *model.Conflict) *model.Conflict {
	if c != nil && c.Object != nil {
		batch.Join(loaders.From(ctx).Operation, []model.KubernetesObject{c.Object})
	}
	return c
}

// orNil is a text, or nil for an empty one.
func orNil(s string) *string {
	if s == "" {
		return nil
	}
	return &s
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
