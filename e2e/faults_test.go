package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"
)

// soon is the longest any page may take while a part of the fleet is down.
const soon = 2 * time.Second

// fleetNow asks for everything and says how long it took; parts may have failed.
func fleetNow(t *testing.T) (fleetAnswer, []gqlError, time.Duration) {
	t.Helper()
	start := time.Now()
	out := ask(t, fleetQuery, nil)
	took := time.Since(start)
	var data fleetAnswer
	if err := json.Unmarshal(out.Data, &data); err != nil {
		t.Fatalf("decoding %s: %v", out.Data, err)
	}
	return data, out.Errors, took
}

// clusterNow is a cluster's state and freshness.
func clusterNow(t *testing.T, name string) (state, freshness string, others int) {
	t.Helper()
	data, _, took := fleetNow(t)
	if took > soon {
		return "", fmt.Sprintf("unknown: the page took %s", took), 0
	}
	for _, in := range data.Instances.Nodes {
		if in.Clusters == nil {
			continue
		}
		for _, c := range in.Clusters.Nodes {
			switch {
			case c.Name == name:
				state, freshness = c.State, c.Freshness.State
			case c.State == "READY" && c.Freshness.State == "LIVE":
				others++
			}
		}
	}
	return state, freshness, others
}

// whole waits until nothing is missing: the faults of one test must not be those of the next.
func whole(t *testing.T) fleetAnswer {
	t.Helper()
	var data fleetAnswer
	eventually(t, 2*time.Minute, func() error {
		var errs []gqlError
		if data, errs, _ = fleetNow(t); len(errs) > 0 {
			return fmt.Errorf("errors: %+v", errs)
		}
		live := 0
		for _, in := range data.Instances.Nodes {
			if in.State != "RUNNING" {
				return fmt.Errorf("%s is %s", in.Name, in.State)
			}
			for _, c := range in.Clusters.Nodes {
				if c.State == "READY" && c.Freshness.State == "LIVE" {
					live++
				}
			}
		}
		if live != 4 {
			return fmt.Errorf("%d clusters are READY and LIVE", live)
		}
		return nil
	})
	return data
}

func TestAStoppedMemberIsSaidAndHarmsNoOther(t *testing.T) {
	before := whole(t)
	total := map[string]int{}
	for _, in := range before.Instances.Nodes {
		total[in.Name] = in.Workloads.TotalCount
	}
	fleetDo(t, "stop", "hangzhou")
	t.Cleanup(func() { fleetDo(t, "start", "hangzhou") })
	took := eventually(t, time.Minute, func() error {
		state, freshness, others := clusterNow(t, "hangzhou")
		if state == "READY" || freshness != "STALE" && freshness != "STOPPED" || others != 3 {
			return fmt.Errorf("hangzhou is %s and %s, %d others are well", state, freshness, others)
		}
		return nil
	})
	t.Logf("hangzhou was said to be away after %s", took.Round(time.Second))
	fleetDo(t, "start", "hangzhou")
	took = eventually(t, 2*time.Minute, func() error {
		state, freshness, others := clusterNow(t, "hangzhou")
		if state != "READY" || freshness != "LIVE" || others != 3 {
			return fmt.Errorf("hangzhou is %s and %s, %d others are well", state, freshness, others)
		}
		return nil
	})
	t.Logf("hangzhou was LIVE again after %s", took.Round(time.Second))
	after, errs, _ := fleetNow(t)
	if len(errs) > 0 {
		t.Fatalf("errors afterwards: %+v", errs)
	}
	for _, in := range after.Instances.Nodes {
		if in.Workloads.TotalCount != total[in.Name] {
			t.Errorf("%s has %d workloads, had %d", in.Name, in.Workloads.TotalCount, total[in.Name])
		}
	}
}

func TestAStoppedKarmadaLeavesTheRestOfThePage(t *testing.T) {
	whole(t)
	stop(t, "europe-apiserver")
	eventually(t, 30*time.Second, func() error {
		data, errs, took := fleetNow(t)
		if took > soon {
			return fmt.Errorf("the page took %s", took)
		}
		for _, in := range data.Instances.Nodes {
			switch {
			case in.Workloads == nil || len(in.Workloads.Nodes) == 0:
				t.Errorf("%s has lost its workloads", in.Name)
			case in.Name == "asia" && (in.State != "RUNNING" || in.Clusters == nil || len(in.Clusters.Nodes) != 3):
				t.Errorf("asia was harmed: %s, %+v", in.State, in.Clusters)
			case in.Name == "europe" && in.State != "UNAVAILABLE":
				return fmt.Errorf("europe is %s", in.State)
			case in.Name == "europe" && in.Clusters != nil:
				return fmt.Errorf("europe's clusters are shown as if it answered")
			}
		}
		if len(errs) != 1 || errs[0].Extensions.Code != "UNAVAILABLE" || errs[0].Extensions.Instance != "europe" || !errs[0].Extensions.Retryable {
			return fmt.Errorf("errors %+v, want one UNAVAILABLE that names europe", errs)
		}
		return nil
	})
}

func TestAStoppedReadStoreLeavesTheRestOfThePage(t *testing.T) {
	for _, how := range []struct{ name, away, back string }{
		{"stopped", "stop", "start"},
		{"hung", "pause", "resume"},
	} {
		t.Run(how.name, func(t *testing.T) {
			whole(t)
			fleetDo(t, how.away, "clusterpedia-apiserver")
			t.Cleanup(func() { fleetDo(t, how.back, "clusterpedia-apiserver") })
			// The first look may be slow on a busy machine, and a later one must not be; whatever it says
			// of the read store, it says no less of the rest.
			eventually(t, 10*time.Second, func() error {
				data, errs, took := fleetNow(t)
				if took > soon {
					return fmt.Errorf("the page took %s", took)
				}
				for _, in := range data.Instances.Nodes {
					if in.State != "RUNNING" || in.Clusters == nil || len(in.Clusters.Nodes) == 0 || in.Workloads != nil {
						return fmt.Errorf("%s is %s with clusters %+v and workloads %+v", in.Name, in.State, in.Clusters, in.Workloads)
					}
				}
				if len(errs) != 2 {
					return fmt.Errorf("%d errors, want one for each instance: %+v", len(errs), errs)
				}
				for _, e := range errs {
					if e.Extensions.Code != "UNAVAILABLE" && e.Extensions.Code != "TIMEOUT" || e.Extensions.Instance == "" || !strings.HasSuffix(fmt.Sprint(e.Path), "workloads]") {
						return fmt.Errorf("error %+v", e)
					}
				}
				return nil
			})
		})
	}
}

func TestASynchroManagerThatDoesNotRunIsSaid(t *testing.T) {
	for _, how := range []struct{ name, away, back string }{
		{"stopped, it says so itself", "stop", "start"},
		{"hung, it stops renewing its lease", "pause", "resume"},
	} {
		t.Run(how.name, func(t *testing.T) {
			whole(t)
			fleetDo(t, how.away, "clusterpedia-synchro")
			t.Cleanup(func() { fleetDo(t, how.back, "clusterpedia-synchro") })
			eventually(t, time.Minute, func() error {
				if _, freshness, _ := clusterNow(t, "tokyo"); freshness != "STOPPED" {
					return fmt.Errorf("tokyo's rows are %s although nobody follows it", freshness)
				}
				return nil
			})
		})
	}
	whole(t)
}
