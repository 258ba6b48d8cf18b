package proxy

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"sync"
	"time"
)

// answer is what is written to the client. The headers of the upstream reach the client's only when the
// answer begins, and never instead of those that are there; informational answers and trailers not at all.
type answer struct {
	under  http.ResponseWriter
	header http.Header
	status int
	// unread says that the request's body has not come to its end; nil when it has none. The connection then
	// ends with the answer: what is left of the body must not be taken for the next request, nor waited for.
	unread func() bool
	// note takes what is written; nil when nobody wants to know.
	note *note
	// upgraded is told when the connection has been switched.
	upgraded func()
	// giveUp ends the exchange when the client has left its upgraded connection.
	giveUp context.CancelFunc
	// bound is what the answer ends with, once it has begun; nil for a refusal, which may be written after
	// that has ended.
	bound context.Context
	// release keeps the end of bound from cutting the connection, which then serves the next request.
	release func()
}

func newAnswer(w http.ResponseWriter) *answer {
	return &answer{under: w, header: http.Header{}, release: func() {}}
}

// Header is the upstream's.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader begins the answer.
func (a *answer) WriteHeader(status int) {
	if status < http.StatusOK || a.status != 0 {
		return
	}
	a.status = status
	h := a.under.Header()
	for name, value := range ownHeaders {
		h.Set(name, value)
	}
	for name, values := range a.header {
		if _, taken := h[name]; !taken && name != "Trailer" {
			h[name] = values
		}
	}
	if a.unread != nil && a.unread() {
		h.Set("Connection", "close")
	}
	a.endsWith(func() { _ = http.NewResponseController(a.under).SetWriteDeadline(time.Unix(1, 0)) })
	a.under.WriteHeader(status)
}

// Write sends a part of the answer.
func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.note != nil {
		a.note.take(b)
	}
	return a.under.Write(b)
}

// FlushError sends what has been written.
func (a *answer) FlushError() error {
	if err := http.NewResponseController(a.under).Flush(); err != nil {
		return fmt.Errorf("flushing: %w", err)
	}
	return nil
}

// Hijack hands out the client's connection. It closes when the exchange ends, and ends the exchange when
// the client closes it: half of an upgraded connection is of no use in any protocol that there is.
func (a *answer) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, buffered, err := http.NewResponseController(a.under).Hijack()
	if err != nil {
		return nil, nil, fmt.Errorf("taking over the connection: %w", err)
	}
	a.status = http.StatusSwitchingProtocols
	a.endsWith(func() { _ = conn.Close() })
	if a.upgraded != nil {
		a.upgraded()
	}
	return &upgradedConn{Conn: conn, giveUp: a.giveUp}, buffered, nil
}

// endsWith calls cut when bound ends, so that nothing is stuck in writing to a client who does not read.
func (a *answer) endsWith(cut func()) {
	if a.bound == nil {
		return
	}
	ran := make(chan struct{})
	stop := context.AfterFunc(a.bound, func() {
		defer close(ran)
		cut()
	})
	a.release = sync.OnceFunc(func() {
		if !stop() {
			<-ran
		}
	})
}

// upgradedConn is a client's connection after it was switched.
type upgradedConn struct {
	net.Conn
	giveUp context.CancelFunc
}

// Read reads from the client.
func (c *upgradedConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	if err != nil {
		c.giveUp()
	}
	return n, err
}
