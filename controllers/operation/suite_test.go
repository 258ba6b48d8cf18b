package operation_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/operation"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = suite.Namespace

// host is the host cluster. It has no garbage collector. Others start in the same environment.
var (
	host        *testenv.Server
	environment *testenv.Environment
)

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		environment = env
		if host, err = env.Start(testenv.KairshipDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace(namespace)
	})
}

const (
	owners = "kairship:oidc:owners"
	ada    = "kairship:oidc:ada"
)

// start runs the controller until the test ends or stop is called, its requests through wrap.
func start(t *testing.T, wrap transport.WrapperFunc, edits ...func(*operation.Options)) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Connections: connection.Options{Wrap: wrap}}, func(o controllers.Options) controllers.Controller {
		options := operation.Options{Options: o, AdminGroups: []string{owners}, Kinds: operation.Kinds()}
		for _, edit := range edits {
			edit(&options)
		}
		return operation.New(options)
	})
}

// ask makes an Operation that goes with the test, with what is secret in it.
func ask(t *testing.T, name string, spec v1alpha1.OperationSpec, secret ...string) *v1alpha1.Operation {
	t.Helper()
	o := &v1alpha1.Operation{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: spec}
	if o.Spec.Actor.Name == "" {
		o.Spec.Actor = v1alpha1.OperationActor{Name: ada, Groups: []string{owners}}
	}
	if err := host.Client.Create(t.Context(), o); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { suite.Remove(t, host, o) })
	for _, s := range secret {
		stored := &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name, OwnerReferences: []metav1.OwnerReference{*metav1.NewControllerRef(o, v1alpha1.OperationKindGVK)}},
			Data:       map[string][]byte{v1alpha1.KubeconfigKey: []byte(s)},
		}
		if err := host.Client.Create(t.Context(), stored); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { suite.Remove(t, host, stored) })
	}
	return o
}

// now is an operation as it is.
func now(ctx context.Context, name string) *v1alpha1.Operation {
	var o v1alpha1.Operation
	if err := host.Client.Get(ctx, client.ObjectKey{Name: name}, &o); err != nil {
		return nil
	}
	return &o
}

// summary is a state, its message and its steps, without times.
func summary(o *v1alpha1.Operation) []string {
	if o == nil {
		return []string{"there is none"}
	}
	out := []string{strings.TrimSuffix(fmt.Sprintf("%s: %s", o.Status.State, o.Status.Message), ": ")}
	for _, s := range o.Status.Steps {
		out = append(out, strings.TrimSuffix(fmt.Sprintf("%s %s: %s", s.Name, s.State, s.Message), ": "))
	}
	return out
}

// becomes waits until an operation is as it is to be.
func becomes(t *testing.T, name string, want ...string) {
	t.Helper()
	testenv.Eventually(t, func() string {
		if got := summary(now(t.Context(), name)); !slices.Equal(got, want) {
			return fmt.Sprintf("the operation is\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		return ""
	})
}

// ended says that an operation has not ended.
func ended(name string) string {
	if o := now(context.Background(), name); o == nil || !o.Status.State.Ended() || len(o.Finalizers) > 0 {
		return fmt.Sprint("it has not ended: ", summary(o))
	}
	return ""
}

const spec = `{"labels":{"tier":"gold"},"spec":{"source":"Managed","displayName":"Europe"}}`

func create(instance string) v1alpha1.OperationSpec {
	return v1alpha1.OperationSpec{Kind: v1alpha1.OperationCreateInstance, Instance: instance, CreateInstance: &v1alpha1.CreateInstanceInput{Instance: spec}}
}

func instanceOf(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return &i
}

// report writes the status of an Instance, as the other controllers do.
func report(t *testing.T, name string, change func(*v1alpha1.Instance)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		var i v1alpha1.Instance
		if err := host.Client.Get(t.Context(), client.ObjectKey{Name: name}, &i); err != nil {
			return err.Error()
		}
		change(&i)
		if err := host.Client.Status().Update(t.Context(), &i); err != nil {
			return err.Error()
		}
		return ""
	})
}

func installed(status metav1.ConditionStatus, reason, message string, steps ...v1alpha1.Step) func(*v1alpha1.Instance) {
	return func(i *v1alpha1.Instance) {
		i.Status.Conditions = []metav1.Condition{{Type: v1alpha1.ConditionInstalled, Status: status, Reason: reason, Message: message,
			ObservedGeneration: i.Generation, LastTransitionTime: metav1.NewTime(time.Now())}}
		i.Status.Steps = steps
	}
}

func running(i *v1alpha1.Instance) { i.Status.Phase = v1alpha1.PhaseRunning }
