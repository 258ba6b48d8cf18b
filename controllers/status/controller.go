// Package status reports the health of each instance: it probes every component of its control plane, and every member
// through Karmada, and sums up its own and the other controllers' findings in conditions, components, a phase and the
// condition Ready. It also finds members that two instances hold.
//
// Its probes leave nothing in a Karmada: they are reads, and a dry run of one policy for each look, which its audit log
// shows.
//
// It must not know how anything it finds is mended.
package status

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/clock"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/status/health"
	"github.com/kairship-io/kairship/internal/instance/connection"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "status"
	fieldOwner = client.FieldOwner("kairship-status")
)

const (
	// workers is how many instances are worked on at once. None of them waits for a Karmada.
	workers = 4
	// passTimeout bounds one pass over an instance.
	passTimeout = time.Minute
)

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options

	probers    *probers
	duplicates *duplicates
	bell       *bell
}

// Options of New.
type Options struct {
	controllers.Options
	// Pace of the probes; nil for the usual one.
	Pace *Pace
}

// New makes the controller.
func New(options Options) *Controller {
	return &Controller{options: options, duplicates: newDuplicates(), bell: &bell{}}
}

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	pace := usual
	if c.options.Pace != nil {
		pace = *c.options.Pace
	}
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	c.probers = newProbers(pace, clock.RealClock{}, func(instance string) { c.bell.ring(instance) })
	if err := mgr.Add(c.probers); err != nil {
		return err
	}
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(connection.InstancesOfSecret(mgr.GetCache(), c.Namespace))).
		WatchesRawSource(c.Connections.Source(connection.Interest{Watch: connection.Clusters, Matters: memberChanged})).
		WatchesRawSource(c.bell).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
}

// memberChanged ignores the heartbeats of members.
func memberChanged(before, after connection.Object) bool {
	was, ok := before.(*clusterv1alpha1.Cluster)
	is, ok2 := after.(*clusterv1alpha1.Cluster)
	return !ok || !ok2 || was.Spec.ID != is.Spec.ID || complaintOf(was) != complaintOf(is)
}

// Reconcile reports the health of one instance.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(reconcile.Result{}, c.reconcile(ctx, req.Name))
}

func (c *Controller) reconcile(ctx context.Context, name string) error {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, types.NamespacedName{Name: name}, &instance); err != nil {
		if !apierrors.IsNotFound(err) {
			return fmt.Errorf("reading instance %q: %w", name, err)
		}
		c.probers.remove(name)
		c.Connections.Remove(name)
		c.bell.ring(c.duplicates.remove(name)...)
		series.Forget(name)
		return nil
	}
	o, err := c.observe(ctx, &instance)
	if err != nil {
		return err
	}
	part := judge(o)
	if summary, known := ready(&instance, part); known {
		part.ObservedGeneration = instance.Generation
		setCondition(&part, summary)
	} else {
		part.ObservedGeneration = instance.Status.ObservedGeneration
		setCondition(&part, *meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionReady))
	}
	return c.write(ctx, &instance, part)
}

// leaves reports whether an instance is being taken down, so that its health means nothing any more.
func leaves(instance *v1alpha1.Instance) bool {
	return instance.DeletionTimestamp != nil && !finalizer.HeldBack(instance)
}

// observe gathers what is known of an instance, without a request to its Karmada.
func (c *Controller) observe(ctx context.Context, instance *v1alpha1.Instance) (observed, error) {
	o := observed{instance: instance, now: metav1.NewTime(c.Clock.Now()).Rfc3339Copy()}
	if leaves(instance) {
		c.probers.remove(instance.Name)
		return o, nil
	}
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	var missing *connection.CredentialError
	switch {
	case errors.As(err, &missing):
		c.probers.remove(instance.Name)
		o.credential = health.Saying{Reason: missing.Reason, Message: missing.Message}
		return o, nil
	case err != nil:
		return o, err
	}
	conn, err := c.Connections.Ensure(instance.Name, config)
	if err != nil {
		return o, err
	}
	o.view = c.probers.ensure(instance.Name, asked{conn}, hintOf(conn), func() seed { return seedOf(instance) }).view()

	state := conn.State(connection.Clusters)
	if state.Synced && state.Identity != "" {
		c.bell.ring(c.duplicates.set(instance.Name, heldThere(conn, state.Identity))...)
	}
	if c.duplicates.known(instance.Name) {
		o.duplicates = c.duplicates.of(instance.Name)
		o.duplicatesKnown, err = c.canCompare(ctx, instance, o.duplicates)
	}
	return o, err
}

// hintOf returns what the watches know of a Karmada.
func hintOf(conn *connection.Connection) hint {
	var members strings.Builder
	for _, o := range conn.List(connection.Clusters) {
		if cluster, ok := o.(*clusterv1alpha1.Cluster); ok {
			fmt.Fprintf(&members, "%s %s\n", cluster.Name, complaintOf(cluster))
		}
	}
	return hint{troubled: conn.State(connection.Clusters).Err != nil, members: members.String()}
}

// heldThere is what the Karmada of an instance holds.
func heldThere(conn *connection.Connection, identity string) holdings {
	h := holdings{identity: identity, members: map[string]string{}}
	for _, o := range conn.List(connection.Clusters) {
		if cluster, ok := o.(*clusterv1alpha1.Cluster); ok {
			if _, taken := h.members[cluster.Spec.ID]; !taken {
				h.members[cluster.Spec.ID] = cluster.Name
			}
		}
	}
	return h
}

// canCompare reports whether enough is known to say which members are held twice. What was reported about an instance
// whose members are not known, as after a change of the leader while its Karmada is down, holds.
func (c *Controller) canCompare(ctx context.Context, instance *v1alpha1.Instance, found string) (bool, error) {
	before := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionMembersUnique)
	if found != "" || before == nil || before.Status != metav1.ConditionFalse {
		return true, nil
	}
	var instances v1alpha1.InstanceList
	if err := c.Client.List(ctx, &instances); err != nil {
		return false, fmt.Errorf("listing instances: %w", err)
	}
	for i := range instances.Items {
		other := instances.Items[i].Name
		if other != instance.Name && strings.Contains(before.Message, strconv.Quote(other)) && !c.duplicates.known(other) {
			return false, nil
		}
	}
	return true, nil
}

// seedOf returns what was last reported about an instance.
func seedOf(instance *v1alpha1.Instance) seed {
	s := seed{components: map[string]health.Saying{}, kubernetes: instance.Status.KubernetesVersion}
	for _, component := range instance.Status.Components {
		leased := component.Name != componentAPIServer && component.Name != componentAggregatedAPI &&
			component.Name != componentWebhook && component.Name != componentMetricsAdapter
		switch {
		case component.State == v1alpha1.ComponentReady && leased:
			s.components[component.Name] = well(v1alpha1.ReasonLeaseHeld, component.Message)
		case component.State == v1alpha1.ComponentReady:
			s.components[component.Name] = well(v1alpha1.ReasonAnswering, component.Message)
		case component.State == v1alpha1.ComponentNotReady && leased:
			s.components[component.Name] = ill(v1alpha1.ReasonLeaseExpired, component.Message)
		case component.State == v1alpha1.ComponentNotReady:
			s.components[component.Name] = ill(v1alpha1.ReasonNotAnswering, component.Message)
		}
	}
	if server := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionAPIServerReachable); server != nil && server.Status != metav1.ConditionUnknown {
		s.components[componentAPIServer] = sayingOf(server)
	}
	if reachable := meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionMembersReachable); reachable != nil && reachable.Status == metav1.ConditionTrue {
		s.member = well(v1alpha1.ReasonAnswering, "answers")
	}
	return s
}

func (c *Controller) write(ctx context.Context, instance *v1alpha1.Instance, part v1alpha1.InstanceStatus) error {
	writer := condition.Writer{
		Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: owned,
		Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
			return v1alpha1.InstanceStatus{
				Phase: s.Phase, ObservedGeneration: s.ObservedGeneration, Components: s.Components, KubernetesVersion: s.KubernetesVersion,
			}
		},
	}
	changed, err := writer.Write(ctx, instance, part)
	if err != nil {
		return err
	}
	measure(instance.Name, part)
	if before := instance.Status.Phase; before != part.Phase && before != "" {
		phaseChangesCounter.WithLabelValues(instance.Name).Inc()
	}
	if len(changed) > 0 || instance.Status.Phase != part.Phase {
		c.tell(instance, part, changed)
	}
	return nil
}
