// Package registry registers every Instance in the platform's global management: outward by an object that announces
// the instance, its name and the roles that people can be bound to on it; inward by global management's answer in the
// status of that object. The object is a GlobalResource, or of one of the platform's own kinds.
//
// It must not know who is bound to a role, nor anything of the Karmada behind an instance.
package registry

import (
	"context"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/rbac/role"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "registry"
	fieldOwner = client.FieldOwner("kairship-registry")
)

// Finalizer holds an Instance until global management has let go of it.
const Finalizer = "kairship.io/registry"

const (
	workers     = 4
	passTimeout = time.Minute
	// idle is when an instance is looked at again without any event.
	idle = 10 * time.Minute
	// maxRoles is how many roles a GlobalResource takes.
	maxRoles = 64
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options
	kind    *kind
}

// Options of New.
type Options struct {
	controllers.Options
	// Kind of the objects that instances are registered by; a GlobalResource when it is empty.
	Kind schema.GroupVersionKind
	// KindNamespace is where those objects are, when the kind is namespaced.
	KindNamespace string
	// Layout of those objects; the DefaultLayout when it is empty.
	Layout Layout
	// Retry is the pause before a write that failed, or a kind that was not served, is tried again.
	// Default 30 s.
	Retry time.Duration
}

// New makes the controller.
func New(options Options) *Controller { return &Controller{options: options} }

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	options := &c.options
	if options.Kind.Empty() {
		options.Kind = v1alpha1.GlobalResourceKind
	}
	if options.Kind.Version == "" || options.Kind.Kind == "" {
		return fmt.Errorf("the kind %s needs a version and a kind", options.Kind)
	}
	if options.Layout == (Layout{}) {
		options.Layout = DefaultLayout
	}
	if err := options.Layout.validate(); err != nil {
		return err
	}
	if options.Retry == 0 {
		options.Retry = 30 * time.Second
	}
	c.Base = controllers.NewBase(mgr, Name, options.Options)
	c.kind = newKind(options.Kind, options.KindNamespace, mgr.GetRESTMapper(), mgr.GetCache(), c.Logger, options.Retry)
	if err := mgr.Add(c.kind); err != nil {
		return err
	}
	// No predicate on Instances: a status may have been computed from a stale cache; the update that refreshes the
	// cache then triggers another pass.
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Watches(&rbacv1.ClusterRole{}, handler.EnqueueRequestsFromMapFunc(c.everyInstance), builder.WithPredicates(rolesChanged)).
		WatchesRawSource(c.kind.source()).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
}

// rolesChanged reports whether the roles that are sent to global management may have changed.
var rolesChanged = predicate.Funcs{
	CreateFunc: func(e event.CreateEvent) bool { return offered(e.Object) },
	DeleteFunc: func(e event.DeleteEvent) bool { return offered(e.Object) },
	UpdateFunc: func(e event.UpdateEvent) bool { return offered(e.ObjectOld) || offered(e.ObjectNew) },
}

func offered(o client.Object) bool {
	r, ok := o.(*rbacv1.ClusterRole)
	return ok && role.Offered(r)
}

// everyInstance returns all instances, because each of them has the roles.
func (c *Controller) everyInstance(ctx context.Context, _ client.Object) []reconcile.Request {
	var instances v1alpha1.InstanceList
	// Read from the cache; it fails only while the manager stops.
	if err := c.Client.List(ctx, &instances); err != nil {
		return nil
	}
	out := make([]reconcile.Request, 0, len(instances.Items))
	for i := range instances.Items {
		out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Name: instances.Items[i].Name}})
	}
	return out
}

// Reconcile brings the registration of one instance up to date.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			series.Forget(req.Name)
			return reconcile.Result{}, c.removeOrphans(ctx, req.Name)
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	if instance.DeletionTimestamp != nil && !finalizer.HeldBack(&instance) {
		return c.finalize(ctx, &instance)
	}
	ref, trouble := c.kind.state(instance.Name)
	if trouble != nil {
		if trouble.reason == "" {
			// Not known yet; the answer wakes us.
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, c.report(ctx, &instance, verdict{metav1.ConditionFalse, trouble.reason, trouble.message})
	}

	// 1. Remove the object of a kind that was configured before.
	former := registeredBy(&instance)
	if former != nil && *former != ref {
		if gone, err := c.remove(ctx, instance.Name, *former); err != nil || !gone {
			return reconcile.Result{RequeueAfter: c.options.Retry}, c.report(ctx, &instance, stillThere(*former, err))
		}
	}
	// 2. Record what is going to be made, before anything is made that would have to be removed.
	if err := c.claim(ctx, &instance, ref); err != nil {
		return reconcile.Result{}, err
	}
	// 3. The object itself.
	v, err := c.keep(ctx, &instance, ref)
	if err != nil {
		return reconcile.Result{}, err
	}
	next := idle
	if v.status != metav1.ConditionTrue {
		next = c.options.Retry
	}
	return reconcile.Result{RequeueAfter: next}, c.report(ctx, &instance, v)
}

// registeredBy returns the object that the Instance says it is registered by; nil when it names none.
func registeredBy(instance *v1alpha1.Instance) *reference {
	ref, ok := parseReference(instance.Annotations[annotationReference])
	if !ok {
		return nil
	}
	return &ref
}

// claim writes the finalizer and the object that the Instance is registered by, in one write.
func (c *Controller) claim(ctx context.Context, instance *v1alpha1.Instance, ref reference) error {
	// An Instance that is being deleted takes no new finalizers.
	held := instance.DeletionTimestamp != nil || controllerutil.ContainsFinalizer(instance, Finalizer)
	if instance.Annotations[annotationReference] == ref.String() && held {
		return nil
	}
	before := instance.DeepCopy()
	metav1.SetMetaDataAnnotation(&instance.ObjectMeta, annotationReference, ref.String())
	if !held {
		controllerutil.AddFinalizer(instance, Finalizer)
	}
	// Finalizers are one list, and several controllers write it.
	if err := c.Client.Patch(ctx, instance, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), fieldOwner); err != nil {
		return fmt.Errorf("writing the finalizers of instance %q: %w", instance.Name, err)
	}
	writesCounter.WithLabelValues("Instance", "patch").Inc()
	return nil
}

// verdict is what the condition Registered says.
type verdict struct {
	status          metav1.ConditionStatus
	reason, message string
}

// judge returns global management's verdict on an instance, from the object's own condition Registered; without one it
// is enough that the object exists.
func judge(ref reference, object *unstructured.Unstructured) verdict {
	v := verdict{metav1.ConditionTrue, v1alpha1.ReasonRegistered, "global management is told by " + ref.text()}
	said := conditionOf(object, v1alpha1.ConditionRegistered)
	if said == nil {
		return v
	}
	switch said["status"] {
	case "True":
	case "False":
		v.status, v.reason = metav1.ConditionFalse, v1alpha1.ReasonNotRegistered
	default:
		v.status, v.reason = metav1.ConditionUnknown, v1alpha1.ReasonNotRegistered
	}
	if reason, _ := said["reason"].(string); len(reason) <= 1024 && reasonForm.MatchString(reason) {
		v.reason = reason
	}
	v.message = "global management says nothing more"
	if message, _ := said["message"].(string); message != "" {
		v.message = message
	}
	return v
}

func conditionOf(object *unstructured.Unstructured, kind string) map[string]any {
	list, _, _ := unstructured.NestedFieldNoCopy(object.Object, "status", "conditions")
	conditions, _ := list.([]any)
	for _, c := range conditions {
		if c, ok := c.(map[string]any); ok && c["type"] == kind {
			return c
		}
	}
	return nil
}

func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, v verdict) error {
	registered, kind := 0.0, corev1.EventTypeWarning
	if v.status == metav1.ConditionTrue {
		registered, kind = 1, corev1.EventTypeNormal
	}
	registeredGauge.WithLabelValues(instance.Name).Set(registered)
	writer := condition.Writer{Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: []string{v1alpha1.ConditionRegistered}}
	changed, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{{
		Type: v1alpha1.ConditionRegistered, Status: v.status, Reason: v.reason, Message: v.message,
	}}})
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		c.Events.Eventf(instance, nil, kind, v.reason, "Register", "%s", text.Event(v.message))
	}
	return nil
}

// noSuchKind reports whether an answer means that the kind is not served.
func noSuchKind(err error) bool {
	return meta.IsNoMatchError(err) || apierrors.IsNotFound(err) && apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse)
}
