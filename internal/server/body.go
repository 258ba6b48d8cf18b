package server

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// drainTime is how long an answer that begins before the request's body has come to its end waits for the rest:
// net/http reads it, so that the connection can serve the next request.
const drainTime = time.Second

// body is the body of a request, whose sender has to go on sending it: what does not come for a while is not
// waited for, be it read by a handler or, once that has answered, by net/http. Uploads may take as long as their
// handler allows, as long as they go on. A body that has ended bounds nothing: streams and upgraded connections
// last.
type body struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	// drained says that the rest of it is read by net/http when the answer begins: of HTTP/1.
	drained bool

	mu sync.Mutex
	// last is when all of it has to be there; zero for never.
	last  time.Time
	ended bool
}

// boundBody gives a request a body of which all has to come in time (Door.bodyTime), unless its handler sets another
// deadline by http.ResponseController; nil when the request has none.
func (d *Server) boundBody(w http.ResponseWriter, r *http.Request) *body {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	b := &body{ReadCloser: r.Body, control: http.NewResponseController(w), stall: d.readTime, drained: r.ProtoMajor == 1, last: time.Now().Add(d.bodyTime)}
	_ = b.wait(b.stall) // a writer that cannot is one of a test
	r.Body = b
	return b
}

// Read reads what comes in time.
func (b *body) Read(p []byte) (int, error) {
	_ = b.wait(b.stall)
	n, err := b.ReadCloser.Read(p)
	if errors.Is(err, io.EOF) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.ended = true
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}

// wait bounds how long what comes next may take.
func (b *body) wait(most time.Duration) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.ended {
		return nil
	}
	deadline := time.Now().Add(most)
	if !b.last.IsZero() && b.last.Before(deadline) {
		deadline = b.last
	}
	return b.control.SetReadDeadline(deadline)
}

// until sets when all of it has to be there; zero for never.
func (b *body) until(last time.Time) error {
	b.mu.Lock()
	b.last = last
	ended := b.ended
	b.mu.Unlock()
	if ended {
		return b.control.SetReadDeadline(time.Time{})
	}
	return b.wait(b.stall)
}
