// Package connection keeps a live connection to the Karmada of an Instance, for the API server and the controllers
// alike: it knows whether that Karmada answers and which one it is, holds the watches there, and carries every client
// of the instance. A Karmada that does not answer does not slow the others, and its last known state stays available.
//
// It must not know what the data is used for, nor who asks: that is for internal/instance, which checks what people
// may see, and for the controllers.
package connection

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"

	"github.com/kairship-io/kairship/internal/instance/kubeconfig"
	"github.com/kairship-io/kairship/internal/instance/link"
)

// Options of connections.
type Options struct {
	Logger    *slog.Logger
	UserAgent string
	// Dial connects to an instance; nil for a direct connection.
	Dial link.Dialler
	// Wrap is put around every request to an instance; nil for nothing.
	Wrap transport.WrapperFunc
	// QPS limits the requests a second of a client, with a burst of twice as many; negative for no limit. Default 50.
	QPS float32
	// CallTimeout bounds each request that is not a watch, and how long a watch takes to begin. Default 10 s.
	CallTimeout time.Duration
	// ProbeTimeout bounds a probe of whether a Karmada answers. Default CallTimeout.
	ProbeTimeout time.Duration
	// RetryMin and RetryMax bound the pause between attempts to reach a Karmada. Default 1 s and 10 s.
	RetryMin, RetryMax time.Duration
	// Heartbeat is how often a Karmada that answers is asked whether it still does. Default 10 s.
	Heartbeat time.Duration
	// Asked is called after each probe, with the error if the Karmada does not answer; nil for none. The next probe
	// waits for it.
	Asked func(ctx context.Context, err error)
}

func (o Options) withDefaults() Options {
	o.QPS = cmp.Or(o.QPS, 50)
	o.CallTimeout = cmp.Or(o.CallTimeout, 10*time.Second)
	o.ProbeTimeout = cmp.Or(o.ProbeTimeout, o.CallTimeout)
	o.RetryMin = cmp.Or(o.RetryMin, time.Second)
	o.RetryMax = cmp.Or(o.RetryMax, 10*time.Second)
	o.Heartbeat = cmp.Or(o.Heartbeat, 10*time.Second)
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return o
}

// Set is the connections of the controllers of a manager.
type Set struct {
	options Options

	mu          sync.Mutex
	stopped     bool
	connections map[string]*held
	// running is waited for at the end.
	running sync.WaitGroup
	// watches are all that any controller is interested in.
	watches map[*Watch]bool
	woken   []listener
}

// held is a connection and the fingerprint of its credential.
type held struct {
	*Connection

	fingerprint [sha256.Size]byte
}

// listener is a controller's interests and its queue.
type listener struct {
	interests []Interest
	queue     workqueue.TypedRateLimitingInterface[reconcile.Request]
}

// NewSet makes a Set. It belongs to a manager: Start ends every connection when the manager stops.
func NewSet(options Options) *Set {
	options.UserAgent = cmp.Or(options.UserAgent, "kairship-controller-manager")
	return &Set{options: options, connections: map[string]*held{}, watches: map[*Watch]bool{}}
}

// Start waits until the context ends and then ends every connection. They open when a controller asks for one, which
// may be earlier.
func (s *Set) Start(ctx context.Context) error {
	<-ctx.Done()
	// Under the lock, so that no Ensure adds a connection after the wait has begun.
	s.mu.Lock()
	s.stopped = true
	for _, c := range s.connections {
		c.Close()
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// NeedLeaderElection makes the Set run with the controllers.
func (s *Set) NeedLeaderElection() bool { return true }

// Source enqueues the name of an Instance for a controller whenever something that it is interested in changed there,
// or the Karmada itself did. Every Source must be made before the first Ensure.
func (s *Set) Source(interests ...Interest) source.Source {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, i := range interests {
		s.watches[i.Watch] = true
	}
	return source.Func(func(_ context.Context, queue workqueue.TypedRateLimitingInterface[reconcile.Request]) error {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.woken = append(s.woken, listener{interests: interests, queue: queue})
		return nil
	})
}

func (s *Set) wake(instance string, w *Watch, before, after Object) {
	s.mu.Lock()
	listeners := s.woken
	s.mu.Unlock()
	for _, l := range listeners {
		if w == nil || slices.ContainsFunc(l.interests, func(i Interest) bool {
			return i.Watch == w && (before == nil || after == nil || i.Matters == nil || i.Matters(before, after))
		}) {
			l.queue.Add(reconcile.Request{NamespacedName: types.NamespacedName{Name: instance}})
		}
	}
}

// Ensure returns the connection of an instance. When the credential is not the one that it was made with, the
// connection is replaced.
func (s *Set) Ensure(instance string, credential *kubeconfig.Credential) (*Connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, fmt.Errorf("connecting to instance %q: the controllers are stopping", instance)
	}
	fingerprint := credential.Fingerprint()
	old := s.connections[instance]
	if old != nil && old.fingerprint == fingerprint {
		return old.Connection, nil
	}
	c, err := Open(instance, credential, s.options, slices.Collect(maps.Keys(s.watches)), func(w *Watch, before, after Object) { s.wake(instance, w, before, after) })
	if err != nil {
		return nil, err
	}
	if old != nil {
		old.Close()
	}
	s.connections[instance] = &held{c, fingerprint}
	s.running.Go(c.Wait)
	return c, nil
}

// Remove ends the connection of an instance.
func (s *Set) Remove(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.connections[instance]; c != nil {
		c.Close()
		delete(s.connections, instance)
	}
}
