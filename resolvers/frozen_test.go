package resolvers_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/schematest"
)

// freeze makes a store hang from its nth request on. Since is when the first request came that was not answered; zero
// when none did.
func freeze(s *store, n int) (since func() time.Time) {
	var mu sync.Mutex
	var first time.Time
	asked := 0
	// A request of before may come late.
	s.mu.Lock()
	defer s.mu.Unlock()
	s.hangs = func() bool {
		mu.Lock()
		defer mu.Unlock()
		if asked++; asked <= n {
			return false
		}
		if first.IsZero() {
			first = time.Now()
		}
		return true
	}
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return first
	}
}

func TestAnOperationWaitsOnceForAStoreThatHangs(t *testing.T) {
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	// Two waits, one after the other, are more than what an answer may take.
	const timeout = 3 * time.Second
	const limit = 2 * timeout
	var mu sync.Mutex
	worst, waited := time.Duration(0), 0
	var types errgroup.Group
	types.SetLimit(16) // they wait, mostly; what they take of the processors beside is not to be measured
	for _, typeName := range walk.Types() {
		types.Go(func() error {
			u := newUpstreams(t)
			u.store.timeout = timeout
			for _, entry := range walk.Entries(typeName) {
				var all []string
				for _, f := range walk.Fields(typeName) {
					if selection, ok := walk.Select(typeName, f); ok {
						all = append(all, selection)
					}
				}
				query := entry.Query(strings.Join(all, " "))
				// From the beginning, and when what leads to the fields is there.
				for n := range 3 {
					since := freeze(u.store, n)
					u.ask(t, query, nil)
					ended := time.Now()
					mu.Lock()
					if began := since(); !began.IsZero() {
						took := ended.Sub(began)
						worst, waited = max(worst, took), waited+1
						if took > limit {
							t.Errorf("%s is answered %s after the store has hung from request %d on: %s", typeName, took, n, query)
						}
					}
					mu.Unlock()
				}
			}
			return nil
		})
	}
	if err := types.Wait(); err != nil {
		t.Error(err)
	}
	t.Logf("%d answers while the store hung, the slowest after %s", waited, worst)
	if waited < 100 {
		t.Error("too few answers had to wait: the walk has lost its way")
	}
}
