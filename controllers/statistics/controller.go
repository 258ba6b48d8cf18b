// Package statistics keeps the numbers of every instance up to date: what its members have together, and how many
// workloads and policies its control plane holds.
//
// All of them come from watches on Karmada: of the Clusters, in whose status Karmada sums up each member, and of the
// templates and policies, of which only identity and readiness are held. The read store could count as well. But it is
// behind whenever a synchro manager is, costs a request for every kind and change, and cannot report that nothing
// changed. A watch reports at once, costs no request, and is silent while nothing happens.
//
// The numbers are written when they differ from the current ones, at most once in every pause. What is not known is
// left out, never written as zero; what is known stays when Karmada cannot be reached.
//
// It must not know what the read store holds, nor what the numbers are used for.
package statistics

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "statistics"
	fieldOwner = client.FieldOwner("kairship-statistics")
)

const (
	// workers is how many instances are summed up at once. None of them waits for a Karmada.
	workers = 4
	// passTimeout bounds one pass over an instance: it makes one request at most, to the host cluster.
	passTimeout = 30 * time.Second
	// pause is the least time between two passes over an instance, and so between two writes.
	pause = 2 * time.Second
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options

	mu sync.Mutex
	// looked is when the numbers of an instance were last summed up.
	looked map[string]time.Time
}

// Options of New.
type Options struct{ controllers.Options }

// New makes the controller.
func New(options Options) *Controller {
	return &Controller{options: options, looked: map[string]time.Time{}}
}

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: instanceChanged})).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(connection.InstancesOfSecret(mgr.GetCache(), c.Namespace))).
		WatchesRawSource(c.Connections.Source(interests()...)).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
}

// instanceChanged ignores what the other controllers write. Changed numbers matter: mostly this controller changed
// them, but one that had lost its lease without knowing may have written old ones.
func instanceChanged(e event.UpdateEvent) bool {
	before, ok := e.ObjectOld.(*v1alpha1.Instance)
	after, ok2 := e.ObjectNew.(*v1alpha1.Instance)
	return !ok || !ok2 || before.Generation != after.Generation || before.CredentialSecret() != after.CredentialSecret() ||
		!equality.Semantic.DeepEqual(before.Status.Statistics, after.Status.Statistics)
}

// Reconcile brings the numbers of one instance up to date.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			c.Connections.Remove(req.Name)
			c.forget(req.Name)
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	config, err := connection.Credential(ctx, c.Client, c.Namespace, &instance)
	if err != nil {
		// Other controllers report this. The numbers stay: a mistake in a Secret changes nothing in Karmada.
		if credential := (*connection.CredentialError)(nil); errors.As(err, &credential) {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, err
	}
	conn, err := c.Connections.Ensure(instance.Name, config)
	if err != nil {
		return reconcile.Result{}, err
	}
	// The connection wakes the controller when it has synced.
	if !known(conn) {
		return reconcile.Result{}, nil
	}
	// The first of many changes is reported at once, the others together.
	if wait := c.untilNextLook(instance.Name); wait > 0 {
		return reconcile.Result{RequeueAfter: wait}, nil
	}
	numbers := count(conn)
	measure(instance.Name, numbers)
	return reconcile.Result{}, c.report(ctx, &instance, numbers)
}

// report writes the numbers when they differ from the current ones.
func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, numbers *v1alpha1.InstanceStatistics) error {
	numbers.AsOf = metav1.NewTime(c.Clock.Now()).Rfc3339Copy()
	if before := instance.Status.Statistics; before != nil {
		same := *numbers
		same.AsOf = before.AsOf
		if equality.Semantic.DeepEqual(*before, same) {
			return nil
		}
	}
	writer := condition.Writer{
		Client: c.Client, Owner: fieldOwner, Clock: c.Clock,
		Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
			return v1alpha1.InstanceStatus{Statistics: s.Statistics}
		},
	}
	_, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Statistics: numbers})
	if apierrors.IsNotFound(err) {
		return nil // it went meanwhile
	}
	if err == nil {
		writesCounter.WithLabelValues(instance.Name).Inc()
	}
	return err
}

// untilNextLook returns how long to wait before the next look at an instance. When it returns 0, the look counts as
// taken.
func (c *Controller) untilNextLook(instance string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := c.Clock.Now()
	if last, ok := c.looked[instance]; ok {
		// A clock that was set back must not stop the looks.
		if since := now.Sub(last); since >= 0 && since < pause {
			return pause - since
		}
	}
	c.looked[instance] = now
	return 0
}

// forget drops what is held of an instance that no longer exists.
func (c *Controller) forget(instance string) {
	c.mu.Lock()
	delete(c.looked, instance)
	c.mu.Unlock()
	series.Forget(instance)
}
