package live

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/live/pace"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// replay is what somebody holds who does what a stream says: a line for each object, by its id.
type replay struct {
	mu     sync.Mutex
	held   map[string]string
	synced bool
	// wrong is the first event that did not fit what is held.
	wrong string
	// back says that the stream goes on where one before it was left; whoever comes back may be told again what they hold, and of what went
	// that they never held.
	back bool
	// from is where to go on.
	from string
}

// returning is somebody who comes back to where a stream was left; the positions that the stream has told wait for their events.
type returning struct {
	pace.Alone
	from string

	mu        sync.Mutex
	positions []string
}

func (r *returning) Resume() string { return r.from }

func (r *returning) Returns() bool { return true }

func (r *returning) Reached(position string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.positions = append(r.positions, position)
}

// next is the position of the next event.
func (r *returning) next() (position string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	position, r.positions = r.positions[0], r.positions[1:]
	return position
}

// reached notes where to go on after the last event.
func (r *replay) reached(ctx context.Context) {
	if to, ok := pace.From(ctx).(*returning); ok {
		position := to.next()
		r.mu.Lock()
		defer r.mu.Unlock()
		r.from = position
	}
}

func (r *replay) apply(kind model.ChangeType, id *string, line string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.held == nil {
		r.held = map[string]string{}
	}
	key := ""
	if id != nil {
		key = *id
	}
	_, has := r.held[key]
	bad := false
	switch kind {
	case model.ChangeResync:
		r.held, r.synced, r.back = map[string]string{}, false, false
	case model.ChangeSynced:
		bad, r.synced = r.synced, true
	case model.ChangeSnapshot:
		bad, r.held[key] = r.synced || has && !r.back, line
	case model.ChangeAdded:
		bad, r.held[key] = !r.synced || has, line
	case model.ChangeModified:
		bad, r.held[key] = !r.synced || !has, line
	case model.ChangeDeleted:
		bad = (!r.synced || !has) && !r.back
		delete(r.held, key)
	}
	if bad && r.wrong == "" {
		r.wrong = fmt.Sprintf("%s %s when synced %t, held %t", kind, line, r.synced, has)
	}
}

func (r *replay) lines() (lines []string, synced bool, wrong string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Sorted(maps.Values(r.held)), r.synced, r.wrong
}

// follower begins one kind of stream of a hub, and tells a replay of it until ctx ends.
type follower func(ctx context.Context, h *Hub, scope rbac.Scope, to *replay) error

// endedKey is of the channel that is closed when a stream has been read to its end.
type endedKey struct{}

// telling begins a stream; pause makes its reader slow.
func telling[C any](ctx context.Context, changes <-chan C, err error, pause func(), tell func(C)) error {
	if err != nil {
		return err
	}
	go func() { // ends with the stream
		if ended, ok := ctx.Value(endedKey{}).(chan struct{}); ok {
			defer close(ended)
		}
		for c := range changes {
			tell(c)
			if ctx.Err() == nil {
				pause()
			}
		}
	}()
	return nil
}

// followers are streams of every kind, with filters; those of slow readers wait between two events.
func followers(pause func()) map[string]follower {
	workloads := func(filter *model.WorkloadFilter, ids ...string) follower {
		return func(ctx context.Context, h *Hub, scope rbac.Scope, to *replay) error {
			changes, err := h.Workloads(ctx, scope, "asia", filter, ids...)
			return telling(ctx, changes, err, pause, func(c *model.WorkloadChange) {
				line := ""
				if c.Node != nil {
					m := c.Node.Meta()
					line = fmt.Sprint(m.Ref.GVK.Kind, " ", m.Ref.Place(), " ", m.ResourceVersion)
					for _, t := range m.Live.Targets {
						line += fmt.Sprintf(" %s=%s", t.ClusterName, t.Healthy.Value)
					}
				}
				to.apply(c.Type, c.ID, line)
				to.reached(ctx)
			})
		}
	}
	resources := func(kind Resource, filter *model.ResourceFilter) follower {
		return func(ctx context.Context, h *Hub, scope rbac.Scope, to *replay) error {
			changes, err := h.Resources(ctx, scope, "asia", kind, filter)
			return telling(ctx, changes, err, pause, func(c *model.KubernetesResourceChange) {
				line := ""
				if c.Node != nil {
					line = fmt.Sprint(c.Node.Ref.GVK.Kind, " ", c.Node.Ref.Place(), " ", c.Node.ResourceVersion)
				}
				to.apply(c.Type, c.ID, line)
				to.reached(ctx)
			})
		}
	}
	a := "a"
	return map[string]follower{
		"workloads":                       workloads(nil),
		"deployments of a namespace":      workloads(&model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindDeployment}, Namespaces: []string{"shop"}}),
		"workloads by a part of the name": workloads(&model.WorkloadFilter{NameContains: &a}),
		"one workload":                    workloads(nil, model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "a"}.ID()),
		"secrets":                         resources(secrets, nil),
		"deployments as they are":         resources(deployments, &model.ResourceFilter{Namespaces: []string{"pay", "shop"}}),
		"clusters": func(ctx context.Context, h *Hub, scope rbac.Scope, to *replay) error {
			changes, err := h.Clusters(ctx, scope, "asia")
			return telling(ctx, changes, err, pause, func(c *model.ClusterChange) {
				line := ""
				if c.Node != nil {
					line = fmt.Sprint(c.Node.Name, " ", c.Node.State) // a heartbeat alone is not told
				}
				to.apply(c.Type, c.ID, line)
				to.reached(ctx)
			})
		},
		"policies": func(ctx context.Context, h *Hub, scope rbac.Scope, to *replay) error {
			changes, err := h.Policies(ctx, scope, "asia")
			return telling(ctx, changes, err, pause, func(c *model.PolicyChange) {
				line := ""
				if c.Node != nil {
					line = fmt.Sprint(c.Node.ObjectRef().Place(), " ", versionOfObject(c.Node).ResourceVersion)
				}
				to.apply(c.Type, c.ID, line)
				to.reached(ctx)
			})
		},
	}
}

// stir changes something of an instance, or breaks its watches.
func stir(g *rand.Rand, s *livetest.APIServer, there map[string]bool) {
	namespaces, names := []string{"pay", "shop", "vault"}, []string{"a", "ab", "b"}
	ns, name := namespaces[g.IntN(len(namespaces))], names[g.IntN(len(names))]
	put := func(resource, ns, name string, object map[string]any) {
		key := resource + " " + ns + " " + name
		if there[key] && g.IntN(3) == 0 {
			s.Drop(resource, ns, name)
			delete(there, key)
			return
		}
		there[key] = true
		s.Put(resource, object)
	}
	members := []string{"osaka", "tokyo"}
	switch g.IntN(14) {
	case 0, 1, 2:
		put("deployments", ns, name, deployment(ns, name))
	case 3:
		put("jobs", ns, name, deployment(ns, name))
	case 4, 5, 6:
		put("resourcebindings", ns, name+"-deployment", binding(ns, name, members[:1+g.IntN(2)]...))
	case 7, 8:
		c := cluster(members[g.IntN(2)], []model.ClusterState{model.ClusterReady, model.ClusterNotReady}[g.IntN(2)])
		s.Put("clusters", c)
	case 9:
		put("secrets", ns, name, object(ns, name))
	case 10:
		put("propagationpolicies", ns, name, object(ns, name))
	case 11:
		s.EndWatches()
	case 12:
		s.Compact()
		s.EndWatches()
	case 13:
		s.Refuse(true)
		s.Refuse(false)
	}
}

// Whatever happens to an instance and to the watches, what a stream says over what it began with is what somebody is told who begins now, by a hub of
// their own; for every filter and every right, and however slowly it is read.
func TestWhatAStreamSaysIsWhatThereIs(t *testing.T) {
	scopes := map[string]rbac.Scope{"everything": everything, "a viewer": roleIn(v1alpha1.RoleViewer, "asia"), "an editor of a namespace": roleIn(v1alpha1.RoleEditor, "asia", "shop"),
		"who sees Jobs alone": roleIn("watcher", "asia")}
	for _, seed := range schematest.Seeds(t) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			g := rand.New(rand.NewPCG(seed, 2)) //nolint:gosec // repeatable
			s := livetest.New(t)
			there := map[string]bool{}
			f := newFixture(t, s, func(c *Config) { c.Buffer = 8 })
			all := map[string]*replay{}
			begin := func(ctx context.Context, h *Hub, suffix string, pause func(), into map[string]*replay) {
				t.Helper()
				for who, scope := range scopes {
					for what, follow := range followers(pause) {
						to := &replay{}
						eventually(t, what+" of "+who, func() bool { return follow(ctx, h, scope, to) == nil }) // the instance may be out of reach
						into[what+" of "+who+suffix] = to
					}
				}
			}
			begin(t.Context(), f.Hub, "", func() {}, all)
			begin(t.Context(), f.Hub, ", slowly", func() {
				for range 5 {
					runtime.Gosched()
				}
			}, all)
			// Some leave again and again, and come back to where they were.
			again := map[string]follower{}
			for who, scope := range scopes {
				for what, follow := range followers(func() {}) {
					name := what + " of " + who + ", back again"
					all[name] = &replay{}
					again[name] = func(ctx context.Context, h *Hub, _ rbac.Scope, to *replay) error { return follow(ctx, h, scope, to) }
				}
			}
			leave := func() {}
			comeBack := func() {
				leave()
				ctx, cancel := context.WithCancel(t.Context())
				var done []<-chan struct{}
				for name, follow := range again {
					to := all[name]
					to.mu.Lock()
					to.back, to.synced = to.from != "", false
					if !to.back {
						to.held = nil
					}
					from := to.from
					to.mu.Unlock()
					ended := make(chan struct{})
					done = append(done, ended)
					back := context.WithValue(pace.NewContext(ctx, &returning{from: from}), endedKey{}, ended)
					eventually(t, name, func() bool { return follow(back, f.Hub, everything, to) == nil }) // the instance may be out of reach
				}
				leave = func() {
					cancel()
					for _, ended := range done {
						<-ended
					}
				}
			}
			comeBack()
			for i := range 400 {
				stir(g, s, there)
				if i%60 == 59 {
					comeBack()
				}
				switch i {
				case 100:
					f.fleet.replace(s) // another connection
				case 200:
					begin(t.Context(), f.Hub, ", later", func() {}, all)
				}
			}
			fresh := newFixture(t, s)
			now := map[string]*replay{}
			begin(t.Context(), fresh.Hub, "", func() {}, now)
			for name, is := range all {
				of, _, _ := strings.Cut(name, ", ")
				var diff string
				same := func() bool {
					want, synced, _ := now[of].lines()
					got, told, wrong := is.lines()
					diff = wrong + cmp.Diff(want, got)
					return synced && told && diff == "" || wrong != ""
				}
				for end := time.Now().Add(patience); !same() && time.Now().Before(end); {
					time.Sleep(time.Millisecond)
				}
				if diff != "" {
					t.Errorf("%s (-what there is +what the stream said):\n%s", name, diff)
				}
			}
		})
	}
}
