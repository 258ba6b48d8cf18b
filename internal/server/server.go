// Package server handles every request: HTTP, WebSocket and server-sent events for GraphQL, the UI, health and metrics.
// It authenticates callers, enforces limits, and decides what a client may see of an error. It knows nothing of the
// domain: the executable schema defines the graph.
package server

import (
	"context"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/99designs/gqlgen/graphql/executor"
	"github.com/99designs/gqlgen/graphql/handler/extension"
	"github.com/99designs/gqlgen/graphql/handler/lru"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/console"
	"github.com/kairship-io/kairship/internal/execution"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/gate"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/internal/telemetry/redact"
	"github.com/kairship-io/kairship/resolvers"
)

// Config is what a Server needs.
type Config struct {
	Schema        graphql.ExecutableSchema
	Authenticator auth.Authenticator
	Authorizer    gate.Authorizer
	// Session returns the principal of the session that a request's cookie names, and when it ends (zero: unknown). It
	// is called when a request has a cookie and no Authorization header, and again while its streams are open. Errors
	// are like an Authenticator's; the zero Principal is nobody. Nil: there are no sessions.
	Session func(*http.Request) (auth.Principal, time.Time, error)
	// Renew is called with requests by session, before they are answered, so that it can set a new cookie.
	Renew func(http.ResponseWriter, *http.Request)
	// Changed returns a channel that is closed as soon as anybody's rights change; each call returns the current one.
	// Open streams then check their right, within a second, and every two seconds anyway.
	Changed func() <-chan struct{}
	// Introspect reports whether the caller (rbac.PrincipalFrom) may read the schema and use GraphiQL. Nil: every
	// admitted caller may.
	Introspect func(context.Context) bool
	// Documents may be requested by hash alone. With TrustedDocuments no other document runs.
	Documents        *Documents
	TrustedDocuments bool
	// NewContext gives each query, each mutation and each event of a subscription its own context, with what must not
	// outlive it. It is called when the context already carries principal and scope.
	NewContext func(context.Context) context.Context
	// Limits; zero fields have defaults.
	Limits Limits
	// UI is the built UI; nil when there is none.
	UI fs.FS
	// Proxy answers /instances/…, /api/clusters/… and /apis/clusters/… for admitted callers: its requests carry the
	// principal and what they may see, and Revoked reports changes of that. Its Drain, if it has one, is called with
	// the server's. Nil for none.
	Proxy http.Handler
	// Console opens terminals at GET /instances/{instance}/console; nil: there are none, which is said there.
	Console *console.Consoles
	// Routes are other handlers by their patterns (http.ServeMux), open to everybody: for sign-in and for webhooks of
	// other systems.
	Routes map[string]http.Handler
	// Ready is nil when the server can answer.
	Ready func() error
	// Origins are the other hosts whose pages may open a WebSocket here or use a session's cookie, as patterns
	// ("console.example.com", "https://*.example.com"). Pages of the server's own host always may.
	Origins []string
	// TrustedProxies are the networks of proxies in front of the server: their X-Forwarded-For is believed.
	TrustedProxies []netip.Prefix
	// Registerer registers the metrics and Gatherer returns all of them; nil for none.
	Registerer prometheus.Registerer
	Gatherer   prometheus.Gatherer
	Logger     *slog.Logger

	// For tests: the clock, and how often rights are checked.
	now     func() time.Time
	recheck time.Duration
}

// Server is the HTTP handler for everything.
type Server struct {
	cfg     Config
	limits  Limits
	metrics *metrics
	exec    *executor.Executor
	pricing *pricing
	handler http.Handler
	// routes are the patterns of all routes.
	routes []string
	// gate admits callers.
	gate *gate.Gate

	// drain ends every open stream; streams counts them.
	drain   context.Context
	close   context.CancelFunc
	streams sync.WaitGroup
	// connections counts what Serve has accepted.
	connections *connections

	// The constants of the same names; tests use shorter ones.
	initTimeout, writeTimeout, readTime, bodyTime time.Duration

	// sharing is the answers that several subscribers are sent.
	sharing *sharing

	mu        sync.Mutex
	open      int  // streams counted in streams
	streaming bool // false once drained: nothing more may be added to streams
}

const (
	// cachedDocuments is how many documents are remembered as parsed and valid.
	cachedDocuments = 1000
	// maxCachedDocument is the maximum size of a cached document: together they must stay small.
	maxCachedDocument = 16 << 10
)

// New makes the server. Drain ends its open streams.
func New(cfg Config) *Server {
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	if cfg.NewContext == nil {
		cfg.NewContext = func(ctx context.Context) context.Context { return ctx }
	}
	d := &Server{
		cfg: cfg, limits: cfg.Limits.withDefaults(), metrics: newMetrics(cfg.Registerer, cfg.Documents.operations()),
		exec: executor.New(cfg.Schema), pricing: newPricing(cfg.Schema.Schema()),
		streaming: true, sharing: newSharing(cfg.now),
		initTimeout: initTimeout, bodyTime: bodyTimeout,
	}
	d.writeTimeout, d.readTime = d.limits.WriteTime, d.limits.ReadTime
	d.cfg.Logger = slog.New(redact.Logs(cfg.Logger.Handler()))
	d.gate = gate.New(gate.Config{
		Authenticator: cfg.Authenticator, Authorizer: cfg.Authorizer, Session: cfg.Session, Changed: cfg.Changed, TrustedProxies: cfg.TrustedProxies,
		Limits: d.limits.ofPeople(), Delayed: d.metrics.delayed, Now: cfg.now, Recheck: cfg.recheck,
	})
	d.connections = newConnections(d)
	d.drain, d.close = context.WithCancel(context.Background())

	cache := documents{prepared: d.prepareKnown(), others: lru.New[*ast.QueryDocument](cachedDocuments)}
	d.exec.SetQueryCache(cache)
	d.exec.SetParserTokenLimit(d.limits.Tokens + 1) // limits.check comes first; this is a safeguard
	d.exec.SetErrorPresenter(d.present)
	d.exec.SetRecoverFunc(recovered)
	d.exec.AroundFields(resolvers.Tell)
	d.exec.Use(extension.Introspection{})
	d.exec.Use(execution.Selections{})
	d.exec.Use(guard{server: d, cache: cache})

	mux := http.NewServeMux()
	route := func(pattern string, handler http.Handler) {
		mux.Handle(pattern, handler)
		d.routes = append(d.routes, pattern)
	}
	route("/graphql", http.HandlerFunc(d.serveGraphQL))
	route("GET /healthz", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { plain(w, http.StatusOK, "ok") }))
	route("GET /readyz", http.HandlerFunc(d.serveReady))
	if cfg.Gatherer != nil {
		route("GET /metrics", d.serveMetrics(telemetry.Metrics(cfg.Gatherer)))
	}
	for pattern, handler := range cfg.Routes {
		route(pattern, handler)
	}
	route(consoleRoute, http.HandlerFunc(d.serveConsole))
	if cfg.Proxy != nil {
		for _, prefix := range proxied {
			route(prefix, http.HandlerFunc(d.serveProxy))
		}
	}
	route("/", newUI(cfg.UI, d.mayUseGraphiQL))
	d.handler = d.around(mux)
	return d
}

// ServeHTTP answers.
func (d *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { d.handler.ServeHTTP(w, r) }

// Drain makes the server unready, ends every open stream and waits until they have ended, or ctx has.
func (d *Server) Drain(ctx context.Context) {
	d.mu.Lock()
	d.streaming = false
	d.mu.Unlock()
	d.close()
	done := make(chan struct{})
	go func() {
		if proxy, ok := d.cfg.Proxy.(interface{ Drain(context.Context) }); ok {
			proxy.Drain(ctx)
		}
		d.streams.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// beginStream counts a WebSocket or an event stream; false when the server is draining.
func (d *Server) beginStream() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.streaming {
		d.streams.Add(1)
		d.open++
	}
	return d.streaming
}

func (d *Server) endStream() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.open--
	d.streams.Done()
}

func (d *Server) serveReady(w http.ResponseWriter, r *http.Request) {
	switch {
	case d.drain.Err() != nil:
		plain(w, http.StatusServiceUnavailable, "shutting down")
	case d.cfg.Ready != nil:
		if err := d.cfg.Ready(); err != nil {
			d.cfg.Logger.DebugContext(r.Context(), "not ready", "error", err)
			plain(w, http.StatusServiceUnavailable, "not ready") // anybody may ask
			return
		}
		fallthrough
	default:
		plain(w, http.StatusOK, "ok")
	}
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(text + "\n"))
}

// documents are valid documents, parsed: those known in advance, which stay, and the small ones of others, while they are
// in use.
type documents struct {
	prepared map[string]*ast.QueryDocument
	others   *lru.LRU[*ast.QueryDocument]
}

func (c documents) Get(ctx context.Context, key string) (*ast.QueryDocument, bool) {
	if doc, ok := c.prepared[key]; ok {
		return doc, true
	}
	return c.others.Get(ctx, key)
}

func (c documents) Add(ctx context.Context, key string, doc *ast.QueryDocument) {
	if len(key) <= maxCachedDocument {
		c.others.Add(ctx, key, doc)
	}
}

// guard checks operations before they run, and gives each a context with what must not outlive it.
type guard struct {
	server *Server
	cache  documents
}

var _ interface {
	graphql.HandlerExtension
	graphql.OperationParameterMutator
	graphql.OperationContextMutator
	graphql.OperationInterceptor
	graphql.ResponseInterceptor
} = guard{}

// ExtensionName names the extension.
func (guard) ExtensionName() string { return "Guard" }

// Validate accepts any schema.
func (guard) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters refuses documents that are too large to be validated.
func (g guard) MutateOperationParameters(ctx context.Context, p *graphql.RawParams) *gqlerror.Error {
	if _, ok := g.cache.Get(ctx, p.Query); ok {
		g.server.metrics.documents.WithLabelValues("hit").Inc()
		return nil
	}
	g.server.metrics.documents.WithLabelValues("miss").Inc()
	fields, refusal := g.server.limits.examine(p.Query)
	if refusal != nil {
		return refusal
	}
	// Validation compares fields with each other: a thousand take a tenth of a second.
	return g.server.charge(ctx, fields*fields/fieldPairsPerPoint)
}

// MutateOperationContext refuses operations that cost too much.
func (g guard) MutateOperationContext(ctx context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if err := unsupported(op.Doc, op.Operation); err != nil {
		return err
	}
	if op.Operation.Operation == ast.Subscription {
		// Validation passes two aliases of one field, and one that is skipped.
		if n := len(graphql.CollectFields(op, op.Operation.SelectionSet, []string{"Subscription"})); n != 1 {
			return brokenRule("singleField", "a subscription follows exactly one field; this one selects %d", n)
		}
	}
	if readsSchema(op.Doc, op.Operation) && !g.server.introspects(ctx) {
		e := brokenRule("introspection", "you may not read the schema")
		e.Extensions["code"] = string(model.CodeForbidden)
		return e
	}
	cost := g.server.pricing.cost(op.Doc, op.Operation, op.Variables)
	g.server.metrics.cost.Observe(float64(cost))
	if limit := g.server.limits.Cost; cost > limit {
		return limitExceeded("cost", limit, cost, "the operation costs %d points; at most %d are allowed: ask for fewer rows, or for fewer instances at once", cost, limit)
	}
	return g.server.charge(ctx, cost)
}

// introspects reports whether the caller may read the schema.
func (d *Server) introspects(ctx context.Context) bool {
	return d.cfg.Introspect == nil || d.cfg.Introspect(ctx)
}

// InterceptOperation runs once for each operation.
func (g guard) InterceptOperation(ctx context.Context, next graphql.OperationHandler) graphql.ResponseHandler {
	return traced(ctx, func(ctx context.Context) graphql.ResponseHandler { return next(g.server.cfg.NewContext(ctx)) })
}

// InterceptResponse runs once for each response, and for each event of a subscription.
func (g guard) InterceptResponse(ctx context.Context, next graphql.ResponseHandler) *graphql.Response {
	if graphql.HasOperationContext(ctx) {
		if op := graphql.GetOperationContext(ctx).Operation; op != nil && op.Operation == ast.Subscription {
			ctx = g.server.cfg.NewContext(ctx)
		}
	}
	return next(ctx)
}
