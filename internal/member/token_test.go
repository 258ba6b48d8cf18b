package member

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func TestATokenIsReadAsItIsWrittenAndItsSecretIsNotPrinted(t *testing.T) {
	for range 100 {
		token := NewToken()
		read, err := ParseToken(token.Reveal())
		if err != nil || *read != *token {
			t.Fatalf("%s is read as %v, %v", token.Reveal(), read, err)
		}
		if text := fmt.Sprintf("%v %+v %#v %s", token, token, token, token); strings.Contains(text, token.secret) {
			t.Errorf("the secret is printed: %s", text)
		}
	}
	for _, text := range []string{"", "abcdef", "abcdef.0123", "ABCDEF.0123456789abcdef", "abcdef.0123456789abcdef\n"} {
		if token, err := ParseToken(text); err == nil {
			t.Errorf("%q is read as %v", text, token)
		}
	}
}

func TestASecretOfATokenIsWhatKubernetesReads(t *testing.T) {
	token, err := ParseToken("abcdef.0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	s := token.Secret(time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), "joins osaka")
	got := map[string]string{}
	data, _ := s["data"].(map[string]any)
	for key, value := range data {
		text, _ := value.(string)
		raw, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		got[key] = string(raw)
	}
	want := map[string]string{"token-id": "abcdef", "token-secret": "0123456789abcdef", "description": "joins osaka", "expiration": "2026-01-02T03:04:05Z",
		"usage-bootstrap-authentication": "true", "usage-bootstrap-signing": "true", "auth-extra-groups": "system:bootstrappers:karmada:default-cluster-token"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
	if s["type"] != "bootstrap.kubernetes.io/token" || token.Ref().Name != "bootstrap-token-abcdef" || token.Ref().Namespace != "kube-system" {
		t.Errorf("it is of type %v, called %v", s["type"], token.Ref())
	}
}

func TestHowLongATokenLives(t *testing.T) {
	for _, tt := range []struct{ asked, want time.Duration }{{0, time.Hour}, {-time.Hour, time.Hour}, {5 * time.Minute, 5 * time.Minute}, {100 * time.Hour, 24 * time.Hour}} {
		if got := TokenLifetime(&metav1.Duration{Duration: tt.asked}); got != tt.want {
			t.Errorf("asked for %s it lives %s, want %s", tt.asked, got, tt.want)
		}
	}
	if got := TokenLifetime(nil); got != time.Hour {
		t.Errorf("it lives %s", got)
	}
}

func authority(t *testing.T) (text, hash string) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, IsCA: true}
	raw, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.ParseCertificate(raw)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(certificate.RawSubjectPublicKeyInfo)
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: raw})), "sha256:" + hex.EncodeToString(sum[:])
}

func TestTheCommandThatRegistersACluster(t *testing.T) {
	ca, hash := authority(t)
	info := func(server, ca string) string {
		return fmt.Sprintf("apiVersion: v1\nkind: Config\nclusters: [{name: \"\", cluster: {server: %q, certificate-authority-data: %q}}]", server, ca)
	}
	server, hashes, err := Endpoint(info("https://karmada.example:6443", ca))
	if err != nil {
		t.Fatal(err)
	}
	token, err := ParseToken("abcdef.0123456789abcdef")
	if err != nil {
		t.Fatal(err)
	}
	r := Registration{Cluster: "osaka", Region: "jp", Zones: []string{"a", "b"}, KarmadaVersion: "v1.18.2", Server: server, CAHashes: hashes, Token: token}
	got, err := r.Command()
	if err != nil {
		t.Fatal(err)
	}
	want := "karmadactl register karmada.example:6443 --token abcdef.0123456789abcdef --discovery-token-ca-cert-hash " + hash +
		" --cluster-name osaka --cluster-region jp --cluster-zones a,b --karmada-agent-image docker.io/karmada/karmada-agent:v1.18.2"
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("command (-want +got):\n%s", diff)
	}
	unknown := r
	unknown.KarmadaVersion = ""
	if got, err := unknown.Command(); err != nil || strings.Contains(got, "image") {
		t.Errorf("where the version is not known: %s, %v", got, err)
	}
	for name, change := range map[string]func(*Registration){
		"a word that a shell would read":     func(r *Registration) { r.Region = "jp; rm -rf /" },
		"a zone with a quote":                func(r *Registration) { r.Zones = []string{"a'b"} },
		"a version that is more than one":    func(r *Registration) { r.KarmadaVersion = "latest" },
		"an address that a shell would read": func(r *Registration) { r.Server = "$(id)" },
		"a name with a space":                func(r *Registration) { r.Cluster = "osaka --token x" },
	} {
		changed := r
		change(&changed)
		if command, err := changed.Command(); err == nil {
			t.Errorf("%s: %s", name, command)
		}
	}
	for name, text := range map[string]string{
		"nothing":                      "",
		"no https":                     info("http://karmada.example", ca),
		"a path":                       info("https://karmada.example/x", ca),
		"no authority":                 info("https://karmada.example", ""),
		"an authority that is no text": info("https://karmada.example", "bm90aGluZw=="),
		"an address for a shell":       info("https://$(id)", ca),
	} {
		if server, _, err := Endpoint(text); err == nil {
			t.Errorf("%s: %s", name, server)
		}
	}
}
