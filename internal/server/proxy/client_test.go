package proxy_test

import (
	"context"
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// TestClients lets client-go work on a real API server through the proxy: straight, and as a member.
func TestClients(t *testing.T) {
	server := testenv.Start(t)
	for _, ns := range []string{"hers", "others"} {
		if err := server.EnsureNamespace(ns); err != nil {
			t.Fatal(err)
		}
	}
	// Ada has rights in one namespace, by her group. The proxy's own credential is an administrator's.
	for _, o := range []client.Object{
		&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: "hers", Name: "ada"},
			Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"*"}}}},
		&rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: "hers", Name: "ada"},
			RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "ada"},
			Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: ada.Groups[0]}}},
	} {
		if err := server.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, nil)
	own := rest.CopyConfig(server.Config)
	own.Timeout = time.Minute
	s.fleet.instances["asia"] = instance{config: own}
	s.fleet.instances["europe"] = instance{config: &rest.Config{Host: karmada(t, server).URL, Timeout: time.Minute}, members: []string{"paris"}}

	front := s.secure(t)
	for _, path := range []string{"/instances/asia", "/instances/europe/clusters/paris"} {
		for _, media := range []string{runtime.ContentTypeJSON, runtime.ContentTypeProtobuf} {
			t.Run(path+" "+media, func(t *testing.T) {
				cfg := &rest.Config{Host: front.URL + path, BearerToken: "ada", QPS: -1, ContentConfig: rest.ContentConfig{ContentType: media},
					TLSClientConfig: rest.TLSClientConfig{CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: front.Certificate().Raw})}}
				work(t, clientsFor(t, cfg))
				// Refusals of the proxy's own are errors that clients know.
				for _, absent := range []string{"/instances/absent", "/instances/europe/clusters/absent"} {
					cfg.Host = front.URL + absent
					if _, err := clientsFor(t, cfg).CoreV1().Pods("").List(t.Context(), metav1.ListOptions{}); !apierrors.IsNotFound(err) {
						t.Errorf("%s: %v", absent, err)
					}
				}
			})
		}
	}
}

// work lists, watches, writes and is refused.
func work(t *testing.T, clients kubernetes.Interface) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Timeout)
	defer cancel()
	maps := clients.CoreV1().ConfigMaps("hers")

	var list *corev1.ConfigMapList
	// An API server learns of a new right in a moment.
	testenv.Eventually(t, func() string {
		var err error
		if list, err = maps.List(ctx, metav1.ListOptions{}); err != nil {
			return err.Error()
		}
		return ""
	})
	events, err := maps.Watch(ctx, metav1.ListOptions{ResourceVersion: list.ResourceVersion, FieldSelector: "metadata.name=one"})
	if err != nil {
		t.Fatal(err)
	}
	defer events.Stop()
	next := func(want watch.EventType, value string) {
		t.Helper()
		e, ok := <-events.ResultChan()
		if !ok || e.Type != want {
			t.Fatalf("got %v %v, want %s", e.Type, ok, want)
		}
		if got := e.Object.(*corev1.ConfigMap).Data["key"]; got != value {
			t.Fatalf("%s with %q, want %q", want, got, value)
		}
	}

	if _, err := maps.Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "one"}, Data: map[string]string{"key": "a"}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	next(watch.Added, "a")
	patched, err := maps.Patch(ctx, "one", types.StrategicMergePatchType, []byte(`{"data":{"key":"b"}}`), metav1.PatchOptions{})
	if err != nil || patched.Data["key"] != "b" {
		t.Fatalf("patched: %v, %v", patched.Data, err)
	}
	next(watch.Modified, "b")
	list, err = maps.List(ctx, metav1.ListOptions{FieldSelector: "metadata.name=one"})
	if err != nil || len(list.Items) != 1 || list.Items[0].Data["key"] != "b" {
		t.Fatalf("listed: %v, %v", list, err)
	}
	if err := maps.Delete(ctx, "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	next(watch.Deleted, "b")
	if _, err := maps.Get(ctx, "one", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("read after it was deleted: %v", err)
	}

	// The refusal is the API server's own, and it names the person.
	_, err = clients.CoreV1().ConfigMaps("others").List(ctx, metav1.ListOptions{})
	if !apierrors.IsForbidden(err) || !strings.Contains(err.Error(), ada.Name) {
		t.Errorf("read elsewhere: %v", err)
	}
	if _, err := clients.Discovery().ServerVersion(); err != nil {
		t.Errorf("its version: %v", err)
	}
	if _, _, err := clients.Discovery().ServerGroupsAndResources(); err != nil {
		t.Errorf("what it serves: %v", err)
	}
	review, err := clients.AuthenticationV1().SelfSubjectReviews().Create(ctx, &authenticationv1.SelfSubjectReview{}, metav1.CreateOptions{})
	if err != nil || review.Status.UserInfo.Username != ada.Name {
		t.Errorf("who asks: %v, %v", review, err)
	}
}

func clientsFor(t *testing.T, cfg *rest.Config) kubernetes.Interface {
	t.Helper()
	out, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// karmada is what stands before a member: a server that hands on what its path says is for the member,
// with the identity that it was given.
func karmada(t *testing.T, member *testenv.Server) *httptest.Server {
	t.Helper()
	target, err := url.Parse(member.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(member.Config)
	if err != nil {
		t.Fatal(err)
	}
	forward := &httputil.ReverseProxy{Transport: transport, FlushInterval: 200 * time.Millisecond, Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest, ok := strings.CutPrefix(r.URL.Path, memberPath+"paris/proxy")
		if !ok {
			http.NotFound(w, r)
			return
		}
		r.URL.Path, r.URL.RawPath = rest, ""
		forward.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return server
}
