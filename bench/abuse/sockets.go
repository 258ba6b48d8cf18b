package abuse

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/coder/websocket"
	"github.com/coder/websocket/wsjson"
)

const (
	subprotocol = "graphql-transport-ws"
	// patience is how long one connection may take.
	patience = 30 * time.Second
	// PerConnection is how many operations a socket may have open at once.
	PerConnection = 50
)

// Source is the i-th of 250 loopback addresses to attack from.
func Source(i int) net.IP { return net.IPv4(127, 0, 9, byte(1+i%250)) }

// dial opens a connection from an address.
func dial(ctx context.Context, to Target, from net.IP) (net.Conn, error) {
	d := net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: patience}
	conn, err := d.DialContext(ctx, "tcp", host(to))
	if err != nil {
		return nil, fmt.Errorf("connecting from %s: %w", from, err)
	}
	_ = conn.SetDeadline(time.Now().Add(patience))
	return conn, nil
}

func host(to Target) string { return strings.TrimPrefix(to.Address, "http://") }

// HalfHead opens a connection and sends half of the head of a request.
func HalfHead(ctx context.Context, to Target, from net.IP) (net.Conn, error) {
	conn, err := dial(ctx, to, from)
	if err != nil {
		return nil, err
	}
	if _, err := fmt.Fprintf(conn, "POST /graphql HTTP/1.1\r\nHost: %s\r\nContent-", host(to)); err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("sending half a head: %w", err)
	}
	return conn, nil
}

// Knock opens a WebSocket without authenticating on it. conn is nil when it was refused.
func Knock(ctx context.Context, to Target, from net.IP) (conn net.Conn, refusal Refusal, err error) {
	if conn, err = dial(ctx, to, from); err != nil {
		return nil, Refusal{}, err
	}
	defer func() {
		if err != nil || refusal != (Refusal{}) {
			_ = conn.Close()
			conn = nil
		}
	}()
	if _, err = fmt.Fprintf(conn, "GET /graphql HTTP/1.1\r\nHost: %s\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"+
		"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: %s\r\n\r\n", host(to), subprotocol); err != nil {
		return conn, refusal, fmt.Errorf("asking for a WebSocket: %w", err)
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil) //nolint:bodyclose // it is closed with its connection
	if err != nil {
		return conn, refusal, fmt.Errorf("asking for a WebSocket: %w", err)
	}
	if resp.StatusCode != http.StatusSwitchingProtocols {
		refusal, err = refusalOf(resp)
	}
	return conn, refusal, err
}

// message is one of graphql-transport-ws.
type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// Socket is an open WebSocket of the attacker.
type Socket struct {
	conn *websocket.Conn
	next int
}

// Open opens a WebSocket; socket is nil when it was refused. narrow gives it a small read buffer.
func Open(ctx context.Context, to Target, narrow bool) (socket *Socket, refusal Refusal, err error) {
	transport := &http.Transport{DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := (&net.Dialer{}).DialContext(ctx, network, address)
		if tcp, ok := conn.(*net.TCPConn); ok && narrow {
			err = tcp.SetReadBuffer(4 << 10)
		}
		return conn, err
	}}
	conn, _, err := websocket.Dial(ctx, to.Address+"/graphql", &websocket.DialOptions{ //nolint:bodyclose // there is none once the connection is upgraded
		Subprotocols: []string{subprotocol}, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		return nil, Refusal{}, fmt.Errorf("opening a WebSocket: %w", err)
	}
	conn.SetReadLimit(4 << 20)
	s := &Socket{conn: conn}
	var ack message
	err = s.send(ctx, message{Type: "connection_init", Payload: object("authorization", "Bearer "+to.Token)})
	if err == nil {
		err = wsjson.Read(ctx, conn, &ack)
	}
	if err == nil {
		return s, Refusal{}, nil
	}
	s.Close()
	var closed websocket.CloseError
	if _, name, named := strings.Cut(err.Error(), "(limit "); errors.As(err, &closed) && named {
		name, _, _ = strings.Cut(name, ")")
		return nil, limit(int(closed.Code), name), nil
	}
	return nil, Refusal{}, fmt.Errorf("saying whose a WebSocket is: %w", err)
}

func (s *Socket) send(ctx context.Context, m message) error {
	if err := wsjson.Write(ctx, s.conn, m); err != nil {
		return fmt.Errorf("writing to a WebSocket: %w", err)
	}
	return nil
}

// Close ends the connection without a close frame.
func (s *Socket) Close() { _ = s.conn.CloseNow() }

// Subscribe begins n small subscriptions.
func (s *Socket) Subscribe(ctx context.Context, n int) error {
	return s.subscribe(ctx, n, smallSubscription)
}

func (s *Socket) subscribe(ctx context.Context, n int, query string) error {
	for range n {
		s.next++
		if err := s.send(ctx, message{ID: strconv.Itoa(s.next), Type: "subscribe", Payload: object("query", query)}); err != nil {
			return err
		}
	}
	return nil
}

// Ask begins a subscription for each query.
func (s *Socket) Ask(ctx context.Context, queries ...string) error {
	for _, query := range queries {
		if err := s.subscribe(ctx, 1, query); err != nil {
			return err
		}
	}
	return nil
}

// Drain reads until the connection ends, so that pings are answered.
func (s *Socket) Drain(ctx context.Context) {
	for {
		if _, _, err := s.conn.Read(ctx); err != nil {
			return
		}
	}
}

// Answers reads until each subscription has had an event or was refused, and counts the refusals.
func (s *Socket) Answers(ctx context.Context) (refused map[Refusal]int, err error) {
	refused = map[Refusal]int{}
	for answered := map[string]bool{}; len(answered) < s.next; {
		var m message
		if err := wsjson.Read(ctx, s.conn, &m); err != nil {
			return refused, fmt.Errorf("reading from a WebSocket: %w", err)
		}
		if m.Type == "error" {
			var f failures
			if err := json.Unmarshal(m.Payload, &f); err != nil || len(f) == 0 {
				return refused, fmt.Errorf("the error %.300s is none", m.Payload)
			}
			refused[f.refusal(0)]++
		}
		if m.ID != "" {
			answered[m.ID] = true
		}
	}
	return refused, nil
}

const (
	// smallSubscription has a small answer at once.
	smallSubscription = `subscription{clusters(instance:"asia"){type}}`
	// largeSubscription has a large answer.
	largeSubscription = `subscription{workloads(instance:"asia"){type id node{manifest a:manifest b:manifest propagation{binding{manifest a:manifest b:manifest}}}}}`
)

// Subscriptions begins n small subscriptions on as many sockets as that takes, which stay open until they
// are closed.
func Subscriptions(ctx context.Context, to Target, n int) (sockets []*Socket, refused map[Refusal]int, err error) {
	refused = map[Refusal]int{}
	for begun := 0; begun < n; begun += PerConnection {
		s, refusal, err := Open(ctx, to, false)
		if err != nil {
			return sockets, refused, err
		}
		if s == nil {
			refused[refusal]++
			continue
		}
		sockets = append(sockets, s)
		if err := s.Subscribe(ctx, min(PerConnection, n-begun)); err != nil {
			return sockets, refused, err
		}
		more, err := s.Answers(ctx)
		for r, n := range more {
			refused[r] += n
		}
		if err != nil {
			return sockets, refused, err
		}
	}
	return sockets, refused, nil
}

// NeverRead opens as many large subscriptions as one socket may have. Nobody reads what they send.
func NeverRead(ctx context.Context, to Target) (*Socket, error) {
	s, refusal, err := Open(ctx, to, true)
	switch {
	case err != nil:
		return nil, err
	case s == nil:
		return nil, fmt.Errorf("a WebSocket was refused by %s", refusal.Name)
	}
	if err := s.subscribe(ctx, PerConnection, largeSubscription); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}
