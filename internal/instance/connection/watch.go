package connection

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/go-logr/logr"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/internal/instance/link"
)

// Object is what a watch holds.
type Object interface {
	metav1.Object
	runtime.Object
}

// Watch is something that is watched in every Karmada. It is identified by its pointer: controllers that name the
// same Watch share its objects.
type Watch struct {
	Resource schema.GroupVersionResource
	// LabelSelector limits the watch; empty for everything.
	LabelSelector string
	// MetadataOnly watches only the metadata of objects, as *metav1.PartialObjectMetadata. Otherwise objects are
	// *unstructured.Unstructured.
	MetadataOnly bool
	// Keep returns what to hold of an object in memory; nil to hold everything. It may return another type, and may
	// change its argument. An error is logged, and the object stays as it was before.
	Keep func(Object) (Object, error)
	// Most is the most objects that are held; 0 for maxObjects.
	Most int
}

// Interest is what a controller wants to be woken for.
type Interest struct {
	Watch *Watch
	// Matters reports whether an update is to wake the controller; nil when every one is.
	Matters func(before, after Object) bool
}

// Clusters are the members of a Karmada, as *clusterv1alpha1.Cluster, without the APIs that they serve.
var Clusters = &Watch{
	Resource: schema.GroupVersionResource{Group: clusterv1alpha1.GroupName, Version: "v1alpha1", Resource: "clusters"},
	Keep: func(o Object) (Object, error) {
		if u, ok := o.(*unstructured.Unstructured); ok {
			// A hundred resources each, which no controller uses.
			unstructured.RemoveNestedField(u.Object, "status", "apiEnablements")
		}
		return ToCluster(o)
	},
}

// ToCluster converts a member to *clusterv1alpha1.Cluster, for a Watch.
func ToCluster(o Object) (Object, error) {
	u, ok := o.(*unstructured.Unstructured)
	if !ok {
		return nil, fmt.Errorf("a cluster came as %T", o)
	}
	cluster := &clusterv1alpha1.Cluster{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, cluster); err != nil {
		return nil, fmt.Errorf("reading cluster %q: %w", o.GetName(), err)
	}
	return cluster, nil
}

// maxObjects is the default of Watch.Most: the objects of the longest list.
const maxObjects = 500 * link.MaxPages

// watched is a Watch in one Karmada. It is the store of a Reflector: an informer would pass every event through two
// goroutines and a buffer of its own, a dozen times for each instance.
type watched struct {
	watch *Watch
	conn  *Connection

	// pages belongs to the reflector's goroutine.
	pages link.Pages

	mu      sync.RWMutex
	objects map[string]Object
	synced  bool
	// over reports that there are more objects than are held.
	over bool
	// broken is why the watch does not work; nil when it does.
	broken error
}

func newWatched(conn *Connection, w *Watch) *watched {
	return &watched{watch: w, conn: conn, objects: map[string]Object{}}
}

// run follows the watch until the context ends.
func (w *watched) run(ctx context.Context) {
	var example runtime.Object = &unstructured.Unstructured{}
	if w.watch.MetadataOnly {
		example = &metav1.PartialObjectMetadata{}
	}
	reflector := cache.NewReflectorWithOptions(&cache.ListWatch{ListWithContextFunc: w.list, WatchFuncWithContext: w.follow},
		example, w, cache.ReflectorOptions{Name: w.conn.instance})
	// Errors are recorded where they occur; the reflector would log each attempt as well.
	reflector.RunWithContext(klog.NewContext(ctx, logr.Discard()))
}

func (w *watched) list(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
	if err := w.conn.waitUntilReachable(ctx); err != nil {
		return nil, err
	}
	if err := w.pages.Next(o.Continue); err != nil {
		w.works(err)
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, w.conn.options.CallTimeout)
	defer cancel()
	o.LabelSelector = w.watch.LabelSelector
	if o.Limit > 0 && o.ResourceVersion == "0" {
		o.ResourceVersion = "" // API servers ignore a limit beside it
	}
	var objects runtime.Object
	var err error
	if w.watch.MetadataOnly {
		objects, err = w.conn.metadata.Resource(w.watch.Resource).List(ctx, o)
	} else {
		objects, err = w.conn.dynamic.Resource(w.watch.Resource).List(ctx, o)
	}
	w.works(err)
	return objects, err
}

func (w *watched) follow(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
	if err := w.conn.waitUntilReachable(ctx); err != nil {
		return nil, err
	}
	o.LabelSelector = w.watch.LabelSelector
	stream, err := beginWatch(ctx, w.conn.options.CallTimeout, func(ctx context.Context) (watch.Interface, error) {
		if w.watch.MetadataOnly {
			return w.conn.metadata.Resource(w.watch.Resource).Watch(ctx, o)
		}
		return w.conn.dynamic.Resource(w.watch.Resource).Watch(ctx, o)
	})
	w.works(err)
	return stream, err
}

// works records whether the watch works. When it does not, another Karmada may answer next.
func (w *watched) works(err error) {
	if w.conn.ctx.Err() != nil {
		return
	}
	w.mu.Lock()
	changed := (w.broken == nil) != (err == nil)
	w.broken = err
	w.mu.Unlock()
	if err != nil {
		w.conn.CheckAgain()
	}
	if !changed {
		return
	}
	if err != nil {
		w.conn.options.Logger.Warn("the watch on Karmada broke", "instance", w.conn.instance, "resource", w.watch.Resource.String(), "error", err)
	}
	w.conn.wake(w.watch, nil, nil)
}

// state says whether the objects are known, and why the watch does not work.
func (w *watched) state() (synced bool, broken error) {
	w.mu.RLock()
	defer w.mu.RUnlock()
	if w.broken == nil && w.over {
		return w.synced, fmt.Errorf("more than %d objects: %w", w.most(), link.ErrTooLarge)
	}
	return w.synced, w.broken
}

// keep returns what to hold of an object; nil to keep what is held already.
func (w *watched) keep(obj any) Object {
	o, ok := obj.(Object)
	if !ok {
		return nil
	}
	// Nobody here reads managed fields.
	o.SetManagedFields(nil)
	if w.watch.Keep == nil {
		return o
	}
	name := key(o)
	kept, err := w.watch.Keep(o)
	if err != nil {
		w.conn.options.Logger.Warn("an object in Karmada is not understood", "instance", w.conn.instance,
			"resource", w.watch.Resource.String(), "object", name, "error", err)
		return nil
	}
	return kept
}

// most is the most objects that are held.
func (w *watched) most() int { return cmp.Or(w.watch.Most, maxObjects) }

// Add is for the Reflector.
func (w *watched) Add(obj any) error { return w.Update(obj) }

// Update is for the Reflector.
func (w *watched) Update(obj any) error {
	after := w.keep(obj)
	if after == nil {
		return nil
	}
	w.mu.Lock()
	before := w.objects[key(after)]
	full, known := before == nil && len(w.objects) >= w.most(), w.over
	if full {
		w.over = true
	} else {
		w.objects[key(after)] = after
	}
	w.mu.Unlock()
	switch {
	case !full:
		w.conn.wake(w.watch, before, after)
	case !known:
		w.conn.wake(w.watch, nil, nil)
	}
	return nil
}

// Delete is for the Reflector.
func (w *watched) Delete(obj any) error {
	o, ok := obj.(metav1.Object)
	if !ok {
		return nil
	}
	w.mu.Lock()
	before := w.objects[key(o)]
	delete(w.objects, key(o))
	w.mu.Unlock()
	if before != nil {
		w.conn.wake(w.watch, before, nil)
	}
	return nil
}

// Replace is for the Reflector: everything there is.
func (w *watched) Replace(items []any, _ string) error {
	after := make(map[string]Object, len(items))
	w.mu.RLock()
	before := w.objects
	w.mu.RUnlock()
	over := false
	for _, item := range items {
		if len(after) >= w.most() {
			over = true
			break
		}
		if o := w.keep(item); o != nil {
			after[key(o)] = o
		} else if o, ok := item.(metav1.Object); ok && before[key(o)] != nil {
			after[key(o)] = before[key(o)]
		}
	}
	w.mu.Lock()
	first := !w.synced || w.over != over
	w.objects, w.synced, w.over = after, true, over
	w.mu.Unlock()
	if first {
		w.conn.wake(w.watch, nil, nil)
		return nil
	}
	for name, o := range after {
		if old := before[name]; old == nil || old.GetResourceVersion() != o.GetResourceVersion() {
			w.conn.wake(w.watch, old, o)
		}
	}
	for name, o := range before {
		if after[name] == nil {
			w.conn.wake(w.watch, o, nil)
		}
	}
	return nil
}

// Resync is for the Reflector, which never calls it.
func (w *watched) Resync() error { return nil }

func (w *watched) sorted() []Object {
	w.mu.RLock()
	out := slices.Collect(maps.Values(w.objects))
	w.mu.RUnlock()
	slices.SortFunc(out, func(a, b Object) int {
		return cmp.Or(strings.Compare(a.GetNamespace(), b.GetNamespace()), strings.Compare(a.GetName(), b.GetName()))
	})
	return out
}

func (w *watched) get(namespace, name string) Object {
	w.mu.RLock()
	defer w.mu.RUnlock()
	return w.objects[namespace+"/"+name]
}

func key(o metav1.Object) string { return o.GetNamespace() + "/" + o.GetName() }

// beginWatch bounds the start of a watch, not its duration.
func beginWatch(ctx context.Context, within time.Duration, begin func(context.Context) (watch.Interface, error)) (watch.Interface, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(within, func() { cancel(context.DeadlineExceeded) })
	stream, err := begin(ctx)
	if !timer.Stop() && err == nil {
		stream.Stop()
		err = context.Cause(ctx)
	}
	if err != nil {
		cancel(nil)
		return nil, err
	}
	return boundWatch{Interface: stream, cancel: cancel}, nil
}

// boundWatch releases its context when it stops.
type boundWatch struct {
	watch.Interface

	cancel context.CancelCauseFunc
}

func (w boundWatch) Stop() {
	w.Interface.Stop()
	w.cancel(nil)
}
