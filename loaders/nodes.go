package loaders

import (
	"context"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/loaders/batch"
)

var nodesAt = newListAt("nodes", decodeInto[*model.ClusterNode])

// Nodes are the nodes of a member, by name.
func (k *Loaders) Nodes(ctx context.Context, c *model.Cluster, opts ListOptions) (*model.ClusterNodeConnection, error) {
	return nodesAt.at(ctx, k, Place{c.InstanceName, c}, rowsAsked{ListOptions: opts, gvrs: nodeResource})
}

// NodePods are the pods on a node.
func (k *Loaders) NodePods(ctx context.Context, n *model.ClusterNode, opts ListOptions) (*model.PodConnection, error) {
	return nodePods.Of(ctx, k, k.Batch(n), opts, n)
}

var nodePods = related("pods", batch.Members[*model.ClusterNode], decodeInto[*model.Pod], func(_ context.Context, k *Loaders, n *model.ClusterNode) ([]part, error) {
	return k.nearby(n.Ref, podResource, sql.Field([]string{"spec", "nodeName"}, n.Ref.Name))
})
