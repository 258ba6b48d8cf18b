package kubelet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"sync"
	"sync/atomic"
	"time"
)

// forwarder carries connections from a port of a Service to the pods behind it.
type forwarder struct {
	listener net.Listener
	log      *slog.Logger

	mu       sync.Mutex
	backends []string
	open     map[net.Conn]struct{}
	turn     atomic.Uint32
	loops    sync.WaitGroup
}

// dialTimeout is how long a pod may take to accept.
const dialTimeout = 5 * time.Second

func newForwarder(address string, log *slog.Logger) (*forwarder, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("listening for a Service: %w", err)
	}
	f := &forwarder{listener: l, log: log.With("service", address), open: map[net.Conn]struct{}{}}
	f.loops.Go(f.accept) // ends with the listener
	return f, nil
}

// to sets where new connections are forwarded. Open ones stay as they are.
func (f *forwarder) to(backends []string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.backends = backends
}

func (f *forwarder) accept() {
	for {
		c, err := f.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			f.log.Warn("accepting failed", "error", err)
			time.Sleep(100 * time.Millisecond) // perhaps out of file descriptors: others may close some
			continue
		}
		if !f.keep(c) {
			_ = c.Close()
			return
		}
		f.loops.Go(func() { f.carry(c) }) // ends with either connection
	}
}

// keep remembers a connection so that close ends it, too.
func (f *forwarder) keep(c net.Conn) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == nil {
		return false
	}
	f.open[c] = struct{}{}
	return true
}

func (f *forwarder) drop(c net.Conn) {
	f.mu.Lock()
	delete(f.open, c)
	f.mu.Unlock()
	_ = c.Close() // both sides are done with it
}

func (f *forwarder) carry(c net.Conn) {
	defer f.drop(c)
	b, err := f.dial()
	if err != nil {
		if t, ok := c.(*net.TCPConn); ok {
			_ = t.SetLinger(0) // a reset, as when nobody listens
		}
		return
	}
	if !f.keep(b) {
		_ = b.Close()
		return
	}
	defer f.drop(b)
	done := make(chan struct{})
	go func() { // ends when b sends nothing more, or is closed
		defer close(done)
		pass(c, b)
	}()
	pass(b, c)
	<-done
}

// pass copies until one side has finished, and closes the other for writing. Any error ends both directions.
func pass(to, from net.Conn) {
	if _, err := io.Copy(to, from); err != nil {
		_ = to.Close()
		_ = from.Close()
		return
	}
	if t, ok := to.(*net.TCPConn); ok {
		_ = t.CloseWrite()
	}
}

var errNoBackend = errors.New("no pod is ready")

// dial tries each pod once, a different one first each time.
func (f *forwarder) dial() (net.Conn, error) {
	f.mu.Lock()
	backends := f.backends
	f.mu.Unlock()
	err := errNoBackend
	first := int(f.turn.Add(1))
	for n := range backends {
		at := (first + n) % len(backends)
		ctx, cancel := context.WithTimeout(context.Background(), dialTimeout)
		var c net.Conn
		c, err = (&net.Dialer{}).DialContext(ctx, "tcp", backends[at])
		cancel()
		if err == nil {
			return c, nil
		}
	}
	return nil, err
}

// close ends all connections and returns when they are gone.
func (f *forwarder) close() {
	_ = f.listener.Close()
	f.mu.Lock()
	for c := range f.open {
		_ = c.Close()
	}
	f.open = nil
	f.mu.Unlock()
	f.loops.Wait()
}
