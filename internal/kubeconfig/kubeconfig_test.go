package kubeconfig_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/kairship-io/kairship/internal/kubeconfig"
)

// secretMark is part of every credential below; no error may repeat it.
const secretMark = "do-not-tell"

func keyPair(t *testing.T) (certPEM, keyPEM []byte) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "test"}, NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}), pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
}

// written returns a good kubeconfig after an edit, as a file.
func written(t *testing.T, ca, cert, key []byte, edit func(*clientcmdapi.Config)) []byte {
	t.Helper()
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
		t.Fatal(err)
	}
	return raw
}

func TestParseAcceptsOnlyWhatIsInline(t *testing.T) {
	cert, key := keyPair(t)
	for name, tt := range map[string]struct {
		edit func(*clientcmdapi.Config)
		want *rest.Config
	}{
		"a client certificate": {
			want: &rest.Config{Host: "https://karmada.example:5443", TLSClientConfig: rest.TLSClientConfig{CAData: cert, CertData: cert, KeyData: key}},
		},
		"a token, with a path in the address": {
			edit: func(c *clientcmdapi.Config) {
				c.Clusters["c"].Server = "https://gateway.example/karmada/asia/"
				c.AuthInfos["u"] = &clientcmdapi.AuthInfo{Token: "abc.def"}
			},
			want: &rest.Config{Host: "https://gateway.example/karmada/asia", BearerToken: "abc.def", TLSClientConfig: rest.TLSClientConfig{CAData: cert}},
		},
		"a plugin in a context that is not the current one": {
			edit: func(c *clientcmdapi.Config) {
				c.AuthInfos["other"] = &clientcmdapi.AuthInfo{Exec: &clientcmdapi.ExecConfig{Command: "sh", APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"}}
				c.Contexts["other"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "other"}
			},
			want: &rest.Config{Host: "https://karmada.example:5443", TLSClientConfig: rest.TLSClientConfig{CAData: cert, CertData: cert, KeyData: key}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := kubeconfig.Parse(written(t, cert, cert, key, tt.edit))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want.String(), got.String()); diff != "" {
				t.Errorf("config (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.want.TLSClientConfig, got.TLSClientConfig); diff != "" {
				t.Errorf("TLS settings (-want +got):\n%s", diff)
			}
			if got.BearerToken != tt.want.BearerToken {
				t.Errorf("token: want %q, got %q", tt.want.BearerToken, got.BearerToken)
			}
		})
	}
}

func TestParseNamesTheFieldItRefuses(t *testing.T) {
	cert, key := keyPair(t)
	_, otherKey := keyPair(t)
	user := func(edit func(*clientcmdapi.AuthInfo)) func(*clientcmdapi.Config) {
		return func(c *clientcmdapi.Config) { edit(c.AuthInfos["u"]) }
	}
	cluster := func(edit func(*clientcmdapi.Cluster)) func(*clientcmdapi.Config) {
		return func(c *clientcmdapi.Config) { edit(c.Clusters["c"]) }
	}
	for name, tt := range map[string]struct {
		edit  func(*clientcmdapi.Config)
		field string
	}{
		"a program to run": {user(func(u *clientcmdapi.AuthInfo) {
			u.Exec = &clientcmdapi.ExecConfig{Command: "sh", Args: []string{"-c", secretMark}, APIVersion: "client.authentication.k8s.io/v1", InteractiveMode: "Never"}
		}), `users["u"].user.exec`},
		"an auth provider": {user(func(u *clientcmdapi.AuthInfo) {
			u.AuthProvider = &clientcmdapi.AuthProviderConfig{Name: "gcp", Config: map[string]string{"access-token": secretMark}}
		}), `users["u"].user.auth-provider`},
		"a certificate file":              {user(func(u *clientcmdapi.AuthInfo) { u.ClientCertificate = "/etc/" + secretMark }), `users["u"].user.client-certificate`},
		"a key file":                      {user(func(u *clientcmdapi.AuthInfo) { u.ClientKey = "/etc/" + secretMark }), `users["u"].user.client-key`},
		"a token file":                    {user(func(u *clientcmdapi.AuthInfo) { u.TokenFile = "/etc/" + secretMark }), `users["u"].user.tokenFile`},
		"a user name":                     {user(func(u *clientcmdapi.AuthInfo) { u.Username = secretMark }), `users["u"].user.username`},
		"a password":                      {user(func(u *clientcmdapi.AuthInfo) { u.Password = secretMark }), `users["u"].user.password`},
		"a user to impersonate":           {user(func(u *clientcmdapi.AuthInfo) { u.Impersonate = "system:admin" }), `users["u"].user.as`},
		"a uid to impersonate":            {user(func(u *clientcmdapi.AuthInfo) { u.ImpersonateUID = "1" }), `users["u"].user.as-uid`},
		"a group to impersonate":          {user(func(u *clientcmdapi.AuthInfo) { u.ImpersonateGroups = []string{"system:masters"} }), `users["u"].user.as-groups`},
		"extra fields to impersonate":     {user(func(u *clientcmdapi.AuthInfo) { u.ImpersonateUserExtra = map[string][]string{"a": {"b"}} }), `users["u"].user.as-user-extra`},
		"a certificate without its key":   {user(func(u *clientcmdapi.AuthInfo) { u.ClientKeyData = nil }), `users["u"].user.client-key-data`},
		"a key without its certificate":   {user(func(u *clientcmdapi.AuthInfo) { u.ClientCertificateData = nil }), `users["u"].user.client-certificate-data`},
		"the key of another certificate":  {user(func(u *clientcmdapi.AuthInfo) { u.ClientKeyData = otherKey }), `users["u"].user.client-certificate-data`},
		"a key that is no key":            {user(func(u *clientcmdapi.AuthInfo) { u.ClientKeyData = []byte(secretMark) }), `users["u"].user.client-certificate-data`},
		"no credential":                   {user(func(u *clientcmdapi.AuthInfo) { *u = clientcmdapi.AuthInfo{} }), `users["u"].user`},
		"a token with a line break":       {user(func(u *clientcmdapi.AuthInfo) { *u = clientcmdapi.AuthInfo{Token: secretMark + "\nHost: x"} }), `users["u"].user.token`},
		"a certificate authority's file":  {cluster(func(c *clientcmdapi.Cluster) { c.CertificateAuthority = "/etc/" + secretMark }), `clusters["c"].cluster.certificate-authority`},
		"no certificate authority":        {cluster(func(c *clientcmdapi.Cluster) { c.CertificateAuthorityData = nil }), `clusters["c"].cluster.certificate-authority-data`},
		"a certificate authority in DER":  {cluster(func(c *clientcmdapi.Cluster) { c.CertificateAuthorityData = []byte("0") }), `clusters["c"].cluster.certificate-authority-data`},
		"a server that is not checked":    {cluster(func(c *clientcmdapi.Cluster) { c.InsecureSkipTLSVerify = true; c.CertificateAuthorityData = nil }), `clusters["c"].cluster.insecure-skip-tls-verify`},
		"a proxy":                         {cluster(func(c *clientcmdapi.Cluster) { c.ProxyURL = "http://" + secretMark + "@proxy" }), `clusters["c"].cluster.proxy-url`},
		"a server by another name":        {cluster(func(c *clientcmdapi.Cluster) { c.TLSServerName = "other" }), `clusters["c"].cluster.tls-server-name`},
		"no server":                       {cluster(func(c *clientcmdapi.Cluster) { c.Server = "" }), `clusters["c"].cluster.server`},
		"a server without encryption":     {cluster(func(c *clientcmdapi.Cluster) { c.Server = "http://karmada" }), `clusters["c"].cluster.server`},
		"a server without a scheme":       {cluster(func(c *clientcmdapi.Cluster) { c.Server = "karmada:5443" }), `clusters["c"].cluster.server`},
		"a server with a password":        {cluster(func(c *clientcmdapi.Cluster) { c.Server = "https://me:" + secretMark + "@karmada" }), `clusters["c"].cluster.server`},
		"a server with a query":           {cluster(func(c *clientcmdapi.Cluster) { c.Server = "https://karmada/?token=" + secretMark }), `clusters["c"].cluster.server`},
		"a socket on this machine":        {cluster(func(c *clientcmdapi.Cluster) { c.Server = "unix:///run/docker.sock" }), `clusters["c"].cluster.server`},
		"no current context":              {func(c *clientcmdapi.Config) { c.CurrentContext = "" }, `current-context`},
		"a current context that is not":   {func(c *clientcmdapi.Config) { c.CurrentContext = "y" }, `current-context`},
		"a context whose cluster is not":  {func(c *clientcmdapi.Config) { c.Contexts["x"].Cluster = "z" }, `contexts["x"].context.cluster`},
		"a context whose user is missing": {func(c *clientcmdapi.Config) { c.Contexts["x"].AuthInfo = "z" }, `contexts["x"].context.user`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kubeconfig.Parse(written(t, cert, cert, key, tt.edit))
			var refused *kubeconfig.FieldError
			if !errors.As(err, &refused) {
				t.Fatalf("want a FieldError, got %v", err)
			}
			if diff := cmp.Diff(tt.field, refused.Field); diff != "" {
				t.Errorf("field (-want +got):\n%s", diff)
			}
			if strings.Contains(err.Error(), secretMark) {
				t.Errorf("the error repeats what it refuses: %v", err)
			}
		})
	}
}

func TestParseRefusesWhatIsNoKubeconfig(t *testing.T) {
	for name, raw := range map[string]string{
		"nothing":                   "",
		"something else":            secretMark,
		"YAML that breaks off":      "apiVersion: v1\nkind: Config\nusers: [{name: " + secretMark,
		"another kind":              "apiVersion: v1\nkind: Secret\ndata: {token: " + secretMark + "}",
		"a token that is no string": "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user: {token: {" + secretMark + ": 1}}",
		"data that is no base64":    "apiVersion: v1\nkind: Config\nusers:\n- name: u\n  user: {client-key-data: '" + secretMark + "!'}",
		"far too much":              "apiVersion: v1\nkind: Config\n#" + strings.Repeat("x", kubeconfig.MaxSize),
	} {
		t.Run(name, func(t *testing.T) {
			_, err := kubeconfig.Parse([]byte(raw))
			var refused *kubeconfig.FieldError
			if !errors.As(err, &refused) {
				t.Fatalf("want a FieldError, got %v", err)
			}
			if strings.Contains(err.Error(), secretMark) {
				t.Errorf("the error repeats what it refuses: %v", err)
			}
		})
	}
}

func FuzzParseNeverPanicsNorAcceptsPlugins(f *testing.F) {
	f.Add([]byte("apiVersion: v1\nkind: Config\ncurrent-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\nclusters: [{name: c, cluster: {server: 'https://a'}}]\nusers: [{name: u, user: {token: t}}]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		config, err := kubeconfig.Parse(raw)
		if err != nil {
			return
		}
		if config.ExecProvider != nil || config.AuthProvider != nil || config.Insecure || config.CAFile != "" || config.CertFile != "" || config.KeyFile != "" || config.BearerTokenFile != "" || config.Proxy != nil {
			t.Errorf("accepted more than inline credentials: %v", config)
		}
		if len(config.CAData) == 0 {
			t.Error("accepted a server that is not checked")
		}
	})
}
