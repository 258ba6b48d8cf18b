package pedia

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/model"
)

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// everything is the scope of an administrator.
func everything() access.Scope {
	return access.NewAuthorizer([]string{"g"}).Scope(access.Principal{Name: "a", Groups: []string{"g"}})
}

// serve answers every request with a status and body, and tells what was asked.
func serve(t *testing.T, status int, body string) (*Client, *[]*url.URL) {
	t.Helper()
	var asked []*url.URL
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL)
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return client(t, server.URL, time.Minute), &asked
}

func client(t *testing.T, host string, timeout time.Duration) *Client {
	t.Helper()
	c, err := New(&rest.Config{Host: host}, timeout)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func row(cluster, namespace, name string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":%q,"name":%q,"annotations":{"shadow.clusterpedia.io/cluster-name":%q}}}`, namespace, name, cluster)
}

func list(rows ...string) string { return `{"items":[` + strings.Join(rows, ",") + `]}` }

// decodeKey is a decoder that keeps only where a row stands.
func decodeKey(cluster string, raw []byte) (Key, Key, error) {
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	err := json.Unmarshal(raw, &o)
	k := Key{cluster, o.Metadata.Namespace, o.Metadata.Name}
	return k, k, err
}

func TestQueryParameters(t *testing.T) {
	for _, c := range []struct {
		name  string
		query Query
		want  url.Values
	}{
		{
			"a first page asks for an order and a limit",
			Query{GVR: deployments, Clusters: []string{"kairship.asia"}, Limit: 51, Count: true},
			url.Values{"clusters": {"kairship.asia"}, "limit": {"51"}, "orderby": {"cluster,namespace,name"}, "withRemainingCount": {"true"}},
		},
		{
			"a cursor and a name reach SQL as parameters",
			Query{GVR: deployments, Clusters: []string{"kairship.asia"}, Limit: 1, After: &Key{"kairship.asia", "shop", "x' OR '1'='1"}, NameContains: "50%_"},
			url.Values{
				"clusters": {"kairship.asia"}, "limit": {"1"}, "orderby": {"cluster,namespace,name"},
				"whereSQLStatement":  {"(cluster,namespace,name) > (?,?,?) AND name LIKE ?"},
				"whereSQLJSONParams": {"WyJrYWlyc2hpcC5hc2lhIiwic2hvcCIsIngnIE9SICcxJz0nMSIsIiU1MFxcJVxcXyUiXQ=="},
			},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := c.query.values()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestAnEmptyScopeMakesNoRequest(t *testing.T) {
	c, asked := serve(t, http.StatusOK, list())
	_, err := Fetch(t.Context(), c, Query{GVR: deployments, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
	if !errors.Is(err, access.ErrForbidden) || len(*asked) != 0 {
		t.Errorf("error %v after %d requests", err, len(*asked))
	}
}

func TestRowsThatWereNotAskedForAreNoticed(t *testing.T) {
	asia := []string{"kairship.asia"}
	for _, c := range []struct {
		name  string
		query Query
		rows  string
		want  error
	}{
		{"a row before the cursor: the store ignores conditions", Query{Clusters: asia, After: &Key{"kairship.asia", "shop", "m"}}, row("kairship.asia", "shop", "a"), errGate},
		{"the row at the cursor", Query{Clusters: asia, After: &Key{"kairship.asia", "shop", "m"}}, row("kairship.asia", "shop", "m"), errGate},
		{"the row at the cursor, when it is wanted", Query{Clusters: asia, After: &Key{"kairship.asia", "shop", "m"}, Inclusive: true}, row("kairship.asia", "shop", "m"), nil},
		{"a name that does not contain what was asked for", Query{Clusters: asia, NameContains: "cart"}, row("kairship.asia", "shop", "a"), errGate},
		{"a row of a cluster that was not asked for", Query{Clusters: []string{"kairship.asia", "kairship.europe"}}, row("kairship.prod", "shop", "a"), &model.Error{Code: model.CodeUnavailable}},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _ := serve(t, http.StatusOK, list(c.rows))
			c.query.Scope, c.query.GVR, c.query.Limit = everything(), deployments, 10
			_, err := Fetch(t.Context(), client, c.query, decodeKey)
			var got, want *model.Error
			if errors.As(err, &got) != errors.As(c.want, &want) || got != nil && got.Code != want.Code {
				t.Errorf("error %v, want %v", err, c.want)
			}
		})
	}
}

func TestFetchKeysLeavesTheSurplusOfTheProductOut(t *testing.T) {
	c, asked := serve(t, http.StatusOK, list(row("kairship.asia", "shop", "a"), row("kairship.asia", "shop", "b"), row("kairship.asia", "pay", "a")))
	got, err := FetchKeys(t.Context(), c, Query{Scope: everything(), GVR: deployments},
		[]Key{{"kairship.asia", "shop", "a"}, {"kairship.asia", "pay", "b"}}, decodeKey)
	if err != nil {
		t.Fatal(err)
	}
	want := map[Key]Key{{"kairship.asia", "shop", "a"}: {"kairship.asia", "shop", "a"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	q := (*asked)[0].Query()
	if q.Get("namespaces") != "pay,shop" || q.Get("names") != "a,b" || q.Get("whereSQLStatement") != "(cluster,namespace,name) IN ?" {
		t.Errorf("asked for %v", q)
	}
}

func TestFetchKeysAsksForTwoHundredAtATime(t *testing.T) {
	c, asked := serve(t, http.StatusOK, list())
	keys := make([]Key, 401)
	for i := range keys {
		keys[i] = Key{"kairship.asia", "shop", fmt.Sprintf("app-%d", i)}
	}
	if _, err := FetchKeys(t.Context(), c, Query{Scope: everything(), GVR: deployments}, keys, decodeKey); err != nil {
		t.Fatal(err)
	}
	if len(*asked) != 3 {
		t.Errorf("%d requests for 401 keys, want 3", len(*asked))
	}
}

func TestErrorsSayWhatAFailedRequestMeans(t *testing.T) {
	for _, c := range []struct {
		name   string
		status int
		want   model.Code
	}{
		{"a kind that is not synced", http.StatusNotFound, model.CodeNotSynced},
		{"a cluster that is not known", http.StatusBadRequest, model.CodeNotSynced},
		{"a store that is starting", http.StatusServiceUnavailable, model.CodeUnavailable},
		{"a credential that is refused", http.StatusForbidden, model.CodeUnavailable},
		{"a failure inside", http.StatusInternalServerError, model.CodeUnavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			client, _ := serve(t, c.status, `{"kind":"Status","message":"secret detail"}`)
			_, err := Fetch(t.Context(), client, Query{Scope: everything(), GVR: deployments, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
			var e *model.Error
			if !errors.As(err, &e) || e.Code != c.want || e.Instance != "asia" || strings.Contains(e.Message, "secret") {
				t.Errorf("error %+v, want %s", e, c.want)
			}
		})
	}
}

func TestAStoreThatHangsIsATimeout(t *testing.T) {
	release := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-release }))
	defer server.Close()
	defer close(release)
	c := client(t, server.URL, 50*time.Millisecond)
	_, err := Fetch(t.Context(), c, Query{Scope: everything(), GVR: deployments, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeTimeout || !e.Retryable {
		t.Errorf("error %v, want TIMEOUT", err)
	}
}

func TestTheGateIsFoundOut(t *testing.T) {
	for _, c := range []struct {
		name string
		rows func(where string) string
		want Gate
	}{
		{"open: a condition that nothing meets gives nothing", func(where string) string {
			if where == "name <> name" {
				return list()
			}
			return list(row("x", "", "default"))
		}, GateOpen},
		{"closed: it gives rows all the same", func(string) string { return list(row("x", "", "default")) }, GateClosed},
		{"unknown: there are no rows at all", func(string) string { return list() }, GateUnknown},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				_, _ = w.Write([]byte(c.rows(r.URL.Query().Get("whereSQLStatement"))))
			}))
			defer server.Close()
			if got := client(t, server.URL, time.Minute).probeGate(context.Background()); got != c.want {
				t.Errorf("the gate is %s, want %s", got, c.want)
			}
		})
	}
}

func TestNamesOfVirtualClustersCannotCollide(t *testing.T) {
	names := []string{Cluster("prod", ""), Cluster("prod", "eu"), Cluster("prod-eu", ""), Cluster("prod", "eu.west")}
	if len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
		t.Errorf("names collide: %v", names)
	}
	for _, name := range names {
		instance, cluster, ok := ParseCluster(name)
		if !ok || Cluster(instance, cluster) != name {
			t.Errorf("%s was read as instance %q, cluster %q", name, instance, cluster)
		}
	}
	if _, _, ok := ParseCluster("somebody-elses"); ok {
		t.Error("a foreign PediaCluster was taken for Kairship's")
	}
}
