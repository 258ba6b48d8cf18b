package server

import (
	"bufio"
	"bytes"
	"errors"
	"net"
	"net/http"
	"sync"
	"time"
)

// maxHeld is how much of what others follow at once is held back, in bytes: as much as is written by one call.
const maxHeld = 32 << 10

// heldAnswers are answers that are held back, to be written together.
type heldAnswers struct {
	all  []heldAnswer
	size int
}

type heldAnswer struct {
	raw []byte
	id  string
}

// add adds an answer; full says that they are as many as are written by one call.
func (h *heldAnswers) add(raw []byte, id string) (full bool) {
	h.all = append(h.all, heldAnswer{raw, id})
	h.size += len(raw)
	return h.size >= maxHeld
}

// flush writes all of them.
func (h *heldAnswers) flush(write func(raw []byte, id string) error) error {
	defer func() { clear(h.all); h.all, h.size = h.all[:0], 0 }()
	for _, a := range h.all {
		if err := write(a.raw, a.id); err != nil {
			return err
		}
	}
	return nil
}

// heldConn is a connection that can hold back what is written to it, so that many small messages go out together. Everything is written
// within a deadline.
type heldConn struct {
	net.Conn
	deadline time.Duration

	mu   sync.Mutex
	hold bool
	held *bytes.Buffer // nil while nothing is held: an idle connection keeps no buffer
}

// heldBuffers are those that no connection needs now.
var heldBuffers = sync.Pool{New: func() any { return bytes.NewBuffer(make([]byte, 0, maxHeld+4<<10)) }}

// Write writes, or holds back.
func (c *heldConn) Write(p []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.hold && c.held == nil {
		return c.write(p)
	}
	if c.held == nil {
		c.held = heldBuffers.Get().(*bytes.Buffer) //nolint:forcetypeassert // nothing else is put there
	}
	c.held.Write(p)
	if c.hold && c.held.Len() < maxHeld {
		return len(p), nil
	}
	if err := c.empty(); err != nil {
		return 0, err
	}
	return len(p), nil
}

// Hold holds back what is written from now on, until Flush.
func (c *heldConn) Hold() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = true
}

// Flush writes what was held back, and holds back no more.
func (c *heldConn) Flush() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.hold = false
	return c.empty()
}

func (c *heldConn) empty() error {
	if c.held == nil {
		return nil
	}
	_, err := c.write(c.held.Bytes())
	if c.held.Cap() <= 2*maxHeld { // a large message takes its buffer with it
		c.held.Reset()
		heldBuffers.Put(c.held)
	}
	c.held = nil
	return err
}

func (c *heldConn) write(p []byte) (int, error) {
	if err := c.SetWriteDeadline(time.Now().Add(c.deadline)); err != nil {
		return 0, err
	}
	return c.Conn.Write(p)
}

// holding is a response that, once hijacked, becomes a heldConn.
type holding struct {
	http.ResponseWriter
	deadline time.Duration
	conn     *heldConn
}

// Hijack takes over the connection.
func (h *holding) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(h.ResponseWriter).Hijack()
	if err != nil {
		return nil, nil, err
	}
	if rw.Writer.Buffered() > 0 {
		return nil, nil, errors.Join(errors.New("something was written before the connection was taken over"), conn.Close())
	}
	h.conn = &heldConn{Conn: conn, deadline: h.deadline}
	rw.Writer.Reset(h.conn)
	return h.conn, rw, nil
}
