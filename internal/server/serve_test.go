package server

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().String()
}

// certificate writes a certificate for 127.0.0.1 and gives who trusts it.
func certificate(t *testing.T) (cert, key string, trust *x509.CertPool) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, private.Public(), private)
	if err != nil {
		t.Fatal(err)
	}
	rawKey, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	trust = x509.NewCertPool()
	cert, key = filepath.Join(t.TempDir(), "tls.crt"), filepath.Join(t.TempDir(), "tls.key")
	pemCert := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	trust.AppendCertsFromPEM(pemCert)
	for name, raw := range map[string][]byte{cert: pemCert, key: pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: rawKey})} {
		if err := os.WriteFile(name, raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key, trust
}

func TestServe(t *testing.T) {
	f := newFixture(t)
	plainAddress, secureAddress := freeAddress(t), freeAddress(t)
	cert, key, trust := certificate(t)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() {
		ended <- f.Serve(ctx, ServeConfig{HTTPAddress: plainAddress, HTTPSAddress: secureAddress, CertFile: cert, KeyFile: key, DrainTimeout: patience})
	}()
	client := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: &tls.Config{RootCAs: trust}}}
	for _, tc := range []struct{ url, protocol, hsts string }{
		{"http://" + plainAddress, "HTTP/1.1", ""},
		{"https://" + secureAddress, "HTTP/2.0", "max-age=31536000"},
	} {
		var protocol, hsts string
		eventually(t, tc.url+" answers", func() bool {
			res, err := client.Get(tc.url + "/healthz")
			if err != nil {
				return false
			}
			defer res.Body.Close()
			protocol, hsts = res.Proto, res.Header.Get("Strict-Transport-Security")
			return true
		})
		if protocol != tc.protocol || hsts != tc.hsts {
			t.Errorf("%s: %s, HSTS %q", tc.url, protocol, hsts)
		}
	}

	// A request that runs when the server is told to stop gets its answer.
	answered := make(chan int, 1)
	go func() {
		req, _ := http.NewRequest(http.MethodPost, "http://"+plainAddress+"/graphql", strings.NewReader(`{"query":"query Slow{wait}"}`))
		req.Header.Set("Authorization", "Bearer admin")
		req.Header.Set("Content-Type", "application/json")
		res, err := client.Do(req)
		if err != nil {
			t.Error(err)
			answered <- 0
			return
		}
		defer res.Body.Close()
		answered <- res.StatusCode
	}()
	eventually(t, "the request runs", func() bool { return f.cost() == 1 })
	stop()
	eventually(t, "the server stops taking requests", func() bool {
		conn, err := net.Dial("tcp", plainAddress)
		if err == nil {
			_ = conn.Close()
		}
		return err != nil
	})
	close(f.schema.wait)
	if status := <-answered; status != http.StatusOK {
		t.Errorf("the running request was answered with %d", status)
	}
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}

// cost is how many operations have been priced: those that run or have run.
func (f *fixture) cost() uint64 {
	families, err := f.registry.Gather()
	if err != nil {
		f.t.Fatal(err)
	}
	for _, family := range families {
		if family.GetName() == "kairship_graphql_operation_cost" {
			return family.Metric[0].GetHistogram().GetSampleCount()
		}
	}
	return 0
}

func TestServeSaysWhatIsWrong(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, tc := range []struct {
		name string
		cfg  ServeConfig
		want string
	}{
		{"a port that is taken", ServeConfig{HTTPAddress: taken.Addr().String()}, "listening for http on " + taken.Addr().String()},
		{"no address at all", ServeConfig{}, "neither an address for http nor one for https"},
		{"no certificate", ServeConfig{HTTPSAddress: "127.0.0.1:0", CertFile: "/nowhere/tls.crt", KeyFile: "/nowhere/tls.key"}, "/nowhere/tls.crt"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			err := newFixture(t).Serve(t.Context(), tc.cfg)
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want it to say %q", err, tc.want)
			}
		})
	}
}
