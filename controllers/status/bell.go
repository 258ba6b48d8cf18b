package status

import (
	"context"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// bell wakes the controller.
type bell struct {
	mu    sync.Mutex
	queue workqueue.TypedRateLimitingInterface[reconcile.Request]
	// early are the instances that were rung for before the controller began.
	early []string
}

var _ source.Source = (*bell)(nil)

// Start implements source.Source.
func (b *bell) Start(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
	b.mu.Lock()
	b.queue = queue
	early := b.early
	b.early = nil
	b.mu.Unlock()
	b.ring(early...)
	return nil
}

func (b *bell) ring(instances ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, instance := range instances {
		if b.queue == nil {
			b.early = append(b.early, instance)
			continue
		}
		b.queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: instance}})
	}
}
