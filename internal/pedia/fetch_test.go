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
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime/schema"

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

// open is a client of a store that takes statements, and closed one of a store that does not; both count.
func openAndClosed(t *testing.T, rows []StandinRow) (open, closed *Client, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
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
	open = client(t, server.URL, time.Minute)
	standin.Serve(open)

	deaf := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		_, _ = w.Write(withoutSQL(t, r, rows))
	}))
	t.Cleanup(deaf.Close)
	closed = client(t, deaf.URL, time.Minute)
	closed.Assume(Features{Gate: GateClosed, ByBytes: Unknown})
	return open, closed, requests
}

// withoutSQL answers as a store with its gate closed does: by kinds, clusters, namespaces, names, order,
// offset and limit.
func withoutSQL(t *testing.T, r *http.Request, rows []StandinRow) []byte {
	t.Helper()
	v := r.URL.Query()
	q := Query{Clusters: strings.Split(v.Get("clusters"), ","), Order: ByName, Descending: strings.Contains(v.Get("orderby"), " desc")}
	if strings.HasPrefix(v.Get("orderby"), "created_at") {
		q.Order = ByCreated
	}
	for _, gvr := range one(deployments, statefulSets) {
		if strings.HasSuffix(r.URL.Path, "/"+gvr.Resource) || strings.Contains(v.Get("resources"), gvr.Resource) {
			q.GVRs = append(q.GVRs, gvr)
		}
	}
	if names := v.Get("names"); names != "" {
		q.Where = append(q.Where, Names(strings.Split(names, ",")...))
	}
	picked := q.pick(rows)
	offset, _ := strconv.Atoi(v.Get("continue"))
	limit, err := strconv.Atoi(v.Get("limit"))
	if err != nil {
		t.Error(err)
	}
	from := min(offset, len(picked))
	to := min(from+limit, len(picked))
	body, err := encodeAnswer(q, picked[from:to], len(picked)-to, v.Get("withRemainingCount") == "true")
	if err != nil {
		t.Error(err)
	}
	return body
}

func TestPagesAreTheSameWithStatementsAndWithout(t *testing.T) {
	odd, err := labels.Parse("odd=true,app!=a-b")
	if err != nil {
		t.Fatal(err)
	}
	open, closed, _ := openAndClosed(t, fleet(t))
	for _, order := range []Order{ByName, ByCreated} {
		for _, descending := range []bool{false, true} {
			for name, where := range map[string][]Condition{"all": nil, "by label": {Labels(odd)}, "by name": {Names("a", "ab")}} {
				t.Run(fmt.Sprintf("%s %s descending %v", order, name, descending), func(t *testing.T) {
					q := Query{Scope: everything(), GVRs: one(statefulSets, deployments), Clusters: []string{"kairship.a", "kairship.a-b"},
						Order: order, Descending: descending, Where: where, Limit: 3}
					a, b := pages(t, open, q), pages(t, closed, q)
					if diff := cmp.Diff(a, b); diff != "" || len(a) == 0 {
						t.Errorf("%d rows: -open +closed:\n%s", len(a), diff)
					}
					if !slices.IsSortedFunc(a, q.compare) {
						t.Errorf("not in order: %v", a)
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
	open, closed, requests := openAndClosed(t, fleet(t))
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
	var byOpen, byClosed []List[Key]
	if n := count(func() { byOpen, _ = FetchGroups(t.Context(), open, groups, decodeKey) }); n != 1 {
		t.Errorf("%d requests for six groups, want 1", n)
	}
	byClosed, err := FetchGroups(t.Context(), closed, groups, decodeKey)
	if diff := cmp.Diff(byOpen, byClosed, cmpopts.EquateEmpty()); err != nil || diff != "" {
		t.Errorf("%v: -open +closed:\n%s", err, diff)
	}
	if len(byOpen) != 6 || len(byOpen[0].Rows) != 1 || len(byOpen[1].Rows) != 2 || !byOpen[1].Full || len(byOpen[4].Rows) != 0 {
		t.Errorf("got %+v", byOpen)
	}
}

func TestKeysOfSeveralKindsAreReadTogether(t *testing.T) {
	open, closed, requests := openAndClosed(t, fleet(t))
	keys := []Key{
		{"kairship.a", "shop", "a", deployments}, {"kairship.a-b", "shop", "a", statefulSets},
		{"kairship.a", "shop", "gone", deployments}, {"kairship.a", "shop", "a\x00", deployments},
	}
	want := map[Key]Key{}
	for _, k := range keys[:2] {
		want[k] = k
	}
	for name, c := range map[string]*Client{"with statements": open, "without": closed} {
		before := requests.Load()
		got, err := FetchKeys(t.Context(), c, Query{Scope: everything()}, keys, decodeKey)
		if diff := cmp.Diff(want, got); err != nil || diff != "" || requests.Load()-before != 1 {
			t.Errorf("%s: %v after %d requests: -want +got:\n%s", name, err, requests.Load()-before, diff)
		}
	}
}

func TestKeysAreAskedForByTwoHundred(t *testing.T) {
	open, _, requests := openAndClosed(t, nil)
	keys := make([]Key, 401)
	for i := range keys {
		keys[i] = Key{"kairship.a", "shop", fmt.Sprintf("app-%d", i), deployments}
	}
	if _, err := FetchKeys(t.Context(), open, Query{Scope: everything()}, keys, decodeKey); err != nil || requests.Load() != 3 {
		t.Errorf("%v after %d requests for 401 keys, want 3", err, requests.Load())
	}
}

// A store that was restarted with its gate closed is found out by what it answers.
func TestAClosedGateIsNoticedAndLivedWith(t *testing.T) {
	_, closed, _ := openAndClosed(t, fleet(t))
	closed.Assume(Features{Gate: GateOpen, ByBytes: Yes})
	q := Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{LabelIn("app", "ab")}, Limit: 3}
	got, err := Fetch(t.Context(), closed, q, decodeKey)
	if err != nil || len(got.Rows) != 1 || got.Rows[0].Name != "ab" || closed.Gate() == GateOpen {
		t.Errorf("got %+v, %v; the gate is told to be %s", got, err, closed.Gate())
	}
}

func TestAScanEndsSomewhere(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		offset, _ := strconv.Atoi(r.URL.Query().Get("continue"))
		rows := make([]string, scanPage)
		for i := range rows {
			rows[i] = row("kairship.a", "shop", fmt.Sprintf("app-%06d", offset+i))
		}
		_, _ = w.Write([]byte(list(rows...)))
	}))
	t.Cleanup(server.Close)
	c := client(t, server.URL, time.Minute)
	c.Assume(Features{Gate: GateClosed, ByBytes: Unknown})
	_, err := Fetch(t.Context(), c, Query{Scope: everything(), GVRs: one(deployments), Clusters: []string{"kairship.a"}, Where: []Condition{NameContains("nothing")}, Limit: 1}, decodeKey)
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeLimitExceeded || !strings.Contains(e.Message, "AllowParameterizedSQLQuery") {
		t.Errorf("error %v, want LIMIT_EXCEEDED that says what would help", err)
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

// One answer with a row too many, as of a statement that means more than its Go form, is read again row by
// row; the store is not taken for one without a gate.
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
	if err != nil || len(got.Rows) != 1 || c.Gate() != GateOpen || probes.Load() == 0 {
		t.Errorf("got %+v, %v; the gate is told to be %s after %d probes", got, err, c.Gate(), probes.Load())
	}
}

// Pods whose owner has a name of its own, or one that two objects could have given it, belong to whom the store
// says.
func TestRowsThatNamesDoNotTellAreAskedForByGroup(t *testing.T) {
	cronJobs, jobs := schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "cronjobs"}, schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}
	cases := []struct {
		name, owner string
		tops        []Key
	}{
		{"a name of its own", "by-hand", []Key{{"kairship.a", "shop", "report", cronJobs}, {"kairship.a", "shop", "cleanup", cronJobs}}},
		{"a name of two", "report-1", []Key{{"kairship.a", "shop", "report", cronJobs}, {"kairship.a", "shop", "report-1", jobs}}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			job := `{"metadata":{"namespace":"shop","name":"x1","annotations":{"shadow.clusterpedia.io/cluster-name":"kairship.a"},
				"ownerReferences":[{"kind":"Job","name":"` + c.owner + `","uid":"j","controller":true}]}}`
			var asked atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				if asked.Add(1) == 3 { // one of the groups, by itself
					_, _ = w.Write([]byte(list()))
					return
				}
				_, _ = w.Write([]byte(list(job)))
			}))
			t.Cleanup(server.Close)
			store := client(t, server.URL, time.Minute)
			q := Query{Scope: everything(), Limit: 5}
			for _, top := range c.tops {
				q.Groups = append(q.Groups, Group{GVR: schema.GroupVersionResource{Version: "v1", Resource: "pods"}, Cluster: "kairship.a", Where: []Condition{OwnedByObjects(top)}})
			}
			lists, err := FetchGroups(t.Context(), store, q, decodeKey)
			if err != nil || asked.Load() != 3 || len(lists[0].Rows)+len(lists[1].Rows) != 1 || store.Gate() != GateOpen {
				t.Errorf("lists %+v after %d requests: %v", lists, asked.Load(), err)
			}
		})
	}
}
