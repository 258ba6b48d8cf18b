package e2e

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"github.com/kairship-io/kairship/api/v1alpha1"
)

// members of each instance of the demo fleet.
var members = map[string][]string{"asia": {"hangzhou", "singapore", "tokyo"}, "europe": {"frankfurt"}}

func clientset(t *testing.T, cluster string) kubernetes.Interface {
	t.Helper()
	client, err := kubernetes.NewForConfig(config(t, cluster))
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// instanceNow is the object by which an instance is known in the host cluster.
func instanceNow(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	u, err := karmada(t, "host").Resource(v1alpha1.InstanceResource).Get(t.Context(), name, metav1.GetOptions{})
	if err != nil {
		t.Fatal(err)
	}
	var instance v1alpha1.Instance
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(u.Object, &instance); err != nil {
		t.Fatal(err)
	}
	return &instance
}

// conditionIs says why a condition of an instance does not have a status.
func conditionIs(t *testing.T, instance, kind string, want metav1.ConditionStatus) error {
	t.Helper()
	c := meta.FindStatusCondition(instanceNow(t, instance).Status.Conditions, kind)
	if c == nil {
		return fmt.Errorf("%s has no condition %s", instance, kind)
	}
	if c.Status != want {
		return fmt.Errorf("%s of %s is %s (%s: %s), want %s", kind, instance, c.Status, c.Reason, c.Message, want)
	}
	return nil
}

// sums is what a person counts with kubectl.
type sums struct {
	Nodes, NodesReady                                         int32
	CPU, CPUAllocated, Memory, MemoryAllocated                string
	Deployments, DeploymentsReady, Policies, ClusterOverrides int32
}

// counted asks the members and the Karmada themselves.
func counted(t *testing.T, instance string) sums {
	t.Helper()
	var out sums
	var cpu, cpuAllocated, memory, memoryAllocated resource.Quantity
	for _, member := range members[instance] {
		client := clientset(t, member)
		nodes, err := client.CoreV1().Nodes().List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range nodes.Items {
			out.Nodes++
			cpu.Add(*n.Status.Allocatable.Cpu())
			memory.Add(*n.Status.Allocatable.Memory())
			for _, c := range n.Status.Conditions {
				if c.Type == corev1.NodeReady && c.Status == corev1.ConditionTrue {
					out.NodesReady++
				}
			}
		}
		pods, err := client.CoreV1().Pods("").List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range pods.Items {
			if p.Spec.NodeName == "" || p.Status.Phase == corev1.PodSucceeded || p.Status.Phase == corev1.PodFailed {
				continue
			}
			for _, c := range p.Spec.Containers {
				cpuAllocated.Add(*c.Resources.Requests.Cpu())
				memoryAllocated.Add(*c.Resources.Requests.Memory())
			}
		}
	}
	out.CPU, out.CPUAllocated, out.Memory, out.MemoryAllocated = amount(cpu), amount(cpuAllocated), amount(memory), amount(memoryAllocated)

	deployments, err := clientset(t, instance).AppsV1().Deployments("").List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range deployments.Items {
		out.Deployments++
		// With duplicated replicas there are more of them than one cluster is to have.
		if d.Status.ObservedGeneration >= d.Generation && d.Status.ReadyReplicas >= max(*d.Spec.Replicas, d.Status.Replicas) {
			out.DeploymentsReady++
		}
	}
	for kind, n := range map[string]*int32{"propagationpolicies": &out.Policies, "clusteroverridepolicies": &out.ClusterOverrides} {
		list, err := karmada(t, instance).Resource(policyResource(kind)).List(t.Context(), metav1.ListOptions{})
		if err != nil {
			t.Fatal(err)
		}
		*n = int32(len(list.Items)) //nolint:gosec // a handful
	}
	return out
}

// amount is a quantity as a number: equal amounts may be written differently.
func amount(q resource.Quantity) string { return strconv.FormatInt(q.MilliValue(), 10) }

// told is what the status of the Instance says of the same.
func told(t *testing.T, instance string) (sums, error) {
	t.Helper()
	s := instanceNow(t, instance).Status.Statistics
	if s == nil {
		return sums{}, fmt.Errorf("%s has no statistics", instance)
	}
	return sums{
		Nodes: s.Nodes.Total, NodesReady: s.Nodes.Ready,
		CPU: amount(s.CPU.Allocatable), CPUAllocated: amount(s.CPU.Allocated),
		Memory: amount(s.Memory.Allocatable), MemoryAllocated: amount(s.Memory.Allocated),
		Deployments: s.Workloads["Deployment"].Total, DeploymentsReady: s.Workloads["Deployment"].Ready,
		Policies: s.Policies["PropagationPolicy"], ClusterOverrides: s.Policies["ClusterOverridePolicy"],
	}, nil
}

// agree waits until the statistics of an instance are what is counted.
func agree(t *testing.T, instance string, within time.Duration) time.Duration {
	t.Helper()
	return eventually(t, within, func() error {
		got, err := told(t, instance)
		if err != nil {
			return err
		}
		if diff := cmp.Diff(counted(t, instance), got); diff != "" {
			return fmt.Errorf("statistics of %s (-counted +told):\n%s", instance, diff)
		}
		return nil
	})
}

func TestStatisticsAreWhatIsCountedInTheMembers(t *testing.T) {
	whole(t)
	for instance := range members {
		agree(t, instance, time.Minute)
	}

	// A node comes.
	node := &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: "e2e-statistics", Annotations: map[string]string{"kwok.x-k8s.io/node": "fake"}},
		Status: corev1.NodeStatus{Allocatable: corev1.ResourceList{
			corev1.ResourceCPU: resource.MustParse("7"), corev1.ResourceMemory: resource.MustParse("13Gi"), corev1.ResourcePods: resource.MustParse("110"),
		}}}
	node.Status.Capacity = node.Status.Allocatable
	tokyo := clientset(t, "tokyo")
	remove := func() {
		_ = tokyo.CoreV1().Nodes().Delete(context.Background(), node.Name, metav1.DeleteOptions{})
	}
	t.Cleanup(remove)
	before, err := told(t, "asia")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tokyo.CoreV1().Nodes().Create(t.Context(), node, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	changed := func(what string, since time.Time) {
		t.Helper()
		eventually(t, 20*time.Second, func() error {
			now, err := told(t, "asia")
			if err != nil {
				return err
			}
			if cmp.Equal(before, now) {
				return fmt.Errorf("%s is not seen", what)
			}
			return nil
		})
		agree(t, "asia", 20*time.Second)
		t.Logf("%s was counted after %s", what, time.Since(since).Round(100*time.Millisecond))
		if before, err = told(t, "asia"); err != nil {
			t.Fatal(err)
		}
	}
	changed("a node that came", time.Now())
	start := time.Now()
	remove()
	changed("a node that went", start)

	// A workload changes.
	asia := clientset(t, "asia").AppsV1().Deployments("shop")
	deployments, err := asia.List(t.Context(), metav1.ListOptions{})
	if err != nil || len(deployments.Items) == 0 {
		t.Fatalf("the demo has no Deployments in shop: %v", err)
	}
	var name string
	var replicas int32
	for _, d := range deployments.Items {
		if d.Status.ReadyReplicas > 0 && d.Status.ReadyReplicas == *d.Spec.Replicas && len(d.Spec.Template.Spec.Containers[0].Resources.Requests) > 0 {
			name, replicas = d.Name, *d.Spec.Replicas
		}
	}
	scale := func(n int32) {
		t.Helper()
		patch := fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, n)
		// Also when the test has ended.
		if _, err := asia.Patch(context.Background(), name, types.MergePatchType, patch, metav1.PatchOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	if name == "" {
		t.Fatal("the demo has no running Deployment with requests")
	}
	start = time.Now()
	scale(replicas + 2)
	t.Cleanup(func() { scale(replicas) })
	changed("a workload that grew", start)
}

func TestAStoppedComponentIsSaidAndClears(t *testing.T) {
	whole(t)
	for _, round := range []map[string]string{
		{
			"asia-scheduler":          v1alpha1.ConditionSchedulerReady,
			"asia-webhook":            v1alpha1.ConditionWebhookReady,
			"asia-controller-manager": v1alpha1.ConditionControllersReady,
			"singapore":               v1alpha1.ConditionMembersReachable,
		},
		{"asia-aggregated-apiserver": v1alpha1.ConditionAggregatedAPIAvailable},
	} {
		for _, kind := range round {
			eventually(t, time.Minute, func() error { return conditionIs(t, "asia", kind, metav1.ConditionTrue) })
		}
		stopped, started := map[string]time.Time{}, map[string]time.Time{}
		for name := range round {
			stop(t, name)
			stopped[name] = time.Now()
		}
		for name, kind := range round {
			eventually(t, time.Until(stopped[name].Add(30*time.Second)), func() error { return conditionIs(t, "asia", kind, metav1.ConditionFalse) })
			t.Logf("%s: %s is False after at most %s", name, kind, time.Since(stopped[name]).Round(time.Second))
		}
		if phase := instanceNow(t, "asia").Status.Phase; phase != v1alpha1.PhaseRunning {
			t.Errorf("asia is %s because of a component", phase)
		}
		for name := range round {
			fleetDo(t, "start", name)
			started[name] = time.Now()
		}
		for name, kind := range round {
			eventually(t, time.Until(started[name].Add(30*time.Second)), func() error { return conditionIs(t, "asia", kind, metav1.ConditionTrue) })
			t.Logf("%s: %s is True again after at most %s", name, kind, time.Since(started[name]).Round(time.Second))
		}
	}
	whole(t)
}

// phases follows the phase of an instance from now on, event by event.
type phases struct {
	mu   sync.Mutex
	seen []string
	// version is that of the last object that was seen.
	version string
	err     error
}

// followPhases reads every event of a watch until the test ends. The watch has no end of its own: the client's
// timeout, which is that of all other requests, would close it in the middle of a drill.
func followPhases(t *testing.T, instance string) *phases {
	t.Helper()
	cfg := config(t, "host")
	cfg.Timeout = 0
	client, err := dynamic.NewForConfig(cfg)
	if err != nil {
		t.Fatal(err)
	}
	now := instanceNow(t, instance)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	w, err := client.Resource(v1alpha1.InstanceResource).Watch(ctx, metav1.ListOptions{
		FieldSelector: "metadata.name=" + instance, ResourceVersion: now.ResourceVersion,
	})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	p := &phases{seen: []string{string(now.Status.Phase)}, version: now.ResourceVersion}
	var reading sync.WaitGroup
	reading.Go(func() {
		for event := range w.ResultChan() {
			p.take(event)
		}
		if ctx.Err() == nil {
			p.fail(errors.New("the watch ended before the test did"))
		}
	})
	t.Cleanup(func() {
		cancel()
		w.Stop()
		reading.Wait()
	})
	return p
}

func (p *phases) take(event watch.Event) {
	u, ok := event.Object.(*unstructured.Unstructured)
	if !ok || event.Type == watch.Error {
		p.fail(fmt.Errorf("the watch ended: %w", apierrors.FromObject(event.Object)))
		return
	}
	phase, _, _ := unstructured.NestedString(u.Object, "status", "phase")
	p.mu.Lock()
	defer p.mu.Unlock()
	p.version = u.GetResourceVersion()
	if p.seen[len(p.seen)-1] != phase {
		p.seen = append(p.seen, phase)
	}
}

func (p *phases) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
}

// until returns the phases in their order, once everything that has happened so far was seen.
func (p *phases) until(t *testing.T, instance string) []string {
	t.Helper()
	var out []string
	eventually(t, 10*time.Second, func() error {
		now := instanceNow(t, instance).ResourceVersion
		p.mu.Lock()
		defer p.mu.Unlock()
		if p.err != nil {
			t.Fatal(p.err)
		}
		if p.version != now {
			return fmt.Errorf("the watch has come to version %s, the object is at %s", p.version, now)
		}
		out = slices.Clone(p.seen)
		return nil
	})
	return out
}

func TestAnAPIServerThatFlapsChangesThePhaseTwiceAtMost(t *testing.T) {
	whole(t)
	eventually(t, time.Minute, func() error { return conditionIs(t, "asia", v1alpha1.ConditionReady, metav1.ConditionTrue) })
	followed := followPhases(t, "asia")
	// Twice down and up again would be four changes, if each were told.
	const restarts, apart = 2, 12 * time.Second
	begin := time.Now()
	for n := range restarts {
		timer := time.NewTimer(time.Until(begin.Add(time.Duration(n) * apart)))
		<-timer.C
		fleetDo(t, "stop", "asia-apiserver")
		fleetDo(t, "start", "asia-apiserver")
	}
	whole(t)
	eventually(t, 2*time.Minute, func() error { return conditionIs(t, "asia", v1alpha1.ConditionReady, metav1.ConditionTrue) })
	seen := followed.until(t, "asia")
	t.Logf("phases: %v", seen)
	if seen[0] != string(v1alpha1.PhaseRunning) || seen[len(seen)-1] != string(v1alpha1.PhaseRunning) {
		t.Errorf("phases %v do not begin and end with %s", seen, v1alpha1.PhaseRunning)
	}
	if changes := len(seen) - 1; changes > 2 {
		t.Errorf("%d restarts changed the phase %d times: %v", restarts, changes, seen)
	}
}
