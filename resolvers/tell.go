package resolvers

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/loaders/batch"
)

// Tell converts the loaders' errors of a failed read for the answer: when another field has reported the error, this
// field is null without repeating it; an error about a part missing from a result is added beside the result.
func Tell(ctx context.Context, next graphql.Resolver) (any, error) {
	result, err := next(ctx)
	partial := (*batch.PartialError)(nil)
	switch {
	case err == nil:
		return result, nil
	case errors.As(err, new(*batch.Reported)):
		return nil, nil
	case errors.As(err, &partial):
		graphql.AddError(ctx, partial.Err)
		return result, nil
	}
	return nil, err
}
