package server

import (
	"errors"
	"net"
	"os"
	"slices"
	"testing"
	"time"
)

// writtenConn is a connection that keeps what is written to it, call by call.
type writtenConn struct {
	net.Conn
	calls    []string
	deadline time.Time
	err      error
}

func (w *writtenConn) Write(p []byte) (int, error) {
	w.calls = append(w.calls, string(p))
	return len(p), w.err
}

func (w *writtenConn) SetWriteDeadline(at time.Time) error { w.deadline = at; return nil }

func TestWhatIsHeldBackGoesOutTogether(t *testing.T) {
	w := &writtenConn{}
	c := &heldConn{Conn: w, deadline: time.Minute}
	write := func(text string) {
		t.Helper()
		if n, err := c.Write([]byte(text)); err != nil || n != len(text) {
			t.Fatalf("wrote %d: %v", n, err)
		}
	}
	write("a")
	c.Hold()
	write("b")
	write("c")
	if !slices.Equal(w.calls, []string{"a"}) {
		t.Errorf("written is %q while b and c are held back", w.calls)
	}
	if err := c.Flush(); err != nil {
		t.Fatal(err)
	}
	write("d")
	if want := []string{"a", "bc", "d"}; !slices.Equal(w.calls, want) {
		t.Errorf("written is %q, want %q", w.calls, want)
	}
	if left := time.Until(w.deadline); left <= 0 || left > time.Minute {
		t.Errorf("the deadline is in %s", left)
	}
	c.Hold()
	write(string(make([]byte, maxHeld)))
	if len(w.calls) != 4 {
		t.Errorf("more than %d bytes are held back", maxHeld)
	}
	w.err = os.ErrDeadlineExceeded
	write("e")
	if err := c.Flush(); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Errorf("flushing gave %v", err)
	}
}
