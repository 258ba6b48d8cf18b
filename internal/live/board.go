package live

import (
	"cmp"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
)

// board joins what the watches of one instance reported: every workload with its propagation. It sends its readers the
// changes that concern them. Values on it are never modified once stored.
type board struct {
	compute   func(*model.WorkloadMeta, *model.ResourceBinding, map[string]*model.Cluster) *model.Propagation
	changesAt func(*model.WorkloadMeta, *model.Propagation) *time.Time
	now       func() time.Time

	mu        sync.Mutex
	workloads map[model.Ref]model.Workload // as decoded
	views     map[refKey]model.Workload    // with their propagation
	bindings  map[bindingKey]*model.ResourceBinding
	carriers  map[model.Ref]bindingKey // the binding that carries an object
	clusters  map[string]*model.Cluster
	// passing holds a timer for each workload whose state will change by time alone.
	passing map[model.Ref]*time.Timer
	closed  bool

	workloadReaders readers[refKey, model.Workload]
	clusterReaders  readers[string, *model.Cluster]
}

type bindingKey struct{ namespace, name string }

func keyOf(b *model.ResourceBinding) bindingKey {
	return bindingKey{namespace: b.Ref.Namespace, name: b.Ref.Name}
}

func carried(b *model.ResourceBinding) model.Ref {
	return b.TemplateRef()
}

func (b *board) setWorkload(w model.Workload) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workloads[w.ObjectRef()] = w
	b.refresh(w.ObjectRef())
}

func (b *board) dropWorkload(w model.Workload) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.workloads, w.ObjectRef())
	b.refresh(w.ObjectRef())
}

func (b *board) replaceWorkloads(kind model.WorkloadKind, all []model.Workload) {
	b.mu.Lock()
	defer b.mu.Unlock()
	touched := map[model.Ref]struct{}{}
	for ref, w := range b.workloads {
		if w.Meta().WorkloadKind == kind {
			delete(b.workloads, ref)
			touched[ref] = struct{}{}
		}
	}
	for _, w := range all {
		b.workloads[w.ObjectRef()] = w
		touched[w.ObjectRef()] = struct{}{}
	}
	for ref := range touched {
		b.refresh(ref)
	}
}

func (b *board) setBinding(rb *model.ResourceBinding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := keyOf(rb)
	touched := map[model.Ref]struct{}{carried(rb): {}}
	if old, ok := b.bindings[key]; ok {
		if b.carriers[carried(old)] == key { // no other binding has taken over since
			delete(b.carriers, carried(old))
		}
		touched[carried(old)] = struct{}{}
	}
	b.bindings[key], b.carriers[carried(rb)] = rb, key
	for ref := range touched {
		b.refresh(ref)
	}
}

func (b *board) dropBinding(rb *model.ResourceBinding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := keyOf(rb)
	old, ok := b.bindings[key]
	if !ok {
		return
	}
	delete(b.bindings, key)
	if b.carriers[carried(old)] == key {
		delete(b.carriers, carried(old))
	}
	b.refresh(carried(old))
}

func (b *board) replaceBindings(all []*model.ResourceBinding) {
	b.mu.Lock()
	defer b.mu.Unlock()
	touched := map[model.Ref]struct{}{}
	for ref := range b.carriers {
		touched[ref] = struct{}{}
	}
	clear(b.bindings)
	clear(b.carriers)
	for _, rb := range all {
		b.bindings[keyOf(rb)], b.carriers[carried(rb)] = rb, keyOf(rb)
		touched[carried(rb)] = struct{}{}
	}
	for ref := range touched {
		b.refresh(ref)
	}
}

func (b *board) setCluster(c *model.Cluster) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putCluster(c.Name, c)
}

func (b *board) dropCluster(c *model.Cluster) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.putCluster(c.Name, nil)
}

func (b *board) replaceClusters(all []*model.Cluster) {
	b.mu.Lock()
	defer b.mu.Unlock()
	gone := maps.Clone(b.clusters)
	for _, c := range all {
		delete(gone, c.Name)
		b.putCluster(c.Name, c)
	}
	for name := range gone {
		b.putCluster(name, nil)
	}
}

// putCluster sets a cluster, or removes it when c is nil. Clusters report every few seconds: mere heartbeats are not
// passed on.
func (b *board) putCluster(name string, c *model.Cluster) {
	old := b.clusters[name]
	if old == nil && c == nil {
		return
	}
	if sameCluster(old, c) {
		b.clusters[name] = c
		for r := range b.clusterReaders.all {
			if r.buffer.renew(name, old, c, b.now()) {
				b.clusterReaders.coalesced()
			}
		}
		return
	}
	last := c
	if c == nil {
		delete(b.clusters, name)
		last = old
	} else {
		b.clusters[name] = c
	}
	b.clusterReaders.tell(name, last, c != nil, b.now())
	if old != nil && c != nil && old.State == c.State && old.StateMessage == c.StateMessage {
		return
	}
	for key, view := range b.views {
		if live := view.Meta().Live; live != nil && slices.ContainsFunc(live.Targets, func(t *model.PropagationTarget) bool { return t.ClusterName == name }) {
			b.refresh(key.Value())
		}
	}
}

// sameCluster reports whether two versions of a cluster are the same but for their numbers.
func sameCluster(a, b *model.Cluster) bool {
	if a == nil || b == nil {
		return a == b
	}
	older := *a
	older.ResourceVersion = b.ResourceVersion
	return reflect.DeepEqual(&older, b)
}

// refresh joins one workload again and notifies the readers if that changed anything.
func (b *board) refresh(ref model.Ref) {
	key := unique.Make(ref)
	old, had := b.views[key]
	w, exists := b.workloads[ref]
	switch {
	case exists:
		live := b.compute(w.Meta(), b.bindings[b.carriers[ref]], b.clusters)
		if had && old.Meta().UID == w.Meta().UID && old.Meta().ResourceVersion == w.Meta().ResourceVersion &&
			reflect.DeepEqual(old.Meta().Live, live) {
			return
		}
		w = withLive(w, live)
		b.views[key] = w
	case had:
		delete(b.views, key)
		w = old
	default:
		return
	}
	b.workloadReaders.tell(key, w, exists, b.now())
	b.awaitPassing(ref, w, exists)
}

// awaitPassing notifies a workload's readers again when its state changes although no object has changed: what stays in
// progress for too long no longer counts as in progress.
func (b *board) awaitPassing(ref model.Ref, w model.Workload, exists bool) {
	if t := b.passing[ref]; t != nil {
		t.Stop()
		delete(b.passing, ref)
	}
	if !exists || b.closed {
		return
	}
	at := b.changesAt(w.Meta(), w.Meta().Live)
	if at == nil || !at.After(b.now()) {
		return
	}
	var timer *time.Timer
	timer = time.AfterFunc(at.Sub(b.now()), func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.passing[ref] != timer {
			return
		}
		delete(b.passing, ref)
		b.workloadReaders.tell(unique.Make(ref), w, true, b.now())
	})
	b.passing[ref] = timer
}

// close stops the pending timers.
func (b *board) close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.closed = true
	for _, t := range b.passing {
		t.Stop()
	}
	clear(b.passing)
}

// withLive is a copy of a workload with its propagation.
func withLive(w model.Workload, p *model.Propagation) model.Workload {
	switch w := w.(type) {
	case *model.Deployment:
		c := *w
		c.Live = p
		return &c
	case *model.StatefulSet:
		c := *w
		c.Live = p
		return &c
	case *model.DaemonSet:
		c := *w
		c.Live = p
		return &c
	case *model.Job:
		c := *w
		c.Live = p
		return &c
	case *model.CronJob:
		c := *w
		c.Live = p
		return &c
	}
	return w
}

// forget drops what a resource's watch reported. By then nothing reads what depends on it.
func (b *board) forget(r schema.GroupVersionResource) {
	defer func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.workloadReaders.past.forget()
		b.clusterReaders.past.forget()
	}()
	switch r {
	case bindingResource:
		b.replaceBindings(nil)
	case clusterResource:
		b.replaceClusters(nil)
	default:
		b.replaceWorkloads(kindOf(r), nil)
	}
}

// startWorkloads begins (again) a reader's stream with every object that matches it.
func (b *board) startWorkloads(r *reader[refKey, model.Workload]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workloadReaders.start(r, b.views, compareRefs, b.now())
}

// resumeWorkloads is startWorkloads for who comes back; see readers.
func (b *board) resumeWorkloads(r *reader[refKey, model.Workload], position string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.workloadReaders.resume(r, position, b.views, compareRefs, b.now())
}

func (b *board) endWorkloads(r *reader[refKey, model.Workload]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.workloadReaders.end(r)
}

func (b *board) startClusters(r *reader[string, *model.Cluster]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clusterReaders.start(r, b.clusters, strings.Compare, b.now())
}

// resumeClusters is startClusters for who comes back; see readers.
func (b *board) resumeClusters(r *reader[string, *model.Cluster], position string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.clusterReaders.resume(r, position, b.clusters, strings.Compare, b.now())
}

func (b *board) endClusters(r *reader[string, *model.Cluster]) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.clusterReaders.end(r)
}

func compareRefs(x, y refKey) int {
	a, b := x.Value(), y.Value()
	return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name), cmp.Compare(a.GVK.Kind, b.GVK.Kind))
}
