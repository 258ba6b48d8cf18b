package bootstrap

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/kairship-io/kairship/playground/internal/kube"
)

// apiServer holds objects by path and notes what is done to them.
type apiServer struct {
	mu      sync.Mutex
	objects map[string]*unstructured.Unstructured
	log     []string
}

var resourceLists = map[string]string{
	"/api":           `{"kind":"APIVersions","versions":["v1"]}`,
	"/apis":          `{"kind":"APIGroupList","apiVersion":"v1","groups":[{"name":"batch","versions":[{"groupVersion":"batch/v1","version":"v1"}],"preferredVersion":{"groupVersion":"batch/v1","version":"v1"}}]}`,
	"/api/v1":        `{"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"configmaps","kind":"ConfigMap","namespaced":true,"verbs":["get"]},{"name":"secrets","kind":"Secret","namespaced":true,"verbs":["get"]}]}`,
	"/apis/batch/v1": `{"kind":"APIResourceList","groupVersion":"batch/v1","resources":[{"name":"jobs","kind":"Job","namespaced":true,"verbs":["get"]}]}`,
}

func (a *apiServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	a.mu.Lock()
	defer a.mu.Unlock()
	w.Header().Set("Content-Type", "application/json")
	if list, ok := resourceLists[r.URL.Path]; ok {
		fmt.Fprint(w, list)
		return
	}
	if r.Method != http.MethodGet {
		a.log = append(a.log, r.Method+" "+filepath.Base(r.URL.Path))
	}
	switch r.Method {
	case http.MethodPatch:
		o := &unstructured.Unstructured{}
		if err := json.NewDecoder(r.Body).Decode(&o.Object); err != nil {
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		a.objects[r.URL.Path] = o
	case http.MethodDelete:
		delete(a.objects, r.URL.Path)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Success"}`)
		return
	}
	o, ok := a.objects[r.URL.Path]
	if !ok {
		w.WriteHeader(http.StatusNotFound)
		fmt.Fprint(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"NotFound","code":404}`)
		return
	}
	b, err := o.MarshalJSON()
	if err != nil {
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	_, _ = w.Write(b) // the client's own trouble
}

func serve(t *testing.T) (*apiServer, *kube.Client) {
	t.Helper()
	a := &apiServer{objects: map[string]*unstructured.Unstructured{}}
	srv := httptest.NewServer(a)
	t.Cleanup(srv.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	config := "apiVersion: v1\nkind: Config\nclusters: [{name: a, cluster: {server: '" + srv.URL + "'}}]\ncontexts: [{name: a, context: {cluster: a}}]\ncurrent-context: a\n"
	if err := os.WriteFile(path, []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := kube.Connect(path)
	if err != nil {
		t.Fatal(err)
	}
	return a, c
}

func object(apiVersion, kind, name, value string) *unstructured.Unstructured {
	return kube.Object(map[string]any{
		"apiVersion": apiVersion, "kind": kind, "metadata": map[string]any{"namespace": "shop", "name": name},
		"data": map[string]any{"value": value},
	})
}

func TestTheSecretOfGlobalManagementIsInTheHost(t *testing.T) {
	a, c := serve(t)
	key := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(key, []byte("0123456789abcdef0123456789abcdef\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := GlobalManagement(t.Context(), c, key); err != nil {
		t.Fatal(err)
	}
	o := a.objects["/api/v1/namespaces/kairship-system/secrets/global-management"]
	if o == nil {
		t.Fatalf("it is not: %v", a.log)
	}
	want := map[string]any{"hmac": "MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWYK"}
	if diff := cmp.Diff(want, o.Object["data"]); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

func TestContent(t *testing.T) {
	configMap, job := object("v1", "ConfigMap", "c", "old"), object("batch/v1", "Job", "j", "old")
	tests := map[string]struct {
		before, after []*unstructured.Unstructured
		edit          func(*apiServer)
		want          []string
	}{
		"what is not there is applied": {
			after: []*unstructured.Unstructured{configMap}, want: []string{"PATCH c"},
		},
		"what is there already is left alone": {
			before: []*unstructured.Unstructured{configMap}, after: []*unstructured.Unstructured{configMap},
		},
		"what somebody edited since is left alone": {
			before: []*unstructured.Unstructured{configMap}, after: []*unstructured.Unstructured{configMap},
			edit: func(a *apiServer) {
				for _, o := range a.objects {
					o.Object["data"] = map[string]any{"value": "somebody's"}
				}
			},
		},
		"what somebody deleted is applied again": {
			before: []*unstructured.Unstructured{configMap}, after: []*unstructured.Unstructured{configMap},
			edit: func(a *apiServer) { clear(a.objects) }, want: []string{"PATCH c"},
		},
		"a manifest that changed is applied again": {
			before: []*unstructured.Unstructured{configMap},
			after:  []*unstructured.Unstructured{object("v1", "ConfigMap", "c", "new")}, want: []string{"PATCH c"},
		},
		"a Job that changed is made anew": {
			before: []*unstructured.Unstructured{job},
			after:  []*unstructured.Unstructured{object("batch/v1", "Job", "j", "new")}, want: []string{"DELETE j", "PATCH j"},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a, c := serve(t)
			if err := Content(t.Context(), c, [][]*unstructured.Unstructured{tt.before}); err != nil {
				t.Fatal(err)
			}
			a.log = nil
			if tt.edit != nil {
				tt.edit(a)
			}
			if err := Content(t.Context(), c, [][]*unstructured.Unstructured{tt.after}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, a.log); diff != "" {
				t.Errorf("writes (-want +got):\n%s", diff)
			}
		})
	}
}

func TestContentAppliesOneRankAfterTheOther(t *testing.T) {
	a, c := serve(t)
	err := Content(t.Context(), c, [][]*unstructured.Unstructured{
		{object("v1", "ConfigMap", "first", "")}, {object("v1", "ConfigMap", "second", "")}, {object("v1", "ConfigMap", "third", "")},
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"PATCH first", "PATCH second", "PATCH third"}, a.log); diff != "" {
		t.Errorf("writes (-want +got):\n%s", diff)
	}
}

func TestAPlaceholderThatNobodyFillsIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "webhook.yaml")
	if err := os.WriteFile(path, []byte("apiVersion: v1\nkind: A\nmetadata: {name: '{{name}}'}\ncaBundle: {{caBundle}}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := decodeFile(path, map[string]string{"{{name}}": "a"})
	if err == nil || !strings.Contains(err.Error(), "webhook.yaml") || !strings.Contains(err.Error(), "{{caBundle}}") {
		t.Errorf("error %v, want the file and the placeholder", err)
	}
	objects, err := decodeFile(path, map[string]string{"{{name}}": "a", "{{caBundle}}": "Yg=="})
	if err != nil {
		t.Fatal(err)
	}
	if objects[0].GetName() != "a" {
		t.Errorf("the name is %q", objects[0].GetName())
	}
}

func TestMissingResourceTypesAreNamed(t *testing.T) {
	_, c := serve(t)
	dir := t.TempDir()
	if err := Host(t.Context(), c, dir); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want the folder without types", err)
	}
	if err := KarmadaAPI(t.Context(), c, dir, KarmadaPorts{}); err == nil || !strings.Contains(err.Error(), dir) {
		t.Errorf("error %v, want the folder without types", err)
	}
}
