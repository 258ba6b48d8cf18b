package pedia

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
)

// fleet is rows of two kinds in two clusters, with ties and signs in names.
func fleet(t *testing.T) []StandinRow {
	t.Helper()
	var out []StandinRow
	kinds := map[schema.GroupVersionResource]string{deployments: "Deployment", statefulSets: "StatefulSet"}
	for c, cluster := range []string{"kairship.a", "kairship.a-b"} {
		for _, gvr := range one(deployments, statefulSets) {
			for i, name := range []string{"a", "a-b", "a.b", "a0", "ab"} {
				raw, err := json.Marshal(map[string]any{"metadata": map[string]any{
					"namespace": "shop", "name": name, "uid": fmt.Sprint(cluster, gvr.Resource, name), "labels": map[string]string{"app": name, "odd": strconv.FormatBool(i%2 == 1)},
					"creationTimestamp": fmt.Sprintf("2026-01-01T00:00:0%dZ", (i+c)%3), "annotations": map[string]string{clusterAnnotation: cluster},
				}})
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, StandinRow{Row{cluster, gvr, raw}, kinds[gvr]})
			}
		}
	}
	return out
}

// standIn is a client of a store that takes statements, and how many requests it made.
func standIn(t *testing.T, rows []StandinRow) (*Client, *atomic.Int64) {
	t.Helper()
	requests := new(atomic.Int64)
	standin := &Standin{Rows: func(Query) []StandinRow { return rows }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, err := standin.Answer(r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	c := client(t, server.URL, time.Minute)
	standin.Serve(c)
	return c, requests
}

// deaf is a client of a store that ignores statements.
func deaf(t *testing.T) *Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(list(row("kairship.a", "shop", "a"), row("kairship.a", "shop", "ab"))))
	}))
	t.Cleanup(server.Close)
	return client(t, server.URL, time.Minute)
}

func TestPagesComeInOrderAndLoseNothing(t *testing.T) {
	odd, err := labels.Parse("odd=true,app!=a-b")
	if err != nil {
		t.Fatal(err)
	}
	rows := fleet(t)
	c, _ := standIn(t, rows)
	for _, order := range []Order{ByName, ByCreated} {
		for _, descending := range []bool{false, true} {
			for name, where := range map[string]struct {
				of   []Condition
				rows int
			}{"all": {nil, 20}, "by label": {[]Condition{Labels(odd)}, 4}, "by name": {[]Condition{Names("a", "ab")}, 8}} {
				t.Run(fmt.Sprintf("%s %s descending %v", order, name, descending), func(t *testing.T) {
					q := Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"},
						Order: order, Descending: descending, Where: where.of, Limit: 3}
					got := pages(t, c, q)
					if len(got) != where.rows {
						t.Errorf("%d rows, want %d", len(got), where.rows)
					}
					if !slices.IsSortedFunc(got, q.compare) {
						t.Errorf("not in order: %v", got)
					}
				})
			}
		}
	}
}

func pages(t *testing.T, c *Client, q Query) []Position {
	t.Helper()
	var out []Position
	for range 100 {
		list, err := Fetch(t.Context(), c, q, decodeKey)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, list.Positions...)
		if !list.Full {
			return out
		}
		q.After = &list.Positions[len(list.Positions)-1]
	}
	t.Fatal("the pages do not end")
	return nil
}

func TestManyKindsClustersAndGroupsAreOneRequest(t *testing.T) {
	open, requests := standIn(t, fleet(t))
	count := func(of func()) int64 {
		before := requests.Load()
		of()
		return requests.Load() - before
	}
	q := Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"}, Limit: 4}
	if n := count(func() { _, _ = Fetch(t.Context(), open, q, decodeKey) }); n != 1 {
		t.Errorf("%d requests for a page, want 1", n)
	}
	q.Count = true
	if n := count(func() {
		if list, err := Fetch(t.Context(), open, q, decodeKey); err != nil || list.Total == nil || *list.Total != 20 {
			t.Errorf("%+v, %v; want 20 rows in all", list, err)
		}
	}); n != 2 {
		t.Errorf("%d requests for a page with its count, want 2", n)
	}
	groups := Query{Scope: everything(), Limit: 2}
	for _, app := range []string{"a", "a-b", "nobody"} {
		groups.Groups = append(groups.Groups, Group{deployments, "kairship.a", []Condition{LabelsContain(map[string]string{"app": app})}},
			Group{GVR: statefulSets, Cluster: "kairship.a-b"})
	}
	var lists []List[Key]
	if n := count(func() { lists, _ = FetchGroups(t.Context(), open, groups, decodeKey) }); n != 1 {
		t.Errorf("%d requests for six groups, want 1", n)
	}
	if len(lists) != 6 || len(lists[0].Rows) != 1 || len(lists[1].Rows) != 2 || !lists[1].Full || len(lists[4].Rows) != 0 {
		t.Errorf("got %+v", lists)
	}
}

func TestKeysOfSeveralKindsAreReadTogether(t *testing.T) {
	c, requests := standIn(t, fleet(t))
	keys := []Key{
		{"kairship.a", "shop", "a", deployments}, {"kairship.a-b", "shop", "a", statefulSets},
		{"kairship.a", "shop", "gone", deployments}, {"kairship.a", "shop", "a\x00", deployments},
	}
	want := map[Key]Key{}
	for _, k := range keys[:2] {
		want[k] = k
	}
	got, err := FetchKeys(t.Context(), c, Query{Scope: everything()}, keys, decodeKey)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || requests.Load() != 1 {
		t.Errorf("%v after %d requests: -want +got:\n%s", err, requests.Load(), diff)
	}
}

func TestKeysAreAskedForByTwoHundred(t *testing.T) {
	open, requests := standIn(t, nil)
	keys := make([]Key, 401)
	for i := range keys {
		keys[i] = Key{"kairship.a", "shop", fmt.Sprintf("app-%d", i), deployments}
	}
	if _, err := FetchKeys(t.Context(), open, Query{Scope: everything()}, keys, decodeKey); err != nil || requests.Load() != 3 {
		t.Errorf("%v after %d requests for 401 keys, want 3", err, requests.Load())
	}
}

// A store that was restarted with its gate closed is found out by what it answers, and what it gives is not shown.
func TestAClosedGateIsNoticedAndNothingIsRead(t *testing.T) {
	q := Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{NameContains("ab")}, Limit: 3}
	key := Key{"kairship.a", "shop", "ab", deployments}
	groups := Query{Scope: everything(), Limit: 1, Groups: []Group{{GVR: deployments, Cluster: "kairship.a", Where: []Condition{NameContains("ab")}}}}
	for name, read := range map[string]func(*Client) error{
		"a page": func(c *Client) error { _, err := Fetch(t.Context(), c, q, decodeKey); return err },
		"keys": func(c *Client) error {
			_, err := FetchKeys(t.Context(), c, Query{Scope: everything()}, []Key{key}, decodeKey)
			return err
		},
		"groups": func(c *Client) error { _, err := FetchGroups(t.Context(), c, groups, decodeKey); return err },
	} {
		t.Run(name, func(t *testing.T) {
			c := deaf(t)
			for range 2 { // the second time it is known
				var e *model.Error
				if err := read(c); !errors.As(err, &e) || e.Code != model.CodeUnavailable || !strings.Contains(e.Message, "AllowParameterizedSQLQuery=true") {
					t.Errorf("error %v, want UNAVAILABLE that says what to do", err)
				}
				if c.Gate() != GateClosed {
					t.Errorf("the gate is told to be %s", c.Gate())
				}
			}
			if n, err := Count(t.Context(), c, q); n != nil || err == nil {
				t.Errorf("%v rows were counted, %v", n, err)
			}
		})
	}
}

// A number does not show that it is of other rows than those that were asked for.
func TestNothingIsCountedBeforeTheGateIsKnown(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/namespaces") {
			_, _ = w.Write([]byte(list()))
			return
		}
		_, _ = w.Write([]byte(`{"metadata":{"remainingItemCount":41},"items":[` + row("kairship.a", "shop", "ab") + `]}`))
	}))
	t.Cleanup(server.Close)
	c := client(t, server.URL, time.Minute)
	c.Assume(unprobed)
	q := Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 1, Count: true}
	page, err := Fetch(t.Context(), c, q, decodeKey)
	if err != nil || len(page.Rows) != 1 || page.Total != nil {
		t.Errorf("page %+v, %v; want its row and no total", page, err)
	}
	if n, err := Count(t.Context(), c, q); n != nil || err != nil {
		t.Errorf("%v rows were counted, %v", n, err)
	}
}

func TestARowOfAnotherClusterOrKindIsAnError(t *testing.T) {
	for name, body := range map[string]string{
		"another cluster": list(row("kairship.prod", "shop", "a")),
		"another kind":    `{"resourceTypes":[{"group":"","version":"v1","kind":"Secret","resource":"secrets"}],"items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","annotations":{"shadow.clusterpedia.io/cluster-name":"kairship.a"}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			c, _ := serve(t, http.StatusOK, body)
			_, err := Fetch(t.Context(), c, Query{Scope: everything(), GVRs: one(deployments, jobs), Clusters: []string{"kairship.a", "kairship.b"}, Limit: 9}, decodeKey)
			var e *model.Error
			if !errors.As(err, &e) || e.Code != model.CodeUnavailable {
				t.Errorf("error %v, want UNAVAILABLE", err)
			}
		})
	}
}

// A statement that means more than its Go form is believed once it is known that the store takes it, but not about what
// may be seen.
func TestAnOpenGateIsNotTakenForAClosedOne(t *testing.T) {
	var probes atomic.Int32
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch where := r.URL.Query().Get("whereSQLStatement"); {
		case where == never:
			_, _ = w.Write([]byte(list()))
		case strings.HasSuffix(r.URL.Path, "/namespaces"):
			probes.Add(1)
			_, _ = w.Write([]byte(list(row("kairship.a", "", "shop"))))
		default:
			_, _ = w.Write([]byte(list(row("kairship.a", "shop", "ab"), row("kairship.a", "shop", "other"))))
		}
	}))
	t.Cleanup(server.Close)
	c := client(t, server.URL, time.Minute)
	q := Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{NameContains("ab")}, Limit: 3}
	got, err := Fetch(t.Context(), c, q, decodeKey)
	if err != nil || len(got.Rows) != 2 || c.Gate() != GateOpen || probes.Load() == 0 {
		t.Errorf("got %+v, %v; the gate is told to be %s after %d probes", got, err, c.Gate(), probes.Load())
	}
	q.Scope = roleIn(t, v1alpha1.RoleViewer, in("a", "pay"))
	if got, err := Fetch(t.Context(), c, q, decodeKey); err == nil {
		t.Errorf("somebody who sees another namespace reads %+v", got)
	}
}

// Whose rows are is told by the uids of what came along with them, whatever it is called.
func TestRowsBelongToTheirOwnersByUID(t *testing.T) {
	const cluster = "kairship.a"
	pods, replicaSets := schema.GroupVersionResource{Version: "v1", Resource: "pods"}, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}
	cronJobs := schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}
	of := func(kind string, gvr schema.GroupVersionResource, name, uid, owner string) StandinRow {
		raw := fmt.Sprintf(`{"metadata":{"namespace":"shop","name":%q,"uid":%q,"annotations":{%q:%q}`, name, uid, clusterAnnotation, cluster)
		if owner != "" {
			raw += fmt.Sprintf(`,"ownerReferences":[{"kind":"X","name":"by-hand","uid":%q,"controller":true}]`, owner)
		}
		return StandinRow{Row{cluster, gvr, []byte(raw + "}}")}, kind}
	}
	rows := []StandinRow{
		of("CronJob", cronJobs, "report", "c", ""), of("Job", jobs, "report-1", "j1", "c"), of("Pod", pods, "p1", "p1", "j1"),
		of("Job", jobs, "report-2", "j2", ""), of("Pod", pods, "p2", "p2", "j2"),
		of("Deployment", deployments, "web", "d", ""), of("ReplicaSet", replicaSets, "web-1", "r", "d"), of("ReplicaSet", replicaSets, "web-0", "r0", "d"),
		of("Pod", pods, "p3", "p3", "r"), of("Pod", pods, "p4", "p4", "gone"),
	}
	c, requests := standIn(t, rows)
	q := Query{Scope: everything(), Limit: 5}
	for _, where := range []Condition{
		OwnedByObjects(Key{cluster, "shop", "report", cronJobs}), OwnedByObjects(Key{cluster, "shop", "report-1", jobs}),
		OwnedByObjects(Key{cluster, "shop", "report-2", jobs}), OwnedByObjects(Key{cluster, "shop", "web", deployments}), Names("p1", "p4"),
	} {
		q.Groups = append(q.Groups, Group{GVR: pods, Cluster: cluster, Where: []Condition{where}})
	}
	lists, err := FetchGroups(t.Context(), c, q, decodeKey)
	if err != nil {
		t.Fatal(err)
	}
	var got [][]string
	for _, list := range lists {
		var names []string
		for _, k := range list.Rows {
			names = append(names, k.Name)
		}
		got = append(got, names)
	}
	if diff := cmp.Diff([][]string{{"p1"}, {"p1"}, {"p2"}, {"p3"}, {"p1", "p4"}}, got); diff != "" || requests.Load() != 1 {
		t.Errorf("%d requests, -want +got:\n%s", requests.Load(), diff)
	}
}
