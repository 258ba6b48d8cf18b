package resolvers_test

import (
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// freeze makes a store hang from its nth request on. Unanswered is when the first and the last request came that were not
// answered; zero when none did.
func freeze(s *store, n int) (unanswered func() (first, last time.Time)) {
	var mu sync.Mutex
	var first, last time.Time
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
		last = time.Now()
		if first.IsZero() {
			first = last
		}
		return true
	}
	return func() (time.Time, time.Time) {
		mu.Lock()
		defer mu.Unlock()
		return first, last
	}
}

func TestAnOperationWaitsOnceForAStoreThatHangs(t *testing.T) {
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	// Who waits twice asks again when the first wait has ended, and answers after another: nearly, since a wait begins
	// before the store hears of it. An answer may take longer for what this machine has to do beside.
	const timeout, nearly = 3 * time.Second, 100 * time.Millisecond
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
					unanswered := freeze(u.store, n)
					u.ask(t, query, nil)
					ended := time.Now()
					mu.Lock()
					if first, last := unanswered(); !first.IsZero() {
						took, again := ended.Sub(first), last.Sub(first)
						worst, waited = max(worst, took), waited+1
						if again > timeout-nearly && took > 2*(timeout-nearly) {
							t.Errorf("%s asks again after %s and is answered after %s, when the store has hung from request %d on: %s", typeName, again, took, n, query)
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
