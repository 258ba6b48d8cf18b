package live

import (
	"context"
	"maps"
	"reflect"
	"strings"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Fleet is what is known of the instances and their members, from memory.
type Fleet interface {
	Instances(rbac.Scope) []*model.Instance
	// Clusters fails where Karmada does not answer for them.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
	// Freshness is how the read store follows an instance, or a member of it.
	Freshness(instance, cluster string) *model.Freshness
}

// fleetInterval is how often the instances are compared with what they were, while somebody follows them: they change by what
// controllers write, by what this server sees, and by time alone.
const fleetInterval = 250 * time.Millisecond

// fleetBoard compares what is known of the instances with what it was, while somebody follows them, and tells its readers.
type fleetBoard struct {
	hub *Hub

	mu sync.Mutex
	// users are those who follow; looking is not nil while there are any, and ends the comparing.
	users   int
	looking context.CancelFunc
	// known is the instances as they were last.
	known     map[string]knownInstance
	readers   readers[string, *model.Instance]
	overviews map[*overviewReader]struct{}
}

// knownInstance is what is followed of an instance.
type knownInstance struct {
	instance *model.Instance
	clusters []*model.Cluster
	// fresh is how the read store follows the instance, under "", and each of its members.
	fresh map[string]model.Freshness
}

// overviewReader is somebody who follows the overview.
type overviewReader struct {
	*reader[string, *model.Overview]
	scope rbac.Scope
	last  *model.Overview
}

func newFleetBoard(h *Hub) *fleetBoard {
	return &fleetBoard{hub: h, known: map[string]knownInstance{}, readers: newReaders[string, *model.Instance](h.metrics.coalesced.Inc, nil), overviews: map[*overviewReader]struct{}{}}
}

// enter makes sure that what is known is current, and stays so until leave is called.
func (b *fleetBoard) enter() (leave func(), err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.users++; b.users == 1 {
		ctx, cancel := context.WithCancel(b.hub.ctx)
		b.look()
		if !b.hub.spawn(func() { b.follow(ctx) }) {
			b.users--
			cancel()
			return nil, errClosed
		}
		b.looking = cancel
	}
	return sync.OnceFunc(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.users--; b.users == 0 {
			b.looking()
			b.known = map[string]knownInstance{}
		}
	}), nil
}

func (b *fleetBoard) follow(ctx context.Context) {
	tick := time.NewTicker(fleetInterval)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		b.mu.Lock()
		if ctx.Err() == nil {
			b.look()
		}
		b.mu.Unlock()
	}
}

// look compares what is known with what it was; b.mu is held.
func (b *fleetBoard) look() {
	cfg, at := &b.hub.cfg, time.Now()
	before := b.known
	b.known = make(map[string]knownInstance, len(before))
	changed := false
	for _, i := range cfg.Fleet.Instances(cfg.Everything) {
		is := knownInstance{instance: i}
		is.clusters, _ = cfg.Fleet.Clusters(cfg.Everything, i.Name) // that they are not known is told by the state of the instance
		is.fresh = freshness(cfg.Fleet, i.Name, is.clusters)
		b.known[i.Name] = is
		was, had := before[i.Name]
		told := !had || !maps.Equal(was.fresh, is.fresh) || !sameStates(was.clusters, is.clusters) || !reflect.DeepEqual(was.instance, is.instance)
		if told {
			b.readers.tell(i.Name, i, true, at)
		}
		changed = changed || told
	}
	for name, was := range before {
		if _, there := b.known[name]; !there {
			b.readers.tell(name, was.instance, false, at)
			changed = true
		}
	}
	if !changed {
		return
	}
	for r := range b.overviews {
		b.tellOverview(r, at)
	}
}

// freshness is how the read store follows an instance, under "", and each of its members, but for when it was synced last: that
// changes all the time.
func freshness(fleet Fleet, instance string, clusters []*model.Cluster) map[string]model.Freshness {
	out := make(map[string]model.Freshness, 1+len(clusters))
	note := func(cluster string) {
		if fresh := fleet.Freshness(instance, cluster); fresh != nil {
			out[cluster] = model.Freshness{State: fresh.State, Message: fresh.Message}
		}
	}
	note("")
	for _, c := range clusters {
		note(c.Name)
	}
	return out
}

// sameStates reports whether clusters are the same ones in the same states.
func sameStates(a, b []*model.Cluster) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i].Name != b[i].Name || a[i].State != b[i].State {
			return false
		}
	}
	return true
}

func (b *fleetBoard) tellOverview(r *overviewReader, at time.Time) {
	now := b.overview(r.scope)
	if reflect.DeepEqual(r.last, now) {
		return
	}
	r.last = now
	if r.buffer.put("", now, true, at) {
		b.readers.coalesced()
	}
}

// overview is the overview of what somebody may see.
func (b *fleetBoard) overview(scope rbac.Scope) *model.Overview {
	fleet := b.hub.cfg.Fleet
	instances := fleet.Instances(scope)
	var clusters []*model.Cluster
	for _, i := range instances {
		members, _ := fleet.Clusters(scope, i.Name) // that they are not known is told by the state of the instance
		clusters = append(clusters, members...)
	}
	return model.NewOverview(instances, clusters)
}

// Instances streams the instances of some names, or all of them for none, that somebody may see. The channel is closed when ctx ends
// or the hub closes.
func (h *Hub) Instances(ctx context.Context, scope rbac.Scope, names []string) (<-chan *model.InstanceChange, error) {
	if scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	b := h.fleet
	leave, err := b.enter()
	if err != nil {
		return nil, err
	}
	r := &reader[string, *model.Instance]{
		match:  func(i *model.Instance) bool { return scope.Instance(i.Name) && in(names, i.Name) },
		buffer: newBuffer[string, *model.Instance](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc),
	}
	start := func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		all := make(map[string]*model.Instance, len(b.known))
		for name, is := range b.known {
			all[name] = is.instance
		}
		b.readers.start(r, all, strings.Compare, time.Now())
	}
	start()
	s := stream[string, *model.Instance, *model.InstanceChange]{
		name: "instances", hub: h, buffer: r.buffer, restart: start,
		end: func() {
			b.mu.Lock()
			b.readers.end(r)
			b.mu.Unlock()
			leave()
		},
		wrap: func(c change[string, *model.Instance]) *model.InstanceChange {
			out := &model.InstanceChange{Type: c.kind, At: c.at}
			if c.value != nil {
				id, node := c.value.ID(), *c.value
				if !scope.Whole(node.Name) {
					node.Statistics = nil // those of all of it
				}
				out.ID, out.Node = &id, &node
			}
			return out
		},
	}
	return s.start(ctx)
}

// Overview streams the overview of what somebody may see. The channel is closed when ctx ends or the hub closes.
func (h *Hub) Overview(ctx context.Context, scope rbac.Scope) (<-chan *model.OverviewChange, error) {
	if scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	b := h.fleet
	leave, err := b.enter()
	if err != nil {
		return nil, err
	}
	r := &overviewReader{scope: scope, reader: &reader[string, *model.Overview]{
		match:  func(*model.Overview) bool { return true },
		buffer: newBuffer[string, *model.Overview](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc),
	}}
	start := func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.overviews[r] = struct{}{}
		r.last = b.overview(scope)
		r.buffer.restart([]string{""}, []*model.Overview{r.last}, time.Now())
	}
	start()
	s := stream[string, *model.Overview, *model.OverviewChange]{
		name: "overview", hub: h, buffer: r.buffer, restart: start,
		end: func() {
			b.mu.Lock()
			delete(b.overviews, r)
			b.mu.Unlock()
			leave()
		},
		wrap: func(c change[string, *model.Overview]) *model.OverviewChange {
			return &model.OverviewChange{Type: c.kind, Node: c.value, At: c.at}
		},
	}
	return s.start(ctx)
}
