// Package live streams changes in the fleet as they happen. It watches each Karmada once for each resource, however
// many subscribers there are, joins templates, bindings and clusters in memory, and sends every subscriber what it may
// see and asked for through a bounded buffer.
//
// Every stream begins with one SNAPSHOT for each existing object and one SYNCED; then come ADDED, MODIFIED and DELETED.
// A watch that has to list again compares with what it knew, so that subscribers miss nothing and see nothing twice.
// RESYNC is sent only to a subscriber that fell too far behind.
//
// It knows nothing of GraphQL, of the read store, or of how an instance is connected.
package live

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"sync"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Connection is the current connection to one instance.
type Connection interface {
	// Config is Kairship's own credential.
	Config() *rest.Config
	// Done is closed when the connection is replaced or the instance removed.
	Done() <-chan struct{}
}

// Config is what a Hub needs. Connect is required; the rest has defaults.
type Config struct {
	// Connect gives an instance's current connection, or a *model.Error: NOT_FOUND when there is no
	// such instance.
	Connect func(rbac.Scope, string) (Connection, error)

	// ConnectMember leads to members as a person; nil where Pods is not called.
	ConnectMember ConnectMember

	// Fleet is what is known of the instances, from memory; nil where Instances and Overview are not called.
	Fleet Fleet
	// Everything is the scope of somebody who may see all of it.
	Everything rbac.Scope

	// DecodeWorkload, DecodeBinding and DecodeCluster decode what the API server sent; packages propagation and fleet
	// implement them.
	DecodeWorkload func(instance string, kind model.WorkloadKind, raw []byte) (model.Workload, error)
	DecodeBinding  func(instance string, raw []byte) (*model.ResourceBinding, error)
	DecodeCluster  func(instance string, raw []byte) (*model.Cluster, error)
	// DecodeObject decodes an object of any other kind, of which it keeps as little as the graph shows.
	DecodeObject func(instance string, kind schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error)
	// Compute returns the propagation of a workload; the binding is nil when there is none.
	Compute func(*model.WorkloadMeta, *model.ResourceBinding, map[string]*model.Cluster) *model.Propagation
	// ChangesAt returns when a workload's state will change by time alone; nil when it will not.
	ChangesAt func(*model.WorkloadMeta, *model.Propagation) *time.Time

	// Own is what people wrote themselves a moment ago; nil for nothing. Nobody is sent an older version of it.
	Own *ownwrites.Log

	// Linger is how long a watch keeps running after its last subscriber has left, so that a reloaded page finds it
	// running. 30 s.
	Linger time.Duration
	// ReadyTimeout is how long a subscriber waits until everything is listed while the instance answers, before it gets
	// UNAVAILABLE. 5 s.
	ReadyTimeout time.Duration
	// Silence is how long it waits for an instance that does not answer. 1.3 s.
	Silence time.Duration
	// Interval is how long an object that a subscriber was sent is not sent to them again. 250 ms.
	Interval time.Duration
	// Probe is how long a member may tell nothing before it is asked whether it is still there. 5 s.
	Probe time.Duration
	// Buffer is how many changed objects may wait for a slow subscriber. 4096.
	Buffer int
	// Registerer registers the metrics; nil for none.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
}

// Hub shares the watches among subscribers.
type Hub struct {
	cfg     Config
	metrics *metrics
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	// telling is who sends known answers; see tellKnown. One processor is left to the watches.
	telling    chan struct{}
	fleet      *fleetBoard
	podWatches podWatches

	mu        sync.Mutex
	closed    bool
	instances map[string]*instanceFeeds
	pods      map[podKey]*podGroup
}

var errClosed = &model.Error{Code: model.CodeUnavailable, Message: "the server is shutting down", Retryable: true}

// New makes a Hub. It watches nothing until the first subscription. Close ends it.
func New(cfg Config) *Hub {
	if cfg.Linger == 0 {
		cfg.Linger = 30 * time.Second
	}
	if cfg.ReadyTimeout == 0 {
		cfg.ReadyTimeout = 5 * time.Second
	}
	if cfg.Silence == 0 {
		cfg.Silence = upstream.Silence
	}
	if cfg.Interval == 0 {
		cfg.Interval = 250 * time.Millisecond
	}
	if cfg.Probe == 0 {
		cfg.Probe = 5 * time.Second
	}
	if cfg.Buffer == 0 {
		cfg.Buffer = 4096
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.DecodeWorkload == nil {
		cfg.DecodeWorkload = propagation.DecodeWorkload
	}
	if cfg.DecodeBinding == nil {
		cfg.DecodeBinding = propagation.DecodeBinding
	}
	if cfg.DecodeCluster == nil {
		cfg.DecodeCluster = decodeKarmadaCluster
	}
	if cfg.DecodeObject == nil {
		cfg.DecodeObject = decodeObject
	}
	if cfg.Compute == nil {
		cfg.Compute = propagation.Compute
	}
	if cfg.ChangesAt == nil {
		cfg.ChangesAt = propagation.ChangesAt
	}
	h := &Hub{cfg: cfg, telling: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)-1)), metrics: newMetrics(cfg.Registerer), instances: map[string]*instanceFeeds{}, pods: map[podKey]*podGroup{}}
	h.fleet = newFleetBoard(h)
	h.ctx, h.cancel = context.WithCancel(context.Background())
	return h
}

// Close ends every stream and every watch, and waits until they have ended.
func (h *Hub) Close() {
	h.mu.Lock()
	h.closed = true
	h.mu.Unlock()
	h.cancel()
	h.running.Wait()
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, in := range h.instances {
		in.close()
	}
}

// Workloads streams the workloads of an instance that match a filter, and of them only those of some ids, or all for none. The channel is closed when ctx ends, the instance
// is removed or the hub closes.
func (h *Hub) Workloads(ctx context.Context, scope rbac.Scope, instance string, filter *model.WorkloadFilter, ids ...string) (<-chan *model.WorkloadChange, error) {
	if filter == nil {
		filter = &model.WorkloadFilter{}
	}
	matches, err := matcher(instance, filter)
	if err != nil {
		return nil, err
	}
	kinds := filter.Kinds
	if len(kinds) == 0 {
		kinds = model.WorkloadKinds
	}
	only, err := chosen(instance, ids)
	if err != nil {
		return nil, err
	}
	return h.workloads(ctx, scope, "workloads", instance, kinds, func(w model.Workload) bool { return only(w.ObjectRef()) && matches(w) })
}

// Workload streams one workload, which need not exist yet.
func (h *Hub) Workload(ctx context.Context, scope rbac.Scope, ref model.Ref) (<-chan *model.WorkloadChange, error) {
	kind, ok := model.WorkloadKindOf(ref.GVK)
	if !ok || ref.Cluster != "" {
		return nil, model.BadInput("id", "is not the id of a workload template")
	}
	return h.workloads(ctx, scope, "workload", ref.Instance, []model.WorkloadKind{kind}, func(w model.Workload) bool {
		return w.ObjectRef() == ref
	})
}

// Clusters streams the member clusters of an instance.
func (h *Hub) Clusters(ctx context.Context, scope rbac.Scope, instance string) (<-chan *model.ClusterChange, error) {
	in, release, err := h.subscribe(ctx, scope, instance, joined(scope, clusterResource))
	if err != nil {
		return nil, err
	}
	r := &reader[string, *model.Cluster]{
		match:  func(*model.Cluster) bool { return true },
		buffer: newBuffer[string, *model.Cluster](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc),
	}
	h.ownClusters(rbac.PrincipalFrom(ctx).Name, instance, r)
	in.board.startClusters(r)
	s := stream[string, *model.Cluster, *model.ClusterChange]{
		name: "clusters", hub: h, gone: in.gone, buffer: r.buffer,
		restart: func() { in.board.startClusters(r) },
		resume:  func(from string) bool { return in.board.resumeClusters(r, from) }, position: in.board.clusterReaders.past.position,
		end: func() { in.board.endClusters(r); release() },
		wrap: func(c change[string, *model.Cluster]) *model.ClusterChange {
			out := &model.ClusterChange{Type: c.kind, At: c.at}
			if c.value != nil {
				id := c.value.ID()
				out.ID, out.Node = &id, c.value
			}
			return out
		},
	}
	return s.start(ctx)
}

func (h *Hub) workloads(ctx context.Context, scope rbac.Scope, name, instance string, kinds []model.WorkloadKind, match func(model.Workload) bool) (<-chan *model.WorkloadChange, error) {
	resources := []schema.GroupVersionResource{clusterResource, bindingResource}
	for _, k := range kinds {
		if !slices.Contains(resources, k.GVR()) {
			resources = append(resources, k.GVR())
		}
	}
	in, release, err := h.subscribe(ctx, scope, instance, joined(scope, resources...))
	if err != nil {
		return nil, err
	}
	seen := make(map[model.WorkloadKind]rbac.Namespaces, len(kinds))
	for _, k := range kinds {
		seen[k] = scope.Sees(instance, k.GVR().GroupResource())
	}
	visible := func(w model.Workload) bool {
		kind, ok := model.WorkloadKindOf(w.ObjectRef().GVK)
		return ok && seen[kind].Has(w.ObjectRef().Namespace)
	}
	r := &reader[refKey, model.Workload]{match: func(w model.Workload) bool { return visible(w) && match(w) }, sees: visible, buffer: newBuffer[refKey, model.Workload](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc)}
	h.ownWrites(rbac.PrincipalFrom(ctx).Name, in, kinds, r)
	in.board.startWorkloads(r)
	s := stream[refKey, model.Workload, *model.WorkloadChange]{
		name: name, hub: h, gone: in.gone, buffer: r.buffer,
		restart: func() { in.board.startWorkloads(r) },
		resume:  func(from string) bool { return in.board.resumeWorkloads(r, from) }, position: in.board.workloadReaders.past.position,
		end: func() { in.board.endWorkloads(r); release() },
		wrap: func(c change[refKey, model.Workload]) *model.WorkloadChange {
			out := &model.WorkloadChange{Type: c.kind, At: c.at}
			if c.value != nil {
				id := c.value.ObjectRef().ID()
				out.ID, out.Node = &id, c.value
			}
			return out
		},
	}
	return s.start(ctx)
}

// joined acquires the watches of resources that a board joins.
func joined(scope rbac.Scope, resources ...schema.GroupVersionResource) func(*instanceFeeds) ([]*feed, func(), error) {
	return func(in *instanceFeeds) ([]*feed, func(), error) {
		feeds, release := in.acquire(scope, resources)
		return feeds, release, nil
	}
}

// subscribe makes sure that the watches which acquire gives run and are current.
func (h *Hub) subscribe(ctx context.Context, scope rbac.Scope, name string, acquire func(*instanceFeeds) ([]*feed, func(), error)) (*instanceFeeds, func(), error) {
	if scope.Empty() {
		return nil, nil, rbac.ErrForbidden
	}
	if !scope.Instance(name) {
		return nil, nil, notFound(name)
	}
	if _, err := h.cfg.Connect(scope, name); err != nil {
		return nil, nil, err
	}
	in, err := h.instance(name)
	if err != nil {
		return nil, nil, err
	}
	feeds, release, err := acquire(in)
	if err != nil {
		return nil, nil, err
	}
	if err := in.await(ctx, feeds); err != nil {
		release()
		return nil, nil, err
	}
	return in, release, nil
}

func (h *Hub) instance(name string) (*instanceFeeds, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return nil, errClosed
	}
	in := h.instances[name]
	if in == nil {
		in = &instanceFeeds{
			name: name, hub: h, log: h.cfg.Logger.With("instance", name),
			feeds: map[schema.GroupVersionResource]*feed{}, gone: make(chan struct{}), table: newTable(h.metrics.coalesced.Inc, newHistory[refKey, model.KubernetesObject]()),
			board: &board{
				compute: h.cfg.Compute, changesAt: h.cfg.ChangesAt, now: time.Now,
				workloads: map[model.Ref]model.Workload{}, views: map[refKey]model.Workload{},
				bindings: map[bindingKey]*model.ResourceBinding{}, carriers: map[model.Ref]bindingKey{},
				clusters: map[string]*model.Cluster{}, passing: map[model.Ref]*time.Timer{},
				workloadReaders: newReaders(h.metrics.coalesced.Inc, newHistory[refKey, model.Workload]()),
				clusterReaders:  newReaders(h.metrics.coalesced.Inc, newHistory[string, *model.Cluster]()),
			},
		}
		h.instances[name] = in
	}
	return in, nil
}

// forget makes the next subscriber start anew with an instance that was gone.
func (h *Hub) forget(in *instanceFeeds) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.instances[in.name] == in {
		delete(h.instances, in.name)
	}
}

// spawn runs a goroutine that Close waits for; false when the hub is closed.
func (h *Hub) spawn(f func()) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.closed {
		return false
	}
	h.running.Go(f)
	return true
}

func notFound(instance string) error {
	return &model.Error{Code: model.CodeNotFound, Instance: instance, Message: fmt.Sprintf("there is no instance %q", instance)}
}

func decodeKarmadaCluster(of string, raw []byte) (*model.Cluster, error) {
	var c clusterv1alpha1.Cluster
	if err := json.Unmarshal(raw, &c); err != nil {
		return nil, fmt.Errorf("reading a Cluster: %w", err)
	}
	return instance.ClusterModel(of, &c), nil
}

func decodeObject(of string, kind schema.GroupVersionKind, raw []byte) (model.KubernetesObject, error) {
	raw, err := objects.Prune(kind.GroupKind(), raw)
	if err != nil {
		return nil, err
	}
	return propagation.Decode(kind, of, "", raw)
}
