// Package operations follows the Operations of the host cluster and makes them for people: it holds all of them in memory, tells who
// follows one of each change, and shows each to those who may see it. It does not work on them: controllers/operation does.
package operations

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/hostcluster"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Operations is all operations that there are.
type Operations struct {
	cache     cache.Cache
	client    client.Client
	namespace string
	log       *slog.Logger
	ready     atomic.Bool
	ended     chan struct{}

	mu  sync.RWMutex
	all map[string]known
	// changed is closed, and replaced, when something of an operation changes; it is there while somebody waits.
	changed map[string]chan struct{}
}

// known is an operation as it was last seen.
type known struct {
	*model.Operation
	version string
	// holder is another instance that it tells of, and named the operation to those who may know of that one.
	holder string
	named  *model.Operation
}

// to is the operation as somebody may see it; nil when they may not, or there is none.
func (k known) to(p auth.Principal, s rbac.Scope) *model.Operation {
	switch {
	case k.Operation == nil || !sees(p, s, k.Operation):
		return nil
	case k.holder != "" && s.Instance(k.holder):
		return k.named
	}
	return k.Operation
}

// New makes them; Run follows the host cluster. What is secret goes into a namespace.
func New(host *rest.Config, namespace string, log *slog.Logger) (*Operations, error) {
	scheme := runtime.NewScheme()
	if err := v1alpha1.AddToScheme(scheme); err != nil {
		return nil, fmt.Errorf("building the scheme: %w", err)
	}
	c, err := cache.New(host, cache.Options{Scheme: scheme, DefaultTransform: cache.TransformStripManagedFields()})
	if err != nil {
		return nil, fmt.Errorf("making the cache of the host cluster: %w", err)
	}
	writer, err := hostcluster.NewClient(host, v1alpha1.AddToScheme, secrets)
	if err != nil {
		return nil, err
	}
	o := empty()
	o.cache, o.client, o.namespace, o.log = c, writer, namespace, log
	return o, nil
}

// Of are operations in memory alone: nothing follows the host cluster, and none can be made.
func Of(all ...*v1alpha1.Operation) *Operations {
	o := empty()
	for _, is := range all {
		o.Put(is)
	}
	return o
}

func empty() *Operations {
	return &Operations{ended: make(chan struct{}), all: map[string]known{}, changed: map[string]chan struct{}{}}
}

// Ready reports whether the operations have been read.
func (o *Operations) Ready() bool { return o.ready.Load() }

// Run follows the host cluster until the context ends.
func (o *Operations) Run(ctx context.Context) error {
	defer close(o.ended)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stopped := make(chan error, 1)
	go func() { stopped <- o.cache.Start(ctx) }()
	informer, err := o.cache.GetInformer(ctx, &v1alpha1.Operation{})
	if err != nil {
		return fmt.Errorf("watching the host cluster: %w", err)
	}
	seen, err := informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { o.see(object) },
		UpdateFunc: func(_, object any) { o.see(object) },
		DeleteFunc: func(object any) {
			if last, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
				object = last.Obj
			}
			if operation, ok := object.(*v1alpha1.Operation); ok {
				o.forget(operation.Name)
			}
		},
	})
	if err != nil {
		return fmt.Errorf("watching the host cluster: %w", err)
	}
	if !o.cache.WaitForCacheSync(ctx) || !toolscache.WaitForCacheSync(ctx.Done(), seen.HasSynced) {
		return context.Cause(ctx)
	}
	o.ready.Store(true)
	return <-stopped
}

func (o *Operations) see(object any) {
	if operation, ok := object.(*v1alpha1.Operation); ok {
		o.Put(operation)
	}
}

// Put keeps an operation as it is now, unless a newer one is known.
func (o *Operations) Put(operation *v1alpha1.Operation) {
	k := known{Operation: modelOf(operation), version: operation.ResourceVersion}
	if h := holding(operation); h != nil {
		k.holder, k.named = h.Instance, naming(k.Operation, *h)
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if is := o.all[k.Name]; is.Operation != nil && is.UID == k.UID && older(k.version, is.version) {
		return
	}
	o.all[k.Name] = k
	o.tell(k.Name)
}

// older compares two versions of one object, which count upwards.
func older(a, b string) bool {
	return len(a) < len(b) || len(a) == len(b) && a < b
}

func (o *Operations) forget(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	delete(o.all, name)
	o.tell(name)
}

// tell wakes those who follow an operation.
func (o *Operations) tell(name string) {
	if c := o.changed[name]; c != nil {
		close(c)
		delete(o.changed, name)
	}
}

// Sees reports whether somebody may see an operation: who asked for it, and the Admins of the instance that it is about.
func sees(p auth.Principal, s rbac.Scope, o *model.Operation) bool {
	return o.Actor == p.Name && p.Name != "" || s.Grants(o.InstanceName, nil)
}

// Operations are those that somebody may see, the newest first. They must not be changed.
func (o *Operations) Operations(p auth.Principal, s rbac.Scope) []*model.Operation {
	o.mu.RLock()
	defer o.mu.RUnlock()
	var out []*model.Operation
	for _, k := range o.all {
		if is := k.to(p, s); is != nil {
			out = append(out, is)
		}
	}
	slices.SortFunc(out, func(a, b *model.Operation) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.Name, b.Name))
	})
	return out
}

// Operation is the one of a name; nil when there is none, or it may not be seen. It must not be changed.
func (o *Operations) Operation(p auth.Principal, s rbac.Scope, name string) *model.Operation {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return o.all[name].to(p, s)
}

// Unfinished are the operations that have not ended, of a person and on an instance.
func (o *Operations) Unfinished(by, instance string) (ofPerson, ofInstance []*model.Operation) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for _, k := range o.all {
		if k.State.Ended() {
			continue
		}
		if k.Actor == by {
			ofPerson = append(ofPerson, k.Operation)
		}
		if k.InstanceName == instance {
			ofInstance = append(ofInstance, k.Operation)
		}
	}
	return ofPerson, ofInstance
}

// next is an operation as it is, nil when it is gone or hidden, and what is closed when that changes.
func (o *Operations) next(p auth.Principal, s rbac.Scope, name string) (*model.Operation, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	is := o.all[name].to(p, s)
	if is == nil {
		return nil, nil
	}
	c := o.changed[name]
	if c == nil {
		c = make(chan struct{})
		o.changed[name] = c
	}
	return is, c
}

// errNone is the same for what is not there and for what is hidden.
var errNone = &model.Error{Code: model.CodeNotFound, Message: "there is no such operation", Field: []string{"id"}}

// Follow sends an operation as it is and as it becomes, until it has ended or is gone: of changes that come faster than the receiver
// takes them, the last one.
func (o *Operations) Follow(ctx context.Context, p auth.Principal, s rbac.Scope, name string) (<-chan *model.Operation, error) {
	if is, _ := o.next(p, s, name); is == nil {
		return nil, errNone
	}
	out := make(chan *model.Operation)
	go func() {
		defer close(out)
		to := pace.From(ctx)
		var sent *model.Operation
		for {
			is, changed := o.next(p, s, name)
			if is == nil || sent != nil && sent.State.Ended() {
				return
			}
			if is == sent {
				if !o.comes(ctx, changed) {
					return
				}
				continue
			}
			granted, giveBack := to.Turn()
			if !o.comes(ctx, granted) {
				giveBack()
				return
			}
			if is, _ = o.next(p, s, name); is == nil { // what it has become since
				giveBack()
				return
			}
			select {
			case out <- is:
				sent = is
			case <-ctx.Done():
				giveBack()
				return
			case <-o.ended:
				giveBack()
				return
			}
		}
	}()
	return out, nil
}

func (o *Operations) comes(ctx context.Context, what <-chan struct{}) bool {
	select {
	case <-what:
		return true
	case <-ctx.Done():
	case <-o.ended:
	}
	return false
}
