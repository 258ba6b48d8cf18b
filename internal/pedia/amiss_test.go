package pedia

import (
	"fmt"
	"strings"
	"testing"

	"github.com/kairship-io/kairship/internal/pedia/indexes"
)

func TestWhatIsAmissIsNamedWhereThePackIsThere(t *testing.T) {
	const join = "FROM (SELECT DISTINCT n, m FROM (SELECT b.namespace"
	page := func(t *testing.T, d dialect, q Query) string {
		t.Helper()
		q.Limit = 5
		s, err := q.page(d)
		if err != nil {
			t.Fatal(err)
		}
		return s.text.String()
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
		if text := page(t, dialect{byBytes: true}, few); strings.Contains(text, "resourcebindings") || strings.Contains(text, "annotations") {
			t.Error(text)
		}
	})
}

// The two forms of what is unhealthy, here as far as a row tells, and in the store's expressions by the fields
// that they look at.
func TestWhatIsAmissOfARow(t *testing.T) {
	const well = `"annotations":{"propagationpolicy.karmada.io/namespace":"shop","propagationpolicy.karmada.io/name":"p"}`
	const bound = `{"spec":{"clusters":[{"name":"eu"}]},"status":{"conditions":[{"type":"Scheduled","status":"True","reason":"x"},{"type":"FullyApplied","status":"True"}],"aggregatedStatus":[%s]%s}}`
	for _, c := range []struct {
		name string
		of   Condition
		raw  string
		want truth
	}{
		{"a claimed workload is not idle", idle, `{"metadata":{` + well + `},"spec":{"replicas":2}}`, no},
		{"an unclaimed one is", idle, `{"metadata":{},"spec":{"replicas":2}}`, yes},
		{"so is one with half of a claim", idle, `{"metadata":{"annotations":{"propagationpolicy.karmada.io/name":"p"}}}`, yes},
		{"one that a policy of the cluster claims is not", idle, `{"metadata":{"annotations":{"clusterpropagationpolicy.karmada.io/name":"p"}}}`, no},
		{"one without replicas is", idle, `{"metadata":{` + well + `},"spec":{"replicas":0}}`, yes},
		{"a paused one is", idle, `{"metadata":{` + well + `},"spec":{"paused":true}}`, yes},
		{"a suspended one is", idle, `{"metadata":{` + well + `},"spec":{"suspend":true}}`, yes},
		{"one that is being deleted is", idle, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z",` + well + `}}`, yes},

		{"a binding of what is well everywhere is not amiss", amiss, fmt.Sprintf(bound, `{"health":"Healthy"}`, ""), no},
		{"one of what is unhealthy somewhere is", amiss, fmt.Sprintf(bound, `{"health":"Healthy"},{"health":"Unhealthy"}`, ""), yes},
		{"one without a status is", amiss, `{"spec":{"clusters":[{"name":"eu"}]}}`, yes},
		{"one without clusters is", amiss, strings.Replace(fmt.Sprintf(bound, "", ""), `{"name":"eu"}`, "", 1), yes},
		{"a suspended one is", amiss, strings.Replace(fmt.Sprintf(bound, "", ""), `"spec":{`, `"spec":{"suspension":{"dispatching":true},`, 1), yes},
		{"one that is being deleted is", amiss, strings.Replace(fmt.Sprintf(bound, "", ""), `{"spec"`, `{"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"},"spec"`, 1), yes},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := c.of.match(&view{Row: Row{Raw: []byte(c.raw)}}); got != c.want {
				t.Errorf("%d, want %d", got, c.want)
			}
		})
	}
}
