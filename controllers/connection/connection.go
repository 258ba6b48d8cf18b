package connection

import (
	"context"
	"crypto/sha256"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

// Object is what a watch holds: metadata only, or all of it (then it is *unstructured.Unstructured).
type Object interface {
	metav1.Object
	runtime.Object
}

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
	informer cache.SharedIndexInformer
	// recheck asks to find out again who answers.
	recheck chan struct{}

	mu       sync.Mutex
	identity string
	// reachable is closed while the Karmada is identified.
	reachable chan struct{}
	// unreachable is why the Karmada cannot be identified; unwatched is why the watch is broken.
	unreachable, unwatched error
}

// State is what a Connection knows.
type State struct {
	// Identity is the UID of the Karmada's namespace kube-system, by which a rebuilt one is told from
	// its predecessor. Empty when it could not be found out, or has to be found out again.
	Identity string
	// Synced says that the objects of the watch are known. They stay so when the Karmada goes away.
	Synced bool
	// Err is why the Karmada or the watched resource does not answer; nil when both do, or when
	// nothing has been tried yet.
	Err error
}

func newConnection(set *Set, instance string, config *rest.Config) (*Connection, error) {
	config = rest.CopyConfig(config)
	config.UserAgent = "kairship-controller-manager"
	config.QPS, config.Burst = 20, 40
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	// A member behind the cluster proxy chooses its answers: a redirect must not carry the credential off.
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	c := &Connection{set: set, instance: instance, host: config.Host, http: client, recheck: make(chan struct{}, 1), reachable: make(chan struct{})}
	if c.dynamic, err = dynamic.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	if c.metadata, err = metadata.NewForConfigAndClient(config, client); err != nil {
		return nil, fmt.Errorf("making a client for instance %q: %w", instance, err)
	}
	c.ctx, c.cancel = context.WithCancel(set.ctx)
	if err := c.prepareInformer(); err != nil {
		c.cancel()
		return nil, err
	}
	return c, nil
}

// prepareInformer makes the informer. Its requests are made here so that each has a deadline and tells
// whether the watch works.
func (c *Connection) prepareInformer() error {
	w := c.set.options.Watch
	var example runtime.Object = &unstructured.Unstructured{}
	list := func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
		return c.dynamic.Resource(w.Resource).List(ctx, o)
	}
	follow := func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
		return c.dynamic.Resource(w.Resource).Watch(ctx, o)
	}
	if w.MetadataOnly {
		example = &metav1.PartialObjectMetadata{}
		list = func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			return c.metadata.Resource(w.Resource).List(ctx, o)
		}
		follow = func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return c.metadata.Resource(w.Resource).Watch(ctx, o)
		}
	}
	c.informer = cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) {
			if err := c.waitUntilReachable(ctx); err != nil {
				return nil, err
			}
			ctx, cancel := context.WithTimeout(ctx, c.set.options.CallTimeout)
			defer cancel()
			o.LabelSelector = w.LabelSelector
			objects, err := list(ctx, o)
			c.watching(err)
			return objects, err
		},
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			if err := c.waitUntilReachable(ctx); err != nil {
				return nil, err
			}
			o.LabelSelector = w.LabelSelector
			stream, err := beginWatch(ctx, c.set.options.CallTimeout, func(ctx context.Context) (watch.Interface, error) { return follow(ctx, o) })
			c.watching(err)
			return stream, err
		},
	}, example, 0, cache.Indexers{})
	// A resource may be wanted for its status, but never for who wrote what.
	if err := c.informer.SetTransform(func(obj any) (any, error) {
		if o, ok := obj.(metav1.Object); ok {
			o.SetManagedFields(nil)
		}
		return obj, nil
	}); err != nil {
		return fmt.Errorf("preparing the watch on instance %q: %w", c.instance, err)
	}
	if err := c.informer.SetWatchErrorHandlerWithContext(func(_ context.Context, _ *cache.Reflector, err error) { c.watching(err) }); err != nil {
		return fmt.Errorf("preparing the watch on instance %q: %w", c.instance, err)
	}
	_, err := c.informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { c.wake() },
		DeleteFunc: func(any) { c.wake() },
		UpdateFunc: func(before, after any) {
			if w.Matters == nil || w.Matters(before.(Object), after.(Object)) {
				c.wake()
			}
		},
	})
	if err != nil {
		return fmt.Errorf("preparing the watch on instance %q: %w", c.instance, err)
	}
	return nil
}

// beginWatch begins a watch within a time, and lets it last.
func beginWatch(ctx context.Context, within time.Duration, begin func(context.Context) (watch.Interface, error)) (watch.Interface, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(within, func() { cancel(context.DeadlineExceeded) })
	stream, err := begin(ctx)
	if !timer.Stop() && err == nil {
		stream.Stop()
		err = context.Cause(ctx)
	}
	if err != nil {
		cancel(nil)
		return nil, err
	}
	return boundWatch{Interface: stream, cancel: cancel}, nil
}

// boundWatch gives its context back when it stops.
type boundWatch struct {
	watch.Interface

	cancel context.CancelCauseFunc
}

func (w boundWatch) Stop() {
	w.Interface.Stop()
	w.cancel(nil)
}

// run owns the goroutines of the connection.
func (c *Connection) run() {
	defer c.http.CloseIdleConnections()
	var running sync.WaitGroup
	defer running.Wait()
	running.Go(func() { c.informer.RunWithContext(c.ctx) })
	running.Go(func() {
		if cache.WaitForCacheSync(c.ctx.Done(), c.informer.HasSynced) {
			c.wake()
		}
	})
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
	c.wake()
}

// watching notes whether the watch works. When it does not, the one that answers next may be another.
func (c *Connection) watching(err error) {
	if c.ctx.Err() != nil {
		return
	}
	c.mu.Lock()
	changed := (c.unwatched == nil) != (err == nil)
	c.unwatched = err
	c.mu.Unlock()
	if err != nil {
		select {
		case c.recheck <- struct{}{}:
		default:
		}
	}
	if changed {
		if err != nil {
			c.set.options.Logger.Warn("the watch on Karmada broke", "instance", c.instance, "resource", c.set.options.Watch.Resource.String(), "error", err)
		}
		c.wake()
	}
}

func (c *Connection) wake() {
	if c.ctx.Err() == nil {
		c.set.wake(c.instance)
	}
}

// State is what is known now.
func (c *Connection) State() State {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := State{Identity: c.identity, Synced: c.informer.HasSynced(), Err: c.unreachable}
	if s.Err == nil {
		s.Err = c.unwatched
	}
	return s
}

// List is the objects of the watch, by name. They must not be changed.
func (c *Connection) List() []Object {
	items := c.informer.GetStore().List()
	out := make([]Object, 0, len(items))
	for _, item := range items {
		out = append(out, item.(Object))
	}
	slices.SortFunc(out, func(a, b Object) int { return strings.Compare(key(a), key(b)) })
	return out
}

// Get is one object of the watch, nil when there is none. It must not be changed.
func (c *Connection) Get(namespace, name string) Object {
	item, ok, err := c.informer.GetStore().GetByKey(cache.NewObjectName(namespace, name).String())
	if err != nil || !ok {
		return nil
	}
	return item.(Object)
}

func key(o metav1.Object) string { return o.GetNamespace() + "/" + o.GetName() }

// Dynamic is a client for what a controller does there itself. Each call needs a deadline.
func (c *Connection) Dynamic() dynamic.Interface { return c.dynamic }

// Gone asks the Karmada itself whether an object of the watch is no more. Only a definite answer about
// the object counts: an API that is not served at the moment says "not found" as well.
func (c *Connection) Gone(ctx context.Context, namespace, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, c.set.options.CallTimeout)
	defer cancel()
	_, err := c.metadata.Resource(c.set.options.Watch.Resource).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	switch {
	case err == nil:
		return false, nil
	case apierrors.IsNotFound(err) && !apierrors.HasStatusCause(err, metav1.CauseTypeUnexpectedServerResponse):
		return true, nil
	default:
		return false, fmt.Errorf("asking instance %q whether %s %q exists: %w", c.instance, c.set.options.Watch.Resource.Resource, name, err)
	}
}

// Answers asks whether a path below the Karmada's address answers with success.
func (c *Connection) Answers(ctx context.Context, path string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.host+path, http.NoBody)
	if err != nil {
		return fmt.Errorf("asking instance %q: %w", c.instance, err)
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return fmt.Errorf("asking instance %q: %w", c.instance, err)
	}
	defer func() { _ = resp.Body.Close() }()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("answers %s", resp.Status)
	}
	return nil
}
