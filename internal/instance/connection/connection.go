package connection

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
)

// Connection is the connection to the Karmada of one instance with one credential. Its clients share its link, which
// is closed with it.
type Connection struct {
	options  Options
	instance string
	link     *link.Link
	ctx      context.Context
	cancel   context.CancelFunc
	// ended is closed when nothing of the connection is left.
	ended chan struct{}

	config   *rest.Config
	dynamic  dynamic.Interface
	metadata metadata.Interface
	http     *http.Client
	watched  map[*Watch]*watched
	// woken is called with each change.
	woken func(w *Watch, before, after Object)
	// recheck requests another probe.
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
	// Identity is the UID of the Karmada's namespace kube-system, which differs after a rebuild. Empty while it is
	// not known.
	Identity string
	// Synced says that the objects of the watches are known. They stay so when the Karmada goes away.
	Synced bool
	// Err is why the Karmada or a watched resource does not answer; nil when all do, or when nothing has
	// been tried yet.
	Err error
}

// Open connects to an instance, and starts the watches. It calls woken, which must not block, for each change:
// without a watch when the Karmada itself changed, without objects when the watch did. Close ends it.
func Open(instance string, credential *kubeconfig.Credential, options Options, watches []*Watch, woken func(w *Watch, before, after Object)) (*Connection, error) {
	options = options.withDefaults()
	l, err := link.Open(credential, options.Dial)
	if err != nil {
		return nil, fmt.Errorf("connecting to instance %q: %w", instance, err)
	}
	config := l.Config()
	config.UserAgent, config.QPS, config.Burst = options.UserAgent, options.QPS, int(2*options.QPS)
	if options.Wrap != nil {
		config.Wrap(options.Wrap)
	}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	c := &Connection{
		options: options, instance: instance, link: l, config: config, http: client, watched: map[*Watch]*watched{}, woken: woken,
		ended: make(chan struct{}), recheck: make(chan struct{}, 1), reachable: make(chan struct{}),
	}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	c.ctx, c.cancel = context.WithCancel(context.Background())
	for _, w := range watches {
		c.watched[w] = newWatched(c, w)
	}
	go c.run()
	return c, nil
}

// run owns the goroutines of the connection.
func (c *Connection) run() {
	defer close(c.ended)
	defer c.link.Close()
	var running sync.WaitGroup
	defer running.Wait()
	for _, w := range c.watched {
		running.Go(func() { w.run(c.ctx) })
	}
	c.identify()
}

// Close ends the connection; Wait waits for its end.
func (c *Connection) Close() { c.cancel() }

// Done is closed once the connection is closed: it was replaced, or its instance removed.
func (c *Connection) Done() <-chan struct{} { return c.ctx.Done() }

// Wait waits until a closed connection has ended, except for what others have begun with its clients.
func (c *Connection) Wait() { <-c.ended }

// Instance is the instance's name.
func (c *Connection) Instance() string { return c.instance }

// Config is a configuration with Kairship's own credential. It is the caller's own; its clients share the
// connections of this one.
func (c *Connection) Config() *rest.Config { return rest.CopyConfig(c.config) }

// identify finds out which Karmada answers: after every broken watch, and now and then, since a watch that hangs, or
// that is accepted and closed at once, looks idle.
func (c *Connection) identify() {
	fresh := wait.Backoff{Duration: c.options.RetryMin, Cap: c.options.RetryMax, Factor: 2, Jitter: 0.2, Steps: 16}
	backoff := fresh
	for {
		asked := time.Now()
		identity, err := c.askIdentity()
		if c.ctx.Err() != nil {
			return
		}
		c.identified(identity, err)
		if c.options.Asked != nil {
			c.options.Asked(c.ctx, err)
		}
		pause := c.options.Heartbeat
		if err == nil {
			backoff = fresh
		} else {
			pause = backoff.Step()
		}
		if !c.pause(asked, pause) {
			return
		}
	}
}

// pause waits before the next probe. A requested one comes at once, but no sooner than RetryMin after the last: a
// watch may end as soon as it has begun, again and again.
func (c *Connection) pause(since time.Time, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	case <-c.recheck:
	}
	timer.Reset(c.options.RetryMin - time.Since(since))
	select {
	case <-timer.C:
		return true
	case <-c.ctx.Done():
		return false
	}
}

// waitUntilReachable holds the watch back while the Karmada does not answer: the reflector's own backoff grows to a
// minute, and would delay the watch after the Karmada answers again.
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

var namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}

func (c *Connection) askIdentity() (string, error) {
	ctx, cancel := context.WithTimeout(c.ctx, c.options.ProbeTimeout)
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
		c.options.Logger.Warn("Karmada does not answer", "instance", c.instance, "error", err)
	} else {
		c.options.Logger.Info("Karmada answers", "instance", c.instance, "identity", identity)
	}
	c.wake(nil, nil, nil)
}

// CheckAgain requests another probe.
func (c *Connection) CheckAgain() {
	select {
	case c.recheck <- struct{}{}:
	default:
	}
}

// wake passes a change of a watch to woken. Without a watch it was the Karmada itself that changed, and without
// objects the watch.
func (c *Connection) wake(w *Watch, before, after Object) {
	if c.ctx.Err() == nil && c.woken != nil {
		c.woken(w, before, after)
	}
}

// State returns what is known now of the Karmada and of some watches.
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

// List returns the objects of a watch, by namespace and name. They must not be changed.
func (c *Connection) List(w *Watch) []Object { return c.watched[w].sorted() }

// Get returns one object of a watch, nil when there is none. It must not be changed.
func (c *Connection) Get(w *Watch, namespace, name string) Object {
	return c.watched[w].get(namespace, name)
}

// Dynamic returns a client for a controller's own requests. Each call needs a deadline.
func (c *Connection) Dynamic() dynamic.Interface { return c.dynamic }

// Gone asks the Karmada itself whether an object of a watch no longer exists. Only a definite answer about the object
// counts: an API that is not served at the moment says "not found" as well.
func (c *Connection) Gone(ctx context.Context, w *Watch, namespace, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.options.CallTimeout)
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

// maxAnswer is how much of an answer Fetch reads, in bytes: it is for small answers.
const maxAnswer = 4 << 20

// StatusError is an answer that is not a success.
type StatusError struct {
	Code int
	// Status is the status line, and Body the beginning of the answer.
	Status string
	Body   string
}

func (e *StatusError) Error() string { return "answers " + e.Status }

// Answers asks whether a path below the Karmada's address answers with success.
func (c *Connection) Answers(ctx context.Context, path string) error {
	_, err := c.Fetch(ctx, path)
	return err
}

// Fetch returns the answer of a path below the Karmada's address. The error is a *StatusError when that is not a
// success.
func (c *Connection) Fetch(ctx context.Context, path string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.config.Host+path, http.NoBody)
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
