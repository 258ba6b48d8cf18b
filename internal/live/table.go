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
	// sees is what the person may see, of which match is what they asked for; nil for all.
	sees func(T) bool
	// overlay makes what the stream begins with of all that there is, which it must not change; nil for just that.
	overlay func(map[K]T) map[K]T
}

// readers are the subscribers that are told of the same objects. They are guarded by the lock of who owns them.
type readers[K comparable, T any] struct {
	all       map[*reader[K, T]]struct{}
	coalesced func()

	// past is for who comes back; nil where they begin anew.
	past *history[K, T]
}

func newReaders[K comparable, T any](coalesced func(), past *history[K, T]) readers[K, T] {
	return readers[K, T]{all: map[*reader[K, T]]struct{}{}, coalesced: coalesced, past: past}
}

// tell tells all readers the newest state of an object; exists is false when it is gone.
func (rs *readers[K, T]) tell(key K, value T, exists bool, at time.Time) {
	number := int64(0)
	if rs.past != nil {
		number = rs.past.note(key, value, exists)
	}
	for r := range rs.all {
		if r.buffer.putNumbered(key, value, exists && r.match(value), at, number) {
			rs.coalesced()
		}
	}
}

// resume begins a reader's stream with what they have missed since a position; false when that is not known any more, or is more than all that
// there is.
func (rs *readers[K, T]) resume(r *reader[K, T], position string, all map[K]T, compare func(a, b K) int, at time.Time) bool {
	since, ok := rs.past.since(position)
	if !ok {
		return false
	}
	m := rs.past.missedBy(r, since, all)
	if m.more() {
		return false
	}
	rs.all[r] = struct{}{}
	r.buffer.resume(m, rs.past.number, compare, at)
	return true
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
	if rs.past != nil {
		r.buffer.numbered(rs.past.number)
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

func newTable(coalesced func(), past *history[refKey, model.KubernetesObject]) *table {
	return &table{now: time.Now, objects: map[refKey]model.KubernetesObject{}, readers: newReaders(coalesced, past)}
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

// forget drops the objects of a kind that nobody follows any more.
func (t *table) forget(kind schema.GroupVersionKind) {
	t.replace(kind, nil)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers.past.forget()
}

func (t *table) start(r *reader[refKey, model.KubernetesObject]) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.readers.start(r, t.objects, compareRefs, t.now())
}

// resume is start for who comes back; see readers.
func (t *table) resume(r *reader[refKey, model.KubernetesObject], position string) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.readers.resume(r, position, t.objects, compareRefs, t.now())
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
