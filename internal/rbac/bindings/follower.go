// Package bindings follows the AccessBindings and the roles of the host cluster and keeps an authorizer current. It
// decides nothing: packages rbac and role define what a binding means.
package bindings

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// settle is how long changes are collected before the role bindings are replaced: one `kubectl apply` of many bindings
// is one replacement, and a revoked role is gone after this long at most.
const settle = 100 * time.Millisecond

// Follower keeps an authorizer current.
type Follower struct {
	cache      cache.Cache
	authorizer *rbac.Authorizer
	log        *slog.Logger
	wake       chan struct{}
	ready      atomic.Bool
}

// New makes a follower of the host cluster; Run starts it.
func New(host *rest.Config, authorizer *rbac.Authorizer, log *slog.Logger) (*Follower, error) {
	scheme := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{rbacv1.AddToScheme, v1alpha1.AddToScheme} {
		if err := add(scheme); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}
	roles, err := labels.Parse(role.Selector)
	if err != nil {
		return nil, fmt.Errorf("the selector of roles: %w", err)
	}
	c, err := cache.New(host, cache.Options{
		Scheme:           scheme,
		DefaultTransform: cache.TransformStripManagedFields(),
		ByObject:         map[client.Object]cache.ByObject{&rbacv1.ClusterRole{}: {Label: roles}},
	})
	if err != nil {
		return nil, fmt.Errorf("making the cache of the host cluster: %w", err)
	}
	return &Follower{cache: c, authorizer: authorizer, log: log, wake: make(chan struct{}, 1)}, nil
}

// Ready reports whether the bindings have been read: until then only the administrators' groups have rights.
func (f *Follower) Ready() bool { return f.ready.Load() }

// Run follows the host cluster until the context ends.
func (f *Follower) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- f.cache.Start(ctx) }()
	changed := toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { f.nudge() },
		UpdateFunc: func(_, _ any) { f.nudge() },
		DeleteFunc: func(any) { f.nudge() },
	}
	for _, obj := range []client.Object{&v1alpha1.AccessBinding{}, &rbacv1.ClusterRole{}} {
		informer, err := f.cache.GetInformer(ctx, obj)
		if err != nil {
			return fmt.Errorf("watching the host cluster: %w", err)
		}
		if _, err := informer.AddEventHandler(changed); err != nil {
			return fmt.Errorf("watching the host cluster: %w", err)
		}
	}
	if !f.cache.WaitForCacheSync(ctx) {
		return context.Cause(ctx)
	}
	for {
		if err := f.write(ctx); err != nil {
			// The old role bindings stay in force. Reads are from memory, so this is a bug of ours.
			f.log.Error("reading who has which role", "error", err)
		}
		select {
		case <-f.wake:
		case err := <-stopped:
			return err
		}
		gather := time.NewTimer(settle)
		select {
		case <-gather.C:
		case err := <-stopped:
			gather.Stop()
			return err
		}
	}
}

func (f *Follower) nudge() {
	select {
	case f.wake <- struct{}{}:
	default:
	}
}

func (f *Follower) write(ctx context.Context) error {
	var bindings v1alpha1.AccessBindingList
	var roles rbacv1.ClusterRoleList
	if err := f.cache.List(ctx, &bindings); err != nil {
		return fmt.Errorf("listing the AccessBindings: %w", err)
	}
	if err := f.cache.List(ctx, &roles); err != nil {
		return fmt.Errorf("listing the roles: %w", err)
	}
	f.authorizer.SetBindings(rbac.NewBindings(bindings.Items, roles.Items))
	f.ready.Store(true)
	return nil
}
