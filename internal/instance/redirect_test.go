package instance_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// admin may do everything in every instance.
var admin = auth.NewPrincipal(auth.OriginHost, "ann", []string{"admins"})

// attach makes an instance of a Karmada and a fleet that knows it.
func attach(t *testing.T, host *testenv.Server, door *testenv.Karmada) (*instance.Fleet, *instance.Connection) {
	t.Helper()
	if err := host.Client.Create(t.Context(), credential("asia", door.Kubeconfig("kairship"))); err != nil {
		t.Fatal(err)
	}
	if err := host.Client.Create(t.Context(), &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: "asia"}, Spec: v1alpha1.InstanceSpec{
		Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "asia"}},
	}}); err != nil {
		t.Fatal(err)
	}
	f := runFleet(t, host)
	clustersOf(t, f, "asia", "tokyo")
	conn, err := f.Connection(everything, "asia")
	if err != nil {
		t.Fatal(err)
	}
	return f, conn
}

// probed says of a path that it is one by which it is found out whether a Karmada is there, or who its members are.
func probed(path string) bool {
	return path == "/api/v1/namespaces/kube-system" || path == "/version" || strings.HasPrefix(path, "/apis/cluster.karmada.io/v1alpha1") && !strings.Contains(path, "/proxy")
}

// clients are all ways in which an instance is asked. Each returns what whoever asked is told.
func clients(t *testing.T, f *instance.Fleet, conn *instance.Connection) map[string]func(context.Context) string {
	t.Helper()
	scope := rbac.NewAuthorizer([]string{"kairship:host:admins"}).Scope(admin)
	who := kubeapi.Who{Principal: admin, Scope: scope}
	configMap := schema.GroupVersionKind{Version: "v1", Kind: "ConfigMap"}
	said := func(err error) string { return fmt.Sprint(err) }
	// Discovered before, so that it is the read itself that is redirected.
	reader := kubeapi.New(f)
	if _, err := reader.Kind(t.Context(), scope, "asia", "", configMap); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Mapper().RESTMapping(configMap.GroupKind(), "v1"); err != nil {
		t.Fatal(err)
	}
	hub := live.New(live.Config{Logger: slog.New(slog.DiscardHandler), Silence: 300 * time.Millisecond, Connect: func(scope rbac.Scope, instance string) (live.Connection, error) {
		return f.Connection(scope, instance)
	}})
	t.Cleanup(hub.Close)
	authorizer := rbac.NewAuthorizer([]string{"kairship:host:admins"})
	through := proxy.New(proxy.Config{Upstreams: f, Logger: slog.New(slog.DiscardHandler)})
	proxied := func(path string) func(context.Context) string {
		return func(ctx context.Context) string {
			w := httptest.NewRecorder()
			through.ServeHTTP(w, httptest.NewRequestWithContext(authorizer.NewContext(ctx, admin), http.MethodGet, path, http.NoBody))
			return fmt.Sprint(w.Code, w.Header().Get("Location"), w.Body.String())
		}
	}
	return map[string]func(context.Context) string{
		"a read": func(ctx context.Context) string {
			_, err := reader.Get(ctx, who, model.Ref{Instance: "asia", GVK: configMap, Namespace: "default", Name: "a"})
			return said(err)
		},
		"a list": func(ctx context.Context) string {
			_, err := reader.List(ctx, kubeapi.Query{Who: who, Instance: "asia", GVK: configMap, Limit: 1})
			return said(err)
		},
		"discovery": func(ctx context.Context) string {
			_, err := kubeapi.New(f).APIResources(ctx, scope, "asia")
			return said(err)
		},
		"discovery of a member": func(ctx context.Context) string {
			_, err := kubeapi.New(f).Kind(ctx, scope, "asia", "tokyo", configMap)
			return said(err)
		},
		"discovery for writes": func(context.Context) string {
			conn.Mapper().Reset()
			_, err := conn.Mapper().RESTMapping(schema.GroupKind{Group: "example.com", Kind: "None"}, "v1")
			return said(err)
		},
		"an apply": func(ctx context.Context) string {
			out, _, err := karmada.Apply(ctx, conn, admin, karmada.Request{Manifests: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, namespace: default}\n"})
			if err == nil && len(out) == 1 && out[0].Error != nil { // its kinds were discovered before, so that the document itself is redirected
				return out[0].Error.Message
			}
			return said(err)
		},
		"a write": func(ctx context.Context) string {
			o, err := karmada.Open(ctx, conn, admin, model.Ref{Instance: "asia", GVK: model.KindDeployment.GVK(), Namespace: "default", Name: "a"}, false)
			if err == nil {
				_, err = o.Merge(ctx, karmada.Expected{}, nil)
			}
			return said(err)
		},
		"a watch": func(ctx context.Context) string {
			_, err := hub.Workloads(ctx, scope, "asia", nil)
			return said(err)
		},
		"a request with Kairship's own name": func(ctx context.Context) string {
			_, err := conn.Dynamic().Resource(corev1.SchemeGroupVersion.WithResource("namespaces")).List(ctx, metav1.ListOptions{})
			return said(err)
		},
		"a request as a person": func(ctx context.Context) string {
			cfg, err := conn.As(admin)
			if err != nil {
				return said(err)
			}
			c, err := kubernetes.NewForConfig(cfg)
			if err != nil {
				return said(err)
			}
			_, err = c.CoreV1().ConfigMaps("default").Create(ctx, &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: "a"}}, metav1.CreateOptions{})
			return said(err)
		},
		"the proxy":             proxied("/instances/asia/api/v1/namespaces"),
		"the proxy of a member": proxied("/instances/asia/clusters/tokyo/api/v1/namespaces"),
	}
}

func TestNoClientOfAnInstanceFollowsARedirect(t *testing.T) {
	host, door := newHost(t)
	f, conn := attach(t, host, door)
	var reached atomic.Pointer[string]
	thief := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		what := fmt.Sprint(r.Method, " ", r.URL, " ", r.Header)
		reached.Store(&what)
	}))
	t.Cleanup(thief.Close)
	redirect := func(status int, which func(path string) bool) {
		door.Instead(func(w http.ResponseWriter, r *http.Request) bool {
			if !which(r.URL.Path) {
				return false
			}
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("Location", thief.URL+r.URL.Path)
			w.WriteHeader(status)
			return true
		})
	}
	all := clients(t, f, conn)
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		redirect(status, func(path string) bool { return !probed(path) })
		for name, ask := range all {
			t.Run(fmt.Sprint(status, " ", name), func(t *testing.T) {
				if got := ask(t.Context()); !strings.Contains(got, "redirects to") || strings.Contains(got, thief.URL) {
					t.Errorf("whoever asks is told: %s", got)
				}
				if what := reached.Swap(nil); what != nil {
					t.Errorf("the redirect was followed: %s", *what)
				}
			})
		}
	}
	// The probes, and what follows the members, too.
	redirect(http.StatusTemporaryRedirect, func(string) bool { return true })
	testenv.Eventually(t, func() string {
		var e *model.Error
		if err := conn.Available(); !errors.As(err, &e) || !strings.Contains(e.Message, "redirects to another address") {
			return fmt.Sprint("it is said to be: ", err)
		}
		return ""
	})
	if what := reached.Swap(nil); what != nil {
		t.Errorf("the redirect was followed: %s", *what)
	}
}
