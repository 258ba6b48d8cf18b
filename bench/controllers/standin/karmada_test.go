package standin_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/klog/v2"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/bench/controllers/standin"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

var (
	clusters     = schema.GroupVersionResource{Group: "cluster.karmada.io", Version: "v1alpha1", Resource: "clusters"}
	deployments  = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}
	policies     = schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: "propagationpolicies"}
	clusterRoles = schema.GroupVersionResource{Group: "rbac.authorization.k8s.io", Version: "v1", Resource: "clusterroles"}
)

func TestMain(m *testing.M) {
	klog.SetLogger(logr.Discard())
	os.Exit(m.Run())
}

func start(t *testing.T, number int) (*standin.Karmada, *rest.Config) {
	t.Helper()
	k, err := standin.Start(t.Context(), number, standin.Content{Clusters: 3, Workloads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Stop(); err != nil {
			t.Error(err)
		}
	})
	raw, err := k.Kubeconfig()
	if err != nil {
		t.Fatal(err)
	}
	credential, err := kubeconfig.Parse(raw)
	if err != nil {
		t.Fatalf("its kubeconfig is refused: %v", err)
	}
	l, err := link.Open(credential, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return k, l.Config()
}

func dynamicClient(t *testing.T, config *rest.Config) dynamic.Interface {
	t.Helper()
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

func TestAReflectorIsToldEverythingByOneWatch(t *testing.T) {
	k, config := start(t, 900)
	client := dynamicClient(t, config).Resource(clusters)
	store := cache.NewStore(cache.MetaNamespaceKeyFunc)
	reflector := cache.NewReflector(cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return client.List(ctx, o) },
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return client.Watch(ctx, o)
		},
	}, client), &unstructured.Unstructured{}, store, 0)
	ctx, cancel := context.WithCancel(t.Context())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { reflector.RunWithContext(ctx) })

	nodes := func() int64 {
		o, ok, err := store.GetByKey("member-02")
		if err != nil || !ok {
			return 0
		}
		n, _, err := unstructured.NestedInt64(o.(*unstructured.Unstructured).Object, "status", "nodeSummary", "readyNum")
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	testenv.Eventually(t, func() string { return cmp.Diff(int64(12), nodes()) })
	if got := len(store.List()); got != 3 {
		t.Errorf("there are %d members, want 3", got)
	}
	if err := k.AddNode(1); err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string { return cmp.Diff(int64(13), nodes()) })
	if diff := cmp.Diff(standin.Counts{{Verb: "watch", What: "clusters"}: 1}, k.Requests.Counts()); diff != "" {
		t.Errorf("requests (-want +got):\n%s", diff)
	}
	if got := k.Requests.Watches(); got != 1 {
		t.Errorf("%d watches are open, want 1", got)
	}
}

func TestAMemberLooksAsKarmadaShowsIt(t *testing.T) {
	_, config := start(t, 901)
	list, err := dynamicClient(t, config).Resource(clusters).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for i := range list.Items {
		var c clusterv1alpha1.Cluster
		if err := runtime.DefaultUnstructuredConverter.FromUnstructuredWithValidation(list.Items[i].Object, &c, true); err != nil {
			t.Fatal(err)
		}
		ids[c.Spec.ID] = true
		if len(c.Status.APIEnablements) == 0 || c.Status.ResourceSummary == nil || c.UID == "" {
			t.Errorf("member %q lacks what every one has: %+v", c.Name, c)
		}
	}
	if len(ids) != 3 {
		t.Errorf("three members have %d ids", len(ids))
	}
}

func TestAnAppliedObjectIsShownToWatchersThatSelectIt(t *testing.T) {
	_, config := start(t, 902)
	heads, err := metadata.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	w, err := heads.Resource(clusterRoles).Watch(t.Context(), metav1.ListOptions{LabelSelector: "by=us"})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	client := dynamicClient(t, config).Resource(clusterRoles)
	apply := func(by, verb string) *unstructured.Unstructured {
		t.Helper()
		role := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole",
			"metadata": map[string]any{"name": "r", "labels": map[string]any{"by": by}},
			"rules":    []any{map[string]any{"verbs": []any{verb}}},
		}}
		out, err := client.Apply(t.Context(), "r", role, metav1.ApplyOptions{FieldManager: "test"})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	first := apply("us", "get")
	if again := apply("us", "get"); again.GetResourceVersion() != first.GetResourceVersion() {
		t.Error("an apply that changes nothing made a new version")
	}
	apply("us", "list")
	if last := apply("them", "list"); last.GetUID() != first.GetUID() {
		t.Error("a changed object has another uid")
	}
	var got []string
	for range 3 {
		select {
		case e := <-w.ResultChan():
			head, ok := e.Object.(*metav1.PartialObjectMetadata)
			if !ok {
				t.Fatalf("a watch of metadata sent %T", e.Object)
			}
			got = append(got, string(e.Type)+" "+head.Name)
		case <-time.After(testenv.Timeout):
			t.Fatalf("no more than %v came", got)
		}
	}
	if diff := cmp.Diff([]string{"ADDED r", "MODIFIED r", "DELETED r"}, got); diff != "" {
		t.Errorf("events (-want +got):\n%s", diff)
	}
}

func TestAWatchGoesOnWhereAListEnded(t *testing.T) {
	k, config := start(t, 903)
	client := dynamicClient(t, config).Resource(clusters)
	list, err := client.List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := k.AddNode(0); err != nil {
		t.Fatal(err)
	}
	w, err := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: list.GetResourceVersion()})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Stop()
	select {
	case e := <-w.ResultChan():
		if name := e.Object.(*unstructured.Unstructured).GetName(); e.Type != watch.Modified || name != "member-01" {
			t.Errorf("the first event is %s of %s, want MODIFIED of member-01", e.Type, name)
		}
	case <-time.After(testenv.Timeout):
		t.Fatal("the change in between was not told")
	}
	for range 80 {
		if err := k.AddNode(0); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := client.Watch(t.Context(), metav1.ListOptions{ResourceVersion: list.GetResourceVersion()}); !apierrors.IsResourceExpired(err) {
		t.Errorf("a watch from too far back got %v, want Expired", err)
	}
}

func TestADryRunIsAdmittedAndNotKept(t *testing.T) {
	_, config := start(t, 904)
	client := dynamicClient(t, config).Resource(policies).Namespace("default")
	policy := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "policy.karmada.io/v1alpha1", "kind": "PropagationPolicy", "metadata": map[string]any{"name": "p"},
	}}
	out, err := client.Create(t.Context(), policy, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	if err != nil {
		t.Fatal(err)
	}
	if out.GetLabels()["propagationpolicy.karmada.io/permanent-id"] == "" {
		t.Error("the policy came back without what Karmada's webhook adds")
	}
	if _, err := client.Get(t.Context(), "p", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
		t.Errorf("the policy was kept: %v", err)
	}
}

func TestPathsAreAnsweredAsAKarmadaDoes(t *testing.T) {
	k, config := start(t, 905)
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	get := func(path string) (int, string) {
		t.Helper()
		resp, err := client.Get(config.Host + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, err := io.ReadAll(resp.Body)
		if err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, string(body)
	}
	for path, want := range map[string]struct {
		code  int
		says  string
		count standin.Request
	}{
		"/readyz":                            {http.StatusOK, "ok", standin.Request{Verb: "get", What: "/readyz"}},
		"/version":                           {http.StatusOK, "gitVersion", standin.Request{Verb: "get", What: "/version"}},
		"/apis/cluster.karmada.io/v1alpha1":  {http.StatusOK, `"clusters"`, standin.Request{Verb: "get", What: "/discovery"}},
		"/apis/metrics.k8s.io/v1beta1":       {http.StatusNotFound, "could not find", standin.Request{Verb: "get", What: "/absent"}},
		"/api/v1/namespaces/kube-system":     {http.StatusOK, `"uid"`, standin.Request{Verb: "get", What: "namespaces"}},
		"/apis/apps/v1/deployments?limit=1":  {http.StatusOK, "web-001", standin.Request{Verb: "list", What: "deployments"}},
		"/apis/apps/v1/namespaces/a/daemons": {http.StatusNotFound, "NotFound", standin.Request{Verb: "get", What: "/absent"}},
		"/apis/cluster.karmada.io/v1alpha1/clusters/member-01/proxy/readyz":      {http.StatusOK, "ok", standin.Request{Verb: "get", What: "member /readyz"}},
		"/apis/cluster.karmada.io/v1alpha1/clusters/member-01/proxy/api/v1/pods": {http.StatusOK, "PodList", standin.Request{Verb: "list", What: "member pods"}},
		"/apis/cluster.karmada.io/v1alpha1/clusters/nobody/proxy/readyz":         {http.StatusNotFound, "nobody", standin.Request{Verb: "refused", What: "member"}},
	} {
		t.Run(path, func(t *testing.T) {
			before := k.Requests.Counts()
			code, body := get(path)
			if code != want.code || !strings.Contains(body, want.says) {
				t.Errorf("answered %d %s, want %d with %q", code, body, want.code, want.says)
			}
			if diff := cmp.Diff(standin.Counts{want.count: 1}, k.Requests.Counts().Since(before)); diff != "" {
				t.Errorf("counted (-want +got):\n%s", diff)
			}
		})
	}

	t.Run("a Lease has just been renewed", func(t *testing.T) {
		_, body := get("/apis/coordination.k8s.io/v1/namespaces/karmada-system/leases/karmada-scheduler")
		var lease struct{ Spec struct{ RenewTime time.Time } }
		if err := json.Unmarshal([]byte(body), &lease); err != nil {
			t.Fatal(err)
		}
		if since := time.Since(lease.Spec.RenewTime); since < 0 || since > 15*time.Second {
			t.Errorf("it was renewed %s ago", since)
		}
	})

	t.Run("a stranger is refused", func(t *testing.T) {
		config.BearerToken = "another"
		if _, err := dynamicClient(t, config).Resource(deployments).List(t.Context(), metav1.ListOptions{}); !apierrors.IsUnauthorized(err) {
			t.Errorf("got %v, want Unauthorized", err)
		}
	})
}

func TestWhatIsKeptIsListed(t *testing.T) {
	k, config := start(t, 906)
	for _, name := range []string{"b", "a"} {
		if err := k.Keep(deployments, []byte(`{"kind":"Deployment","apiVersion":"apps/v1","metadata":{"namespace":"kept","name":"`+name+`","resourceVersion":"7"}}`)); err != nil {
			t.Fatal(err)
		}
	}
	if err := k.Keep(deployments.GroupVersion().WithResource("nothing"), []byte(`{}`)); err == nil {
		t.Error("an object of a kind that is not served was kept")
	}
	all, err := dynamicClient(t, config).Resource(deployments).Namespace("kept").List(t.Context(), metav1.ListOptions{})
	if err != nil || len(all.Items) != 2 || all.Items[0].GetName() != "a" || all.Items[1].GetResourceVersion() != "7" {
		t.Errorf("kept were a and b of version 7, listed %v, %v", all, err)
	}
}
