package live

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

func TestWorkloadsAreJoinedAndFollowed(t *testing.T) {
	s := livetest.New(t)
	for _, name := range []string{"a", "b", "c"} {
		s.Put("deployments", deployment("shop", name))
	}
	s.Put("resourcebindings", binding("shop", "a", "hangzhou", "tokyo"))
	s.Put("clusters", cluster("hangzhou", model.ClusterReady))
	f := newFixture(t, s)

	sub := f.workloads(t.Context(), nil)
	sub.want("SNAPSHOT shop/a hangzhou=TRUE tokyo=UNKNOWN", "SNAPSHOT shop/b", "SNAPSHOT shop/c", "SYNCED")

	s.Put("resourcebindings", binding("shop", "b", "hangzhou"))
	sub.want("MODIFIED shop/b hangzhou=TRUE") // a binding's change is its workload's
	s.Put("clusters", cluster("hangzhou", model.ClusterOffline))
	got := map[string]bool{sub.next(): true, sub.next(): true}
	if diff := cmp.Diff(map[string]bool{
		"MODIFIED shop/a hangzhou=UNKNOWN tokyo=UNKNOWN": true, "MODIFIED shop/b hangzhou=UNKNOWN": true}, got); diff != "" {
		t.Fatalf("a cluster's change reaches the workloads in it (-want +got):\n%s", diff)
	}
	s.Put("deployments", deployment("shop", "d"))
	sub.want("ADDED shop/d")
	s.Put("deployments", deployment("shop", "d"))
	sub.want("MODIFIED shop/d")
	s.Drop("resourcebindings", "shop", "b-deployment")
	sub.want("MODIFIED shop/b")
	s.Drop("deployments", "shop", "a")
	sub.want("DELETED shop/a hangzhou=UNKNOWN tokyo=UNKNOWN")
}

// carrying is a binding of any name that carries a Deployment.
func carrying(name, deployment string, clusters ...string) map[string]any {
	b := binding("shop", deployment, clusters...)
	b["metadata"].(map[string]any)["name"] = name
	return b
}

func TestABindingThatMovesToAnotherObjectLeavesTheFormerOne(t *testing.T) {
	for _, tc := range []struct {
		name   string
		others []map[string]any
		// before and after are what is told of the former one, moved what is told when the binding moves.
		before, after string
		moved         []string
	}{
		{"without one", nil, " hangzhou=TRUE", "", []string{"MODIFIED shop/a", "MODIFIED shop/b hangzhou=TRUE"}},
		{"with the one that carries it already", []map[string]any{carrying("y", "a", "tokyo")}, " tokyo=UNKNOWN", " tokyo=UNKNOWN", []string{"MODIFIED shop/b hangzhou=TRUE"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := livetest.New(t)
			s.Put("deployments", deployment("shop", "a"))
			s.Put("deployments", deployment("shop", "b"))
			s.Put("clusters", cluster("hangzhou", model.ClusterReady))
			s.Put("resourcebindings", carrying("x", "a", "hangzhou"))
			for _, b := range tc.others {
				s.Put("resourcebindings", b)
			}
			sub := newFixture(t, s).workloads(t.Context(), nil)
			sub.want("SNAPSHOT shop/a"+tc.before, "SNAPSHOT shop/b", "SYNCED")
			s.Put("resourcebindings", carrying("x", "b", "hangzhou"))
			got := make([]string, len(tc.moved))
			for i := range got {
				got[i] = sub.next()
			}
			slices.Sort(got)
			if diff := cmp.Diff(tc.moved, got); diff != "" {
				t.Fatalf("changes (-want +got):\n%s", diff)
			}
			s.Put("deployments", deployment("shop", "a"))
			sub.want("MODIFIED shop/a" + tc.after)
		})
	}
}

func TestFilters(t *testing.T) {
	web := "web"
	for _, tc := range []struct {
		name   string
		filter *model.WorkloadFilter
		want   []string
	}{
		{"no filter shows everything", nil, []string{"SNAPSHOT ops/web-1", "SNAPSHOT shop/web-1", "SNAPSHOT shop/web-2", "SNAPSHOT shop/work", "SYNCED"}},
		{"namespaces are any of the list", &model.WorkloadFilter{Namespaces: []string{"ops"}}, []string{"SNAPSHOT ops/web-1", "SYNCED"}},
		{"kinds are any of the list", &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindJob}}, []string{"SNAPSHOT shop/work", "SYNCED"}},
		{"fields are combined with AND", &model.WorkloadFilter{NameContains: &web, Namespaces: []string{"shop"}}, []string{"SNAPSHOT shop/web-1", "SNAPSHOT shop/web-2", "SYNCED"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := livetest.New(t)
			s.Put("deployments", deployment("shop", "web-1"))
			s.Put("deployments", deployment("shop", "web-2"))
			s.Put("deployments", deployment("ops", "web-1"))
			s.Put("jobs", deployment("shop", "work"))
			newFixture(t, s).workloads(t.Context(), tc.filter).want(tc.want...)
		})
	}
}

func TestOneWorkload(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "other"))
	f := newFixture(t, s)
	ref := model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "shop", Name: "web"}
	ch, err := f.Workload(t.Context(), everything, ref)
	if err != nil {
		t.Fatal(err)
	}
	sub := &subscriber{t, ch}
	sub.want("SYNCED")
	s.Put("deployments", deployment("shop", "web"))
	sub.want("ADDED shop/web")
	if n := s.Watches("jobs"); n != 0 {
		t.Errorf("jobs were watched %d times for a Deployment", n)
	}
}

func TestClusters(t *testing.T) {
	s := livetest.New(t)
	s.Put("clusters", cluster("hangzhou", model.ClusterReady))
	f := newFixture(t, s)
	ch, err := f.Clusters(t.Context(), everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	next := func() string {
		select {
		case c := <-ch:
			if c.Node == nil {
				return string(c.Type)
			}
			return fmt.Sprint(c.Type, " ", c.Node.Name, " ", c.Node.State)
		case <-time.After(patience):
			return "nothing"
		}
	}
	got := []string{next(), next()}
	s.Put("clusters", cluster("hangzhou", model.ClusterReady)) // a heartbeat is no change
	s.Put("clusters", cluster("hangzhou", model.ClusterOffline))
	got = append(got, next())
	s.Drop("clusters", "<nil>", "hangzhou")
	got = append(got, next())
	want := []string{"SNAPSHOT hangzhou READY", "SYNCED", "MODIFIED hangzhou OFFLINE", "DELETED hangzhou OFFLINE"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("changes (-want +got):\n%s", diff)
	}
	if n := s.Watches("deployments"); n != 0 {
		t.Errorf("deployments were watched %d times for clusters", n)
	}
}

func TestManySubscribersShareOneWatch(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	f := newFixture(t, s)
	ctx, leave := context.WithCancel(t.Context())
	var subs []*subscriber
	for range 50 {
		subs = append(subs, f.workloads(ctx, nil))
	}
	for _, sub := range subs {
		sub.want("SNAPSHOT shop/a", "SYNCED")
	}
	for _, resource := range []string{"deployments", "statefulsets", "daemonsets", "jobs", "cronjobs", "resourcebindings", "clusters"} {
		if lists, watches := s.Lists(resource), s.Watches(resource); lists != 1 || watches != 1 {
			t.Errorf("%s: %d lists and %d watches, want 1 and 1", resource, lists, watches)
		}
	}
	if got := f.metric("kairship_live_subscribers"); got != 50 {
		t.Errorf("subscribers = %v, want 50", got)
	}
	if got := f.metric("kairship_live_watches"); got != 7 {
		t.Errorf("watches = %v, want 7", got)
	}
	leave()
	eventually(t, "watches stop after the last subscriber left", func() bool {
		return s.OpenWatches() == 0 && f.metric("kairship_live_watches") == 0 && f.metric("kairship_live_subscribers") == 0
	})
	f.workloads(t.Context(), nil).want("SNAPSHOT shop/a", "SYNCED")
}

func TestWatchesLingerForTheNextSubscriber(t *testing.T) {
	s := livetest.New(t)
	f := newFixture(t, s, func(c *Config) { c.Linger = time.Hour })
	for range 3 {
		ctx, leave := context.WithCancel(t.Context())
		f.workloads(ctx, nil).want("SYNCED")
		leave()
		eventually(t, "the subscriber left", func() bool { return f.metric("kairship_live_subscribers") == 0 })
	}
	if n := s.Watches("deployments"); n != 1 {
		t.Errorf("%d watches for three visits, want 1", n)
	}
}

func TestSubscribingIsRefused(t *testing.T) {
	s := livetest.New(t)
	bad := "UPPER"
	for _, tc := range []struct {
		name string
		try  func(*fixture) error
		want model.Code
	}{
		{"without any right", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), rbac.Scope{}, "asia", nil)
			return err
		}, model.CodeForbidden},
		{"to an instance that they may not see", func(f *fixture) error {
			_, err := f.Clusters(t.Context(), roleIn(v1alpha1.RoleViewer, "europe"), "asia")
			return err
		}, model.CodeNotFound},
		{"to an instance that does not exist", func(f *fixture) error {
			_, err := f.Clusters(t.Context(), everything, "mars")
			return err
		}, model.CodeNotFound},
		{"with a malformed filter", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), everything, "asia", &model.WorkloadFilter{NameContains: &bad})
			return err
		}, model.CodeBadUserInput},
		{"with instances in the filter", func(f *fixture) error {
			_, err := f.Workloads(t.Context(), everything, "asia", &model.WorkloadFilter{Instances: []string{"asia"}})
			return err
		}, model.CodeBadUserInput},
		{"to something that is no workload", func(f *fixture) error {
			_, err := f.Workload(t.Context(), everything, model.Ref{Instance: "asia", Name: "x"})
			return err
		}, model.CodeBadUserInput},
	} {
		t.Run(tc.name, func(t *testing.T) {
			wantCode(t, tc.try(newFixture(t, s)), tc.want)
			if n := s.OpenWatches(); n != 0 {
				t.Errorf("%d watches were opened", n)
			}
		})
	}
}

func TestABrokenObjectHidesNoOther(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "broken"))
	s.Put("deployments", deployment("shop", "whole"))
	newFixture(t, s).workloads(t.Context(), nil).want("SNAPSHOT shop/whole", "SYNCED")
}

func TestAStateThatPassesWithTimeIsTold(t *testing.T) {
	// On a busy machine it may have passed before anybody reads: then it is tried again with more time.
	for wait := 300 * time.Millisecond; ; wait *= 2 {
		s := livetest.New(t)
		s.Put("deployments", deployment("shop", "settling"))
		passes := sync.OnceValue(func() *time.Time { at := time.Now().Add(wait); return &at })
		f := newFixture(t, s, func(c *Config) {
			c.ChangesAt = func(*model.WorkloadMeta, *model.Propagation) *time.Time { return passes() }
		})
		reader := f.workloads(t.Context(), nil)
		reader.want("SNAPSHOT shop/settling", "SYNCED")
		if time.Now().Before(*passes()) {
			reader.want("MODIFIED shop/settling")
			return
		}
	}
}

func TestASlowReaderGetsTheLastStateAndIsToldWhatItLost(t *testing.T) {
	s := livetest.New(t)
	for i := range 3 {
		s.Put("deployments", deployment("shop", fmt.Sprintf("w%d", i)))
	}
	f := newFixture(t, s, func(c *Config) { c.Buffer = 4 })
	slow := f.workloads(t.Context(), nil)
	slow.want("SNAPSHOT shop/w0", "SNAPSHOT shop/w1", "SNAPSHOT shop/w2", "SYNCED")

	last := ""
	for range 20 {
		d := deployment("shop", "w0")
		s.Put("deployments", d)
		last = d["metadata"].(map[string]any)["resourceVersion"].(string)
	}
	eventually(t, "the last change arrived", func() bool { return f.knows(t, "shop", "w0").ResourceVersion == last })
	reads := 1
	for ; (<-slow.ch).Node.Meta().ResourceVersion != last; reads++ {
	}
	if reads > 2 { // one was on its way already; after it comes the last
		t.Errorf("a slow reader was sent %d of 20 states of one object, want at most 2", reads)
	}
	if n := f.metric("kairship_live_coalesced_events_total"); n < 18 {
		t.Errorf("%v changes were counted as coalesced, want at least 18", n)
	}

	s.Drop("deployments", "shop", "w1")
	for i := range 20 {
		s.Put("deployments", deployment("shop", fmt.Sprintf("n%02d", i)))
	}
	eventually(t, "everything arrived", func() bool { return f.knows(t, "shop", "n19") != nil })
	eventually(t, "the buffer overflowed", func() bool { return f.metric("kairship_live_buffer_overflows_total") >= 1 })
	var got []string
	for {
		line := slow.next()
		if line == "RESYNC" {
			break
		}
	}
	for {
		line := slow.next()
		if line == "SYNCED" {
			break
		}
		got = append(got, line)
	}
	if len(got) != 22 || strings.Contains(strings.Join(got, ","), "w1") {
		t.Fatalf("after RESYNC %d objects, want 22 without w1: %v", len(got), got)
	}
	for _, line := range got {
		if !strings.HasPrefix(line, "SNAPSHOT ") {
			t.Errorf("between RESYNC and SYNCED: %s", line)
		}
	}
}

// running are the stacks of the other goroutines that run a function of one of these packages, or were begun by one.
func running(packages ...string) []string {
	all := make([]byte, 4<<20)
	all = all[:runtime.Stack(all, true)]
	stacks := strings.Split(string(all), "\n\n")[1:] // without this one
	return slices.DeleteFunc(stacks, func(stack string) bool {
		return !slices.ContainsFunc(packages, func(p string) bool { return strings.Contains(stack, p) })
	})
}

func TestNothingIsLeftRunning(t *testing.T) {
	s := livetest.New(t)
	s.Put("deployments", deployment("shop", "a"))
	f := newFixture(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for range 10 {
		f.workloads(ctx, nil) // never read
	}
	var left []string
	look := func() int {
		left = running("internal/live.", "k8s.io/client-go/tools/cache.")
		return len(left)
	}
	eventually(t, "something runs", func() bool { return look() > 10 })
	f.Close()
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("left running:\n%s", strings.Join(left, "\n\n"))
		}
	})
	eventually(t, "all goroutines end", func() bool { return look() == 0 })
	if _, err := f.Workloads(ctx, everything, "asia", nil); err == nil {
		t.Error("a closed hub took a subscriber")
	}
}
