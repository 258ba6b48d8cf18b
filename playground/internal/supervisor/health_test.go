package supervisor

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"

	"github.com/kairship-io/kairship/playground/internal/pki"
	"github.com/kairship-io/kairship/playground/internal/process"
)

// A member that was removed and made again has another authority, in the same file.
func TestAProberReadsCredentialsAnewAfterAFailure(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	t.Cleanup(server.Close)
	former, err := pki.Open(t.TempDir(), "former")
	if err != nil {
		t.Fatal(err)
	}
	ca := filepath.Join(t.TempDir(), "ca.crt")
	write := func(text []byte) {
		t.Helper()
		if err := os.WriteFile(ca, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	p := &Prober{}
	e := process.Endpoint{URL: server.URL, CA: ca}
	text, err := os.ReadFile(former.CA().Cert)
	if err != nil {
		t.Fatal(err)
	}
	write(text)
	if _, _, err := p.get(t.Context(), e); err == nil {
		t.Fatal("another authority's server is trusted")
	}
	write(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}))
	if _, code, err := p.get(t.Context(), e); err != nil || code != http.StatusOK {
		t.Errorf("%d, %v", code, err)
	}
}
