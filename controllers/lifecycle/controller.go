// Package lifecycle installs the control planes of managed instances through the Karmada operator, reports progress,
// hands their kubeconfig to the other controllers, and removes them with everything that was made for them. It
// maintains what an instance's settings need inside its Karmada, also for attached instances, whose control plane it
// does not touch otherwise.
//
// It must not know what runs in an instance, nor how it is read.
package lifecycle

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "lifecycle"
	fieldOwner = client.FieldOwner("kairship-lifecycle")
)

// Finalizer holds an Instance until nothing is left of what was made for it.
const Finalizer = "kairship.io/lifecycle"

const (
	// workers is how many instances are worked on at once. One that is slow to answer holds one of them.
	workers = 8
	// passTimeout bounds one pass over an instance.
	passTimeout = 2 * time.Minute
	// callTimeout bounds one request to a Karmada.
	callTimeout = 10 * time.Second
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options  Options
	pace     Pace
	operator *operator
	checks   checks
}

// Pace is how often to look at what sends no events.
type Pace struct {
	// Operator is how often the host cluster is asked whether it serves the Karmada operator's kind, while
	// it does not. Default 15 s.
	Operator time.Duration
	// Progress is how often an installation or a removal under way is looked at. Default 2 s.
	Progress time.Duration
	// Idle is how often an instance is looked at without any event. Default 10 min.
	Idle time.Duration
	// Settings is how often what settings need inside a Karmada is compared. Default 5 min.
	Settings time.Duration
	// Timeout is how long a removal inside a Karmada waits for one that does not answer. Default 2 min.
	Timeout time.Duration
}

func (p Pace) complete() Pace {
	p.Operator = or(p.Operator, 15*time.Second)
	p.Progress = or(p.Progress, 2*time.Second)
	p.Idle = or(p.Idle, 10*time.Minute)
	p.Settings = or(p.Settings, 5*time.Minute)
	p.Timeout = or(p.Timeout, 2*time.Minute)
	return p
}

// Options of New.
type Options struct {
	// Its namespace also holds the credentials of etcds.
	controllers.Options
	// Defaults are what all managed instances have where they do not say otherwise: see ReadDefaults.
	Defaults v1alpha1.ManagedInstance
	Pace     Pace
}

// New makes the controller.
func New(options Options) *Controller {
	return &Controller{options: options, pace: options.Pace.complete(), checks: checks{of: map[string]check{}}}
}

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	c.operator = newOperator(mgr.GetRESTMapper(), mgr.GetCache(), c.Logger, c.pace.Operator)
	if err := mgr.Add(c.operator); err != nil {
		return err
	}
	// No predicate on Instances: a status may have been computed from a stale cache; the update that refreshes the
	// cache then triggers another pass.
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(c.instancesOfSecret)).
		WatchesRawSource(c.operator.source()).
		WatchesRawSource(c.Connections.Source(connection.Interest{Watch: connection.Clusters, Matters: memberChanged})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
}

// memberChanged ignores the heartbeats of members.
func memberChanged(before, after connection.Object) bool {
	return before.GetUID() != after.GetUID() || (before.GetDeletionTimestamp() == nil) != (after.GetDeletionTimestamp() == nil)
}

// instancesOfSecret returns the instances that a Secret in Kairship's namespace belongs to: as the published
// kubeconfig, or as the credential of an etcd.
func (c *Controller) instancesOfSecret(ctx context.Context, secret client.Object) []reconcile.Request {
	if secret.GetNamespace() != c.Namespace {
		return nil
	}
	var instances v1alpha1.InstanceList
	// Read from the cache; it fails only while the manager stops.
	if err := c.Client.List(ctx, &instances); err != nil {
		return nil
	}
	var out []reconcile.Request
	for i := range instances.Items {
		instance := &instances.Items[i]
		if secret.GetName() == kubeconfigSecret(instance.Name) || secret.GetName() == instance.CredentialSecret() || secret.GetName() == c.etcdSecret(instance) {
			out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Name: instance.Name}})
		}
	}
	return out
}

// etcdSecret names the credential of the etcd that an instance uses; empty when it has its own.
func (c *Controller) etcdSecret(instance *v1alpha1.Instance) string {
	if instance.Spec.Source != v1alpha1.InstanceManaged {
		return ""
	}
	if was, err := installed(instance); err == nil && was != nil {
		if e := was.external(); e != nil {
			return e.CredentialSecretRef.Name
		}
		return ""
	}
	if e := merge(instance.Spec.Managed, c.options.Defaults).Etcd; e != nil && e.External != nil {
		return e.External.CredentialSecretRef.Name
	}
	return ""
}

// Reconcile brings the control plane of one instance one step further.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			c.Connections.Remove(req.Name)
			c.checks.forget(req.Name)
			series.Forget(req.Name)
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	var o outcome
	var err error
	switch {
	case instance.DeletionTimestamp != nil:
		o, err = c.remove(ctx, &instance)
	case instance.Spec.Source == v1alpha1.InstanceManaged:
		o, err = c.install(ctx, &instance)
	default:
		o, err = c.attach(ctx, &instance)
	}
	if o.done {
		return reconcile.Result{}, err
	}
	if reported := c.report(ctx, &instance, o); reported != nil && err == nil {
		err = reported
	}
	return reconcile.Result{RequeueAfter: o.again}, err
}

// outcome is what one pass over an instance found out.
type outcome struct {
	// done says that there is nothing left to report: the Instance is gone, or is released now.
	done       bool
	conditions []metav1.Condition
	// keep names the conditions that this pass leaves as they are.
	keep       []string
	steps      []v1alpha1.Step
	kubeconfig *v1alpha1.SecretReference
	// version of the Karmada that was installed.
	version string
	// again is when to look again if nothing happens.
	again time.Duration
}

// others are the finalizers of Kairship's other controllers.
func others(instance *v1alpha1.Instance) []string {
	var out []string
	for _, f := range instance.Finalizers {
		if name, ok := strings.CutPrefix(f, v1alpha1.AnnotationPrefix); ok && f != Finalizer {
			out = append(out, name)
		}
	}
	return out
}

// claim records what is going to be made, before anything is made that would have to be removed.
func (c *Controller) claim(ctx context.Context, instance *v1alpha1.Instance, i installation) error {
	before := instance.DeepCopy()
	controllerutil.AddFinalizer(instance, Finalizer)
	metav1.SetMetaDataAnnotation(&instance.ObjectMeta, annotationInstallation, i.String())
	if err := c.Client.Patch(ctx, instance, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), fieldOwner); err != nil {
		return fmt.Errorf("writing down how instance %q is installed: %w", instance.Name, err)
	}
	wrote("Instance", "patch")
	return nil
}

// checks remember what was compared inside a Karmada, so that not every pass asks it.
type checks struct {
	mu sync.Mutex
	of map[string]check
}

// check is the last comparison: of which desired state with which Karmada, and when.
type check struct {
	wish      string
	condition *metav1.Condition
	at        time.Time
}

func (c *checks) get(instance string) check {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.of[instance]
}

func (c *checks) set(instance string, done check) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.of[instance] = done
}

func (c *checks) forget(instance string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.of, instance)
	delete(c.of, instance+pullCheck)
}
