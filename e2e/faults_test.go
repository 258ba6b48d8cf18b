package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"
)

// soon is the longest any page may take while a part of the fleet is down.
const soon = 2 * time.Second

// fleetNow asks for everything and says how long it took; parts may have failed.
func fleetNow(t *testing.T) (fleetAnswer, []gqlError, time.Duration) {
	t.Helper()
	watch := startWatch()
	out := ask(t, fleetQuery, nil)
	took := watch.took()
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
	k := issue(t, idTokenOf(t, "owner"), "asia", "singapore", "")
	k.reaches(t, "get", "nodes")
	total := map[string]int{}
	for _, in := range before.Instances.Nodes {
		total[in.Name] = in.Workloads.TotalCount
	}
	compare := memberPromptly(t, "asia", "singapore", false)
	fleetDo(t, "stop", "singapore")
	t.Cleanup(func() { fleetDo(t, "start", "singapore") })
	// Through the proxy it is answered for, in time.
	began := time.Now()
	if s := status(t, k.get(t, "/instances/asia/clusters/singapore/api/v1/nodes")); s.Code != http.StatusServiceUnavailable {
		t.Errorf("%d %s", s.Code, s.Message)
	}
	if took := time.Since(began); took > 15*time.Second {
		t.Errorf("the proxy took %s", took)
	}
	took := eventually(t, time.Minute, func() error {
		state, freshness, others := clusterNow(t, "singapore")
		if state == "READY" || freshness != "STALE" && freshness != "STOPPED" || others != 3 {
			return fmt.Errorf("singapore is %s and %s, %d others are well", state, freshness, others)
		}
		return nil
	})
	t.Logf("singapore was said to be away after %s", took.Round(time.Second))
	// It is what is found first of a workload that belongs there.
	eventually(t, time.Minute, func() error {
		return diagnosed(t, "apps/v1", "Deployment", "shop", "storefront", "CLUSTER_OFFLINE", "singapore", "singapore")
	})
	compare()
	compare = memberPromptly(t, "asia", "singapore", true)
	fleetDo(t, "start", "singapore")
	took = eventually(t, 2*time.Minute, func() error {
		state, freshness, others := clusterNow(t, "singapore")
		if state != "READY" || freshness != "LIVE" || others != 3 {
			return fmt.Errorf("singapore is %s and %s, %d others are well", state, freshness, others)
		}
		return nil
	})
	t.Logf("singapore was LIVE again after %s", took.Round(time.Second))
	compare()
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
	compare := instancePromptly(t, "europe", false)
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
	compare()
	compare = instancePromptly(t, "europe", true)
	fleetDo(t, "start", "europe-apiserver")
	compare()
}
