package karmada

import (
	"encoding/pem"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
)

// linked is an instance that is reached as every instance is.
type linked struct {
	unreachable
	link *link.Link
}

func (l linked) As(auth.Principal) (*rest.Config, error) { return l.link.Config(), nil }

func TestNoMoreOfAMemberIsReadThanIsAskedFor(t *testing.T) {
	kubeconfig.SetNetworks(netip.MustParsePrefix("127.0.0.0/8"))
	t.Cleanup(func() { kubeconfig.SetNetworks() })
	sent := 0
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		text := strings.Repeat(" ", sent-len("{}")) + "{}"
		_, _ = io.WriteString(w, text)
	}))
	defer s.Close()
	l, err := link.Open(&kubeconfig.Credential{Host: s.URL, CAData: pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.Certificate().Raw}), BearerToken: "t"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	m, err := OpenMember(t.Context(), linked{unreachable{t}, l}, admin, "osaka")
	if err != nil {
		t.Fatal(err)
	}
	const most = 100_000
	for what, read := range map[string]func() ([]byte, error){
		`ConfigMap "settings"`: func() ([]byte, error) {
			return m.Get(t.Context(), model.Ref{GVK: configMapKind, Namespace: "shop", Name: "settings"}, most)
		},
		`the list of services of namespace "shop"`: func() ([]byte, error) {
			return m.List(t.Context(), schema.GroupVersionResource{Version: "v1", Resource: "services"}, "shop", 10, most)
		},
	} {
		sent = most
		if raw, err := read(); err != nil || len(raw) != most {
			t.Errorf("%s of %d bytes: %d are read, %v", what, sent, len(raw), err)
		}
		sent = most + 1
		_, err := read()
		var e *model.Error
		want := what + ` of cluster "osaka" has more than the 100000 bytes that are read of it`
		if !errors.As(err, &e) || e.Code != model.CodeLimitExceeded || e.Retryable || e.Message != want {
			t.Errorf("%s of %d bytes: %v, want %s", what, sent, err, want)
		}
	}
}
