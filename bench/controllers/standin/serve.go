package standin

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// target is what a path names.
type target struct {
	resource

	namespace, name, subresource string
}

func (t target) key() string { return keyOf(t.namespace, t.name) }

const clustersPath = "/apis/cluster.karmada.io/v1alpha1/clusters/"

func (k *Karmada) serve(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Authorization") != "Bearer "+k.token {
		k.Requests.count(Request{"refused", r.URL.Path})
		fail(w, http.StatusUnauthorized, metav1.StatusReasonUnauthorized, "Unauthorized")
		return
	}
	kept, path, where := k.control, r.URL.Path, ""
	if rest, ok := strings.CutPrefix(path, clustersPath); ok {
		if name, behind, proxied := strings.Cut(rest, "/proxy"); proxied {
			if k.control.get(named("clusters").GroupResource(), keyOf("", name)) == nil {
				k.Requests.count(Request{"refused", "member"})
				fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, fmt.Sprintf("clusters %q not found", name))
				return
			}
			kept, path, where = k.member(name), behind, "member "
		}
	}
	switch path {
	case "/readyz", "/livez", "/healthz":
		k.Requests.count(Request{"get", where + path})
		_, _ = w.Write([]byte("ok"))
		return
	case "/version":
		k.Requests.count(Request{"get", where + path})
		answer(w, http.StatusOK, map[string]string{"major": "1", "minor": "35", "gitVersion": "v1.35.0", "platform": "linux/amd64"})
		return
	}
	if found := discovery(path); found != nil {
		k.Requests.count(Request{"get", where + "/discovery"})
		answer(w, http.StatusOK, found)
		return
	}
	t, ok := targetOf(path)
	if !ok {
		k.Requests.count(Request{"get", where + "/absent"})
		fail(w, http.StatusNotFound, metav1.StatusReasonNotFound, "the server could not find the requested resource")
		return
	}
	k.Requests.count(Request{verb(r, t), where + t.Resource})
	switch {
	case r.Method == http.MethodGet && t.name != "":
		k.get(w, r, kept, t)
	case r.Method == http.MethodGet && isWatch(r):
		k.watch(w, r, kept, t)
	case r.Method == http.MethodGet:
		k.list(w, r, kept, t)
	default:
		write(w, r, kept, t)
	}
}

func isWatch(r *http.Request) bool {
	return slices.Contains([]string{"1", "true"}, r.URL.Query().Get("watch"))
}

// verb returns the Kubernetes verb of a request, or dry-run.
func verb(r *http.Request, t target) string {
	switch {
	case r.URL.Query().Has("dryRun"):
		return "dry-run"
	case r.Method == http.MethodGet && t.name != "":
		return "get"
	case r.Method == http.MethodGet && isWatch(r):
		return "watch"
	case r.Method == http.MethodGet:
		return "list"
	case r.Method == http.MethodPost:
		return "create"
	case r.Method == http.MethodPut:
		return "update"
	case r.Method == http.MethodPatch && strings.HasPrefix(r.Header.Get("Content-Type"), "application/apply-patch"):
		return "apply"
	default:
		return strings.ToLower(r.Method)
	}
}

// targetOf reads a path of the resource API.
func targetOf(path string) (t target, ok bool) {
	parts := strings.Split(strings.Trim(path, "/"), "/")
	var gv schema.GroupVersion
	switch {
	case len(parts) >= 3 && parts[0] == "api":
		gv, parts = schema.GroupVersion{Version: parts[1]}, parts[2:]
	case len(parts) >= 4 && parts[0] == "apis":
		gv, parts = schema.GroupVersion{Group: parts[1], Version: parts[2]}, parts[3:]
	default:
		return t, false
	}
	if len(parts) >= 3 && parts[0] == "namespaces" {
		if r, known := find(gv.WithResource(parts[2])); known && r.namespaced {
			t.namespace, parts = parts[1], parts[2:]
		}
	}
	if t.resource, ok = find(gv.WithResource(parts[0])); !ok {
		return t, false
	}
	if len(parts) > 1 {
		t.name = parts[1]
	}
	if len(parts) > 2 {
		t.subresource = strings.Join(parts[2:], "/")
	}
	return t, true
}

func answer(w http.ResponseWriter, code int, content any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	// The client may have gone.
	_ = json.NewEncoder(w).Encode(content) //nolint:errchkjson // as above
}

func fail(w http.ResponseWriter, code int, reason metav1.StatusReason, message string) {
	answer(w, code, metav1.Status{
		TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: metav1.StatusFailure,
		Code: int32(code), Reason: reason, Message: message, //nolint:gosec // an HTTP status
	})
}
