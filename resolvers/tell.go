package resolvers

import (
	"context"
	"errors"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/loaders/batch"
)

// Tell makes of what loaders say of a failed read what an answer says of it: an error that another field has
// told leaves this one null without repeating it, and one about what a result lacks stands beside the result.
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
