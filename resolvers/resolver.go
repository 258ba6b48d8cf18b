// Package resolvers answers the fields of the graph. A resolver reads its arguments and makes one call;
// what the call means is decided elsewhere. Files named *.resolvers.go follow the schema and hold
// nothing else: generation moves the rest away.
package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Fleet is what resolvers ask of the fleet: all of it is in memory.
type Fleet interface {
	Instances(rbac.Scope) []*model.Instance
	// Instance fails with NOT_FOUND.
	Instance(scope rbac.Scope, name string) (*model.Instance, error)
	// Clusters fails with UNAVAILABLE when Karmada does not answer for them.
	Clusters(scope rbac.Scope, instance string) ([]*model.Cluster, error)
	// Cluster is as last known; nil when there is none.
	Cluster(scope rbac.Scope, instance, name string) (*model.Cluster, error)
	// Freshness of a member, or of the instance itself when cluster is empty.
	Freshness(instance, cluster string) *model.Freshness
}

// Resolver is what all resolvers share.
type Resolver struct {
	Fleet Fleet
	// Actions runs what mutations do.
	Actions *actions.Runner
	Live    *live.Hub
	// Server describes this server; what it says of upstreams is as last seen, without a request.
	Server func(context.Context) *graph.Server
	// AuditLog shows what was done.
	AuditLog *audit.Reader
	// Introspect says whether who asks may read the schema; nil for everybody.
	Introspect func(context.Context) bool
}
