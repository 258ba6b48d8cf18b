package connection

import (
	"encoding/pem"
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

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func TestNoMoreObjectsAreHeldThanThereMayBe(t *testing.T) {
	w := newWatched(&Connection{ctx: t.Context()}, &Watch{Most: 3})
	named := func(i int) *metav1.PartialObjectMetadata {
		return &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{
			Name: fmt.Sprint("c", i), ManagedFields: []metav1.ManagedFieldsEntry{{Manager: "karmada"}},
		}}
	}
	holds := func(what string, n int, over bool) {
		t.Helper()
		if _, err := w.state(); len(w.sorted()) != n || errors.Is(err, link.ErrTooLarge) != over {
			t.Errorf("%s: %d are held, %v", what, len(w.sorted()), err)
		}
	}
	for i := range 3 {
		if err := w.Add(named(i)); err != nil {
			t.Fatal(err)
		}
	}
	holds("as many as there may be", 3, false)
	if o := w.get("", "c1"); o == nil || len(o.GetManagedFields()) > 0 {
		t.Errorf("held is %v", o)
	}
	changed := named(1)
	changed.ResourceVersion = "2"
	if err := errors.Join(w.Update(changed), w.Add(named(3))); err != nil {
		t.Fatal(err)
	}
	if holds("one more", 3, true); w.get("", "c1").GetResourceVersion() != "2" {
		t.Error("a change of what is held was not taken")
	}
	all := []any{named(0), named(1), named(2), named(3)}
	if err := w.Replace(all, ""); err != nil {
		t.Fatal(err)
	}
	holds("a list with one more", 3, true)
	if err := w.Replace(all[1:], ""); err != nil {
		t.Fatal(err)
	}
	holds("a list that fits", 3, false)
}

func TestAKarmadaThatNeverAnsweredIsAskedNowAndThen(t *testing.T) {
	const pause = 50 * time.Millisecond
	var asked atomic.Int32
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		w.WriteHeader(http.StatusServiceUnavailable)
	}))
	defer s.Close()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	began := time.Now()
	c, err := Open("asia", &kubeconfig.Credential{Host: s.URL, CAData: authority, BearerToken: "t"},
		Options{Logger: slog.New(slog.DiscardHandler), QPS: -1, RetryMin: pause, RetryMax: pause, Heartbeat: pause}, []*Watch{Clusters}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Wait()
	defer c.Close()
	testenv.Eventually(t, func() string {
		n, most := int(asked.Load()), int(time.Since(began)/pause)+2
		if n > most {
			t.Fatalf("it was asked %d times where %d are enough", n, most)
		}
		if n < 5 {
			return fmt.Sprintf("it was asked %d times", n)
		}
		return ""
	})
}

func TestAListEnds(t *testing.T) {
	var pages, whole atomic.Int32
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		q := r.URL.Query()
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/"):
			_, _ = io.WriteString(w, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"kube-system","uid":"u"}}`)
		case q.Get("watch") != "": // by which a list may be asked for, too: not every API server knows how
			w.WriteHeader(http.StatusUnprocessableEntity)
		default:
			if q.Get("limit") != "" && q.Get("resourceVersion") == "0" {
				whole.Add(1)
			}
			pages.Add(1)
			_, _ = io.WriteString(w, `{"kind":"ClusterList","apiVersion":"cluster.karmada.io/v1alpha1","metadata":{"resourceVersion":"1","continue":"more"},"items":[]}`)
		}
	}))
	defer s.Close()
	ended := make(chan int32, 1)
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	var c *Connection
	opened := make(chan struct{})
	c, err := Open("asia", &kubeconfig.Credential{Host: s.URL, CAData: authority, BearerToken: "t"}, Options{Logger: slog.New(slog.DiscardHandler), QPS: -1},
		[]*Watch{Clusters}, func(w *Watch, _, _ Object) {
			<-opened
			if w != nil && errors.Is(c.State(Clusters).Err, link.ErrTooLarge) {
				select {
				case ended <- pages.Load():
				default:
				}
			}
		})
	if err != nil {
		t.Fatal(err)
	}
	close(opened)
	defer c.Wait()
	defer c.Close()
	select {
	case n := <-ended:
		if n != link.MaxPages || whole.Load() > 0 {
			t.Errorf("%d pages were asked for, %d times without heed of their length", n, whole.Load())
		}
	case <-time.After(testenv.Timeout):
		t.Errorf("the list does not end: %d pages", pages.Load())
	}
}
