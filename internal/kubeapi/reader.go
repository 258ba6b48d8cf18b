package kubeapi

import (
	"context"
	"sync"
	"time"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/upstream"
)

// Reader reads from the API servers of a fleet.
type Reader struct {
	fleet *instance.Fleet

	mu      sync.Mutex
	servers map[place]*server
}

// place is an API server: an instance's, or a member's when cluster is not empty.
type place struct {
	instance, cluster string
}

// Who asks, and what they may see.
type Who struct {
	Principal auth.Principal
	Scope     rbac.Scope
}

// WhoFrom returns who asks in a context.
func WhoFrom(ctx context.Context) Who {
	return Who{Principal: rbac.PrincipalFrom(ctx), Scope: rbac.ScopeFrom(ctx)}
}

// New makes a reader.
func New(f *instance.Fleet) *Reader {
	return &Reader{fleet: f, servers: map[place]*server{}}
}

// server is one API server with one credential of Kairship's, and what is known of it.
type server struct {
	place
	conn    *instance.Connection
	circuit *upstream.Breaker
	// retries is shared by all reads of the server.
	retries *upstream.RetryPolicy

	discovery upstream.Flight[*catalog]
	mu        sync.Mutex
	catalog   *catalog
}

const (
	// failures in a row open the circuit of an API server for pause.
	failures = 3
	pause    = 3 * time.Second
)

// server finds an API server that the scope may see. A new credential makes a new one, with nothing known.
func (r *Reader) server(scope rbac.Scope, at place) (*server, error) {
	conn, err := r.fleet.Connection(scope, at.instance)
	if err != nil {
		return nil, err
	}
	// Nothing is kept for a cluster that does not exist: its name may be whatever a user typed.
	if _, err := conn.Discoverer(at.cluster); err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s := r.servers[at]; s != nil && s.conn == conn {
		return s, nil
	}
	for other, s := range r.servers {
		if over(s.conn) {
			delete(r.servers, other)
		}
	}
	s := &server{place: at, conn: conn,
		circuit: upstream.NewBreaker(at.instance+"/"+at.cluster, upstream.Trip{Failures: failures, Pause: pause, Down: at.down}),
		retries: upstream.NewRetryPolicy(upstream.RetryOptions{
			Attempts: 3, First: 50 * time.Millisecond, Max: 200 * time.Millisecond, Burst: 10, Every: time.Second, Transient: at.transient,
		}),
	}
	r.servers[at] = s
	return s, nil
}

// over says whether a connection has been replaced or its instance removed.
func over(c *instance.Connection) bool {
	select {
	case <-c.Done():
		return true
	default:
		return false
	}
}
