package pedia_test

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

	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/testing/pediatest"
)

// fleet is rows of two kinds in two clusters, with ties and signs in names.
func fleet(t *testing.T) []pediatest.Row {
	t.Helper()
	var out []pediatest.Row
	kinds := map[schema.GroupVersionResource]string{deployments: "Deployment", statefulSets: "StatefulSet"}
	for c, cluster := range []string{"kairship.a", "kairship.a-b"} {
		for _, gvr := range one(deployments, statefulSets) {
			for i, name := range []string{"a", "a-b", "a.b", "a0", "ab"} {
				raw, err := json.Marshal(map[string]any{"metadata": map[string]any{
					"namespace": "shop", "name": name, "uid": fmt.Sprint(cluster, gvr.Resource, name), "labels": map[string]string{"app": name, "odd": strconv.FormatBool(i%2 == 1)},
					"creationTimestamp": fmt.Sprintf("2026-01-01T00:00:0%dZ", (i+c)%3), "annotations": map[string]string{"shadow.clusterpedia.io/cluster-name": cluster},
				}})
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: gvr, Raw: raw}, Kind: kinds[gvr]})
			}
		}
	}
	return out
}

// standIn is a client of a store that takes statements, and how many requests it made.
func standIn(t *testing.T, rows []pediatest.Row) (*pedia.Client, *atomic.Int64) {
	t.Helper()
	requests := new(atomic.Int64)
	standin := &pediatest.Standin{Rows: func(sql.Query) []pediatest.Row { return rows }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, err := standin.Answer(r)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.Write(body)
	}))
	t.Cleanup(server.Close)
	c, err := standin.Client(&rest.Config{Host: server.URL}, time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	return c, requests
}

// deaf is a client of a store that ignores statements.
func deaf(t *testing.T) *pedia.Client {
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
	for _, order := range []sql.Order{sql.ByName, sql.ByCreated} {
		for _, descending := range []bool{false, true} {
			for name, where := range map[string]struct {
				of   []sql.Condition
				rows int
			}{"all": {nil, 20}, "by label": {[]sql.Condition{sql.Labels(odd)}, 4}, "by name": {[]sql.Condition{sql.Names("a", "ab")}, 8}} {
				t.Run(fmt.Sprintf("%s %s descending %v", order, name, descending), func(t *testing.T) {
					q := sql.Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"},
						Order: order, Descending: descending, Where: where.of, Limit: 3}
					got := pages(t, c, q)
					if len(got) != where.rows {
						t.Errorf("%d rows, want %d", len(got), where.rows)
					}
					if !slices.IsSortedFunc(got, q.Compare) {
						t.Errorf("not in order: %v", got)
					}
				})
			}
		}
	}
}

func pages(t *testing.T, c *pedia.Client, q sql.Query) []sql.Position {
	t.Helper()
	var out []sql.Position
	for range 100 {
		list, err := pedia.Fetch(t.Context(), c, q, decodeKey)
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
	q := sql.Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"}, Limit: 4}
	if n := count(func() { _, _ = pedia.Fetch(t.Context(), open, q, decodeKey) }); n != 1 {
		t.Errorf("%d requests for a page, want 1", n)
	}
	q.Count = true
	if n := count(func() {
		if list, err := pedia.Fetch(t.Context(), open, q, decodeKey); err != nil || list.Total == nil || *list.Total != 20 {
			t.Errorf("%+v, %v; want 20 rows in all", list, err)
		}
	}); n != 2 {
		t.Errorf("%d requests for a page with its count, want 2", n)
	}
	groups := sql.Query{Scope: everything(), Limit: 2}
	for _, app := range []string{"a", "a-b", "nobody"} {
		groups.Groups = append(groups.Groups, sql.Group{GVR: deployments, Cluster: "kairship.a", Where: []sql.Condition{sql.LabelsContain(map[string]string{"app": app})}},
			sql.Group{GVR: statefulSets, Cluster: "kairship.a-b"})
	}
	var lists []pedia.List[sql.Key]
	if n := count(func() { lists, _ = pedia.FetchGroups(t.Context(), open, groups, decodeKey) }); n != 1 {
		t.Errorf("%d requests for six groups, want 1", n)
	}
	if len(lists) != 6 || len(lists[0].Rows) != 1 || len(lists[1].Rows) != 2 || !lists[1].Full || len(lists[4].Rows) != 0 {
		t.Errorf("got %+v", lists)
	}
}

func TestKeysOfSeveralKindsAreReadTogether(t *testing.T) {
	c, requests := standIn(t, fleet(t))
	keys := []sql.Key{
		{Cluster: "kairship.a", Namespace: "shop", Name: "a", GVR: deployments}, {Cluster: "kairship.a-b", Namespace: "shop", Name: "a", GVR: statefulSets},
		{Cluster: "kairship.a", Namespace: "shop", Name: "gone", GVR: deployments}, {Cluster: "kairship.a", Namespace: "shop", Name: "a\x00", GVR: deployments},
	}
	want := map[sql.Key]sql.Key{}
	for _, k := range keys[:2] {
		want[k] = k
	}
	got, err := pedia.FetchKeys(t.Context(), c, sql.Query{Scope: everything()}, keys, decodeKey)
	if diff := cmp.Diff(want, got); err != nil || diff != "" || requests.Load() != 1 {
		t.Errorf("%v after %d requests: -want +got:\n%s", err, requests.Load(), diff)
	}
}

func TestKeysAreAskedForByTwoHundred(t *testing.T) {
	open, requests := standIn(t, nil)
	keys := make([]sql.Key, 401)
	for i := range keys {
		keys[i] = sql.Key{Cluster: "kairship.a", Namespace: "shop", Name: fmt.Sprintf("app-%d", i), GVR: deployments}
	}
	if _, err := pedia.FetchKeys(t.Context(), open, sql.Query{Scope: everything()}, keys, decodeKey); err != nil || requests.Load() != 3 {
		t.Errorf("%v after %d requests for 401 keys, want 3", err, requests.Load())
	}
}

// A store that was restarted with its gate closed is found out by what it answers, and what it gives is not shown.
func TestAClosedGateIsNoticedAndNothingIsRead(t *testing.T) {
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []sql.Condition{sql.NameContains("ab")}, Limit: 3}
	key := sql.Key{Cluster: "kairship.a", Namespace: "shop", Name: "ab", GVR: deployments}
	groups := sql.Query{Scope: everything(), Limit: 1, Groups: []sql.Group{{GVR: deployments, Cluster: "kairship.a", Where: []sql.Condition{sql.NameContains("ab")}}}}
	for name, read := range map[string]func(*pedia.Client) error{
		"a page": func(c *pedia.Client) error { _, err := pedia.Fetch(t.Context(), c, q, decodeKey); return err },
		"keys": func(c *pedia.Client) error {
			_, err := pedia.FetchKeys(t.Context(), c, sql.Query{Scope: everything()}, []sql.Key{key}, decodeKey)
			return err
		},
		"groups": func(c *pedia.Client) error {
			_, err := pedia.FetchGroups(t.Context(), c, groups, decodeKey)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			c := deaf(t)
			for range 2 { // the second time it is known
				var e *model.Error
				if err := read(c); !errors.As(err, &e) || e.Code != model.CodeUnavailable || !strings.Contains(e.Message, "AllowParameterizedSQLQuery=true") {
					t.Errorf("error %v, want UNAVAILABLE that says what to do", err)
				}
				if c.Gate() != pedia.GateClosed {
					t.Errorf("the gate is told to be %s", c.Gate())
				}
			}
			if n, err := pedia.Count(t.Context(), c, q); n != nil || err == nil {
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
	c.Assume(pedia.Features{Gate: pedia.GateUnknown, ByBytes: pedia.Unknown, Pack: pedia.Unknown})
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Limit: 1, Count: true}
	page, err := pedia.Fetch(t.Context(), c, q, decodeKey)
	if err != nil || len(page.Rows) != 1 || page.Total != nil {
		t.Errorf("page %+v, %v; want its row and no total", page, err)
	}
	if n, err := pedia.Count(t.Context(), c, q); n != nil || err != nil {
		t.Errorf("%v rows were counted, %v", n, err)
	}
}

func TestARowOfAnotherClusterOrKindIsAnError(t *testing.T) {
	for name, body := range map[string]string{
		"another cluster": list(row("kairship.prod", "shop", "a")),
		"another kind":    `{"resourceTypes":[{"group":"","version":"v1","kind":"Secret","resource":"secrets"}],"items":[{"apiVersion":"v1","kind":"Secret","metadata":{"name":"a","annotations":{"shadow.clusterpedia.io/cluster-name":"kairship.a"}}}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(body)) }))
			t.Cleanup(server.Close)
			c := client(t, server.URL, time.Minute)
			_, err := pedia.Fetch(t.Context(), c, sql.Query{Scope: everything(), GVRs: one(deployments, jobs), Clusters: []string{"kairship.a", "kairship.b"}, Limit: 9}, decodeKey)
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
		case where == "name <> name": // the probe
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
	q := sql.Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []sql.Condition{sql.NameContains("ab")}, Limit: 3}
	got, err := pedia.Fetch(t.Context(), c, q, decodeKey)
	if err != nil || len(got.Rows) != 2 || c.Gate() != pedia.GateOpen || probes.Load() == 0 {
		t.Errorf("got %+v, %v; the gate is told to be %s after %d probes", got, err, c.Gate(), probes.Load())
	}
	q.Scope = roleIn(t, v1alpha1.RoleViewer, in("a", "pay"))
	if got, err := pedia.Fetch(t.Context(), c, q, decodeKey); err == nil {
		t.Errorf("somebody who sees another namespace reads %+v", got)
	}
}

// Whose rows are is told by uids, also where rows are asked for by something else in the same request: p5 names a Job that
// was made anew since.
func TestRowsBelongToTheirOwnersByUID(t *testing.T) {
	const cluster = "kairship.a"
	pods, replicaSets := schema.GroupVersionResource{Version: "v1", Resource: "pods"}, schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "replicasets"}
	cronJobs := schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}
	// of is a row whose owner is given as apiVersion, kind, name and uid.
	of := func(kind string, gvr schema.GroupVersionResource, name, uid string, owner ...string) pediatest.Row {
		raw := fmt.Sprintf(`{"metadata":{"namespace":"shop","name":%q,"uid":%q,"annotations":{%q:%q}`, name, uid, "shadow.clusterpedia.io/cluster-name", cluster)
		if owner != nil {
			raw += fmt.Sprintf(`,"ownerReferences":[{"apiVersion":%q,"kind":%q,"name":%q,"uid":%q,"controller":true}]`, owner[0], owner[1], owner[2], owner[3])
		}
		return pediatest.Row{Row: sql.Row{Cluster: cluster, GVR: gvr, Raw: []byte(raw + "}}")}, Kind: kind}
	}
	rows := []pediatest.Row{
		of("CronJob", cronJobs, "report", "c"), of("Job", jobs, "report-1", "j1", "batch/v1", "CronJob", "report", "c"),
		of("Pod", pods, "p1", "p1", "batch/v1", "Job", "report-1", "j1"),
		of("Job", jobs, "report-2", "j2"), of("Pod", pods, "p2", "p2", "batch/v1", "Job", "report-2", "j2"),
		of("Deployment", deployments, "web", "d"), of("ReplicaSet", replicaSets, "by-hand", "r", "apps/v1", "Deployment", "web", "d"),
		of("Pod", pods, "p3", "p3", "apps/v1", "ReplicaSet", "by-hand", "r"), of("Pod", pods, "p4", "p4", "apps/v1", "ReplicaSet", "web-0", "gone"),
		of("Pod", pods, "p5", "p5", "batch/v1", "Job", "report-2", "before"),
	}
	var owned []sql.Group
	names := []string{"report", "report-1", "report-2", "web", "by name"}
	for i, gvr := range one(cronJobs, jobs, jobs, deployments) {
		owned = append(owned, sql.Group{GVR: pods, Cluster: cluster, Where: []sql.Condition{sql.OwnedByObjects(sql.Key{Cluster: cluster, Namespace: "shop", Name: names[i], GVR: gvr})}})
	}
	want := [][]string{{"p1"}, {"p1"}, {"p2"}, {"p3"}, {"p1", "p4", "p5"}}
	for name, others := range map[string][]sql.Group{
		"pods of owners alone":  nil,
		"others by their names": {{GVR: pods, Cluster: cluster, Where: []sql.Condition{sql.Names("p1", "p4", "p5")}}},
	} {
		t.Run(name, func(t *testing.T) {
			c, requests := standIn(t, rows)
			q := sql.Query{Scope: everything(), Limit: 5, Groups: slices.Concat(owned, others)}
			lists, err := pedia.FetchGroups(t.Context(), c, q, decodeKey)
			if err != nil {
				t.Fatal(err)
			}
			for i := range q.Groups {
				var got []string
				for _, k := range lists[i].Rows {
					got = append(got, k.Name)
				}
				if diff := cmp.Diff(want[i], got); diff != "" {
					t.Errorf("%s: -want +got:\n%s", names[i], diff)
				}
			}
			if requests.Load() != 1 {
				t.Errorf("%d requests, want 1", requests.Load())
			}
		})
	}
}
