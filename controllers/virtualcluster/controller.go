// Package virtualcluster registers every instance and every member of it with Clusterpedia as a hidden
// virtual cluster, so that all of the fleet can be read from one store. Members are read through
// Karmada's cluster proxy with the instance's own credential: Kairship holds none of theirs.
//
// It must not know what is read from the store, nor who may read it.
package virtualcluster

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	ctrl "sigs.k8s.io/controller-runtime"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/controllers"
	"github.com/kairship-io/kairship/controllers/internal/condition"
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
)

// Name of the controller, and of the field manager that it writes as.
const (
	Name       = "virtualcluster"
	fieldOwner = client.FieldOwner("kairship-virtualcluster")
)

// Finalizer holds an Instance until Clusterpedia has dropped its rows.
const Finalizer = "kairship.io/virtualcluster"

const (
	// workers is how many instances are worked on at once. One that is slow to answer holds one of them.
	workers = 8
	// passTimeout bounds one pass over an instance.
	passTimeout = time.Minute
	// idle is when an instance is looked at again without any event.
	idle = 10 * time.Minute
)

// indexInstance finds the PediaClusters of an instance in the cache.
const indexInstance = "instance"

// Controller reconciles Instances.
type Controller struct {
	controllers.Base
	options Options
}

// Options of New.
type Options struct {
	controllers.Options
	// ClusterpediaNamespace receives the Secrets that Clusterpedia reads.
	ClusterpediaNamespace string
	// Shards are the names of Clusterpedia's synchro managers; none when there is a single one without a name.
	Shards []string
}

// New makes the controller.
func New(options Options) *Controller { return &Controller{options: options} }

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	if err := CheckShards(c.options.Shards); err != nil {
		return err
	}
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	// Indexed: by label every pass would go through every PediaCluster there is.
	if err := mgr.GetFieldIndexer().IndexField(context.Background(), newPediaCluster(), indexInstance, func(o client.Object) []string {
		return []string{o.GetLabels()[v1alpha1.LabelInstance]}
	}); err != nil {
		return err
	}
	// No predicate on Instances: a status may have been computed from a stale cache; the update that refreshes the
	// cache then triggers another pass.
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Instance{}).
		Owns(newPediaCluster()).
		Owns(&corev1.Secret{}).
		Watches(&corev1.Secret{}, handler.EnqueueRequestsFromMapFunc(connection.InstancesOfSecret(mgr.GetCache(), c.Namespace))).
		WatchesRawSource(c.Connections.Source(connection.Interest{Watch: connection.Clusters, Matters: memberChanged})).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(c)
}

// memberChanged ignores the heartbeats of members.
func memberChanged(before, after connection.Object) bool {
	return before.GetUID() != after.GetUID()
}

// Reconcile brings the virtual clusters of one instance one step further.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	var instance v1alpha1.Instance
	if err := c.Client.Get(ctx, req.NamespacedName, &instance); err != nil {
		if apierrors.IsNotFound(err) {
			c.Connections.Remove(req.Name)
			series.Forget(req.Name)
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading instance %q: %w", req.Name, err)
	}
	if instance.DeletionTimestamp != nil {
		return c.finalize(ctx, &instance)
	}

	// Before anything is made that would have to be removed.
	added, err := finalizer.Ensure(ctx, c.Client, &instance, Finalizer, fieldOwner)
	if err != nil {
		return reconcile.Result{}, err
	}
	if added {
		writesCounter.WithLabelValues("Instance", "patch").Inc()
	}

	return c.keepInStep(ctx, &instance)
}

// keepInStep brings the virtual clusters in line with the instance.
func (c *Controller) keepInStep(ctx context.Context, instance *v1alpha1.Instance) (reconcile.Result, error) {
	config, err := connection.Credential(ctx, c.Client, c.Namespace, instance)
	if err != nil {
		return reconcile.Result{}, c.withoutCredential(ctx, instance, err)
	}
	conn, err := c.Connections.Ensure(instance.Name, config)
	if err != nil {
		return reconcile.Result{}, err
	}
	return c.sync(ctx, instance, config, conn)
}

// withoutCredential reports why there is no credential. What is registered stays as it is: a mistake in a Secret is no
// reason to drop rows.
func (c *Controller) withoutCredential(ctx context.Context, instance *v1alpha1.Instance, why error) error {
	var credential *connection.CredentialError
	if !errors.As(why, &credential) {
		return why
	}
	return c.report(ctx, instance, metav1.Condition{
		Type: v1alpha1.ConditionReadPathSynced, Status: metav1.ConditionFalse, Reason: credential.Reason, Message: credential.Message,
	}, instance.Status.VirtualCluster)
}

func (c *Controller) sync(ctx context.Context, instance *v1alpha1.Instance, config *kubeconfig.Credential, conn *connection.Connection) (reconcile.Result, error) {
	o, err := c.observe(ctx, instance, config, conn)
	if err != nil {
		return reconcile.Result{}, err
	}
	o.plan = decide(o.observed)
	failed := c.execute(ctx, &o, conn)

	// A new connection knows nothing for a moment; the former condition holds until it does.
	if o.pending() && failed == nil && meta.FindStatusCondition(instance.Status.Conditions, v1alpha1.ConditionReadPathSynced) != nil {
		return reconcile.Result{}, nil
	}
	status, numbers := judge(o)
	if failed != nil {
		status.Status, status.Reason, status.Message = metav1.ConditionFalse, v1alpha1.ReasonWriteFailed, failed.Error()
	}
	c.measure(instance.Name, o, numbers)
	if err := c.report(ctx, instance, status, numbers); err != nil || failed != nil {
		return reconcile.Result{}, errors.Join(failed, err)
	}
	return reconcile.Result{RequeueAfter: c.nextLook(o)}, nil
}

// observe gathers what a plan depends on, without a request to any Karmada.
func (c *Controller) observe(ctx context.Context, instance *v1alpha1.Instance, config *kubeconfig.Credential, conn *connection.Connection) (outcome, error) {
	list := newPediaClusterList()
	if err := c.Client.List(ctx, list, client.MatchingFields{indexInstance: instance.Name}); err != nil {
		return outcome{}, fmt.Errorf("listing the PediaClusters of instance %q: %w", instance.Name, err)
	}
	o := outcome{
		observed:     observed{instance: instance, config: config, members: map[string]string{}, registered: map[string]registered{}},
		unregistered: map[string]string{},
	}
	for i := range list.Items {
		r, err := readRegistered(instance.Name, &list.Items[i])
		if err != nil {
			c.Logger.Warn("a PediaCluster that is not ours", "instance", instance.Name, "error", err)
			continue
		}
		o.registered[r.source.cluster] = r
	}
	state := conn.State(connection.Clusters)
	o.identity, o.membersKnown, o.unreachable = state.Identity, state.Synced, state.Err
	for _, cluster := range conn.List(connection.Clusters) {
		o.members[cluster.GetName()] = string(cluster.GetUID())
	}
	return o, nil
}

func (c *Controller) report(ctx context.Context, instance *v1alpha1.Instance, status metav1.Condition, numbers *v1alpha1.VirtualClusterStatus) error {
	writer := condition.Writer{
		Client: c.Client, Owner: fieldOwner, Clock: c.Clock, Conditions: []string{v1alpha1.ConditionReadPathSynced},
		Fields: func(s v1alpha1.InstanceStatus) v1alpha1.InstanceStatus {
			return v1alpha1.InstanceStatus{VirtualCluster: s.VirtualCluster}
		},
	}
	changed, err := writer.Write(ctx, instance, v1alpha1.InstanceStatus{Conditions: []metav1.Condition{status}, VirtualCluster: numbers})
	if err != nil {
		return err
	}
	for _, condition := range changed {
		c.tellCondition(instance, condition)
	}
	return nil
}

func (c *Controller) measure(instance string, o outcome, numbers *v1alpha1.VirtualClusterStatus) {
	reachable := 1.0
	if o.unreachable != nil || o.identity == "" {
		reachable = 0
	}
	reachableGauge.WithLabelValues(instance).Set(reachable)
	if numbers.Members != nil {
		membersGauge.WithLabelValues(instance).Set(float64(*numbers.Members))
		membersSyncedGauge.WithLabelValues(instance).Set(float64(*numbers.MembersSynced))
	}
}

// nextLook returns when to look again if nothing happens: soon while a member does not answer yet, because no event
// follows when it does.
func (c *Controller) nextLook(o outcome) time.Duration {
	switch {
	case len(o.unregistered) > 0:
		return memberRetry
	case slices.ContainsFunc(o.objects(), func(object *unstructured.Unstructured) bool {
		holder, held := holderOf(object)
		return held && !c.serves(holder)
	}):
		return finalizeRetry
	}
	return idle
}
