// Package resolvers answers the fields of the graph. A resolver reads its arguments and makes one call;
// what the call means is decided elsewhere. Files named *.resolvers.go follow the schema and hold
// nothing else: generation moves the rest away.
package resolvers

import (
	"context"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/access"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/model"
)

// Fleet is what resolvers ask of the fleet: all of it is in memory.
type Fleet interface {
	Instances(access.Scope) []*model.Instance
	// Instance fails with NOT_FOUND.
	Instance(scope access.Scope, name string) (*model.Instance, error)
	// Clusters fails with UNAVAILABLE when Karmada does not answer for them.
	Clusters(scope access.Scope, instance string) ([]*model.Cluster, error)
	// Cluster is as last known; nil when there is none.
	Cluster(scope access.Scope, instance, name string) (*model.Cluster, error)
	// Freshness of a member, or of the instance itself when cluster is empty.
	Freshness(instance, cluster string) *model.Freshness
}

// Resolver is what all resolvers share.
type Resolver struct {
	Fleet Fleet
	// Connect gives the connection over which an instance is written to; NOT_FOUND or UNAVAILABLE.
	Connect func(access.Scope, string) (karmada.Connection, error)
	Live    *live.Hub
	// Server describes this server; what it says of upstreams is as last seen, without a request.
	Server func(context.Context) *graph.Server
	// Audit keeps account of every mutation and AuditLog shows it.
	Audit    *audit.Recorder
	AuditLog *audit.Reader
	// Kubeconfigs are handed out to people; nil where that cannot be done.
	Kubeconfigs Kubeconfigs
	// Introspect says whether who asks may read the schema; nil for everybody.
	Introspect func(context.Context) bool
}
