package resolvers

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/loaders/batch"
)

// page converts the arguments of a connection. The schema gives `first` its default; an explicit null means the same.
func page(first *int32, after *string) model.Page {
	p := model.Page{First: 50}
	if first != nil {
		p.First = int(*first)
	}
	if after != nil {
		p.After = *after
	}
	return p
}

func (r *Resolver) whoAsks(ctx context.Context) *graph.Viewer {
	p := rbac.PrincipalFrom(ctx)
	scope := rbac.ScopeFrom(ctx)
	v := &graph.Viewer{Name: p.Name, Groups: p.Groups, Roles: []graph.ViewerRole{}, Owner: scope.All(), Introspection: r.Introspect == nil || r.Introspect(ctx)}
	for _, held := range scope.Roles() {
		v.Roles = append(v.Roles, roleOf(held))
	}
	return v
}

func (r *Resolver) instancePage(ctx context.Context, f *model.InstanceFilter, by *model.InstanceOrder, p model.Page) (*model.InstanceConnection, error) {
	rows := r.Fleet.Instances(rbac.ScopeFrom(ctx))
	if f != nil {
		rows = slices.DeleteFunc(rows, func(i *model.Instance) bool { return !matchesInstance(f, i) })
	}
	return loaders.PageOf("instances", "", rows, p, instanceOrder(by))
}

func matchesInstance(f *model.InstanceFilter, i *model.Instance) bool {
	contains := func(s string) bool { return strings.Contains(strings.ToLower(s), strings.ToLower(*f.NameContains)) }
	return in(f.Names, i.Name) && in(f.States, i.State) &&
		(f.NameContains == nil || contains(i.Name) || i.DisplayName != nil && contains(*i.DisplayName))
}

// in reports whether a filter's list lets a value through; an empty list lets all through.
func in[T comparable](list []T, v T) bool { return len(list) == 0 || slices.Contains(list, v) }

// inOptional is in for a value that may be missing.
func inOptional(list []string, v *string) bool {
	return len(list) == 0 || v != nil && slices.Contains(list, *v)
}

func (r *Resolver) oneCluster(ctx context.Context, instance, name string) (*model.Cluster, error) {
	c, err := r.Fleet.Cluster(rbac.ScopeFrom(ctx), instance, name)
	if err != nil || c != nil {
		return c, err
	}
	return nil, &model.Error{Code: model.CodeNotFound, Instance: instance, Cluster: name, Field: []string{"name"},
		Message: fmt.Sprintf("instance %q has no cluster %q", instance, name)}
}

func (r *Resolver) clusterPage(ctx context.Context, instance string, f *model.ClusterFilter, by *model.ClusterOrder, p model.Page) (*model.ClusterConnection, error) {
	rows, err := r.Fleet.Clusters(rbac.ScopeFrom(ctx), instance)
	if err != nil {
		return nil, err
	}
	if f != nil {
		selector, err := clusterSelector(f)
		if err != nil {
			return nil, err
		}
		rows = slices.DeleteFunc(rows, func(c *model.Cluster) bool { return !matchesCluster(f, selector, c) })
	}
	conn, err := loaders.PageOf("clusters", instance, rows, p, clusterOrder(by))
	if err == nil {
		batch.Join(loaders.From(ctx).Operation, conn.Nodes())
	}
	return conn, err
}

func clusterSelector(f *model.ClusterFilter) (labels.Selector, error) {
	if f.LabelSelector == nil {
		return labels.Everything(), nil
	}
	selector, err := labels.Parse(*f.LabelSelector)
	if err != nil {
		return nil, model.BadInput("labelSelector", "is not a Kubernetes label selector: %v", err)
	}
	return selector, nil
}

func matchesCluster(f *model.ClusterFilter, selector labels.Selector, c *model.Cluster) bool {
	return in(f.Names, c.Name) && in(f.States, c.State) && inOptional(f.Regions, c.Region) && inOptional(f.Providers, c.Provider) &&
		(f.NameContains == nil || strings.Contains(c.Name, *f.NameContains)) && selector.Matches(c.LabelSet())
}
