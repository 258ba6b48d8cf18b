package connection

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// idleTimeout is how long a TCP connection stays open on which there is not even a watch: when the last
// request of a controller ends after the connection has.
const idleTimeout = 5 * time.Second

// Connection is the connection to the Karmada of one instance. It is replaced when the credential
// changes.
type Connection struct {
	set         *Set
	instance    string
	fingerprint [sha256.Size]byte
	host        string
	ctx         context.Context
	cancel      context.CancelFunc

	dynamic  dynamic.Interface
	metadata metadata.Interface
	http     *http.Client
	// transport is what http ends in. It belongs to this connection alone.
	transport http.RoundTripper
	watched   map[*Watch]*watched
	// recheck asks to find out again who answers.
	recheck chan struct{}

	mu       sync.Mutex
	identity string
	// reachable is closed while the Karmada is identified.
	reachable chan struct{}
	// unreachable is why the Karmada cannot be identified.
	unreachable error
}

// State is what a Connection knows.
type State struct {
	// Identity is the UID of the Karmada's namespace kube-system, by which a rebuilt one is told from
	// its predecessor. Empty when it could not be found out, or has to be found out again.
	Identity string
	// Synced says that the objects of the watches are known. They stay so when the Karmada goes away.
	Synced bool
	// Err is why the Karmada or a watched resource does not answer; nil when all do, or when nothing has
	// been tried yet.
	Err error
}

func newConnection(set *Set, instance string, config *rest.Config) (*Connection, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = "kairship-controller-manager"
	config.QPS, config.Burst = 50, 100
	// Client-go shares transports by their certificates, and keeps each for good, with its connections
	// until they have been idle for long. One with a proxy function is not shared. This one names none:
	// instances are connected to directly (package kubeconfig).
	config.Proxy = func(*http.Request) (*url.URL, error) { return nil, nil } //nolint:nilnil // no proxy
	var transport http.RoundTripper
	config.Wrap(func(rt http.RoundTripper) http.RoundTripper {
		transport = rt
		if below, ok := rt.(utilnet.RoundTripperWrapper); ok {
			rt = below.WrappedRoundTripper()
		}
		if t, ok := rt.(*http.Transport); ok {
			t.IdleConnTimeout = idleTimeout
		}
		return transport
	})
	if set.options.Wrap != nil {
		config.Wrap(set.options.Wrap)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	c := &Connection{set: set, instance: instance, host: config.Host, http: client, transport: transport, watched: map[*Watch]*watched{}, recheck: make(chan struct{}, 1), reachable: make(chan struct{})}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	c.ctx, c.cancel = context.WithCancel(set.ctx)
	for w := range set.watches {
		c.watched[w] = newWatched(c, w)
	}
	return c, nil
}

// run owns the goroutines of the connection.
func (c *Connection) run() {
	// Not through the client: what is wrapped around a transport does not hand this on.
	defer utilnet.CloseIdleConnectionsFor(c.transport)
	var running sync.WaitGroup
	defer running.Wait()
	for _, w := range c.watched {
		running.Go(func() { w.run(c.ctx) })
	}
	c.identify()
}

// identify finds out who answers, again whenever the watch broke, and now and then: a watch that hangs,
// or that is accepted and closed at once, looks like one on which nothing happens.
func (c *Connection) identify() {
	for {
		backoff := wait.Backoff{Duration: c.set.options.RetryMin, Cap: c.set.options.RetryMax, Factor: 2, Jitter: 0.2, Steps: 16}
		for {
			identity, err := c.askIdentity()
			if c.ctx.Err() != nil {
				return
			}
			c.identified(identity, err)
			if err == nil {
				break
			}
			if !c.pause(backoff.Step()) {
				return
			}
		}
		heartbeat := time.NewTimer(c.set.options.Heartbeat)
		select {
		case <-heartbeat.C:
		case <-c.recheck:
			heartbeat.Stop()
			// A watch that ends at once would otherwise ask without a pause.
			if !c.pause(c.set.options.RetryMin) {
				return
			}
		case <-c.ctx.Done():
			heartbeat.Stop()
			return
		}
	}
}

// waitUntilReachable holds the watch back while the Karmada does not answer: the informer's own pauses
// grow to a minute, and would go on when it answers again.
func (c *Connection) waitUntilReachable(ctx context.Context) error {
	c.mu.Lock()
	reachable := c.reachable
	c.mu.Unlock()
	select {
	case <-reachable:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (c *Connection) pause(d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

func (c *Connection) askIdentity() (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.set.options.CallTimeout)
	defer cancel()
	ns, err := c.metadata.Resource(namespaces).Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		return "", err
	}
	return string(ns.UID), nil
}

func (c *Connection) identified(identity string, err error) {
	c.mu.Lock()
	changed := c.identity != identity || (c.unreachable == nil) != (err == nil)
	switch {
	case c.identity == "" && identity != "":
		close(c.reachable)
	case c.identity != "" && identity == "":
		c.reachable = make(chan struct{})
	}
	c.identity, c.unreachable = identity, err
	c.mu.Unlock()
	if !changed {
		return
	}
	if err != nil {
		c.set.options.Logger.Warn("Karmada does not answer", "instance", c.instance, "error", err)
	} else {
		c.set.options.Logger.Info("Karmada answers", "instance", c.instance, "identity", identity)
	}
	c.wake(nil, nil, nil)
}

// checkAgain asks to find out again who answers.
func (c *Connection) checkAgain() {
	select {
	case c.recheck <- struct{}{}:
	default:
	}
}

// wake tells the controllers that are interested in a watch what happened there. Without a watch it was
// the Karmada itself that changed, and without objects the watch.
func (c *Connection) wake(w *Watch, before, after Object) {
	if c.ctx.Err() == nil {
		c.set.wake(c.instance, w, before, after)
	}
}

// State is what is known now of the Karmada and of some watches.
func (c *Connection) State(watches ...*Watch) State {
	c.mu.Lock()
	s := State{Identity: c.identity, Synced: true, Err: c.unreachable}
	c.mu.Unlock()
	for _, w := range watches {
		synced, broken := c.watched[w].state()
		s.Synced = s.Synced && synced
		if s.Err == nil {
			s.Err = broken
		}
	}
	return s
}

// List is the objects of a watch, by namespace and name. They must not be changed.
func (c *Connection) List(w *Watch) []Object { return c.watched[w].sorted() }

// Get is one object of a watch, nil when there is none. It must not be changed.
func (c *Connection) Get(w *Watch, namespace, name string) Object {
	return c.watched[w].get(namespace, name)
}

// Dynamic is a client for what a controller does there itself. Each call needs a deadline.
func (c *Connection) Dynamic() dynamic.Interface { return c.dynamic }

// Gone asks the Karmada itself whether an object of a watch is no more. Only a definite answer about
// the object counts: an API that is not served at the moment says "not found" as well.
func (c *Connection) Gone(ctx context.Context, w *Watch, namespace, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.set.options.CallTimeout)
	defer cancel()
	_, err := c.metadata.Resource(w.Resource).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		return false, nil
	case apierrors.IsNotFound(err) && !apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
		return true, nil
	default:
		return false, fmt.Errorf("asking instance %q whether %s %q exists: %w", c.instance, w.Resource.Resource, name, err)
	}
}

// maxAnswer is how much of an answer Fetch reads: what it is for is small.
const maxAnswer = 4 << 20

// StatusError is an answer that is not a success.
type StatusError struct {
	Code int
	// Status is the status line, and Body the beginning of what was said.
	Status string
	Body   string
}

func (e *StatusError) Error() string { return "answers " + e.Status }

// Answers asks whether a path below the Karmada's address answers with success.
func (c *Connection) Answers(ctx context.Context, path string) error {
	_, err := c.Fetch(ctx, path)
	return err
}

// Fetch is what a path below the Karmada's address answers. The error is a *StatusError when that is not
// a success.
func (c *Connection) Fetch(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.host+path, http.NoBody)
	if err != nil {
		return nil, fmt.Errorf("asking instance %q: %w", c.instance, err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("asking instance %q: %w", c.instance, err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if resp.StatusCode != http.StatusOK {
		const most = 512
		return nil, &StatusError{Code: resp.StatusCode, Status: resp.Status, Body: string(body[:min(len(body), most)])}
	}
	if err != nil {
		return nil, fmt.Errorf("asking instance %q: %w", c.instance, err)
	}
	return body, nil
}
