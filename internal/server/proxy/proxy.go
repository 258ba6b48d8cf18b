// Package proxy serves the API of each instance, and of each member behind it, over HTTP as the person who asks:
// kubectl and every other Kubernetes client work through it, with watches, logs, and upgraded connections (exec,
// attach, port-forward). Beyond the request's scope it decides nothing about rights: the API server it forwards to
// does, since it sees the person. Of the forwarded requests it knows only what an audit needs.
//
// It uses net/http/httputil's ReverseProxy and client-go's transports. The usual handler for this, apimachinery's
// UpgradeAwareHandler, passes on the response to an upgrade byte for byte, cookies included, and sends the client's
// address to the upstream.
package proxy

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/rbac"
)

// Upstreams finds the API servers that requests go to. Its errors are *model.Error. Names are user input, though always
// DNS names: they have to be looked up before they become part of an address.
type Upstreams interface {
	// Upstream returns a configuration whose requests an instance's API server sees as the principal's, or a member's
	// when cluster is not empty; then the path of its Host leads there. Impersonate is set in either case, also for
	// those who may see everything. Its Timeout is how long a response may take to begin. NOT_FOUND for an instance
	// that does not exist or is outside the scope, and for a cluster that is not a member; UNAVAILABLE for one known
	// not to answer.
	Upstream(ctx context.Context, scope rbac.Scope, p auth.Principal, instance, cluster string) (*rest.Config, error)
	// Holders is the names of the scope's instances with a member of this name, as last known: an outage must not make
	// a name unambiguous. Empty when there is none.
	Holders(ctx context.Context, scope rbac.Scope, cluster string) ([]string, error)
}

// Config is what a Handler needs.
type Config struct {
	Upstreams Upstreams
	// Revoked returns a channel that is closed when the rights in the context have changed: every open request then
	// ends, upgraded connections included. Nil for never.
	Revoked func(context.Context) <-chan struct{}
	// Audit receives a Record of each audited request. Its context carries the principal and does not end with the
	// request. The request's goroutine calls it and waits for it. Nil for no audit.
	Audit func(context.Context, Record)
	// Limits; zero fields have defaults.
	Limits Limits
	// Registerer registers the metrics; nil for none.
	Registerer prometheus.Registerer
	Logger     *slog.Logger
}

// Limits bound one person's use of the proxy. Zero means the default.
type Limits struct {
	// Body is the size of a request in bytes. 16 MiB. Data on an upgraded connection is not counted.
	Body int64
	// Time is how long a request may take, unless it is a watch, follows the log of a pod, or is an upgraded
	// connection. 60 s.
	Time time.Duration
	// StreamsPerUser is how many of those three one user may have open. 200.
	StreamsPerUser int
}

func (l Limits) withDefaults() Limits {
	return Limits{
		Body:           cmp.Or(l.Body, 16<<20),
		Time:           cmp.Or(l.Time, time.Minute),
		StreamsPerUser: cmp.Or(l.StreamsPerUser, 200),
	}
}

// Handler is the proxy. The context of a request has to carry the principal and what they may see
// (rbac.Authorizer.NewContext). It serves these paths:
//
//	/instances/{instance}/…                             the instance
//	/instances/{instance}/clusters/{cluster}/…          a member
//	/api/clusters/{instance}.{cluster}/v1/…             a member
//	/apis/clusters/{instance}.{cluster}/{group}/…       a member
//
// In the last two {cluster} is enough where only one instance has a member of that name. Every refusal of its own is a
// Kubernetes Status in JSON.
type Handler struct {
	cfg     Config
	limits  Limits
	metrics *metrics
	// forward is the common part of all forwarding.
	forward httputil.ReverseProxy

	// drain ends every stream; streams counts them.
	drain   context.Context
	close   context.CancelFunc
	streams sync.WaitGroup

	mu        sync.Mutex
	perUser   map[string]int // open streams by principal
	streaming bool           // false once drained: nothing more may be added to streams
}

// New makes the proxy. Drain ends its open streams.
func New(cfg Config) *Handler {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	h := &Handler{cfg: cfg, limits: cfg.Limits.withDefaults(), metrics: newMetrics(cfg.Registerer),
		perUser: map[string]int{}, streaming: true}
	h.forward = httputil.ReverseProxy{FlushInterval: -1, ErrorLog: slog.NewLogLogger(cfg.Logger.Handler(), slog.LevelDebug)}
	h.drain, h.close = context.WithCancel(context.Background())
	return h
}

// Drain ends every open stream, refuses new ones, and waits until they have ended, or ctx has.
func (h *Handler) Drain(ctx context.Context) {
	h.mu.Lock()
	h.streaming = false
	h.mu.Unlock()
	h.close()
	done := make(chan struct{})
	go func() {
		h.streams.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// beginStream counts a stream of a principal until end is called; the error says why it is refused.
func (h *Handler) beginStream(p auth.Principal) (end func(), err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case !h.streaming:
		return nil, errDraining
	case h.perUser[p.Name] >= h.limits.StreamsPerUser:
		return nil, limitExceeded(http.StatusTooManyRequests, "streamsPerUser",
			"you have %d watches, logs and connections open; more are not allowed", h.limits.StreamsPerUser)
	}
	h.perUser[p.Name]++
	h.streams.Add(1)
	h.metrics.streams.Inc()
	return func() {
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.perUser[p.Name]--; h.perUser[p.Name] == 0 {
			delete(h.perUser, p.Name)
		}
		h.metrics.streams.Dec()
		h.streams.Done()
	}, nil
}

// ServeHTTP answers.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := &exchange{h: h, in: r, out: newAnswer(w), began: time.Now(),
		who: rbac.PrincipalFrom(r.Context()), scope: rbac.ScopeFrom(r.Context())}
	defer x.finish()
	if err := x.prepare(); err != nil {
		x.refuse(err)
		return
	}
	x.serve()
}
