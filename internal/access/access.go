// Package access answers who is asking and what they may see. It is the only place that decides "may
// they?", and the only one that can make a Scope, which every read and watch takes: a forgotten check
// does not compile. It knows nothing of GraphQL, Karmada or the read store.
package access

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/kairship-io/kairship/internal/model"
)

// Origin says which authority vouches for a principal. It is part of every name that Karmada sees, so
// that a name of one authority can never inherit the rights of another's.
type Origin string

// OriginHost is the host cluster, through TokenReview.
const OriginHost Origin = "host"

// Principal is a person or program that has been authenticated. Its zero value is nobody.
type Principal struct {
	// Name is what Karmada sees, with its origin: "kairship:host:<user>".
	Name string
	// Groups likewise, sorted.
	Groups []string
	// Instance is the one instance that the credential is good for; empty when it is good for all.
	Instance string
}

// NewPrincipal makes a principal from the names its authority gave.
func NewPrincipal(origin Origin, name string, groups []string) Principal {
	prefix := fmt.Sprintf("kairship:%s:", origin)
	p := Principal{Name: prefix + name, Groups: make([]string, 0, len(groups))}
	for _, g := range groups {
		p.Groups = append(p.Groups, prefix+g)
	}
	slices.Sort(p.Groups)
	return p
}

// padded says whether a name begins or ends with white space. Headers lose it on their way: who is "ann " here
// would be "ann" to a server that is told so.
func padded(name string) bool { return strings.TrimSpace(name) != name }

// Key tells principals apart in caches: equal keys mean equal name, groups and instance.
func (p Principal) Key() string {
	return p.Instance + "\n" + p.Name + "\n" + strings.Join(p.Groups, "\n")
}

// Authorizer decides what principals may do.
type Authorizer struct {
	adminGroups []string

	mu      sync.RWMutex
	book    *Book
	changed chan struct{}
}

// NewAuthorizer makes an Authorizer that gives the members of the given groups (with their origin, for
// instance "kairship:host:admins") the full scope, and others what the book says that is set later.
func NewAuthorizer(adminGroups []string) *Authorizer {
	return &Authorizer{adminGroups: slices.Clone(adminGroups), book: NewBook(nil, nil), changed: make(chan struct{})}
}

// SetBook replaces what is known of roles, and lets those know who wait for a change.
func (a *Authorizer) SetBook(b *Book) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.book = b
	a.tell()
}

// Recheck lets those know who wait for a change, when a credential has ended before its time.
func (a *Authorizer) Recheck() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.tell()
}

func (a *Authorizer) tell() {
	close(a.changed)
	a.changed = make(chan struct{})
}

// Changed is closed when the book is replaced, and by Recheck: whoever has something open has to look again whether it may
// be.
func (a *Authorizer) Changed() <-chan struct{} {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.changed
}

// Scope tells what a principal may see.
func (a *Authorizer) Scope(p Principal) Scope {
	a.mu.RLock()
	book := a.book
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
	principal Principal
	scope     Scope
}

// NewContext returns a context that carries who asks and what they may see.
func (a *Authorizer) NewContext(ctx context.Context, p Principal) context.Context {
	return context.WithValue(ctx, contextKey{}, identity{p, a.Scope(p)})
}

// PrincipalFrom is who asks; the zero Principal when the context does not say.
func PrincipalFrom(ctx context.Context) Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.principal
}

// ScopeFrom is what they may see; the empty Scope when the context does not say.
func ScopeFrom(ctx context.Context) Scope {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope
}

// ActingFrom is who asks as an instance is to see them.
func ActingFrom(ctx context.Context, instance string) Principal {
	id, _ := ctx.Value(contextKey{}).(identity)
	return id.scope.Acting(instance, id.principal)
}

// CheckGroups says which of the groups could never be a principal's: their names carry no origin. To
// give such a group a role could give it to people whom Kairship does not know.
func CheckGroups(groups []string) error {
	for _, group := range groups {
		rest, ours := strings.CutPrefix(group, "kairship:")
		origin, name, _ := strings.Cut(rest, ":")
		if !ours || origin == "" || name == "" {
			return fmt.Errorf("group %q does not say its origin: write kairship:%s:GROUP for a group of the host cluster", group, OriginHost)
		}
		if strings.TrimSpace(group) != group || padded(name) {
			return fmt.Errorf("group %q begins or ends with white space, which no name may: take it away", group)
		}
	}
	return nil
}
