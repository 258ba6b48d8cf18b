package server

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/netip"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestOpenConnectionsAreLimited(t *testing.T) {
	for limit, c := range map[string]struct {
		change func(*Config)
		// another is the address of somebody else, and for them there is room or not.
		another bool
	}{
		"connections":           {func(c *Config) { c.Limits.Connections = 3 }, false},
		"connectionsPerAddress": {func(c *Config) { c.Limits.ConnectionsPerAddress = 3 }, true},
	} {
		t.Run(limit, func(t *testing.T) {
			f := newFixture(t, c.change)
			plain, secure, _ := f.listening()
			dial := func(from, to string) net.Conn {
				t.Helper()
				conn, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}, Timeout: patience}).Dial("tcp", to)
				if err != nil {
					return nil // it was closed before it was known here that it was open
				}
				t.Cleanup(func() { _ = conn.Close() })
				return conn
			}
			// Of both listeners together, in whatever state they are.
			open := []net.Conn{dial("127.0.0.1", plain), dial("127.0.0.1", secure), dial("127.0.0.1", plain)}
			if slices.Contains(open, nil) {
				t.Fatal("there is no room for three")
			}
			eventually(t, "three are open", func() bool { return f.openConnections() == 3 })
			refused := func(conn net.Conn) bool {
				if conn == nil {
					return true
				}
				_ = conn.SetDeadline(time.Now().Add(patience))
				_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
				_, err := io.ReadFull(conn, make([]byte, 12))
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatal("nobody answers, and nobody closes")
				}
				return err != nil
			}
			if !refused(dial("127.0.0.1", plain)) || !refused(dial("127.0.0.1", secure)) {
				t.Error("there was room for a fourth")
			}
			if refused(dial("127.0.0.2", plain)) == c.another {
				t.Errorf("somebody else is refused: want room for them %v", c.another)
			}
			if n := f.metric("kairship_graphql_limit_refusals_total{limit=\"" + limit + "\"}"); n == "" {
				t.Error("the refusals are not counted")
			}
			_ = open[0].Close()
			eventually(t, "there is room again", func() bool { return f.openConnections() < 4 && !refused(dial("127.0.0.1", plain)) })
		})
	}
}

// metric is the value of a series; empty when it is not there.
func (f *fixture) metric(series string) string {
	f.t.Helper()
	for line := range strings.Lines(f.do(http.MethodGet, "/metrics", "").raw) {
		if value, ok := strings.CutPrefix(line, series+" "); ok {
			return strings.TrimSpace(value)
		}
	}
	return ""
}

func (f *fixture) openConnections() int {
	f.connections.mu.Lock()
	defer f.connections.mu.Unlock()
	return f.connections.total
}

func TestOpenConnectionsAreTold(t *testing.T) {
	f := newFixture(t)
	told := func(want string) {
		t.Helper()
		if got := f.metric("kairship_http_connections"); got != want {
			t.Errorf("%s connections are told, want %s", got, want)
		}
	}
	told("0")
	var leave [2]func()
	for i := range leave {
		leave[i], _ = f.connections.enter(net.TCPAddrFromAddrPort(netip.MustParseAddrPort("192.0.2.1:4711")))
	}
	told("2")
	for range 2 { // to close one twice counts once
		leave[0]()
		told("1")
	}
	leave[1]()
	told("0")
}

func TestConnectionsOfATrustedProxyAreNotOneAddresss(t *testing.T) {
	f := newFixture(t, func(c *Config) {
		c.Limits.Connections, c.Limits.ConnectionsPerAddress = 10, 2
		c.TrustedProxies = []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")}
	})
	for _, tc := range []struct {
		from string
		n    int // for how many there is room
	}{
		{"192.0.2.1:%d", 2},
		{"10.1.2.3:%d", 6},
		{"[2001:db8::%d]:4711", 2}, // a host has a whole network
		{"192.0.2.2:1", 0},         // all together
	} {
		n := 0
		for i := 1; i <= 6; i++ {
			at := netip.MustParseAddrPort(strings.ReplaceAll(tc.from, "%d", string(rune('0'+i))))
			if _, limit := f.connections.enter(net.TCPAddrFromAddrPort(at)); limit == "" {
				n++
			}
		}
		if n != tc.n {
			t.Errorf("%s: room for %d, want %d", tc.from, n, tc.n)
		}
	}
}

// Whoever is cut off while a body is on its way can read the answer only when the connection is closed on one
// side first, which net/http does to what can do that.
func TestACountedConnectionCanDoWhatOthersCan(t *testing.T) {
	for _, want := range []func(net.Conn) bool{
		func(c net.Conn) bool { _, ok := c.(interface{ CloseWrite() error }); return ok },
		func(c net.Conn) bool { _, ok := c.(io.ReaderFrom); return ok },
	} {
		if !want(&countedTCP{}) {
			t.Error("it cannot")
		}
	}
}

func TestManyRequestsOnOneConnectionAreLimited(t *testing.T) {
	s := newServer(http.NotFoundHandler(), newFixture(t).cfg.Logger)
	if s.HTTP2 == nil || s.HTTP2.MaxConcurrentStreams != 100 || s.HTTP2.SendPingTimeout <= 0 || s.HTTP2.PingTimeout <= 0 || s.HTTP2.WriteByteTimeout <= 0 {
		t.Errorf("HTTP/2: %+v", s.HTTP2)
	}
}
