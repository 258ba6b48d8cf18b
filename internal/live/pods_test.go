package live

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// farms are members that hold pods, by name. It notes as whom they are asked, and where.
type farms struct {
	mu    sync.Mutex
	of    map[string]*livetest.APIServer
	doors map[string]string
	asked []string
	// refusing answers 403 in a member.
	refusing map[string]bool
	// frozen is closed when a member answers again.
	frozen map[string]chan struct{}
}

func newFarms(t *testing.T, names ...string) *farms {
	f := &farms{of: map[string]*livetest.APIServer{}, doors: map[string]string{}, refusing: map[string]bool{}, frozen: map[string]chan struct{}{}}
	for _, name := range names {
		s := livetest.New(t)
		to, err := url.Parse(s.URL)
		if err != nil {
			t.Fatal(err)
		}
		forward := httputil.NewSingleHostReverseProxy(to)
		door := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			f.mu.Lock()
			f.asked = append(f.asked, name+" "+r.URL.Path+" "+r.URL.Query().Get("labelSelector"))
			refuse, frozen := f.refusing[name], f.frozen[name]
			f.mu.Unlock()
			if frozen != nil {
				select {
				case <-frozen:
				case <-r.Context().Done():
					return
				}
			}
			if refuse {
				w.WriteHeader(http.StatusForbidden)
				_, _ = w.Write([]byte(`{"kind":"Status","code":403,"message":"pods is forbidden: you may not list them"}`))
				return
			}
			forward.ServeHTTP(w, r)
		}))
		t.Cleanup(door.Close)
		t.Cleanup(s.EndWatches)
		f.of[name], f.doors[name] = s, door.URL
	}
	return f
}

func (f *farms) connect(_ context.Context, _ rbac.Scope, p auth.Principal, _, cluster string) (*rest.Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.asked = append(f.asked, "as "+p.Name)
	if f.doors[cluster] == "" {
		return nil, &model.Error{Code: model.CodeUnavailable, Message: "cluster \"" + cluster + "\" does not answer"}
	}
	return &rest.Config{Host: f.doors[cluster]}, nil
}

func (f *farms) refuse(cluster string, yes bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.refusing[cluster] = yes
}

// freeze has a member answer nothing new until thaw is called; what is open stays open.
func (f *farms) freeze(cluster string) (thaw func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	frozen := make(chan struct{})
	f.frozen[cluster] = frozen
	return sync.OnceFunc(func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.frozen, cluster)
		close(frozen)
	})
}

func (f *farms) wasAsked(what string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Contains(f.asked, what)
}

// following is a fixture whose members are farms.
func following(t *testing.T, s *livetest.APIServer, f *farms) *fixture {
	return newFixture(t, s, func(c *Config) { c.ConnectMember, c.Silence = f.connect, patience })
}

func podLine(c *model.PodChange) string {
	out := string(c.Type)
	if c.Node != nil {
		out += " " + c.Node.Ref.Cluster + "/" + c.Node.Ref.Namespace + "/" + c.Node.Ref.Name
	}
	for _, m := range c.Missing {
		out += " without " + m.ClusterName + " " + m.Error.Code
	}
	if c.Limited {
		out += " limited"
	}
	return out
}

// Of a workload the pods are followed where it is, and where it goes; each member is watched once for each person.
func TestPodsAreFollowedWhereTheirWorkloadIs(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo", "osaka")
	s.Put("deployments", deployment("shop", "cart"))
	s.Put("resourcebindings", binding("shop", "cart", "tokyo"))
	f.of["tokyo"].Put("pods", object("shop", "cart-1"))
	f.of["osaka"].Put("pods", object("shop", "cart-2"))
	h := following(t, s, f)
	of := PodsOf{Instance: "asia", Workload: model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}, Selector: "app=cart"}
	first, err := h.Pods(t.Context(), everything, of)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, first, podLine, "SNAPSHOT tokyo/shop/cart-1", "SYNCED")
	second, err := h.Pods(t.Context(), everything, of)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, second, podLine, "SNAPSHOT tokyo/shop/cart-1", "SYNCED")
	f.of["tokyo"].Put("pods", object("shop", "cart-3"))
	for _, c := range []<-chan *model.PodChange{first, second} {
		wantLines(t, c, podLine, "ADDED tokyo/shop/cart-3")
	}
	if n := f.of["tokyo"].Watches("pods"); n != 1 {
		t.Errorf("two streams of one person make %d watches", n)
	}
	if !f.wasAsked("tokyo /api/v1/namespaces/shop/pods app=cart") {
		t.Errorf("asked: %q", f.asked)
	}
	s.Put("resourcebindings", binding("shop", "cart", "osaka"))
	seen := map[string]bool{}
	for range 3 {
		seen[nextLine(t, first, podLine)] = true
	}
	for _, want := range []string{"DELETED tokyo/shop/cart-1", "DELETED tokyo/shop/cart-3", "ADDED osaka/shop/cart-2"} {
		if !seen[want] {
			t.Errorf("moved away: %v lacks %q", seen, want)
		}
	}
	eventually(t, "the watch in the member that it left ends", func() bool { return f.of["tokyo"].OpenWatches() == 0 })
}

// Watches end with the last who looks, and are nobody else's.
func TestPodsAreWatchedWhileSomebodyLooks(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo")
	h := following(t, s, f)
	of := PodsOf{Instance: "asia", Cluster: "tokyo"}
	f.of["tokyo"].Put("pods", object("shop", "cart-1"))
	first, leave := context.WithCancel(t.Context())
	if _, err := h.Pods(first, everything, of); err != nil {
		t.Fatal(err)
	}
	other := rbac.NewAuthorizer([]string{"admins"})
	second, leaveToo := context.WithCancel(other.NewContext(t.Context(), auth.Principal{Name: "ben", Groups: []string{"admins"}}))
	if _, err := h.Pods(second, rbac.ScopeFrom(second), of); err != nil {
		t.Fatal(err)
	}
	eventually(t, "each person has a watch", func() bool { return f.of["tokyo"].OpenWatches() == 2 && f.wasAsked("as ben") })
	leave()
	eventually(t, "one watch ends", func() bool { return f.of["tokyo"].OpenWatches() == 1 })
	leaveToo()
	eventually(t, "no watch is left", func() bool { return f.of["tokyo"].OpenWatches() == 0 && h.metric("kairship_live_member_watches") == 0 })
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.pods) > 0 || h.podWatches.all > 0 || len(h.podWatches.of) > 0 || h.podWatches.bytes > 0 {
		t.Errorf("left: %d groups, %+v", len(h.pods), h.podWatches.of)
	}
}

// A member that cannot be asked is told, and does not keep the pods of others back; when it answers, the stream begins again.
func TestAMemberThatCannotBeAskedIsTold(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo", "osaka")
	s.Put("deployments", deployment("shop", "cart"))
	s.Put("resourcebindings", binding("shop", "cart", "tokyo", "osaka", "nowhere"))
	f.of["tokyo"].Put("pods", object("shop", "cart-1"))
	f.of["osaka"].Put("pods", object("shop", "cart-2"))
	f.refuse("osaka", true)
	h := following(t, s, f)
	pods, err := h.Pods(t.Context(), everything, PodsOf{Instance: "asia", Workload: model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}})
	if err != nil {
		t.Fatal(err)
	}
	held := map[string]bool{}
	until := func(synced string, want ...string) {
		t.Helper()
		for {
			line := nextLine(t, pods, podLine)
			kind, pod, _ := strings.Cut(line, " ")
			switch model.ChangeType(kind) {
			case model.ChangeResync:
				clear(held)
			case model.ChangeDeleted:
				delete(held, pod)
			case model.ChangeSynced:
			default:
				held[pod] = true
			}
			if line != synced {
				continue
			}
			if got := slices.Sorted(maps.Keys(held)); !slices.Equal(got, want) {
				t.Errorf("at %s it holds %v, want %v", synced, got, want)
			}
			return
		}
	}
	until("SYNCED without nowhere UNAVAILABLE without osaka FORBIDDEN", "tokyo/shop/cart-1")
	f.refuse("osaka", false)
	until("SYNCED without nowhere UNAVAILABLE", "osaka/shop/cart-2", "tokyo/shop/cart-1")
	f.of["tokyo"].Refuse(true)
	f.of["tokyo"].EndWatches()
	until("SYNCED without nowhere UNAVAILABLE without tokyo UNAVAILABLE", "osaka/shop/cart-2") // nobody knows what has become of the other
	f.of["tokyo"].Refuse(false)
	until("SYNCED without nowhere UNAVAILABLE", "osaka/shop/cart-2", "tokyo/shop/cart-1")
}

// A member that is frozen keeps its watches open, and is told all the same.
func TestAFrozenMemberIsTold(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo", "osaka")
	s.Put("deployments", deployment("shop", "cart"))
	s.Put("resourcebindings", binding("shop", "cart", "tokyo", "osaka"))
	f.of["tokyo"].Put("pods", object("shop", "cart-1"))
	f.of["osaka"].Put("pods", object("shop", "cart-2"))
	h := newFixture(t, s, func(c *Config) { c.ConnectMember, c.Silence, c.Probe = f.connect, patience/60, 20*time.Millisecond })
	of := PodsOf{Instance: "asia", Workload: model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "cart"}}
	pods, err := h.Pods(t.Context(), everything, of)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, pods, podLine, "SNAPSHOT tokyo/shop/cart-1", "SNAPSHOT osaka/shop/cart-2", "SYNCED")
	thaw := f.freeze("tokyo")
	defer thaw()
	wantLines(t, pods, podLine, "RESYNC", "SNAPSHOT osaka/shop/cart-2", "SYNCED without tokyo TIMEOUT")
	second, err := h.Pods(t.Context(), everything, of)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, second, podLine, "SNAPSHOT osaka/shop/cart-2", "SYNCED without tokyo TIMEOUT")
	f.of["osaka"].Put("pods", object("shop", "cart-3"))
	wantLines(t, pods, podLine, "ADDED osaka/shop/cart-3")
	thaw()
	wantLines(t, pods, podLine, "RESYNC", "SNAPSHOT tokyo/shop/cart-1", "SNAPSHOT osaka/shop/cart-2", "SNAPSHOT osaka/shop/cart-3", "SYNCED")
}

// Who may not list pods is refused in the member's words, and whoever sees some namespaces has them watched one by one.
func TestWhoMayNotSeeAllPodsOfAMember(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo")
	f.of["tokyo"].Put("pods", object("shop", "cart-1"))
	f.of["tokyo"].Put("pods", object("vault", "hidden"))
	h := following(t, s, f)
	of := PodsOf{Instance: "asia", Cluster: "tokyo"}
	pods, err := h.Pods(t.Context(), roleIn(v1alpha1.RoleViewer, "asia", "shop"), of)
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, pods, podLine, "SNAPSHOT tokyo/shop/cart-1", "SYNCED")
	if !f.wasAsked("tokyo /api/v1/namespaces/shop/pods ") || f.wasAsked("tokyo /api/v1/pods ") {
		t.Errorf("asked: %q", f.asked)
	}
	f.refuse("tokyo", true)
	_, err = h.Pods(t.Context(), everything, of)
	if known := (*model.Error)(nil); !errors.As(err, &known) || known.Code != model.CodeForbidden || !strings.Contains(known.Message, "you may not list them") {
		t.Errorf("got %v", err)
	}
}

// However many pods there are, so many are followed, and that there are more is said.
func TestPodsAreFollowedUpToABound(t *testing.T) {
	s, f := livetest.New(t), newFarms(t, "tokyo")
	h := following(t, s, f)
	pods, err := h.Pods(t.Context(), everything, PodsOf{Instance: "asia", Cluster: "tokyo"})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, pods, podLine, "SYNCED")
	f.of["tokyo"].Put("pods", object("shop", "small"))
	wantLines(t, pods, podLine, "ADDED tokyo/shop/small")
	// One that grows beyond the room is not followed any more, and what goes gives its room back.
	text := strings.Repeat("x", mostPodBytes)
	f.of["tokyo"].Put("pods", object("shop", "large", "status", map[string]any{"message": text}))
	wantLines(t, pods, podLine, "RESYNC", "SNAPSHOT tokyo/shop/small", "SYNCED limited")
	f.of["tokyo"].Put("pods", object("shop", "small", "status", map[string]any{"message": text}))
	wantLines(t, pods, podLine, "DELETED tokyo/shop/small")
	f.of["tokyo"].Put("pods", object("shop", "small"))
	wantLines(t, pods, podLine, "ADDED tokyo/shop/small")
	h.mu.Lock()
	for _, g := range h.pods {
		g.mu.Lock()
		for i := range mostPods - 1 {
			g.sizes[model.Ref{Name: time.Duration(i).String()}] = 0
		}
		g.mu.Unlock()
	}
	h.mu.Unlock()
	f.of["tokyo"].Put("pods", object("shop", "one-more"))
	f.of["tokyo"].Drop("pods", "shop", "small")
	wantLines(t, pods, podLine, "DELETED tokyo/shop/small")
	again, err := h.Pods(t.Context(), everything, PodsOf{Instance: "asia", Cluster: "tokyo"})
	if err != nil {
		t.Fatal(err)
	}
	wantLines(t, again, podLine, "SYNCED limited")
	if !h.podWatches.grow(mostAllPodBytes) || h.podWatches.grow(1) {
		t.Error("room was not given back, or there is any room")
	}
}

func TestWatchesOfPodsAreCounted(t *testing.T) {
	var w podWatches
	var ends []func()
	for range mostPodWatches {
		end, err := w.acquire("ann")
		if err != nil {
			t.Fatal(err)
		}
		ends = append(ends, end)
	}
	if _, err := w.acquire("ann"); err == nil {
		t.Error("a person has any number of watches")
	}
	if end, err := w.acquire("ben"); err != nil {
		t.Error(err)
	} else {
		end()
	}
	for _, end := range ends {
		end()
		end()
	}
	if w.all != 0 || len(w.of) > 0 {
		t.Errorf("left: %+v", w.of)
	}
}
