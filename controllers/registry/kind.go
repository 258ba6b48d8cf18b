package registry

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]

// kind is the configured kind, which the host cluster may not serve yet: a manager whose controllers watch such a kind
// would not start. So discovery is repeated until it is served, and it is watched from then on.
type kind struct {
	gvk       schema.GroupVersionKind
	namespace string
	mapper    meta.RESTMapper
	cache     cache.Cache
	log       *slog.Logger
	retry     time.Duration
	queues    chan queue

	mu sync.RWMutex
	// trouble is why it cannot be written now; nil when it can.
	trouble *trouble
}

// trouble is why a kind cannot be written.
type trouble struct{ reason, message string }

func newKind(gvk schema.GroupVersionKind, namespace string, mapper meta.RESTMapper, reads cache.Cache, log *slog.Logger, retry time.Duration) *kind {
	return &kind{
		gvk: gvk, namespace: namespace, mapper: mapper, cache: reads, log: log, retry: retry,
		queues: make(chan queue, 1),
		// Until the first answer. Nothing is reported before that: see Controller.reconcile.
		trouble: &trouble{},
	}
}

// source wakes the controller with the name of the Instance that an object is about.
func (k *kind) source() source.Source {
	return source.Func(func(_ context.Context, q queue) error {
		k.queues <- q
		return nil
	})
}

// NeedLeaderElection returns true: the kind is watched where the controllers run.
func (k *kind) NeedLeaderElection() bool { return true }

// Start watches the kind until the context ends.
func (k *kind) Start(ctx context.Context) error {
	var q queue
	select {
	case q = <-k.queues:
	case <-ctx.Done():
		return nil
	}
	ticker := time.NewTicker(k.retry)
	defer ticker.Stop()
	for {
		why := k.ask(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if why == nil {
			if err := k.follow(ctx, q); err == nil {
				k.becomes(ctx, q, nil)
				<-ctx.Done()
				return nil
			} else if ctx.Err() == nil {
				k.log.Warn("the objects that instances are registered by cannot be watched", "kind", k.gvk.String(), "error", err)
				why = &trouble{v1alpha1.ReasonKindNotServed, fmt.Sprintf("the host cluster does not let %s be watched: %s", k.gvk.GroupKind(), err)}
			}
		}
		k.becomes(ctx, q, why)
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// ask returns why the kind cannot be written; nil when it can.
func (k *kind) ask(context.Context) *trouble {
	mapping, err := k.mapper.RESTMapping(k.gvk.GroupKind(), k.gvk.Version)
	switch {
	case meta.IsNoMatchError(err):
		return &trouble{v1alpha1.ReasonKindNotServed, notServed(k.gvk)}
	case err != nil:
		k.log.Warn("the host cluster does not tell what it serves", "kind", k.gvk.String(), "error", err)
		return &trouble{v1alpha1.ReasonKindNotServed, fmt.Sprintf("the host cluster does not tell whether it serves %s", k.gvk.GroupKind())}
	case mapping.Scope.Name() == meta.RESTScopeNameNamespace && k.namespace == "":
		return &trouble{v1alpha1.ReasonNamespaceRequired, fmt.Sprintf("%s is namespaced, and no namespace is configured for it", k.gvk.GroupKind())}
	case mapping.Scope.Name() == meta.RESTScopeNameRoot:
		k.mu.Lock()
		k.namespace = ""
		k.mu.Unlock()
	}
	return nil
}

func notServed(gvk schema.GroupVersionKind) string {
	return fmt.Sprintf("the host cluster does not serve %s in version %s", gvk.GroupKind(), gvk.Version)
}

// follow begins the watch, and waits until it has synced.
func (k *kind) follow(ctx context.Context, q queue) error {
	const timeout = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	informer, err := k.cache.GetInformer(ctx, k.example())
	if err != nil {
		return fmt.Errorf("watching %s: %w", k.gvk.GroupKind(), err)
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { wake(q, o) },
		UpdateFunc: func(before, after any) { wake(q, before); wake(q, after) },
		DeleteFunc: func(o any) {
			if unknown, ok := o.(toolscache.DeletedFinalStateUnknown); ok {
				o = unknown.Obj
			}
			wake(q, o)
		},
	})
	if err != nil {
		return fmt.Errorf("watching %s: %w", k.gvk.GroupKind(), err)
	}
	return nil
}

// wake adds the Instance that an object is, or was, about.
func wake(q queue, object any) {
	o, ok := object.(metav1.Object)
	if !ok {
		return
	}
	instance, ok := o.GetLabels()[v1alpha1.LabelInstance]
	if !ok {
		if instance, ok = strings.CutPrefix(o.GetName(), namePrefix); !ok {
			return
		}
	}
	q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: instance}})
}

// becomes records what is wrong, and wakes every instance when that has changed.
func (k *kind) becomes(ctx context.Context, q queue, why *trouble) {
	k.mu.Lock()
	changed := (k.trouble == nil) != (why == nil) || why != nil && *k.trouble != *why
	k.trouble = why
	k.mu.Unlock()
	if why == nil {
		servedGauge.Set(1)
	} else {
		servedGauge.Set(0)
	}
	if !changed {
		return
	}
	if why == nil {
		k.log.Info("instances are registered", "kind", k.gvk.String())
	} else {
		k.log.Warn("instances cannot be registered", "kind", k.gvk.String(), "reason", why.message)
	}
	var instances v1alpha1.InstanceList
	// Read from the cache; it fails only while the manager stops.
	if err := k.cache.List(ctx, &instances); err != nil {
		return
	}
	for i := range instances.Items {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: instances.Items[i].Name}})
	}
}

// state returns the reference of an instance, and why it cannot be written now.
func (k *kind) state(instance string) (reference, *trouble) {
	k.mu.RLock()
	defer k.mu.RUnlock()
	return reference{kind: k.gvk, namespace: k.namespace, name: nameOf(instance)}, k.trouble
}

func (k *kind) example() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(k.gvk)
	return u
}

func (k *kind) list() *unstructured.UnstructuredList {
	u := &unstructured.UnstructuredList{}
	u.SetGroupVersionKind(k.gvk.GroupVersion().WithKind(k.gvk.Kind + "List"))
	return u
}

// ofInstance are the objects labelled for an instance, as the cache has them.
func (k *kind) ofInstance(ctx context.Context, instance string) ([]unstructured.Unstructured, error) {
	list := k.list()
	if err := k.cache.List(ctx, list, client.MatchingLabels(labelsOf(instance)), client.InNamespace(k.namespace)); err != nil {
		return nil, fmt.Errorf("listing the %s of instance %q: %w", k.gvk.Kind, instance, err)
	}
	return list.Items, nil
}
