package loaders

import (
	"cmp"
	"context"
	"sync"

	"golang.org/x/sync/errgroup"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/catalog"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/upstream/panics"
	"github.com/kairship-io/kairship/loaders/batch"
)

var namespacesAt = newListAt("namespaces", decodeInto[*model.Namespace])

// Namespaces are the namespaces of a place.
func (k *Loaders) Namespaces(ctx context.Context, at Place, f *model.NamespaceFilter, by *model.NamespaceOrder, opts ListOptions) (*model.NamespaceConnection, error) {
	var where conditions
	if f != nil {
		where.names("names", f.Names)
		where.nameContains(f.NameContains)
		where.labels(f.LabelSelector)
	}
	if where.err != nil {
		return nil, where.err
	}
	var order sorting
	if by != nil {
		order = ordered(by.Field == model.NamespacesByCreation, by.Direction)
	}
	return namespacesAt.at(ctx, k, at, rowsAsked{opts, namespaceResource, where.all, order})
}

// NamespacePolicies are the policies in a namespace of a control plane.
func (k *Loaders) NamespacePolicies(ctx context.Context, n *model.Namespace, opts ListOptions) (*model.PolicyConnection, error) {
	return namespacePolicies.Of(ctx, k, k.Batch(n), opts, n)
}

var namespacePolicies = related("policies", batch.Members[*model.Namespace], decodeInto[model.Policy], func(_ context.Context, k *Loaders, n *model.Namespace) ([]part, error) {
	if n.Ref.Cluster != "" {
		return nil, nil
	}
	return k.nearby(n.Ref, namespacedPolicies, sql.Namespaces(n.Ref.Name))
})

// NamespaceCounts counts what is in a namespace. It takes two requests for each namespace of the page.
func (k *Loaders) NamespaceCounts(ctx context.Context, n *model.Namespace) (*model.NamespaceCounts, error) {
	return namespaceCounts.Of(ctx, k, k.Batch(n), batch.None{}, n)
}

var namespaceCounts = &edge[batch.None, *model.Namespace, *model.NamespaceCounts]{
	From: batch.Members[*model.Namespace],
	Read: func(ctx context.Context, k *Loaders, _ batch.None, namespaces []*model.Namespace) (map[*model.Namespace]*model.NamespaceCounts, error) {
		var mu sync.Mutex
		out, errs := make(map[*model.Namespace]*model.NamespaceCounts, len(namespaces)), batch.Each[*model.Namespace]{}
		var g errgroup.Group
		g.SetLimit(counters)
		count := func(n *model.Namespace, gvrs []schema.GroupVersionResource, into func(*model.NamespaceCounts, int)) {
			g.Go(panics.Guard(func() error {
				var total *int
				rows, err := k.rowsIn(n.Ref.Instance, n.Ref.Cluster, gvrs, sql.Namespaces(n.Ref.Name))
				if err == nil {
					err = rows.missing // a count without some kind would be wrong
				}
				if err == nil {
					total, err = k.countRows(ctx, rows)
				}
				mu.Lock()
				defer mu.Unlock()
				if total == nil {
					errs.Add(n, cmp.Or(err, errUncounted))
				} else {
					into(out[n], *total)
				}
				return nil
			}))
		}
		for _, n := range namespaces {
			out[n] = &model.NamespaceCounts{}
		}
		for _, n := range namespaces {
			count(n, workloadResources, func(c *model.NamespaceCounts, total int) { c.Workloads = total })
			if n.Ref.Cluster == "" {
				count(n, namespacedPolicies, func(c *model.NamespaceCounts, total int) { c.Policies = total })
			}
		}
		// Errors are kept by namespace; a panic belongs to none.
		if err := g.Wait(); err != nil {
			return nil, err
		}
		return out, errs.Any()
	},
}

// errUncounted is the error while it is not known whether the store applies conditions.
var errUncounted error = &model.Error{Code: model.CodeUnavailable, Retryable: true,
	Message: "it is not known yet whether the read store takes SQL conditions: nothing is counted"}

var namespacedPolicies = catalog.Resources("OverridePolicy", "PropagationPolicy")
