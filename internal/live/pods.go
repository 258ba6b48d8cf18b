package live

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// ConnectMember gives a configuration that leads to a member, behind Karmada's proxy, as a person; see instance.Fleet.Upstream.
type ConnectMember func(ctx context.Context, scope rbac.Scope, p auth.Principal, instance, cluster string) (*rest.Config, error)

const (
	// mostMembers is how many members one subscription follows pods in; each is a watch for each of its namespaces.
	mostMembers = 100
	// mostNamespaces is in how many namespaces the pods of a member are followed for who may not see all of them.
	mostNamespaces = 20
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

	// hidden are the places whose pods are not shown, because nobody knows whether they are as they were: what is held of them is shown again
	// when they are back. It has no lock of the others, since it is looked at under that of the table.
	hidden sync.Map

	mu    sync.Mutex
	feeds map[podPlace]*podFeed
	// limited says that there are more pods than are followed.
	limited bool
	// sizes are how many bytes each pod in the table takes, and bytes is their sum.
	sizes map[model.Ref]int
	bytes int
}

// podPlace is where pods are watched; no namespace is all of them.
type podPlace struct{ cluster, namespace string }

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
	r := &reader[refKey, model.KubernetesObject]{
		match: func(o model.KubernetesObject) bool {
			ref := o.ObjectRef()
			return seen.Has(ref.Namespace) && strings.HasPrefix(ref.Name, of.Named) && !g.hides(ref)
		},
		buffer: newBuffer[refKey, model.KubernetesObject](h.cfg.Buffer, h.cfg.Interval, h.metrics.overflows.Inc),
	}
	g.table.start(r)
	s := stream[refKey, model.KubernetesObject, *model.PodChange]{
		name: "pods", hub: h, gone: g.ctx.Done(), buffer: r.buffer,
		restart: func() { g.table.start(r) },
		end:     func() { g.table.end(r); leave() },
		wrap: func(c change[refKey, model.KubernetesObject]) *model.PodChange {
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
		g = &podGroup{hub: h, key: key, scope: scope, who: who, table: newTable(h.metrics.coalesced.Inc, nil), feeds: map[podPlace]*podFeed{}, sizes: map[model.Ref]int{}}
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
				if err := g.place(targetsOf(c)); err != nil { // as many watches as may be
					g.cut()
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
	namespaces, more := g.namespaces()
	if len(clusters) > mostMembers {
		clusters, more = clusters[:mostMembers], true
	}
	for _, c := range clusters {
		for _, ns := range namespaces {
			wanted[podPlace{c, ns}] = true
		}
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.limited = g.limited || more
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

// hides reports whether a pod is in a place that is out of reach.
func (g *podGroup) hides(ref model.Ref) bool {
	for _, namespace := range []string{"", ref.Namespace} {
		if _, hidden := g.hidden.Load(podPlace{ref.Cluster, namespace}); hidden {
			return true
		}
	}
	return false
}

// holds reports whether a pod is in a place.
func (p podPlace) holds(ref model.Ref) bool {
	return ref.Cluster == p.cluster && (p.namespace == "" || ref.Namespace == p.namespace)
}

// await waits until each watch has listed or has failed, up to Silence. It fails where members refuse the person, and none shows anything.
func (g *podGroup) await(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, g.hub.cfg.Silence)
	defer cancel()
	for {
		g.mu.Lock()
		var waits <-chan struct{}
		failed, good := error(nil), 0
		for _, f := range g.feeds {
			switch {
			case f.current():
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
		if f.current() || f.listed && !f.missing {
			continue // one that has just gone is told when it stays away
		}
		f.miss(true)
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
