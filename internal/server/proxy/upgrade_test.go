package proxy_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// socket opens an upgraded connection through the proxy.
func (s *stage) socket(t *testing.T, path string) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Timeout)
	defer cancel()
	conn, res, err := websocket.Dial( //nolint:bodyclose // there is none after a switch
		ctx, s.server.URL+path, &websocket.DialOptions{
			HTTPHeader: http.Header{"Authorization": {"Bearer ada"}}, Subprotocols: []string{"v5.channel.k8s.io", "base64url.bearer.authorization.k8s.io.c2VjcmV0"}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if cookie := res.Header.Get("Set-Cookie"); cookie != "" {
		t.Errorf("the answer sets the cookie %q", cookie)
	}
	return conn
}

// command is a pod's end of Kubernetes' remote command protocol over WebSocket: what comes on stdin goes
// to stdout in capitals, and "exit" ends it with the code 7.
func command(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Set-Cookie", "a=b")
	conn, err := websocket.Accept(w, r, &websocket.AcceptOptions{Subprotocols: []string{"v5.channel.k8s.io"}})
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	for {
		_, message, err := conn.Read(r.Context())
		if err != nil {
			return
		}
		if text := string(message[1:]); text == "exit" {
			_ = conn.Write(r.Context(), websocket.MessageBinary, []byte("\x03"+`{"metadata":{},"status":"Failure","reason":"NonZeroExitCode","details":{"causes":[{"reason":"ExitCode","message":"7"}]}}`))
			_ = conn.Close(websocket.StatusNormalClosure, "")
			return
		}
		if conn.Write(r.Context(), websocket.MessageBinary, []byte("\x01"+strings.ToUpper(string(message[1:])))) != nil {
			return
		}
	}
}

func TestACommandOverWebSocket(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.Time = time.Second })
	s.serve(besides(command))
	conn := s.socket(t, execPath)
	if conn.Subprotocol() != "v5.channel.k8s.io" {
		t.Fatalf("speaks %q", conn.Subprotocol())
	}
	asked := s.last().header
	if got := asked["Sec-Websocket-Protocol"]; !cmp.Equal(got, []string{"v5.channel.k8s.io"}) {
		t.Errorf("the upstream was offered %q", got)
	}
	if diff := cmp.Diff([]string{ada.Name, "Bearer kairships-own"}, []string{asked.Get("Impersonate-User"), asked.Get("Authorization")}); diff != "" {
		t.Errorf("asked as (-want +got):\n%s", diff)
	}
	s.outlast(t)
	say := func(text, want string) {
		t.Helper()
		if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("\x00"+text)); err != nil {
			t.Fatal(err)
		}
		if _, got, err := conn.Read(t.Context()); err != nil || string(got) != want {
			t.Fatalf("got %q (%v), want %q", got, err, want)
		}
	}
	for i := range 20 {
		say(fmt.Sprintf("hello %d", i), fmt.Sprintf("\x01HELLO %d", i))
	}
	started := proxy.Record{Stage: proxy.StageStarted, Verb: "get", Instance: "asia", Cluster: "tokyo", Version: "v1", Resource: "pods", Subresource: "exec",
		Namespace: "a", Name: "b", Command: []string{"sh"}, Status: http.StatusSwitchingProtocols}
	same := cmpopts.IgnoreFields(proxy.Record{}, "Duration", "Remote", "UserAgent")
	if diff := cmp.Diff([]proxy.Record{started}, s.audited(), same); diff != "" {
		t.Errorf("the audit, while it is open (-want +got):\n%s", diff)
	}
	if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("\x00exit")); err != nil {
		t.Fatal(err)
	}
	if _, got, err := conn.Read(t.Context()); err != nil || !strings.Contains(string(got), `"message":"7"`) {
		t.Fatalf("got %q (%v)", got, err)
	}
	if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
		t.Errorf("it ended with %v", err)
	}
	complete := started
	complete.Stage, complete.End = proxy.StageComplete, proxy.EndedItself
	var got []proxy.Record
	eventually(t, func() bool { got = s.audited(); return len(got) == 2 })
	if diff := cmp.Diff([]proxy.Record{started, complete}, got, same); diff != "" {
		t.Errorf("the audit (-want +got):\n%s", diff)
	}
}

// echo switches to SPDY/3.1 as far as the connection goes, and gives back what it gets.
func echo(ended *atomic.Int32) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		conn, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\nSet-Cookie: a=b\r\n\r\n")
		_, _ = io.Copy(conn, buffered)
		ended.Add(1)
	}
}

// spdy switches a plain connection to SPDY/3.1.
func (s *stage) spdy(t *testing.T) (net.Conn, *bufio.Reader) {
	t.Helper()
	conn := s.dial(t)
	fmt.Fprintf(conn, "POST %s HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\nContent-Length: 0\r\n\r\n", execPath)
	reader := bufio.NewReader(conn)
	res, err := http.ReadResponse(reader, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusSwitchingProtocols || res.Header.Get("Upgrade") != "SPDY/3.1" || res.Header.Get("X-Stream-Protocol-Version") != "v4.channel.k8s.io" || res.Header.Get("Set-Cookie") != "" {
		t.Fatalf("got %d %v", res.StatusCode, res.Header)
	}
	return conn, reader
}

func TestAnUpgradeToSPDY(t *testing.T) {
	s := start(t, nil)
	var ended atomic.Int32
	s.serve(echo(&ended))
	conn, reader := s.spdy(t)
	for _, text := range []string{"one", strings.Repeat("many ", 1_000_000)} {
		go func() { _, _ = io.WriteString(conn, text) }()
		got := make([]byte, len(text))
		if _, err := io.ReadFull(reader, got); err != nil || string(got) != text {
			t.Fatalf("another text came back (%v)", err)
		}
	}
	// Who leaves takes the connection to the upstream along.
	conn.Close()
	eventually(t, func() bool { return ended.Load() == 1 })
	if ended.Load() != 1 {
		t.Error("the upstream's connection is still open")
	}
}

func TestAClientThatLeavesEndsAnUpgradeWhoseUpstreamDoesNotNotice(t *testing.T) {
	s := start(t, nil)
	gone := make(chan struct{})
	defer close(gone)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: SPDY/3.1\r\nX-Stream-Protocol-Version: v4.channel.k8s.io\r\n\r\n")
		<-gone
	})
	conn, _ := s.spdy(t)
	conn.Close()
	eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
	if got := s.metrics(t, "kairship_proxy_streams"); !strings.HasSuffix(got, " 0\n") {
		t.Error("it goes on")
	}
}

func TestAnUpgradeThatIsRefused(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Set-Cookie", "a=b")
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, `{"kind":"Status","apiVersion":"v1","status":"Failure","code":403,"reason":"Forbidden","message":"no exec for you"}`)
	})
	r := s.request(t, http.MethodPost, execPath, nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "SPDY/3.1")
	got := do(t, r)
	got.status(t, http.StatusForbidden, metav1.StatusReasonForbidden)
	if got.header.Get("Set-Cookie") != "" {
		t.Error("the answer sets a cookie")
	}
}

func TestAnUpgradeToAnotherProtocolThanAsked(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer conn.Close()
		_, _ = io.WriteString(conn, "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
	})
	r := s.request(t, http.MethodGet, execPath, nil)
	r.Header.Set("Connection", "Upgrade")
	r.Header.Set("Upgrade", "websocket")
	do(t, r).status(t, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
}
