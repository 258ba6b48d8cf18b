package access

import (
	"context"
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
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
	"github.com/kairship-io/kairship/controllers/internal/finalizer"
	"github.com/kairship-io/kairship/controllers/internal/text"
	identity "github.com/kairship-io/kairship/internal/auth"
)

// bindings reconciles AccessBindings: it reports where each is in force, and releases a deleted one when it is in force
// nowhere.
type bindings struct{ *Controller }

func (c *Controller) registerBindings(mgr manager.Manager) error {
	// An instance matters when it is created or deleted, or when its removal begins.
	comesOrGoes := predicate.Funcs{UpdateFunc: func(e event.UpdateEvent) bool {
		before, was := e.ObjectOld.(*v1alpha1.Instance)
		after, is := e.ObjectNew.(*v1alpha1.Instance)
		return was && is && leaves(before) != leaves(after)
	}}
	return ctrl.NewControllerManagedBy(mgr).Named(Name+"-bindings").
		For(&v1alpha1.AccessBinding{}).
		Watches(&v1alpha1.Instance{}, handler.EnqueueRequestsFromMapFunc(c.bindingsOfInstance), builder.WithPredicates(comesOrGoes)).
		WatchesRawSource(c.reports.source()).
		WithOptions(controller.Options{MaxConcurrentReconciles: workers, ReconciliationTimeout: passTimeout}).
		Complete(&bindings{c})
}

// leaves reports whether an instance is being removed, and its permissions with it.
func leaves(instance *v1alpha1.Instance) bool {
	return instance.DeletionTimestamp != nil && !finalizer.HeldBack(instance)
}

// Reconcile brings the status of one AccessBinding up to date.
func (b *bindings) Reconcile(ctx context.Context, req reconcile.Request) (reconcile.Result, error) {
	return finalizer.RequeueOnConflict(reconcile.Result{}, b.reconcile(ctx, req))
}

func (b *bindings) reconcile(ctx context.Context, req reconcile.Request) error {
	var binding v1alpha1.AccessBinding
	if err := b.Client.Get(ctx, req.NamespacedName, &binding); err != nil {
		if apierrors.IsNotFound(err) {
			return nil
		}
		return fmt.Errorf("reading AccessBinding %q: %w", req.Name, err)
	}
	held := controllerutil.ContainsFinalizer(&binding, Finalizer)
	switch {
	case binding.DeletionTimestamp != nil && !held:
		return nil
	case binding.DeletionTimestamp == nil && !held:
		// Before any permissions are made that would have to be revoked. The change wakes the instances.
		return b.hold(ctx, &binding, true)
	}
	there, err := b.there(ctx)
	if err != nil {
		return err
	}
	status, known := judge(&binding, there, b.reports.of)
	switch {
	case !known:
		// The instances without a report wake us when they have one.
		return nil
	case binding.DeletionTimestamp != nil && len(status.Instances) == 0:
		return client.IgnoreNotFound(b.hold(ctx, &binding, false))
	}
	return b.write(ctx, &binding, status)
}

// there returns the instances that exist and stay.
func (b *bindings) there(ctx context.Context) (map[string]bool, error) {
	var instances v1alpha1.InstanceList
	if err := b.Client.List(ctx, &instances); err != nil {
		return nil, fmt.Errorf("listing the instances: %w", err)
	}
	out := map[string]bool{}
	for i := range instances.Items {
		if !leaves(&instances.Items[i]) {
			out[instances.Items[i].Name] = true
		}
	}
	return out, nil
}

// judge combines the reports of the existing instances. It returns false until each that matters has reported: to say
// meanwhile that the binding is in force nowhere would be wrong after every start.
func judge(b *v1alpha1.AccessBinding, there map[string]bool, reportOf func(instance string) (report, bool)) (v1alpha1.AccessBindingStatus, bool) {
	status := v1alpha1.AccessBindingStatus{ObservedGeneration: b.Generation}
	before := map[string]bool{}
	for _, i := range b.Status.Instances {
		before[i.Name] = i.Applied
	}
	applied := metav1.Condition{Type: v1alpha1.ConditionApplied, Status: metav1.ConditionTrue, Reason: v1alpha1.ReasonApplied}
	var remarks []string
	remark := func(instance, text string) {
		if text != "" {
			remarks = append(remarks, instance+": "+text)
		}
	}
	wrong := func(reason string) {
		if applied.Status == metav1.ConditionTrue {
			applied.Status, applied.Reason = metav1.ConditionFalse, reason
		}
	}
	inForce := 0
	for _, name := range places(b, there) {
		r, known := reportOf(name)
		result, meant := r.results[b.Name]
		meant = meant && result.uid == b.UID
		wanted := b.DeletionTimestamp == nil && (scopeOf(b) == everywhere || scopeOf(b) == name)
		entry := v1alpha1.AccessApplication{Name: name}
		switch {
		case !known, wanted && r.trouble.reason == "" && (!meant || result.generation != b.Generation):
			return status, false
		case wanted && meant && result.generation == b.Generation:
			entry.Applied, entry.Message = result.applied, result.message
			remark(name, result.message)
			if !result.applied {
				wrong(result.reason)
			}
		case wanted:
			// As it was when the Karmada last answered.
			entry.Applied, entry.Message = before[name], r.trouble.message
			remark(name, r.trouble.message)
			wrong(r.trouble.reason)
		case meant && r.trouble.reason == "":
			// The next pass over the instance will know of the change.
			return status, false
		case r.trouble.reason != "" && (before[name] || meant && result.applied):
			entry.Applied, entry.Message = true, "it is to be taken away: "+r.trouble.message
			remark(name, entry.Message)
			wrong(v1alpha1.ReasonRevoking)
		default:
			continue
		}
		if entry.Applied {
			inForce++
		}
		status.Instances = append(status.Instances, entry)
	}
	if scope := b.Spec.Scope.Instance; scope != "" && !there[scope] && b.DeletionTimestamp == nil {
		wrong(v1alpha1.ReasonInstanceNotFound)
		remarks = append(remarks, fmt.Sprintf("there is no instance %q", scope))
	}
	if s := b.Spec.Subject; identity.CheckGroups([]string{s.Name}) != nil && refusedSubject(b) == nil {
		remarks = append(remarks, fmt.Sprintf("nobody signs in to Kairship as %q, which says no origin, such as kairship:%s:", s.Name, identity.OriginHost))
	}
	if b.DeletionTimestamp != nil {
		wrong(v1alpha1.ReasonRevoking)
	}
	applied.Message = fmt.Sprintf("in force in %d of %d instances", inForce, len(status.Instances))
	if len(remarks) > 0 {
		const most = 5
		rest := ""
		if len(remarks) > most {
			rest = fmt.Sprintf("; and %d more", len(remarks)-most)
			remarks = remarks[:most]
		}
		applied.Message += "; " + strings.Join(remarks, "; ") + rest
	}
	status.Conditions = []metav1.Condition{applied}
	return status, true
}

// places returns the names of the instances in which a binding may be in force: of its scope, and of a former one.
func places(b *v1alpha1.AccessBinding, there map[string]bool) []string {
	names := formerly(b)
	if scopeOf(b) == everywhere {
		for name := range there {
			names = append(names, name)
		}
	} else {
		names = append(names, scopeOf(b))
	}
	slices.Sort(names)
	return slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !there[name] })
}

// write updates the status, if anything changed.
func (b *bindings) write(ctx context.Context, binding *v1alpha1.AccessBinding, want v1alpha1.AccessBindingStatus) error {
	c := &want.Conditions[0]
	before := meta.FindStatusCondition(binding.Status.Conditions, c.Type)
	c.ObservedGeneration = binding.Generation
	c.Message = text.Status(c.Message)
	for i := range want.Instances {
		want.Instances[i].Message = text.Status(want.Instances[i].Message)
	}
	if before != nil && before.Status == c.Status {
		c.LastTransitionTime = before.LastTransitionTime
	} else {
		c.LastTransitionTime = metav1.NewTime(b.Clock.Now()).Rfc3339Copy()
	}
	if equality.Semantic.DeepEqual(binding.Status, want) {
		return nil
	}
	fields, err := runtime.DefaultUnstructuredConverter.ToUnstructured(&want)
	if err != nil {
		return fmt.Errorf("writing the status of AccessBinding %q: %w", binding.Name, err)
	}
	o := &unstructured.Unstructured{Object: map[string]any{
		// The UID makes the write fail on another AccessBinding of the same name.
		"metadata": map[string]any{"name": binding.Name, "uid": string(binding.UID)},
		"status":   fields,
	}}
	o.SetGroupVersionKind(v1alpha1.AccessBindingKind)
	err = b.Client.Status().Apply(ctx, client.ApplyConfigurationFromUnstructured(o), client.FieldOwner(fieldOwner), client.ForceOwnership)
	if apierrors.IsNotFound(err) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("writing the status of AccessBinding %q: %w", binding.Name, err)
	}
	if before == nil || before.Status != c.Status || before.Reason != c.Reason {
		kind := corev1.EventTypeNormal
		if c.Status != metav1.ConditionTrue {
			kind = corev1.EventTypeWarning
		}
		b.Events.Eventf(binding, nil, kind, c.Reason, "ApplyAccess", "%s", text.Event(c.Message))
	}
	return nil
}

// hold adds the finalizer, or removes it.
func (b *bindings) hold(ctx context.Context, binding *v1alpha1.AccessBinding, held bool) error {
	before := binding.DeepCopy()
	if held {
		controllerutil.AddFinalizer(binding, Finalizer)
	} else {
		controllerutil.RemoveFinalizer(binding, Finalizer)
	}
	// Finalizers are one list, and others may write it.
	err := b.Client.Patch(ctx, binding, client.MergeFromWithOptions(before, client.MergeFromWithOptimisticLock{}), client.FieldOwner(fieldOwner))
	if err != nil {
		return fmt.Errorf("writing the finalizers of AccessBinding %q: %w", binding.Name, err)
	}
	return nil
}
