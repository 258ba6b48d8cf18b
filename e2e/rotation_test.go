package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

func policyResource(name string) schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "policy.karmada.io", Version: "v1alpha1", Resource: name}
}

// newCredential is a kubeconfig of another administrator of asia.
func newCredential(t *testing.T, old []byte, name string) []byte {
	t.Helper()
	asia := clientset(t, "asia")
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
		Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: "default", Name: name}},
	}
	if _, err := asia.CoreV1().ServiceAccounts("default").Create(t.Context(), account, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	if _, err := asia.RbacV1().ClusterRoleBindings().Create(t.Context(), binding, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		t.Fatal(err)
	}
	hours := int64(7200)
	token, err := asia.CoreV1().ServiceAccounts("default").CreateToken(t.Context(), name,
		&authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &hours}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig, err := clientcmd.Load(old)
	if err != nil {
		t.Fatal(err)
	}
	user := kubeconfig.AuthInfos[kubeconfig.Contexts[kubeconfig.CurrentContext].AuthInfo]
	user.ClientCertificateData, user.ClientKeyData, user.Token = nil, nil, token.Status.Token
	raw, err := clientcmd.Write(*kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// request is a line of an audit log.
type request struct {
	Stage                    string
	RequestReceivedTimestamp metav1.MicroTime
	Verb, RequestURI         string
	User                     struct{ Username string }
	UserAgent                string
	AuditID                  string
}

// audited are the requests to asia that one user made after a moment, and those watches of theirs that
// have not ended.
func audited(t *testing.T, user string, after time.Time) (made []string, open int) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(stateDir(), "audit", "asia*.log"))
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no audit log: %v", err)
	}
	watches := map[string]bool{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := bufio.NewScanner(f)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var r request
			if json.Unmarshal(lines.Bytes(), &r) != nil || r.User.Username != user {
				continue
			}
			switch {
			case r.Stage == "ResponseStarted" && r.Verb == "watch":
				watches[r.AuditID] = true
			case r.Stage == "ResponseComplete":
				delete(watches, r.AuditID)
			}
			if r.RequestReceivedTimestamp.After(after) {
				made = append(made, fmt.Sprintf("%s %s by %s", r.Verb, r.RequestURI, r.UserAgent))
			}
		}
		_ = f.Close()
	}
	return made, len(watches)
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
		now, err := host.Get(t.Context(), name, metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		now.Data[v1alpha1.KubeconfigKey] = to
		if _, err := host.Update(t.Context(), now, metav1.UpdateOptions{}); err != nil {
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

	const newcomer = "system:serviceaccount:default:e2e-rotated"
	rotate(newCredential(t, old, "e2e-rotated"))
	start := time.Now()
	// Ten seconds in which the old one is not used, and every watch of it ended.
	took := eventually(t, time.Minute, func() error {
		made, open := audited(t, "kairship", time.Now().Add(-10*time.Second))
		if time.Since(start) < 10*time.Second {
			return fmt.Errorf("it is too early to tell")
		}
		if len(made) > 0 || open > 0 {
			return fmt.Errorf("the old credential is still in use: %d open watches, %v", open, made[:min(len(made), 5)])
		}
		return nil
	})
	t.Logf("the old credential was last used %s after the rotation", (took - 10*time.Second).Round(time.Second))
	made, _ := audited(t, newcomer, start)
	for _, agent := range []string{"kairship-controller-manager", "kairship", "clustersynchro"} {
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
