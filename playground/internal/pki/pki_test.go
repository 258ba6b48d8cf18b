package pki

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

func TestACertificateSpeaksForItsSubject(t *testing.T) {
	a := authority(t, t.TempDir())
	p := issue(t, a, "admin", Subject{User: "system:admin", Groups: []string{"system:masters"}})
	c := certificate(t, p)
	if c.Subject.CommonName != "system:admin" || !cmp.Equal(c.Subject.Organization, []string{"system:masters"}) {
		t.Errorf("subject is %v", c.Subject)
	}
	if diff := cmp.Diff([]x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}, c.ExtKeyUsage); diff != "" {
		t.Errorf("a person's certificate may serve (-want +got):\n%s", diff)
	}
}

func TestIssue(t *testing.T) {
	server := Subject{User: "server", Hosts: []string{"localhost", "127.0.0.1"}}
	tests := map[string]struct {
		second Subject
		later  time.Duration
		same   bool
	}{
		"what is right is left alone":                 {second: server, same: true},
		"another host makes a new one":                {second: Subject{User: "server", Hosts: []string{"localhost", "127.0.0.2"}}},
		"another name makes a new one":                {second: Subject{User: "other", Hosts: server.Hosts}},
		"another group makes a new one":               {second: Subject{User: "server", Groups: []string{"g"}, Hosts: server.Hosts}},
		"one that soon ends is made anew":             {second: server, later: lifetime - renewBefore + 2*time.Hour},
		"one that lasts a while longer is left alone": {second: server, later: lifetime - renewBefore - 2*time.Hour, same: true},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			now := time.Now()
			a, err := open(t.TempDir(), "asia", func() time.Time { return now })
			if err != nil {
				t.Fatal(err)
			}
			first := certificate(t, issue(t, a, "server", server)).SerialNumber
			now = now.Add(tt.later)
			second := certificate(t, issue(t, a, "server", tt.second)).SerialNumber
			if same := first.Cmp(second) == 0; same != tt.same {
				t.Errorf("same certificate: %v, want %v", same, tt.same)
			}
		})
	}
}

func TestAnAuthorityOpenedAgainIsTheSame(t *testing.T) {
	dir := t.TempDir()
	first, again := authority(t, dir), authority(t, dir)
	if !first.cert.Equal(again.cert) {
		t.Error("another authority was made")
	}
	keyA, err := first.ServiceAccounts()
	if err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(keyA.Key)
	if err != nil {
		t.Fatal(err)
	}
	keyB, err := again.ServiceAccounts()
	if err != nil {
		t.Fatal(err)
	}
	after, err := os.ReadFile(keyB.Key)
	if err != nil {
		t.Fatal(err)
	}
	if string(before) != string(after) {
		t.Error("the service account key changed: all tokens would be void")
	}
}

func TestACertificateOfAnotherAuthorityIsReplaced(t *testing.T) {
	dir := t.TempDir()
	s := Subject{User: "admin"}
	first := certificate(t, issue(t, authority(t, dir), "admin", s))
	for _, f := range []string{"ca.crt", "ca.key"} {
		if err := os.Remove(filepath.Join(dir, f)); err != nil {
			t.Fatal(err)
		}
	}
	a := authority(t, dir)
	second := certificate(t, issue(t, a, "admin", s))
	if second.Equal(first) || second.CheckSignatureFrom(a.cert) != nil {
		t.Error("a certificate stayed that the new authority has not signed")
	}
}

func TestAKubeconfigOpensItsServerAndNoOther(t *testing.T) {
	dir := t.TempDir()
	asia, europe := authority(t, filepath.Join(dir, "asia")), authority(t, filepath.Join(dir, "europe"))
	srv := serve(t, asia)
	path := filepath.Join(dir, "kubeconfig.yaml")

	admin := issue(t, asia, "admin", Subject{User: "system:admin"})
	if got := ask(t, path, srv.URL, asia, admin); got != "system:admin" {
		t.Errorf("with its own certificate the server sees %q", got)
	}
	stranger := issue(t, europe, "admin", Subject{User: "system:admin"})
	if got := ask(t, path, srv.URL, asia, stranger); !strings.HasPrefix(got, "error: ") {
		t.Errorf("with another authority's certificate the server sees %q, want a refusal", got)
	}
	if got := ask(t, path, srv.URL, europe, admin); !strings.HasPrefix(got, "error: ") {
		t.Errorf("trusting another authority the client sees %q, want a refusal", got)
	}
}

func TestKeysAreTheirOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	a := authority(t, dir)
	issue(t, a, "admin", Subject{User: "admin"})
	if _, err := a.ServiceAccounts(); err != nil {
		t.Fatal(err)
	}
	keys, err := filepath.Glob(filepath.Join(dir, "*.key"))
	if err != nil || len(keys) != 3 {
		t.Fatalf("keys: %v, %v", keys, err)
	}
	for _, k := range keys {
		i, err := os.Stat(k)
		if err != nil {
			t.Fatal(err)
		}
		if i.Mode().Perm() != 0o600 {
			t.Errorf("%s has mode %v", k, i.Mode().Perm())
		}
	}
}

func authority(t *testing.T, dir string) *Authority {
	t.Helper()
	a, err := Open(dir, filepath.Base(dir))
	if err != nil {
		t.Fatal(err)
	}
	return a
}

func issue(t *testing.T, a *Authority, name string, s Subject) Pair {
	t.Helper()
	p, err := a.Issue(name, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func certificate(t *testing.T, p Pair) *x509.Certificate {
	t.Helper()
	c, _, err := load(p)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// serve answers with the name of whoever asks.
func serve(t *testing.T, a *Authority) *httptest.Server {
	t.Helper()
	p := issue(t, a, "server", Subject{User: "server", Hosts: []string{"127.0.0.1"}})
	pair, err := tls.LoadX509KeyPair(p.Cert, p.Key)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Write([]byte(r.TLS.PeerCertificates[0].Subject.CommonName))
	}))
	srv.TLS = &tls.Config{Certificates: []tls.Certificate{pair}, ClientCAs: pool, ClientAuth: tls.RequireAndVerifyClientCert}
	srv.StartTLS()
	t.Cleanup(srv.Close)
	return srv
}

func ask(t *testing.T, path, server string, trusted *Authority, client Pair) string {
	t.Helper()
	if err := WriteKubeconfig(path, "asia", server, trusted.CA().Cert, client); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := rest.HTTPClientFor(config)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := h.Get(server)
	if err != nil {
		return "error: " + err.Error()
	}
	defer resp.Body.Close()
	b := make([]byte, 100)
	n, _ := resp.Body.Read(b)
	return string(b[:n])
}
