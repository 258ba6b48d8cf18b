package kube

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestDecode(t *testing.T) {
	tests := map[string]struct {
		yaml  string
		names []string
		err   string
	}{
		"documents are read in order, empty ones skipped": {
			yaml:  "---\n# nothing\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: b}\n---\n---\napiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n",
			names: []string{"b", "a"},
		},
		"a document without a name says which": {
			yaml: "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n---\napiVersion: v1\nkind: Namespace\n",
			err:  "document 2 of x.yaml: it needs apiVersion, kind and metadata.name",
		},
		"what is no YAML says where": {yaml: "a: [", err: "document 1 of x.yaml"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			objects, err := Decode("x.yaml", []byte(tt.yaml))
			if tt.err != "" {
				if err == nil || !strings.Contains(err.Error(), tt.err) {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			var names []string
			for _, o := range objects {
				names = append(names, o.GetName())
			}
			if diff := cmp.Diff(tt.names, names); diff != "" {
				t.Errorf("names (-want +got):\n%s", diff)
			}
		})
	}
}

func TestWaitAsksUntilTheAnswerIsYes(t *testing.T) {
	n := 0
	err := Wait(t.Context(), time.Microsecond, "it", func(context.Context) (bool, string) { n++; return n == 3, "not yet" })
	if err != nil || n != 3 {
		t.Errorf("asked %d times, error %v", n, err)
	}
}

func TestWaitSaysWhyItGaveUp(t *testing.T) {
	ctx, cancel := context.WithTimeoutCause(t.Context(), time.Millisecond, errors.New("not ready after a moment"))
	defer cancel()
	err := Wait(ctx, time.Microsecond, "cluster tokyo", func(context.Context) (bool, string) { return false, "2 of 3 nodes" })
	if want := "waiting for cluster tokyo: not ready after a moment (2 of 3 nodes)"; err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

func TestCondition(t *testing.T) {
	o := Object(map[string]any{"apiVersion": "v1", "kind": "Cluster", "status": map[string]any{"conditions": []any{
		map[string]any{"type": "Ready", "status": "False", "message": "gone"},
	}}})
	status, message := Condition(o, "Ready")
	if status != "False" || message != "gone" {
		t.Errorf("Ready is %q (%q)", status, message)
	}
	if status, _ := Condition(o, "Joined"); status != "" {
		t.Errorf("a condition that is not there is %q", status)
	}
}

// server is an API server with one type and one answer to writing.
func server(t *testing.T, write http.HandlerFunc) *Client {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /api", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"kind":"APIVersions","versions":["v1"]}`))
	})
	mux.HandleFunc("GET /apis", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"kind":"APIGroupList","apiVersion":"v1","groups":[]}`))
	})
	mux.HandleFunc("GET /api/v1", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","kind":"ConfigMap","namespaced":true,"verbs":["patch"]}]}`))
	})
	mux.HandleFunc("PATCH /api/v1/namespaces/shop/configmaps/c", write)
	srv := httptest.NewServer(mux)
	t.Cleanup(srv.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	config := "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: '" + srv.URL + "'}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n"
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := Connect(path)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var configMap = Object(map[string]any{"apiVersion": "v1", "kind": "ConfigMap", "metadata": map[string]any{"namespace": "shop", "name": "c"}})

func status(w http.ResponseWriter, code int, reason, message string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	w.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"` + reason + `","message":"` + message + `"}`))
}

func TestApplyTriesAgainWhileAWebhookComesUp(t *testing.T) {
	var calls atomic.Int32
	c := server(t, func(w http.ResponseWriter, r *http.Request) {
		if calls.Add(1) < 3 {
			status(w, http.StatusInternalServerError, "InternalError", "failed calling webhook")
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Write([]byte(`{"apiVersion":"v1","kind":"ConfigMap","metadata":{"namespace":"shop","name":"c"}}`))
	})
	if err := c.Apply(t.Context(), configMap); err != nil {
		t.Fatal(err)
	}
	if calls.Load() != 3 {
		t.Errorf("the server was asked %d times, want 3", calls.Load())
	}
}

func TestApplyDoesNotRepeatWhatTheServerRefuses(t *testing.T) {
	var calls atomic.Int32
	c := server(t, func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		status(w, http.StatusUnprocessableEntity, "Invalid", "spec.size is wrong")
	})
	err := c.Apply(t.Context(), configMap)
	if err == nil || !strings.Contains(err.Error(), "ConfigMap shop/c") || !strings.Contains(err.Error(), "spec.size is wrong") {
		t.Errorf("error %v, want the object and the server's words", err)
	}
	if calls.Load() != 1 {
		t.Errorf("the server was asked %d times, want once", calls.Load())
	}
}
