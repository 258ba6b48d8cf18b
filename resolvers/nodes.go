package resolvers

import (
	"context"
	"errors"
	"sync"

	"github.com/99designs/gqlgen/graphql"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders"
)

// findNode finds the object of an id. Nil for both absent and hidden objects.
func (r *Resolver) findNode(ctx context.Context, id string) (graph.Node, error) {
	decoded, err := model.ParseID(id)
	if err != nil {
		return nil, err
	}
	ref := decoded.Ref
	switch {
	case decoded.IsInstance():
		i, err := r.Fleet.Instance(rbac.ScopeFrom(ctx), ref.Instance)
		return nodeOf(i, err)
	case decoded.IsCluster():
		c, err := r.Fleet.Cluster(rbac.ScopeFrom(ctx), ref.Instance, ref.Cluster)
		return nodeOf(c, err)
	case decoded.AccessBinding() != "":
		return nodeOf(r.Bindings.AccessBinding(rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), decoded.AccessBinding()), nil)
	}
	if name := decoded.Operation(); name != "" {
		return nodeOf(r.Operations.Operation(rbac.PrincipalFrom(ctx), rbac.ScopeFrom(ctx), name), nil)
	}
	obj, err := loaders.From(ctx).Object(ctx, ref)
	if err != nil || obj == nil {
		return nil, hideAbsent(err)
	}
	return obj, nil
}

// nodeOf keeps a nil pointer from becoming a non-nil Node.
func nodeOf[T any, P interface {
	*T
	graph.Node
}](node P, err error) (graph.Node, error) {
	if err != nil || node == nil {
		return nil, hideAbsent(err)
	}
	return node, nil
}

func hideAbsent(err error) error {
	var e *model.Error
	if errors.As(err, &e) && e.Code == model.CodeNotFound {
		return nil
	}
	return err
}

// maxNodes is the maximum number of ids of one `nodes` field.
const maxNodes = 200

// findNodes finds several objects at once, in shared reads.
func (r *Resolver) findNodes(ctx context.Context, ids []string) ([]graph.Node, error) {
	if n := len(ids); n > maxNodes {
		return nil, model.BadInput("ids", "has %d entries, at most %d are allowed", n, maxNodes)
	}
	nodes, errs := make([]graph.Node, len(ids)), make([]error, len(ids))
	var wg sync.WaitGroup
	for i, id := range ids {
		wg.Go(func() {
			nodes[i], errs[i] = panics.Catch(func() (graph.Node, error) { return r.findNode(ctx, id) })
		})
	}
	wg.Wait()
	// Ids that could not be looked up are null beside the others; a failed read is reported once.
	told := map[error]bool{}
	for i, err := range errs {
		if err != nil && !told[err] {
			told[err] = true
			graphql.AddError(graphql.WithPathContext(ctx, graphql.NewPathWithIndex(i)), err)
		}
	}
	return nodes, nil
}
