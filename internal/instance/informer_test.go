package instance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	karmadaclient "github.com/karmada-io/karmada/pkg/generated/clientset/versioned"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	toolscache "k8s.io/client-go/tools/cache"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

func TestNoMoreClustersAreRememberedThanThereMayBe(t *testing.T) {
	store := toolscache.NewIndexer(toolscache.MetaNamespaceKeyFunc, toolscache.Indexers{})
	conn := &Connection{instance: "asia", clusters: followed{store: store}}
	named := func(name string) *clusterv1alpha1.Cluster {
		return &clusterv1alpha1.Cluster{ObjectMeta: metav1.ObjectMeta{Name: name, ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "karmada"}}}}
	}
	for i := range maxClusters - 1 {
		if err := store.Add(named(fmt.Sprint("c", i))); err != nil {
			t.Fatal(err)
		}
	}
	last, err := conn.takeCluster(named("last"))
	if err != nil {
		t.Fatalf("the last one for which there is room: %v", err)
	}
	if c, ok := last.(*clusterv1alpha1.Cluster); !ok || c.Name != "last" || len(c.ManagedFields) > 0 {
		t.Errorf("remembered is %v", last)
	}
	if err := store.Add(last); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.takeCluster(named("one-more")); !errors.Is(err, kubeconfig.ErrTooLarge) {
		t.Errorf("one more: %v", err)
	}
	if _, err := conn.takeCluster(named("c7")); err != nil {
		t.Errorf("one that is known already: %v", err)
	}
}

func TestAListOfClustersEnds(t *testing.T) {
	var pages, whole atomic.Int32
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := r.URL.Query()
		if q.Get("watch") != "" { // by which a list may be asked for, too: not every API server knows how
			w.WriteHeader(http.StatusUnprocessableEntity)
			return
		}
		if q.Get("limit") != "" && q.Get("resourceVersion") == "0" {
			whole.Add(1)
		}
		if pages.Add(1) > 2*kubeconfig.MaxPages {
			cancel() // it does not end
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = fmt.Fprint(w, `{"kind":"ClusterList","apiVersion":"cluster.karmada.io/v1alpha1","metadata":{"resourceVersion":"1","continue":"more"},"items":[]}`)
	}))
	defer s.Close()
	karmada, err := karmadaclient.NewForConfig(&rest.Config{Host: s.URL, QPS: -1})
	if err != nil {
		t.Fatal(err)
	}
	informer := newClusterInformer(karmada)
	if err := informer.SetWatchErrorHandler(func(_ *toolscache.Reflector, err error) {
		if !errors.Is(err, kubeconfig.ErrTooLarge) {
			t.Errorf("the list ends with %v", err)
		}
		cancel()
	}); err != nil {
		t.Fatal(err)
	}
	informer.Run(ctx.Done())
	if n := pages.Load(); n != kubeconfig.MaxPages || whole.Load() > 0 {
		t.Errorf("%d pages were asked for, %d times without heed of their length", n, whole.Load())
	}
}
