package server

import (
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/kairship-io/kairship/internal/server/gate"
)

// The names of the limits of connections, which nobody who is refused by them can be told: nothing has been said
// yet, and over TLS nothing can be.
const (
	limitConnections           = "connections"
	limitConnectionsPerAddress = "connectionsPerAddress"
)

// connections counts the TCP connections that are open, of all listeners together.
type connections struct {
	all, each int
	// trusted says of an address that it is a proxy's, which comes for many.
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

// listen bounds what a listener accepts: what is too much is closed at once.
func (c *connections) listen(l net.Listener) net.Listener { return &boundedListener{l, c} }

type boundedListener struct {
	net.Listener
	connections *connections
}

// Accept gives the next connection for which there is room.
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
				_ = tcp.SetLinger(0) // whoever opens so many leaves nothing behind
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

// enter counts a connection until leave is called; limit is what refuses it.
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

// countedTCP is a TCP connection that is counted. It can do what one can that is not: net/http closes one side
// alone, so that who is refused still reads why.
type countedTCP struct {
	*net.TCPConn
	leave func()
}

// Close closes the connection.
func (c *countedTCP) Close() error {
	defer c.leave()
	return c.TCPConn.Close()
}

// countedConn is any other connection that is counted.
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
	// silentFor is how long an HTTP/2 connection may say nothing before it is asked whether it is there, and
	// pingTimeout how long that may take to be answered.
	silentFor   = 30 * time.Second
	pingTimeout = 15 * time.Second
)
