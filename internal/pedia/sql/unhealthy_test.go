package sql

import (
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

func TestWhatIsAmissIsNamedWhereThePackIsThere(t *testing.T) {
	const join = "FROM (SELECT DISTINCT n, m FROM (SELECT b.namespace"
	page := func(t *testing.T, d Dialect, q Query) string {
		t.Helper()
		q.Limit = 5
		s, err := q.Page(d)
		if err != nil {
			t.Fatal(err)
		}
		return s.Where
	}
	few := Query{GVRs: one(deployments), Clusters: []string{"kairship.asia"}, Where: []Condition{Unhealthy("jobs")}}
	t.Run("the rows of each strip are named, of one strip too", func(t *testing.T) {
		if text := page(t, packed, few); !strings.Contains(text, join) || !strings.Contains(text, indexes.IsUnhealthy+" AND cluster = c.c") {
			t.Error(text)
		}
	})
	t.Run("beside a condition that narrows more, each row is tried", func(t *testing.T) {
		q := few
		q.Where = []Condition{NameContains("cart"), Unhealthy("jobs")}
		found, _, _ := strings.Cut(page(t, packed, q), "ELSE")
		if strings.Contains(found, join) || !strings.Contains(found, indexes.IsUnhealthy) || !strings.Contains(found, indexes.IsIdle) {
			t.Error(found)
		}
	})
	t.Run("without the pack nothing is looked for", func(t *testing.T) {
		if text := page(t, Dialect{ByBytes: true}, few); strings.Contains(text, "resourcebindings") || strings.Contains(text, "annotations") {
			t.Error(text)
		}
	})
}
