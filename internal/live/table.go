package live

import (
	"slices"
	"sync"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/ownwrites"
)

// refKey names an object in the maps that every subscriber has: a reference holds seven strings, and to hash and compare them was half of
// what an event costs.
type refKey = unique.Handle[model.Ref]

// reader is one subscriber: which objects it wants, and what it has yet to be sent.
type reader[K comparable, T any] struct {
	match  func(T) bool
	buffer *buffer[K, T]
	// overlay makes what the stream begins with of all that there is, which it must not change; nil for just that.
	overlay func(map[K]T) map[K]T
}

func (r *reader[K, T]) put(key K, value T, exists bool, at time.Time) bool {
	return r.buffer.put(key, value, exists && r.match(value), at)
}

// readers are the subscribers that are told of the same objects. They are guarded by the lock of who owns them.
type readers[K comparable, T any] struct {
	all       map[*reader[K, T]]struct{}
	coalesced func()
}

func newReaders[K comparable, T any](coalesced func()) readers[K, T] {
	return readers[K, T]{all: map[*reader[K, T]]struct{}{}, coalesced: coalesced}
}

// tell tells all readers the newest state of an object; exists is false when it is gone.
func (rs *readers[K, T]) tell(key K, value T, exists bool, at time.Time) {
	for r := range rs.all {
		if r.put(key, value, exists, at) {
			rs.coalesced()
		}
	}
}

// start begins (again) a reader's stream with every object that matches it.
func (rs *readers[K, T]) start(r *reader[K, T], all map[K]T, compare func(a, b K) int, at time.Time) {
	rs.all[r] = struct{}{}
	if r.overlay != nil {
		all = r.overlay(all)
	}
	var keys []K
	for k, v := range all {
		if r.match(v) {
			keys = append(keys, k)
		}
	}
	slices.SortFunc(keys, compare)
	values := make([]T, len(keys))
	for i, k := range keys {
		values[i] = all[k]
	}
	r.buffer.restart(keys, values, at)
}

func (rs *readers[K, T]) end(r *reader[K, T]) { delete(rs.all, r) }

// table is the objects of an instance that somebody follows as they are: nothing is joined with them. Values in it are never
// modified once stored.
type table struct {
	now func() time.Time

	mu      sync.Mutex
	objects map[refKey]model.KubernetesObject
	readers readers[refKey, model.KubernetesObject]
}

func newTable(coalesced func()) *table {
	return &table{now: time.Now, objects: map[refKey]model.KubernetesObject{}, readers: newReaders[refKey, model.KubernetesObject](coalesced)}
}

func (t *table) set(o model.KubernetesObject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(o)
}

// resync has all streams begin again.
func (t *table) resync() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for r := range t.readers.all {
		r.buffer.lose()
	}
}

func (t *table) put(o model.KubernetesObject) {
	key := unique.Make(o.ObjectRef())
	if old, had := t.objects[key]; had && versionOfObject(old) == versionOfObject(o) {
		return
	}
	t.objects[key] = o
	t.readers.tell(key, o, true, t.now())
}

func (t *table) drop(o model.KubernetesObject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.remove(unique.Make(o.ObjectRef()))
}

func (t *table) remove(key refKey) {
	old, had := t.objects[key]
	if !had {
		return
	}
	delete(t.objects, key)
	t.readers.tell(key, old, false, t.now())
}

// replace takes all objects of a kind that there are now.
func (t *table) replace(kind schema.GroupVersionKind, all []model.KubernetesObject) {
	t.replaceWhere(func(ref model.Ref) bool { return ref.GVK == kind }, all)
}

// replaceWhere takes all objects of those that belong together that there are now.
func (t *table) replaceWhere(belongs func(model.Ref) bool, all []model.KubernetesObject) {
	t.mu.Lock()
	defer t.mu.Unlock()
	there := make(map[refKey]struct{}, len(all))
	for _, o := range all {
		there[unique.Make(o.ObjectRef())] = struct{}{}
		t.put(o)
	}
	for key := range t.objects {
		if _, ok := there[key]; !ok && belongs(key.Value()) {
			t.remove(key)
		}
	}
}

func (t *table) start(r *reader[refKey, model.KubernetesObject]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers.start(r, t.objects, compareRefs, t.now())
}

func (t *table) end(r *reader[refKey, model.KubernetesObject]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers.end(r)
}

// versionOfObject is which version of which object it is.
func versionOfObject(o model.KubernetesObject) ownwrites.Version {
	meta := metaOf(o)
	return ownwrites.Version{UID: meta.UID, ResourceVersion: meta.ResourceVersion}
}
