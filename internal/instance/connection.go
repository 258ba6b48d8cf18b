package instance

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	clusterv1alpha1 "github.com/karmada-io/karmada/pkg/apis/cluster/v1alpha1"
	karmadaclient "github.com/karmada-io/karmada/pkg/generated/clientset/versioned"
	clusterlisters "github.com/karmada-io/karmada/pkg/generated/listers/cluster/v1alpha1"
	"k8s.io/apimachinery/pkg/api/meta"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/restmapper"
	toolscache "k8s.io/client-go/tools/cache"
	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/telemetry"
)

// Connection is one instance with one credential. A new credential makes a new Connection.
type Connection struct {
	instance string
	cfg      *rest.Config
	timeout  time.Duration
	dynamic  dynamic.Interface
	mapper   meta.ResettableRESTMapper
	disco    *discovery.DiscoveryClient
	clusters toolscache.SharedIndexInformer
	lister   clusterlisters.ClusterLister
	clock    clock.PassiveClock
	seen     SubjectRecorder
	probeNow chan struct{}
	health   atomic.Pointer[health]
	// probed and ready are closed when the connection has been probed once, and when it may replace
	// another one.
	probed chan struct{}
	ready  chan struct{}
	done   chan struct{}
	cancel context.CancelFunc
	owned  sync.WaitGroup
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

// newConnection makes a connection and starts following its clusters. It is told as soon as the
// connection may replace old, which is nil when there is none.
func newConnection(cfg Config, instance string, rawKubeconfig []byte, old *Connection, ready func()) (*Connection, error) {
	restConfig, err := kubeconfig.Parse(rawKubeconfig)
	if err != nil {
		return nil, fmt.Errorf("its kubeconfig: %w", err)
	}
	// Priority and fairness is the API server's: a limit here would only make people wait for nothing.
	restConfig.QPS = -1
	restConfig.UserAgent = "kairship-apiserver"
	restConfig.Wrap(telemetry.Upstream(telemetry.TargetKarmada, instance))
	httpClient, err := rest.HTTPClientFor(restConfig)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	dyn, err := dynamic.NewForConfigAndClient(restConfig, httpClient)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	bounded := rest.CopyConfig(restConfig)
	bounded.Timeout = cfg.Timeout
	disco, err := discovery.NewDiscoveryClientForConfig(bounded)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	karmada, err := karmadaclient.NewForConfigAndClient(restConfig, httpClient)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	clusters := newClusterInformer(karmada)
	ctx, cancel := context.WithCancel(context.Background())
	c := &Connection{
		instance: instance, cfg: restConfig, timeout: cfg.Timeout, dynamic: dyn, disco: disco,
		mapper:   restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(disco)),
		clusters: clusters, lister: clusterlisters.NewClusterLister(clusters.GetIndexer()),
		clock: cfg.Clock, seen: cfg.Seen, probeNow: make(chan struct{}, 1), done: make(chan struct{}), cancel: cancel,
		probed: make(chan struct{}), ready: make(chan struct{}),
	}
	c.health.Store(&health{})
	if old != nil {
		// One probe that is lost on a busy machine says no more of the new connection than of the old.
		c.health.Store(old.health.Load())
	}
	if err := c.clusters.SetTransform(c.takeCluster); err != nil {
		cancel()
		return nil, fmt.Errorf("following clusters: %w", err)
	}
	// A broken watch is the first sign of an API server that is gone: ask at once, not at the next tick.
	if err := c.clusters.SetWatchErrorHandler(func(*toolscache.Reflector, error) { c.probeSoon() }); err != nil {
		cancel()
		return nil, fmt.Errorf("following clusters: %w", err)
	}
	c.owned.Go(func() { c.clusters.Run(ctx.Done()) })
	c.owned.Go(func() { c.probeLoop(ctx, cfg.ProbeInterval) })
	c.owned.Go(func() {
		c.awaitKnowledge(ctx)
		close(c.ready)
		ready()
	})
	return c, nil
}

// readyTimeout bounds how long a new connection may be held back by an old one that still works. A new
// one that does not get there takes over all the same: the old credential is void.
const readyTimeout = 10 * time.Second

// awaitKnowledge waits until the connection knows what it needs to serve, so that a rotated credential
// takes over without a gap.
func (c *Connection) awaitKnowledge(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, readyTimeout)
	defer cancel()
	toolscache.WaitForCacheSync(ctx.Done(), c.clusters.HasSynced)
	select {
	case <-c.probed:
	case <-ctx.Done():
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

func (c *Connection) close() {
	c.cancel()
	close(c.done)
	c.owned.Wait()
}

// Instance is the instance's name.
func (c *Connection) Instance() string { return c.instance }

// Done is closed when the connection has been replaced or its instance removed.
func (c *Connection) Done() <-chan struct{} { return c.done }

// Config is a copy of the configuration with Kairship's own credential: for reads and watches that a
// Scope was checked for, never for writes.
func (c *Connection) Config() *rest.Config { return rest.CopyConfig(c.cfg) }

// Dynamic is a client with Kairship's own credential; see Config.
func (c *Connection) Dynamic() dynamic.Interface { return c.dynamic }

// Mapper finds resources for kinds, from a discovery that is shared and cached.
func (c *Connection) Mapper() meta.ResettableRESTMapper { return c.mapper }

// systemPrefix begins the names that Kubernetes keeps for itself. Impersonating one would lend its
// rights.
const systemPrefix = "system:"

// As is a configuration whose requests Karmada sees as the principal's.
func (c *Connection) As(p auth.Principal) (*rest.Config, error) {
	for _, name := range append([]string{p.Name}, p.Groups...) {
		// White space at the ends would be lost in a header, and the name become another one.
		if name == "" || strings.HasPrefix(name, systemPrefix) || strings.TrimSpace(name) != name {
			return nil, fmt.Errorf("refusing to impersonate %q", name)
		}
	}
	cfg := c.Config()
	cfg.Timeout = c.timeout
	cfg.Impersonate = rest.ImpersonationConfig{UserName: p.Name, Groups: p.Groups}
	return cfg, nil
}

func (c *Connection) probeSoon() {
	select {
	case c.probeNow <- struct{}{}:
	default:
	}
}

func (c *Connection) probeLoop(ctx context.Context, interval time.Duration) {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	var once sync.Once
	for {
		c.health.Store(c.probe(ctx, *c.health.Load()))
		once.Do(func() { close(c.probed) })
		select {
		case <-tick.C:
		case <-c.probeNow:
			// Watches may break in a storm; one probe a second tells as much.
			timer := time.NewTimer(time.Second)
			c.health.Store(c.probe(ctx, *c.health.Load()))
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
		case <-ctx.Done():
			return
		}
	}
}

// probeTimeout is below the two seconds in which a page has to say that an instance is down.
const probeTimeout = 1500 * time.Millisecond

// clusterAPIPath is discovery of Karmada's aggregated API: the API server refuses it when the server
// behind it is gone.
const clusterAPIPath = "/apis/cluster.karmada.io/v1alpha1"

// patience is how many probes in a row may go unanswered before that counts: a busy API server misses
// one now and then. A refusal is an answer, and counts at once.
const missedProbes = 2

func (c *Connection) probe(ctx context.Context, last health) *health {
	h := c.look(ctx, last)
	if !last.asked || (h.api == "") != (last.api == "") {
		h.since = c.clock.Now()
	}
	return h
}

func (c *Connection) look(ctx context.Context, last health) *health {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	h := health{asked: true, version: last.version, since: last.since}
	if err := c.ask(ctx, "/readyz"); err != nil {
		if errors.Is(err, context.DeadlineExceeded) && last.asked && last.silent+1 < missedProbes {
			last.silent++
			c.probeSoon()
			return &last
		}
		h.api, h.silent = "its API server does not answer: "+reason(err), last.silent
		h.clusterAPI = h.api
		return &h
	}
	if err := c.ask(ctx, clusterAPIPath); err != nil {
		h.clusterAPI = "Karmada's aggregated API server does not answer: " + reason(err)
	}
	if last.version == "" || last.api != "" {
		if v, err := c.disco.ServerVersion(); err == nil {
			h.version = v.GitVersion
		}
	}
	return &h
}

func (c *Connection) ask(ctx context.Context, path string) error {
	result := c.disco.RESTClient().Get().AbsPath(path).Do(ctx)
	if code := 0; result.StatusCode(&code).Error() == nil && code != http.StatusOK {
		return fmt.Errorf("status %d", code)
	}
	return result.Error()
}

// reason is an error in a few words that name no address: it is shown to users.
func reason(err error) string {
	switch {
	case kubeconfig.Redirected(err):
		return "it redirects to another address, which is not followed"
	case errors.Is(err, kubeconfig.ErrTooLarge):
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

// Available is nil when the API server answered the last probe, else UNAVAILABLE.
func (c *Connection) Available() error {
	if h := c.health.Load(); h.api != "" {
		return model.InstanceUnavailable(c.instance, h.api, nil)
	}
	return nil
}

// listClusters is the clusters as last known, and whether Karmada still vouches for them.
func (c *Connection) listClusters() ([]*clusterv1alpha1.Cluster, error) {
	if h := c.health.Load(); h.clusterAPI != "" {
		return c.clusterList(), model.InstanceUnavailable(c.instance, h.clusterAPI, nil)
	}
	if !c.clusters.HasSynced() {
		return nil, model.InstanceUnavailable(c.instance, "its clusters have not been read yet", nil)
	}
	return c.clusterList(), nil
}

func (c *Connection) clusterList() []*clusterv1alpha1.Cluster {
	objects := c.clusters.GetStore().List()
	out := make([]*clusterv1alpha1.Cluster, 0, len(objects))
	for _, o := range objects {
		if cluster, ok := o.(*clusterv1alpha1.Cluster); ok {
			out = append(out, cluster)
		}
	}
	return out
}
