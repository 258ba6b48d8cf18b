package pedia

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/pedia/sql"
	"github.com/kairship-io/kairship/internal/rbac"
)

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// everything is the scope of an administrator.
func everything() rbac.Scope {
	return rbac.NewAuthorizer([]string{"g"}).Scope(auth.Principal{Name: "a", Groups: []string{"g"}})
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
	api, err := NewAPI(&rest.Config{Host: host}, timeout)
	if err != nil {
		t.Fatal(err)
	}
	c := NewClient(api)
	c.Assume(Features{Gate: GateOpen, ByBytes: Yes, Pack: Yes})
	return c
}

// apiOf is the executor of a client that reads through Clusterpedia's API.
func apiOf(c *Client) *API { return c.sources[0].executor.(*API) }

func row(cluster, namespace, name string) string {
	return fmt.Sprintf(`{"metadata":{"namespace":%q,"name":%q,"annotations":{"shadow.clusterpedia.io/cluster-name":%q}}}`, namespace, name, cluster)
}

func list(rows ...string) string { return `{"items":[` + strings.Join(rows, ",") + `]}` }

// decodeKey is a decoder that keeps only where a row stands.
func decodeKey(r sql.Row) (sql.Key, sql.Key, error) {
	var o struct {
		Metadata struct{ Namespace, Name string }
	}
	err := json.Unmarshal(r.Raw, &o)
	k := sql.Key{Cluster: r.Cluster, Namespace: o.Metadata.Namespace, Name: o.Metadata.Name, GVR: r.GVR}
	return k, k, err
}

func TestAnEmptyScopeMakesNoRequest(t *testing.T) {
	c, asked := serve(t, http.StatusOK, list())
	_, err := Fetch(t.Context(), c, sql.Query{GVRs: []schema.GroupVersionResource{deployments}, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
	if !errors.Is(err, rbac.ErrForbidden) || len(*asked) != 0 {
		t.Errorf("error %v after %d requests", err, len(*asked))
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
			_, err := Fetch(t.Context(), client, sql.Query{Scope: everything(), GVRs: []schema.GroupVersionResource{deployments}, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
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
	_, err := Fetch(t.Context(), c, sql.Query{Scope: everything(), GVRs: []schema.GroupVersionResource{deployments}, Clusters: []string{"kairship.asia"}, Limit: 1}, decodeKey)
	var e *model.Error
	if !errors.As(err, &e) || e.Code != model.CodeTimeout || !e.Retryable {
		t.Errorf("error %v, want TIMEOUT", err)
	}
}
