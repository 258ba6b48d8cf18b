package e2e

import (
	"bufio"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var requestLine = regexp.MustCompile(`^apiserver_request_total\{(.*)\} ([0-9.e+]+)$`)

// upstreams is the API servers that a query could ask.
var upstreams = []string{"clusterpedia-apiserver", "asia-apiserver", "europe-apiserver"}

// requests counts what the upstreams say they were asked, watches left out: a long one is counted when
// it ends, whoever began it.
func requests(t *testing.T) map[string]float64 {
	t.Helper()
	out := map[string]float64{}
	for _, name := range upstreams {
		lines := bufio.NewScanner(strings.NewReader(fleetDo(t, "metrics", name)))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			m := requestLine.FindStringSubmatch(lines.Text())
			if len(m) < 3 || strings.Contains(m[1], `verb="WATCH"`) {
				continue
			}
			n, err := strconv.ParseFloat(m[2], 64)
			if err != nil {
				t.Fatal(err)
			}
			out[name] += n
		}
	}
	return out
}

// readStoreCost is how many requests Clusterpedia was asked by one query of the whole fleet: of many in a
// row, less what it is asked anyway in the same time.
func readStoreCost(t *testing.T) float64 {
	t.Helper()
	const queries, span = 20, 5 * time.Second
	measure := func(work func()) map[string]float64 {
		before := requests(t)
		begin := time.Now()
		work()
		// Both spans are equally long, so that what goes on anyway counts the same in both.
		timer := time.NewTimer(span - time.Since(begin))
		defer timer.Stop()
		<-timer.C
		after := requests(t)
		for name := range after {
			after[name] -= before[name]
		}
		return after
	}
	idle := measure(func() {})
	busy := measure(func() {
		for range queries {
			into[fleetAnswer](t, fleetQuery, nil)
		}
	})
	t.Logf("idle %v, with %d queries %v", idle, queries, busy)
	return (busy["clusterpedia-apiserver"] - idle["clusterpedia-apiserver"]) / queries
}

func TestUpstreamRequestsAreFewAndDoNotGrow(t *testing.T) {
	instances := 2.0
	few := readStoreCost(t)
	fleetDo(t, "seed", "--workloads", "300")
	// The fleet has more to do with them; the tests after this one need not.
	t.Cleanup(func() { fleetDo(t, "seed", "--workloads", "0") })
	eventually(t, time.Minute, func() error {
		got := into[struct {
			Instance struct{ Workloads struct{ TotalCount int } }
		}](t, `{instance(name:"asia"){workloads{totalCount}}}`, nil)
		if got.Instance.Workloads.TotalCount < 300 {
			return fmt.Errorf("the read store holds %d workloads", got.Instance.Workloads.TotalCount)
		}
		return nil
	})
	many := readStoreCost(t)
	t.Logf("%.2f requests a query before, %.2f with 300 more workloads", few, many)
	if few > 6*instances+0.5 || many > few+0.5 || few < 1 {
		t.Errorf("a query costs %.2f requests, %.2f with 300 more workloads; want at most %v and no more with them", few, many, 6*instances)
	}
}
