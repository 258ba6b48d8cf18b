package kubeapi_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var (
	configMap   = schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	secret      = schema.GroupVersionKind{Version: "v1", Kind: "Secret"}
	clusterRole = schema.GroupVersionKind{Group: "rbac.authorization.k8s.io", Version: "v1", Kind: "ClusterRole"}
	widget      = schema.GroupVersionKind{Group: "acme.example", Version: "v1", Kind: "Widget"}
)

func ref(cluster string, gvk schema.GroupVersionKind, namespace, name string) model.Ref {
	return model.Ref{Instance: "asia", Cluster: cluster, GVK: gvk, Namespace: namespace, Name: name}
}

// code is the code of an error; empty for none.
func code(err error) model.Code {
	if err == nil {
		return ""
	}
	e := (*model.Error)(nil)
	if !errors.As(err, &e) {
		return model.Code("not typed: " + err.Error())
	}
	return e.Code
}

func TestOneObject(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	namespace(t, "hers", "cart")
	make1(t, aWidget("w1"))
	for _, c := range []struct {
		name  string
		who   auth.Principal
		ref   model.Ref
		found bool
		code  model.Code
	}{
		{"is found", ada, ref("", configMap, "hers", "cart"), true, ""},
		{"is found in a member", ada, ref("tokyo", configMap, "hers", "cart"), true, ""},
		{"without a namespace is found", ada, ref("", clusterRole, "", "system:node"), true, ""},
		{"of a custom kind is found", ada, ref("", widget, "", "w1"), true, ""},
		{"that is not there is nil", ada, ref("", configMap, "hers", "none"), false, ""},
		{"in a namespace that is not there is nil", ada, ref("", configMap, "none", "cart"), false, ""},
		{"that is not there in a member is nil", ada, ref("tokyo", configMap, "hers", "none"), false, ""},
		{"may be hers", cora, ref("", configMap, "hers", "cart"), true, ""},
		{"may be forbidden to her, there or not", cora, ref("", configMap, "default", "none"), false, model.CodeForbidden},
		{"of an unknown kind is an error", ada, ref("", schema.GroupVersionKind{Version: "v1", Kind: "Nonsense"}, "", "x"), false, model.CodeNotFound},
		{"of an unknown version is an error", ada, ref("", schema.GroupVersionKind{Group: "apps", Version: "v9", Kind: "Deployment"}, "hers", "x"), false, model.CodeNotFound},
		{"of a group whose server is dead cannot be said", ada, ref("", schema.GroupVersionKind{Group: "dead.example", Version: "v1", Kind: "Body"}, "", "x"), false, model.CodeUnavailable},
		{"of a kind that cannot be read is an error", ada, ref("", schema.GroupVersionKind{Group: "authentication.k8s.io", Version: "v1", Kind: "TokenReview"}, "", "x"), false, model.CodeBadUserInput},
		{"needs its namespace", ada, ref("", configMap, "", "cart"), false, model.CodeBadUserInput},
		{"without namespaces takes none", ada, ref("", clusterRole, "hers", "system:node"), false, model.CodeBadUserInput},
		{"has a name that is one", ada, ref("", configMap, "hers", "../secrets/x"), false, model.CodeBadUserInput},
		{"has a name that is not a place", ada, ref("", configMap, "hers", ".."), false, model.CodeBadUserInput},
		{"has a namespace that is one", ada, ref("", configMap, "hers/../..", "x"), false, model.CodeBadUserInput},
		{"in a cluster that is not there is an error", ada, ref("osaka", configMap, "hers", "cart"), false, model.CodeNotFound},
		{"in a cluster whose name is a path is an error", ada, ref("tokyo/proxy/..", configMap, "hers", "cart"), false, model.CodeNotFound},
		{"is not read as a name of Kubernetes' own", auth.Principal{Name: "system:admin"}, ref("", configMap, "hers", "cart"), false, model.CodeForbidden},
	} {
		t.Run(c.name, func(t *testing.T) {
			raw, err := r.Get(t.Context(), as(c.who), c.ref)
			if code(err) != c.code || (raw != nil) != c.found {
				t.Errorf("got %.200s, %v", raw, err)
			}
		})
	}
	if _, err := r.Get(t.Context(), kubeapi.Who{Principal: ada}, ref("", configMap, "hers", "cart")); code(err) != model.CodeForbidden {
		t.Errorf("without a scope: %v", err)
	}
	if _, err := r.Get(t.Context(), as(ada), model.Ref{Instance: "europe", GVK: configMap, Namespace: "hers", Name: "cart"}); code(err) != model.CodeNotFound {
		t.Errorf("of an instance that is not there: %v", err)
	}
}

func TestObjectsAreReadAsThePersonAndMembersAsKairshipForThoseWhoSeeAll(t *testing.T) {
	r, d := start(t, 10*time.Second)
	namespace(t, "hers", "cart")
	d.seen("")
	for _, cluster := range []string{"", "tokyo"} {
		if _, err := r.Get(t.Context(), as(ada), ref(cluster, configMap, "hers", "cart")); err != nil {
			t.Fatal(err)
		}
		seen := d.seen("/configmaps/cart")
		want := ada.Name
		if cluster != "" {
			want = ""
		}
		if len(seen) != 1 || seen[0].user != want {
			t.Errorf("in cluster %q: requests %v, want one as %q", cluster, seen, want)
		}
	}
}

func TestValuesOfSecretsDoNotLeave(t *testing.T) {
	r, _ := start(t, 10*time.Second)
	make1(t, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "hers", Name: "keys",
		Annotations: map[string]string{"kubectl.kubernetes.io/last-applied-configuration": `{"data":{"password":"aHVudGVyMg=="}}`, "kept": "yes"}},
		StringData: map[string]string{"password": "hunter2"}})
	for _, cluster := range []string{"", "tokyo"} {
		one, err := r.Get(t.Context(), as(ada), ref(cluster, secret, "hers", "keys"))
		if err != nil {
			t.Fatal(err)
		}
		page, err := r.List(t.Context(), kubeapi.Query{Who: as(ada), Instance: "asia", Cluster: cluster, GVK: secret, Namespaces: []string{"hers"}, Limit: 10})
		if err != nil || len(page.Rows) != 1 {
			t.Fatalf("%v, %v", page, err)
		}
		for _, raw := range [][]byte{one, page.Rows[0].Raw} {
			var o struct {
				Metadata struct {
					Annotations   map[string]string
					ManagedFields any
				}
				Data map[string]string
			}
			if err := json.Unmarshal(raw, &o); err != nil {
				t.Fatal(err)
			}
			if o.Data["password"] != "<hidden: 7 bytes>" || len(o.Metadata.Annotations) != 1 || o.Metadata.ManagedFields != nil ||
				strings.Contains(string(raw), "hunter2") || strings.Contains(string(raw), "aHVudGVyMg") {
				t.Errorf("got %s", raw)
			}
		}
	}
}

// only answers requests whose path contains a text.
func only(text string, answer http.HandlerFunc) func(http.ResponseWriter, *http.Request) bool {
	return func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.Contains(r.URL.Path, text) {
			return false
		}
		answer(w, r)
		return true
	}
}

// status answers as API servers do.
func status(code int, reason metav1.StatusReason, message string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(code)
		_ = json.NewEncoder(w).Encode(metav1.Status{TypeMeta: metav1.TypeMeta{Kind: "Status", APIVersion: "v1"}, Status: "Failure", Code: int32(code), Reason: reason, Message: message})
	}
}

func text(code int) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no address is shown", code) }
}

func hangUp(w http.ResponseWriter, _ *http.Request) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

const anyTries = 0

func TestWhatAnAPIServerAnswersIsSaidInItsKind(t *testing.T) {
	r, d := start(t, 10*time.Second)
	for _, c := range []struct {
		name    string
		cluster string
		answer  http.HandlerFunc
		code    model.Code
		tries   int
	}{
		{"a refusal", "", status(403, metav1.StatusReasonForbidden, "no"), model.CodeForbidden, 1},
		{"a credential that is void", "", status(401, metav1.StatusReasonUnauthorized, "no"), model.CodeUnavailable, 1},
		{"a kind that went away", "", text(404), model.CodeNotFound, 1},
		{"a cluster that went away", "tokyo", status(404, metav1.StatusReasonNotFound, `clusters "tokyo" not found`), model.CodeNotFound, 1},
		{"too many requests", "", status(429, metav1.StatusReasonTooManyRequests, "later"), model.CodeUnavailable, 3},
		{"a server that is not ready", "", text(503), model.CodeUnavailable, 3},
		{"a server that ran out of time", "", status(504, metav1.StatusReasonTimeout, "late"), model.CodeTimeout, 1},
		{"a member that Karmada cannot reach", "tokyo", status(500, "", "dial tcp 10.0.0.1:6443: connection refused"), model.CodeUnavailable, 3},
		{"a failure of its own", "", status(500, metav1.StatusReasonInternalError, "conversion webhook"), model.CodeUnavailable, 1},
		// The transport itself tries once more on a connection that was used before.
		{"a connection that ends", "", hangUp, model.CodeUnavailable, anyTries},
		{"a redirect", "", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Location", "https://elsewhere.example/")
			w.WriteHeader(http.StatusFound)
		}, model.CodeUnavailable, 1},
		{"something that is no object", "", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "hello") }, model.CodeUnavailable, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := answered(t, r, ref(c.cluster, configMap, "hers", "none"))
			d.seen("")
			d.answer(only("/configmaps/", c.answer))
			defer d.answer(nil)
			_, err := r.Get(t.Context(), as(ada), ref(c.cluster, configMap, "hers", "cart"))
			e := (*model.Error)(nil)
			if !errors.As(err, &e) || e.Code != c.code || e.Instance != "asia" || e.Cluster != c.cluster {
				t.Errorf("got %+v", err)
			} else if strings.Contains(e.Message, "10.0.0.1") || strings.Contains(e.Message, "127.0.0.1") {
				t.Errorf("an address is shown: %s", e.Message)
			}
			if tries := len(d.seen("/configmaps/")); tries != c.tries && c.tries != anyTries {
				t.Errorf("%d tries, want %d", tries, c.tries)
			}
		})
	}
}

// answered is a reader of its own, of whose circuits others know nothing, that has read an object once. On a busy machine the
// API server may take longer for the first time than a reader waits.
func answered(t *testing.T, of *kubeapi.Reader, object model.Ref) *kubeapi.Reader {
	t.Helper()
	for deadline := time.Now().Add(testenv.Timeout); ; {
		r := of.Fresh()
		_, err := r.Get(t.Context(), as(ada), object)
		if err == nil {
			return r
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
	}
}

func TestAReadEndsInTimeAndWhoHangsIsNotAskedForAMoment(t *testing.T) {
	r, d := start(t, time.Second)
	warm := ref("", configMap, "hers", "none")
	if _, err := r.Get(t.Context(), as(ada), warm); err != nil {
		t.Fatal(err)
	}
	d.answer(only("/configmaps/", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	for range 3 {
		begun := time.Now()
		if _, err := r.Get(t.Context(), as(ada), warm); code(err) != model.CodeTimeout {
			t.Fatalf("got %v", err)
		}
		if took := time.Since(begun); took > time.Minute {
			t.Errorf("took %s", took)
		}
	}
	d.seen("")
	if _, err := r.Get(t.Context(), as(ada), warm); code(err) != model.CodeUnavailable {
		t.Errorf("got %v", err)
	}
	if n := len(d.seen("/configmaps/")); n != 0 {
		t.Errorf("it was asked %d times", n)
	}
	// A member is another API server: its circuit is its own.
	if _, err := r.Get(t.Context(), as(ada), ref("tokyo", clusterRole, "", "system:node")); err != nil {
		t.Errorf("of the member: %v", err)
	}
}

func TestSeveralObjectsAreReadAndOneThatFailsFailsAlone(t *testing.T) {
	r, d := start(t, 10*time.Second)
	namespace(t, "hers", "cart")
	d.answer(only("/configmaps/broken", status(403, metav1.StatusReasonForbidden, "no")))
	got := r.GetAll(t.Context(), as(ada), []model.Ref{
		ref("tokyo", configMap, "hers", "cart"), ref("", configMap, "hers", "broken"), ref("osaka", configMap, "hers", "cart"),
		ref("", configMap, "hers", "none"), ref("", configMap, "hers", "cart"),
	})
	for i, want := range []struct {
		found bool
		code  model.Code
	}{{true, ""}, {false, model.CodeForbidden}, {false, model.CodeNotFound}, {false, ""}, {true, ""}} {
		if (got[i].Raw != nil) != want.found || code(got[i].Err) != want.code {
			t.Errorf("%d: %.80s, %v", i, got[i].Raw, got[i].Err)
		}
	}
}
