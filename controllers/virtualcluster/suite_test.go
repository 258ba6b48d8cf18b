package virtualcluster_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	testclock "k8s.io/utils/clock/testing"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/virtualcluster"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const (
	namespace             = "kairship-system"
	clusterpediaNamespace = "clusterpedia-system"
	pediaFinalizer        = "clusterpedia.io/cluster-synchro-controller"
)

// The host cluster, and the API servers of two Karmadas.
var host, first, second *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions); err != nil {
			return err
		}
		if first, err = env.Start(testenv.KarmadaDefinitions); err != nil {
			return err
		}
		if second, err = env.Start(testenv.KarmadaDefinitions); err != nil {
			return err
		}
		if err := host.EnsureNamespace(namespace); err != nil {
			return err
		}
		return host.EnsureNamespace(clusterpediaNamespace)
	})
}

// writes counts what a controller writes to the host cluster, events and leases apart.
type writes struct {
	mu   sync.Mutex
	list []string
}

func (w *writes) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(r *http.Request) (*http.Response, error) {
		if r.Method != http.MethodGet && !strings.Contains(r.URL.Path, "/events") && !strings.Contains(r.URL.Path, "/leases") {
			w.mu.Lock()
			w.list = append(w.list, r.Method+" "+r.URL.Path)
			w.mu.Unlock()
		}
		return next.RoundTrip(r)
	})
}

// take returns what was written since the last call.
func (w *writes) take() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	list := w.list
	w.list = nil
	return list
}

// rest waits until nothing has been written for a moment, and returns what was written since the last call.
func (w *writes) rest(t *testing.T) []string {
	t.Helper()
	seen, since := -1, time.Now()
	testenv.Eventually(t, func() string {
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.list) != seen {
			seen, since = len(w.list), time.Now()
		}
		if time.Since(since) < 700*time.Millisecond {
			return "it goes on writing: " + strings.Join(w.list, "\n")
		}
		return ""
	})
	return w.take()
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// run is a running controller.
type run struct {
	t      *testing.T
	writes *writes
	clock  *testclock.FakePassiveClock
	stop   func()
}

// start runs the controller until the test ends or stop is called.
func start(t *testing.T, shards ...string) *run {
	t.Helper()
	r := &run{t: t, writes: &writes{}}
	r.clock = testclock.NewFakePassiveClock(time.Now())
	r.stop = runWith(t, r.writes.wrap, r.clock, shards...)
	return r
}

// runWith runs the controller until the test ends or stop is called, its requests through wrap.
func runWith(t *testing.T, wrap transport.WrapperFunc, now clock.PassiveClock, shards ...string) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Clock: now, Connections: connection.Options{Wrap: wrap}}, func(o controllers.Options) controllers.Controller {
		return virtualcluster.New(virtualcluster.Options{Options: o, ClusterpediaNamespace: clusterpediaNamespace, Shards: shards})
	})
}

// attach makes an Instance and its Secret. Both go with the test, and so does what the controller made of them.
func attach(t *testing.T, name string, kubeconfig []byte, edits ...func(*v1alpha1.Instance)) {
	t.Helper()
	t.Cleanup(func() { sweep(t, name) })
	suite.Attach(t, host, name, kubeconfig, edits...)
}

// sweep removes what is left of an Instance that has gone, with or without a running controller.
func sweep(t *testing.T, name string) {
	ctx := context.Background()
	testenv.Eventually(t, func() string {
		list := pediaClusters(ctx, name)
		for i := range list {
			list[i].SetFinalizers(nil)
			if err := host.Client.Update(ctx, &list[i]); client.IgnoreNotFound(err) != nil {
				return err.Error()
			}
			if err := host.Client.Delete(ctx, &list[i]); client.IgnoreNotFound(err) != nil {
				return err.Error()
			}
		}
		if len(list) > 0 {
			return "PediaClusters are still there"
		}
		err := host.Client.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: clusterpediaNamespace, Name: "kairship." + name}})
		return text(client.IgnoreNotFound(err))
	})
}

func pediaClusters(ctx context.Context, instance string) []unstructured.Unstructured {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(virtualcluster.PediaClusterKind.GroupVersion().WithKind("PediaClusterList"))
	if err := host.Client.List(ctx, list, client.MatchingLabels{v1alpha1.LabelInstance: instance}); err != nil {
		return nil
	}
	return list.Items
}

// pediaCluster is nil when there is none of that name.
func pediaCluster(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(virtualcluster.PediaClusterKind)
	err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, u)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// appears waits for a PediaCluster.
func appears(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	var u *unstructured.Unstructured
	testenv.Eventually(t, func() string {
		if u = pediaCluster(t, name); u == nil {
			return fmt.Sprintf("there is no PediaCluster %s", name)
		}
		return ""
	})
	return u
}

// disappears waits until there is no such PediaCluster.
func disappears(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if pediaCluster(t, name) != nil {
			return fmt.Sprintf("PediaCluster %s is still there", name)
		}
		return ""
	})
}

// leaving waits until a PediaCluster is being deleted.
func leaving(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if u := pediaCluster(t, name); u == nil || u.GetDeletionTimestamp() == nil {
			return fmt.Sprintf("PediaCluster %s is not being deleted", name)
		}
		return ""
	})
}

// takeUp does to PediaClusters what Clusterpedia does: it holds them by its finalizer and follows them.
func takeUp(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		update(t, name, func(u *unstructured.Unstructured) { u.SetFinalizers([]string{pediaFinalizer}) })
		setHealth(t, name, true)
	}
}

// setHealth writes the status of a PediaCluster whose source answers, or does not.
func setHealth(t *testing.T, name string, healthy bool) {
	t.Helper()
	status, reason := "True", "Healthy"
	if !healthy {
		status, reason = "False", "NotReachable"
	}
	now := time.Now().UTC().Format(time.RFC3339)
	testenv.Eventually(t, func() string {
		u := appears(t, name)
		u.Object["status"] = map[string]any{
			"conditions": []any{
				map[string]any{"type": "Validated", "status": "True", "reason": "Validated", "message": "", "lastTransitionTime": now},
				map[string]any{"type": "SynchroRunning", "status": "True", "reason": "Running", "message": "", "lastTransitionTime": now},
				map[string]any{"type": "ClusterHealthy", "status": status, "reason": reason, "message": "", "lastTransitionTime": now},
			},
			"syncResources": []any{map[string]any{"group": "apps", "resources": []any{map[string]any{
				"name": "deployments", "kind": "Deployment", "namespaced": true,
				"syncConditions": []any{map[string]any{"version": "v1", "status": "Syncing", "lastTransitionTime": now}},
			}}}},
		}
		return text(host.Client.Status().Update(t.Context(), u))
	})
}

// drop lets a PediaCluster go, as Clusterpedia does when its rows are gone.
func drop(t *testing.T, name string) {
	t.Helper()
	leaving(t, name)
	update(t, name, func(u *unstructured.Unstructured) { u.SetFinalizers(nil) })
}

func update(t *testing.T, name string, edit func(*unstructured.Unstructured)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		u := appears(t, name)
		edit(u)
		return text(host.Client.Update(t.Context(), u))
	})
}

// reaches waits until the condition of an Instance has a reason, and returns it.
func reaches(t *testing.T, name, reason string) metav1.Condition {
	t.Helper()
	return settles(t, name, func(c metav1.Condition) bool { return c.Reason == reason }, reason)
}

func settles(t *testing.T, name string, is func(metav1.Condition) bool, what string) metav1.Condition {
	t.Helper()
	var c *metav1.Condition
	testenv.Eventually(t, func() string {
		i := instance(t, name)
		c = meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionReadPathSynced)
		if c == nil || !is(*c) {
			return fmt.Sprintf("want %s, have %+v", what, c)
		}
		return ""
	})
	return *c
}

func instance(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
		t.Fatal(err)
	}
	return &i
}

func secret(t *testing.T, name string) *corev1.Secret {
	t.Helper()
	var s corev1.Secret
	err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: clusterpediaNamespace, Name: name}, &s)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &s
}

func text(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
