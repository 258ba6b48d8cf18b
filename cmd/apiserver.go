package cmd

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/graph"
	"github.com/kairship-io/kairship/internal/actions"
	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/session"
	"github.com/kairship-io/kairship/internal/console"
	"github.com/kairship-io/kairship/internal/globalmanagement"
	"github.com/kairship-io/kairship/internal/instance"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/karmada"
	"github.com/kairship-io/kairship/internal/kubeapi"
	"github.com/kairship-io/kairship/internal/live"
	"github.com/kairship-io/kairship/internal/operations"
	"github.com/kairship-io/kairship/internal/ownwrites"
	"github.com/kairship-io/kairship/internal/pedia"
	"github.com/kairship-io/kairship/internal/podlogs"
	"github.com/kairship-io/kairship/internal/rbac"
	"github.com/kairship-io/kairship/internal/rbac/bindings"
	"github.com/kairship-io/kairship/internal/rbac/subjects"
	"github.com/kairship-io/kairship/internal/server"
	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/telemetry"
	"github.com/kairship-io/kairship/loaders"
	"github.com/kairship-io/kairship/resolvers"
	"github.com/kairship-io/kairship/web"
)

// gcPercent is how much the heap grows until garbage is collected, where GOGC does not say: processors are what a page takes
// most of, and with the default of 100 a fifth of them collects garbage (docs/performance.md).
const gcPercent = 200

// Apiserver serves the GraphQL API and the UI.
type Apiserver struct {
	Host

	ClusterpediaKubeconfig string        `help:"Kubeconfig of Clusterpedia's API server. Empty: the host cluster, which then aggregates it." type:"existingfile" placeholder:"FILE"`
	ClusterpediaNamespace  string        `help:"Namespace of the host cluster in which Clusterpedia keeps its leases." default:"clusterpedia-system"`
	AdminGroups            []string      `help:"Groups whose members may do everything, with their origin: kairship:host:GROUP for groups of the host cluster." placeholder:"GROUP"`
	TokenAudience          string        `help:"Audience that tokens of the host cluster must be made for." default:"kairship"`
	OIDC                   OIDC          `embed:"" prefix:"oidc-" group:"OpenID Connect"`
	Database               OwnDatabase   `embed:"" prefix:"database-" group:"Database"`
	ReadStore              ReadStore     `embed:"" prefix:"store-" group:"Read store"`
	Hooks                  Hooks         `embed:"" prefix:"global-management-" group:"Global management"`
	Prometheus             Prometheus    `embed:"" prefix:"prometheus-" group:"Prometheus"`
	Console                Console       `embed:"" prefix:"console-" group:"Console"`
	ReadTimeout            time.Duration `help:"Longest wait for one request to the read store." default:"1300ms"`
	InstanceTimeout        time.Duration `help:"Longest wait for one request to an instance that is not a watch." default:"10s"`
	ProbeInterval          time.Duration `help:"How often each instance is asked whether it is there." default:"3s"`

	WatchLinger time.Duration `help:"How long a shared watch goes on after its last subscriber has left, so that a page that is loaded again finds it." default:"30s"`

	HTTPAddress       string        `name:"http-address" env:"KAIRSHIP_HTTP_ADDRESS" help:"Address for plain HTTP; keep it on loopback or behind a proxy. Empty: none." default:"127.0.0.1:8080"`
	HTTPSAddress      string        `name:"https-address" env:"KAIRSHIP_HTTPS_ADDRESS" help:"Address for HTTPS. Empty: none." placeholder:"ADDRESS"`
	TLSCertFile       string        `name:"tls-cert-file" env:"KAIRSHIP_TLS_CERT_FILE" help:"Certificate for --https-address, PEM." type:"existingfile" placeholder:"FILE"`
	TLSPrivateKeyFile string        `name:"tls-private-key-file" env:"KAIRSHIP_TLS_PRIVATE_KEY_FILE" help:"Key of that certificate, PEM." type:"existingfile" placeholder:"FILE"`
	DrainTimeout      time.Duration `help:"Longest wait for running requests when the server is told to stop." default:"20s"`
	AllowedOrigins    []string      `help:"Other hosts whose pages may open a WebSocket and use the session of a browser, as patterns such as https://*.example.com." placeholder:"PATTERN"`

	People    `embed:""`
	Telemetry `embed:"" group:"Telemetry"`

	MaxBody       int           `help:"Most bytes of a request." default:"1048576"`
	MaxTokens     int           `help:"Most tokens of a GraphQL document." default:"15000"`
	MaxDepth      int           `help:"Deepest nesting of fields." default:"15"`
	MaxAliases    int           `help:"Most aliases in a document." default:"30"`
	MaxRootFields int           `help:"Most root fields in an operation." default:"20"`
	MaxDirectives int           `help:"Most directives in a document." default:"50"`
	MaxFields     int           `help:"Most fields of a document, fragments counted as often as they are spread." default:"1000"`
	MaxName       int           `help:"Longest name in a document, in characters." default:"256"`
	MaxCost       int           `help:"Highest cost of an operation, list sizes counted." default:"10000"`
	MaxTime       time.Duration `help:"Longest time a query or mutation may take." default:"30s"`
	MaxRepeats    int           `help:"How often one field, alias or fragment may be written in one selection set." default:"50"`
	MaxRate       int           `help:"Points that one user may spend a second: what operations cost, and their length. Ten times as many at once." default:"200000"`
	MaxEventRate  int           `help:"Points of --max-rate that the events of one user's subscriptions may cost a second; those that cannot be paid wait. Ten times as many at once." default:"5000"`
	MaxEvents     int           `name:"max-events-at-once" help:"How many events of one user's subscriptions are in work at once." default:"2"`
	MaxFailures   int           `name:"max-authentication-failures" help:"Requests a second of one address that may fail to say who they are. Ten times as many at once." default:"20"`
	MaxSockets    int           `name:"max-sockets-per-user" help:"Most open WebSockets of one user." default:"100"`
	MaxHalfOpen   int           `name:"max-half-open-sockets" help:"Most WebSockets whose clients have not said who they are." default:"2000"`
	MaxHalfOpenAt int           `name:"max-half-open-sockets-per-address" help:"Most of those of one address." default:"200"`
	MaxReadTime   time.Duration `help:"Longest time a client may take until it sends the next part of a request." default:"5s"`
	MaxWriteTime  time.Duration `help:"Longest time a client may take to read a message of a stream." default:"10s"`
	MaxConnSubs   int           `name:"max-subscriptions-per-connection" help:"Most subscriptions on one connection." default:"50"`
	MaxUserSubs   int           `name:"max-subscriptions-per-user" help:"Most subscriptions of one user." default:"200"`
	MaxConns      int           `name:"max-connections" help:"Most open TCP connections; more are closed at once." default:"20000"`
	MaxConnsAt    int           `name:"max-connections-per-address" help:"Most of those of one address that is not one of --trusted-proxies." default:"2000"`
}

// Validate rejects options that cannot work, before anything starts.
func (a *Apiserver) Validate() error {
	for _, d := range []struct {
		flag  string
		value time.Duration
	}{{"read-timeout", a.ReadTimeout}, {"instance-timeout", a.InstanceTimeout}, {"probe-interval", a.ProbeInterval}, {"watch-linger", a.WatchLinger}, {"max-time", a.MaxTime}, {"max-read-time", a.MaxReadTime}, {"max-write-time", a.MaxWriteTime}} {
		if d.value <= 0 {
			return fmt.Errorf("--%s is %s; it must be above 0", d.flag, d.value)
		}
	}
	for _, l := range []struct {
		flag  string
		value int
	}{
		{"max-body", a.MaxBody}, {"max-tokens", a.MaxTokens}, {"max-depth", a.MaxDepth}, {"max-aliases", a.MaxAliases},
		{"max-root-fields", a.MaxRootFields}, {"max-directives", a.MaxDirectives}, {"max-fields", a.MaxFields}, {"max-name", a.MaxName}, {"max-cost", a.MaxCost},
		{"max-repeats", a.MaxRepeats}, {"max-rate", a.MaxRate}, {"max-event-rate", a.MaxEventRate}, {"max-events-at-once", a.MaxEvents}, {"max-authentication-failures", a.MaxFailures}, {"max-sockets-per-user", a.MaxSockets},
		{"max-half-open-sockets", a.MaxHalfOpen}, {"max-half-open-sockets-per-address", a.MaxHalfOpenAt},
		{"max-subscriptions-per-connection", a.MaxConnSubs}, {"max-subscriptions-per-user", a.MaxUserSubs},
		{"max-connections", a.MaxConns}, {"max-connections-per-address", a.MaxConnsAt},
	} {
		if l.value < 1 {
			return fmt.Errorf("--%s is %d; it must be at least 1", l.flag, l.value)
		}
	}
	switch {
	case a.HTTPAddress == "" && a.HTTPSAddress == "":
		return errors.New("--http-address and --https-address are both empty; give one")
	case a.HTTPSAddress != "" && (a.TLSCertFile == "" || a.TLSPrivateKeyFile == ""):
		return errors.New("--https-address needs --tls-cert-file and --tls-private-key-file")
	case a.TokenAudience == "":
		return errors.New("--token-audience is empty; tokens made for anything would be accepted")
	}
	return errors.Join(auth.CheckGroups(a.AdminGroups), a.OIDC.validate(), a.Database.validate(), a.ReadStore.validate(), a.People.validate(), a.Hooks.validate(), a.Prometheus.validate(), a.Console.validate(&a.Database, &a.People), a.Telemetry.validate())
}

func (a *Apiserver) limits() server.Limits {
	return server.Limits{
		Body: a.MaxBody, Tokens: a.MaxTokens, Depth: a.MaxDepth, Aliases: a.MaxAliases, RootFields: a.MaxRootFields,
		Directives: a.MaxDirectives, Fields: a.MaxFields, Name: a.MaxName, Cost: a.MaxCost, Time: a.MaxTime,
		Repeats: a.MaxRepeats, Rate: a.MaxRate, Authentication: a.MaxFailures, SocketsPerUser: a.MaxSockets,
		WriteTime: a.MaxWriteTime, HalfOpenSockets: a.MaxHalfOpen, HalfOpenSocketsPerAddress: a.MaxHalfOpenAt,
		SubscriptionsPerConnection: a.MaxConnSubs, SubscriptionsPerUser: a.MaxUserSubs,
		EventRate: a.MaxEventRate, EventsAtOnce: a.MaxEvents, ReadTime: a.MaxReadTime, Connections: a.MaxConns, ConnectionsPerAddress: a.MaxConnsAt,
	}
}

// Run serves until the context ends.
func (a *Apiserver) Run(ctx context.Context) error {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
	host, err := a.config()
	if err != nil {
		return err
	}
	watched, stopTelemetry, err := a.Telemetry.start(ctx, prometheus.DefaultGatherer, slog.Default())
	if err != nil {
		return err
	}
	defer stopTelemetry()
	store, closeStore, err := a.store(ctx, host)
	if err != nil {
		return err
	}
	defer closeStore()
	// Only now: the read store may be read through the host cluster, and is measured as a target of its own.
	host.Wrap(telemetry.Upstream(telemetry.TargetHost, ""))
	client, err := kubernetes.NewForConfig(host)
	if err != nil {
		return fmt.Errorf("making a client of the host cluster: %w", err)
	}
	notes := subjects.NewRecorder(client.CoreV1().ConfigMaps(a.Namespace), clock.RealClock{}, slog.Default())
	instances, err := instance.New(instance.Config{
		Host: host, Namespace: a.Namespace, ClusterpediaNamespace: a.ClusterpediaNamespace,
		Timeout: a.InstanceTimeout, ProbeInterval: a.ProbeInterval, Seen: notes, Logger: slog.Default(),
	})
	if err != nil {
		return err
	}
	own := ownwrites.New(nil)
	store.Remember(own)
	authorizer := rbac.NewAuthorizer(a.AdminGroups)
	hub := live.New(live.Config{
		Own: own, Fleet: instances,
		// As the server itself, which shows everybody their part.
		Everything: authorizer.Scope(auth.Principal{Name: "kairship-apiserver", Groups: a.AdminGroups}),
		Connect: func(scope rbac.Scope, instance string) (live.Connection, error) {
			return connect[live.Connection](instances, scope, instance)
		},
		ConnectMember: instances.Upstream,
		Linger:        a.WatchLinger,
		Registerer:    prometheus.DefaultRegisterer,
	})
	defer hub.Close()
	rights, err := bindings.New(host, authorizer, slog.Default())
	if err != nil {
		return err
	}
	access, err := bindings.NewWriter(host, authorizer)
	if err != nil {
		return err
	}
	writer, err := instance.NewWriter(instances)
	if err != nil {
		return err
	}
	begun, err := operations.New(host, a.Namespace, slog.Default())
	if err != nil {
		return err
	}
	people, err := a.entrance(client, authorizer, notes)
	if err != nil {
		return err
	}
	defer people.close()
	hook, resync, err := a.Hooks.handler(hooksConfig{
		Host: host, Namespace: a.Namespace, Database: people.db, Audit: people.recorder,
		Registerer: prometheus.DefaultRegisterer, Address: addressOf,
	})
	if err != nil {
		return err
	}
	through := proxy.New(proxy.Config{
		Upstreams: instances, Revoked: server.Revoked, Audit: people.auditProxied,
		Registerer: prometheus.DefaultRegisterer, Logger: slog.Default(),
	})
	routes := map[string]http.Handler{"GET " + session.PathSession: session.Without()}
	if people.sessions != nil {
		routes = map[string]http.Handler{"/auth/": people.sessions.Handler()}
	}
	if hook != nil {
		routes["POST "+globalmanagement.Path] = hook
	}
	consoles, err := a.Console.consoles(instances, people)
	if err != nil {
		return err
	}
	front, err := a.newServer(consoles, instances, writer, begun, store, own, hub, access, rights, people, through, routes)
	if err != nil {
		return err
	}
	// What requests need runs until the last request has ended, not only until the server begins to close.
	needed, release := context.WithCancel(context.WithoutCancel(ctx))
	defer release()
	g, serving := errgroup.WithContext(ctx)
	g.Go(func() error { return instances.Run(needed) })
	g.Go(func() error { return store.Run(needed, slog.Default()) })
	g.Go(func() error { return watched(needed) })
	g.Go(func() error { return rights.Run(needed) })
	g.Go(func() error { return begun.Run(needed) })
	g.Go(func() error { return people.run(needed) })
	g.Go(func() error { return notes.Run(needed) })
	if resync != nil {
		g.Go(func() error { return resync(needed) })
	}
	g.Go(func() error {
		defer release()
		return front.Serve(serving, server.ServeConfig{
			HTTPAddress: a.HTTPAddress, HTTPSAddress: a.HTTPSAddress,
			CertFile: a.TLSCertFile, KeyFile: a.TLSPrivateKeyFile, DrainTimeout: a.DrainTimeout,
		})
	})
	return g.Wait()
}

// store makes the client of the read store. It fails where the database is not one to read from.
func (a *Apiserver) store(ctx context.Context, host *rest.Config) (*pedia.Client, func(), error) {
	cfg := host
	if a.ClusterpediaKubeconfig != "" {
		var err error
		if cfg, err = clientcmd.BuildConfigFromFlags("", a.ClusterpediaKubeconfig); err != nil {
			return nil, nil, fmt.Errorf("--clusterpedia-kubeconfig: %w", err)
		}
		cfg.Wrap(link.RefuseRedirects)
	}
	api, err := pedia.NewAPI(cfg, a.ReadTimeout)
	if err != nil {
		return nil, nil, err
	}
	db, err := a.ReadStore.open(a.ReadTimeout)
	if err != nil {
		return nil, nil, err
	}
	if db == nil {
		return pedia.NewClient(api), func() {}, nil
	}
	client := pedia.NewClient(db, api)
	if err := client.Check(ctx); err != nil {
		db.Close()
		return nil, nil, fmt.Errorf("--store-dsn: %w", err)
	}
	db.LogTo(slog.Default())
	return client, db.Close, nil
}

// connect returns no interface around a nil *Connection, which would not be nil.
func connect[C any](f *instance.Fleet, scope rbac.Scope, instance string) (C, error) {
	var none C
	conn, err := f.Connection(scope, instance)
	if err != nil {
		return none, err
	}
	return any(conn).(C), nil
}

func (a *Apiserver) newServer(consoles *console.Consoles, instances *instance.Fleet, writer *instance.Writer, begun *operations.Operations, store *pedia.Client, own *ownwrites.Log, hub *live.Hub, access *bindings.Writer, rights *bindings.Follower,
	people *entrance, through *proxy.Handler, routes map[string]http.Handler) (*server.Server, error) {
	limits := a.limits()
	root := &resolvers.Resolver{
		Fleet: instances, Live: hub, Logs: podlogs.New(instances.Upstream), Bindings: access, Operations: begun,
		Actions: &actions.Runner{
			Fleet: instances, Kubeconfigs: people.handOut(), Access: access, Instances: writer, Operations: begun, Audit: people.recorder, Via: audit.ViaGraphQL, Idempotency: people.idempotency(), Own: own,
			Connect: func(scope rbac.Scope, instance string) (karmada.Connection, error) {
				return connect[karmada.Connection](instances, scope, instance)
			},
		},
		ConsoleState: consoleState(consoles),
		Server:       func(context.Context) *graph.Server { return describe(store, limits, len(a.Prometheus.URL) > 0) },
		AuditLog:     people.reader, Introspect: a.introspect(),
	}
	var ui fs.FS
	if built, ok := web.FS(); ok {
		ui = built
	}
	documents, err := a.documents(ui)
	if err != nil {
		return nil, fmt.Errorf("--documents: %w", err)
	}
	history, err := a.Prometheus.open()
	if err != nil {
		return nil, err
	}
	source := loaders.Source{Fleet: instances, Store: store, KubeAPI: kubeapi.New(instances), Prometheus: history}
	cfg := server.Config{
		Schema:           graph.NewExecutableSchema(graph.Config{Resolvers: root}),
		Authenticator:    people.authenticator,
		Authorizer:       access.Authorizer,
		Session:          people.session(),
		Changed:          access.Changed,
		Introspect:       a.introspect(),
		Documents:        documents,
		TrustedDocuments: a.TrustedDocuments,
		TrustedProxies:   a.TrustedProxies,
		NewContext:       source.NewContext,
		Limits:           limits,
		UI:               ui,
		Proxy:            through,
		Console:          consoles,
		Routes:           routes,
		Ready: func() error {
			if !instances.Ready() {
				return errors.New("the instances of the host cluster have not been read yet")
			}
			if !begun.Ready() {
				return errors.New("the Operations of the host cluster have not been read yet")
			}
			if !rights.Ready() {
				return errors.New("the AccessBindings of the host cluster have not been read yet")
			}
			return nil
		},
		Origins:    a.AllowedOrigins,
		Registerer: prometheus.DefaultRegisterer,
		Gatherer:   prometheus.DefaultGatherer,
	}
	if people.sessions != nil {
		cfg.Renew = people.sessions.Renew
	}
	return server.New(cfg), nil
}

// describe returns the version, features and limits of this server.
func describe(store *pedia.Client, limits server.Limits, history bool) *graph.Server {
	s := &graph.Server{Version: version(), SearchKinds: loaders.SearchKinds()}
	s.Features = append(features(store.Features()), directReads(store.Direct()), clusterHistory(history))
	for _, l := range append(limits.All(), server.Limit{Name: karmada.LimitMemory, Value: karmada.MaxMemory, Unit: "bytes"}) {
		s.Limits = append(s.Limits, graph.Limit{Name: l.Name, Value: int32(l.Value), Unit: l.Unit}) //nolint:gosec // limits are far below 2^31
	}
	return s
}

// features lists what the read store can do, as last seen.
func features(f pedia.Features) []graph.Feature {
	paging := graph.Feature{Name: "keysetPaging", Enabled: f.Gate != pedia.GateClosed, Message: map[pedia.Gate]string{
		pedia.GateOpen: "the read store takes SQL conditions: pages and filters are served by its indexes",
		pedia.GateClosed: "the read store ignores SQL conditions: workloads, policies, search and all else that it holds are not read; " +
			"start clusterpedia-apiserver with --feature-gates=AllowParameterizedSQLQuery=true",
		pedia.GateUnknown: "not known yet: the read store has not answered, or holds nothing",
	}[f.Gate]}
	pack := graph.Feature{Name: "indexPack", Enabled: f.Pack == pedia.Yes, Message: "not known: the read store has not answered, or takes no SQL conditions"}
	switch f.Pack {
	case pedia.Yes:
		pack.Message = "the indexes of Kairship are there: orders by time, labels, names, owners, events and claims are served by them"
	case pedia.No:
		names := make([]string, len(f.Missing))
		for i, name := range f.Missing {
			names[i] = string(name)
		}
		pack.Message = "missing are " + strings.Join(names, ", ") + ": what they serve works and is slower; run kairship store optimize"
	}
	order := graph.Feature{Name: "byteOrder", Enabled: f.ByBytes == pedia.Yes, Message: "the database orders texts by bytes"}
	switch f.ByBytes {
	case pedia.No:
		order.Message = "the database orders texts by a language: every query says the order by bytes, which the index pack serves"
	case pedia.Unknown:
		order.Message = "not known yet"
	}
	return []graph.Feature{paging, pack, order}
}

// clusterHistory says whether there is a history of what clusters report.
func clusterHistory(history bool) graph.Feature {
	if !history {
		return graph.Feature{Name: "metrics", Message: "not configured (--prometheus-url): how the numbers of clusters went over time is not known"}
	}
	return graph.Feature{Name: "metrics", Enabled: true, Message: "how the numbers of clusters went over time is read from Prometheus"}
}

// directReads says whether the read store's database is read itself; nil for a server that was not told where it is.
func directReads(f *pedia.Features) graph.Feature {
	direct := graph.Feature{Name: "directReads", Enabled: f != nil && f.Gate == pedia.GateOpen, Message: "not configured (--store-dsn): the read store is read through Clusterpedia's API"}
	switch {
	case f == nil:
	case f.Gate == pedia.GateOpen:
		direct.Message = "the read store's database is read itself, and through Clusterpedia's API where it does not answer"
	case f.Gate == pedia.GateClosed:
		direct.Message = "the read store's database cannot be read as it is, see the log: it is read through Clusterpedia's API"
	default:
		direct.Message = "not known yet: the read store's database has not answered, or holds nothing"
	}
	return direct
}
