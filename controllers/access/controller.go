// Package access gives people their permissions inside each Karmada. Every write of theirs is made in
// their own name, so it is the Karmada itself that allows it; this controller keeps the objects that
// say so. In this form there is one role: administrators of Kairship are administrators of every
// instance.
//
// It must not know who is in a group, nor what people do with their permissions.
package access

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/events"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/condition"
	"github.com/kairship-io/kairship/controllers/connection"
	"github.com/kairship-io/kairship/controllers/finalizer"
	identity "github.com/kairship-io/kairship/internal/access"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "access"
	fieldOwner = "kairship-access"
)

// Finalizer holds an Instance until its permissions are removed, or cannot be.
const Finalizer = "kairship.io/access"

const (
	workers     = 8
	passTimeout = time.Minute
	// callTimeout bounds each write to a Karmada.
	callTimeout = 10 * time.Second
	// retry is when a Karmada that refused is asked again.
	retry = 30 * time.Second
	idle  = 10 * time.Minute
	// farewell is how long the deletion of an instance waits for a Karmada that does not answer.
	// Then its permissions stay there, and an event says so.
	farewell = 30 * time.Second
	// farewellRetry is the pause between two attempts meanwhile.
	farewellRetry = 5 * time.Second
)

// Controller reconciles Instances.
type Controller struct {
	// Client reads from the manager's cache and writes to the host cluster.
	Client client.Client
	// Live reads from the host cluster itself.
	Live        client.Reader
	Namespace   string
	AdminGroups []string
	Connections *connection.Set
	Events      events.EventRecorder
	Clock       clock.PassiveClock
	Logger      *slog.Logger
}

// Options of New.
type Options struct {
	// Namespace holds the credential Secrets of the instances.
	Namespace string
	// AdminGroups are the groups, with their origin, whose members administrate every instance.
	AdminGroups []string
	Connections *connection.Set
	Logger      *slog.Logger
	Clock       clock.PassiveClock
}

// New makes the controller of a manager and registers it there.
func New(mgr manager.Manager, options Options) (*Controller, error) {
	if err := identity.CheckGroups(options.AdminGroups); err != nil {
		return nil, fmt.Errorf("building controller %s: %w", Name, err)
	}
	log := options.Logger.With("controller", Name)
	c := &Controller{
		Client:      mgr.GetClient(),
		Live:        mgr.GetAPIReader(),
		Namespace:   options.Namespace,
		AdminGroups: options.AdminGroups,
		Connections: options.Connections,
		Events:      mgr.GetEventRecorder("kairship-" + Name),
		Clock:       options.Clock,
		Logger:      log,
	}
	// No predicate on Instances: when a status was judged against a cache that lagged behind, the update
	// that brings the cache up to date is the reason to judge again.
	err := ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(connection.InstancesOfSecret(mgr.GetCache(), options.Namespace))).
		WatchesRawSource(c.Connections.Source(connection.Interest{Watch: ours})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
	if err != nil {
		return nil, fmt.Errorf("building controller %s: %w", Name, err)
	}
	return c, nil
}

// Reconcile brings the permissions inside one instance up to date.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.Calmly(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			c.Connections.Remove(req.Name)
			forget(req.Name)
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	if instance.DeletionTimestamp != nil {
		return c.finalize(ctx, &instance)
	}
	if _, err := finalizer.Ensure(ctx, c.Client, &instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}

	conn, err := c.connect(ctx, &instance)
	var credential *connection.CredentialError
	if errors.As(err, &credential) {
		return reconcile.Result{}, c.report(ctx, &instance, metav1.ConditionFalse, credential.Reason, credential.Message)
	}
	if err != nil {
		return reconcile.Result{}, err
	}

	state := conn.State(ours)
	switch {
	case state.Err != nil:
		reason, message := connection.Trouble(state.Err)
		return reconcile.Result{RequeueAfter: idle}, c.report(ctx, &instance, metav1.ConditionFalse, reason, message)
	case !state.Synced:
		// The connection wakes us when it knows more.
		return reconcile.Result{}, nil
	}
	if err := c.applyAll(ctx, &instance, conn); err != nil {
		reason := v1alpha1.ReasonWriteFailed
		if apierrors.IsForbidden(err) || apierrors.IsUnauthorized(err) {
			reason = v1alpha1.ReasonRefused
		}
		return reconcile.Result{RequeueAfter: retry}, c.report(ctx, &instance, metav1.ConditionFalse, reason, err.Error())
	}
	return reconcile.Result{RequeueAfter: idle}, c.report(ctx, &instance, metav1.ConditionTrue, v1alpha1.ReasonApplied,
		"administrators are the members of "+strings.Join(c.AdminGroups, ", "))
}

func (c *Controller) connect(ctx context.Context, instance *v1alpha1.Instance) (*connection.Connection, error) {
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	if err != nil {
		return nil, err
	}
	return c.Connections.Ensure(instance.Name, config)
}

// applyAll makes the bindings of an instance those that are desired, and removes what was desired once.
func (c *Controller) applyAll(ctx context.Context, instance *v1alpha1.Instance, conn *connection.Connection) error {
	wanted := map[string]bool{}
	for _, want := range desired(c.AdminGroups) {
		wanted[want.GetName()] = true
		have, _ := conn.Get(ours, "", want.GetName()).(*unstructured.Unstructured)
		if have != nil && upToDate(have, want) {
			continue
		}
		if err := c.apply(ctx, instance, conn, have, want); err != nil {
			return err
		}
	}
	for _, have := range conn.List(ours) {
		if wanted[have.GetName()] || !isOurs(have) {
			continue
		}
		if err := c.remove(ctx, instance, conn, have.GetName()); err != nil {
			return err
		}
	}
	return nil
}

func (c *Controller) apply(ctx context.Context, instance *v1alpha1.Instance, conn *connection.Connection, have, want *unstructured.Unstructured) error {
	if have != nil && !sameRole(have, want) {
		if err := c.remove(ctx, instance, conn, want.GetName()); err != nil {
			return err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	_, err := conn.Dynamic().Resource(bindings).Apply(ctx, want.GetName(), want, metav1.ApplyOptions{FieldManager: fieldOwner, Force: true})
	if err != nil {
		return fmt.Errorf("writing ClusterRoleBinding %q: %w", want.GetName(), err)
	}
	writesCounter.WithLabelValues(instance.Name, "apply").Inc()
	c.Logger.Info("permissions applied", "instance", instance.Name, "binding", want.GetName())
	return nil
}

func (c *Controller) remove(ctx context.Context, instance *v1alpha1.Instance, conn *connection.Connection, name string) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	err := conn.Dynamic().Resource(bindings).Delete(ctx, name, metav1.DeleteOptions{})
	if client.IgnoreNotFound(err) != nil {
		return fmt.Errorf("deleting ClusterRoleBinding %q: %w", name, err)
	}
	writesCounter.WithLabelValues(instance.Name, "delete").Inc()
	return nil
}

// finalize removes the permissions, if the Karmada can still be reached.
func (c *Controller) finalize(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	// Asked of the API server itself: to remove again what another Instance of the same Karmada has just
	// put back, because the cache lags behind, would go on for a while.
	if err := c.Live.Get(ctx, client.ObjectKeyFromObject(instance), instance); err != nil {
		return reconcile.Result{}, client.IgnoreNotFound(err)
	}
	if !controllerutil.ContainsFinalizer(instance, Finalizer) {
		return reconcile.Result{}, nil
	}
	if err := c.removeAll(ctx, instance); err != nil {
		var credential *connection.CredentialError
		waited := c.Clock.Now().Sub(instance.DeletionTimestamp.Time)
		if !errors.As(err, &credential) && waited < farewell {
			return reconcile.Result{RequeueAfter: farewellRetry}, nil
		}
		c.Logger.Warn("permissions are left in Karmada", "instance", instance.Name, "error", err)
		c.Events.Eventf(instance, nil, corev1.EventTypeWarning, "AccessLeft", "Remove",
			"the ClusterRoleBindings labelled %s=%s stay in the Karmada, which cannot be reached: %s",
			v1alpha1.LabelManagedBy, v1alpha1.ManagedByKairship, connection.Describe(err))
	}
	if err := finalizer.Release(ctx, c.Client, instance, Finalizer, fieldOwner); err != nil {
		return reconcile.Result{}, err
	}
	forget(instance.Name)
	return reconcile.Result{}, nil
}

// removeAll removes every binding of ours, asking the Karmada itself which there are.
func (c *Controller) removeAll(ctx context.Context, instance *v1alpha1.Instance) error {
	conn, err := c.connect(ctx, instance)
	if err != nil {
		return err
	}
	listCtx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	list, err := conn.Dynamic().Resource(bindings).List(listCtx, metav1.ListOptions{LabelSelector: v1alpha1.LabelManagedBy + "=" + v1alpha1.ManagedByKairship})
	if err != nil {
		return fmt.Errorf("listing ClusterRoleBindings: %w", err)
	}
	for i := range list.Items {
		if !isOurs(&list.Items[i]) {
			continue
		}
		if err := c.remove(ctx, instance, conn, list.Items[i].GetName()); err != nil {
			return err
		}
	}
	return nil
}

func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, status metav1.ConditionStatus, reason, message string) error {
	applied := 0.0
	kind := corev1.EventTypeWarning
	if status == metav1.ConditionTrue {
		applied, kind = 1, corev1.EventTypeNormal
	}
	appliedGauge.WithLabelValues(instance.Name).Set(applied)
	writer := condition.Writer{Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: []string{v1alpha1.ConditionAccessApplied}}
	changed, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{{
		Type: v1alpha1.ConditionAccessApplied, Status: status, Reason: reason, Message: message,
	}}})
	if err != nil {
		return err
	}
	if len(changed) > 0 {
		c.Events.Eventf(instance, nil, kind, reason, "ApplyAccess", "%s", message)
	}
	return nil
}
