package cmd

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/rest"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"k8s.io/client-go/transport"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

func good() ControllerManager {
	return ControllerManager{
		Host: Host{Namespace: "kairship-system"}, ClusterpediaNamespace: "clusterpedia-system",
		AdminGroups:    []string{"kairship:host:admins"},
		GlobalResource: GlobalResource{Kind: "GlobalResource.v1alpha1.kairship.io"},
		MetricsAddress: "127.0.0.1:8081", HealthAddress: "127.0.0.1:8082", LeaderElect: true,
		OperationAge: 168 * time.Hour, OperationCount: 1000,
	}
}

func TestTheControllerManagerNamesTheFlagThatItRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		edit func(*ControllerManager)
		want string
	}{
		"good":                        {func(*ControllerManager) {}, ""},
		"without metrics and health":  {func(m *ControllerManager) { m.MetricsAddress, m.HealthAddress = "0", "0" }, ""},
		"a password of no database":   {func(m *ControllerManager) { m.Database.PasswordFile = "x" }, "--database-password-file"},
		"no administrators":           {func(m *ControllerManager) { m.AdminGroups = nil }, "--admin-groups"},
		"a group of the cluster":      {func(m *ControllerManager) { m.AdminGroups = []string{"system:masters"} }, "--admin-groups"},
		"no namespace":                {func(m *ControllerManager) { m.Namespace = "" }, "--namespace"},
		"a path for a namespace":      {func(m *ControllerManager) { m.ClusterpediaNamespace = "../x" }, "--clusterpedia-namespace"},
		"an address without a port":   {func(m *ControllerManager) { m.MetricsAddress = "localhost" }, "--metrics-address"},
		"a port that is no number":    {func(m *ControllerManager) { m.HealthAddress = "127.0.0.1:http" }, "--health-address"},
		"a port that cannot be":       {func(m *ControllerManager) { m.HealthAddress = "127.0.0.1:70000" }, "--health-address"},
		"a shard without a name":      {func(m *ControllerManager) { m.ClusterpediaShards = []string{"a", ""} }, "--clusterpedia-shards"},
		"a kind without a version":    {func(m *ControllerManager) { m.GlobalResource.Kind = "GlobalResource" }, "--global-resource-kind"},
		"a field that is none":        {func(m *ControllerManager) { m.GlobalResource.Fields = map[string]string{"color": "spec.color"} }, "--global-resource-fields"},
		"more revisions than fit":     {func(m *ControllerManager) { m.RevisionHistory = 101 }, "--revision-history"},
		"operations kept for no time": {func(m *ControllerManager) { m.OperationAge = time.Minute }, "--operation-age"},
		"no operations kept":          {func(m *ControllerManager) { m.OperationCount = 0 }, "--operation-count"},
		"more operations than fit":    {func(m *ControllerManager) { m.OperationCount = 10_001 }, "--operation-count"},
		"one port for both":           {func(m *ControllerManager) { m.HealthAddress = m.MetricsAddress }, "two ports"},
	} {
		t.Run(name, func(t *testing.T) {
			m := good()
			tt.edit(&m)
			err := m.Validate()
			if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
				t.Errorf("want %q, got %v", tt.want, err)
			}
		})
	}
}

func kubeconfigOf(t *testing.T, s *testenv.Server) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, s.Kubeconfig(t), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// kubeconfigThrough leads to a server by way of wrap.
func kubeconfigThrough(t *testing.T, s *testenv.Server, wrap transport.WrapperFunc) string {
	t.Helper()
	to, err := url.Parse(s.Config.Host)
	if err != nil {
		t.Fatal(err)
	}
	next, err := rest.TransportFor(s.Config)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httputil.NewSingleHostReverseProxy(to)
	proxy.Transport, proxy.FlushInterval = wrap(next), -1
	// A process that is killed leaves its answers behind.
	proxy.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	door := httptest.NewServer(proxy)
	t.Cleanup(door.Close)
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := os.WriteFile(path, testenv.Kubeconfig(t, door.URL, nil, &clientcmdapi.AuthInfo{}), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestTheControllerManagerSaysWhatTheHostClusterLacks(t *testing.T) {
	m := good()
	m.HostKubeconfig = kubeconfigOf(t, testenv.Start(t, testenv.KairshipDefinitions))
	err := m.Run(t.Context())
	if err == nil || !strings.Contains(err.Error(), "does not serve pediaclusters.cluster.clusterpedia.io in v1alpha2: install Clusterpedia's") {
		t.Errorf("got %v", err)
	}
}

// freeAddress is one that nobody listens on.
func freeAddress(t *testing.T) string {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// asProcess makes the test binary be a controller manager instead. Its value is the arguments.
const asProcess = "KAIRSHIP_TEST_CONTROLLER_MANAGER"

func TestBeingAControllerManager(t *testing.T) {
	args := os.Getenv(asProcess)
	if args == "" {
		t.Skip("this is the process that another test starts")
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	if code := Run(ctx, strings.Split(args, " ")); code != 0 {
		t.Fatalf("exit code %d", code)
	}
}

// process is a running controller manager.
type process struct {
	cmd    *exec.Cmd
	health string
	said   *strings.Builder
}

func startControllerManager(t *testing.T, kubeconfig string) *process {
	t.Helper()
	p := &process{health: freeAddress(t), said: &strings.Builder{}}
	args := []string{
		"controller-manager", "--host-kubeconfig=" + kubeconfig, "--admin-groups=kairship:host:admins",
		"--metrics-address=" + freeAddress(t), "--health-address=" + p.health,
	}
	p.cmd = exec.CommandContext(context.Background(), os.Args[0], "-test.run=^TestBeingAControllerManager$", "-test.count=1")
	p.cmd.Env = append(os.Environ(), asProcess+"="+strings.Join(args, " "))
	p.cmd.Stderr, p.cmd.Stdout = p.said, p.said
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if p.cmd.ProcessState == nil {
			_ = p.cmd.Process.Kill()
			_ = p.cmd.Wait()
		}
		if t.Failed() {
			t.Log(p.said.String())
		}
	})
	return p
}

// stop asks it to end, and fails when it does not end well.
func (p *process) stop(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := p.cmd.Wait(); err != nil {
		t.Errorf("the controller manager: %v", err)
	}
}

// freeze stops it where it is, and returns when no thread of it runs any more.
func (p *process) freeze(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(p.cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("the process was asked to stop: %v, and its status is %#x", err, status)
	}
}

func TestOneOfTwoControllerManagersWorksAndTheOtherTakesOver(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions)
	if err := host.EnsureNamespace("kairship-system"); err != nil {
		t.Fatal(err)
	}
	kubeconfig := kubeconfigOf(t, host)
	holder := func() string {
		var lease coordinationv1.Lease
		if err := host.Client.Get(t.Context(), client.ObjectKey{Namespace: "kairship-system", Name: leaseName}, &lease); err != nil || lease.Spec.HolderIdentity == nil {
			return ""
		}
		return *lease.Spec.HolderIdentity
	}

	first := startControllerManager(t, kubeconfig)
	var leader string
	testenv.Eventually(t, func() string {
		if leader = holder(); leader == "" {
			return "nobody holds the Lease"
		}
		return ""
	})
	// The second one is up, healthy, and waits.
	second := startControllerManager(t, kubeconfig)
	testenv.Eventually(t, func() string { return healthy(t, second.health) })
	if got := holder(); got != leader {
		t.Errorf("the Lease went from %q to %q while its holder works", leader, got)
	}

	// The first releases the Lease as it goes, so that the second need not wait until it expires.
	first.stop(t)
	if got := holder(); got == leader {
		t.Error("the Lease was not released")
	}
	testenv.Eventually(t, func() string {
		if got := holder(); got == "" || got == leader {
			return fmt.Sprintf("the Lease is held by %q", got)
		}
		return ""
	})
	second.stop(t)
}

// onTheWay stands between a controller manager and its API server. Writes that it is told to keep never arrive, but for
// those of the Lease.
type onTheWay struct {
	next http.RoundTripper
	mu   sync.Mutex
	keep bool
	kept int
	last time.Time
	// lost is closed when they are given up.
	lost chan struct{}
}

func (o *onTheWay) RoundTrip(r *http.Request) (*http.Response, error) {
	o.mu.Lock()
	keep := o.keep && r.Method != http.MethodGet && !strings.HasSuffix(r.URL.Path, "/leases/"+leaseName)
	if keep {
		o.kept++
		o.last = time.Now()
	}
	o.mu.Unlock()
	if keep {
		<-o.lost
		return nil, errors.New("lost on the way")
	}
	return o.next.RoundTrip(r)
}

// keepAll keeps what is written from now on.
func (o *onTheWay) keepAll() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.keep = true
}

// missing says what is missing until whatever the controllers work on waits for the answer to a write.
func (o *onTheWay) missing() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.kept == 0 || time.Since(o.last) < time.Second {
		return fmt.Sprintf("%d writes are on their way, and more may come", o.kept)
	}
	return ""
}

func TestALeaderThatDiesOrSleepsIsReplacedAndDoesNoHarm(t *testing.T) {
	host := testenv.Start(t, testenv.KairshipDefinitions, testenv.ClusterpediaDefinitions)
	if err := host.EnsureNamespace("kairship-system"); err != nil {
		t.Fatal(err)
	}
	kubeconfig := kubeconfigOf(t, host)
	attach := func(name string) {
		t.Helper()
		err := host.Client.Create(t.Context(), &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.InstanceSpec{
			Source: v1alpha1.InstanceAttached, Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: "none"}},
		}})
		if err != nil {
			t.Fatal(err)
		}
	}
	// An instance has been looked at when its missing kubeconfig is told.
	looked := func(name string) {
		t.Helper()
		testenv.Eventually(t, func() string {
			var i v1alpha1.Instance
			if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
				return err.Error()
			}
			if meta.FindStatusCondition(i.Status.Conditions, v1alpha1.ConditionReadPathSynced) == nil {
				return name + " has not been looked at"
			}
			return ""
		})
	}
	first := startControllerManager(t, kubeconfig)
	attach("one")
	looked("one")
	// What the second writes is seen on its way.
	var seen testenv.Crash
	way := &onTheWay{lost: make(chan struct{})}
	second := startControllerManager(t, kubeconfigThrough(t, host, func(next http.RoundTripper) http.RoundTripper {
		way.next = next
		return seen.Wrap(way)
	}))
	testenv.Eventually(t, func() string { return healthy(t, second.health) })

	// Killed, it cannot give the Lease back.
	if err := first.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = first.cmd.Wait()
	attach("two")
	looked("two")

	// Stopped in the middle of work, it finds itself replaced when it goes on.
	third := startControllerManager(t, kubeconfig)
	testenv.Eventually(t, func() string { return healthy(t, third.health) })
	// A write that it decided on and has not begun to send would still be sent then: there is none while all wait for
	// an answer.
	way.keepAll()
	for n := range 40 {
		attach(fmt.Sprintf("many-%d", n))
	}
	testenv.Eventually(t, way.missing)
	second.freeze(t)
	close(way.lost)
	attach("three")
	looked("three")
	for n := range 40 {
		looked(fmt.Sprintf("many-%d", n))
	}
	before := len(seen.Writes())
	if err := second.cmd.Process.Signal(syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
	if err := second.cmd.Wait(); err == nil {
		t.Error("the one that was replaced ended as if all were well")
	}
	for _, write := range seen.Writes()[before:] {
		// It may ask for the Lease again, and is told that another has it.
		if !strings.HasSuffix(write, "/leases/"+leaseName) {
			t.Errorf("the one that was replaced wrote: %s", write)
		}
	}
	third.stop(t)
}

func healthy(t *testing.T, address string) string {
	t.Helper()
	for _, path := range []string{"/healthz", "/readyz"} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return err.Error()
		}
		_ = resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return path + " answers " + resp.Status
		}
	}
	return ""
}
