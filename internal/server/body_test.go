package server

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"
)

// readsAll stands for what reads a whole body, for as long as it comes, as the proxy does.
func readsAll(w http.ResponseWriter, r *http.Request) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	n, err := io.Copy(io.Discard, r.Body)
	if err != nil {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = fmt.Fprintf(w, "read %d", n)
}

// everything is a server with something behind every kind of route, with little patience.
func everything(t *testing.T) *fixture {
	f := newFixture(t, func(c *Config) {
		c.Proxy = http.HandlerFunc(readsAll)
		c.Routes = map[string]http.Handler{
			"/auth/":                        http.NotFoundHandler(),
			"POST /hooks/global-management": http.HandlerFunc(readsAll),
		}
	})
	f.readTime = 300 * time.Millisecond
	return f
}

// listening serves the server in the clear and over TLS.
func (f *fixture) listening() (plain, secure string, trust *tls.Config) {
	f.t.Helper()
	plain, secure = freeAddress(f.t), freeAddress(f.t)
	at := ServeConfig{HTTPAddress: plain, HTTPSAddress: secure, DrainTimeout: patience}
	cert, key, roots := certificate(f.t)
	at.CertFile, at.KeyFile = cert, key
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- f.Serve(ctx, at) }()
	f.t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			f.t.Error(err)
		}
	})
	for _, address := range []string{plain, secure} {
		// Not by a connection, which would be counted.
		eventually(f.t, address+" listens", func() bool { return strings.Contains(f.log.String(), "address="+address) })
	}
	return plain, secure, &tls.Config{RootCAs: roots}
}

// stalled is a body of which one byte comes and then nothing, until its request is over.
type stalled struct {
	once sync.Once
	over <-chan struct{}
}

func (s *stalled) Read(p []byte) (n int, err error) {
	s.once.Do(func() { n, p[0] = 1, '{' })
	if n == 0 {
		<-s.over
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

func (s *stalled) Close() error { return nil }

func TestABodyThatStallsIsAnsweredInTime(t *testing.T) {
	f := everything(t)
	plain, secure, trust := f.listening()
	// What is served, and what is not.
	paths := []string{"/nothing", "/auth/sign-out", "/instances/asia/api/v1/pods", "/assets/none.js"}
	for _, pattern := range f.routes {
		_, path, _ := strings.Cut(pattern, "/")
		path = "/" + path
		paths = append(paths, path, strings.TrimSuffix(path, "/")+"/x")
	}
	// Otherwise it is never answered. What it takes beyond readTime is this machine's affair.
	const within = time.Minute
	// raw speaks HTTP/1.1 by hand: nothing more comes after the first byte.
	raw := func(t *testing.T, dial func() (net.Conn, error), method, path, token, framing string) {
		conn, err := dial()
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		began := time.Now()
		_ = conn.SetDeadline(began.Add(within))
		first := "{"
		if strings.HasPrefix(framing, "Transfer") {
			first = "1\r\n{\r\n"
		}
		_, err = fmt.Fprintf(conn, "%s %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\n%s\r\n\r\n%s", method, path, token, framing, first)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil {
			t.Fatalf("no answer: %v", err)
		}
		defer res.Body.Close()
		if took := time.Since(began); res.StatusCode >= http.StatusInternalServerError {
			t.Errorf("%s after %s", res.Status, took)
		}
	}
	// One handshake after the other: on a busy machine hundreds at once last longer than the server waits for one.
	var handshake sync.Mutex
	shaken := func() (net.Conn, error) {
		handshake.Lock()
		defer handshake.Unlock()
		return tls.Dial("tcp", secure, trust)
	}
	h2 := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: trust.Clone()}}
	var group sync.WaitGroup
	for _, path := range paths {
		for _, method := range []string{http.MethodPost, http.MethodGet, http.MethodPut} {
			for _, token := range []string{"", "admin"} {
				for name, send := range map[string]func(*testing.T){
					"HTTP/1.1": func(t *testing.T) {
						raw(t, func() (net.Conn, error) { return net.Dial("tcp", plain) }, method, path, token, "Content-Length: 1000")
					},
					"HTTP/1.1 in chunks": func(t *testing.T) {
						raw(t, func() (net.Conn, error) { return net.Dial("tcp", plain) }, method, path, token, "Transfer-Encoding: chunked")
					},
					"TLS": func(t *testing.T) {
						raw(t, shaken, method, path, token, "Content-Length: 1000")
					},
					"HTTP/2": func(t *testing.T) {
						ctx, over := context.WithTimeout(t.Context(), within)
						defer over()
						req, _ := http.NewRequestWithContext(ctx, method, "https://"+secure+path, &stalled{over: ctx.Done()})
						req.Header.Set("Authorization", "Bearer "+token)
						req.Header.Set("Content-Type", "application/json")
						began := time.Now()
						res, err := h2.Do(req)
						if err != nil {
							t.Fatalf("no answer: %v", err)
						}
						defer func() {
							over() // what is answered is closed when its request's body has ended
							_ = res.Body.Close()
						}()
						if took := time.Since(began); res.StatusCode >= http.StatusInternalServerError || res.ProtoMajor != 2 {
							t.Errorf("%s %s after %s", res.Proto, res.Status, took)
						}
					},
				} {
					group.Go(func() {
						t.Run(fmt.Sprintf("%s %s as %q by %s", method, path, token, name), send)
					})
				}
			}
		}
	}
	group.Wait()
}

func TestWhatIsWaitedForIsLessThanTenSeconds(t *testing.T) {
	if most := (Limits{}).withDefaults().ReadTime + drainTime; most >= 10*time.Second {
		t.Errorf("a body that stalls is waited for %s", most)
	}
	if most := bodyTimeout + drainTime; most >= 20*time.Second {
		t.Errorf("a body that comes byte by byte is waited for %s", most)
	}
}

func TestAQueryIsNotWaitedForWithoutEnd(t *testing.T) {
	f := newFixture(t)
	f.readTime, f.bodyTime = time.Second, 300*time.Millisecond
	in, out := io.Pipe()
	go func() { // byte by byte, each in time
		defer out.Close()
		for range 200 {
			if _, err := out.Write([]byte(" ")); err != nil || !pause(t.Context(), 20*time.Millisecond) {
				return
			}
		}
	}()
	req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, f.server.URL+"/graphql", in)
	req.Header.Set("Authorization", "Bearer admin")
	req.Header.Set("Content-Type", "application/json")
	began := time.Now()
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if took := time.Since(began); res.StatusCode != http.StatusBadRequest || took > patience {
		t.Errorf("%s after %s", res.Status, took)
	}
}

// pause waits; false when ctx ended first.
func pause(ctx context.Context, wait time.Duration) bool {
	select {
	case <-time.After(wait):
		return true
	case <-ctx.Done():
		return false
	}
}

// slowly is a body of some bytes, with a pause after each.
func slowly(t *testing.T, bytes int, wait time.Duration) io.Reader {
	in, out := io.Pipe()
	go func() {
		defer out.Close()
		for range bytes {
			if _, err := out.Write([]byte("x")); err != nil || !pause(t.Context(), wait) {
				return
			}
		}
	}()
	return in
}

// What lasts for longer than a body may stall is not cut, as long as the body has come to its end or goes on.
func TestWhatLastsIsNotCut(t *testing.T) {
	// readTime is far longer than a busy machine takes between two bytes; for idle, which is longer still, nothing comes.
	const readTime, idle = 4 * time.Second, 6 * time.Second
	f := newFixture(t, func(c *Config) {
		c.Proxy = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Upgrade") != "" { // as exec
				conn, both, err := http.NewResponseController(w).Hijack()
				if err != nil {
					t.Error(err)
					return
				}
				defer conn.Close()
				_, _ = both.WriteString("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
				_ = both.Flush()
				_, _ = io.Copy(conn, both)
				return
			}
			if r.Method == http.MethodPut {
				readsAll(w, r)
				return
			}
			if r.Method == http.MethodPatch { // what is sent on is answered before all of it came
				comes, goes := io.Pipe()
				go func() {
					_, err := io.Copy(goes, r.Body)
					_ = goes.CloseWithError(err)
				}()
				_, _ = comes.Read(make([]byte, 1))
				pause(r.Context(), drainTime/10) // the next byte is waited for
				w.WriteHeader(http.StatusOK)
				_ = http.NewResponseController(w).Flush()
				n, err := io.Copy(io.Discard, comes)
				_, _ = fmt.Fprintf(w, "read %d more, %v", n, err)
				return
			}
			_, _ = io.Copy(io.Discard, r.Body)
			_ = http.NewResponseController(w).Flush()
			if !pause(r.Context(), idle) { // as a watch in which nothing happens
				t.Errorf("%s %s was cut: %v", r.Method, r.URL.Path, context.Cause(r.Context()))
			}
			_, _ = w.Write([]byte("event"))
		})
	})
	f.readTime = readTime
	plain, secure, trust := f.listening()
	h2 := &http.Client{Transport: &http.Transport{ForceAttemptHTTP2: true, TLSClientConfig: trust.Clone()}}
	by := map[string]func(t *testing.T, method, path string, body io.Reader, header ...string) io.ReadCloser{}
	for name, to := range map[string]struct {
		client  *http.Client
		address string
	}{"HTTP/1.1": {http.DefaultClient, "http://" + plain}, "HTTP/2": {h2, "https://" + secure}} {
		by[name] = func(t *testing.T, method, path string, body io.Reader, header ...string) io.ReadCloser {
			t.Helper()
			req, _ := http.NewRequestWithContext(t.Context(), method, to.address+path, body)
			req.Header.Set("Authorization", "Bearer admin")
			req.Header.Set("Content-Type", "application/json")
			for i := 0; i+1 < len(header); i += 2 {
				req.Header.Set(header[i], header[i+1])
			}
			res, err := to.client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = res.Body.Close() })
			return res.Body
		}
	}

	// They wait at the same time.
	var group sync.WaitGroup
	lasts := func(name string, check func(t *testing.T)) { group.Go(func() { t.Run(name, check) }) }
	for name, send := range by {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			lasts("a watch by "+method+" and "+name, func(t *testing.T) {
				answer := send(t, method, "/instances/asia/api/v1/pods?watch=1", bytes.NewReader([]byte("{}")))
				if raw, err := io.ReadAll(answer); err != nil || string(raw) != "event" {
					t.Errorf("%q %v", raw, err)
				}
			})
		}
		lasts("an upload by "+name, func(t *testing.T) {
			answer := send(t, http.MethodPut, "/instances/asia/api/v1/pods", slowly(t, 20, idle/20))
			if raw, err := io.ReadAll(answer); err != nil || string(raw) != "read 20" {
				t.Errorf("%q %v", raw, err)
			}
		})
	}
	lasts("an upload that is answered meanwhile", func(t *testing.T) { // HTTP/1.1 has the rest of it read first
		answer := by["HTTP/2"](t, http.MethodPatch, "/instances/asia/api/v1/pods", slowly(t, 4, drainTime*3/2))
		if raw, err := io.ReadAll(answer); err != nil || string(raw) != "read 3 more, <nil>" {
			t.Errorf("%q %v", raw, err)
		}
	})
	lasts("subscriptions", func(t *testing.T) {
		socket := f.admitted().send(subscribe("1", "subscription{ticks}"))
		streams := map[string]*bufio.Scanner{}
		for name, send := range by {
			streams[name] = bufio.NewScanner(send(t, http.MethodPost, "/graphql", strings.NewReader(`{"query":"subscription{ticks}"}`), "Accept", mediaEvents))
		}
		eventually(t, "they are open", func() bool { return f.schema.subscribers() == len(streams)+1 })
		pause(t.Context(), idle)
		f.schema.tick(7)
		if got := socket.next(); !strings.Contains(got, `"ticks":7`) {
			t.Errorf("a WebSocket: %s", got)
		}
		for name, stream := range streams {
			for said := ""; !strings.Contains(said, `"ticks":7`); said = stream.Text() {
				if !stream.Scan() {
					t.Errorf("server-sent events by %s were cut: %v", name, stream.Err())
					break
				}
			}
		}
	})
	lasts("an upgraded connection", func(t *testing.T) {
		conn, err := net.Dial("tcp", plain)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		_ = conn.SetDeadline(time.Now().Add(patience))
		_, _ = fmt.Fprint(conn, "POST /instances/asia/api/v1/exec HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer admin\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n")
		read := bufio.NewReader(conn)
		if res, err := http.ReadResponse(read, nil); err != nil || res.StatusCode != http.StatusSwitchingProtocols { //nolint:bodyclose // it is closed with its connection
			t.Fatalf("%v %v", res, err)
		}
		pause(t.Context(), idle)
		_, _ = fmt.Fprintln(conn, "still there")
		if line, err := read.ReadString('\n'); err != nil || line != "still there\n" {
			t.Errorf("%q %v", line, err)
		}
	})
	group.Wait()
}
