// Package resolvers resolves the fields of the graph. A resolver reads its arguments and makes one call; other packages
// decide what the call does. Files named *.resolvers.go follow the schema and contain nothing else: code generation
// moves the rest away.
package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/podlogs"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Fleet is what resolvers need of the fleet: all of it is in memory.
type Fleet interface {
	Instances(rbac.Scope) []*model.Instance
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters fails with UNAVAILABLE when Karmada does not answer for them.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
	// Cluster returns the last known state; nil when there is no such cluster.
	Cluster(scope rbac.Scope, instance, name string) (*model.Cluster, error)
}

// Bindings is who has which role where, from memory.
type Bindings interface {
	// AccessBindings are those that a principal may see, by name.
	AccessBindings(auth.Principal, rbac.Scope) []*model.AccessBinding
	// AccessBinding is the one of a name; nil when there is none, or it may not be seen.
	AccessBinding(p auth.Principal, scope rbac.Scope, name string) *model.AccessBinding
}

// Resolver holds the dependencies of all resolvers.
type Resolver struct {
	Fleet Fleet
	// Actions runs mutations.
	Actions *actions.Runner
	Live    *live.Hub
	// Logs follows what pods log.
	Logs *podlogs.Follower
	// Bindings is who has which role where.
	Bindings Bindings
	// Operations are those that there are.
	Operations Operations
	// Server describes this server; its upstreams are as last seen, without a request.
	Server func(context.Context) *graph.Server
	// AuditLog reads the audit log.
	AuditLog *audit.Reader
	// ConsoleState says whether there are consoles: for every instance alike, to whoever sees it.
	ConsoleState model.Console
	// Introspect reports whether the caller may read the schema; nil for everybody.
	Introspect func(context.Context) bool
}
