package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/coder/websocket"

	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/server/gate"
)

// subprotocol is the only one supported: github.com/enisdenjo/graphql-ws, PROTOCOL.md.
const subprotocol = "graphql-transport-ws"

// The protocol's close codes.
const (
	closeBadMessage    websocket.StatusCode = 4400
	closeUnauthorized  websocket.StatusCode = 4401
	closeForbidden     websocket.StatusCode = 4403
	closeNoSubprotocol websocket.StatusCode = 4406
	closeInitTimeout   websocket.StatusCode = 4408
	closeDuplicate     websocket.StatusCode = 4409
	closeTooManyInits  websocket.StatusCode = 4429
	closeComeBack                           = websocket.StatusServiceRestart // 1012: clients reconnect
	closeTryLater                           = websocket.StatusTryAgainLater  // 1013: clients retry later
)

const (
	// initTimeout is how long a client may take to authenticate.
	initTimeout = 10 * time.Second
	// pingEvery is how often a silent client is pinged.
	pingEvery = 25 * time.Second
	// maxUnknown is the maximum size of a message, and so of what a socket holds, until its client has authenticated:
	// unauthenticated sockets may be many. The longest accepted token (16 KiB; base64 needs no escapes) fits four
	// times.
	maxUnknown = 64 << 10
	// maxOperationID is the maximum length of an operation's id on a socket.
	maxOperationID = 128
)

type message struct {
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Payload json.RawMessage `json:"payload,omitempty"`
}

// socket is one WebSocket. One goroutine reads, and one for each operation writes; a writer holds the lock for at most
// Limits.WriteTime, after which the connection is closed. What a slow client has not read waits coalesced at the source
// of the events, not here.
type socket struct {
	server     *Server
	conn       *websocket.Conn
	request    *http.Request
	credential gate.Credential
	visit      gate.Visit
	// leave ends the count of this socket among its owner's.
	leave func()

	// held is the connection below conn.
	held *heldConn

	writing sync.Mutex
	// message is the one being written.
	message []byte
	// unread says that the client did not read what was sent to it.
	unread atomic.Bool

	mu         sync.Mutex
	operations map[string]context.CancelFunc
	running    sync.WaitGroup
}

func (d *Server) serveWebSocket(w http.ResponseWriter, r *http.Request) {
	if !d.beginStream() {
		d.refuse(w, r, http.StatusServiceUnavailable, shuttingDown())
		return
	}
	defer d.endStream()
	c := d.credentialOf(r)
	known, refusal := d.gate.HalfOpen(c.Address)
	if refusal != nil {
		w.Header().Set("Connection", "close") // clients with too many sockets keep no connection either
		d.refuseKnown(w, r, http.StatusTooManyRequests, refusal)
		return
	}
	defer known()
	// Accept refuses pages of other origins with 403: a browser sends the page's origin, and a page must not use its
	// viewer's rights here.
	below := &holding{ResponseWriter: w, deadline: d.writeTimeout}
	conn, err := websocket.Accept(below, r, &websocket.AcceptOptions{
		Subprotocols:    []string{subprotocol},
		OriginPatterns:  d.cfg.Origins,
		CompressionMode: websocket.CompressionDisabled,
	})
	if err != nil {
		d.cfg.Logger.DebugContext(r.Context(), "a WebSocket was refused", "requestId", requestID(r.Context()), "error", err)
		return
	}
	defer func() { _ = conn.CloseNow() }()
	d.metrics.sockets.Inc()
	defer d.metrics.sockets.Dec()
	if conn.Subprotocol() != subprotocol {
		_ = conn.Close(closeNoSubprotocol, "Subprotocol not acceptable")
		return
	}
	conn.SetReadLimit(int64(min(maxUnknown, d.limits.Body)))
	recordOf(r.Context()).note(func(rec *record) { rec.socket = true })

	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	// Cancelling a read closes the socket, before the close frame with the reason is sent: so reading ends after that.
	reading, stopReading := context.WithCancel(r.Context())
	defer stopReading()
	s := &socket{server: d, conn: conn, held: below.conn, request: r, credential: c, operations: map[string]context.CancelFunc{}}
	code, reason := s.serve(ctx, s.read(ctx, reading), known)
	cancel()
	if code != 0 {
		_ = conn.Close(code, clip(reason, 120)) // a close frame holds at most 123 bytes
	} else {
		_ = conn.CloseNow()
	}
	stopReading()
	s.running.Wait()
	outcome := closing(code, reason)
	if s.unread.Load() {
		outcome = outcomeUnread
	}
	recordOf(r.Context()).note(func(rec *record) { rec.outcome = outcome })
}

// outcomeUnread is the outcome of a stream that ended because its client did not read.
const outcomeUnread = "given up: the client did not read (limit " + limitWriteTime + ")"

func closing(code websocket.StatusCode, reason string) string {
	if code == 0 {
		return "closed by the client"
	}
	return fmt.Sprintf("%d %s", code, reason)
}

// serve runs the protocol until the socket is to be closed; code is 0 when it is closed already. known is called once
// the client has authenticated.
func (s *socket) serve(ctx context.Context, incoming <-chan incoming, known func()) (code websocket.StatusCode, reason string) {
	ctx, code, reason = s.initialise(ctx, incoming)
	if code != 0 || ctx == nil {
		return code, reason
	}
	known()
	defer s.leave()
	defer s.stopAll()
	s.running.Go(func() { s.ping(ctx) })
	lost := s.server.gate.Lost(ctx, s.visit)
	for {
		select {
		case m, ok := <-incoming:
			if !ok {
				return 0, ""
			}
			if code, reason := s.handle(ctx, m); code != 0 {
				return code, reason
			}
		case refusal := <-lost:
			switch refusal.Code {
			case model.CodeForbidden:
				return closeForbidden, "Forbidden: " + refusal.Message
			case model.CodeUnauthenticated:
				return closeUnauthorized, "Unauthorized: " + refusal.Message
			}
			return closeComeBack, refusal.Message
		case <-s.server.drain.Done():
			return closeComeBack, "The server is shutting down"
		}
	}
}

// fault says what is wrong with the form of a client's message; empty when nothing is.
func (m message) fault() string {
	switch m.Type {
	case "":
		return "Invalid message: type is missing"
	case "subscribe", "complete":
		if m.ID == "" || len(m.ID) > maxOperationID {
			return fmt.Sprintf("Invalid message: id has to have 1 to %d bytes", maxOperationID)
		}
	case "connection_init", "ping", "pong":
		if payload := bytes.TrimSpace(m.Payload); len(payload) > 0 && payload[0] != '{' && string(payload) != "null" {
			return "Invalid message: the payload of " + m.Type + " has to be an object"
		}
	}
	return ""
}

// incoming is a message, or why the data is not a valid one.
type incoming struct {
	message
	bad string
	// size is its size in bytes.
	size int
}

// read returns the client's messages, until ctx or reading ends; the channel is closed when no more come.
func (s *socket) read(ctx, reading context.Context) <-chan incoming {
	out := make(chan incoming)
	s.running.Go(func() {
		defer close(out)
		for {
			kind, raw, err := s.conn.Read(reading)
			if err != nil {
				return // a message beyond the read limit has closed the socket with 1009
			}
			in := incoming{size: len(raw)}
			switch {
			case kind != websocket.MessageText:
				in.bad = "Invalid message: not text"
			case json.Unmarshal(raw, &in.message) != nil:
				in.bad = "Invalid message: not a JSON object with type, id and payload"
			default:
				in.bad = in.message.fault()
			}
			select {
			case out <- in:
			case <-ctx.Done():
				return
			}
		}
	})
	return out
}

// initialise waits until the client has authenticated. ctx is nil when the socket is closed already.
func (s *socket) initialise(ctx context.Context, incoming <-chan incoming) (context.Context, websocket.StatusCode, string) {
	timeout := time.NewTimer(s.server.initTimeout)
	defer timeout.Stop()
	for {
		select {
		case <-timeout.C:
			return nil, closeInitTimeout, "Connection initialisation timeout"
		case <-s.server.drain.Done():
			return nil, closeComeBack, "The server is shutting down"
		case m, ok := <-incoming:
			switch {
			case !ok:
				return nil, 0, ""
			case m.bad != "":
				return nil, closeBadMessage, m.bad
			case m.Type == "connection_init":
				return s.authenticate(ctx, m.Payload)
			case m.Type == "ping":
				_ = s.write(ctx, message{Type: "pong", Payload: m.Payload})
			case m.Type == "pong":
			case m.Type == "subscribe":
				return nil, closeUnauthorized, "Unauthorized"
			case m.Type == "complete":
			default:
				return nil, closeBadMessage, "Invalid message: unknown type"
			}
		}
	}
}

func (s *socket) authenticate(ctx context.Context, payload json.RawMessage) (context.Context, websocket.StatusCode, string) {
	c := s.credential
	if len(payload) > 0 && string(payload) != "null" {
		var fields map[string]any
		if json.Unmarshal(payload, &fields) != nil {
			return nil, closeBadMessage, "Invalid message: the payload of connection_init has to be an object"
		}
		for name, value := range fields {
			if text, ok := value.(string); ok && strings.EqualFold(name, "authorization") {
				c.Token, c.Session = gate.Bearer(text), nil
			}
		}
	}
	admitted, in, refusal := s.server.enter(ctx, c)
	if refusal == nil && c.Session != nil && !s.server.ownOrigin(s.request) {
		refusal = errForeign
	}
	switch {
	case refusal == nil:
	case refusal.Code == model.CodeUnauthenticated, refusal.Code == model.CodeForbidden:
		return nil, closeForbidden, "Forbidden: " + refusal.Message
	case refusal.Limit != nil:
		return nil, closeTryLater, s.server.counted(refusal)
	default:
		s.server.cfg.Logger.WarnContext(ctx, "a WebSocket could not be authenticated", "requestId", requestID(ctx), "error", refusal)
		return nil, closeTryLater, refusal.Message
	}
	leave, refusal := s.server.gate.Socket(in.Principal)
	if refusal != nil {
		return nil, closeTryLater, s.server.counted(refusal)
	}
	s.visit, s.leave = in, leave
	// Before the acknowledgement: the client's next message may be as large as a request. The limit takes effect with
	// the next message, even if that is being waited for already.
	s.conn.SetReadLimit(int64(s.server.limits.Body))
	if err := s.write(ctx, message{Type: "connection_ack"}); err != nil {
		leave()
		return nil, 0, ""
	}
	return admitted, 0, ""
}

// handle handles one message of an admitted client.
func (s *socket) handle(ctx context.Context, m incoming) (websocket.StatusCode, string) {
	switch {
	case m.bad != "":
		return closeBadMessage, m.bad
	case m.Type == "connection_init":
		return closeTooManyInits, "Too many initialisation requests"
	case m.Type == "subscribe":
		return s.subscribe(ctx, m)
	}
	// Other messages have no operation whose error could report the refusal.
	if refusal := s.server.gate.Charge(ctx, pointsOf(m.size)); refusal != nil {
		return closeTryLater, s.server.counted(refusal)
	}
	switch m.Type {
	case "ping":
		_ = s.write(ctx, message{Type: "pong", Payload: m.Payload})
	case "pong":
	case "complete":
		s.stop(m.ID)
	default:
		return closeBadMessage, "Invalid message: unknown type"
	}
	return 0, ""
}

// write sends one message, or closes the connection.
func (s *socket) write(ctx context.Context, m message) error {
	// The payload is JSON already: marshalling the whole message would parse all of it again.
	payload := m.Payload
	m.Payload = nil
	head, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("writing a message: %w", err)
	}
	if len(payload) == 0 {
		return s.writeRaw(ctx, head)
	}
	return s.writeRaw(ctx, head[:len(head)-1], []byte(`,"payload":`), payload, []byte("}"))
}

// writeRaw writes the parts of one message, or closes the connection.
func (s *socket) writeRaw(ctx context.Context, parts ...[]byte) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	s.message = s.message[:0]
	for _, part := range parts {
		s.message = append(s.message, part...)
	}
	// An operation that is stopped while it writes must not close the socket: only the deadline of the connection does.
	err := s.conn.Write(context.Background(), websocket.MessageText, s.message)
	if cap(s.message) > maxHeld {
		s.message = nil
	}
	return s.written(err)
}

// written closes the connection when a write has failed.
func (s *socket) written(err error) error {
	if err == nil {
		return nil
	}
	if errors.Is(err, os.ErrDeadlineExceeded) && !s.unread.Swap(true) {
		s.server.metrics.refusals.WithLabelValues(limitWriteTime).Inc()
	}
	_ = s.conn.CloseNow()
	return fmt.Errorf("writing to the socket: %w", err)
}

// ping pings a silent client, and closes the connection when it does not answer.
func (s *socket) ping(ctx context.Context) {
	every := time.NewTicker(pingEvery)
	defer every.Stop()
	for {
		select {
		case <-every.C:
		case <-ctx.Done():
			return
		}
		waiting, cancel := context.WithTimeout(ctx, s.server.writeTimeout)
		err := s.conn.Ping(waiting)
		cancel()
		if err != nil {
			if !errors.Is(ctx.Err(), context.Canceled) {
				_ = s.conn.CloseNow()
			}
			return
		}
	}
}
