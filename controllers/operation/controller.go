// Package operation works on Operations: what a person asked for that takes longer than a request. It does one step after the other as
// that person, looks up their rights again at each, and writes down how far it is, so that a successor goes on from there.
//
// What a kind of operation does is in a file of its own. The rest must not know it.
package operation

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
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
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Name of the controller.
const Name = "operation"

// What New takes when its options do not say.
const (
	DefaultKeep = 7 * 24 * time.Hour
	DefaultMost = 1000
	// MaxMost bounds Most: each costs some kilobytes of memory here and in every API server.
	MaxMost = 10_000
)

const (
	// workers is how many operations are worked on at once, each of another instance.
	workers = 4
	// tryTimeout bounds one try of a step, and passTimeout all that one reconciliation does: so long somebody who stalls holds a worker.
	tryTimeout  = 15 * time.Second
	passTimeout = 45 * time.Second
	// undoDeadline is how long what was made may take to be removed; then it is said what stays.
	undoDeadline = 10 * time.Minute
	// After an error a step is tried again after retryMin, then twice as long each time, up to retryMax.
	retryMin = 200 * time.Millisecond
	retryMax = 15 * time.Second
)

// Options of New.
type Options struct {
	controllers.Options
	// AdminGroups administrate every instance.
	AdminGroups []string
	// Dial connects to members that join or leave; nil for direct connections.
	Dial link.Dialler
	// Audit is where it is recorded how operations ended; nil for nowhere.
	Audit *audit.Recorder
	// Kinds are the kinds of operations that it works on.
	Kinds []Kind
	// Keep is how long operations that ended are kept, and Most how many of them.
	Keep time.Duration
	Most int
}

// Controller reconciles Operations.
type Controller struct {
	controllers.Base
	options Options
	kinds   map[v1alpha1.OperationKind]Kind
	rights  *rights

	mu       sync.Mutex
	karmadas map[string]*Karmada
	// auditAfter is before when the audit log is not asked again.
	auditAfter time.Time
	// claims is held while an operation claims a cluster.
	claims sync.Mutex
	slots  slots
}

// New makes the controller.
func New(options Options) *Controller {
	if options.Keep == 0 {
		options.Keep = DefaultKeep
	}
	if options.Most == 0 {
		options.Most = DefaultMost
	}
	c := &Controller{options: options, kinds: map[v1alpha1.OperationKind]Kind{}, karmadas: map[string]*Karmada{}}
	for _, k := range options.Kinds {
		c.kinds[k.Name] = k
	}
	return c
}

// Name returns the controller's name.
func (*Controller) Name() string { return Name }

// Register adds the controller to a manager.
func (c *Controller) Register(mgr manager.Manager) error {
	c.Base = controllers.NewBase(mgr, Name, c.options.Options)
	// Which clusters the instances have is asked from memory: the interest has it watched, and nothing is to be woken.
	_ = c.Connections.Source(connection.Interest{Watch: connection.Clusters})
	c.rights = &rights{reader: c.Client, authorizer: rbac.NewAuthorizer(c.options.AdminGroups)}
	return ctrl.NewControllerManagedBy(mgr).Named(Name).
		For(&v1alpha1.Operation{}, builder.WithPredicates(predicate.Funcs{UpdateFunc: asked})).
		Watches(&v1alpha1.Instance{}, handler.EnqueueRequestsFromMapFunc(c.about)).
		Watches(&v1alpha1.AccessBinding{}, c.rights.handler()).
		Watches(&rbacv1.ClusterRole{}, c.rights.handler()).
		WithOptions(controller.Options{
			MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout,
			RateLimiter: workqueue.NewTypedItemExponentialFailureRateLimiter[reconcile.Request](retryMin, retryMax),
		}).
		Complete(c)
}

// asked ignores what this controller writes.
func asked(e event.UpdateEvent) bool {
	return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() || e.ObjectNew.GetDeletionTimestamp() != nil
}

// about are the operations that have not ended on an Instance.
func (c *Controller) about(ctx context.Context, instance client.Object) []reconcile.Request {
	var all v1alpha1.OperationList
	// Read from the cache; it fails only while the manager stops. Nothing is changed here, so nothing is copied.
	if err := c.Client.List(ctx, &all, client.UnsafeDisableDeepCopy); err != nil {
		return nil
	}
	var out []reconcile.Request
	for i := range all.Items {
		if o := &all.Items[i]; o.Spec.Instance == instance.GetName() && !o.Status.State.Ended() {
			out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Name: o.Name}})
		}
	}
	return out
}

// Reconcile works on one operation.
func (c *Controller) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(c.reconcile(ctx, req))
}

func (c *Controller) reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	// From the API server itself: the cache may not have what was written a moment ago.
	var o v1alpha1.Operation
	if err := c.Live.Get(ctx, req.NamespacedName, &o); err != nil {
		if apierrors.IsNotFound(err) {
			c.slots.leave(req.Name)
			return reconcile.Result{}, nil
		}
		return reconcile.Result{}, fmt.Errorf("reading operation %q: %w", req.Name, err)
	}
	if o.Status.State.Ended() {
		c.slots.leave(req.Name)
		return c.keep(ctx, &o)
	}
	if !c.slots.take(o.Spec.Instance, o.Name) {
		return reconcile.Result{RequeueAfter: minWait}, nil
	}
	defer c.slots.give(o.Spec.Instance)
	ctx = withWritten(ctx, &o)
	kind, known := c.kinds[o.Spec.Kind]
	if !known {
		// A newer API server may know more than this process; so may the next leader.
		o.Status.State, o.Status.Message = v1alpha1.OperationPending, fmt.Sprintf("this controller manager does not know how to do %s", o.Spec.Kind)
		return reconcile.Result{RequeueAfter: retryMax}, c.write(ctx, &o)
	}
	if o.DeletionTimestamp == nil {
		// Before anything is made that would have to be undone.
		if err := c.hold(ctx, &o); err != nil {
			return reconcile.Result{}, err
		}
	}
	r := &Run{Base: c.Base, Operation: &o, controller: c, Actor: auth.Principal{Name: o.Spec.Actor.Name, Groups: o.Spec.Actor.Groups}}
	return c.work(ctx, kind, r)
}

// work does step after step until one has to wait.
func (c *Controller) work(ctx context.Context, kind Kind, r *Run) (reconcile.Result, error) {
	steps, status := kind.Steps(r.Operation), &r.Operation.Status
	prepare(status, steps)
	for {
		step := current(status, steps)
		var err, denied error
		if r.Scope, err = c.rights.scope(ctx, r.Actor); err != nil {
			return reconcile.Result{}, err
		}
		if step != nil && !step.Follows {
			denied = kind.Allowed(r)
		}
		switch {
		case status.Ending != "":
			return c.undo(ctx, kind, r)
		case step == nil:
			return c.finish(ctx, r, v1alpha1.OperationSucceeded, "")
		case (r.Operation.Spec.Cancel || r.Operation.DeletionTimestamp != nil) && step.Cancellable:
			end(status, v1alpha1.OperationCancelled, "it was cancelled")
		case denied != nil:
			end(status, v1alpha1.OperationFailed, fmt.Sprintf("%s may not do this: %s", r.Actor.Name, denied))
		default:
			outcome, err := c.try(ctx, kind, *step, r)
			if outcome.result == failed {
				end(status, v1alpha1.OperationFailed, outcome.message)
			}
			if outcome.result == done {
				continue
			}
			if outcome.result == waits || err != nil {
				return reconcile.Result{RequeueAfter: outcome.after}, err
			}
		}
		if err := c.write(ctx, r.Operation); err != nil {
			return reconcile.Result{}, err
		}
	}
}

// try tries a step once and writes down what became of it. An error beside no outcome is tried again.
func (c *Controller) try(ctx context.Context, kind Kind, step Step, r *Run) (Outcome, error) {
	o, now := r.Operation, c.Clock.Now()
	begin(&o.Status, step.Name, now)
	o.Status.Cancellable = step.Cancellable
	// Its beginning counts for its deadline, so it is written before anything is done.
	if err := c.write(ctx, o); err != nil {
		return Outcome{}, err
	}
	outcome, err := bounded(ctx, r, step.Do)
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		return Outcome{}, err // this process ends
	}
	c.count(kind, step.Name, o, outcome, err)
	// Only now: it may be done although nobody looked for long.
	if limit := overdue(&o.Status, step.Name, step.Deadline, now); limit > 0 && (err != nil || outcome.result == waits) {
		waited := outcome.message
		if err != nil {
			waited = err.Error()
		}
		outcome, err = Fail("step %q did not end within %s: %s", step.Name, limit, waited).Within(outcome.within), nil
	}
	if err != nil {
		note(&o.Status, step.Name, Wait("tried again: "+err.Error(), 0), now)
		return Outcome{}, errors.Join(err, c.write(ctx, o))
	}
	if message := o.Spec.Cancel && !step.Cancellable && outcome.result == waits; message {
		outcome.message = joined(outcome.message, fmt.Sprintf("it cannot be cancelled during step %q", step.Name))
	}
	note(&o.Status, step.Name, outcome, c.Clock.Now())
	if outcome.result == failed {
		return outcome, nil // written with how it ends
	}
	if err := c.write(ctx, o); err != nil {
		return Outcome{}, err
	}
	return outcome, nil
}

// bounded tries something within the time that one try may take.
func bounded(ctx context.Context, r *Run, do func(context.Context, *Run) (Outcome, error)) (Outcome, error) {
	ctx, cancel := context.WithTimeout(ctx, tryTimeout)
	defer cancel()
	return do(ctx, r)
}

// undo removes what was made, as Kairship: the actor may have lost the right to. Then it ends the operation.
func (c *Controller) undo(ctx context.Context, kind Kind, r *Run) (reconcile.Result, error) {
	o := r.Operation
	if kind.Undo == nil {
		return c.finish(ctx, r, o.Status.Ending, o.Status.Message)
	}
	reason, now := o.Status.Message, c.Clock.Now()
	begin(&o.Status, undoName, now)
	if err := c.write(ctx, o); err != nil {
		return reconcile.Result{}, err
	}
	r.undoing = true
	outcome, err := together(partOf(bounded(ctx, r, kind.Undo)))
	c.count(kind, undoName, o, outcome, err)
	if err != nil {
		outcome = Wait("tried again: "+err.Error(), 0)
	}
	if outcome.result == waits && overdue(&o.Status, undoName, undoDeadline, now) > 0 {
		outcome, err = Fail("what was made could not be removed within %s: %s", undoDeadline, outcome.message), nil
	}
	note(&o.Status, undoName, outcome, c.Clock.Now())
	o.Status.Message = reason // why it ends, not how far that is
	if outcome.result == waits {
		return reconcile.Result{RequeueAfter: outcome.after}, errors.Join(err, c.write(ctx, o))
	}
	return c.finish(ctx, r, o.Status.Ending, joined(reason, outcome.message))
}

// finish ends an operation for good. The Secret that it owns goes first: nobody needs it any more.
func (c *Controller) finish(ctx context.Context, r *Run, state v1alpha1.OperationState, message string) (reconcile.Result, error) {
	if err := r.DropSecret(ctx); err != nil {
		return reconcile.Result{}, err
	}
	finish(&r.Operation.Status, state, message, c.Clock.Now())
	if err := c.write(ctx, r.Operation); err != nil {
		return reconcile.Result{}, err
	}
	kind := corev1.EventTypeNormal
	if state == v1alpha1.OperationFailed {
		kind = corev1.EventTypeWarning
	}
	c.Events.Eventf(r.Operation, nil, kind, string(state), "Operate", "%s of instance %s: %s", r.Operation.Spec.Kind, r.Operation.Spec.Instance,
		text.Event(r.Operation.Status.Message))
	endedCounter.WithLabelValues(string(r.Operation.Spec.Kind), string(state)).Inc()
	c.Logger.Info("an operation has ended", "operation", r.Operation.Name, "kind", r.Operation.Spec.Kind, "instance", r.Operation.Spec.Instance,
		"state", state, "message", r.Operation.Status.Message)
	return c.keep(ctx, r.Operation)
}

// count counts a try.
func (c *Controller) count(kind Kind, step string, o *v1alpha1.Operation, outcome Outcome, err error) {
	what := map[result]string{done: "done", waits: "waits", failed: "failed"}[outcome.result]
	if err != nil {
		what = "error"
	}
	triesCounter.WithLabelValues(string(kind.Name), step, what).Inc()
	if is := find(&o.Status, step); outcome.result == done && err == nil && is != nil && is.StartedAt != nil {
		stepSeconds.WithLabelValues(string(kind.Name), step).Observe(c.Clock.Since(is.StartedAt.Time).Seconds())
	}
}
