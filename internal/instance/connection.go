package instance

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	apiversion "k8s.io/apimachinery/pkg/version"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/connection"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/objects/jsonv2"
	"github.com/kairship-io/kairship/internal/telemetry"
)

// Connection is the connection to one instance with one credential, for those who may see the instance. A new
// credential makes a new Connection.
type Connection struct {
	karmada

	instance string
	timeout  time.Duration
	mapper   meta.ResettableRESTMapper
	clock    clock.PassiveClock
	seen     SubjectRecorder
	health   atomic.Pointer[health]
	models   clusterModels
	// probed and ready are closed when the connection has been probed once, and when it may replace
	// another one.
	probed chan struct{}
	ready  chan struct{}
}

// karmada is the underlying connection: *connection.Connection.
type karmada interface {
	// Config has Kairship's own credential, and Dynamic is a client of it: for reads and watches after a Scope was
	// checked, never for writes.
	Config() *rest.Config
	Dynamic() dynamic.Interface
	// Instance is the instance's name.
	Instance() string
	// Done is closed when the connection has been replaced or its instance removed.
	Done() <-chan struct{}
	State(...*connection.Watch) connection.State
	List(*connection.Watch) []connection.Object
	Get(w *connection.Watch, namespace, name string) connection.Object
	Answers(ctx context.Context, path string) error
	Fetch(ctx context.Context, path string) ([]byte, error)
	CheckAgain()
	Close()
	Wait()
}

// health is what the last probe found.
type health struct {
	asked bool
	// api and clusterAPI are empty when the API server, and the aggregated API of clusters, answered;
	// else they say why not.
	api        string
	clusterAPI string
	version    string
	// since is when api became empty, or stopped being so.
	since time.Time
	// silent is how many probes in a row were not answered in time.
	silent int
}

// maxClusters is the most clusters of one instance: ten times what Karmada is made for.
const maxClusters = 10_000

// clusters are the members with the APIs that they serve, as *clusterv1alpha1.Cluster.
var clusters = &connection.Watch{
	Resource: connection.Clusters.Resource,
	Most:     maxClusters,
	Keep:     connection.ToCluster,
}

// newConnection makes a connection and starts following its clusters. It calls ready as soon as the connection may
// replace old, which is nil when there is none.
func newConnection(cfg Config, instance string, credential *kubeconfig.Credential, old *Connection, ready func()) (*Connection, error) {
	c := &Connection{instance: instance, timeout: cfg.Timeout, clock: cfg.Clock, seen: cfg.Seen, probed: make(chan struct{}), ready: make(chan struct{})}
	c.health.Store(&health{})
	if old != nil {
		// One lost probe on a busy machine says no more about the new connection than about the old.
		c.health.Store(old.health.Load())
	}
	opened, changed := make(chan struct{}), make(chan struct{}, 1)
	var once sync.Once
	conn, err := connection.Open(instance, credential, connection.Options{
		Logger: cfg.Logger, UserAgent: "kairship-apiserver",
		// The API server has priority and fairness: a limit here would only make people wait.
		QPS:         -1,
		Wrap:        telemetry.Upstream(telemetry.TargetKarmada, instance),
		CallTimeout: cfg.Timeout, ProbeTimeout: probeTimeout,
		// Many watches may break at once; one probe a second tells as much.
		RetryMin: time.Second, RetryMax: max(time.Second, cfg.ProbeInterval), Heartbeat: cfg.ProbeInterval,
		Asked: func(ctx context.Context, err error) {
			<-opened
			c.health.Store(c.probe(ctx, *c.health.Load(), err))
			once.Do(func() { close(c.probed) })
		},
	}, []*connection.Watch{clusters}, func(*connection.Watch, connection.Object, connection.Object) {
		select {
		case changed <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return nil, err
	}
	c.karmada = conn
	close(opened)
	bounded := c.Config()
	bounded.Timeout = cfg.Timeout
	disco, err := discovery.NewDiscoveryClientForConfig(bounded)
	if err != nil {
		conn.Close()
		return nil, fmt.Errorf("making a client: %w", err)
	}
	c.mapper = restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco))
	go func() { // ends with the connection
		c.awaitKnowledge(changed)
		close(c.ready)
		ready()
	}()
	return c, nil
}

// readyTimeout bounds how long a new connection may be held back by an old one that still works. After that it takes
// over, ready or not: the old credential is void.
const readyTimeout = 10 * time.Second

// awaitKnowledge waits until the connection knows what it needs to serve, so that a rotated credential
// takes over without a gap.
func (c *Connection) awaitKnowledge(changed <-chan struct{}) {
	limit := time.NewTimer(readyTimeout)
	defer limit.Stop()
	probed := c.probed
	for probed != nil || !c.synced() {
		select {
		case <-probed:
			probed = nil
		case <-changed:
		case <-limit.C:
			return
		case <-c.Done():
			return
		}
	}
}

// settled says whether the connection may replace another one.
func (c *Connection) settled() bool {
	select {
	case <-c.ready:
		return true
	default:
		return false
	}
}

// Mapper finds resources for kinds, from a discovery that is shared and cached.
func (c *Connection) Mapper() meta.ResettableRESTMapper { return c.mapper }

// As returns a configuration that impersonates the principal in Karmada.
func (c *Connection) As(p auth.Principal) (*rest.Config, error) {
	return connection.Impersonating(c.Config(), p, c.timeout)
}

// probeTimeout is below the two seconds in which a page has to say that an instance is down.
const probeTimeout = 1500 * time.Millisecond

// clusterAPIPath is discovery of Karmada's aggregated API: the API server refuses it when the server
// behind it is gone.
const clusterAPIPath = "/apis/cluster.karmada.io/v1alpha1"

// missedProbes is how many probes in a row may go unanswered before that counts: a busy API server misses
// one now and then. A refusal is an answer, and counts at once.
const missedProbes = 2

// probe returns the health after a probe of the API server; err is why it failed.
func (c *Connection) probe(ctx context.Context, last health, err error) *health {
	h := c.look(ctx, last, err)
	if !last.asked || (h.api == "") != (last.api == "") {
		h.since = c.clock.Now()
	}
	return h
}

func (c *Connection) look(ctx context.Context, last health, err error) *health {
	if errors.Is(err, context.DeadlineExceeded) && last.asked && last.silent+1 < missedProbes {
		last.silent++
		c.CheckAgain()
		return &last
	}
	h := health{asked: true, version: last.version, since: last.since}
	if err != nil {
		h.api, h.silent = "its API server does not answer: "+reason(err), last.silent
		h.clusterAPI = h.api
		return &h
	}
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if err := c.Answers(ctx, clusterAPIPath); err != nil {
		h.clusterAPI = "Karmada's aggregated API server does not answer: " + reason(err)
	}
	if last.version == "" || last.api != "" {
		var v apiversion.Info
		if raw, err := c.Fetch(ctx, "/version"); err == nil && jsonv2.Unmarshal(raw, &v) == nil {
			h.version = v.GitVersion
		}
	}
	return &h
}

// reason describes an error in a few words without an address: users see it.
func reason(err error) string {
	switch {
	case link.Redirected(err):
		return "it redirects to another address, which is not followed"
	case errors.Is(err, link.ErrTooLarge):
		return "it sends more than is read of it"
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case strings.Contains(err.Error(), "connection refused"):
		return "connection refused"
	case strings.Contains(err.Error(), "certificate"):
		return "its certificate is not trusted"
	case strings.Contains(err.Error(), "nauthorized"):
		return "the credential is refused"
	}
	return "the request failed"
}

// sight is what the last probe saw.
func (c *Connection) sight() sight {
	h := c.health.Load()
	switch {
	case !h.asked:
		return sight{state: model.InstanceUnknown, why: "not asked yet"}
	case h.api != "":
		return sight{state: model.InstanceDown, why: h.api, since: h.since}
	}
	return sight{state: model.InstanceRunning, since: h.since}
}

// Available returns nil if the API server answered the last probe, else UNAVAILABLE.
func (c *Connection) Available() error {
	if h := c.health.Load(); h.api != "" {
		return model.InstanceUnavailable(c.instance, h.api, nil)
	}
	return nil
}

// synced says that the clusters are known.
func (c *Connection) synced() bool { return c.State(clusters).Synced }

// cluster is a cluster as last known; nil when there is none.
func (c *Connection) cluster(name string) *clusterv1alpha1.Cluster {
	cluster, _ := c.Get(clusters, "", name).(*clusterv1alpha1.Cluster)
	return cluster
}

// listClusters returns the clusters as last known, by name, and an error when they may be outdated.
func (c *Connection) listClusters() ([]*clusterv1alpha1.Cluster, error) {
	if !c.synced() && c.health.Load().clusterAPI == "" {
		return nil, c.outdated()
	}
	return c.clusterList(), c.outdated()
}

// outdated is why the clusters that are known may be outdated; nil when they are not.
func (c *Connection) outdated() error {
	if h := c.health.Load(); h.clusterAPI != "" {
		return model.InstanceUnavailable(c.instance, h.clusterAPI, nil)
	}
	if !c.synced() {
		return model.InstanceUnavailable(c.instance, "its clusters have not been read yet", nil)
	}
	return nil
}

func (c *Connection) clusterList() []*clusterv1alpha1.Cluster {
	objects := c.List(clusters)
	out := make([]*clusterv1alpha1.Cluster, 0, len(objects))
	for _, o := range objects {
		if cluster, ok := o.(*clusterv1alpha1.Cluster); ok {
			out = append(out, cluster)
		}
	}
	return out
}
