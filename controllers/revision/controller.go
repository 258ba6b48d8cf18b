// Package revision records what the pod templates of workloads were: each as an apps/v1 ControllerRevision beside the
// workload in its Karmada, so that people see what changed and can go back. The members' ReplicaSets cannot serve: they
// contain overrides, each member numbers its own, and only Deployments have any.
//
// Of a workload only its generation is watched; the template is read when that changed, and written when no revision
// has the same content. The state is in the revisions: a new leader continues where the former one stopped.
//
// It must not know what a revision is used for, and never writes a workload.
package revision

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/flowcontrol"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "revision"
	fieldOwner = "kairship-revision"
)

// Finalizer holds an Instance until its revisions are removed, or cannot be.
const Finalizer = "kairship.io/revision"

// MaxHistory bounds how many revisions of a workload may be kept.
const MaxHistory = 100

const (
	// workers is how many instances are looked at at once. Within one there is one request at a time.
	workers     = 4
	passTimeout = time.Minute
	// slice is how long a pass runs before another one looks again at what is most urgent.
	slice = 5 * time.Second
	// pause is the least time between two passes over an instance, and 1/share the part of the time that planning may
	// take: it goes over everything that is held of the instance.
	pause = 500 * time.Millisecond
	share = 20
	// Each Karmada gets this many requests a second, of the 50 that all controllers share: the first pass over a large
	// one takes long, and must not hold up the others.
	requestRate  = 20
	requestBurst = 40
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options

	mu     sync.Mutex
	states map[string]*state
}

// state is what is known of one Karmada. Only the pass over its instance uses it.
type state struct {
	conn   *connection.Connection
	pace   flowcontrol.RateLimiter
	checks map[types.UID]check
	// gone is since when the workload of a revision is gone.
	gone map[types.UID]time.Time
	// next is when it may be looked at again.
	next time.Time
}

// Options of New.
type Options struct {
	controllers.Options
	// History is how many revisions of a workload are kept where an instance does not say: 0 to MaxHistory.
	History int
}

// New makes the controller.
func New(options Options) *Controller {
	return &Controller{options: options, states: map[string]*state{}}
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

// instanceChanged ignores what the other controllers write, except what decides whether a deletion is held back.
func instanceChanged(e event.UpdateEvent) bool {
	before, ok := e.ObjectOld.(*v1alpha1.Instance)
	after, ok2 := e.ObjectNew.(*v1alpha1.Instance)
	return !ok || !ok2 || before.Generation != after.Generation || before.CredentialSecret() != after.CredentialSecret() ||
		len(before.Finalizers) != len(after.Finalizers) || finalizer.HeldBack(before) != finalizer.HeldBack(after)
}

// Reconcile records what is new in one instance.
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
	limit := c.limit(&instance)
	held := controllerutil.ContainsFinalizer(&instance, Finalizer)
	switch {
	case instance.DeletionTimestamp != nil && !finalizer.HeldBack(&instance):
		return c.finalize(ctx, &instance)
	case limit == 0 && held:
		return c.turnOff(ctx, &instance)
	case limit == 0, instance.DeletionTimestamp != nil && !held:
		return reconcile.Result{}, nil
	}
	// Before anything is made that would have to be removed.
	if _, err := finalizer.Ensure(ctx, c.Client, &instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	conn, err := c.connect(ctx, &instance)
	if err != nil {
		return reconcile.Result{}, calm(err)
	}
	// The connection wakes the controller when it has synced.
	if !known(conn) {
		return reconcile.Result{}, nil
	}
	p := &pass{Controller: c, instance: instance.Name, conn: conn, limit: limit, state: c.stateOf(instance.Name, conn)}
	return p.run(ctx)
}

// known reports whether every workload and every revision of a Karmada is known.
func known(conn *connection.Connection) bool {
	s := conn.State(watches()...)
	return s.Err == nil && s.Synced
}

// limit is how many revisions of a workload are kept.
func (c *Controller) limit(instance *v1alpha1.Instance) int {
	if s := instance.Spec.Settings; s != nil && s.RevisionHistoryLimit != nil {
		return int(*s.RevisionHistoryLimit)
	}
	return c.options.History
}

func (c *Controller) connect(ctx context.Context, instance *v1alpha1.Instance) (*connection.Connection, error) {
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	if err != nil {
		return nil, err
	}
	return c.Connections.Ensure(instance.Name, config)
}

// calm drops the error of an unusable credential: other controllers report it, and its correction wakes everyone.
func calm(err error) error {
	if credential := (*connection.CredentialError)(nil); errors.As(err, &credential) {
		return nil
	}
	return err
}

// stateOf returns what is known of the Karmada of an instance. A new connection begins anew: it may lead to another
// Karmada.
func (c *Controller) stateOf(instance string, conn *connection.Connection) *state {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.states[instance]
	if s == nil || s.conn != conn {
		s = &state{
			conn: conn, pace: flowcontrol.NewTokenBucketRateLimiter(requestRate, requestBurst),
			checks: map[types.UID]check{}, gone: map[types.UID]time.Time{},
		}
		c.states[instance] = s
	}
	return s
}

// forget drops what is held of an instance.
func (c *Controller) forget(instance string) {
	c.mu.Lock()
	delete(c.states, instance)
	c.mu.Unlock()
	series.Forget(instance)
}
