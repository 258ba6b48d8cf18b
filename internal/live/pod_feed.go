package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/propagation"
)

const (
	// memberPatience is how long a member may be out of reach before that is said.
	memberPatience = 2 * time.Second
	// memberConnecting is how long it may take to be led to a member.
	memberConnecting = 10 * time.Second
)

// podFeed is one watch.
type podFeed struct {
	group   *podGroup
	place   podPlace
	cancel  context.CancelFunc
	release func()

	// All of these are guarded by group.mu.
	listed, up bool
	// silent says that the member does not answer while its watch is open, config leads to it, and heardAt is when it last told anything.
	silent  bool
	config  *rest.Config
	heardAt time.Time
	why     error
	// missing says that readers were told that it is out of reach.
	missing bool
	late    *time.Timer
	// changed is closed and replaced whenever the ones above change, but for the last two of them.
	changed chan struct{}
}

// watch begins a watch; g.mu is held.
func (g *podGroup) watch(place podPlace) error {
	release, err := g.hub.podWatches.acquire(g.who.Name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(g.ctx)
	f := &podFeed{group: g, place: place, cancel: cancel, release: release, changed: make(chan struct{})}
	running := g.hub.metrics.memberWatches
	w := &watch{
		resource: podResource, namespace: place.namespace, selector: g.key.of.Selector,
		connect: func() (Connection, error) { return f.connect(ctx) },
		to:      f, log: g.hub.cfg.Logger.With("instance", g.key.of.Instance, "cluster", place.cluster),
		restarts: func() {}, most: maxList,
		objects: mostPods, cut: g.cut,
	}
	if !g.hub.spawn(func() {
		running.Inc()
		defer running.Dec()
		if _ = w.run(ctx); ctx.Err() == nil {
			g.cancel() // the instance is gone
		}
	}) || !g.hub.spawn(func() { f.probe(ctx) }) {
		cancel()
		release()
		return errClosed
	}
	g.feeds[place] = f
	f.wait()
	return nil
}

// connect leads to a member as the person.
func (f *podFeed) connect(ctx context.Context) (Connection, error) {
	g, in, cluster := f.group, f.group.key.of.Instance, f.place.cluster
	conn, err := g.hub.cfg.Connect(g.scope, in)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, memberConnecting)
	defer cancel()
	config, err := g.hub.cfg.ConnectMember(ctx, g.scope, g.who, in, cluster)
	if err != nil {
		if known := (*model.Error)(nil); errors.As(err, &known) && known.Code == model.CodeNotFound {
			// The member is gone, and the instance is not: the watch goes on until the workload is placed elsewhere.
			return nil, &model.Error{Code: model.CodeUnavailable, Instance: in, Cluster: cluster, Message: known.Message}
		}
		return nil, err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	f.config = config
	return personal{conn, config}, nil
}

// personal is a connection to a member as a person.
type personal struct {
	Connection

	config *rest.Config
}

func (p personal) Config() *rest.Config { return p.config }

// miss says whether the member is out of reach, so that its pods are not shown; g.mu is held.
func (f *podFeed) miss(missing bool) {
	if f.missing = missing; missing {
		f.group.hidden.Store(f.place, struct{}{})
	} else {
		f.group.hidden.Delete(f.place)
	}
}

// end ends a watch; g.mu is held.
func (f *podFeed) end() {
	f.group.hidden.Delete(f.place)
	f.cancel()
	f.release()
	if f.late != nil {
		f.late.Stop()
	}
}

// wait says that the member is out of reach, unless it answers soon; g.mu is held.
func (f *podFeed) wait() {
	if f.late != nil {
		f.late.Stop()
	}
	f.late = time.AfterFunc(memberPatience, func() {
		f.group.mu.Lock()
		tell := f.group.feeds[f.place] == f && !f.current() && !f.missing
		if tell {
			f.miss(true)
		}
		f.group.mu.Unlock()
		if tell {
			f.group.table.resync()
		}
	})
}

// current reports whether what is held of the member is as it is there; g.mu is held.
func (f *podFeed) current() bool { return f.listed && f.up && !f.silent }

// update changes how the watch is, and tells the streams when that matters to them.
func (f *podFeed) update(what func()) {
	g := f.group
	g.mu.Lock()
	was := f.current()
	what()
	is := f.current()
	back := is && f.missing
	if back {
		f.miss(false)
	}
	if was && !is {
		f.wait()
	}
	close(f.changed)
	f.changed = make(chan struct{})
	g.mu.Unlock()
	if back {
		g.table.resync()
	}
}

func (f *podFeed) connected(up bool, why error) {
	f.update(func() { f.up, f.why = up, why })
}

func (f *podFeed) replace(raws []json.RawMessage) {
	all := make([]sizedPod, 0, len(raws))
	for _, raw := range raws {
		if o := f.decode(raw); o != nil {
			all = append(all, sizedPod{o, len(raw)})
		}
	}
	g := f.group
	g.change(func() {
		if g.feeds[f.place] == f {
			g.hold(f, all)
		}
	})
	f.update(func() { f.listed, f.why = true, nil })
}

func (f *podFeed) upsert(raw json.RawMessage) {
	f.heard()
	o, g := f.decode(raw), f.group
	if o == nil {
		return
	}
	g.change(func() {
		switch {
		case g.feeds[f.place] != f: // it is not watched any more
		case g.room(o.ObjectRef(), len(raw)):
			g.table.set(o)
		default:
			g.lose(o.ObjectRef())
			g.table.drop(o)
		}
	})
}

func (f *podFeed) remove(raw json.RawMessage) {
	f.heard()
	o, g := f.decode(raw), f.group
	if o == nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.feeds[f.place] == f {
		g.lose(o.ObjectRef())
		g.table.drop(o)
	}
}

// decode returns nil for what cannot be read: one bad pod must not hide the others.
func (f *podFeed) decode(raw []byte) model.KubernetesObject {
	raw, err := objects.Prune(podKind.GroupKind(), raw)
	if err == nil {
		var o model.KubernetesObject
		if o, err = propagation.Decode(podKind, f.group.key.of.Instance, f.place.cluster, raw); err == nil {
			return o
		}
	}
	f.group.hub.cfg.Logger.Error("leaving out a pod that cannot be read", "instance", f.group.key.of.Instance, "cluster", f.place.cluster, "error", err)
	return nil
}

// reasonOf is what people are told of why a member's pods are not followed.
func reasonOf(cluster string, why error) model.UserError {
	if refusal := (*statusError)(nil); errors.As(why, &refusal) {
		code := model.CodeUnavailable
		if refusal.forbidden() {
			code = model.CodeForbidden
		}
		return model.UserError{Code: string(code), Message: fmt.Sprintf("cluster %q answers: %s", cluster, refusal.message)}
	}
	if known := (*model.Error)(nil); errors.As(why, &known) {
		return model.UserError{Code: string(known.Code), Message: known.Message}
	}
	return model.UserError{Code: string(model.CodeUnavailable), Message: fmt.Sprintf("cluster %q cannot be reached", cluster)}
}
