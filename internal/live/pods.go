package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects"
	"github.com/kairship-io/kairship/internal/propagation"
	"github.com/kairship-io/kairship/internal/rbac"
)

// ConnectMember gives a configuration that leads to a member, behind Karmada's proxy, as a person; see instance.Fleet.Upstream.
type ConnectMember func(ctx context.Context, scope rbac.Scope, p auth.Principal, instance, cluster string) (*rest.Config, error)

const (
	// mostPods is how many pods one subscription follows at most.
	mostPods = 2000
	// mostPodBytes is how much of them is held for one subscription, and mostAllPodBytes for all.
	mostPodBytes, mostAllPodBytes = 16 << 20, 256 << 20
	// mostMembers is how many members one subscription follows pods in; each is a watch for each of its namespaces.
	mostMembers = 100
	// mostNamespaces is in how many namespaces the pods of a member are followed for who may not see all of them.
	mostNamespaces = 20
	// mostPodWatches is how many watches of pods a person has at a time, and mostAllPodWatches all together.
	mostPodWatches, mostAllPodWatches = 200, 2000
	// memberPatience is how long a member may be out of reach before that is said.
	memberPatience = 2 * time.Second
	// memberConnecting is how long it may take to be led to a member.
	memberConnecting = 10 * time.Second
)

var (
	podKind     = corev1.SchemeGroupVersion.WithKind("Pod")
	podResource = corev1.SchemeGroupVersion.WithResource("pods")
)

// PodsOf says whose pods to follow: those of a member, or those of a workload.
type PodsOf struct {
	Instance string
	// Cluster is the member; empty for those that Workload is propagated to.
	Cluster string
	// Workload is empty for all pods of the member.
	Workload model.Ref
	// Selector is the label selector of the workload's pods, and Named begins their names; empty for none.
	Selector, Named string
}

// podKey tells who shares what is followed: watches are made as a person, with the rights that they have.
type podKey struct {
	of         PodsOf
	who, scope string
}

// podGroup is the pods that one person follows, with one watch for each member and namespace, however many streams show them.
type podGroup struct {
	hub    *Hub
	key    podKey
	scope  rbac.Scope
	who    auth.Principal
	ctx    context.Context
	cancel context.CancelFunc
	table  *table
	begin  sync.Once
	begun  error

	// users is guarded by hub.mu.
	users int

	mu    sync.Mutex
	feeds map[podPlace]*podFeed
	// left are members that are not followed, since there are too many.
	left int
	// limited says that there are more pods than are followed.
	limited bool
	// sizes are how many bytes each pod in the table takes, and bytes is their sum.
	sizes map[model.Ref]int
	bytes int
}

// podPlace is where pods are watched; no namespace is all of them.
type podPlace struct{ cluster, namespace string }

// podFeed is one watch.
type podFeed struct {
	group   *podGroup
	place   podPlace
	cancel  context.CancelFunc
	release func()
	hurry   chan struct{}

	// All of these are guarded by group.mu.
	listed, up bool
	why        error
	// missing says that readers were told that it is out of reach.
	missing bool
	late    *time.Timer
	// changed is closed and replaced whenever listed, up or why change.
	changed chan struct{}
}

// Pods streams pods in members, as the person of the context: each member decides what they may see, and is asked through Karmada's proxy
// while somebody looks. Members that are out of reach are told with SYNCED; when that changes the stream begins again. The channel is closed
// when ctx ends, the instance is removed or the hub closes.
func (h *Hub) Pods(ctx context.Context, scope rbac.Scope, of PodsOf) (<-chan *model.PodChange, error) {
	if scope.Empty() {
		return nil, rbac.ErrForbidden
	}
	if !scope.Instance(of.Instance) {
		return nil, notFound(of.Instance)
	}
	seen := scope.Sees(of.Instance, podResource.GroupResource())
	if seen.None() || of.Workload.Namespace != "" && !seen.Has(of.Workload.Namespace) {
		return nil, &model.Error{Code: model.CodeForbidden, Instance: of.Instance, Message: fmt.Sprintf("none of your roles lets you list pods there in instance %q", of.Instance)}
	}
	g, leave, err := h.podGroup(ctx, scope, of)
	if err != nil {
		return nil, err
	}
	if err := g.await(ctx); err != nil {
		leave()
		return nil, err
	}
	r := &reader[model.Ref, model.KubernetesObject]{
		match: func(o model.KubernetesObject) bool {
			ref := o.ObjectRef()
			return seen.Has(ref.Namespace) && strings.HasPrefix(ref.Name, of.Named)
		},
		buffer: newBuffer[model.Ref, model.KubernetesObject](h.cfg.Buffer, h.metrics.overflows.Inc),
	}
	g.table.start(r)
	s := stream[model.Ref, model.KubernetesObject, *model.PodChange]{
		name: "pods", hub: h, gone: g.ctx.Done(), buffer: r.buffer,
		restart: func() { g.table.start(r) },
		end:     func() { g.table.end(r); leave() },
		wrap: func(c change[model.Ref, model.KubernetesObject]) *model.PodChange {
			out := &model.PodChange{Type: c.kind, ID: idOf(c.value), At: c.at, Missing: []model.MissingPods{}}
			out.Node, _ = c.value.(*model.Pod)
			if c.kind == model.ChangeSynced {
				out.Missing, out.Limited = g.missing()
			}
			return out
		},
	}
	return s.start(ctx)
}

// podGroup returns what a person follows of some pods, until leave is called.
func (h *Hub) podGroup(ctx context.Context, scope rbac.Scope, of PodsOf) (g *podGroup, leave func(), err error) {
	who := rbac.PrincipalFrom(ctx)
	key := podKey{of: of, who: who.Key(), scope: scope.Key()}
	h.mu.Lock()
	if h.closed {
		h.mu.Unlock()
		return nil, nil, errClosed
	}
	g = h.pods[key]
	if g == nil {
		g = &podGroup{hub: h, key: key, scope: scope, who: who, table: newTable(h.metrics.coalesced.Inc), feeds: map[podPlace]*podFeed{}, sizes: map[model.Ref]int{}}
		g.ctx, g.cancel = context.WithCancel(h.ctx) // it outlives the stream that began it, and waits for nobody's turn
		h.pods[key] = g
	}
	g.users++
	h.mu.Unlock()
	leave = sync.OnceFunc(func() {
		h.mu.Lock()
		g.users--
		last := g.users == 0
		if last && h.pods[key] == g {
			delete(h.pods, key)
		}
		h.mu.Unlock()
		if last {
			g.cancel()
			_ = g.place(nil) // nothing is begun
		}
	})
	g.begin.Do(func() { g.begun = g.start() })
	if g.begun != nil {
		leave()
		return nil, nil, g.begun
	}
	return g, leave, nil
}

// start begins to watch where the pods are, and follows where they go.
func (g *podGroup) start() error {
	of := g.key.of
	if of.Cluster != "" {
		return g.place([]string{of.Cluster})
	}
	changes, err := g.hub.Workload(g.ctx, g.scope, of.Workload)
	if err != nil {
		return err
	}
	var where []string
	for synced := false; !synced; {
		c, open := <-changes // Workload has waited for all that it begins with
		if !open {
			return errClosed
		}
		if c.Node != nil {
			where = targetsOf(c)
		}
		synced = c.Type == model.ChangeSynced
	}
	if err := g.place(where); err != nil {
		return err
	}
	if !g.hub.spawn(func() {
		for c := range changes { // ends with g.ctx, or with the instance
			if c.Node != nil {
				if err := g.place(targetsOf(c)); err != nil {
					g.hub.cfg.Logger.Warn("not all pods of a workload are followed", "instance", of.Instance, "error", err)
				}
			}
		}
		g.cancel()
	}) {
		return errClosed
	}
	return nil
}

// targetsOf are the members that a workload is in.
func targetsOf(c *model.WorkloadChange) (out []string) {
	if live := c.Node.Meta().Live; live != nil && c.Type != model.ChangeDeleted {
		for _, t := range live.Targets {
			out = append(out, t.ClusterName)
		}
	}
	return out
}

// place watches in some members, and in no others.
func (g *podGroup) place(clusters []string) error {
	wanted := map[podPlace]bool{}
	left := 0
	if len(clusters) > mostMembers {
		left, clusters = len(clusters)-mostMembers, clusters[:mostMembers]
	}
	namespaces, more := g.namespaces()
	for _, c := range clusters {
		for _, ns := range namespaces {
			wanted[podPlace{c, ns}] = true
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.left, g.limited = left, g.limited || more || left > 0
	for place, f := range g.feeds {
		if !wanted[place] {
			f.end()
			delete(g.feeds, place)
			g.hold(f, nil)
		}
	}
	for _, place := range slices.SortedFunc(maps.Keys(wanted), func(a, b podPlace) int {
		return strings.Compare(a.cluster+"/"+a.namespace, b.cluster+"/"+b.namespace)
	}) {
		if g.feeds[place] != nil || g.ctx.Err() != nil {
			continue
		}
		if err := g.watch(place); err != nil {
			return err
		}
	}
	return nil
}

// namespaces are those to watch in each member; more says that there are others.
func (g *podGroup) namespaces() (names []string, more bool) {
	if ns := g.key.of.Workload.Namespace; ns != "" {
		return []string{ns}, false
	}
	seen := g.scope.Sees(g.key.of.Instance, podResource.GroupResource())
	if seen.All() {
		return []string{""}, false
	}
	names = seen.Names()
	return names[:min(len(names), mostNamespaces)], len(names) > mostNamespaces
}

// holds reports whether a pod is in a place.
func (p podPlace) holds(ref model.Ref) bool {
	return ref.Cluster == p.cluster && (p.namespace == "" || ref.Namespace == p.namespace)
}

// watch begins a watch; g.mu is held.
func (g *podGroup) watch(place podPlace) error {
	release, err := g.hub.podWatches.acquire(g.who.Name)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(g.ctx)
	f := &podFeed{group: g, place: place, cancel: cancel, release: release, hurry: make(chan struct{}, 1), changed: make(chan struct{})}
	running := g.hub.metrics.memberWatches
	w := &watch{
		resource: podResource, namespace: place.namespace, selector: g.key.of.Selector,
		connect: func() (Connection, error) { return g.connect(ctx, place.cluster) },
		to:      f, log: g.hub.cfg.Logger.With("instance", g.key.of.Instance, "cluster", place.cluster),
		restarts: func() {}, hurry: f.hurry, again: nil, most: maxList,
		objects: mostPods, cut: g.cut,
	}
	if !g.hub.spawn(func() {
		running.Inc()
		defer running.Dec()
		if _ = w.run(ctx); ctx.Err() == nil {
			g.cancel() // the instance is gone
		}
	}) {
		cancel()
		release()
		return errClosed
	}
	g.feeds[place] = f
	f.wait()
	return nil
}

// connect leads to a member as the person.
func (g *podGroup) connect(ctx context.Context, cluster string) (Connection, error) {
	in := g.key.of.Instance
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
	return personal{conn, config}, nil
}

// personal is a connection to a member as a person.
type personal struct {
	Connection

	config *rest.Config
}

func (p personal) Config() *rest.Config { return p.config }

// cut notes that a member has more pods than were listed.
func (g *podGroup) cut() {
	g.mu.Lock()
	g.limited = true
	g.mu.Unlock()
}

// await waits until each watch has listed or has failed: up to ReadyTimeout, or Silence where a member says nothing at all. It fails where all have
// failed.
func (g *podGroup) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.hub.cfg.Silence)
	defer cancel()
	for {
		g.mu.Lock()
		var waits <-chan struct{}
		failed, good := error(nil), 0
		for _, f := range g.feeds {
			switch {
			case f.listed && f.up:
				good++
			case f.why != nil:
				failed = f.why
			default:
				waits = f.changed
			}
		}
		g.mu.Unlock()
		if waits == nil {
			refusal := (*statusError)(nil)
			if good == 0 && errors.As(failed, &refusal) && refusal.forbidden() {
				return &model.Error{Code: model.CodeForbidden, Instance: g.key.of.Instance, Message: refusal.message}
			}
			return nil
		}
		select {
		case <-waits:
		case <-g.ctx.Done():
			return errClosed
		case <-ctx.Done():
			return nil // what is missing is told
		}
	}
}

// missing are the members whose pods are not followed now, and why; limited says that there are more pods than are followed.
func (g *podGroup) missing() (out []model.MissingPods, limited bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	out = []model.MissingPods{}
	for place, f := range g.feeds {
		if f.listed && f.up {
			continue
		}
		f.missing = true
		why := model.UserError{Code: string(model.CodeTimeout), Message: fmt.Sprintf("cluster %q has not answered yet", place.cluster)}
		if f.why != nil {
			why = reasonOf(place.cluster, f.why)
		}
		if !slices.ContainsFunc(out, func(m model.MissingPods) bool { return m.ClusterName == place.cluster }) {
			out = append(out, model.MissingPods{ClusterName: place.cluster, Error: why})
		}
	}
	slices.SortFunc(out, func(a, b model.MissingPods) int { return strings.Compare(a.ClusterName, b.ClusterName) })
	return out, g.limited
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

// again has all streams begin again.
func (g *podGroup) again() { g.table.resync() }

// end ends a watch; g.mu is held.
func (f *podFeed) end() {
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
		tell := f.group.feeds[f.place] == f && (!f.listed || !f.up) && !f.missing
		if tell {
			f.missing = true
		}
		f.group.mu.Unlock()
		if tell {
			f.group.again()
		}
	})
}

func (f *podFeed) set(listed, up bool, why error) {
	g := f.group
	g.mu.Lock()
	was := f.listed && f.up
	f.listed, f.up, f.why = listed, up, why
	is := f.listed && f.up
	back := is && f.missing
	if back {
		f.missing = false
	}
	if was && !is {
		f.wait()
	}
	close(f.changed)
	f.changed = make(chan struct{})
	g.mu.Unlock()
	if back {
		g.again()
	}
}

func (f *podFeed) connected(up bool, why error) {
	f.group.mu.Lock()
	listed := f.listed
	f.group.mu.Unlock()
	f.set(listed, up, why)
}

func (*podFeed) heard() {}

func (f *podFeed) replace(raws []json.RawMessage) {
	all := make([]sizedPod, 0, len(raws))
	for _, raw := range raws {
		if o := f.decode(raw); o != nil {
			all = append(all, sizedPod{o, len(raw)})
		}
	}
	g := f.group
	up := false
	g.change(func() {
		up = f.up
		if g.feeds[f.place] == f {
			g.hold(f, all)
		}
	})
	f.set(true, up, nil)
}

// change changes what is held; where that shows that there are more pods than are followed, the streams begin again, to say so.
func (g *podGroup) change(what func()) {
	g.mu.Lock()
	before := g.limited
	what()
	tell := g.limited && !before
	g.mu.Unlock()
	if tell {
		g.again()
	}
}

// sizedPod is a pod with how many bytes it has.
type sizedPod struct {
	pod   model.KubernetesObject
	bytes int
}

// hold has just some pods of a place in the table, as many as there is room for; g.mu is held.
func (g *podGroup) hold(f *podFeed, all []sizedPod) {
	for ref := range g.sizes {
		if f.place.holds(ref) {
			g.lose(ref)
		}
	}
	held := make([]model.KubernetesObject, 0, len(all))
	for _, p := range all {
		if g.room(p.pod.ObjectRef(), p.bytes) {
			held = append(held, p.pod)
		}
	}
	g.table.replaceWhere(f.place.holds, held)
}

// room takes the room for a pod; false when there is none. g.mu is held.
func (g *podGroup) room(ref model.Ref, bytes int) bool {
	before, had := g.sizes[ref]
	more := bytes - before
	if !had && len(g.sizes) >= mostPods || g.bytes+more > mostPodBytes || !g.hub.podWatches.grow(more) {
		g.limited = true
		return false
	}
	g.sizes[ref] = bytes
	g.bytes += more
	return true
}

// lose gives the room of a pod back; g.mu is held.
func (g *podGroup) lose(ref model.Ref) {
	bytes := g.sizes[ref]
	delete(g.sizes, ref)
	g.bytes -= bytes
	g.hub.podWatches.grow(-bytes)
}

func (f *podFeed) upsert(raw json.RawMessage) {
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

// podWatches counts the watches of pods that people have, and what is held of them.
type podWatches struct {
	mu    sync.Mutex
	of    map[string]int
	all   int
	bytes int
}

// grow takes room for some bytes more, or gives some back; false when there is none.
func (w *podWatches) grow(bytes int) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if bytes > 0 && w.bytes+bytes > mostAllPodBytes {
		return false
	}
	w.bytes += bytes
	return true
}

func (w *podWatches) acquire(who string) (release func(), err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.of[who] >= mostPodWatches || w.all >= mostAllPodWatches {
		return nil, &model.Error{Code: model.CodeLimitExceeded, Retryable: true,
			Message: fmt.Sprintf("you follow the pods of %d members; %d are allowed at a time, and %d to all together", w.of[who], mostPodWatches, mostAllPodWatches)}
	}
	if w.of == nil {
		w.of = map[string]int{}
	}
	w.of[who]++
	w.all++
	return sync.OnceFunc(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.all--
		if w.of[who]--; w.of[who] == 0 {
			delete(w.of, who)
		}
	}), nil
}
