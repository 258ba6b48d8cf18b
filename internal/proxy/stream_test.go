package proxy_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/kairship-io/kairship/internal/proxy"
	"github.com/kairship-io/kairship/internal/testenv"
)

const (
	watchPath = "/instances/asia/clusters/tokyo/api/v1/pods?watch=true"
	logPath   = "/instances/asia/clusters/tokyo/api/v1/namespaces/a/pods/b/log?follow=true"
	execPath  = "/instances/asia/clusters/tokyo/api/v1/namespaces/a/pods/b/exec?command=sh"
)

// open begins a request whose answer is a stream; what it gives is its lines.
func (s *stage) open(t *testing.T, path string) (lines *bufio.Reader, code int) {
	t.Helper()
	res, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(s.request(t, http.MethodGet, path, nil))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { res.Body.Close() })
	return bufio.NewReader(res.Body), res.StatusCode
}

// hangPath is never answered.
const hangPath = "/instances/asia/hang"

// besides lets a function answer for the upstream, but for hangPath.
func besides(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/hang" {
			<-r.Context().Done()
			return
		}
		answer(w, r)
	}
}

// outlast waits until a request that began now has been given up.
func (s *stage) outlast(t *testing.T) {
	t.Helper()
	if got := s.get(t, hangPath); got.code != http.StatusGatewayTimeout && got.code != http.StatusServiceUnavailable {
		t.Fatalf("a request that hangs: %d", got.code)
	}
}

// drip answers with a line whenever one is sent, and ends with the request.
func drip(lines <-chan string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		for {
			select {
			case line := <-lines:
				_, _ = io.WriteString(w, line+"\n")
				_ = http.NewResponseController(w).Flush()
			case <-r.Context().Done():
				return
			}
		}
	}
}

func TestStreamsAreHandedOnAtOnceAndHaveNoDeadline(t *testing.T) {
	for _, path := range []string{watchPath, logPath, "/instances/asia" + memberPath + "tokyo/proxy/api/v1/pods?watch"} {
		t.Run(path, func(t *testing.T) {
			s := start(t, func(c *proxy.Config) { c.Limits.Time = 100 * time.Millisecond })
			lines := make(chan string)
			s.serve(besides(drip(lines)))
			got, code := s.open(t, path)
			if code != http.StatusOK {
				t.Fatalf("got %d", code)
			}
			s.outlast(t)
			for i := range 3 {
				want := fmt.Sprintf("line %d", i)
				lines <- want
				// The next one is sent when this one has arrived.
				if line, err := got.ReadString('\n'); err != nil || line != want+"\n" {
					t.Fatalf("got %q (%v), want %q", line, err, want)
				}
			}
		})
	}
}

func TestALogMayBeSilentBeforeItBegins(t *testing.T) {
	s := start(t, nil)
	s.fleet.instances["asia"].config.Timeout = 200 * time.Millisecond
	asked, speak := make(chan struct{}), make(chan struct{})
	s.serve(besides(func(w http.ResponseWriter, _ *http.Request) {
		close(asked)
		<-speak
		_, _ = io.WriteString(w, "hello\n")
	}))
	go func() {
		defer close(speak)
		<-asked
		s.outlast(t)
	}()
	if got := s.get(t, logPath); got.code != http.StatusOK || got.body != "hello\n" {
		t.Errorf("got %d %q", got.code, got.body)
	}
}

func TestADeadUpstream(t *testing.T) {
	closed, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	closed.Close()
	const tokyo, asia = "/instances/asia/clusters/tokyo/api/v1/pods", "/instances/asia/api/v1/pods"
	plain := func(code int, media, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", media)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, body)
		}
	}
	const failure = `{"kind":"Status","apiVersion":"v1","status":"Failure","message":"dial tcp 10.1.2.3:6443: refused","code":500}`
	hang := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	for _, tc := range []struct {
		name, path, method string
		answer             http.HandlerFunc
		change             func(*stage)
		upgrade            bool
	}{
		{name: "that refuses connections", path: asia, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that refuses connections, to a watch", path: watchPath, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that refuses connections, to an upgrade", path: execPath, upgrade: true, change: func(s *stage) { s.fleet.instances["asia"].config.Host = "https://" + closed.Addr().String() }},
		{name: "that is not to be trusted", path: asia, change: func(s *stage) { s.fleet.instances["asia"].config.CAData = nil }},
		{name: "that hangs", path: asia, answer: hang},
		{name: "that hangs, for a write", path: asia, method: "POST", answer: hang},
		{name: "that hangs, for a watch", path: watchPath, answer: hang},
		{name: "that hangs, for an upgrade", path: execPath, upgrade: true, answer: hang},
		{name: "that ends the connection", path: asia, answer: func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }}, //nolint:forbidigo // how a handler cuts its connection
		{name: "whose gateway answers in HTML", path: asia, answer: plain(502, "text/html", "<h1>10.1.2.3</h1>")},
		{name: "whose aggregator answers in plain text", path: tokyo, answer: plain(503, "text/plain", "error trying to reach service: dial tcp 10.1.2.3:443")},
		{name: "whose gateway has run out of time", path: asia, answer: plain(504, "application/json", `{"error":"10.1.2.3"}`)},
		{name: "whose member is not reached", path: tokyo, answer: plain(500, "application/json", failure)},
		{name: "whose member is not reached by Karmada's path", path: "/instances/asia" + memberPath + "tokyo/proxy/api", answer: plain(500, "application/json", failure)},
		{name: "that refuses Kairship's credential", path: asia, answer: plain(401, "application/json", `{"kind":"Status","code":401,"reason":"Unauthorized","message":"10.1.2.3"}`)},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, nil)
			s.fleet.instances["asia"].config.Timeout = 300 * time.Millisecond
			s.serve(tc.answer)
			if tc.change != nil {
				tc.change(s)
			}
			r := s.request(t, tc.method, tc.path, nil)
			r.URL.RawQuery += "&token=canary"
			r.Header.Set("Cookie", "canary")
			if tc.upgrade {
				r.Header.Set("Connection", "Upgrade")
				r.Header.Set("Upgrade", "SPDY/3.1")
			}
			began := time.Now()
			got := do(t, r)
			status := got.status(t, http.StatusServiceUnavailable, metav1.StatusReasonServiceUnavailable)
			if took := time.Since(began); took > 10*time.Second {
				t.Errorf("answered after %s", took)
			}
			if strings.Contains(got.body, "10.1.2.3") || strings.Contains(got.body, "127.0.0.1") {
				t.Errorf("the answer names an address: %s", got.body)
			}
			if log := s.logged.String(); strings.Contains(log, "canary") || strings.Contains(log, "kairships-own") || !strings.Contains(log, "could not be forwarded") {
				t.Errorf("the log says %s", log)
			}
			if !strings.Contains(status.Message, `"asia"`) || got.header.Get("Retry-After") == "" {
				t.Errorf("the answer says %q, %v", status.Message, got.header)
			}
		})
	}
}

func TestAnswersOfAnUpstreamAreItsOwn(t *testing.T) {
	for _, tc := range []struct {
		name, path string
		code       int
		media      string
		body       string
	}{
		{"an outage in Kubernetes' form", "/instances/asia/api", 503, "application/json", `{"kind":"Status","reason":"ServiceUnavailable","message":"etcd"}`},
		{"a failure with a reason", "/instances/asia/clusters/tokyo/api", 500, "application/json", `{"kind":"Status","reason":"InternalError","message":"etcd"}`},
		{"a failure of the instance", "/instances/asia/api", 500, "application/json", `{"kind":"Status","message":"etcd"}`},
		{"a refusal", "/instances/asia/api", 403, "application/json", `{"kind":"Status","reason":"Forbidden","message":"no"}`},
		{"what an application says of itself", "/instances/asia/clusters/tokyo/api/v1/namespaces/a/services/b/proxy/x", 503, "text/html", "<h1>closed</h1>"},
		{"what an application says of its own users", "/instances/asia/clusters/tokyo/api/v1/namespaces/a/services/b/proxy/x", 401, "text/plain", "who?"},
		{"more than a Status may hold", "/instances/asia/clusters/tokyo/api", 500, "application/json", `{"kind":"Other","x":"` + strings.Repeat("y", 200_000) + `"}`},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, nil)
			s.serve(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", tc.media)
				w.WriteHeader(tc.code)
				_, _ = io.WriteString(w, tc.body)
			})
			if got := s.get(t, tc.path); got.code != tc.code || got.body != tc.body || got.cut {
				t.Errorf("got %d, %d bytes", got.code, len(got.body))
			}
		})
	}
}

func TestAnUpstreamThatDiesInTheMiddle(t *testing.T) {
	s := start(t, nil)
	s.serve(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, strings.Repeat("x", 100_000))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) //nolint:forbidigo // how a handler cuts its connection
	})
	for _, path := range []string{"/instances/asia/api/v1/pods", watchPath} {
		if got := s.get(t, path); got.code != http.StatusOK || !got.cut {
			t.Errorf("%s: a client takes %d with %d bytes for the whole answer", path, got.code, len(got.body))
		}
	}
}

func TestARequestHasItsTime(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.Time = 200 * time.Millisecond })
	t.Run("to be answered", func(t *testing.T) {
		s.serve(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		status := s.get(t, "/instances/asia/api").status(t, http.StatusGatewayTimeout, metav1.StatusReasonTimeout)
		if !strings.Contains(status.Message, "limit time") {
			t.Errorf("says %q", status.Message)
		}
	})
	t.Run("to be answered to the end", func(t *testing.T) {
		s.serve(drip(nil))
		if got := s.get(t, "/instances/asia/api"); !got.cut {
			t.Errorf("got %+v", got)
		}
	})
}

func TestNobodyWaitsForABodyThatDoesNotCome(t *testing.T) {
	for _, tc := range []struct {
		name, header string
		code         int
	}{
		{"when the request has had its time", "", http.StatusGatewayTimeout},
		{"when the upstream does not want it", "X-Unread: 1\r\n", http.StatusForbidden},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, func(c *proxy.Config) { c.Limits.Time = 300 * time.Millisecond })
			s.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
			conn := s.dial(t)
			began := time.Now()
			if err := conn.SetDeadline(began.Add(10 * time.Second)); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "POST /instances/asia/api/v1/namespaces HTTP/1.1\r\nHost: kairship\r\nAuthorization: Bearer ada\r\n%sContent-Length: 10\r\n\r\n12345", tc.header)
			res, err := http.ReadResponse(bufio.NewReader(conn), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != tc.code {
				t.Errorf("got %d", res.StatusCode)
			}
			if _, err := io.Copy(io.Discard, conn); err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 4*time.Second {
				t.Errorf("the connection is open for %s", took)
			}
		})
	}
}

func TestABodyMayTakeLongerThanAnAnswer(t *testing.T) {
	s := start(t, nil)
	s.fleet.instances["asia"].config.Timeout = 200 * time.Millisecond
	s.serve(besides(func(http.ResponseWriter, *http.Request) {}))
	body, send := io.Pipe()
	go func() {
		defer send.Close()
		_, _ = io.WriteString(send, "slow")
		s.outlast(t)
	}()
	if got := do(t, s.request(t, http.MethodPost, "/instances/asia/api/v1/namespaces", body)); got.code != http.StatusOK {
		t.Errorf("got %d %s", got.code, got.body)
	}
}

// socket opens an upgraded connection through the proxy.
func (s *stage) socket(t *testing.T, path string) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Patience)
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
	s := start(t, func(c *proxy.Config) { c.Limits.Time = 100 * time.Millisecond })
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
		Namespace: "a", Name: "b", Status: http.StatusSwitchingProtocols}
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
	complete.Stage = proxy.StageComplete
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
				if took := time.Since(began); took > time.Second {
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

func TestAUserMayHaveSoManyStreams(t *testing.T) {
	s := start(t, func(c *proxy.Config) { c.Limits.StreamsPerUser = 2 })
	s.serve(drip(nil))
	s.open(t, watchPath)
	lines, _ := s.open(t, logPath)
	got := s.get(t, watchPath)
	if status := got.status(t, http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests); !strings.Contains(status.Message, "limit streamsPerUser") {
		t.Errorf("says %q", status.Message)
	}
	if got.header.Get("Retry-After") == "" {
		t.Error("does not say when to come back")
	}
	s.serve(nil)
	if got := s.get(t, "/instances/asia/api"); got.code != http.StatusOK {
		t.Errorf("another request: %d", got.code)
	}
	s.revoke()
	if _, err := lines.ReadString('\n'); err == nil {
		t.Fatal("a stream goes on")
	}
	eventually(t, func() bool { return strings.HasSuffix(s.metrics(t, "kairship_proxy_streams"), " 0\n") })
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
	case <-time.After(testenv.Patience):
		t.Fatal("the upstream goes on")
	}
}
