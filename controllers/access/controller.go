// Package access maintains people's permissions inside each Karmada. Every write of a person is made in their own name,
// so that the Karmada itself has to allow it; this package keeps the RBAC objects for that: for the administrators of
// Kairship, who administrate every instance, and for each AccessBinding.
// There are two controllers. One goes by instance: it makes the permissions inside a Karmada those that
// There are two controllers. One reconciles Instances: it brings the permissions inside a Karmada to the desired state,
// and reports which AccessBindings are in force there. The other reconciles AccessBindings: it combines those reports,
// and releases a deleted AccessBinding when no Karmada honours it any more.
// It must not know who is in a group, nor what people do with their permissions.
package access

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/builder"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	identity "github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/rbac/role"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "access"
	fieldOwner = "kairship-access"
)

// Finalizer holds an Instance until its permissions are removed, or cannot be, and an AccessBinding until
// it is in force nowhere.
const Finalizer = "kairship.io/access"

const (
	workers     = 8
	passTimeout = time.Minute
	// callTimeout bounds each write to a Karmada.
	callTimeout = 10 * time.Second
	// retry is the delay before a failed pass is repeated.
	retry = 30 * time.Second
	idle  = 10 * time.Minute
	// forgetEvery is the pause between two removals of the records of people who do not come any more.
	forgetEvery = time.Hour
	// deletionGrace is how long the deletion of an instance waits for a Karmada that does not answer. After that its
	// permissions stay there, and an event reports it.
	deletionGrace = 30 * time.Second
	// deletionRetry is the pause between two attempts meanwhile.
	deletionRetry = 5 * time.Second
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options
	seen    *subjects.Reader
	reports *reports
	mu      sync.Mutex
	// written holds recent writes by instance. Only the instance's own pass uses the inner maps.
	written map[string]*recent
}

// recent holds the recent writes to one Karmada.
type recent struct {
	conn   *connection.Connection
	writes map[*connection.Watch]map[string]written
	guard  guard
}

// Options of New.
type Options struct {
	// Its namespace also holds the records of who has been seen.
	controllers.Options
	// AdminGroups are the groups, with their origin, whose members administrate every instance.
	AdminGroups []string
}

// New makes the controller.
func New(options Options) *Controller {
	return &Controller{options: options, reports: newReports(), written: map[string]*recent{}}
}

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	if err := identity.CheckGroups(c.options.AdminGroups); err != nil {
		return err
	}
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	c.seen = subjects.NewReader(mgr.GetClient(), c.Namespace)
	if err := index(mgr); err != nil {
		return err
	}
	interests := make([]connection.Interest, 0, len(watches))
	for _, w := range watches {
		interest := connection.Interest{Watch: w}
		if w.MetadataOnly {
			interest.Matters = goes
		}
		interests = append(interests, interest)
	}
	for _, w := range admissionWatches {
		interests = append(interests, connection.Interest{Watch: w})
	}
	interests = append(interests, connection.Interest{Watch: policies}, connection.Interest{Watch: connection.Clusters, Matters: goes})
	// No predicate on Instances: a status may have been computed from a stale cache; the update that refreshes the
	// cache then triggers another pass.
	err := ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(connection.InstancesOfSecret(mgr.GetCache(), c.Namespace))).
		Watches(&v1alpha1.AccessBinding{}, handler.EnqueueRequestsFromMapFunc(c.instancesOfBinding), builder.WithPredicates(bindingChanged)).
		Watches(&rbacv1.ClusterRole{}, handler.EnqueueRequestsFromMapFunc(c.instancesOfRole), builder.WithPredicates(roleChanged)).
		Watches(&corev1.ConfigMap{}, handler.Funcs{CreateFunc: c.noted, UpdateFunc: c.notedAnew, DeleteFunc: c.forgotten}).
		WatchesRawSource(c.Connections.Source(interests...)).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
	if err != nil {
		return err
	}
	if err := mgr.Add(manager.RunnableFunc(c.forgetUnseen)); err != nil {
		return err
	}
	return c.registerBindings(mgr)
}

// forgetUnseen regularly removes the records of people who do not come any more.
func (c *Controller) forgetUnseen(ctx context.Context) error {
	wait.UntilWithContext(ctx, func(ctx context.Context) {
		if err := c.seen.Forget(ctx, c.Client, c.Clock.Now()); err != nil && ctx.Err() == nil {
			c.Logger.Warn("who is not seen any more cannot be forgotten", "error", err)
		}
	}, forgetEvery)
	return nil
}

// Reconcile brings the permissions inside one instance up to date.
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
	if instance.DeletionTimestamp != nil {
		if !finalizer.HeldBack(&instance) {
			return c.finalize(ctx, &instance)
		}
	} else if _, err := finalizer.Ensure(ctx, c.Client, &instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	return c.keepInStep(ctx, &instance)
}

// keepInStep brings the permissions to the desired state.
func (c *Controller) keepInStep(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	bindings, about, err := c.bindingsOf(ctx, instance.Name)
	if err != nil {
		return reconcile.Result{}, err
	}
	conn, err := c.connect(ctx, instance)
	var credential *connection.CredentialError
	if errors.As(err, &credential) {
		return reconcile.Result{}, c.unknown(ctx, instance, about, trouble{credential.Reason, credential.Message})
	}
	if err != nil {
		return reconcile.Result{}, err
	}
	state := conn.State(watches...)
	if state.Err != nil {
		reason, message := connection.Trouble(state.Err)
		return reconcile.Result{RequeueAfter: idle}, c.unknown(ctx, instance, about, trouble{reason, message})
	}
	members, bounds := conn.State(memberWatches...), conn.State(admissionWatches...)
	if !state.Synced || !members.Synced && members.Err == nil || !bounds.Synced && bounds.Err == nil {
		// The connection wakes us when it has synced.
		return reconcile.Result{}, nil
	}

	in, err := c.input(ctx, instance.Name, bindings, conn)
	if err != nil {
		return reconcile.Result{}, err
	}
	p := &pass{Controller: c, instance: instance.Name, view: c.view(instance.Name, conn)}
	// First, before anybody gets permissions.
	in.unguarded = p.guard(ctx)
	policies := guarded(in.unguarded)
	plan := desired(in)
	failed := p.run(ctx, plan)
	r := report{results: p.results}
	if failed != nil {
		r.trouble = trouble{reasonOf(failed), failed.Error()}
	}
	c.reports.set(instance.Name, r, about)
	inForce := c.count(instance.Name, r)
	if failed != nil {
		return reconcile.Result{RequeueAfter: retry}, c.report(ctx, instance, applied(metav1.ConditionFalse, r.trouble.reason, r.trouble.message), policies)
	}
	next := idle
	switch {
	case !p.view.settled():
		next = lag
	case p.behind != nil || in.unguarded != nil || p.unsure:
		next = retry
	}
	message := "administrators are the members of " + strings.Join(c.options.AdminGroups, ", ")
	switch n := len(r.results); {
	case n > 0 && inForce == n:
		message += fmt.Sprintf("; AccessBindings in force: %d", n)
	case n > 0:
		message += fmt.Sprintf("; AccessBindings in force: %d of %d", inForce, n)
	}
	if behind := cmp.Or(members.Err, p.behind); behind != nil {
		message += fmt.Sprintf("; the members do not have all of that: %s", connection.Describe(behind))
	}
	if plan.unlisted > 0 {
		message += fmt.Sprintf("; the members do not know %d people: a ClusterRoleBinding has room for no more", plan.unlisted)
	}
	return reconcile.Result{RequeueAfter: next}, c.report(ctx, instance, applied(metav1.ConditionTrue, v1alpha1.ReasonApplied, message), policies)
}

func (c *Controller) connect(ctx context.Context, instance *v1alpha1.Instance) (*connection.Connection, error) {
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	if err != nil {
		return nil, err
	}
	return c.Connections.Ensure(instance.Name, config)
}

// input gathers what the permissions depend on, without a request to any API server.
func (c *Controller) input(ctx context.Context, instance string, bindings []v1alpha1.AccessBinding, conn *connection.Connection) (input, error) {
	in := input{instance: instance, adminGroups: c.options.AdminGroups, bindings: bindings, roles: map[string]*rbacv1.ClusterRole{}, namespaces: map[string]bool{}}
	var roles rbacv1.ClusterRoleList
	if err := c.Client.List(ctx, &roles, client.MatchingLabels{v1alpha1.LabelRole: "true"}); err != nil {
		return input{}, fmt.Errorf("listing the roles: %w", err)
	}
	for i := range roles.Items {
		in.roles[roles.Items[i].Name] = &roles.Items[i]
	}
	for _, o := range conn.List(namespaces) {
		if o.GetDeletionTimestamp() == nil {
			in.namespaces[o.GetName()] = true
		}
	}
	for _, o := range conn.List(definitions) {
		in.definitions = append(in.definitions, o.GetName())
	}
	if conn.State(connection.Clusters).Synced {
		in.clusters = []string{}
		for _, o := range conn.List(connection.Clusters) {
			in.clusters = append(in.clusters, o.GetName())
		}
	}
	var err error
	if in.seen, err = c.seen.Users(ctx, in.groups(), c.Clock.Now()); err != nil {
		return input{}, err
	}
	return in, nil
}

// view returns what the Karmada of an instance has. It drops the writes over a former connection, which may have led to
// another Karmada.
func (c *Controller) view(instance string, conn *connection.Connection) view {
	c.mu.Lock()
	defer c.mu.Unlock()
	r := c.written[instance]
	if r == nil || r.conn != conn {
		r = &recent{conn: conn, writes: map[*connection.Watch]map[string]written{}}
		c.written[instance] = r
	}
	return view{conn: conn, written: r.writes, guard: &r.guard}
}

func (c *Controller) forget(instance string) {
	c.mu.Lock()
	delete(c.written, instance)
	c.mu.Unlock()
	c.reports.drop(instance)
	series.Forget(instance)
}

// finalize removes the permissions, if the Karmada can still be reached.
func (c *Controller) finalize(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	// Read live: with a stale cache this would for a while keep removing what another Instance of the same Karmada puts
	// back.
	if err := c.Live.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(instance, Finalizer) {
		return reconcile.Result{}, nil
	}
	if err := c.removeAll(ctx, instance); err != nil {
		var credential *connection.CredentialError
		waited := c.Clock.Now().Sub(instance.DeletionTimestamp.Time)
		if !errors.As(err, &credential) && waited < deletionGrace {
			return reconcile.Result{RequeueAfter: deletionRetry}, nil
		}
		// Nothing is left over in a control plane that is deleted itself.
		if instance.Deletion() != v1alpha1.DeletionCascade {
			c.Logger.Warn("permissions are left in Karmada", "instance", instance.Name, "error", err)
			c.Events.Eventf(instance, nil, corev1.EventTypeWarning, "AccessLeft", "Remove",
				"the permissions labelled %s stay in the Karmada, which cannot be reached: %s", selectOurs, connection.Describe(err))
		}
	}
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	c.forget(instance.Name)
	return reconcile.Result{}, nil
}

func (c *Controller) removeAll(ctx context.Context, instance *v1alpha1.Instance) error {
	conn, err := c.connect(ctx, instance)
	if err != nil {
		return err
	}
	p := &pass{Controller: c, instance: instance.Name, view: c.view(instance.Name, conn)}
	return p.removeAll(ctx)
}

// unknown reports that it is not known what is in force in an instance.
func (c *Controller) unknown(ctx context.Context, instance *v1alpha1.Instance, about []string, why trouble) error {
	c.reports.set(instance.Name, report{trouble: why}, about)
	return c.report(ctx, instance, applied(metav1.ConditionFalse, why.reason, why.message),
		metav1.Condition{Type: v1alpha1.ConditionPoliciesGuarded, Status: metav1.ConditionUnknown, Reason: why.reason, Message: why.message})
}

// count is how many AccessBindings are in force.
func (c *Controller) count(instance string, r report) int {
	inForce := 0
	for _, result := range r.results {
		if result.applied {
			inForce++
		}
	}
	bindingsGauge.WithLabelValues(instance, "true").Set(float64(inForce))
	bindingsGauge.WithLabelValues(instance, "false").Set(float64(len(r.results) - inForce))
	return inForce
}

// applied returns the condition that reports whether permissions are in force.
func applied(status metav1.ConditionStatus, reason, message string) metav1.Condition {
	return metav1.Condition{Type: v1alpha1.ConditionAccessApplied, Status: status, Reason: reason, Message: message}
}

func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, access, policies metav1.Condition) error {
	gauge := 0.0
	if access.Status == metav1.ConditionTrue {
		gauge = 1
	}
	appliedGauge.WithLabelValues(instance.Name).Set(gauge)
	writer := condition.Writer{Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: []string{access.Type, policies.Type}}
	changed, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{access, policies}})
	if err != nil {
		return err
	}
	for _, is := range changed {
		kind, action := corev1.EventTypeWarning, "ApplyAccess"
		if is.Status == metav1.ConditionTrue {
			kind = corev1.EventTypeNormal
		}
		if is.Type == policies.Type {
			action = "GuardPolicies"
		}
		c.Events.Eventf(instance, nil, kind, is.Reason, action, "%s", text.Event(is.Message))
	}
	return nil
}

// offered reports whether an object is a role of the operators.
func offered(o client.Object) bool {
	r, ok := o.(*rbacv1.ClusterRole)
	return ok && role.Offered(r)
}
