package statistics_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	"k8s.io/utils/ptr"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/statistics"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = "kairship-system"

// The host cluster, and the API servers of two Karmadas.
var host, first, second *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		if first, err = env.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions); err != nil {
			return err
		}
		if second, err = env.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace(namespace)
	})
}

// requests counts what a controller asks, apart from watches and from whether a Karmada is still there.
type requests struct {
	mu   sync.Mutex
	list []string
}

func (r *requests) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if req.URL.Query().Get("watch") == "" && req.URL.Path != "/api/v1/namespaces/kube-system" {
			r.mu.Lock()
			r.list = append(r.list, req.Method+" "+req.URL.Path)
			r.mu.Unlock()
		}
		return next.RoundTrip(req)
	})
}

// take returns what was asked since the last call.
func (r *requests) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

// errorOf is the answer of an API server that fails.
func errorOf(r *http.Request, code int) *http.Response {
	body := fmt.Sprintf(`{"kind":"Status","apiVersion":"v1","status":"Failure","code":%d,"message":"it fails"}`, code)
	return &http.Response{
		StatusCode: code, Status: http.StatusText(code), Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: io.NopCloser(strings.NewReader(body)), Request: r,
	}
}

// resourceOf is the last word of a request's path: the resource, when it is about many.
func resourceOf(r *http.Request) string {
	return r.URL.Path[strings.LastIndex(r.URL.Path, "/")+1:]
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// start runs the controller until the test ends or stop is called, its requests through wrap.
func start(t *testing.T, wrap transport.WrapperFunc) (connections *connection.Set, stop func()) {
	t.Helper()
	stop = suite.Run(t, host, suite.Options{Wrap: wrap, Connections: connection.Options{
		Wrap: wrap, CallTimeout: 5 * time.Second, Heartbeat: time.Second, RetryMin: 50 * time.Millisecond, RetryMax: time.Second,
	}}, func(o controllers.Options) controllers.Controller {
		connections = o.Connections
		return statistics.New(statistics.Options{Options: o})
	})
	return connections, stop
}

func instanceOf(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
		t.Fatal(err)
	}
	return &i
}

// difference is what of an instance's numbers is not as wanted, whenever they changed.
func difference(want, got *v1alpha1.InstanceStatistics) string {
	return cmp.Diff(want, got, cmpopts.IgnoreFields(v1alpha1.InstanceStatistics{}, "AsOf"), cmpopts.EquateEmpty())
}

// reaches waits until an instance's numbers are as wanted.
func reaches(t *testing.T, name string, want *v1alpha1.InstanceStatistics) {
	t.Helper()
	testenv.Eventually(t, func() string { return difference(want, instanceOf(t, name).Status.Statistics) })
}

// history is the numbers that an instance had, one after the other.
type history struct {
	mu   sync.Mutex
	seen []*v1alpha1.InstanceStatistics
}

// follow begins a history, which ends with the test.
func follow(t *testing.T, name string) *history {
	t.Helper()
	c, err := client.NewWithWatch(host.Config, client.Options{Scheme: host.Client.Scheme()})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	w, err := c.Watch(ctx, &v1alpha1.InstanceList{}, client.MatchingFieldsSelector{Selector: fields.OneTermEqualSelector("metadata.name", name)})
	if err != nil {
		cancel()
		t.Fatal(err)
	}
	h := &history{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for e := range w.ResultChan() {
			if i, ok := e.Object.(*v1alpha1.Instance); ok && i.Status.Statistics != nil {
				h.mu.Lock()
				h.seen = append(h.seen, i.Status.Statistics)
				h.mu.Unlock()
			}
		}
	}()
	t.Cleanup(func() {
		w.Stop()
		cancel()
		<-done
	})
	return h
}

// ends waits until the last numbers are as wanted, and returns all that differ from those before them.
func (h *history) ends(t *testing.T, want *v1alpha1.InstanceStatistics) []*v1alpha1.InstanceStatistics {
	t.Helper()
	testenv.Eventually(t, func() string {
		h.mu.Lock()
		defer h.mu.Unlock()
		if len(h.seen) == 0 {
			return "it has no numbers"
		}
		return difference(want, h.seen[len(h.seen)-1])
	})
	h.mu.Lock()
	defer h.mu.Unlock()
	var out []*v1alpha1.InstanceStatistics
	for _, s := range h.seen {
		if len(out) == 0 || difference(out[len(out)-1], s) != "" {
			out = append(out, s)
		}
	}
	return out
}

// known is the connection that the controller uses, once its state is as wanted.
func known(t *testing.T, connections *connection.Set, name string, raw []byte, is func(connection.State) bool) {
	t.Helper()
	config, err := kubeconfig.Parse(raw)
	if err != nil {
		t.Fatal(err)
	}
	testenv.Eventually(t, func() string {
		conn, err := connections.Ensure(name, config)
		if err != nil {
			return err.Error()
		}
		if s := conn.State(connection.Clusters); !is(s) {
			return fmt.Sprintf("the connection is %+v", s)
		}
		return ""
	})
}

// report writes the status of a member as Karmada does.
func report(t *testing.T, karmada *testenv.Server, name string, edit func(status map[string]any)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		u := &unstructured.Unstructured{}
		u.SetAPIVersion("cluster.karmada.io/v1alpha1")
		u.SetKind("Cluster")
		if err := karmada.Client.Get(t.Context(), client.ObjectKey{Name: name}, u); err != nil {
			return err.Error()
		}
		status, ok := u.Object["status"].(map[string]any)
		if !ok {
			status = map[string]any{}
		}
		edit(status)
		u.Object["status"] = status
		return text(karmada.Client.Status().Update(t.Context(), u))
	})
}

// reported is the status of a ready member.
func reported(nodes, nodesReady int64, cpu, cpuAllocated, memory, memoryAllocated string) func(map[string]any) {
	return func(status map[string]any) {
		status["conditions"] = []any{map[string]any{"type": "Ready", "status": "True", "reason": "ClusterReady", "message": "", "lastTransitionTime": "2026-01-02T03:04:05Z"}}
		status["nodeSummary"] = map[string]any{"totalNum": nodes, "readyNum": nodesReady}
		status["resourceSummary"] = map[string]any{
			"allocatable": map[string]any{"cpu": cpu, "memory": memory, "pods": "110"},
			"allocated":   map[string]any{"cpu": cpuAllocated, "memory": memoryAllocated, "pods": "7"},
		}
	}
}

// put makes objects that go with the test, and writes the status that they come with.
func put(t *testing.T, karmada *testenv.Server, objects ...client.Object) {
	t.Helper()
	for _, o := range objects {
		written, ok := o.DeepCopyObject().(client.Object)
		if !ok {
			t.Fatalf("%T cannot be copied", o)
		}
		if err := karmada.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { remove(t, karmada, o) })
		if u, ok := written.(*unstructured.Unstructured); ok && u.Object["status"] == nil {
			continue
		}
		written.SetResourceVersion(o.GetResourceVersion())
		written.SetUID(o.GetUID())
		if err := karmada.Client.Status().Update(t.Context(), written); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t *testing.T, karmada *testenv.Server, o client.Object) {
	t.Helper()
	// Nobody collects garbage here.
	err := karmada.Client.Delete(context.Background(), o, client.PropagationPolicy(metav1.DeletePropagationBackground))
	if client.IgnoreNotFound(err) != nil {
		t.Error(err)
	}
}

func named(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: metav1.NamespaceDefault, Name: name}
}

func pods(restart corev1.RestartPolicy) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "a"}},
		Spec:       corev1.PodSpec{RestartPolicy: restart, Containers: []corev1.Container{{Name: "a", Image: "a"}}},
	}
}

var selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "a"}}

// deployment is one of which some replicas are ready.
func deployment(name string, want, ready int32) *appsv1.Deployment {
	return &appsv1.Deployment{
		ObjectMeta: named(name),
		Spec:       appsv1.DeploymentSpec{Replicas: &want, Selector: selector, Template: pods(corev1.RestartPolicyAlways)},
		Status: appsv1.DeploymentStatus{
			ObservedGeneration: 1, Replicas: want, UpdatedReplicas: want, ReadyReplicas: ready, AvailableReplicas: ready, UnavailableReplicas: want - ready,
		},
	}
}

func statefulSet(name string, want, ready int32) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{
		ObjectMeta: named(name),
		Spec:       appsv1.StatefulSetSpec{Replicas: &want, Selector: selector, ServiceName: "a", Template: pods(corev1.RestartPolicyAlways)},
		Status:     appsv1.StatefulSetStatus{Replicas: want, UpdatedReplicas: want, ReadyReplicas: ready, AvailableReplicas: ready},
	}
}

func daemonSet(name string, want, ready int32) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{
		ObjectMeta: named(name),
		Spec:       appsv1.DaemonSetSpec{Selector: selector, Template: pods(corev1.RestartPolicyAlways)},
		Status: appsv1.DaemonSetStatus{
			ObservedGeneration: 1, DesiredNumberScheduled: want, CurrentNumberScheduled: want, UpdatedNumberScheduled: want, NumberReady: ready,
		},
	}
}

func job(name string, complete bool) *batchv1.Job {
	j := &batchv1.Job{ObjectMeta: named(name), Spec: batchv1.JobSpec{Template: pods(corev1.RestartPolicyNever)}}
	j.Status.StartTime = ptr.To(metav1.Now())
	if complete {
		j.Status.CompletionTime = ptr.To(metav1.Now())
		for _, kind := range []batchv1.JobConditionType{batchv1.JobSuccessCriteriaMet, batchv1.JobComplete} {
			j.Status.Conditions = append(j.Status.Conditions, batchv1.JobCondition{Type: kind, Status: corev1.ConditionTrue})
		}
	}
	return j
}

func cronJob(name string, suspended bool) *batchv1.CronJob {
	return &batchv1.CronJob{ObjectMeta: named(name), Spec: batchv1.CronJobSpec{
		Schedule: "@daily", Suspend: &suspended, JobTemplate: batchv1.JobTemplateSpec{Spec: batchv1.JobSpec{Template: pods(corev1.RestartPolicyNever)}},
	}}
}

func policy(kind, name string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"spec": map[string]any{
		"resourceSelectors": []any{map[string]any{"apiVersion": "apps/v1", "kind": "Deployment"}},
	}}}
	u.SetAPIVersion("policy.karmada.io/v1alpha1")
	u.SetKind(kind)
	u.SetName(name)
	if !strings.HasPrefix(kind, "Cluster") {
		u.SetNamespace(metav1.NamespaceDefault)
	}
	if strings.HasSuffix(kind, "OverridePolicy") {
		spec, _ := u.Object["spec"].(map[string]any)
		spec["overrideRules"] = []any{map[string]any{"overriders": map[string]any{}}}
	}
	return u
}

// numbers are those of an instance that has nothing.
func numbers(edits ...func(*v1alpha1.InstanceStatistics)) *v1alpha1.InstanceStatistics {
	s := &v1alpha1.InstanceStatistics{
		Workloads: map[string]v1alpha1.ReadyCount{"Deployment": {}, "StatefulSet": {}, "DaemonSet": {}, "Job": {}, "CronJob": {}},
		Policies:  map[string]int32{"PropagationPolicy": 0, "ClusterPropagationPolicy": 0, "OverridePolicy": 0, "ClusterOverridePolicy": 0},
	}
	for _, edit := range edits {
		edit(s)
	}
	return s
}

func deployments(total, ready int32) func(*v1alpha1.InstanceStatistics) {
	return func(s *v1alpha1.InstanceStatistics) {
		s.Workloads["Deployment"] = v1alpha1.ReadyCount{Total: total, Ready: ready}
	}
}

func members(total, ready, nodes, nodesReady int32, cpu, cpuAllocated, memory, memoryAllocated string) func(*v1alpha1.InstanceStatistics) {
	return func(s *v1alpha1.InstanceStatistics) {
		s.Clusters = v1alpha1.ReadyCount{Total: total, Ready: ready}
		s.Nodes = v1alpha1.ReadyCount{Total: nodes, Ready: nodesReady}
		s.CPU = v1alpha1.ResourceAmounts{Allocatable: resource.MustParse(cpu), Allocated: resource.MustParse(cpuAllocated)}
		s.Memory = v1alpha1.ResourceAmounts{Allocatable: resource.MustParse(memory), Allocated: resource.MustParse(memoryAllocated)}
	}
}

func text(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}
