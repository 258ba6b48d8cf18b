package access

import (
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"context"
)

// report is the outcome of the last pass over an instance.
type report struct {
	// trouble is why the pass does not know what is in force there; its reason is empty when it does.
	trouble trouble
	// results of the AccessBindings that should be in force. Without trouble, no other is.
	results map[string]result
}

// reports holds those of all instances in memory; they are made again after a restart. They wake the controller of the
// AccessBindings whose result changed.
type reports struct {
	mu         sync.Mutex
	byInstance map[string]report
	queue      workqueue.TypedRateLimitingInterface[reconcile.Request]
}

func newReports() *reports { return &reports{byInstance: map[string]report{}} }

// source wakes a controller with the names of AccessBindings.
func (r *reports) source() source.Source {
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.queue = queue
		return nil
	})
}

// of is the report of an instance, if there has been one.
func (r *reports) of(instance string) (report, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out, ok := r.byInstance[instance]
	return out, ok
}

// set replaces the report of an instance. about names the AccessBindings that concern it.
func (r *reports) set(instance string, now report, about []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	before, known := r.byInstance[instance]
	r.byInstance[instance] = now
	if !known || before.trouble != now.trouble {
		for _, name := range about {
			r.wake(name)
		}
	}
	for name, result := range now.results {
		if before.results[name] != result {
			r.wake(name)
		}
	}
	for name := range before.results {
		if _, ok := now.results[name]; !ok {
			r.wake(name)
		}
	}
}

// drop forgets an instance that no longer exists.
func (r *reports) drop(instance string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.byInstance, instance)
}

func (r *reports) wake(name string) {
	if r.queue != nil {
		r.queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: name}})
	}
}
