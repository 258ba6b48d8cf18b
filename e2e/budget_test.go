package e2e

import (
	"fmt"
	"strconv"
	"testing"
	"time"
)

// reads counts what Kairship has asked the read store, by its database and by its API.
func reads(t *testing.T) float64 {
	t.Helper()
	return metrics(t)["kairship_read_store_request_duration_seconds_count"]
}

// beside is how many requests a second the read store is asked while nobody asks Kairship.
func beside(t *testing.T) float64 {
	t.Helper()
	const span = 5 * time.Second
	before := reads(t)
	timer := time.NewTimer(span)
	defer timer.Stop()
	<-timer.C
	return (reads(t) - before) / span.Seconds()
}

// upstreamCost is how many requests one query asks.
type upstreamCost struct {
	// readStore is those of the read store: of many queries in a row, less what it is asked anyway in the same time.
	readStore float64
	// karmadas is those of the host cluster and of all Karmadas, by their audit logs, which name who asked; what is
	// read of a member goes through its Karmada.
	karmadas float64
	objects  map[string]int
}

func costOf(t *testing.T, query string, beside float64) upstreamCost {
	t.Helper()
	const queries = 10
	var before float64
	var begin time.Time
	// What was not answered in time, on a busy machine, was not asked for whole: then all are asked again.
	for attempt, answered := 0, 0; answered < queries; attempt++ {
		before, begin = reads(t), time.Now()
		for answered = 0; answered < queries; answered++ {
			if out := ask(t, query, nil); len(out.Errors) > 0 {
				if attempt == 5 || out.Errors[0].Extensions.Code != "TIMEOUT" {
					t.Fatalf("%s\nerrors: %+v", query, out.Errors)
				}
				break
			}
		}
	}
	took := time.Since(begin).Seconds()
	after := reads(t)
	var asked []auditEntry
	for _, cluster := range append([]string{"host"}, instanceNames()...) {
		for _, e := range auditEntries(t, cluster, "kairship-apiserver", begin) {
			// A watch is shared by all who look, and is not begun for a query; nor is it for one that an instance's
			// connection asks who answers there, by its clock and whenever a watch ends.
			if e.Verb != "watch" && !e.asksIdentity() {
				asked = append(asked, e)
			}
		}
	}
	return upstreamCost{
		readStore: (after - before - beside*took) / queries,
		karmadas:  float64(len(asked)) / queries, objects: perObject(asked),
	}
}

// over objects when a query costs more than it may.
func (c upstreamCost) over(readStore, karmadas float64) error {
	// What goes on beside is not even; half a request is less than any query could cost more.
	if c.readStore > readStore+0.5 {
		return fmt.Errorf("it costs %.2f requests of the read store, at most %v are allowed", c.readStore, readStore)
	}
	// Nothing of others is among these, but what the server asks for itself now and then.
	if c.karmadas > karmadas+0.2 {
		return fmt.Errorf("it costs %.2f requests of the Karmadas, at most %v are allowed: in ten queries %v", c.karmadas, karmadas, c.objects)
	}
	return nil
}

// What pages ask for. Each is of more rows than the demo fleet has, or of as many as are shown.
const (
	workloadPage = `{instance(name:"asia"){state clusters{nodes{name state}} workloads(first:50){totalCount pageInfo{endCursor} nodes{
		id name namespace kind state stateReason replicas images propagation{policy{name %s} scheduled{value} applied{value} healthy{value reason}
		targets{clusterName desiredReplicas status{ready} freshness{state}}}}}}}`
	workloadDetail = `{instance(name:"asia"){workload(kind:DEPLOYMENT,namespace:"shop",name:"cart"){id name state stateReason status{replicas ready}
		propagation{policy{name} scheduled{value reason} applied{value} healthy{value} diagnosis{code message remedy evidence{object field value}}
		targets{clusterName status{ready} work{name applied{value}} member{uid} overrides{policyName changes{path from to}} pods(first:20){nodes{name phase ready}} events(first:20){nodes{reason message}}}}
		services{nodes{name}} revisions{nodes{revision images state}} autoscaler{kind minReplicas maxReplicas} events(first:20){nodes{reason message lastSeen}}}}}`
	policyPage = `{instance(name:"asia"){policies(first:50){totalCount nodes{__typename name namespace resourceSelectors{apiVersion kind name}
		clusters{name} matched(first:10){totalCount nodes{name state}}}}}}`
	clusterLists = `name state nodes{total ready} nodeList(first:20){totalCount nodes{name state}} pods(first:20){nodes{name phase ready}}
		workloads(first:20){nodes{name state}} events(first:20){nodes{reason message}} bindings(first:20){nodes{name}}`
	clusterPage  = `{instance(name:"asia"){cluster(name:"hangzhou"){` + clusterLists + `}}}`
	clusterPages = `{instance(name:"asia"){clusters{nodes{` + clusterLists + `}}}}`
	overviewPage = `{overview{instances{state total} clusters{total ready} clusterStates{state total} troubled{name}}
		instances{nodes{name state statistics{asOf} events(first:10){nodes{reason}} workloads(first:10){totalCount nodes{name state}} policies(first:10){totalCount nodes{name}}}}}`
)

func TestUpstreamRequestsAreFewAndDoNotGrow(t *testing.T) {
	budgets := []struct {
		name, query         string
		readStore, karmadas float64
	}{
		{"workload page", fmt.Sprintf(workloadPage, ""), 6, 0},
		{"workload page with the bodies of policies", fmt.Sprintf(workloadPage, "resourceVersion manifest"), 8, 0},
		// Lists beside each other are gathered for a millisecond: where one of them comes late, as to a server with the race
		// detector on a busy machine, that is one more.
		{"workload detail", workloadDetail, 9, 0},
		{"policy page with claimed workloads", policyPage, 6, 0},
		{"cluster page", clusterPage, 5, 0},
		{"all clusters of an instance", clusterPages, 5, 0},
		{"overview of two instances", overviewPage, 2 * 6, 0},
		{"workloads of the whole fleet", fleetQuery, 2 * 6, 0},
	}
	cost, idle := map[string]upstreamCost{}, beside(t)
	for _, b := range budgets {
		t.Run(b.name, func(t *testing.T) {
			cost[b.name] = costOf(t, b.query, idle)
			t.Logf("%+v", cost[b.name])
			if err := cost[b.name].over(b.readStore, b.karmadas); err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("what is read of a Karmada is counted", func(t *testing.T) {
		// Secrets are not in the read store.
		const secrets = `{instance(name:"asia"){resources(apiVersion:"v1",kind:"Secret",filter:{namespaces:["shop"]},first:5){nodes{name}}}}`
		if got := costOf(t, secrets, idle); got.karmadas < 0.9 || got.karmadas > 1.2 {
			t.Errorf("it costs %.2f requests of the Karmadas, want one: %v", got.karmadas, got.objects)
		}
	})
	// With what is there, more than a page.
	const more = 60
	fleetDo(t, "seed", "--workloads", strconv.Itoa(more))
	// The fleet has more to do with them; the tests after this one need not.
	t.Cleanup(func() { fleetDo(t, "seed", "--workloads", "0") })
	eventually(t, time.Minute, func() error {
		got, err := read[struct {
			Instance struct{ Workloads struct{ TotalCount int } }
		}](t, `{instance(name:"asia"){workloads{totalCount}}}`, nil)
		if err != nil {
			return err
		}
		if got.Instance.Workloads.TotalCount < more {
			return fmt.Errorf("the read store holds %d workloads", got.Instance.Workloads.TotalCount)
		}
		return nil
	})
	idle = beside(t)
	for _, b := range budgets {
		t.Run(b.name+" with more workloads than a page", func(t *testing.T) {
			many := costOf(t, b.query, idle)
			t.Logf("%+v, %+v before", many, cost[b.name])
			if err := many.over(b.readStore, b.karmadas); err != nil {
				t.Error(err)
			}
		})
	}
}
