package server

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/server/gate"
)

// The names of the limits of connections. Clients refused by them get no error: nothing has been received yet, and over
// TLS nothing can be sent.
const (
	limitConnections           = "connections"
	limitConnectionsPerAddress = "connectionsPerAddress"
)

// connections counts the open TCP connections of all listeners together.
type connections struct {
	all, each int
	// trusted reports whether an address is that of a proxy, which connects for many clients.
	trusted func(netip.Addr) bool
	open    prometheus.Gauge
	refused *prometheus.CounterVec

	mu    sync.Mutex
	total int
	by    gate.Tally
}

func newConnections(d *Server) *connections {
	return &connections{
		all: d.limits.Connections, each: d.limits.ConnectionsPerAddress, trusted: d.gate.Trusts,
		open: d.metrics.connections, refused: d.metrics.refusals, by: gate.Tally{},
	}
}

// listen limits what a listener accepts: connections over a limit are closed at once.
func (c *connections) listen(l net.Listener) net.Listener { return &boundedListener{l, c} }

type boundedListener struct {
	net.Listener
	connections *connections
}

// Accept returns the next connection within the limits.
func (l *boundedListener) Accept() (net.Conn, error) {
	for {
		conn, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		leave, limit := l.connections.enter(conn.RemoteAddr())
		if limit != "" {
			l.connections.refused.WithLabelValues(limit).Inc()
			if tcp, ok := conn.(*net.TCPConn); ok {
				_ = tcp.SetLinger(0) // reset it, so that refused connections leave no state behind
			}
			_ = conn.Close()
			continue
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			return &countedTCP{tcp, leave}, nil
		}
		return &countedConn{conn, leave}, nil
	}
}

// enter counts a connection until leave is called; limit is the limit that refuses it.
func (c *connections) enter(from net.Addr) (leave func(), limit string) {
	key := ""
	if at, err := netip.ParseAddrPort(from.String()); err == nil && !c.trusted(at.Addr()) {
		key = gate.NetworkOf(at.Addr())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case key != "" && c.by[key] >= c.each:
		return nil, limitConnectionsPerAddress
	case c.total >= c.all:
		return nil, limitConnections
	}
	c.total++
	if key != "" {
		c.by[key]++
	}
	c.open.Set(float64(c.total))
	return sync.OnceFunc(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.total--
		if key != "" {
			c.by.Leave(key)
		}
		c.open.Set(float64(c.total))
	}), ""
}

// countedTCP is a counted TCP connection. It keeps a TCP connection's methods: net/http closes one side alone, so that
// a refused client can still read why.
type countedTCP struct {
	*net.TCPConn
	leave func()
}

// Close closes the connection.
func (c *countedTCP) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}

// countedConn is any other counted connection.
type countedConn struct {
	net.Conn
	leave func()
}

// Close closes the connection.
func (c *countedConn) Close() error {
	defer c.leave()
	return c.Conn.Close()
}

const (
	// maxConcurrentStreams is how many requests one HTTP/2 connection may have open.
	maxConcurrentStreams = 100
	// silentFor is how long an HTTP/2 connection may be silent before it is pinged, and pingTimeout how long the answer
	// may take.
	silentFor   = 30 * time.Second
	pingTimeout = 15 * time.Second
)
