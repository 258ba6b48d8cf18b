package fleet

import (
	"fmt"
	"net/url"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

// Reader is a configuration for reads of the control plane, or of a member through Karmada when cluster is
// not empty, by a principal who has the scope. Its Timeout is that of one request.
//
// In the control plane it is the person who reads. In a member it is the person too, unless they may see
// everything there is: then it is Kairship, as for all that the read store holds of the member. Karmada
// lends its members only the names that are bound by themselves to its proxy, and a person is mostly bound
// by a group.
//
// The error is NOT_FOUND for a cluster that is not a member, UNAVAILABLE while Karmada does not answer.
func (c *Connection) Reader(scope access.Scope, p access.Principal, cluster string) (*rest.Config, error) {
	if scope.Empty() || !scope.Instance(c.instance) {
		return nil, access.ErrForbidden
	}
	if cluster != "" && scope.All() {
		return c.Discoverer(cluster)
	}
	cfg, err := c.As(scope.Acting(c.instance, p))
	if err != nil {
		return nil, &model.Error{Code: model.CodeForbidden, Instance: c.instance, Message: "your name cannot be given to Karmada", Err: err}
	}
	return c.through(cfg, cluster)
}

// Discoverer is a configuration with Kairship's own credential to learn which kinds the control plane
// serves, or a member when cluster is not empty. Errors are as of Reader.
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
		// Karmada has not reached it either: it is asked, but not waited for.
		cfg.Timeout = min(cfg.Timeout, probeTimeout)
	}
	cfg.Host += clusterAPIPath + "/clusters/" + url.PathEscape(obj.Name) + "/proxy"
	return cfg, nil
}

// member is one member as Karmada has it.
func (c *Connection) member(name string) (*clusterv1alpha1.Cluster, error) {
	if _, err := c.listClusters(); err != nil {
		return nil, err
	}
	obj, err := c.lister.Get(name)
	if err != nil {
		return nil, &model.Error{Code: model.CodeNotFound, Instance: c.instance,
			Message: fmt.Sprintf("instance %q has no cluster %q", c.instance, name)}
	}
	return obj, nil
}
