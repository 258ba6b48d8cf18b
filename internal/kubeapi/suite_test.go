package kubeapi_test

import (
	"context"
	"encoding/pem"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const systemNamespace = "kairship-system"

var (
	// ada may read everything in the instance; cora may read ConfigMaps of the namespace "hers".
	ada  = auth.NewPrincipal(auth.OriginHost, "ada", []string{"readers"})
	cora = auth.NewPrincipal(auth.OriginHost, "cora", []string{"others"})

	everything = rbac.NewAuthorizer([]string{"kairship:host:readers"}).Scope(ada)
)

// server is the host cluster, a Karmada and its member in one: only the doors before them differ.
var server *testenv.Server

func TestMain(m *testing.M) {
	testenv.Main(m, func(e *testenv.Environment) (err error) {
		server, err = e.Start(testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions, testenv.KarmadaDefinitions)
		if err != nil {
			return err
		}
		for _, ns := range []string{systemNamespace, "hers"} {
			if err := server.EnsureNamespace(ns); err != nil {
				return err
			}
		}
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		defer cancel()
		for _, o := range []client.Object{
			&rbacv1.ClusterRole{ObjectMeta: metav1.ObjectMeta{Name: "test-readers"},
				Rules: []rbacv1.PolicyRule{{APIGroups: []string{"*"}, Resources: []string{"*"}, Verbs: []string{"get", "list"}}}},
			&rbacv1.ClusterRoleBinding{ObjectMeta: metav1.ObjectMeta{Name: "test-readers"},
				RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "test-readers"},
				Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.GroupKind, Name: "kairship:host:readers"}}},
			&rbacv1.Role{ObjectMeta: metav1.ObjectMeta{Namespace: "hers", Name: "test-cora"},
				Rules: []rbacv1.PolicyRule{{APIGroups: []string{""}, Resources: []string{"configmaps"}, Verbs: []string{"get", "list"}}}},
			&rbacv1.RoleBinding{ObjectMeta: metav1.ObjectMeta{Namespace: "hers", Name: "test-cora"},
				RoleRef:  rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: "test-cora"},
				Subjects: []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: rbacv1.UserKind, Name: cora.Name}}},
			widgets(),
			deadService(),
		} {
			if err := server.Client.Create(ctx, o); err != nil {
				return fmt.Errorf("making %T: %w", o, err)
			}
		}
		return server.UntilGranted(ctx)
	})
}

// widgets defines a custom kind.
func widgets() *apiextensionsv1.CustomResourceDefinition {
	keep := true
	return &apiextensionsv1.CustomResourceDefinition{
		ObjectMeta: metav1.ObjectMeta{Name: "widgets.acme.example"},
		Spec: apiextensionsv1.CustomResourceDefinitionSpec{
			Group: "acme.example", Scope: apiextensionsv1.ClusterScoped,
			Names: apiextensionsv1.CustomResourceDefinitionNames{Plural: "widgets", Singular: "widget", Kind: "Widget", ListKind: "WidgetList", ShortNames: []string{"wdg"}},
			Versions: []apiextensionsv1.CustomResourceDefinitionVersion{{Name: "v1", Served: true, Storage: true,
				Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: &apiextensionsv1.JSONSchemaProps{Type: "object", XPreserveUnknownFields: &keep}}}},
		},
	}
}

// deadService is a group whose own API server is not there.
func deadService() *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
		"metadata": map[string]any{"name": "v1.dead.example"},
		"spec": map[string]any{"group": "dead.example", "version": "v1", "groupPriorityMinimum": int64(1000), "versionPriority": int64(10), "insecureSkipTLSVerify": true,
			"service": map[string]any{"namespace": "default", "name": "dead"}},
	}}
}

// request is one that came to the server.
type request struct {
	path  string
	query url.Values
	// user is who it was made as; empty for the credential's own.
	user string
}

// door stands before the API server as a Karmada does: it forwards what is for a member, and can fail.
type door struct {
	*httptest.Server
	proxy *httputil.ReverseProxy

	mu       sync.Mutex
	requests []request
	// instead answers some requests in the place of the API server.
	instead func(http.ResponseWriter, *http.Request) bool
}

const clusters = "/apis/cluster.karmada.io/v1alpha1/clusters/"

func newDoor(t *testing.T) *door {
	t.Helper()
	target, err := url.Parse(server.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(server.Config))
	if err != nil {
		t.Fatal(err)
	}
	d := &door{proxy: &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
	}}
	d.Server = httptest.NewTLSServer(http.HandlerFunc(d.serve))
	t.Cleanup(func() {
		d.CloseClientConnections()
		d.Close()
	})
	return d
}

func (d *door) serve(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	d.requests = append(d.requests, request{path: r.URL.Path, query: r.URL.Query(), user: r.Header.Get("Impersonate-User")})
	instead := d.instead
	d.mu.Unlock()
	if instead != nil && instead(w, r) {
		testenv.EndOf(w, r)
		return
	}
	if _, path, proxied := strings.Cut(r.URL.Path, "/proxy"); proxied && strings.HasPrefix(r.URL.Path, clusters) {
		r.URL.Path = path
	}
	d.proxy.ServeHTTP(w, r)
}

// answer lets a function answer requests from now on; what it does not answer goes on as usual.
func (d *door) answer(instead func(http.ResponseWriter, *http.Request) bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.instead = instead
}

// seen is the requests for paths that contain a text, since it was last asked for any.
func (d *door) seen(text string) []request {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []request
	for _, r := range d.requests {
		if strings.Contains(r.path, text) {
			out = append(out, r)
		}
	}
	d.requests = nil
	return out
}

// start makes an instance "asia" with the member "tokyo", and a reader of both.
func start(t *testing.T, timeout time.Duration) (*kubeapi.Reader, *door) {
	t.Helper()
	karmada := testenv.NewKarmada(t, server)
	karmada.Join("tokyo", http.StatusOK)
	own, err := kubeconfig.Parse(karmada.Kubeconfig("kairship"))
	if err != nil {
		t.Fatal(err)
	}
	d := newDoor(t)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: d.Certificate().Raw})
	for _, o := range []client.Object{
		&corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: systemNamespace, Name: "asia"},
			Data: map[string][]byte{v1alpha1.KubeconfigKey: testenv.Kubeconfig(t, d.URL, authority, &clientcmdapi.AuthInfo{Token: own.BearerToken})}},
		&v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Spec: v1alpha1.InstanceSpec{
			Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}}}},
	} {
		make1(t, o)
	}
	f, err := instance.New(instance.Config{
		Host: server.Config, Namespace: systemNamespace, ClusterpediaNamespace: "clusterpedia-system",
		Timeout: timeout, ProbeInterval: time.Hour, Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	testenv.Eventually(t, func() string {
		clusters, err := f.Clusters(everything, "asia")
		if err != nil || len(clusters) != 1 {
			return fmt.Sprintf("its clusters are %v (%v)", clusters, err)
		}
		return ""
	})
	return kubeapi.New(f), d
}

// make1 makes an object that goes with the test.
func make1(t *testing.T, o client.Object) {
	t.Helper()
	if err := server.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := client.IgnoreNotFound(server.Client.Delete(context.Background(), o)); err != nil {
			t.Error(err)
		}
	})
}

// namespace makes a namespace with a number of ConfigMaps, every other one labelled tier=web.
func namespace(t *testing.T, name string, names ...string) {
	t.Helper()
	if err := server.EnsureNamespace(name); err != nil {
		t.Fatal(err)
	}
	for i, one := range names {
		o := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: name, Name: one}, Data: map[string]string{"key": "value"}}
		if i%2 == 0 {
			o.Labels = map[string]string{"tier": "web"}
		}
		make1(t, o)
	}
}

func as(p auth.Principal) kubeapi.Who { return kubeapi.Who{Principal: p, Scope: everything} }

func aWidget(name string) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": "acme.example/v1", "kind": "Widget", "metadata": map[string]any{"name": name}}}
}
