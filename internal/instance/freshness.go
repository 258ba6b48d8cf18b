package instance

import (
	"context"
	"fmt"
	"sync"
	"time"

	pediav1alpha2 "github.com/clusterpedia-io/api/cluster/v1alpha2"
	pediaclient "github.com/clusterpedia-io/clusterpedia/pkg/generated/clientset/versioned"
	pediainformers "github.com/clusterpedia-io/clusterpedia/pkg/generated/informers/externalversions"
	pedialisters "github.com/clusterpedia-io/clusterpedia/pkg/generated/listers/cluster/v1alpha2"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/pediacluster"
)

// syncedClusters follows the PediaClusters: whether the read store follows its sources is known from an
// informer, without a request.
type syncedClusters struct {
	informer toolscache.SharedIndexInformer
	lister   pedialisters.PediaClusterLister
	// held is what has been seen syncing: a kind whose sync restarts keeps its rows meanwhile.
	held sync.Map
}

// heldResource is a resource of a PediaCluster; a recreated PediaCluster is another one.
type heldResource struct {
	cluster types.UID
	gvr     schema.GroupVersionResource
}

// remember notes what a PediaCluster's status says is synced.
func (s *syncedClusters) remember(o any) {
	obj, ok := o.(*pediav1alpha2.PediaCluster)
	if !ok {
		return
	}
	for _, group := range obj.Status.SyncResources {
		for _, res := range group.Resources {
			for _, c := range res.SyncConditions {
				if c.Status == pediav1alpha2.ResourceSyncStatusSyncing || c.Status == pediav1alpha2.ResourceSyncStatusStop {
					s.held.Store(heldResource{obj.UID, schema.GroupVersionResource{Group: group.Group, Version: c.Version, Resource: res.Name}}, true)
				}
			}
		}
	}
}

// forget drops what is known of a PediaCluster that is gone.
func (s *syncedClusters) forget(o any) {
	if gone, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
		o = gone.Obj
	}
	obj, ok := o.(*pediav1alpha2.PediaCluster)
	if !ok {
		return
	}
	s.held.Range(func(key, _ any) bool {
		if h, ok := key.(heldResource); ok && h.cluster == obj.UID {
			s.held.Delete(key)
		}
		return true
	})
}

func (s *syncedClusters) init(host *rest.Config) error {
	client, err := pediaclient.NewForConfig(host)
	if err != nil {
		return fmt.Errorf("making a client of PediaClusters: %w", err)
	}
	clusters := pediainformers.NewSharedInformerFactory(client, 0).Cluster().V1alpha2().PediaClusters()
	s.informer, s.lister = clusters.Informer(), clusters.Lister()
	_, err = s.informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: s.remember, UpdateFunc: func(_, obj any) { s.remember(obj) }, DeleteFunc: s.forget,
	})
	if err != nil {
		return fmt.Errorf("following PediaClusters: %w", err)
	}
	return nil
}

func (s *syncedClusters) run(ctx context.Context) error {
	s.informer.Run(ctx.Done())
	return nil
}

func (s *syncedClusters) wait(ctx context.Context) bool {
	return toolscache.WaitForCacheSync(ctx.Done(), s.informer.HasSynced)
}

// Freshness returns how fresh the rows of a member are, or of the instance itself when cluster is empty.
func (f *Fleet) Freshness(instance, cluster string) *model.Freshness {
	obj, err := f.synced.lister.Get(pediacluster.Name(instance, cluster))
	if err != nil {
		return &model.Freshness{State: model.FreshnessNever, Message: "not registered in the read store"}
	}
	now := time.Now()
	if stopped := f.synchroStopped(obj.Spec.ShardingName, now); stopped != nil && everSynced(obj) {
		return stopped
	}
	return freshness(obj, now)
}

// freshness reads a PediaCluster's status. A kind that is being listed again makes the whole STALE.
func freshness(obj *pediav1alpha2.PediaCluster, now time.Time) *model.Freshness {
	running := meta.FindStatusCondition(obj.Status.Conditions, pediav1alpha2.SynchroRunningCondition)
	healthy := meta.FindStatusCondition(obj.Status.Conditions, pediav1alpha2.ClusterHealthyCondition)
	switch {
	case running == nil || running.Status != metav1.ConditionTrue && !everSynced(obj):
		return &model.Freshness{State: model.FreshnessNever, Message: conditionMessage(running, "the sync has not begun")}
	case running.Status != metav1.ConditionTrue:
		return &model.Freshness{State: model.FreshnessStopped, Message: conditionMessage(running, ""), SyncedAt: optionalTime(running.LastTransitionTime)}
	case healthy == nil || healthy.Status != metav1.ConditionTrue:
		out := &model.Freshness{State: model.FreshnessStale, Message: conditionMessage(healthy, "the health of the source is not known")}
		if healthy != nil {
			out.SyncedAt = optionalTime(healthy.LastTransitionTime)
		}
		return out
	}
	for _, group := range obj.Status.SyncResources {
		for _, res := range group.Resources {
			for _, c := range res.SyncConditions {
				if c.Status != pediav1alpha2.ResourceSyncStatusSyncing {
					return &model.Freshness{State: model.FreshnessStale, SyncedAt: optionalTime(c.LastTransitionTime),
						Message: fmt.Sprintf("%s: %s", schema.GroupResource{Group: group.Group, Resource: res.Name}, c.Status)}
				}
			}
		}
	}
	now = now.UTC()
	return &model.Freshness{State: model.FreshnessLive, SyncedAt: &now}
}

func everSynced(obj *pediav1alpha2.PediaCluster) bool { return len(obj.Status.SyncResources) > 0 }

func conditionMessage(c *metav1.Condition, none string) string {
	switch {
	case c == nil:
		return none
	case c.Message == "":
		return c.Reason
	}
	return c.Reason + ": " + c.Message
}

// Synced returns nil when the read store holds a resource of a member, or of the instance itself when cluster is
// empty; else NOT_SYNCED. The store itself would answer with an empty list.
func (f *Fleet) Synced(instance, cluster string, gvr schema.GroupVersionResource) error {
	notSynced := &model.Error{Code: model.CodeNotSynced, Instance: instance, Cluster: cluster, Retryable: true,
		Message: fmt.Sprintf("the read store does not hold %s of instance %q yet", gvr.GroupResource(), instance)}
	obj, err := f.synced.lister.Get(pediacluster.Name(instance, cluster))
	if err != nil {
		return notSynced
	}
	if _, held := f.synced.held.Load(heldResource{obj.UID, gvr}); held {
		return nil
	}
	return notSynced
}
