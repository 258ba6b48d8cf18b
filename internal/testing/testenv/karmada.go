package testenv

import (
	"context"
	"encoding/pem"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// Mode is how a Karmada behaves.
type Mode int

// The modes of a Karmada.
const (
	// Answering is the normal mode.
	Answering Mode = iota
	// Down refuses every request and ends those in progress.
	Down
	// Hanging takes requests and does not answer them.
	Hanging
	// WithoutClusters serves everything but the API of the members, as when its server restarts.
	WithoutClusters
	// WithoutAdmissionPolicies serves no ValidatingAdmissionPolicies, as before Kubernetes 1.30.
	WithoutAdmissionPolicies
	// IgnoringAdmissionPolicies stores them and does not enforce them, as with their plugin disabled: a dry run of what
	// they refuse succeeds.
	IgnoringAdmissionPolicies
)

// Karmada is a server in front of an API server. The API server keeps a Karmada's own objects; the server adds what a
// Karmada forwards to its members, and can fail in the ways in which a Karmada does.
type Karmada struct {
	tb     testing.TB
	server *Server
	front  *httptest.Server
	proxy  *httputil.ReverseProxy

	mu      sync.Mutex
	mode    Mode
	changed chan struct{}
	members map[string]int
	writes  int
	instead func(http.ResponseWriter, *http.Request) bool
}

const clustersPath = "/apis/cluster.karmada.io/v1alpha1/clusters/"

// NewKarmada starts a server in front of an API server that has KarmadaDefinitions. It closes with the test.
func NewKarmada(tb testing.TB, server *Server) *Karmada {
	tb.Helper()
	target, err := url.Parse(server.Config.Host)
	if err != nil {
		tb.Fatal(err)
	}
	// Requests keep the caller's own credential; only our trust in the server is used.
	transport, err := rest.TransportFor(rest.AnonymousClientConfig(server.Config))
	if err != nil {
		tb.Fatal(err)
	}
	k := &Karmada{tb: tb, server: server, members: map[string]int{}, changed: make(chan struct{})}
	k.proxy = &httputil.ReverseProxy{
		Rewrite:       func(r *httputil.ProxyRequest) { r.SetURL(target) },
		Transport:     transport,
		FlushInterval: -1,
		ErrorLog:      slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo),
	}
	k.front = httptest.NewUnstartedServer(http.HandlerFunc(k.serve))
	k.front.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelInfo)
	k.front.StartTLS()
	tb.Cleanup(func() {
		k.Set(Down)
		k.front.Close()
	})
	return k
}

func (k *Karmada) serve(w http.ResponseWriter, r *http.Request) {
	k.mu.Lock()
	mode, changed := k.mode, k.changed
	dry := r.URL.Query().Get("dryRun") != ""
	if r.Method != http.MethodGet && !dry {
		k.writes++
	}
	name, _, proxied := strings.Cut(strings.TrimPrefix(r.URL.Path, clustersPath), "/proxy")
	proxied = proxied && strings.HasPrefix(r.URL.Path, clustersPath)
	status := k.members[name]
	instead := k.instead
	k.mu.Unlock()
	if instead != nil && instead(w, r) {
		EndOf(w, r)
		return
	}

	// A request in progress ends when the mode changes, as its connection would.
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	go func() {
		select {
		case <-changed:
			cancel()
		case <-ctx.Done():
		}
	}()
	switch {
	case mode == Down:
		hangUp(w)
	case mode == Hanging:
		<-ctx.Done()
		hangUp(w)
	case mode == WithoutClusters && strings.HasPrefix(r.URL.Path, "/apis/cluster.karmada.io"):
		http.Error(w, "404 page not found", http.StatusNotFound)
	case mode == WithoutAdmissionPolicies && strings.HasPrefix(r.URL.Path, "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolic"):
		http.Error(w, "404 page not found", http.StatusNotFound)
	case mode == IgnoringAdmissionPolicies && dry && r.Method == http.MethodPost:
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		_, _ = io.Copy(w, r.Body)
	case proxied && status == 0:
		http.Error(w, "no such member", http.StatusNotFound)
	case proxied:
		w.WriteHeader(status)
		_, _ = io.WriteString(w, "{}")
	default:
		k.proxy.ServeHTTP(w, r.WithContext(ctx))
	}
}

// hangUp closes a connection without a response.
func hangUp(w http.ResponseWriter) {
	if conn, _, err := http.NewResponseController(w).Hijack(); err == nil {
		_ = conn.Close()
	}
}

// EndOf ends a request without an answer when its client has gone. A handler that returns then answers 200, which a client that
// gives up may still read: a TLS connection is told to be closing before it is closed.
func EndOf(w http.ResponseWriter, r *http.Request) {
	if r.Context().Err() != nil {
		hangUp(w)
	}
}

// Set changes the Karmada's mode.
func (k *Karmada) Set(mode Mode) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.mode = mode
	close(k.changed)
	k.changed = make(chan struct{})
}

// Instead lets a function answer requests; those for which it returns false are answered as usual. Nil: all.
func (k *Karmada) Instead(answer func(http.ResponseWriter, *http.Request) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.instead = answer
}

// Writes counts the requests that were neither reads nor dry runs.
func (k *Karmada) Writes() int {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.writes
}

// Host is the address.
func (k *Karmada) Host() string { return k.front.URL }

// Identity identifies this Karmada.
func (k *Karmada) Identity() string {
	k.tb.Helper()
	var ns corev1.Namespace
	Eventually(k.tb, func() string {
		return why(k.server.Client.Get(k.tb.Context(), types.NamespacedName{Name: metav1.NamespaceSystem}, &ns))
	})
	return string(ns.UID)
}

// Join adds a member whose API server answers with a status. It is removed with the test.
func (k *Karmada) Join(name string, status int) (uid string) {
	k.tb.Helper()
	k.Answer(name, status)
	u := cluster(name)
	if err := k.server.Client.Create(k.tb.Context(), u); err != nil {
		k.tb.Fatal(err)
	}
	k.tb.Cleanup(func() { k.leave(context.Background(), name) })
	return string(u.GetUID())
}

// Answer changes the status with which a member answers.
func (k *Karmada) Answer(name string, status int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.members[name] = status
}

// Leave removes a member.
func (k *Karmada) Leave(name string) {
	k.tb.Helper()
	k.leave(k.tb.Context(), name)
}

func (k *Karmada) leave(ctx context.Context, name string) {
	if err := k.server.Client.Delete(ctx, cluster(name)); err != nil && !apierrors.IsNotFound(err) {
		k.tb.Error(err)
	}
}

func cluster(name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetAPIVersion("cluster.karmada.io/v1alpha1")
	u.SetKind("Cluster")
	u.SetName(name)
	return u
}

// Kubeconfig is the kubeconfig of a new administrator of the Karmada, with a token.
func (k *Karmada) Kubeconfig(user string) []byte {
	k.tb.Helper()
	return k.kubeconfig(k.tb.Context(), user, true)
}

// PowerlessKubeconfig is the kubeconfig of a new user without any right.
func (k *Karmada) PowerlessKubeconfig(user string) []byte {
	k.tb.Helper()
	return k.kubeconfig(k.tb.Context(), user, false)
}

func (k *Karmada) kubeconfig(ctx context.Context, user string, admin bool) []byte {
	k.tb.Helper()
	const namespace = "default"
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: user}}
	if err := k.server.Client.Create(ctx, account); err != nil && !apierrors.IsAlreadyExists(err) {
		k.tb.Fatal(err)
	}
	if admin {
		binding := &rbacv1.ClusterRoleBinding{
			ObjectMeta: metav1.ObjectMeta{Name: "test:" + user},
			RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "cluster-admin"},
			Subjects:   []rbacv1.Subject{{Kind: rbacv1.ServiceAccountKind, Namespace: namespace, Name: user}},
		}
		if err := k.server.Client.Create(ctx, binding); err != nil && !apierrors.IsAlreadyExists(err) {
			k.tb.Fatal(err)
		}
		if err := k.server.UntilGranted(ctx); err != nil {
			k.tb.Fatal(err)
		}
	}
	seconds := int64(time.Hour / time.Second)
	token := &authenticationv1.TokenRequest{Spec: authenticationv1.TokenRequestSpec{ExpirationSeconds: &seconds}}
	if err := k.server.Client.SubResource("token").Create(ctx, account, token); err != nil {
		k.tb.Fatal(err)
	}
	return Kubeconfig(k.tb, k.Host(), k.authority(), &clientcmdapi.AuthInfo{Token: token.Status.Token})
}

func (k *Karmada) authority() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: k.front.Certificate().Raw})
}

// Kubeconfig writes a kubeconfig with one context.
func Kubeconfig(tb testing.TB, host string, authority []byte, user *clientcmdapi.AuthInfo) []byte {
	tb.Helper()
	config := clientcmdapi.NewConfig()
	config.Clusters["karmada"] = &clientcmdapi.Cluster{Server: host, CertificateAuthorityData: authority}
	config.AuthInfos["user"] = user
	config.Contexts["karmada"] = &clientcmdapi.Context{Cluster: "karmada", AuthInfo: "user"}
	config.CurrentContext = "karmada"
	raw, err := clientcmd.Write(*config)
	if err != nil {
		tb.Fatal(fmt.Errorf("writing a kubeconfig: %w", err))
	}
	return raw
}

func why(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
