package instance

import (
	"context"
	"fmt"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	karmadaclient "github.com/karmada-io/karmada/pkg/generated/clientset/versioned"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// maxClusters is the most clusters of one instance: ten times what Karmada is made for.
const maxClusters = 10_000

// newClusterInformer follows the clusters of a Karmada. Their list is read page by page, and ends.
func newClusterInformer(karmada karmadaclient.Interface) toolscache.SharedIndexInformer {
	clusters := karmada.ClusterV1alpha1().Clusters()
	var pages kubeconfig.Pages
	return toolscache.NewSharedIndexInformer(&toolscache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			if err := pages.Next(o.Continue); err != nil {
				return nil, err
			}
			if o.Limit > 0 && o.ResourceVersion == "0" {
				o.ResourceVersion = "" // an API server takes no heed of a limit beside it
			}
			return clusters.List(ctx, o)
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return clusters.Watch(ctx, o)
		},
	}, &clusterv1alpha1.Cluster{}, 0, toolscache.Indexers{})
}

// takeCluster is what is remembered of a cluster. Its error leaves it out.
func (c *Connection) takeCluster(obj any) (any, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return obj, nil //nolint:nilerr // a note that one is gone
	}
	m.SetManagedFields(nil)
	if _, known, _ := c.clusters.GetStore().GetByKey(m.GetName()); !known && len(c.clusters.GetStore().ListKeys()) >= maxClusters {
		return nil, fmt.Errorf("instance %q has more than %d clusters: %w", c.instance, maxClusters, kubeconfig.ErrTooLarge)
	}
	return obj, nil
}
