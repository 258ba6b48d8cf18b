package lifecycle_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-logr/logr"
	clientv3 "go.etcd.io/etcd/client/v3"
	"go.uber.org/zap"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/transport"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/suite"
	"github.com/kairship-io/kairship/controllers/lifecycle"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

const namespace = "kairship-system"

// The host cluster, and the API server behind every Karmada.
var host, inner *testenv.Server

func TestMain(m *testing.M) {
	ctrl.SetLogger(logr.Discard())
	klog.SetLogger(logr.Discard())
	testenv.Main(m, func(env *testenv.Environment) (err error) {
		if host, err = env.Start(testenv.KairshipDefinitions, testenv.OperatorDefinitions); err != nil {
			return err
		}
		if inner, err = env.Start(testenv.KarmadaDefinitions, testenv.PolicyDefinitions); err != nil {
			return err
		}
		return host.EnsureNamespace(namespace)
	})
}

var quick = lifecycle.Pace{Progress: 50 * time.Millisecond, Operator: 100 * time.Millisecond, Idle: 200 * time.Millisecond}

// start runs the controller until the test ends or stop is called.
func start(t *testing.T, defaults v1alpha1.ManagedInstance, wrap transport.WrapperFunc) (stop func()) {
	t.Helper()
	return suite.Run(t, host, suite.Options{Wrap: wrap, Connections: connection.Options{Wrap: wrap}}, func(o controllers.Options) controllers.Controller {
		return lifecycle.New(lifecycle.Options{Options: o, Defaults: defaults, Pace: quick})
	})
}

// operator plays the Karmada operator, and of the host cluster what empties namespaces.
type operator struct {
	t          *testing.T
	kubeconfig []byte
	// fail is what it says when it cannot install; empty when it can.
	fail string
}

var karmadaKind = schema.GroupVersionKind{Group: "operator.karmada.io", Version: "v1alpha1", Kind: "Karmada"}

// operate plays the operator until the test ends.
func operate(t *testing.T, kubeconfig []byte) *operator {
	t.Helper()
	o := &operator{t: t, kubeconfig: kubeconfig}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	kube := kubernetes.NewForConfigOrDie(host.Config)
	go func() {
		defer close(done)
		ticker := time.NewTicker(30 * time.Millisecond)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				o.pass(ctx)
				empty(ctx, kube)
			case <-ctx.Done():
				return
			}
		}
	}()
	t.Cleanup(func() { cancel(); <-done })
	return o
}

func (o *operator) pass(ctx context.Context) {
	list := &unstructured.UnstructuredList{}
	list.SetGroupVersionKind(karmadaKind.GroupVersion().WithKind("KarmadaList"))
	if err := host.Client.List(ctx, list); err != nil {
		return
	}
	for i := range list.Items {
		k := &list.Items[i]
		if k.GetDeletionTimestamp() != nil {
			o.uninstall(ctx, k)
			continue
		}
		if !slices.Contains(k.GetFinalizers(), "operator.karmada.io/finalizer") {
			k.SetFinalizers([]string{"operator.karmada.io/finalizer"})
			_ = host.Client.Update(ctx, k)
			continue
		}
		conditions, _, _ := unstructured.NestedSlice(k.Object, "status", "conditions")
		if o.fail == "" && len(conditions) == 1 && conditions[0].(map[string]any)["status"] == "True" {
			continue
		}
		o.install(ctx, k)
	}
}

func operatorName(name, part string) string { return name + "-karmada-" + part }

func (o *operator) install(ctx context.Context, k *unstructured.Unstructured) {
	for name, data := range map[string]map[string][]byte{
		operatorName(k.GetName(), "cert"):         {"ca.crt": []byte("x")},
		operatorName(k.GetName(), "admin-config"): {"karmada.config": o.kubeconfig},
	} {
		_ = host.Client.Create(ctx, &corev1.Secret{
			ObjectMeta: metav1.ObjectMeta{Namespace: k.GetNamespace(), Name: name, Labels: map[string]string{"app.kubernetes.io/managed-by": "karmada-operator"}},
			Data:       data,
		})
	}
	condition := map[string]any{"type": "Ready", "status": "True", "reason": "Completed", "message": "done", "lastTransitionTime": metav1.Now().UTC().Format(time.RFC3339)}
	if o.fail != "" {
		condition["status"], condition["reason"], condition["message"] = "False", "Failed", o.fail
	}
	k.Object["status"] = map[string]any{"conditions": []any{condition}}
	_ = host.Client.Status().Update(ctx, k)
}

func (o *operator) uninstall(ctx context.Context, k *unstructured.Unstructured) {
	for _, part := range []string{"cert", "admin-config"} {
		_ = host.Client.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: k.GetNamespace(), Name: operatorName(k.GetName(), part)}})
	}
	k.SetFinalizers(nil)
	_ = host.Client.Update(ctx, k)
}

// empty does to namespaces that are being deleted what the host cluster does. One that still holds a Karmada stays: an
// object without a namespace could not be changed any more, and so would never go.
func empty(ctx context.Context, kube kubernetes.Interface) {
	list, err := kube.CoreV1().Namespaces().List(ctx, metav1.ListOptions{})
	if err != nil {
		return
	}
	for i := range list.Items {
		ns := &list.Items[i]
		if ns.DeletionTimestamp == nil {
			continue
		}
		_ = kube.CoreV1().Secrets(ns.Name).DeleteCollection(ctx, metav1.DeleteOptions{}, metav1.ListOptions{})
		_ = host.Client.DeleteAllOf(ctx, newKarmada(), client.InNamespace(ns.Name))
		left := &unstructured.UnstructuredList{}
		left.SetGroupVersionKind(karmadaKind.GroupVersion().WithKind("KarmadaList"))
		if err := host.Client.List(ctx, left, client.InNamespace(ns.Name)); err != nil || len(left.Items) > 0 {
			continue
		}
		ns.Spec.Finalizers = nil
		_, _ = kube.CoreV1().Namespaces().Finalize(ctx, ns, metav1.UpdateOptions{})
	}
}

// create makes an Instance that goes with the test.
func create(t *testing.T, name string, edits ...func(*v1alpha1.Instance)) *v1alpha1.Instance {
	t.Helper()
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.InstanceSpec{Source: v1alpha1.InstanceManaged}}
	for _, edit := range edits {
		edit(i)
	}
	testenv.Eventually(t, func() string { return text(host.Client.Create(t.Context(), i)) })
	t.Cleanup(func() { sweep(t, name) })
	return i
}

// sweep removes an Instance and all that is left of it, with or without a running controller.
func sweep(t *testing.T, name string) {
	ctx := context.Background()
	testenv.Eventually(t, func() string {
		left := ""
		for _, o := range []client.Object{&v1alpha1.Instance{}, newKarmada()} {
			key := client.ObjectKey{Name: name}
			if o.GetObjectKind().GroupVersionKind().Kind == "Karmada" {
				key.Namespace = "kairship-" + name
			}
			if err := host.Client.Get(ctx, key, o); err == nil {
				o.SetFinalizers(nil)
				_ = host.Client.Update(ctx, o)
				_ = host.Client.Delete(ctx, o)
				left = "something is left"
			}
		}
		_ = host.Client.Delete(ctx, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: namespace, Name: name + "-kubeconfig"}})
		if left != "" {
			// Nothing can be changed in a namespace that has gone.
			return left
		}
		ns := &corev1.Namespace{}
		if err := host.Client.Get(ctx, client.ObjectKey{Name: "kairship-" + name}, ns); err == nil {
			_ = host.Client.Delete(ctx, ns)
			empty(ctx, kubernetes.NewForConfigOrDie(host.Config))
			left = "the namespace is left"
		}
		return left
	})
}

func newKarmada() *unstructured.Unstructured {
	u := &unstructured.Unstructured{}
	u.SetGroupVersionKind(karmadaKind)
	return u
}

// karmadaOf is the operator's object; nil when there is none.
func karmadaOf(t *testing.T, name string) *unstructured.Unstructured {
	t.Helper()
	u := newKarmada()
	err := host.Client.Get(context.Background(), client.ObjectKey{Namespace: "kairship-" + name, Name: name}, u)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return u
}

func instance(t *testing.T, name string) *v1alpha1.Instance {
	t.Helper()
	var i v1alpha1.Instance
	if err := host.Client.Get(context.Background(), client.ObjectKey{Name: name}, &i); err != nil {
		t.Fatal(err)
	}
	return &i
}

// says waits until a condition has a reason, and returns it.
func says(t *testing.T, name, kind, reason string) metav1.Condition {
	t.Helper()
	var c *metav1.Condition
	testenv.Eventually(t, func() string {
		i := instance(t, name)
		if c = meta.FindStatusCondition(i.Status.Conditions, kind); c == nil || c.Reason != reason {
			return fmt.Sprintf("want %s %s; have %+v, steps %+v", kind, reason, i.Status.Conditions, i.Status.Steps)
		}
		return ""
	})
	return *c
}

func gone(t *testing.T, name string) {
	t.Helper()
	testenv.Eventually(t, func() string { return present(name) })
}

func present(name string) string {
	var i v1alpha1.Instance
	err := host.Client.Get(context.Background(), client.ObjectKey{Name: name}, &i)
	if apierrors.IsNotFound(err) {
		return ""
	}
	return fmt.Sprintf("the Instance is still there: %v %+v %+v", err, i.Status.Conditions, i.Status.Steps)
}

func update(t *testing.T, name string, edit func(*v1alpha1.Instance)) {
	t.Helper()
	testenv.Eventually(t, func() string {
		i := instance(t, name)
		edit(i)
		return text(host.Client.Update(t.Context(), i))
	})
}

func text(err error) string {
	if err != nil {
		return err.Error()
	}
	return ""
}

// left is everything in the host cluster that still names an instance.
func left(t *testing.T, name string) []string {
	t.Helper()
	var out []string
	var secrets corev1.SecretList
	if err := host.Client.List(t.Context(), &secrets); err != nil {
		t.Fatal(err)
	}
	for _, s := range secrets.Items {
		if s.Labels[v1alpha1.LabelInstance] == name || strings.HasPrefix(s.Name, name+"-") || s.Namespace == "kairship-"+name {
			out = append(out, "Secret "+s.Namespace+"/"+s.Name)
		}
	}
	var namespaces corev1.NamespaceList
	if err := host.Client.List(t.Context(), &namespaces); err != nil {
		t.Fatal(err)
	}
	for _, n := range namespaces.Items {
		if n.Name == "kairship-"+name || n.Labels[v1alpha1.LabelInstance] == name {
			out = append(out, "Namespace "+n.Name)
		}
	}
	if karmadaOf(t, name) != nil {
		out = append(out, "Karmada")
	}
	return out
}

func etcdOf(t *testing.T, server *testenv.Server) *clientv3.Client {
	t.Helper()
	c, err := clientv3.New(clientv3.Config{Endpoints: []string{server.Etcd()}, DialTimeout: 10 * time.Second, Logger: zap.NewNop()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	return c
}
