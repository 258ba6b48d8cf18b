package kubelet

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/netip"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes/fake"
	clienttesting "k8s.io/client-go/testing"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
)

// machine is a supervisor over programs that only exist in the test.
type machine struct {
	mu       sync.Mutex
	children map[string]supervisor.Status
	told     []func(process.Spec)
	ended    []string
	retried  []string
}

func (m *machine) Ensure(_ context.Context, s process.Spec) error {
	m.change(s.Name, func(st *supervisor.Status) {
		if st.Spec = s; st.Began.IsZero() {
			st.State, st.Began = supervisor.Starting, time.Now()
		}
	})
	return nil
}

func (m *machine) change(name string, do func(*supervisor.Status)) {
	m.mu.Lock()
	if m.children == nil {
		m.children = map[string]supervisor.Status{}
	}
	st := m.children[name]
	do(&st)
	m.children[name] = st
	told := m.told
	m.mu.Unlock()
	for _, tell := range told {
		tell(st.Spec)
	}
}

func (m *machine) state(name string, s supervisor.State) {
	m.change(name, func(st *supervisor.Status) { st.State = s })
}

// end lets a program end by itself.
func (m *machine) end(name string, code int) {
	m.change(name, func(st *supervisor.Status) {
		st.Exit = &supervisor.Exit{Code: code, Began: st.Began, Ended: time.Now()}
		st.State, st.Began, st.Message = supervisor.BackOff, time.Time{}, "ended: exit status 1"
	})
}

func (m *machine) Retry(_ context.Context, name, _ string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.retried = append(m.retried, name)
	return nil
}

func (m *machine) Rename(_ context.Context, name string, s process.Spec) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	st, ok := m.children[name]
	if _, taken := m.children[s.Name]; !ok || taken {
		return errors.New("no")
	}
	st.Spec = s
	delete(m.children, name)
	m.children[s.Name] = st
	return nil
}

func (m *machine) Forget(_ context.Context, name string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.children, name)
	m.ended = append(m.ended, name)
	return nil
}

func (m *machine) Of(name string) (supervisor.Status, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	st, ok := m.children[name]
	return st, ok
}

func (m *machine) Status() []supervisor.Status {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []supervisor.Status
	for _, st := range m.children {
		all = append(all, st)
	}
	return all
}

func (m *machine) Watch(told func(process.Spec)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.told = append(m.told, told)
}

func (m *machine) names() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var all []string
	for n := range m.children {
		all = append(all, n)
	}
	slices.Sort(all)
	return all
}

// bench is a kubelet at work on a cluster that only exists in the test.
type bench struct {
	t       *testing.T
	client  *fake.Clientset
	machine *machine
	config  Config
	stop    func()
}

// block keeps tests that run at once from listening at the same addresses.
var block = netip.MustParseAddr("127.66.0.0")

func start(t *testing.T, m *machine, objects ...runtime.Object) *bench {
	t.Helper()
	dir := t.TempDir()
	b := &bench{t: t, client: fake.NewClientset(objects...), machine: m, config: Config{
		Node: "processes", Dir: filepath.Join(dir, "pods"), Logs: dir, Kubeconfigs: dir, Hosts: filepath.Join(dir, "hosts"),
		Addresses: Addresses{First: block, Size: 64, LoadBalancers: 4}, Reserved: []string{"asia"},
		Programs: []Program{{Image: "karmada-scheduler", Tags: []string{"v1"}, Path: "/cache/karmada-scheduler"}},
	}}
	// As an API server: who has not seen that a pod is being deleted writes nothing to it.
	b.client.PrependReactor("update", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		update, ok := a.(clienttesting.UpdateAction)
		if !ok || a.GetSubresource() != "status" {
			return false, nil, nil
		}
		pod := update.GetObject().(*corev1.Pod)
		have, err := b.client.Tracker().Get(a.GetResource(), a.GetNamespace(), pod.Name)
		if err == nil && have.(*corev1.Pod).DeletionTimestamp != nil && pod.DeletionTimestamp == nil {
			return true, nil, apierrors.NewConflict(a.GetResource().GroupResource(), pod.Name, errors.New("it is being deleted"))
		}
		return false, nil, nil
	})
	// What an API server does with a binding.
	b.client.PrependReactor("create", "pods", func(a clienttesting.Action) (bool, runtime.Object, error) {
		if a.GetSubresource() != "binding" {
			return false, nil, nil
		}
		binding := a.(clienttesting.CreateAction).GetObject().(*corev1.Binding)
		o, err := b.client.Tracker().Get(corev1.SchemeGroupVersion.WithResource("pods"), a.GetNamespace(), binding.Name)
		if err != nil {
			return true, nil, err
		}
		pod := o.(*corev1.Pod).DeepCopy()
		pod.Spec.NodeName = binding.Target.Name
		return true, binding, b.client.Tracker().Update(corev1.SchemeGroupVersion.WithResource("pods"), pod, pod.Namespace)
	})
	k := newKubelet(b.config, b.client, m, clock.RealClock{}, slog.New(slog.DiscardHandler))
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	wg.Go(func() { k.Run(ctx) })
	b.stop = sync.OnceFunc(func() { cancel(); wg.Wait() })
	t.Cleanup(b.stop)
	limited, done := context.WithTimeout(t.Context(), 10*time.Second)
	defer done()
	if err := k.Settled(limited); err != nil {
		t.Fatal(err)
	}
	return b
}

func aPod(name, component string) *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{
			Namespace: "kairship-europe", Name: name, UID: types.UID("uid-" + name),
			Labels: map[string]string{labelName: "karmada-" + component, labelInstance: "europe"},
		},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "c", Image: "docker.io/karmada/karmada-scheduler:v1", Command: []string{"karmada-scheduler"},
				VolumeMounts:   []corev1.VolumeMount{{Name: "config", MountPath: "/etc/karmada"}},
				ReadinessProbe: httpProbe("/readyz", 8443),
			}},
			Volumes: []corev1.Volume{secretVolume("config", "europe-config")},
		},
	}
}

func aSecret(name, key, value string) *corev1.Secret {
	return &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: "kairship-europe", Name: name}, Data: map[string][]byte{key: []byte(value)}}
}

func (b *bench) create(p *corev1.Pod) {
	b.t.Helper()
	if _, err := b.client.CoreV1().Pods(p.Namespace).Create(b.t.Context(), p, metav1.CreateOptions{}); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) pod(name string) *corev1.Pod {
	p, err := b.client.CoreV1().Pods("kairship-europe").Get(b.t.Context(), name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return p
}

func (b *bench) until(what string, is func() bool) {
	b.t.Helper()
	deadline := time.Now().Add(30 * time.Second)
	for !is() {
		if time.Now().After(deadline) {
			b.t.Fatalf("%s: not within 30 s; processes are %v", what, b.machine.names())
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// says is the state of the one container of a pod, in short.
func (b *bench) says(name string) string {
	p := b.pod(name)
	if p == nil || len(p.Status.ContainerStatuses) == 0 {
		return ""
	}
	c := p.Status.ContainerStatuses[0]
	switch {
	case c.State.Waiting != nil:
		return fmt.Sprintf("%s %s %d", p.Status.Phase, c.State.Waiting.Reason, c.RestartCount)
	case c.Ready:
		return fmt.Sprintf("%s ready %d", p.Status.Phase, c.RestartCount)
	}
	return fmt.Sprintf("%s unready %d", p.Status.Phase, c.RestartCount)
}

func (b *bench) untilSays(name, want string) {
	b.t.Helper()
	b.until(name+" says "+want, func() bool { return b.says(name) == want })
}

func TestAPodRunsAsAProcess(t *testing.T) {
	b := start(t, &machine{})
	b.create(aPod("one", "scheduler"))
	b.untilSays("one", "Pending FailedMount 0")
	if _, err := b.client.CoreV1().Secrets("kairship-europe").Create(t.Context(), aSecret("europe-config", "karmada.config", "x"), metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	b.untilSays("one", "Running unready 0")
	b.machine.state("europe-scheduler", supervisor.Running)
	b.untilSays("one", "Running ready 0")

	st, _ := b.machine.Of("europe-scheduler")
	p := b.pod("one")
	if p.Spec.NodeName != "processes" || p.Status.PodIP != "127.66.0.5" || p.Status.StartTime == nil {
		t.Errorf("the pod is on %q at %q since %v", p.Spec.NodeName, p.Status.PodIP, p.Status.StartTime)
	}
	if st.Spec.Group != "europe" || st.Spec.Pod != "kairship-europe/one/uid-one/c" {
		t.Errorf("the process is of %q, for %q", st.Spec.Group, st.Spec.Pod)
	}
	var targets []string
	for _, m := range st.Spec.Root.Mounts {
		targets = append(targets, m.Target)
	}
	if diff := cmp.Diff([]string{"/etc/karmada", "/etc/hosts"}, targets); diff != "" {
		t.Errorf("it sees (-want +got):\n%s", diff)
	}

	b.machine.end("europe-scheduler", 1)
	b.untilSays("one", "Running CrashLoopBackOff 0")
	if c := b.pod("one").Status.ContainerStatuses[0].LastTerminationState.Terminated; c == nil || c.ExitCode != 1 {
		t.Errorf("of its end it says %v", c)
	}
	b.machine.change("europe-scheduler", func(s *supervisor.Status) { s.State, s.Began = supervisor.Running, time.Now() })
	b.untilSays("one", "Running ready 1")
	b.machine.state("europe-scheduler", supervisor.Paused)
	b.untilSays("one", "Running unready 1")
}

func TestAPodThatNobodyAsksIsReadyWhenItRuns(t *testing.T) {
	b := start(t, &machine{}, aSecret("europe-config", "k", "v"))
	p := aPod("one", "scheduler")
	p.Spec.Containers[0].ReadinessProbe = nil
	p.Spec.Containers[0].LivenessProbe = httpProbe("/livez", 8443)
	b.create(p)
	b.untilSays("one", "Running ready 0")
	b.machine.state("europe-scheduler", supervisor.Paused)
	b.untilSays("one", "Running unready 0")
}

func TestAnImageThatThereIsNotIsNamed(t *testing.T) {
	b := start(t, &machine{}, aSecret("europe-config", "k", "v"))
	p := aPod("one", "scheduler")
	p.Spec.Containers[0].Image = "docker.io/karmada/karmada-scheduler:v2"
	b.create(p)
	b.untilSays("one", "Pending ErrImagePull 0")
	if m := b.pod("one").Status.ContainerStatuses[0].State.Waiting.Message; !strings.Contains(m, `"docker.io/karmada/karmada-scheduler:v2"`) {
		t.Errorf("the message is %q", m)
	}
}

func TestNothingIsLeftOfAPodThatWasDeleted(t *testing.T) {
	b := start(t, &machine{}, aSecret("europe-config", "k", "v"), aSecret("europe-karmada-admin-config", adminKey, "kubeconfig"))
	p := aPod("one", "scheduler")
	b.create(p)
	b.untilSays("one", "Running unready 0")
	kubeconfig := filepath.Join(b.config.Kubeconfigs, "europe.yaml")
	b.until("the instance's kubeconfig", func() bool {
		c, err := os.ReadFile(kubeconfig)
		return err == nil && string(c) == "kubeconfig"
	})
	// An API server marks it, and removes it only when the kubelet says so.
	marked := b.pod("one")
	now := metav1.Now()
	marked.DeletionTimestamp, marked.Finalizers = &now, []string{"test"}
	if _, err := b.client.CoreV1().Pods(marked.Namespace).Update(t.Context(), marked, metav1.UpdateOptions{}); err != nil {
		t.Fatal(err)
	}
	b.until("its removal", func() bool { return b.pod("one") == nil })
	if got := b.machine.names(); len(got) > 0 {
		t.Errorf("processes are left: %v", got)
	}
	left, err := os.ReadDir(b.config.Dir)
	if err != nil || len(left) > 0 {
		t.Errorf("files are left: %v (%v)", left, err)
	}
	if _, err := os.Stat(kubeconfig); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the kubeconfig is left: %v", err)
	}
}

func TestASuccessorTakesTheNameOnceItIsAlone(t *testing.T) {
	b := start(t, &machine{}, aSecret("europe-config", "k", "v"))
	b.create(aPod("one", "scheduler"))
	b.untilSays("one", "Running unready 0")
	b.create(aPod("two", "scheduler"))
	b.untilSays("two", "Running unready 0")
	if diff := cmp.Diff([]string{"europe-scheduler", "europe-scheduler-2"}, b.machine.names()); diff != "" {
		t.Errorf("processes (-want +got):\n%s", diff)
	}
	if err := b.client.CoreV1().Pods("kairship-europe").Delete(t.Context(), "one", metav1.DeleteOptions{}); err != nil {
		t.Fatal(err)
	}
	b.until("the plain name", func() bool { return slices.Equal(b.machine.names(), []string{"europe-scheduler"}) })
	st, _ := b.machine.Of("europe-scheduler")
	if !strings.HasPrefix(st.Spec.Pod, "kairship-europe/two/") {
		t.Errorf("it is the process of %s", st.Spec.Pod)
	}
}

func TestAKubeletThatStartsAgainKeepsWhatRuns(t *testing.T) {
	m := &machine{}
	b := start(t, m, aSecret("europe-config", "k", "v"))
	b.create(aPod("one", "scheduler"))
	b.untilSays("one", "Running unready 0")
	m.state("europe-scheduler", supervisor.Running)
	b.untilSays("one", "Running ready 0")
	before, _ := m.Of("europe-scheduler")
	b.stop()
	gone := process.Spec{Name: "europe-webhook", Pod: "kairship-europe/gone/uid-gone/c"}
	if err := m.Ensure(t.Context(), gone); err != nil {
		t.Fatal(err)
	}
	again := start(t, m, aSecret("europe-config", "k", "v"), b.pod("one"))
	after, ok := m.Of("europe-scheduler")
	if !ok || after.Spec.Pod != before.Spec.Pod {
		t.Errorf("its process is %+v", after.Spec)
	}
	if got := again.pod("one").Status; got.PodIP != "127.66.0.5" || got.ContainerStatuses[0].RestartCount != 0 {
		t.Errorf("it is at %s, restarted %d times", got.PodIP, got.ContainerStatuses[0].RestartCount)
	}
	if diff := cmp.Diff([]string{"europe-webhook"}, m.ended); diff != "" {
		t.Errorf("of pods that are gone, it ended (-want +got):\n%s", diff)
	}
}

func TestALoadBalancerGetsAnAddressAndItsPodsGetConnections(t *testing.T) {
	if goruntime.GOOS != "linux" {
		t.Skip("elsewhere loopback has one address only")
	}
	b := start(t, &machine{}, aSecret("europe-config", "k", "v"))
	service := &corev1.Service{
		ObjectMeta: metav1.ObjectMeta{Namespace: "kairship-europe", Name: "api", UID: "uid-api"},
		Spec: corev1.ServiceSpec{
			Type: corev1.ServiceTypeLoadBalancer, ClusterIP: "10.96.0.7", Selector: map[string]string{labelInstance: "europe"},
			Ports: []corev1.ServicePort{{Port: 45443}},
		},
	}
	if _, err := b.client.CoreV1().Services(service.Namespace).Create(t.Context(), service, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	b.until("an address", func() bool {
		s, err := b.client.CoreV1().Services(service.Namespace).Get(t.Context(), "api", metav1.GetOptions{})
		return err == nil && len(s.Status.LoadBalancer.Ingress) == 1 && s.Status.LoadBalancer.Ingress[0].IP == "127.66.0.1"
	})
	b.create(aPod("one", "scheduler"))
	b.untilSays("one", "Running unready 0")
	if got, err := ask(t, "127.66.0.1:45443"); err == nil {
		t.Errorf("before the pod is ready the answer is %q", got)
	}
	serve(t, b.pod("one").Status.PodIP+":45443")
	b.machine.state("europe-scheduler", supervisor.Running)
	b.until("an answer", func() bool {
		got, err := ask(t, "127.66.0.1:45443")
		return err == nil && got == "pod: hello"
	})
	b.until("the pod's names", func() bool {
		c, err := os.ReadFile(filepath.Join(b.config.Dir, "uid-one", "hosts"))
		return err == nil && strings.Contains(string(c), "127.66.0.1 api.kairship-europe.svc.cluster.local api.kairship-europe.svc api.kairship-europe api\n")
	})
}
