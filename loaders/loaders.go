// Package loaders reads the edges of the graph in batches: it is the only place that knows which rows can be read
// together. A Loaders serves one operation of one principal and is discarded after it, so nothing it holds can reach
// another user or become stale.
//
// Each domain has its own file; package batch reads edges together, and list.go, gather.go and refs.go read lists and
// objects.
package loaders

import (
	"cmp"
	"context"
	"sync/atomic"
	"time"

	"github.com/graph-gophers/dataloader/v7"
	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/prometheus"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
	"github.com/kairship-io/kairship/loaders/batch"
)

// Fleet is what the loaders need of the fleet: all of it is in memory.
type Fleet interface {
	// Synced is nil when the read store holds a resource of an instance or member.
	Synced(instance, cluster string, gvr schema.GroupVersionResource) error
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Cluster returns the last known state; nil when there is no such cluster.
	Cluster(scope rbac.Scope, instance, name string) (*model.Cluster, error)
	// Freshness of a member, or of the instance itself when cluster is empty.
	Freshness(instance, cluster string) *model.Freshness
	// ClusterStates is the members by name; nil when they are not known.
	ClusterStates(scope rbac.Scope, instance string) map[string]*model.Cluster
	// ClusterObjects is the members as Karmada has them; UNAVAILABLE when they are not known. They must not be changed.
	ClusterObjects(scope rbac.Scope, instance string) ([]*clusterv1alpha1.Cluster, error)
}

// Source is the data sources of loaders; it serves all operations.
type Source struct {
	Fleet Fleet
	Store *pedia.Client
	// KubeAPI reads what the read store does not hold.
	KubeAPI KubeAPI
	// Prometheus has the history of what clusters report; nil for none.
	Prometheus *prometheus.Client
	// Wait is how long loaders collect the requests of sibling fields; 0 is the default.
	Wait time.Duration
}

// KubeAPI reads from the API servers themselves, as the caller.
type KubeAPI interface {
	// GetAll returns objects as JSON, in the order of refs; a failure affects one object only.
	GetAll(ctx context.Context, who kubeapi.Who, refs []model.Ref) []kubeapi.Result
	List(ctx context.Context, q kubeapi.Query) (*kubeapi.Page, error)
	// Kind returns how an instance, or a member of it, serves a kind; NOT_FOUND when it does not.
	Kind(ctx context.Context, scope rbac.Scope, instance, cluster string, gvk schema.GroupVersionKind) (*model.APIResource, error)
	APIResources(ctx context.Context, scope rbac.Scope, instance string) ([]*model.APIResource, error)
}

// Loaders are the loaders of one operation.
type Loaders struct {
	*batch.Operation

	source     Source
	remembered remembered
	// points is how many points of metrics were asked for.
	points    atomic.Int64
	principal auth.Principal
	scope     rbac.Scope
	objects   *dataloader.Loader[model.Ref, model.KubernetesObject]
	groups    *dataloader.Loader[*groupsAsked, []pedia.List[model.KubernetesObject]]
	refs      *dataloader.Loader[*refsAsked, refsFound]
}

// edge is an edge that the loaders read.
type edge[A any, P comparable, R any] = batch.Edge[*Loaders, A, P, R]

// rowKey identifies a row: a workload and its common part are one row.
func rowKey(row any) any {
	switch r := row.(type) {
	case model.Policy:
		return r.PolicyMetadata()
	case interface{ ObjectMeta() *model.Object }:
		return r.ObjectMeta()
	}
	return row
}

// wait is the default time for which a loader collects keys: sibling fields begin within a tenth of it. Edges of lists do
// not wait: their batch is known in advance.
const wait = time.Millisecond

// NewLoaders makes the loaders for the context's principal.
func (s Source) NewLoaders(ctx context.Context) *Loaders {
	k := &Loaders{source: s, principal: rbac.PrincipalFrom(ctx), scope: rbac.ScopeFrom(ctx), Operation: batch.NewOperation(rowKey)}
	wait := cmp.Or(s.Wait, wait)
	k.objects = dataloader.NewBatchedLoader(guarded(k.loadObjects),
		dataloader.WithWait[model.Ref, model.KubernetesObject](wait),
		dataloader.WithBatchCapacity[model.Ref, model.KubernetesObject](maxPage))
	k.newGatherers(wait)
	return k
}

type contextKey struct{}

// NewContext returns a context with new loaders, for an operation that times out on each upstream only once.
func (s Source) NewContext(ctx context.Context) context.Context {
	return context.WithValue(upstream.NewOperation(ctx), contextKey{}, s.NewLoaders(ctx))
}

// From is the context's loaders. A context without them is a bug of the caller.
func From(ctx context.Context) *Loaders {
	k, ok := ctx.Value(contextKey{}).(*Loaders)
	if !ok {
		panic("loaders: the context carries no loaders") //nolint:forbidigo // a mistake in the wiring, not of a request
	}
	return k
}
