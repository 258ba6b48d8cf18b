// Package suite is what the tests of all controllers share: a controller that runs on a host cluster, and Instances for
// it to act on.
package suite

import (
	"context"
	"log/slog"
	"testing"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/transport"
	"k8s.io/utils/clock"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/manager"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// Namespace is Kairship's own in the host cluster.
const Namespace = "kairship-system"

// Options of Run.
type Options struct {
	// Wrap wraps every request to the host cluster; nil for nothing.
	Wrap transport.WrapperFunc
	// Connections is how Karmadas are reached.
	Connections connection.Options
	// Clock tells the time; nil for the real one.
	Clock clock.PassiveClock
}

// Run runs the controller that create makes until the test ends or stop is called.
func Run(tb testing.TB, host *testenv.Server, o Options, create func(controllers.Options) controllers.Controller) (stop func()) {
	tb.Helper()
	log := slog.New(slog.DiscardHandler)
	o.Connections.Logger = log
	connections := connection.NewSet(o.Connections)
	return host.Run(tb, o.Wrap, func(mgr manager.Manager) error {
		if err := mgr.Add(connections); err != nil {
			return err
		}
		return controllers.Register(mgr, create(controllers.Options{Namespace: Namespace, Connections: connections, Clock: o.Clock, Logger: log}))
	})
}

// Attach makes an Instance whose kubeconfig is in a Secret of the same name; nil makes no Secret. Both are removed with
// the test, whatever finalizers the Instance has.
func Attach(tb testing.TB, host *testenv.Server, name string, kubeconfig []byte, edits ...func(*v1alpha1.Instance)) *v1alpha1.Instance {
	tb.Helper()
	if kubeconfig != nil {
		WriteKubeconfig(tb, host, name, kubeconfig)
	}
	i := &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}, Spec: v1alpha1.InstanceSpec{
		Source:   v1alpha1.InstanceAttached,
		Attached: &v1alpha1.AttachedInstance{KubeconfigSecretRef: v1alpha1.SecretReference{Name: name}},
	}}
	for _, edit := range edits {
		edit(i)
	}
	if err := host.Client.Create(tb.Context(), i); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { Detach(tb, host, name) })
	return i
}

// Detach removes an Instance and its Secret.
func Detach(tb testing.TB, host *testenv.Server, name string) {
	tb.Helper()
	Remove(tb, host, &v1alpha1.Instance{ObjectMeta: metav1.ObjectMeta{Name: name}})
	Remove(tb, host, &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name}})
}

// WriteKubeconfig writes a kubeconfig into the Secret of some name.
func WriteKubeconfig(tb testing.TB, host *testenv.Server, name string, kubeconfig []byte) {
	tb.Helper()
	secret := &corev1.Secret{ObjectMeta: metav1.ObjectMeta{Namespace: Namespace, Name: name}}
	if _, err := controllerutil.CreateOrUpdate(tb.Context(), host.Client, secret, func() error {
		secret.Data = map[string][]byte{v1alpha1.KubeconfigKey: kubeconfig}
		return nil
	}); err != nil {
		tb.Fatal(err)
	}
}

// Remove removes an object, whatever its finalizers, and waits until it is gone.
func Remove(tb testing.TB, s *testenv.Server, o client.Object) {
	tb.Helper()
	ctx := context.Background() // the test's own context has ended during cleanup
	testenv.Eventually(tb, func() string {
		err := s.Client.Get(ctx, client.ObjectKeyFromObject(o), o)
		if apierrors.IsNotFound(err) || meta.IsNoMatchError(err) {
			return ""
		}
		if err == nil && len(o.GetFinalizers()) > 0 {
			o.SetFinalizers(nil)
			err = s.Client.Update(ctx, o)
		}
		if err == nil {
			err = client.IgnoreNotFound(s.Client.Delete(ctx, o))
		}
		if err != nil {
			return o.GetName() + " is still there: " + err.Error()
		}
		return o.GetName() + " is still there"
	})
}
