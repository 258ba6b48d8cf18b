package e2e

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"maps"
	"math/big"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func policyResource(name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: name}
}

// newCredential is a kubeconfig with another certificate for the same user of asia.
func newCredential(t *testing.T, old []byte) []byte {
	t.Helper()
	authority, err := tls.LoadX509KeyPair(filepath.Join(stateDir(), "pki", "asia", "ca.crt"), filepath.Join(stateDir(), "pki", "asia", "ca.key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	certificate, err := x509.CreateCertificate(rand.Reader, &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()),
		Subject:      pkix.Name{CommonName: "kairship", Organization: []string{"system:masters"}},
		NotBefore:    time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}, authority.Leaf, &key.PublicKey, authority.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	encodedKey, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := clientcmd.Load(old)
	if err != nil {
		t.Fatal(err)
	}
	user := kubeconfig.AuthInfos[kubeconfig.Contexts[kubeconfig.CurrentContext].AuthInfo]
	user.ClientCertificateData = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: certificate})
	user.ClientKeyData = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: encodedKey})
	raw, err := clientcmd.Write(*kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// credential is how an audit log names the certificate of a kubeconfig.
func credential(t *testing.T, kubeconfig []byte) string {
	t.Helper()
	config, err := clientcmd.RESTConfigFromKubeConfig(kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	block, _ := pem.Decode(config.CertData)
	if block == nil {
		t.Fatal("the kubeconfig has no certificate")
	}
	return fmt.Sprintf("X509SHA256=%x", sha256.Sum256(block.Bytes))
}

// audited are the requests to asia that one credential made after a moment, and those watches of theirs that
// have not ended.
func audited(t *testing.T, credential string, after time.Time) (made, open []string) {
	t.Helper()
	type request struct{ Stage, Verb, RequestURI, UserAgent, AuditID string }
	by := fmt.Sprintf(`"authentication.kubernetes.io/credential-id":[%q]`, credential)
	watches := map[string]string{}
	// A watch that an API server took with it has no end in its log.
	for r := range auditLines[request](t, "asia", startOf(t, "asia-apiserver"), by, `"verb":"watch"`) {
		switch r.Stage {
		case "ResponseStarted":
			watches[r.AuditID] = fmt.Sprintf("%s by %s", r.RequestURI, r.UserAgent)
		case "ResponseComplete", "Panic":
			delete(watches, r.AuditID)
		}
	}
	for r := range auditLines[request](t, "asia", after, by) {
		made = append(made, fmt.Sprintf("%s %s by %s", r.Verb, r.RequestURI, r.UserAgent))
	}
	return made, slices.Sorted(maps.Values(watches))
}

// startOf is when a component's process began.
func startOf(t *testing.T, component string) time.Time {
	t.Helper()
	_, rest, _ := strings.Cut(fleetDo(t, "metrics", component), "\nprocess_start_time_seconds ")
	line, _, _ := strings.Cut(rest, "\n")
	seconds, err := strconv.ParseFloat(line, 64)
	if err != nil {
		t.Fatalf("%s does not say when it began: %v", component, err)
	}
	return time.Unix(int64(seconds), 0)
}

func TestARotatedKubeconfigReachesEveryClientWithoutAFailedQuery(t *testing.T) {
	whole(t)
	host := clientset(t, "host").CoreV1().Secrets("kairship-system")
	name := instanceNow(t, "asia").CredentialSecret()
	secret, err := host.Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	old := secret.Data[v1alpha1.KubeconfigKey]
	rotate := func(to []byte) {
		t.Helper()
		ctx := context.Background() // also when the test has ended
		now, err := host.Get(ctx, name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		now.Data[v1alpha1.KubeconfigKey] = to
		if _, err := host.Update(ctx, now, metav1.UpdateOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	t.Cleanup(func() { rotate(old) })

	// Queries go on all the while.
	done := make(chan struct{})
	var asking sync.WaitGroup
	var mu sync.Mutex
	var failures []string
	queries := 0
	asking.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
			}
			data, errs, _ := fleetNow(t)
			mu.Lock()
			queries++
			for _, e := range errs {
				failures = append(failures, fmt.Sprintf("%s %s: %s", e.Extensions.Code, e.Extensions.Instance, e.Message))
			}
			for _, in := range data.Instances.Nodes {
				if in.State != "RUNNING" {
					failures = append(failures, in.Name+" is "+in.State)
				}
			}
			mu.Unlock()
		}
	})
	finish := sync.OnceFunc(func() { close(done); asking.Wait() })
	t.Cleanup(finish)

	fresh := newCredential(t, old)
	start := time.Now()
	rotate(fresh)
	// Ten seconds in which the old one is not used, and every watch of it ended.
	took := eventually(t, time.Minute, func() error {
		made, open := audited(t, credential(t, old), time.Now().Add(-10*time.Second))
		if time.Since(start) < 10*time.Second {
			return fmt.Errorf("it is too early to tell")
		}
		if len(made) > 0 || len(open) > 0 {
			return fmt.Errorf("the old credential is still in use:\nwatches %v\nrequests %v", open[:min(len(open), 9)], made[:min(len(made), 5)])
		}
		return nil
	})
	t.Logf("the old credential was last used %s after the rotation", (took - 10*time.Second).Round(time.Second))
	made, _ := audited(t, credential(t, fresh), start)
	for _, agent := range []string{"kairship-controller-manager", "kairship-apiserver", "clusterpedia-clustersynchro-manager"} {
		if !strings.Contains(strings.Join(made, "\n"), "by "+agent) {
			t.Errorf("%s does not use the new credential", agent)
		}
	}
	// What is new arrives as before.
	whole(t)
	finish()
	if len(failures) > 0 || queries < 10 {
		t.Errorf("of %d queries %d parts failed: %v", queries, len(failures), failures[:min(len(failures), 5)])
	}
	t.Logf("%d queries meanwhile, none failed", queries)
}
