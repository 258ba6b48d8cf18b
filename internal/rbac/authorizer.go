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

// NewAuthorizer makes an Authorizer that gives the members of the given groups (with their origin, for
// instance "kairship:host:admins") the full scope, and others what the role bindings say that is set later.
func NewAuthorizer(adminGroups []string) *Authorizer {
	return &Authorizer{adminGroups: slices.Clone(adminGroups), bindings: NewBindings(nil, nil), changed: make(chan struct{})}
}

// SetBook replaces what is known of roles, and lets those know who wait for a change.
func (a *Authorizer) SetBindings(b *Bindings) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.bindings = b
	a.notify()
}

// Recheck lets those know who wait for a change, when a credential has ended before its time.
func (a *Authorizer) Recheck() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.notify()
}

func (a *Authorizer) notify() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Changed is closed when the role bindings are replaced, and by Recheck: whoever has something open has to look again whether it may
// be.
func (a *Authorizer) Changed() <-chan struct{} {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.changed
}

// Scope tells what a principal may see.
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

// ErrForbidden is what a principal without any right is told.
var ErrForbidden = &model.Error{Code: model.CodeForbidden, Message: "you have no role in Kairship; ask an administrator for one"}

type contextKey struct{}

type identity struct {
	principal auth.Principal
	scope     Scope
}

// NewContext returns a context that carries who asks and what they may see.
func (a *Authorizer) NewContext(ctx context.Context, p auth.Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, identity{p, a.Scope(p)})
}

// PrincipalFrom is who asks; the zero Principal when the context does not say.
func PrincipalFrom(ctx context.Context) auth.Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.principal
}

// ScopeFrom is what they may see; the empty Scope when the context does not say.
func ScopeFrom(ctx context.Context) Scope {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope
}

// ActingFrom is who asks as an instance is to see them.
func ActingFrom(ctx context.Context, instance string) auth.Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope.Acting(instance, id.principal)
}
