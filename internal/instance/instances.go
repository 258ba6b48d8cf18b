// Package instance follows the Instances of the host cluster and keeps one live Connection for each. It is the only
// place that makes a client for an instance. It does not know what is read or written through a connection, nor what
// the read store holds, only whether it is in sync.
package instance

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Config says where the fleet is defined and how long to wait for it.
type Config struct {
	// Host is the cluster that holds Instances, their Secrets and the PediaClusters.
	Host *rest.Config
	// Namespace holds the credential Secrets of the instances.
	Namespace string
	// ClusterpediaNamespace holds the Leases of Clusterpedia's synchro managers.
	ClusterpediaNamespace string
	// Timeout bounds each request to an instance that is not a watch.
	Timeout time.Duration
	// ProbeInterval is how often each instance is probed.
	ProbeInterval time.Duration
	// Seen records people whose access comes from a group, so that members learn their names; nil for none.
	Seen SubjectRecorder
	// Clock tells the time; nil for the real one.
	Clock  clock.PassiveClock
	Logger *slog.Logger
}

// SubjectRecorder records people for the members; *subjects.Recorder implements it.
type SubjectRecorder interface {
	// Note records somebody, and reports whether they are so new that members may not know them yet.
	Note(context.Context, auth.Principal) (fresh bool)
	// Try calls a member as somebody, and again for a few seconds while the member does not know them.
	Try(ctx context.Context, p auth.Principal, call func(context.Context) error) error
}

// Fleet is all instances.
type Fleet struct {
	cfg    Config
	cache  cache.Cache
	synced syncedClusters
	// leases are the Leases of Clusterpedia's synchro managers, by name.
	leases sync.Map
	wake   chan struct{}

	mu        sync.RWMutex
	instances map[string]*entry
	ready     bool
}

// New makes a fleet; Run starts it.
func New(cfg Config) (*Fleet, error) {
	if cfg.Clock == nil {
		cfg.Clock = clock.RealClock{}
	}
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{corev1.AddToScheme, coordinationv1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	host, err := cache.New(cfg.Host, cache.Options{
		Scheme:           scheme,
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject: map[client.Object]cache.ByObject{
			&corev1.Secret{}:        {Namespaces: map[string]cache.Config{cfg.Namespace: {}}},
			&coordinationv1.Lease{}: {Namespaces: map[string]cache.Config{cfg.ClusterpediaNamespace: {}}},
		},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of the host cluster: %w", err)
	}
	f := &Fleet{cfg: cfg, cache: host, wake: make(chan struct{}, 1), instances: map[string]*entry{}}
	if err := f.synced.init(cfg.Host); err != nil {
		return nil, err
	}
	return f, nil
}

// Run follows the host cluster until the context ends, then closes every connection.
func (f *Fleet) Run(ctx context.Context) error {
	var owned sync.WaitGroup
	defer owned.Wait()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 2)
	start := func(run func(context.Context) error) {
		owned.Go(func() {
			if err := run(ctx); err != nil {
				failed <- err
			}
		})
	}
	changed := toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { f.nudge() },
		UpdateFunc: func(_, _ any) { f.nudge() },
		DeleteFunc: func(any) { f.nudge() },
	}
	start(f.cache.Start)
	start(f.synced.run)
	for _, obj := range []client.Object{&v1alpha1.Instance{}, &corev1.Secret{}} {
		informer, err := f.cache.GetInformer(ctx, obj)
		if err != nil {
			return fmt.Errorf("watching the host cluster: %w", err)
		}
		if _, err := informer.AddEventHandler(changed); err != nil {
			return fmt.Errorf("watching the host cluster: %w", err)
		}
	}
	if err := f.followLeases(ctx); err != nil {
		return err
	}
	if !f.cache.WaitForCacheSync(ctx) || !f.synced.wait(ctx) {
		return context.Cause(ctx)
	}
	for {
		f.reconcile(ctx)
		select {
		case <-f.wake:
		case err := <-failed:
			f.closeAll()
			return fmt.Errorf("following the host cluster: %w", err)
		case <-ctx.Done():
			f.closeAll()
			return nil
		}
	}
}

func (f *Fleet) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

// Ready says whether the instances of the host cluster are known. An instance that is down does not
// make the fleet unready.
func (f *Fleet) Ready() bool {
	f.mu.RLock()
	defer f.mu.RUnlock()
	return f.ready
}

// reconcile makes the connections match the Instances and Secrets there are.
func (f *Fleet) reconcile(ctx context.Context) {
	var list v1alpha1.InstanceList
	if err := f.cache.List(ctx, &list); err != nil {
		f.cfg.Logger.Error("listing instances", "error", err)
		return
	}
	next := make(map[string]*entry, len(list.Items))
	for i := range list.Items {
		object := &list.Items[i]
		f.mu.RLock()
		old := f.instances[object.Name]
		f.mu.RUnlock()
		next[object.Name] = f.connect(ctx, object, old)
	}
	f.mu.Lock()
	old := f.instances
	f.instances, f.ready = next, true
	f.mu.Unlock()
	// Only now: callers that see a connection done must find the one that replaced it.
	kept := map[*Connection]bool{}
	for _, e := range next {
		for _, c := range e.connections() {
			kept[c] = true
		}
	}
	for _, e := range old {
		for _, c := range e.connections() {
			if !kept[c] {
				c.Close()
			}
		}
	}
}

func (f *Fleet) closeAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.instances {
		for _, c := range e.connections() {
			c.Close()
			c.Wait()
		}
	}
	f.instances, f.ready = map[string]*entry{}, false
}

// entry finds an instance that the scope may see; absent and hidden ones look alike.
func (f *Fleet) entry(scope rbac.Scope, instance string) (*entry, error) {
	if scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	f.mu.RLock()
	defer f.mu.RUnlock()
	e := f.instances[instance]
	if e == nil || !scope.Instance(instance) {
		return nil, &model.Error{Code: model.CodeNotFound, Instance: instance, Message: fmt.Sprintf("there is no instance %q", instance)}
	}
	return e, nil
}

// Instances returns the instances that a scope may see, by name.
func (f *Fleet) Instances(scope rbac.Scope) []*model.Instance {
	f.mu.RLock()
	defer f.mu.RUnlock()
	now := f.cfg.Clock.Now()
	out := make([]*model.Instance, 0, len(f.instances))
	for name, e := range f.instances {
		if scope.Instance(name) {
			out = append(out, e.seen(scope, now))
		}
	}
	slices.SortFunc(out, func(a, b *model.Instance) int { return strings.Compare(a.Name, b.Name) })
	return out
}

// Instance returns one instance; the error is NOT_FOUND when the scope holds none of that name.
func (f *Fleet) Instance(scope rbac.Scope, name string) (*model.Instance, error) {
	e, err := f.entry(scope, name)
	if err != nil {
		return nil, err
	}
	return e.seen(scope, f.cfg.Clock.Now()), nil
}

// Connection returns the connection to one instance. Its API server may not answer.
func (f *Fleet) Connection(scope rbac.Scope, instance string) (*Connection, error) {
	e, err := f.entry(scope, instance)
	if err != nil {
		return nil, err
	}
	return e.connection()
}
