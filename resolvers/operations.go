package resolvers

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
)

// Operations are the operations that there are, from memory.
type Operations interface {
	// Operations are those that a principal may see, the newest first.
	Operations(auth.Principal, rbac.Scope) []*model.Operation
	// Operation is the one of a name; nil when there is none, or it may not be seen.
	Operation(p auth.Principal, s rbac.Scope, name string) *model.Operation
	// Follow sends one as it is and as it becomes, until it has ended; NOT_FOUND where Operation is nil.
	Follow(ctx context.Context, p auth.Principal, s rbac.Scope, name string) (<-chan *model.Operation, error)
}

// operationName is the name in the id of an operation.
func operationName(id string) (string, error) {
	decoded, err := model.ParseID(id)
	if err == nil && decoded.Operation() == "" {
		err = model.BadInput("id", "is not the id of an operation")
	}
	return decoded.Operation(), err
}

// oneOperation is the operation of an id; nil for both absent and hidden ones.
func (r *Resolver) oneOperation(ctx context.Context, id string) (*model.Operation, error) {
	name, err := operationName(id)
	if err != nil {
		return nil, err
	}
	return r.Operations.Operation(rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), name), nil
}

func (r *Resolver) followOperation(ctx context.Context, id string) (<-chan *model.Operation, error) {
	name, err := operationName(id)
	if err != nil {
		return nil, err
	}
	return r.Operations.Follow(ctx, rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), name)
}

func (r *Resolver) operationPage(ctx context.Context, f *model.OperationFilter, p model.Page) (*model.OperationConnection, error) {
	who := rbac.PrincipalFrom(ctx)
	rows := r.Operations.Operations(who, rbac.ScopeFrom(ctx))
	if f != nil {
		rows = slices.DeleteFunc(rows, func(o *model.Operation) bool {
			return !in(f.Instances, o.InstanceName) || !in(f.Kinds, o.Kind) || !in(f.States, o.State) || f.Mine != nil && *f.Mine && o.Actor != who.Name
		})
	}
	return loaders.PageOf("operations", "", rows, p, loaders.Sorted[*model.Operation]{Name: newestFirst})
}

// newestFirst orders operations by when they began, the newest first, and then by name: names are compared as texts.
func newestFirst(o *model.Operation) string {
	return fmt.Sprintf("%019d %s", math.MaxInt64-o.CreatedAt.UnixNano(), o.Name)
}

// operationInstance is the instance of an operation; nil while there is none, or it is hidden.
func operationInstance(ctx context.Context, o *model.Operation) (*model.Instance, error) {
	i, err := loaders.From(ctx).Instance(o.InstanceName)
	if err != nil {
		return nil, hideAbsent(err)
	}
	return i, nil
}
