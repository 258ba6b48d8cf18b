package access

import (
	"context"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/controller/controllerutil"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/predicate"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
)

// The indexes by which a change finds the AccessBindings that it concerns.
const (
	// indexScope holds the instance of the scope, or everywhere.
	indexScope = "scope"
	// indexPlaces holds that, and the instances that the status names.
	indexPlaces = "places"
	indexRole   = "role"
	// indexGroup holds the group that is bound, if it is one.
	indexGroup = "group"
	everywhere = "*"
)

func index(mgr manager.Manager) error {
	for name, of := range map[string]func(*v1alpha1.AccessBinding) []string{
		indexScope:  func(b *v1alpha1.AccessBinding) []string { return []string{scopeOf(b)} },
		indexPlaces: func(b *v1alpha1.AccessBinding) []string { return append(formerly(b), scopeOf(b)) },
		indexRole:   func(b *v1alpha1.AccessBinding) []string { return []string{string(b.Spec.Role)} },
		indexGroup: func(b *v1alpha1.AccessBinding) []string {
			if b.Spec.Subject.Kind != v1alpha1.SubjectGroup {
				return nil
			}
			return []string{b.Spec.Subject.Name}
		},
	} {
		err := mgr.GetFieldIndexer().IndexField(context.Background(), &v1alpha1.AccessBinding{}, name, func(o client.Object) []string {
			b, ok := o.(*v1alpha1.AccessBinding)
			if !ok {
				return nil
			}
			return of(b)
		})
		if err != nil {
			return fmt.Errorf("indexing AccessBindings by %s: %w", name, err)
		}
	}
	return nil
}

func scopeOf(b *v1alpha1.AccessBinding) string {
	if b.Spec.Scope.Instance == "" {
		return everywhere
	}
	return b.Spec.Scope.Instance
}

// formerly are the instances that the status names.
func formerly(b *v1alpha1.AccessBinding) []string {
	out := make([]string, 0, len(b.Status.Instances)+1)
	for _, i := range b.Status.Instances {
		out = append(out, i.Name)
	}
	return out
}

// bindingsOf returns the AccessBindings that should be in force in an instance, by name, and the names of all that
// concern it. One without its finalizer is not ready: it could be deleted before its permissions are revoked.
func (c *Controller) bindingsOf(ctx context.Context, instance string) (bindings []v1alpha1.AccessBinding, about []string, err error) {
	for _, place := range []string{instance, everywhere} {
		var list v1alpha1.AccessBindingList
		if err := c.Client.List(ctx, &list, client.MatchingFields{indexPlaces: place}); err != nil {
			return nil, nil, fmt.Errorf("listing the AccessBindings of instance %q: %w", instance, err)
		}
		for i := range list.Items {
			b := &list.Items[i]
			about = append(about, b.Name)
			if scopeOf(b) == place && b.DeletionTimestamp == nil && controllerutil.ContainsFinalizer(b, Finalizer) {
				bindings = append(bindings, *b)
			}
		}
	}
	slices.SortFunc(bindings, func(a, b v1alpha1.AccessBinding) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	slices.Sort(about)
	return bindings, slices.Compact(about), nil
}

// bindingChanged ignores the status, which the controller writes itself.
var bindingChanged = predicate.Funcs{
	UpdateFunc: func(e event.UpdateEvent) bool {
		return e.ObjectOld.GetGeneration() != e.ObjectNew.GetGeneration() || e.ObjectOld.GetUID() != e.ObjectNew.GetUID() ||
			!slices.Equal(e.ObjectOld.GetFinalizers(), e.ObjectNew.GetFinalizers()) ||
			(e.ObjectOld.GetDeletionTimestamp() == nil) != (e.ObjectNew.GetDeletionTimestamp() == nil)
	},
}

// roleChanged ignores the ClusterRoles of the host cluster that are not roles of Kairship.
var roleChanged = predicate.Funcs{
	CreateFunc: func(e event.CreateEvent) bool { return offered(e.Object) },
	DeleteFunc: func(e event.DeleteEvent) bool { return offered(e.Object) },
	UpdateFunc: func(e event.UpdateEvent) bool { return offered(e.ObjectOld) || offered(e.ObjectNew) },
}

// instancesOfBinding returns the instances that a change of an AccessBinding wakes. An update passes its former scope
// as well.
func (c *Controller) instancesOfBinding(ctx context.Context, o client.Object) []reconcile.Request {
	b, ok := o.(*v1alpha1.AccessBinding)
	if !ok {
		return nil
	}
	if scopeOf(b) != everywhere {
		return requests([]string{b.Spec.Scope.Instance})
	}
	return requests(c.everyInstance(ctx))
}

// instancesOfRole returns the instances on which a role is bound.
func (c *Controller) instancesOfRole(ctx context.Context, o client.Object) []reconcile.Request {
	return c.instancesOf(ctx, client.MatchingFields{indexRole: o.GetName()})
}

// instancesOf returns the instances in which AccessBindings are in force.
func (c *Controller) instancesOf(ctx context.Context, which client.MatchingFields) []reconcile.Request {
	var list v1alpha1.AccessBindingList
	// Read from the cache; it fails only while the manager stops.
	if err := c.Client.List(ctx, &list, which); err != nil {
		return nil
	}
	var names []string
	for i := range list.Items {
		if scopeOf(&list.Items[i]) == everywhere {
			return requests(c.everyInstance(ctx))
		}
		names = append(names, scopeOf(&list.Items[i]))
	}
	return requests(names)
}

// noted, notedAnew and forgotten wake the instances that bind a group with which somebody was seen for the first time,
// or no longer is.
func (c *Controller) noted(ctx context.Context, e event.CreateEvent, queue requestQueue) {
	c.wakeForNotes(ctx, nil, e.Object, queue)
}

func (c *Controller) notedAnew(ctx context.Context, e event.UpdateEvent, queue requestQueue) {
	c.wakeForNotes(ctx, e.ObjectOld, e.ObjectNew, queue)
}

func (c *Controller) forgotten(ctx context.Context, e event.DeleteEvent, queue requestQueue) {
	c.wakeForNotes(ctx, e.Object, nil, queue)
}

type requestQueue = workqueue.TypedRateLimitingInterface[reconcile.Request]

func (c *Controller) wakeForNotes(ctx context.Context, before, after client.Object, queue requestQueue) {
	page := func(o client.Object) *corev1.ConfigMap {
		if page, ok := o.(*corev1.ConfigMap); ok && c.seen.Is(page) {
			return page
		}
		return nil
	}
	for _, group := range subjects.Groups(page(before), page(after)) {
		instances := c.instancesOf(ctx, client.MatchingFields{indexGroup: group})
		if slices.Contains(c.options.AdminGroups, group) {
			instances = requests(c.everyInstance(ctx))
		}
		for _, request := range instances {
			queue.Add(request)
		}
	}
}

func (c *Controller) everyInstance(ctx context.Context) []string {
	var instances v1alpha1.InstanceList
	// Read from the cache; it fails only while the manager stops.
	if err := c.Client.List(ctx, &instances); err != nil {
		return nil
	}
	names := make([]string, 0, len(instances.Items))
	for i := range instances.Items {
		names = append(names, instances.Items[i].Name)
	}
	return names
}

// bindingsOfInstance returns the AccessBindings that concern an instance that was created or deleted.
func (c *Controller) bindingsOfInstance(ctx context.Context, o client.Object) []reconcile.Request {
	_, about, err := c.bindingsOf(ctx, o.GetName())
	if err != nil {
		return nil
	}
	return requests(about)
}

func requests(names []string) []reconcile.Request {
	out := make([]reconcile.Request, 0, len(names))
	for _, name := range names {
		out = append(out, reconcile.Request{NamespacedName: types.NamespacedName{Name: name}})
	}
	return out
}
