// Package testenv provides real API servers for tests: a kube-apiserver with its etcd, as the playground builds them,
// with the CustomResourceDefinitions that Kairship uses. It is for tests and measurements only, and knows nothing of
// what they test.
package testenv

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// All servers of tests are on this machine.
func init() { kubeconfig.SetNetworks(netip.MustParsePrefix("127.0.0.0/8")) }

// Definitions is a set of CustomResourceDefinitions.
type Definitions func() (files []string, err error)

// Server is an API server that runs until the tests of the package have ended.
type Server struct {
	// Config is an administrator's.
	Config *rest.Config
	// Client is an administrator's client for Kubernetes' and Kairship's own kinds.
	Client client.Client

	env *envtest.Environment
}

// Main runs the tests of a package with the API servers that start starts, and exits. Call it from TestMain.
func Main(m *testing.M, start func(*Environment) error) {
	os.Exit(run(m, start))
}

func run(m *testing.M, start func(*Environment) error) (code int) {
	env := &Environment{}
	defer func() {
		if err := env.Stop(); err != nil {
			fmt.Fprintln(os.Stderr, "testenv:", err)
			code = 1
		}
	}()
	if err := start(env); err != nil {
		fmt.Fprintln(os.Stderr, "testenv:", err)
		return 1
	}
	return m.Run()
}

// Start starts an API server that stops with the test. Prefer Main: a start takes some seconds.
func Start(tb testing.TB, definitions ...Definitions) *Server {
	tb.Helper()
	env := &Environment{}
	tb.Cleanup(func() {
		if err := env.Stop(); err != nil {
			tb.Error(err)
		}
	})
	s, err := env.Start(definitions...)
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Environment starts API servers, and stops them at the end.
type Environment struct {
	servers []*Server
}

// Start starts an API server and installs definitions in it.
func (e *Environment) Start(definitions ...Definitions) (*Server, error) {
	etcd, err := assets("etcd")
	if err != nil {
		return nil, err
	}
	apiserver, err := assets("kube-apiserver")
	if err != nil {
		return nil, err
	}
	var files []string
	for _, d := range definitions {
		more, err := d()
		if err != nil {
			return nil, err
		}
		files = append(files, more...)
	}
	types := runtime.NewScheme()
	for _, add := range []func(*runtime.Scheme) error{scheme.AddToScheme, v1alpha1.AddToScheme, apiextensionsv1.AddToScheme} {
		if err := add(types); err != nil {
			return nil, fmt.Errorf("building the scheme: %w", err)
		}
	}

	// The servers' output is shown only when they fail to start: a server that is being stopped logs many errors.
	var said output
	env := &envtest.Environment{
		CRDInstallOptions:        envtest.CRDInstallOptions{Paths: files, Scheme: types, ErrorIfPathMissing: true},
		DownloadBinaryAssets:     false,
		ControlPlaneStartTimeout: 2 * time.Minute,
		ControlPlaneStopTimeout:  time.Minute,
	}
	env.ControlPlane.Etcd = &envtest.Etcd{Path: etcd, Out: io.Discard, Err: &said}
	env.ControlPlane.APIServer = &envtest.APIServer{Path: apiserver, Out: io.Discard, Err: &said}
	env.ControlPlane.APIServer.Configure().
		Set("endpoint-reconciler-type", "none").
		Disable("disable-admission-plugins").Append("disable-admission-plugins", "ServiceAccount", "StorageObjectInUseProtection")
	config, err := env.Start()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("starting an API server: %w\n%s", err, tail(said.String())), env.Stop())
	}
	s := &Server{Config: config, env: env}
	e.servers = append(e.servers, s)
	config.QPS, config.Burst = 1000, 2000
	if s.Client, err = client.New(config, client.Options{Scheme: types}); err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	return s, nil
}

// Stop stops the API servers.
func (e *Environment) Stop() error {
	var failed []error
	for _, s := range e.servers {
		if err := s.env.Stop(); err != nil {
			failed = append(failed, fmt.Errorf("stopping an API server: %w", err))
		}
	}
	return errors.Join(failed...)
}

// EnsureNamespace creates a namespace if it does not exist.
func (s *Server) EnsureNamespace(name string) error {
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	err := s.Client.Create(ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("making namespace %q: %w", name, err)
	}
	return nil
}

// KairshipDefinitions are Kairship's own CRDs.
func KairshipDefinitions() ([]string, error) {
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(root, "api", "v1alpha1", "crds", "*.yaml"))
}

// ClusterpediaDefinitions are the CRDs that Clusterpedia ships.
func ClusterpediaDefinitions() ([]string, error) {
	dir, err := moduleFolder("github.com/clusterpedia-io/clusterpedia")
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(dir, "kustomize", "crds", "cluster.*.yaml"))
}

// KarmadaDefinitions define the kind Cluster, which a Karmada serves with its own API server.
func KarmadaDefinitions() ([]string, error) {
	root, err := checkout()
	if err != nil {
		return nil, err
	}
	return glob(filepath.Join(root, "internal", "testing", "testenv", "crds", "*.yaml"))
}

func glob(pattern string) ([]string, error) {
	files, err := filepath.Glob(pattern)
	if err != nil {
		return nil, fmt.Errorf("looking for %s: %w", pattern, err)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("there is no %s", pattern)
	}
	return files, nil
}

// moduleFolder is the source folder of a module that Kairship depends on.
func moduleFolder(module string) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	root, err := checkout()
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}", module)
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("finding module %s: %w", module, err)
	}
	dir := strings.TrimSpace(string(out))
	if dir == "" {
		return "", fmt.Errorf("module %s is not downloaded: run `go mod download %s`", module, module)
	}
	return dir, nil
}

// output collects the output of several processes.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}

// tail is the last lines of a server's output.
func tail(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.Join(lines[max(0, len(lines)-20):], "\n")
}

// Kubeconfig is an administrator's kubeconfig.
func (s *Server) Kubeconfig(tb testing.TB) []byte {
	tb.Helper()
	return Kubeconfig(tb, s.Config.Host, s.Config.CAData, &clientcmdapi.AuthInfo{
		ClientCertificateData: s.Config.CertData, ClientKeyData: s.Config.KeyData,
	})
}
