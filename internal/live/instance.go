package live

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// The resources that workloads are joined from, beside the workloads themselves.
var (
	bindingResource = schema.GroupVersionResource{Group: "work.karmada.io", Version: "v1alpha2", Resource: "resourcebindings"}
	clusterResource = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
)

// clusterKind is the kind of member clusters.
var clusterKind = clusterResource.GroupVersion().WithKind("Cluster")

// instanceFeeds is the shared watches of one instance and what they have reported so far.
type instanceFeeds struct {
	name  string
	hub   *Hub
	log   *slog.Logger
	board *board
	table *table

	mu sync.Mutex
	// feeds are the watches that run, by resource.
	feeds map[schema.GroupVersionResource]*feed
	// gone is closed when the instance is removed.
	gone     chan struct{}
	goneOnce sync.Once
}

// feed is one shared watch: how many subscribers need it and whether its data is current.
type feed struct {
	resource schema.GroupVersionResource
	stop     context.CancelFunc
	done     chan struct{}
	// hurry ends the watch's pause after a failure, and again has it list again.
	hurry, again chan struct{}

	// Guarded by instance.mu.
	users  int
	linger *time.Timer

	mu sync.Mutex
	// kind is that of the objects, while they are kept in the table.
	kind   schema.GroupVersionKind
	listed bool
	up     bool
	why    error
	// spoke counts the times the upstream has sent something.
	spoke int
	// changed is closed and replaced whenever one of these changes.
	changed chan struct{}
}

// state returns whether the feed is complete and current, how often its upstream has sent something, a channel that is
// closed when one of these changes, and why it is not ready.
func (f *feed) state() (ready bool, spoke int, changed <-chan struct{}, why error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.listed && f.up, f.spoke, f.changed, f.why
}

func (f *feed) set(change func(*feed)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change(f)
	close(f.changed)
	f.changed = make(chan struct{})
}

// acquire makes sure that the watches of some resources run until release is called.
func (in *instanceFeeds) acquire(scope rbac.Scope, resources []schema.GroupVersionResource) (feeds []*feed, release func()) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, r := range resources {
		f := in.feeds[r]
		if f == nil {
			f = in.start(scope, r)
		}
		if f.linger != nil {
			f.linger.Stop()
			f.linger = nil
		}
		f.users++
		select {
		case f.hurry <- struct{}{}:
		default:
		}
		feeds = append(feeds, f)
	}
	var once sync.Once
	return feeds, func() { once.Do(func() { in.release(feeds) }) }
}

// release ends a use; a watch that stays unused for Linger stops.
func (in *instanceFeeds) release(feeds []*feed) {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, f := range feeds {
		if f.users--; f.users > 0 {
			continue
		}
		f.linger = time.AfterFunc(in.hub.cfg.Linger, func() {
			in.mu.Lock()
			defer in.mu.Unlock()
			if f.users == 0 && in.feeds[f.resource] == f {
				in.stop(f)
			}
		})
	}
}

// start starts a watch; in.mu is held. The caller has checked that the scope may see the instance; so may everybody who
// shares the watch.
func (in *instanceFeeds) start(scope rbac.Scope, r schema.GroupVersionResource) *feed {
	ctx, cancel := context.WithCancel(in.hub.ctx)
	f := &feed{resource: r, stop: cancel, done: make(chan struct{}), hurry: make(chan struct{}, 1), again: make(chan struct{}, 1), changed: make(chan struct{})}
	in.feeds[r] = f
	running := in.hub.metrics.watches.WithLabelValues(in.name, r.Resource)
	w := &watch{
		resource: r,
		connect:  func() (Connection, error) { return in.hub.cfg.Connect(scope, in.name) },
		to:       in.receiver(f),
		log:      in.log,
		restarts: in.hub.metrics.restarts.WithLabelValues(in.name, r.Resource).Inc,
		hurry:    f.hurry,
		again:    f.again,
		most:     maxList,
	}
	if !in.hub.spawn(func() {
		defer close(f.done)
		running.Inc()
		defer running.Dec()
		if err := w.run(ctx); ctx.Err() == nil {
			in.log.Info("instance is gone, its watches end", "error", err)
			// Forget it before closing gone: a subscriber whose stream ends and who subscribes again must not get this
			// one.
			in.hub.forget(in)
			in.goneOnce.Do(func() { close(in.gone) })
			in.board.close()
		}
	}) {
		close(f.done)
	}
	return f
}

// stop stops a watch and forgets what it reported; in.mu is held.
func (in *instanceFeeds) stop(f *feed) {
	delete(in.feeds, f.resource)
	if f.linger != nil {
		f.linger.Stop()
	}
	f.stop()
	<-f.done // nothing arrives from it any more
	in.board.forget(f.resource)
	if kind := f.kind; !kind.Empty() {
		in.table.forget(kind)
	}
}

// close stops the timers after the watches have ended.
func (in *instanceFeeds) close() {
	in.mu.Lock()
	defer in.mu.Unlock()
	for _, f := range in.feeds {
		if f.linger != nil {
			f.linger.Stop()
		}
	}
	in.board.close()
}

// await waits until feeds are complete and current: up to ReadyTimeout while the upstream sends anything, up to Silence
// when it does not.
func (in *instanceFeeds) await(ctx context.Context, feeds []*feed) error {
	ctx, cancel := context.WithTimeout(ctx, in.hub.cfg.ReadyTimeout)
	defer cancel()
	silence := time.NewTimer(in.hub.cfg.Silence)
	defer silence.Stop()
	heard := 0
	for i := 0; i < len(feeds); {
		ready, spoke, changed, why := feeds[i].state()
		if ready {
			i++
			heard = 0
			continue
		}
		if spoke != heard {
			heard = spoke
			silence.Reset(in.hub.cfg.Silence)
		}
		select {
		case <-changed:
		case <-in.gone:
			return notFound(in.name)
		case <-in.hub.ctx.Done():
			return errClosed
		case <-silence.C:
			return in.unwatchable(errors.Join(context.DeadlineExceeded, why))
		case <-ctx.Done():
			return in.unwatchable(errors.Join(ctx.Err(), why))
		}
	}
	return nil
}

// unwatchable is the error for a subscriber when the watches of its instance are not ready.
func (in *instanceFeeds) unwatchable(why error) error {
	said := "its API server does not answer, so that nothing can be watched"
	switch {
	case link.Redirected(why):
		said = "its API server redirects to another address, which is not followed, so that nothing can be watched"
	case errors.Is(why, link.ErrTooLarge):
		said = "its API server sends more than is read of it, so that nothing can be watched"
	}
	return model.InstanceUnavailable(in.name, said, why)
}

// receiver decodes what a watch finds and passes it on.
func (in *instanceFeeds) receiver(f *feed) receiver {
	return &tabling{in: in, feed: f, to: in.joining(f)}
}

// joining passes what a watch finds to the board; nil for kinds that it does not join.
func (in *instanceFeeds) joining(f *feed) taker {
	cfg := &in.hub.cfg
	switch f.resource {
	case clusterResource:
		return &decoding[*model.Cluster]{in: in, feed: f,
			decode:     func(raw []byte) (*model.Cluster, error) { return cfg.DecodeCluster(in.name, raw) },
			replaceAll: in.board.replaceClusters, set: in.board.setCluster, drop: in.board.dropCluster}
	case bindingResource:
		return &decoding[*model.ResourceBinding]{in: in, feed: f,
			decode: func(raw []byte) (*model.ResourceBinding, error) {
				b, err := cfg.DecodeBinding(in.name, raw)
				if b != nil {
					b.Raw = nil // it would take most of the memory of a watch
				}
				return b, err
			},
			replaceAll: in.board.replaceBindings, set: in.board.setBinding, drop: in.board.dropBinding}
	}
	kind := kindOf(f.resource)
	if kind == "" {
		return nil
	}
	return &decoding[model.Workload]{in: in, feed: f,
		decode:     func(raw []byte) (model.Workload, error) { return cfg.DecodeWorkload(in.name, kind, raw) },
		replaceAll: func(all []model.Workload) { in.board.replaceWorkloads(kind, all) },
		set:        in.board.setWorkload,
		drop: func(w model.Workload) {
			cfg.Own.Gone(w.ObjectRef(), versionOf(w))
			in.board.dropWorkload(w)
		}}
}

func kindOf(r schema.GroupVersionResource) model.WorkloadKind {
	for _, k := range model.WorkloadKinds {
		if k.GVR() == r {
			return k
		}
	}
	return ""
}

// decoding takes objects and decodes them. What cannot be decoded is logged and left out: one bad object
// must not hide the others.
type decoding[T any] struct {
	in         *instanceFeeds
	feed       *feed
	decode     func([]byte) (T, error)
	replaceAll func([]T)
	set, drop  func(T)
}

func (d *decoding[T]) replace(objects []json.RawMessage) {
	all := make([]T, 0, len(objects))
	for _, raw := range objects {
		d.with(raw, func(v T) { all = append(all, v) })
	}
	d.replaceAll(all)
}

func (d *decoding[T]) upsert(raw json.RawMessage) { d.with(raw, d.set) }

func (d *decoding[T]) remove(raw json.RawMessage) { d.with(raw, d.drop) }

func (d *decoding[T]) with(raw json.RawMessage, do func(T)) {
	v, err := d.decode(raw)
	if err != nil {
		d.in.log.Error("leaving out an object that cannot be read", "resource", d.feed.resource.String(), "error", err)
		return
	}
	do(v)
}
