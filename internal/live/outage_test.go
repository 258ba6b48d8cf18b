package live

import (
	"errors"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/internal/live/livetest"
	"github.com/kairship-io/kairship/internal/model"
)

func TestWhatHappenedWhileDisconnectedIsToldOnce(t *testing.T) {
	for _, tc := range []struct {
		name string
		when func(*livetest.APIServer, *fixture)
		// lists is how often deployments are listed: again only when continuing is impossible.
		lists int
	}{
		{"a watch that ends continues where it was", func(s *livetest.APIServer, _ *fixture) { s.Refuse(true) }, 1},
		{"a watch whose version is Gone lists again", func(s *livetest.APIServer, _ *fixture) { s.Refuse(true); s.Compact() }, 2},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := livetest.New(t)
			s.Put("deployments", deployment("shop", "kept"))
			s.Put("deployments", deployment("shop", "removed"))
			f := newFixture(t, s)
			sub := f.workloads(t.Context(), nil)
			sub.want("SNAPSHOT shop/kept", "SNAPSHOT shop/removed", "SYNCED")

			s.Refuse(true)
			s.Drop("deployments", "shop", "removed")
			s.Put("deployments", deployment("shop", "new"))
			tc.when(s, f)
			s.Refuse(false)
			got := map[string]bool{sub.next(): true, sub.next(): true}
			if diff := cmp.Diff(map[string]bool{"DELETED shop/removed": true, "ADDED shop/new": true}, got); diff != "" {
				t.Fatalf("changes (-want +got):\n%s", diff)
			}
			s.Put("deployments", deployment("shop", "later"))
			sub.want("ADDED shop/later")
			if n := s.Lists("deployments"); n != tc.lists {
				t.Errorf("deployments were listed %d times, want %d", n, tc.lists)
			}
			if f.metric("kairship_live_watch_restarts_total") == 0 {
				t.Error("restarts were not counted")
			}
		})
	}
}

func TestAReplacedConnectionIsFollowed(t *testing.T) {
	old, next := livetest.New(t), livetest.New(t)
	old.Put("deployments", deployment("shop", "both"))
	old.Put("deployments", deployment("shop", "only-old"))
	next.Put("deployments", deployment("shop", "both"))
	f := newFixture(t, old)
	sub := f.workloads(t.Context(), &model.WorkloadFilter{Kinds: []model.WorkloadKind{model.KindDeployment}})
	sub.want("SNAPSHOT shop/both", "SNAPSHOT shop/only-old", "SYNCED")
	f.fleet.replace(next)
	for sub.next() != "DELETED shop/only-old" { // "both" may be told as MODIFIED: it is another object
	}
	next.Put("deployments", deployment("shop", "later"))
	for sub.next() != "ADDED shop/later" {
	}
	eventually(t, "the old server is left alone", func() bool { return old.OpenWatches() == 0 })
}

func TestAnInstanceThatIsRemovedEndsItsStreams(t *testing.T) {
	s := livetest.New(t)
	f := newFixture(t, s)
	sub := f.workloads(t.Context(), nil)
	sub.want("SYNCED")
	f.fleet.replace(nil)
	sub.want("closed")
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeNotFound)
	f.fleet.replace(s)
	f.workloads(t.Context(), nil).want("SYNCED")
}

func TestAKarmadaThatIsDownIsToldInTime(t *testing.T) {
	s := livetest.New(t)
	s.Refuse(true)
	f := newFixture(t, s, func(c *Config) { c.ReadyTimeout = 200 * time.Millisecond })
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeUnavailable)
	var e *model.Error
	if errors.As(err, &e); e.Instance != "asia" || !e.Retryable {
		t.Errorf("error does not name the instance or is not retryable: %+v", e)
	}
}

func TestAKarmadaThatWentDownIsNotShownAsPresent(t *testing.T) {
	s := livetest.New(t)
	f := newFixture(t, s, func(c *Config) { c.ReadyTimeout = 200 * time.Millisecond })
	f.workloads(t.Context(), nil).want("SYNCED")
	s.Refuse(true)
	eventually(t, "the watches notice", func() bool { return f.metric("kairship_live_watch_restarts_total") >= 7 })
	_, err := f.Workloads(t.Context(), everything, "asia", nil)
	wantCode(t, err, model.CodeUnavailable)
}
