package live

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"
	"unique"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Resource is a kind of objects of an instance, as its API server serves it.
type Resource struct {
	Kind schema.GroupVersionKind
	// Name is the plural, as in URLs.
	Name string
}

// GVR names it as URLs do.
func (r Resource) GVR() schema.GroupVersionResource {
	return r.Kind.GroupVersion().WithResource(r.Name)
}

// Change is one change of an object, before it has the type of its subscription.
type Change struct {
	Type model.ChangeType
	// Node is nil for SYNCED and RESYNC.
	Node model.KubernetesObject
	At   time.Time
}

// follow streams the objects of some resources of an instance that match. The channel is closed when ctx ends, the instance is
// removed or the hub closes. name is that of the subscription, for the metrics; wrap gives a change its type.
func follow[C any](ctx context.Context, h *Hub, scope rbac.Scope, name, instance string, resources []Resource, match func(model.KubernetesObject) bool, wrap func(Change) C) (<-chan C, error) {
	kinds := make(map[schema.GroupVersionKind]rbac.Namespaces, len(resources))
	for _, r := range resources {
		kinds[r.Kind] = scope.Sees(instance, r.GVR().GroupResource())
	}
	in, release, err := h.subscribe(ctx, scope, instance, func(in *instanceFeeds) ([]*feed, func(), error) { return in.keep(scope, resources) })
	if err != nil {
		return nil, err
	}
	visible := func(o model.KubernetesObject) bool {
		seen, wanted := kinds[o.ObjectRef().GVK]
		return wanted && seen.Has(o.ObjectRef().Namespace)
	}
	r := &reader[refKey, model.KubernetesObject]{
		match:  func(o model.KubernetesObject) bool { return visible(o) && match(o) },
		sees:   visible,
		buffer: newBuffer[refKey, model.KubernetesObject](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc),
	}
	h.ownObjects(rbac.PrincipalFrom(ctx).Name, in, resources, r)
	in.table.start(r)
	s := stream[refKey, model.KubernetesObject, C]{
		name: name, hub: h, gone: in.gone, buffer: r.buffer,
		restart: func() { in.table.start(r) },
		resume:  func(from string) bool { return in.table.resume(r, from) }, position: in.table.readers.past.position,
		end: func() { in.table.end(r); release() },
		wrap: func(c change[refKey, model.KubernetesObject]) C {
			return wrap(Change{Type: c.kind, Node: c.value, At: c.at})
		},
	}
	return s.start(ctx)
}

// mostTables bounds how many resources of an instance are followed as they are: each is a watch, and held in memory.
const mostTables = 48

// keep makes sure that the objects of some resources are in the table, until release is called.
func (in *instanceFeeds) keep(scope rbac.Scope, resources []Resource) (feeds []*feed, release func(), err error) {
	in.mu.Lock()
	kept := 0
	for _, f := range in.feeds {
		if f.tabled() {
			kept++
		}
	}
	for _, r := range resources {
		if f := in.feeds[r.GVR()]; f == nil || !f.tabled() {
			kept++
		}
	}
	in.mu.Unlock()
	if kept > mostTables {
		return nil, nil, &model.Error{Code: model.CodeLimitExceeded, Instance: in.name, Retryable: true,
			Message: fmt.Sprintf("the objects of %d kinds of instance %q are followed already, as many as may be at a time", mostTables, in.name)}
	}
	names := make([]schema.GroupVersionResource, len(resources))
	for i, r := range resources {
		names[i] = r.GVR()
	}
	feeds, release = in.acquire(scope, names)
	for i, f := range feeds {
		f.keepTable(resources[i].Kind)
	}
	return feeds, release, nil
}

// tabled reports whether the objects are kept in the table.
func (f *feed) tabled() bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return !f.kind.Empty()
}

// keepTable has the objects kept in the table from now on: what was listed before is listed again.
func (f *feed) keepTable(kind schema.GroupVersionKind) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if !f.kind.Empty() {
		return
	}
	f.kind = kind
	if !f.listed {
		return // the list that is to come is kept
	}
	f.listed = false
	close(f.changed)
	f.changed = make(chan struct{})
	select {
	case f.again <- struct{}{}:
	default:
	}
}

// tabling is a receiver that keeps the objects in the table, once somebody follows them as they are, and passes on all that it is told.
type tabling struct {
	in   *instanceFeeds
	feed *feed
	// to joins the objects with others; nil for kinds of which nothing is made.
	to taker
}

// kind is that of the objects, or nothing while they are not to be kept.
func (k *tabling) kind() schema.GroupVersionKind {
	k.feed.mu.Lock()
	defer k.feed.mu.Unlock()
	return k.feed.kind
}

func (k *tabling) replace(objects []json.RawMessage) {
	kind := k.kind()
	if k.to != nil {
		k.to.replace(objects)
	}
	if !kind.Empty() {
		all := make([]model.KubernetesObject, 0, len(objects))
		for _, raw := range objects {
			if o := k.decode(kind, raw); o != nil {
				all = append(all, o)
			}
		}
		k.in.table.replace(kind, all)
	}
	k.feed.set(func(f *feed) { f.listed = f.kind == kind })
}

func (k *tabling) upsert(raw json.RawMessage) {
	if k.to != nil {
		k.to.upsert(raw)
	}
	if kind := k.kind(); !kind.Empty() {
		if o := k.decode(kind, raw); o != nil {
			k.in.table.set(o)
		}
	}
}

func (k *tabling) remove(raw json.RawMessage) {
	if k.to != nil {
		k.to.remove(raw)
	}
	if kind := k.kind(); !kind.Empty() {
		if o := k.decode(kind, raw); o != nil {
			k.in.hub.cfg.Own.Gone(o.ObjectRef(), versionOfObject(o))
			k.in.table.drop(o)
		}
	}
}

// decode returns nil for what cannot be read: one bad object must not hide the others.
func (k *tabling) decode(kind schema.GroupVersionKind, raw []byte) model.KubernetesObject {
	o, err := k.in.hub.cfg.DecodeObject(k.in.name, kind, raw)
	if err != nil {
		k.in.log.Error("leaving out an object that cannot be read", "resource", k.feed.resource.String(), "error", err)
		return nil
	}
	return o
}

func (k *tabling) connected(up bool, why error) {
	k.feed.set(func(f *feed) { f.up, f.why = up, why })
}

func (k *tabling) heard() { k.feed.set(func(f *feed) { f.spoke++ }) }

// ownObjects does for objects as they are what ownWrites does for workloads.
func (h *Hub) ownObjects(who string, in *instanceFeeds, resources []Resource, r *reader[refKey, model.KubernetesObject]) {
	own := h.cfg.Own
	if own == nil {
		return
	}
	wanted := func(ref model.Ref) bool {
		return ref.Instance == in.name && ref.Cluster == "" && slices.ContainsFunc(resources, func(r Resource) bool { return r.Kind == ref.GVK })
	}
	r.buffer.outdated = func(o model.KubernetesObject) bool {
		return own.Outdated(who, o.ObjectRef(), versionOfObject(o))
	}
	r.overlay = func(held map[refKey]model.KubernetesObject) map[refKey]model.KubernetesObject {
		return overlay[refKey, model.KubernetesObject]{
			wanted: wanted,
			key:    unique.Make[model.Ref], version: versionOfObject,
			read: func(ref model.Ref, raw []byte) (model.KubernetesObject, error) {
				return h.cfg.DecodeObject(in.name, ref.GVK, raw)
			},
		}.over(h, who, held)
	}
}
