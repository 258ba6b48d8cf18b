package instance

import (
	"context"
	"fmt"
	"net/url"
	"slices"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Reader returns a configuration for reads of the control plane, or of a member through Karmada when cluster is not
// empty, for a principal with that scope. Its Timeout is that of one request.
//
// It reads as the person, but for a member when the person may see everything: then as Kairship, as for all that the
// read store holds of the member. Karmada lends its members only the names that are bound by themselves to its proxy,
// and a person is mostly bound by a group.
//
// The error is NOT_FOUND for a cluster that is not a member, UNAVAILABLE while Karmada does not answer.
func (c *Connection) Reader(ctx context.Context, scope rbac.Scope, p auth.Principal, cluster string) (*rest.Config, error) {
	if scope.Empty() || !scope.Instance(c.instance) {
		return nil, rbac.ErrForbidden
	}
	if cluster != "" && scope.All() {
		return c.Discoverer(cluster)
	}
	return c.person(ctx, scope, p, cluster)
}

// person returns a configuration with which a person asks the control plane, or a member.
func (c *Connection) person(ctx context.Context, scope rbac.Scope, p auth.Principal, cluster string) (*rest.Config, error) {
	cfg, err := c.as(scope, p)
	if err != nil {
		return nil, err
	}
	if cfg, err = c.through(cfg, cluster); err == nil && cluster != "" {
		c.Introduce(ctx, scope.Acting(c.instance, p), cfg)
	}
	return cfg, err
}

// Introduce waits, for a few seconds at most, until a member knows somebody who is new. The request that follows
// shows whether it does. If the host cluster cannot record the person in time, Introduce does not wait for the
// member, which learns names from there.
func (c *Connection) Introduce(ctx context.Context, p auth.Principal, cfg *rest.Config) {
	if c.seen == nil {
		return
	}
	noting, cancel := context.WithTimeout(ctx, upstream.Silence)
	defer cancel()
	if !c.seen.Note(noting, p) || noting.Err() != nil {
		return
	}
	client, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return
	}
	_ = c.seen.Try(ctx, p, func(ctx context.Context) error { return client.RESTClient().Get().AbsPath("/api").Do(ctx).Error() })
}

// as is As for a principal as their scope shows them to the instance.
func (c *Connection) as(scope rbac.Scope, p auth.Principal) (*rest.Config, error) {
	cfg, err := c.As(scope.Acting(c.instance, p))
	if err != nil {
		return nil, &model.Error{Code: model.CodeForbidden, Instance: c.instance, Message: "your name cannot be given to Karmada", Err: err}
	}
	return cfg, nil
}

// Upstream returns a configuration that impersonates the principal, owners included, in an instance's API server, or
// in a member behind it when cluster is not empty. The error is NOT_FOUND for an instance that the scope does not
// hold and for a cluster that is not a member, UNAVAILABLE while Karmada does not answer.
func (f *Fleet) Upstream(ctx context.Context, scope rbac.Scope, p auth.Principal, instance, cluster string) (*rest.Config, error) {
	c, err := f.Connection(scope, instance)
	if err != nil {
		return nil, err
	}
	return c.person(ctx, scope, p, cluster)
}

// Holders returns the instances of a scope that have a member of that name, by name, as last known: also those whose
// Karmada does not answer.
func (f *Fleet) Holders(_ context.Context, scope rbac.Scope, cluster string) ([]string, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	var out []string
	for name, e := range f.instances {
		if e.conn == nil || !scope.Instance(name) {
			continue
		}
		if e.conn.cluster(cluster) != nil {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out, nil
}

// Discoverer returns a configuration with Kairship's own credential, for discovery in the control plane, or in a
// member when cluster is not empty. Errors are those of Reader.
func (c *Connection) Discoverer(cluster string) (*rest.Config, error) {
	cfg := c.Config()
	cfg.Timeout = c.timeout
	return c.through(cfg, cluster)
}

// through points a configuration at a member, behind Karmada's proxy.
func (c *Connection) through(cfg *rest.Config, cluster string) (*rest.Config, error) {
	if err := c.Available(); err != nil {
		return nil, err
	}
	if cluster == "" {
		return cfg, nil
	}
	// Only the name of a member that is there becomes part of an address.
	obj, err := c.member(cluster)
	if err != nil {
		return nil, err
	}
	if state, _ := clusterState(obj); state == model.ClusterOffline {
		// Karmada cannot reach it either: it is asked, with a shorter timeout.
		cfg.Timeout = min(cfg.Timeout, probeTimeout)
	}
	cfg.Host += clusterAPIPath + "/clusters/" + url.PathEscape(obj.Name) + "/proxy"
	return cfg, nil
}

// member is one member as Karmada has it.
func (c *Connection) member(name string) (*clusterv1alpha1.Cluster, error) {
	if err := c.outdated(); err != nil {
		return nil, err
	}
	obj := c.cluster(name)
	if obj == nil {
		return nil, &model.Error{Code: model.CodeNotFound, Instance: c.instance,
			Message: fmt.Sprintf("instance %q has no cluster %q", c.instance, name)}
	}
	return obj, nil
}
