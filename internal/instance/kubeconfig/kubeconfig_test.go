package kubeconfig_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

func keyPair(tb testing.TB) (certPEM, keyPEM []byte) {
	tb.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		tb.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		tb.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		tb.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// written returns a good kubeconfig after an edit, as a file.
func written(tb testing.TB, ca, cert, key []byte, edit func(*clientcmdapi.Config)) []byte {
	tb.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["c"] = &clientcmdapi.Cluster{Server: "https://karmada.example:5443/", CertificateAuthorityData: ca}
	config.AuthInfos["u"] = &clientcmdapi.AuthInfo{ClientCertificateData: cert, ClientKeyData: key}
	config.Contexts["x"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "u"}
	config.CurrentContext = "x"
	if edit != nil {
		edit(config)
	}
	raw, err := clientcmd.Write(*config)
	if err != nil {
		tb.Fatal(err)
	}
	return raw
}

func TestParseAcceptsOnlyWhatIsInline(t *testing.T) {
	cert, key := keyPair(t)
	for name, tt := range map[string]struct {
		edit func(*clientcmdapi.Config)
		want *kubeconfig.Credential
	}{
		"a client certificate": {
			want: &kubeconfig.Credential{Host: "https://karmada.example:5443", CAData: cert, CertData: cert, KeyData: key},
		},
		"a token, with a path in the address": {
			edit: func(c *clientcmdapi.Config) {
				c.Clusters["c"].Server = "https://gateway.example/karmada/asia/"
				c.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: "abc.def"}
			},
			want: &kubeconfig.Credential{Host: "https://gateway.example/karmada/asia", BearerToken: "abc.def", CAData: cert},
		},
		"an address of a private network": {
			edit: func(c *clientcmdapi.Config) { c.Clusters["c"].Server = "https://[fd12::7]:6443" },
			want: &kubeconfig.Credential{Host: "https://[fd12::7]:6443", CAData: cert, CertData: cert, KeyData: key},
		},
		"a plugin in a context that is not the current one": {
			edit: func(c *clientcmdapi.Config) {
				c.AuthInfos["other"] = &clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{Command: "sh", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"}}
				c.Contexts["other"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "other"}
			},
			want: &kubeconfig.Credential{Host: "https://karmada.example:5443", CAData: cert, CertData: cert, KeyData: key},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := kubeconfig.Parse(written(t, cert, cert, key, tt.edit))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("credential (-want +got):\n%s", diff)
			}
			for _, verb := range []string{"%v", "%+v", "%#v"} {
				if text := fmt.Sprintf(verb, got); got.BearerToken != "" && strings.Contains(text, got.BearerToken) || strings.Contains(text, "KEY") {
					t.Errorf("printed with %s it is %s", verb, text)
				}
			}
		})
	}
}

func FuzzParseNeverPanicsNorAcceptsPlugins(f *testing.F) {
	f.Add([]byte("apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://a'}}]\nusers: [{name: u, user: {token: t}}]"))
	cert, key := keyPair(f)
	for _, h := range corpus(f, trap{fifo: "/dev/null", canary: "/dev/null", listener: "192.0.2.1:1"}, cert, key) {
		f.Add(h.raw)
	}
	f.Add(written(f, cert, cert, key, nil))
	f.Fuzz(func(t *testing.T, raw []byte) {
		config, err := kubeconfig.Parse(raw)
		if err != nil {
			return
		}
		if config.BearerToken == "" && (len(config.CertData) == 0 || len(config.KeyData) == 0) {
			t.Errorf("accepted without an inline credential: %v", config)
		}
		if len(config.CAData) == 0 {
			t.Error("accepted a server that is not checked")
		}
		address, err := url.Parse(config.Host)
		if err != nil || address.Scheme != "https" || address.User != nil {
			t.Errorf("accepted the address %q", config.Host)
		} else if ip, err := netip.ParseAddr(address.Hostname()); err == nil && (ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()) {
			t.Errorf("accepted the address %s", ip)
		}
	})
}
