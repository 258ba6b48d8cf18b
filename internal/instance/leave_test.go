package instance

import (
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/metrics"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// kept counts the transports that client-go makes, and may keep for good.
type kept struct{ n atomic.Int64 }

func (k *kept) Increment(string) { k.n.Add(1) }

func TestNothingIsLeftOfFiftyCredentials(t *testing.T) {
	transports := &kept{}
	before := metrics.TransportCreateCalls
	metrics.TransportCreateCalls = transports
	t.Cleanup(func() { metrics.TransportCreateCalls = before })
	s := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/"):
			_, _ = io.WriteString(w, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"kube-system","uid":"u"}}`)
		case r.URL.Query().Get("watch") != "" && r.URL.Query().Get("sendInitialEvents") != "":
			_, _ = io.WriteString(w, `{"type":"BOOKMARK","object":{"kind":"Cluster","apiVersion":"cluster.karmada.io/v1alpha1","metadata":`+
				`{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}}`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case r.URL.Query().Get("watch") != "":
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		case strings.HasSuffix(r.URL.Path, "/clusters"):
			_, _ = io.WriteString(w, `{"kind":"ClusterList","apiVersion":"cluster.karmada.io/v1alpha1","metadata":{"resourceVersion":"1"},"items":[]}`)
		default:
			_, _ = io.WriteString(w, `{}`)
		}
	}))
	open := testenv.CountConnections(s)
	s.EnableHTTP2 = true
	s.StartTLS()
	defer s.Close()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw})
	cfg := Config{Timeout: 10 * time.Second, ProbeInterval: time.Second, Clock: clock.RealClock{}, Logger: slog.New(slog.DiscardHandler)}

	goroutines := runtime.NumGoroutine()
	var old *Connection
	for i := range 50 {
		ready := make(chan struct{})
		conn, err := newConnection(cfg, "asia", &kubeconfig.Credential{Host: s.URL, CAData: authority, BearerToken: fmt.Sprint("token-", i)}, old, func() { close(ready) })
		if err != nil {
			t.Fatal(err)
		}
		<-ready
		if old != nil {
			old.Close()
		}
		// What people read, what is proxied for them, and what is asked with a credential that was replaced a moment ago.
		for _, from := range []*Connection{conn, old} {
			if from == nil {
				continue
			}
			for _, upgrade := range []string{"", "websocket"} {
				config, err := from.As(auth.Principal{Name: fmt.Sprint("kairship:oidc:", i)})
				if err != nil {
					t.Fatal(err)
				}
				client, err := rest.HTTPClientFor(config)
				if err != nil {
					t.Fatal(err)
				}
				r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/api", http.NoBody)
				if err != nil {
					t.Fatal(err)
				}
				if upgrade != "" {
					r.Header.Set("Connection", "Upgrade")
					r.Header.Set("Upgrade", upgrade)
				}
				res, err := client.Do(r)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = io.Copy(io.Discard, res.Body)
				_ = res.Body.Close()
			}
		}
		old = conn
	}
	if n := open.Load(); n == 0 {
		t.Error("no connection is counted")
	}
	old.Close()
	old.Wait()
	testenv.Eventually(t, func() string {
		if n, g := open.Load(), runtime.NumGoroutine(); n != 0 || g > goroutines+5 {
			return fmt.Sprintf("%d connections and %d goroutines, %d before", n, g, goroutines)
		}
		return ""
	})
	if n := transports.n.Load(); n != 0 {
		t.Errorf("client-go made %d transports, which it may keep for good", n)
	}
}
