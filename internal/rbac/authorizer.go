// Package rbac decides what people may see and do. It is the only place that decides "may they?", and the only one that
// can make a Scope, which every read and watch takes: a forgotten check does not compile. It knows nothing of GraphQL,
// Karmada or the read store.
package rbac

import (
	"context"
	"slices"
	"sync"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/model"
)

// Authorizer decides what principals may do.
type Authorizer struct {
	adminGroups []string

	mu       sync.RWMutex
	bindings *Bindings
	changed  chan struct{}
}

// NewAuthorizer makes an Authorizer that gives the members of the given groups (with their origin, for instance
// "kairship:host:admins") the full scope, and others the rights of the role bindings set later.
func NewAuthorizer(adminGroups []string) *Authorizer {
	return &Authorizer{adminGroups: slices.Clone(adminGroups), bindings: NewBindings(nil, nil), changed: make(chan struct{})}
}

// SetBindings replaces the roles and role bindings, and notifies those who wait on Changed.
func (a *Authorizer) SetBindings(b *Bindings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bindings = b
	a.notify()
}

// Recheck notifies those who wait on Changed that a credential has ended before it expires.
func (a *Authorizer) Recheck() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notify()
}

func (a *Authorizer) notify() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Changed is closed when the role bindings are replaced, and by Recheck: owners of open streams then have to check
// again whether these are still allowed.
func (a *Authorizer) Changed() <-chan struct{} {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.changed
}

// Scope returns what a principal may see.
func (a *Authorizer) Scope(p auth.Principal) Scope {
	a.mu.RLock()
	book := a.bindings
	a.mu.RUnlock()
	s := book.scope(p)
	if p.Name == "" {
		return s
	}
	for _, g := range p.Groups {
		if slices.Contains(a.adminGroups, g) {
			s = Scope{all: true, groups: append(s.groups, g)}
		}
	}
	if p.Instance != "" {
		s = s.only(p.Instance)
	}
	return s
}

// ErrForbidden is the error for a principal without any right.
var ErrForbidden = &model.Error{Code: model.CodeForbidden, Message: "you have no role in Kairship; ask an administrator for one"}

type contextKey struct{}

type identity struct {
	principal auth.Principal
	scope     Scope
}

// NewContext returns a context with the principal and their scope.
func (a *Authorizer) NewContext(ctx context.Context, p auth.Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, identity{p, a.Scope(p)})
}

// PrincipalFrom is the context's principal; the zero Principal when there is none.
func PrincipalFrom(ctx context.Context) auth.Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.principal
}

// ScopeFrom is the context's scope; the empty Scope when there is none.
func ScopeFrom(ctx context.Context) Scope {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope
}

// ActingFrom is the context's principal with the groups that an instance is to see.
func ActingFrom(ctx context.Context, instance string) auth.Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope.Acting(instance, id.principal)
}
