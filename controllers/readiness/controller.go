// Package readiness sums up what the other controllers found out about an instance in one condition,
// Ready. It asks nobody but the Instance itself.
package readiness

import (
	"context"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers/condition"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "readiness"
	fieldOwner = client.FieldOwner("kairship-readiness")
)

// part is a condition that Ready depends on.
type part struct {
	kind string
	// tolerated are reasons for which it may be False all the same.
	tolerated []string
}

var parts = []part{
	// One member that does not answer does not make the whole instance unready.
	{kind: v1alpha1.ConditionReadPathSynced, tolerated: []string{v1alpha1.ReasonMembersNotSynced}},
	{kind: v1alpha1.ConditionAccessApplied},
}

// Controller reconciles Instances.
type Controller struct {
	Client client.Client
	Clock  clock.PassiveClock
}

// New makes the controller of a manager and registers it there.
func New(mgr manager.Manager, clock clock.PassiveClock) (*Controller, error) {
	c := &Controller{Client: mgr.GetClient(), Clock: clock}
	if err := ctrl.NewControllerManagedBy(mgr).Named(Name).For(&v1alpha1.Instance{}).Complete(c); err != nil {
		return nil, fmt.Errorf("building controller %s: %w", Name, err)
	}
	return c, nil
}

// Reconcile sums up one instance.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	ready, known := ready(&instance)
	if !known {
		return reconcile.Result{}, nil
	}
	writer := condition.Writer{
		Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: []string{v1alpha1.ConditionReady},
		Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
			return v1alpha1.InstanceStatus{ObservedGeneration: s.ObservedGeneration}
		},
	}
	_, err := writer.Write(ctx, &instance, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{ready}, ObservedGeneration: instance.Generation})
	return reconcile.Result{}, err
}

// ready sums up an instance. It is not known while a condition is about an earlier generation: what was
// said before holds until every controller has looked again.
func ready(instance *v1alpha1.Instance) (c metav1.Condition, known bool) {
	c = metav1.Condition{Type: v1alpha1.ConditionReady, Status: metav1.ConditionFalse}
	if instance.DeletionTimestamp != nil {
		c.Reason, c.Message = v1alpha1.ReasonDeleting, "the instance is being removed from Kairship"
		return c, true
	}
	before := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionReady)
	for _, p := range parts {
		got := meta.FindStatusCondition(instance.Status.Conditions, p.kind)
		switch {
		case got == nil:
			c.Status, c.Reason, c.Message = metav1.ConditionUnknown, v1alpha1.ReasonPending, p.kind+" is not known yet"
			return c, true
		case got.ObservedGeneration != instance.Generation && before != nil:
			return c, false
		case got.Status != metav1.ConditionTrue && !slices.Contains(p.tolerated, got.Reason):
			c.Reason, c.Message = got.Reason, p.kind+": "+got.Message
			return c, true
		}
	}
	c.Status, c.Reason, c.Message = metav1.ConditionTrue, v1alpha1.ReasonReady, "the instance can be read and written"
	return c, true
}
