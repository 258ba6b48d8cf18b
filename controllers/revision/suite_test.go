package revision_test

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-logr/logr"
	appsv1 "k8s.io/api/apps/v1"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/revision"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = "kairship-system"

// The host cluster, and the API server of a Karmada. The latter has no garbage collector.
var host, karmada *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		if karmada, err = env.Start(testenv.KarmadaDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace(namespace)
	})
}

// start runs the controller until the test ends or stop is called, its requests through wrap.
func start(t *testing.T, wrap transport.WrapperFunc, now clock.PassiveClock) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Clock: now, Connections: connection.Options{
		Wrap: wrap, CallTimeout: 5 * time.Second, Heartbeat: time.Second, RetryMin: 50 * time.Millisecond, RetryMax: time.Second,
	}}, func(o controllers.Options) controllers.Controller {
		return revision.New(revision.Options{Options: o, History: 3})
	})
}

// put makes workloads in the Karmada. They and their revisions go with the test.
func put(t *testing.T, workloads ...client.Object) {
	t.Helper()
	t.Cleanup(func() {
		for _, o := range workloads {
			suite.Remove(t, karmada, o)
		}
		if err := karmada.Client.DeleteAllOf(context.Background(), &appsv1.ControllerRevision{}, client.InNamespace("default")); err != nil {
			t.Error(err)
		}
	})
	for _, o := range workloads {
		if err := karmada.Client.Create(t.Context(), o); err != nil {
			t.Fatal(err)
		}
	}
}

// change changes a workload whatever others do to it.
func change[T client.Object](t *testing.T, o T, change func(T)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if err := karmada.Client.Get(t.Context(), client.ObjectKeyFromObject(o), o); err != nil {
			return err.Error()
		}
		change(o)
		if err := karmada.Client.Update(t.Context(), o); err != nil {
			return err.Error()
		}
		return ""
	})
}

func meta(name string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Namespace: "default", Name: name}
}

func podTemplate(image string) corev1.PodTemplateSpec {
	return corev1.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "x"}},
		Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: image}}},
	}
}

var selector = &metav1.LabelSelector{MatchLabels: map[string]string{"app": "x"}}

func deployment(name, image string) *appsv1.Deployment {
	return &appsv1.Deployment{ObjectMeta: meta(name), Spec: appsv1.DeploymentSpec{Selector: selector, Template: podTemplate(image)}}
}

func statefulSet(name, image string) *appsv1.StatefulSet {
	return &appsv1.StatefulSet{ObjectMeta: meta(name), Spec: appsv1.StatefulSetSpec{Selector: selector, Template: podTemplate(image)}}
}

func daemonSet(name, image string) *appsv1.DaemonSet {
	return &appsv1.DaemonSet{ObjectMeta: meta(name), Spec: appsv1.DaemonSetSpec{Selector: selector, Template: podTemplate(image)}}
}

func cronJob(name, image string) *batchv1.CronJob {
	c := &batchv1.CronJob{ObjectMeta: meta(name), Spec: batchv1.CronJobSpec{Schedule: "@daily"}}
	c.Spec.JobTemplate.Spec.Template = podTemplate(image)
	c.Spec.JobTemplate.Spec.Template.Spec.RestartPolicy = corev1.RestartPolicyNever
	return c
}

func image(image string) func(*appsv1.Deployment) {
	return func(d *appsv1.Deployment) { d.Spec.Template.Spec.Containers[0].Image = image }
}

// recorded is the revisions in the Karmada by workload and number.
func recorded(ctx context.Context) []appsv1.ControllerRevision {
	var list appsv1.ControllerRevisionList
	if err := karmada.Client.List(ctx, &list); err != nil {
		return nil
	}
	slices.SortFunc(list.Items, func(a, b appsv1.ControllerRevision) int {
		return cmp.Or(strings.Compare(workloadOf(&a), workloadOf(&b)), cmp.Compare(a.Revision, b.Revision))
	})
	return list.Items
}

func workloadOf(r *appsv1.ControllerRevision) string {
	for _, o := range r.OwnerReferences {
		return o.Kind + " " + o.Name
	}
	return "nothing"
}

// history is the revisions in the Karmada, each as its workload, number and image.
func history(ctx context.Context) []string {
	var out []string
	for _, r := range recorded(ctx) {
		_, rest, _ := strings.Cut(string(r.Data.Raw), `"image":"`)
		image, _, _ := strings.Cut(rest, `"`)
		line := fmt.Sprintf("%s %d %s", workloadOf(&r), r.Revision, image)
		if cause := r.Annotations[model.AnnotationChangeCause]; cause != "" {
			line += " because " + cause
		}
		out = append(out, line)
	}
	return out
}

// is says what the history is instead.
func is(ctx context.Context, want ...string) string {
	if got := history(ctx); !slices.Equal(got, want) {
		return fmt.Sprintf("the history is %q, want %q", got, want)
	}
	return ""
}

func reaches(t *testing.T, want ...string) {
	t.Helper()
	testenv.Eventually(t, func() string { return is(t.Context(), want...) })
}

// requests counts what a controller asks of a Karmada about workloads and revisions, apart from lists and
// watches.
type requests struct {
	mu   sync.Mutex
	list []string
}

func (r *requests) wrap(next http.RoundTripper) http.RoundTripper {
	return roundTripper(func(req *http.Request) (*http.Response, error) {
		if strings.Contains(req.URL.Path, "/namespaces/default/") && req.URL.Query().Get("watch") == "" {
			r.mu.Lock()
			r.list = append(r.list, req.Method+" "+req.URL.Path)
			r.mu.Unlock()
		}
		return next.RoundTrip(req)
	})
}

func (r *requests) take() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	list := r.list
	r.list = nil
	return list
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }
