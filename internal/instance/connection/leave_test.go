package connection_test

import (
	"encoding/pem"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// empty is a Karmada without members that counts the connections to it.
func empty(t *testing.T) (credential *kubeconfig.Credential, open *atomic.Int32) {
	t.Helper()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case strings.HasPrefix(r.URL.Path, "/api/v1/namespaces/"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"kind":"PartialObjectMetadata","apiVersion":"meta.k8s.io/v1","metadata":{"name":"kube-system","uid":"empty"}}`)
		case r.URL.Query().Has("watch"):
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"type":"BOOKMARK","object":{"kind":"Cluster","apiVersion":"cluster.karmada.io/v1alpha1","metadata":`+
				`{"resourceVersion":"1","annotations":{"k8s.io/initial-events-end":"true"}}}}`)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		default:
			w.WriteHeader(http.StatusNotFound)
		}
	}))
	server.EnableHTTP2 = true
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	open = testenv.CountConnections(server)
	server.StartTLS()
	t.Cleanup(server.Close)
	return &kubeconfig.Credential{Host: server.URL, BearerToken: "t",
		CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})}, open
}

func TestNoConnectionStaysOpenToAnInstanceThatWasRemoved(t *testing.T) {
	credential, open := empty(t)
	// As the controllers' own wrapper, this one says nothing of the transport below.
	set, _ := newSet(t, 10*time.Second, func(next http.RoundTripper) http.RoundTripper { return roundTripper(next.RoundTrip) })
	c, err := set.Ensure("asia", credential)
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, "an answer", answers)
	if got := open.Load(); got != 1 {
		t.Errorf("%d connections are open, want one for all", got)
	}
	set.Remove("asia")
	testenv.Eventually(t, func() string {
		if n := open.Load(); n != 0 {
			return strconv.Itoa(int(n)) + " connections are open"
		}
		return ""
	})
}

func TestNoConnectionStaysOpenWithACredentialThatWasReplaced(t *testing.T) {
	credential, open := empty(t)
	set, _ := newSet(t, 10*time.Second)
	c, err := set.Ensure("asia", credential)
	if err != nil {
		t.Fatal(err)
	}
	until(t, c, "an answer", answers)
	rotated := *credential
	rotated.BearerToken = "another"
	var next *connection.Connection
	if next, err = set.Ensure("asia", &rotated); err != nil {
		t.Fatal(err)
	}
	until(t, next, "an answer", answers)
	testenv.Eventually(t, func() string {
		if n := open.Load(); n != 1 {
			return strconv.Itoa(int(n)) + " connections are open, want that of the new credential"
		}
		return ""
	})
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
