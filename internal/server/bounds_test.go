package server

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"

	"github.com/kairship-io/kairship/internal/server/gate"
)

// knocker opens a WebSocket without a word about who it is; status is what it was answered.
func (f *fixture) knocker() (conn net.Conn, status int, err error) {
	address := f.server.Listener.Addr().String()
	if conn, err = net.DialTimeout("tcp", address, patience); err != nil {
		return nil, 0, err
	}
	_ = conn.SetDeadline(time.Now().Add(2 * patience))
	if _, err = fmt.Fprintf(conn, "GET /graphql HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", address, subprotocol); err == nil {
		var res *http.Response
		if res, err = http.ReadResponse(bufio.NewReader(conn), nil); err == nil { //nolint:bodyclose // it is closed with its connection
			return conn, res.StatusCode, nil
		}
	}
	_ = conn.Close()
	return nil, 0, err
}

func TestHalfOpenSocketsAreLimited(t *testing.T) {
	for limit, change := range map[string]func(*Limits){
		"halfOpenSocketsPerAddress": func(l *Limits) { l.HalfOpenSocketsPerAddress = 2 },
		"halfOpenSockets":           func(l *Limits) { l.HalfOpenSockets = 2 },
	} {
		t.Run(limit, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { change(&c.Limits) })
			first, second := f.dial(), f.dial()
			headers := []string{"Authorization", "", "Connection", "Upgrade", "Upgrade", "websocket"}
			a := f.do("GET", "/graphql", "", headers...)
			if a.status != http.StatusTooManyRequests || a.limit() != limit || a.header.Get("Retry-After") == "" {
				t.Errorf("the third: %d %s", a.status, a.raw)
			}
			// Who says who they are, and who goes, leaves room for others.
			first.send(initAdmin).want(ack)
			eventually(t, "there is room", func() bool { return f.waiting() == 1 })
			third := f.dial()
			_ = second.conn.CloseNow()
			eventually(t, "there is room again", func() bool { return f.waiting() == 1 })
			third.send(initAdmin).want(ack)
			first.send(subscribe("1", "{who}")).want(`{"id":"1","type":"next","payload":{"data":{"who":"ann"}}}`, `{"id":"1","type":"complete"}`)
			eventually(t, "nothing is counted any more", func() bool { return f.waiting() == 0 })
		})
	}
}

// waiting is how many sockets are half open.
func (f *fixture) waiting() int {
	return f.gate.Open().HalfOpen
}

func TestSocketsOfAUserAreLimited(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.SocketsPerUser = 2 })
	first := f.admitted()
	f.admitted()
	f.dial().send(initAdmin).want("closed 1013 you have 2 connections open; no more are allowed (limit socketsPerUser)")
	f.tokens.set("carl", &anna)
	_ = first.conn.CloseNow()
	eventually(t, "there is room", func() bool {
		return f.gate.Open().Sockets == 1
	})
	f.admitted()
}

func TestTenThousandHalfOpenSocketsHarmNobody(t *testing.T) {
	f := newFixture(t)
	const all, together = 10_000, 100
	var mu sync.Mutex
	answers := map[int]int{}
	var kept []net.Conn
	var group sync.WaitGroup
	for range together {
		group.Go(func() {
			for range all / together {
				conn, status, err := f.knocker()
				mu.Lock()
				switch {
				case err != nil:
					answers[-1]++
				case status == http.StatusSwitchingProtocols:
					kept = append(kept, conn)
					answers[status]++
				default:
					_ = conn.Close()
					answers[status]++
				}
				mu.Unlock()
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	slowest, queries := time.Duration(0), 0
	for beside := true; beside; {
		select {
		case <-done:
			beside = false
		default:
		}
		began := time.Now()
		if a := f.query("{who}"); a.Data["who"] != "ann" {
			t.Fatalf("a query beside: %s", a.raw)
		}
		slowest, queries = max(slowest, time.Since(began)), queries+1
	}
	for _, conn := range kept {
		_ = conn.Close()
	}
	t.Logf("answers %v; %d queries beside, the slowest took %s", answers, queries, slowest)
	// All that are let in are half open for ten seconds; on a slow machine the first may be gone by the end.
	if answers[http.StatusTooManyRequests] < all-10*f.limits.HalfOpenSocketsPerAddress || answers[-1] > all/100 {
		t.Errorf("answers: %v", answers)
	}
	if slowest > 10*time.Second { // as if it had waited for the sockets
		t.Errorf("a query took %s", slowest)
	}
}

func TestFiveThousandSubscriptionsOfOneUser(t *testing.T) {
	f := newFixture(t)
	each, limit := f.limits.SubscriptionsPerConnection, f.limits.SubscriptionsPerUser
	refused := 0
	for i := range 5_000 / each {
		c := f.admitted()
		for j := range each {
			c.send(subscribe(fmt.Sprint(j), "subscription{ticks}"))
		}
		if open := (i + 1) * each; open <= limit {
			eventually(t, "they are open", func() bool { return f.schema.subscribers() == open })
			continue
		}
		for range each {
			if got := c.next(); strings.Contains(got, `"type":"error"`) && strings.Contains(got, `"limit":"subscriptionsPerUser"`) {
				refused++
			}
		}
	}
	if n := f.schema.subscribers(); n != limit || refused != 5_000-limit {
		t.Errorf("%d are open and %d were refused, want %d and %d", n, refused, limit, 5_000-limit)
	}
	if a := f.query("{who}"); a.Data["who"] != "ann" {
		t.Errorf("a query: %s", a.raw)
	}
}

// narrow is a client's side that takes little before it has to be read.
func narrow(ctx context.Context, network, address string) (net.Conn, error) {
	conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
	if err == nil {
		err = conn.(*net.TCPConn).SetReadBuffer(4 << 10)
	}
	return conn, err
}

func TestASubscriberThatNeverReadsIsDropped(t *testing.T) {
	for name, open := range map[string]func(*fixture, *http.Client){
		"a WebSocket": func(f *fixture, narrow *http.Client) {
			conn, _, err := websocket.Dial(f.t.Context(), f.server.URL+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // the connection has taken it over
				Subprotocols: []string{subprotocol}, HTTPClient: narrow})
			if err != nil {
				f.t.Fatal(err)
			}
			f.t.Cleanup(func() { _ = conn.CloseNow() })
			c := (&client{f.t, conn}).send(initAdmin).want(ack)
			for i := range f.limits.SubscriptionsPerConnection {
				c.send(subscribe(fmt.Sprint(i), "subscription{large}"))
			}
		},
		"an event stream": func(f *fixture, narrow *http.Client) {
			for range f.limits.SubscriptionsPerConnection {
				req, _ := http.NewRequestWithContext(f.t.Context(), http.MethodPost, f.server.URL+"/graphql", strings.NewReader(`{"query":"subscription{large}"}`))
				req.Header.Set("Authorization", "Bearer admin")
				req.Header.Set("Content-Type", mediaJSON)
				req.Header.Set("Accept", mediaEvents)
				res, err := narrow.Do(req)
				if err != nil {
					f.t.Fatal(err)
				}
				f.t.Cleanup(func() { _ = res.Body.Close() })
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.Limits.SubscriptionsPerConnection = 10 })
			f.writeTimeout = 200 * time.Millisecond
			transport := &http.Transport{DialContext: narrow}
			t.Cleanup(transport.CloseIdleConnections)
			open(f, &http.Client{Transport: transport})
			eventually(t, "they are open", func() bool { return f.schema.subscribers() == 10 })
			var before, after runtime.MemStats
			runtime.GC()
			runtime.ReadMemStats(&before)
			most := uint64(0)
			events := 0
			eventually(t, "they are dropped", func() bool {
				f.schema.tick(1) // each is 100 kB for each subscriber
				if events++; events%100 == 0 {
					runtime.GC()
					runtime.ReadMemStats(&after)
					most = max(most, after.HeapAlloc)
				}
				if a := f.query("{who}"); a.Data["who"] != "ann" {
					t.Fatalf("a query beside: %s", a.raw)
				}
				return f.schema.subscribers() == 0
			})
			if most > before.HeapAlloc+32<<20 {
				t.Errorf("they held %d MiB", (most-before.HeapAlloc)>>20)
			}
			eventually(t, "nothing is counted any more", func() bool {
				f.mu.Lock()
				defer f.mu.Unlock()
				return f.gate.Open() == gate.Counts{} && f.open == 0
			})
			eventually(t, "the log names the limit", func() bool { return strings.Contains(f.log.String(), "(limit writeTime)") })
		})
	}
}

// Who opens a connection and says nothing, or says it letter by letter, is given up.
func TestASilentConnectionIsGivenUp(t *testing.T) {
	s := newServer(http.NotFoundHandler(), slog.New(slog.DiscardHandler))
	if s.ReadHeaderTimeout <= 0 || s.ReadHeaderTimeout > 10*time.Second || s.IdleTimeout <= 0 || s.MaxHeaderBytes <= 0 || s.MaxHeaderBytes > 64<<10 {
		t.Errorf("headers may take %s and %d bytes, and connections idle for %s", s.ReadHeaderTimeout, s.MaxHeaderBytes, s.IdleTimeout)
	}
	s.ReadHeaderTimeout = 50 * time.Millisecond
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	go func() { _ = s.Serve(l) }()
	defer s.Close()
	for name, said := range map[string]string{"says nothing": "", "says half a head": "POST /graphql HTTP/1.1\r\nHost: x\r\n"} {
		t.Run(name, func(t *testing.T) {
			conn, err := net.Dial("tcp", l.Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			_, _ = conn.Write([]byte(said))
			_ = conn.SetReadDeadline(time.Now().Add(patience))
			raw := make([]byte, 1000)
			for err == nil {
				_, err = conn.Read(raw)
			}
			if timeout, ok := err.(net.Error); ok && timeout.Timeout() { //nolint:errorlint // a net.Conn's own error
				t.Error("the connection is still open")
			}
		})
	}
}
