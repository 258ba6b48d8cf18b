package server

import (
	"errors"
	"io"
	"net/http"
	"sync"
	"time"
)

// drainTime is how long a response that begins before the end of the request's body waits for the rest: net/http reads
// it, so that the connection can serve the next request.
const drainTime = time.Second

// body is the body of a request whose sender has to keep sending: a pause that is too long ends the read, whether a
// handler reads or, after its response, net/http. Uploads may take as long as their handler allows, while they
// continue. After its end a body sets no deadline: streams and upgraded connections last.
type body struct {
	io.ReadCloser
	control *http.ResponseController
	stall   time.Duration
	// drained says that net/http reads the rest of it when the response begins: with HTTP/1.
	drained bool

	mu sync.Mutex
	// last is the deadline for all of it; zero for none.
	last  time.Time
	ended bool
}

// boundBody gives a request a body that has to arrive in time as a whole (Server.bodyTime), unless its handler sets
// another deadline with http.ResponseController; nil when the request has none.
func (d *Server) boundBody(w http.ResponseWriter, r *http.Request) *body {
	if r.Body == nil || r.Body == http.NoBody {
		return nil
	}
	b := &body{ReadCloser: r.Body, control: http.NewResponseController(w), stall: d.readTime, drained: r.ProtoMajor == 1, last: time.Now().Add(d.bodyTime)}
	_ = b.wait(b.stall) // fails only with the writers of tests
	r.Body = b
	return b
}

// Read reads with a deadline.
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

// wait sets the deadline of the next read.
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

// until sets the deadline for all of it; zero for none.
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
