package proxy_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// ways opens each kind of stream; what it gives reads until that ends.
var ways = map[string]func(*testing.T, *stage) (read func() error){
	"a watch": func(t *testing.T, s *stage) func() error {
		t.Helper()
		s.serve(drip(nil))
		lines, _ := s.open(t, watchPath)
		return func() error { _, err := lines.ReadString('\n'); return err }
	},
	"a log": func(t *testing.T, s *stage) func() error {
		t.Helper()
		s.serve(drip(nil))
		lines, _ := s.open(t, logPath)
		return func() error { _, err := lines.ReadString('\n'); return err }
	},
	"a WebSocket": func(t *testing.T, s *stage) func() error {
		t.Helper()
		s.serve(command)
		conn := s.socket(t, execPath)
		return func() error { _, _, err := conn.Read(t.Context()); return err }
	},
	"a SPDY connection": func(t *testing.T, s *stage) func() error {
		t.Helper()
		s.serve(echo(&atomic.Int32{}))
		_, reader := s.spdy(t)
		return func() error { _, err := reader.ReadByte(); return err }
	},
}

func TestStreamsEnd(t *testing.T) {
	for why, end := range map[string]func(*stage){
		"when a right is revoked":     func(s *stage) { s.revoke() },
		"when the server shuts down":  func(s *stage) { s.handler.Drain(context.Background()) },
		"when the upstream goes away": func(s *stage) { s.upstream.CloseClientConnections(); s.serve(nil) },
	} {
		for what, open := range ways {
			t.Run(what+" "+why, func(t *testing.T) {
				s := start(t, nil)
				read := open(t, s)
				if why == "when the upstream goes away" && what != "a watch" && what != "a log" {
					t.Skip("httptest does not know of connections that were switched")
				}
				if got := s.metrics(t, "kairship_proxy_streams"); !strings.HasSuffix(got, " 1\n") {
					t.Errorf("counted while open: %s", got)
				}
				began := time.Now()
				end(s)
				err := read()
				if err == nil || errors.Is(err, context.DeadlineExceeded) {
					t.Fatalf("it goes on: %v", err)
				}
				if took := time.Since(began); took > 30*time.Second {
					t.Errorf("it took %s", took)
				}
				eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
				if got := s.metrics(t, "kairship_proxy_streams"); !strings.HasSuffix(got, " 0\n") {
					t.Errorf("counted when ended: %s", got)
				}
			})
		}
	}
}

func TestRevocationReachesAClientThatDoesNotRead(t *testing.T) {
	flood := func(w io.Writer) {
		for block := strings.Repeat("x", 1<<16); ; {
			if _, err := io.WriteString(w, block); err != nil {
				return
			}
		}
	}
	for name, tc := range map[string]struct {
		request string
		answer  http.HandlerFunc
	}{
		"a watch": {"GET " + watchPath + " HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\n\r\n", func(w http.ResponseWriter, _ *http.Request) { flood(w) }},
		"a switched connection": {"GET " + execPath + " HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n",
			func(w http.ResponseWriter, _ *http.Request) {
				conn, _, err := http.NewResponseController(w).Hijack()
				if err != nil {
					return
				}
				defer conn.Close()
				_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\n\r\n")
				flood(conn)
			}},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, nil)
			s.serve(tc.answer)
			conn := s.dial(t)
			if _, err := io.WriteString(conn, tc.request); err != nil {
				t.Fatal(err)
			}
			// The first byte, and no more: what comes fills every buffer on the way.
			if _, err := conn.Read(make([]byte, 1)); err != nil {
				t.Fatal(err)
			}
			s.revoke()
			eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
			if got := s.metrics(t, "kairship_proxy_streams"); !strings.HasSuffix(got, " 0\n") {
				t.Error("it goes on")
			}
		})
	}
}

func TestRevocationOverHTTP2(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"of a client that waits": drip(nil),
		"of a client that does not read": func(w http.ResponseWriter, _ *http.Request) {
			for block := strings.Repeat("x", 1<<16); ; {
				if _, err := io.WriteString(w, block); err != nil {
					return
				}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := start(t, nil)
			s.serve(answer)
			front := s.secure(t)
			r := s.request(t, http.MethodGet, "", nil)
			u, err := url.Parse(front.URL + watchPath)
			if err != nil {
				t.Fatal(err)
			}
			r.URL, r.Host = u, ""
			res, err := front.Client().Do(r)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.ProtoMajor != 2 || res.StatusCode != http.StatusOK {
				t.Fatalf("got %d by %s", res.StatusCode, res.Proto)
			}
			s.revoke()
			eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
			if got := s.metrics(t, "kairship_proxy_streams"); !strings.HasSuffix(got, " 0\n") {
				t.Error("it goes on")
			}
			if _, err := io.Copy(io.Discard, res.Body); err == nil {
				t.Error("a client takes what it got for all that there is")
			}
		})
	}
}

func TestNothingBeginsOnceDrained(t *testing.T) {
	s := start(t, nil)
	s.handler.Drain(t.Context())
	s.get(t, watchPath).status(t, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
	if got := s.get(t, "/instances/asia/api"); got.code != http.StatusOK {
		t.Errorf("a request that ends by itself: %d", got.code)
	}
}

func TestALeavingClientEndsTheUpstreamsRequest(t *testing.T) {
	s := start(t, nil)
	left := make(chan struct{})
	s.serve(func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
		close(left)
	})
	ctx, cancel := context.WithCancel(t.Context())
	res, err := http.DefaultClient.Do(s.request(t, http.MethodGet, watchPath, nil).WithContext(ctx))
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	cancel()
	select {
	case <-left:
	case <-time.After(testenv.Timeout):
		t.Fatal("the upstream goes on")
	}
}
