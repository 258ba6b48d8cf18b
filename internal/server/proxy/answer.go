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

// answer is the response to the client. The headers of the upstream are copied to it only when the response begins, and
// never replace existing ones; informational responses and trailers are dropped.
type answer struct {
	under  http.ResponseWriter
	header http.Header
	status int
	// unread reports whether the request's body has not been read to its end; nil when it has none. The connection then
	// ends with the response: the rest of the body must neither be taken for the next request, nor waited for.
	unread func() bool
	// note records what is written; nil when not needed.
	note *note
	// upgraded is called when the connection has been switched.
	upgraded func()
	// giveUp ends the exchange when the client has closed its upgraded connection.
	giveUp context.CancelFunc
	// bound is the context that ends the response once it has begun; nil for a refusal, which may be written after the
	// context has ended.
	bound context.Context
	// release keeps the end of bound from cutting the connection, which can then serve the next request.
	release func()
}

func newAnswer(w http.ResponseWriter) *answer {
	return &answer{under: w, header: http.Header{}, release: func() {}}
}

// Header is the upstream's headers.
func (a *answer) Header() http.Header { return a.header }

// WriteHeader begins the response.
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

// Write sends a part of the response.
func (a *answer) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	if a.note != nil {
		a.note.take(b)
	}
	return a.under.Write(b)
}

// FlushError flushes what has been written.
func (a *answer) FlushError() error {
	if err := http.NewResponseController(a.under).Flush(); err != nil {
		return fmt.Errorf("flushing: %w", err)
	}
	return nil
}

// Hijack returns the client's connection. It closes when the exchange ends, and ends the exchange when the client
// closes it: half of an upgraded connection is of no use in any protocol.
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

// endsWith calls cut when bound ends, so that no write blocks on a client that does not read.
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

// upgradedConn is a client's connection after the switch of protocols.
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
