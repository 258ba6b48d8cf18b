// Package connection keeps one live connection to the Karmada of each Instance on behalf of all
// controllers: it knows whether that Karmada answers and which one it is, and holds the watches there
// whose changes wake them. A Karmada that does not answer costs the others nothing, and what was known
// of it stays known.
//
// It must not know what a controller does with what it sees, and it writes nothing. People's requests do
// not pass here: those go through internal/instance, which asks who they are.
package connection

import (
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/transport"
	"k8s.io/client-go/util/workqueue"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
	"sigs.k8s.io/controller-runtime/pkg/source"
)

// Options of a Set.
type Options struct {
	Logger *slog.Logger
	// Wrap is put around every request to a Karmada; nil for nothing.
	Wrap transport.WrapperFunc
	// CallTimeout bounds each request that is not a watch. Default 10 s.
	CallTimeout time.Duration
	// RetryMin and RetryMax bound the pause between attempts to reach a Karmada. Default 1 s and 10 s.
	RetryMin, RetryMax time.Duration
	// Heartbeat is how often a Karmada that answers is asked whether it still does. Default 10 s.
	Heartbeat time.Duration
}

// Set is the connections of a manager.
type Set struct {
	options Options
	ctx     context.Context
	cancel  context.CancelFunc
	running sync.WaitGroup

	mu          sync.Mutex
	connections map[string]*Connection
	// watches are all that any controller is interested in.
	watches map[*Watch]bool
	woken   []listener
}

// listener is a controller that is woken.
type listener struct {
	interests []Interest
	queue     workqueue.TypedRateLimitingInterface[reconcile.Request]
}

// NewSet makes a Set. It belongs to a manager: Start ends every connection when the manager stops.
func NewSet(options Options) *Set {
	if options.CallTimeout == 0 {
		options.CallTimeout = 10 * time.Second
	}
	if options.RetryMin == 0 {
		options.RetryMin = time.Second
	}
	if options.RetryMax == 0 {
		options.RetryMax = 10 * time.Second
	}
	if options.Heartbeat == 0 {
		options.Heartbeat = 10 * time.Second
	}
	if options.Logger == nil {
		options.Logger = slog.Default()
	}
	// Connections begin when a controller asks for one, which may be before Start: so the context that
	// they live by is the Set's own.
	ctx, cancel := context.WithCancel(context.Background())
	return &Set{options: options, ctx: ctx, cancel: cancel, connections: map[string]*Connection{}, watches: map[*Watch]bool{}}
}

// Start waits until the context ends and then ends every connection.
func (s *Set) Start(ctx context.Context) error {
	<-ctx.Done()
	// Under the lock, so that no Ensure adds a connection after the wait has begun.
	s.mu.Lock()
	s.cancel()
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// NeedLeaderElection says that the Set lives with the controllers.
func (s *Set) NeedLeaderElection() bool { return true }

// Source wakes a controller with the name of an Instance whenever something that it is interested in
// changed there, or the Karmada itself did. Every Source has to be made before the first Ensure.
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

// Ensure returns the connection of an instance. When the configuration is not the one that it was made
// with, the connection is replaced.
func (s *Set) Ensure(instance string, config *rest.Config) (*Connection, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.ctx.Err(); err != nil {
		return nil, fmt.Errorf("connecting to instance %q: the controllers are stopping", instance)
	}
	fingerprint := fingerprintOf(config)
	old := s.connections[instance]
	if old != nil && old.fingerprint == fingerprint {
		return old, nil
	}
	c, err := newConnection(s, instance, config)
	if err != nil {
		return nil, err
	}
	c.fingerprint = fingerprint
	if old != nil {
		old.cancel()
	}
	s.connections[instance] = c
	s.running.Go(c.run)
	return c, nil
}

// Remove ends the connection of an instance.
func (s *Set) Remove(instance string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if c := s.connections[instance]; c != nil {
		c.cancel()
		delete(s.connections, instance)
	}
}

// fingerprintOf is equal for configurations that reach the same server as the same user.
func fingerprintOf(config *rest.Config) [sha256.Size]byte {
	h := sha256.New()
	for _, part := range [][]byte{[]byte(config.Host), config.CAData, config.CertData, config.KeyData, []byte(config.BearerToken)} {
		fmt.Fprintf(h, "%d:", len(part))
		h.Write(part)
	}
	return [sha256.Size]byte(h.Sum(nil))
}
