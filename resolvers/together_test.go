package resolvers_test

import (
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/testing/schematest"
)

// Rows that come together are read for together: whatever is selected of them, with three times as many the read store
// is asked as often. It walks the schema, so that an edge that is added is counted, too.
func TestNoEdgeAsksMoreOftenWithMoreRows(t *testing.T) {
	walk := schematest.Load(t, arguments("asia"), entries("asia"))
	few, many := worldOf(t, "cart", "till"), worldOf(t, "cart", "till", "desk", "door", "lamp", "shelf")
	var checked atomic.Int64
	eachType(t, walk, func(t *testing.T, typeName string) {
		t.Helper()
		small, large := newUpstreamsOf(t, few), newUpstreamsOf(t, many)
		// What fields beside each other ask for within this time is asked for at once, also on a busy machine.
		small.wait, large.wait = 25*time.Millisecond, 25*time.Millisecond
		for _, entry := range walk.Entries(typeName) {
			if rows := len(entry.Objects(large.ask(t, entry.Query(""), nil).Data)); rows <= len(entry.Objects(small.ask(t, entry.Query(""), nil).Data)) {
				continue // as many of them, whatever there is else
			}
			for _, f := range walk.Fields(typeName) {
				selection, ok := walk.Select(typeName, f)
				if !ok || walk.IsLeaf(f) {
					continue
				}
				checked.Add(1)
				was, is := 0, 1
				for attempt := 0; is > was && attempt < 10; attempt++ {
					was, is = small.requests(t, entry.Query(selection)), large.requests(t, entry.Query(selection))
				}
				if is > was {
					t.Errorf("%s of %s: the read store was asked %d times, and %d times with more rows", f.Name, strings.Join(entry, " "), was, is)
				}
			}
		}
	})
	t.Logf("%d edges", checked.Load())
	if checked.Load() < 100 {
		t.Errorf("only %d edges were followed: the walk has lost its way", checked.Load())
	}
}

// requests is how often the read store is asked for the answer to a query.
func (u *upstreams) requests(tb testing.TB, query string) int {
	tb.Helper()
	before := u.store.count()
	if answer := u.ask(tb, query, nil); len(answer.Errors) > 0 {
		tb.Errorf("%s: %v", query, answer.Errors)
	}
	return u.store.count() - before
}
