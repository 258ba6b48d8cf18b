package operation

import (
	"context"
	"fmt"
	"sync"

	rbacv1 "k8s.io/api/rbac/v1"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/handler"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"

	"github.com/kairship-io/kairship/api/v1alpha1"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
)

// rights is who has which role, from AccessBindings and the administrators' groups: the API server's own authorizer, fed from the
// manager's cache.
type rights struct {
	reader     client.Reader
	authorizer *rbac.Authorizer

	mu      sync.Mutex
	current bool
}

// changed is called when a binding or a role changed.
func (r *rights) changed() {
	r.mu.Lock()
	r.current = false
	r.mu.Unlock()
}

// scope is what a person may do now.
func (r *rights) scope(ctx context.Context, p auth.Principal) (rbac.Scope, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.current {
		var bindings v1alpha1.AccessBindingList
		var roles rbacv1.ClusterRoleList
		if err := r.reader.List(ctx, &bindings); err != nil {
			return rbac.Scope{}, fmt.Errorf("listing the AccessBindings: %w", err)
		}
		if err := r.reader.List(ctx, &roles, client.MatchingLabels{v1alpha1.LabelRole: "true"}); err != nil {
			return rbac.Scope{}, fmt.Errorf("listing the roles: %w", err)
		}
		r.authorizer.SetBindings(rbac.NewBindings(bindings.Items, roles.Items))
		r.current = true
	}
	return r.authorizer.Scope(p), nil
}

// handler notes each change and wakes nobody: steps that wait look again soon.
func (r *rights) handler() handler.EventHandler {
	type queue = workqueue.TypedRateLimitingInterface[reconcile.Request]
	return handler.Funcs{
		CreateFunc: func(context.Context, event.CreateEvent, queue) { r.changed() },
		UpdateFunc: func(context.Context, event.UpdateEvent, queue) { r.changed() },
		DeleteFunc: func(context.Context, event.DeleteEvent, queue) { r.changed() },
	}
}
