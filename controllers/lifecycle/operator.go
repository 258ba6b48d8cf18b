package lifecycle

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"time"

	operatorv1alpha1 "github.com/karmada-io/karmada/operator/pkg/apis/operator/v1alpha1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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

// operator watches the objects of the Karmada operator. The host cluster may not serve their kind: an installation that
// only attaches instances has no operator. So discovery is repeated until the kind is served, and it is watched from
// then on.
type operator struct {
	mapper meta.RESTMapper
	cache  cache.Cache
	log    *slog.Logger
	retry  time.Duration
	queues chan queue
	served atomic.Bool
}

func newOperator(mapper meta.RESTMapper, reads cache.Cache, log *slog.Logger, retry time.Duration) *operator {
	return &operator{mapper: mapper, cache: reads, log: log, retry: retry, queues: make(chan queue, 1)}
}

// source wakes the controller with the name of the Instance that an object was made for.
func (o *operator) source() source.Source {
	return source.Func(func(_ context.Context, q queue) error {
		o.queues <- q
		return nil
	})
}

// NeedLeaderElection returns true: the kind is watched where the controllers run.
func (o *operator) NeedLeaderElection() bool { return true }

// Start watches the kind until the context ends.
func (o *operator) Start(ctx context.Context) error {
	var q queue
	select {
	case q = <-o.queues:
	case <-ctx.Done():
		return nil
	}
	ticker := time.NewTicker(o.retry)
	defer ticker.Stop()
	for {
		_, err := o.mapper.RESTMapping(karmadaKind.GroupKind(), karmadaKind.Version)
		if err == nil {
			err = o.follow(ctx, q)
		}
		switch {
		case ctx.Err() != nil:
			return nil
		case err == nil:
			o.served.Store(true)
			o.wakeAll(ctx, q)
			<-ctx.Done()
			return nil
		case !meta.IsNoMatchError(err):
			o.log.Warn("the objects of the Karmada operator cannot be watched", "error", err)
		}
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return nil
		}
	}
}

// follow begins the watch, and waits until it has synced.
func (o *operator) follow(ctx context.Context, q queue) error {
	const patience = 30 * time.Second
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	informer, err := o.cache.GetInformer(ctx, newKarmada())
	if err != nil {
		return fmt.Errorf("watching %s: %w", karmadaKind.GroupKind(), err)
	}
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc:    func(object any) { wake(q, object) },
		UpdateFunc: func(before, after any) { wake(q, before); wake(q, after) },
		DeleteFunc: func(object any) {
			if unknown, ok := object.(toolscache.DeletedFinalStateUnknown); ok {
				object = unknown.Obj
			}
			wake(q, object)
		},
	})
	if err != nil {
		return fmt.Errorf("watching %s: %w", karmadaKind.GroupKind(), err)
	}
	return nil
}

// wake adds the Instance of a Karmada, which has the same name.
func wake(q queue, object any) {
	if o, ok := object.(metav1.Object); ok {
		q.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: o.GetName()}})
	}
}

func (o *operator) wakeAll(ctx context.Context, q queue) {
	var instances v1alpha1.InstanceList
	// Read from the cache; it fails only while the manager stops.
	if err := o.cache.List(ctx, &instances); err != nil {
		return
	}
	for i := range instances.Items {
		wake(q, &instances.Items[i])
	}
}

func newKarmada() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(karmadaKind)
	return u
}

// karmada is an object of the operator; nil when there is none, or when the kind is not served.
func karmada(ctx context.Context, reader client.Reader, key client.ObjectKey) (*unstructured.Unstructured, error) {
	u := newKarmada()
	err := reader.Get(ctx, key, u)
	if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
		return nil, nil //nolint:nilnil // there is none
	}
	if err != nil {
		return nil, fmt.Errorf("reading Karmada %s: %w", key, err)
	}
	return u, nil
}

// readiness returns the operator's condition Ready of a Karmada; nil when there is none.
func readiness(u *unstructured.Unstructured) *metav1.Condition {
	var k operatorv1alpha1.Karmada
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &k); err != nil {
		return nil
	}
	return meta.FindStatusCondition(k.Status.Conditions, string(operatorv1alpha1.Ready))
}

// The reasons that the operator gives.
const (
	operatorFailed     = "Failed"
	operatorValidation = "ValidationError"
)
