package kubelet

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"testing"
	"time"
)

// echo is a server that answers everything with its name before it.
func echo(t *testing.T, name string) string {
	t.Helper()
	return listenAt(t, "127.0.0.1:0", name)
}

// serve is the same at an address of a pod.
func serve(t *testing.T, address string) { t.Helper(); listenAt(t, address, "pod") }

func listenAt(t *testing.T, address, name string) string {
	t.Helper()
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() { // ends with the listener
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go func() { // ends when the other side has said all
				b, _ := io.ReadAll(c)
				fmt.Fprintf(c, "%s: %s", name, b)
				c.Close()
			}()
		}
	}()
	return l.Addr().String()
}

func ask(t *testing.T, address string) (string, error) {
	t.Helper()
	c, err := net.DialTimeout("tcp", address, 5*time.Second)
	if err != nil {
		return "", err
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("hello")); err != nil {
		return "", err
	}
	if err := c.(*net.TCPConn).CloseWrite(); err != nil {
		return "", err
	}
	b, err := io.ReadAll(c)
	return string(b), err
}

func forward(t *testing.T, to ...string) *forwarder {
	t.Helper()
	f, err := newForwarder("127.0.0.1:0", slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(f.close)
	f.to(to)
	return f
}

func TestAServiceLeadsToItsPods(t *testing.T) {
	f := forward(t, echo(t, "one"), echo(t, "two"))
	seen := map[string]bool{}
	for range 4 {
		got, err := ask(t, f.listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		seen[got] = true
	}
	if len(seen) != 2 || !seen["one: hello"] || !seen["two: hello"] {
		t.Errorf("the answers are %v, want those of both", seen)
	}
}

func TestAPodThatIsGoneIsPassedOver(t *testing.T) {
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	gone.Close()
	f := forward(t, gone.Addr().String(), echo(t, "two"))
	for range 3 {
		if got, err := ask(t, f.listener.Addr().String()); err != nil || got != "two: hello" {
			t.Errorf("the answer is %q (%v)", got, err)
		}
	}
}

func TestAServiceWithoutPodsRefuses(t *testing.T) {
	f := forward(t)
	if got, err := ask(t, f.listener.Addr().String()); err == nil {
		t.Errorf("the answer is %q", got)
	}
}

func TestClosingAServiceEndsItsConnections(t *testing.T) {
	f := forward(t, echo(t, "one"))
	c, err := net.Dial("tcp", f.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(5 * time.Second)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() { f.close(); close(done) }() // ends at once
	b := make([]byte, 1)
	if _, err := c.Read(b); err == nil {
		t.Error("it is still open")
	}
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		t.Error("closing does not end")
	}
}
