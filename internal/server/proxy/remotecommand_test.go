package proxy_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	consts "k8s.io/apimachinery/pkg/util/remotecommand"
	upstreamproxy "k8s.io/apiserver/pkg/util/proxy"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/remotecommand"
	clientexec "k8s.io/client-go/util/exec"
	kubelet "k8s.io/kubelet/pkg/cri/streaming/remotecommand"
	utilexec "k8s.io/utils/exec"

	"github.com/kairship-io/kairship/internal/server/proxy"
	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// shellPath is the path of an exec, before its query.
var shellPath = strings.TrimSuffix(execPath, "?command=sh")

// soon waits until something holds, and reports whether it does.
func soon(t *testing.T, check func() bool) (holds bool) {
	t.Helper()
	eventually(t, func() bool { holds = check(); return holds })
	return holds
}

// machine runs the commands of an exec as a container runtime does.
type machine struct{}

// ExecInContainer runs one: with a terminal, or without.
func (machine) ExecInContainer(ctx context.Context, _ string, _ types.UID, _ string, command []string, in io.Reader, out, errs io.WriteCloser, tty bool, resize <-chan remotecommand.TerminalSize, _ time.Duration) error {
	cmd := exec.CommandContext(ctx, command[0], command[1:]...)
	cmd.Env = []string{"PATH=/usr/bin:/bin", "TERM=dumb"}
	var err error
	if tty {
		err = inTerminal(cmd, in, out, resize)
	} else {
		cmd.Stdin, cmd.Stdout, cmd.Stderr = in, out, errs
		err = cmd.Run()
	}
	if failed := (*exec.ExitError)(nil); errors.As(err, &failed) {
		return utilexec.CodeExitError{Err: err, Code: failed.ExitCode()}
	}
	return err
}

func inTerminal(cmd *exec.Cmd, in io.Reader, out io.Writer, resize <-chan remotecommand.TerminalSize) error {
	terminal, err := pty.Start(cmd)
	if err != nil {
		return err
	}
	var using sync.Mutex
	defer func() {
		using.Lock()
		defer using.Unlock()
		terminal.Close()
		terminal = nil
	}()
	go func() { // ends with the connection
		for size := range resize {
			using.Lock()
			if terminal != nil {
				_ = pty.Setsize(terminal, &pty.Winsize{Rows: size.Height, Cols: size.Width})
			}
			using.Unlock()
		}
	}()
	typed := terminal
	go func() { // ends with the connection
		_, _ = io.Copy(typed, in)
	}()
	_, err = io.Copy(out, typed)
	if err != nil && !errors.Is(err, syscall.EIO) { // how a terminal ends
		return err
	}
	return cmd.Wait()
}

// pod answers an exec with Kubernetes' own server side: a kubelet, and the API server before it, which translates
// v5 of the protocol.
func pod(t *testing.T) http.HandlerFunc {
	t.Helper()
	serve := func(w http.ResponseWriter, r *http.Request) {
		is := asks(r)
		options := kubelet.Options{Stdin: is("stdin"), Stdout: is("stdout"), Stderr: is("stderr"), TTY: is("tty")}
		kubelet.ServeExec(w, r, machine{}, "b", "", "app", r.URL.Query()["command"], &options, time.Minute, 10*time.Second, consts.SupportedStreamingProtocols)
	}
	node := httptest.NewServer(http.HandlerFunc(serve))
	t.Cleanup(node.Close)
	at, err := url.Parse(node.URL)
	if err != nil {
		t.Fatal(err)
	}
	return func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(strings.Join(r.Header.Values("Sec-Websocket-Protocol"), ","), consts.StreamProtocolV5Name) {
			serve(w, r)
			return
		}
		location, is := *at, asks(r)
		location.RawQuery = r.URL.RawQuery
		upstreamproxy.NewStreamTranslatorHandler(&location, http.DefaultTransport, 0, upstreamproxy.Options{
			Stdin: is("stdin"), Stdout: is("stdout"), Stderr: is("stderr"), Tty: is("tty"),
		}).ServeHTTP(w, r)
	}
}

// asks reads the query of an exec.
func asks(r *http.Request) func(name string) bool {
	query := r.URL.Query()
	return func(name string) bool { return query.Get(name) == "true" }
}

// execQuery is the query of an exec.
func execQuery(tty bool, command ...string) string {
	q := url.Values{"command": command, "container": {"app"}, "stdin": {"true"}, "stdout": {"true"}}
	if tty {
		q.Set("tty", "true")
	} else {
		q.Set("stderr", "true")
	}
	return "?" + q.Encode()
}

// window is one that is as large as it was made, and then larger.
type window struct {
	sizes chan remotecommand.TerminalSize
}

func (w window) Next() *remotecommand.TerminalSize {
	size, ok := <-w.sizes
	if !ok {
		return nil
	}
	return &size
}

// clients are those of kubectl, by what they speak.
var clients = map[string]func(*rest.Config, *url.URL) (remotecommand.Executor, error){
	"SPDY": func(cfg *rest.Config, at *url.URL) (remotecommand.Executor, error) {
		return remotecommand.NewSPDYExecutor(cfg, http.MethodPost, at)
	},
	"WebSocket": func(cfg *rest.Config, at *url.URL) (remotecommand.Executor, error) {
		return remotecommand.NewWebSocketExecutor(cfg, http.MethodGet, at.String())
	},
}

// run runs a command through the proxy as kubectl does.
func (s *stage) run(t *testing.T, client, query string, options remotecommand.StreamOptions) error {
	t.Helper()
	at, err := url.Parse(s.server.URL + shellPath + query)
	if err != nil {
		t.Fatal(err)
	}
	executor, err := clients[client](&rest.Config{Host: s.server.URL, BearerToken: "ada"}, at)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Timeout)
	defer cancel()
	return executor.StreamWithContext(ctx, options)
}

func TestAShellOfARealPodByKubectlsClients(t *testing.T) {
	for client := range clients {
		t.Run(client, func(t *testing.T) {
			s := start(t, nil)
			s.serve(pod(t))
			t.Run("input that ends, both outputs and an exit code", func(t *testing.T) {
				var out, errs bytes.Buffer
				err := s.run(t, client, execQuery(false, "sh", "-c", "cat; echo sorry >&2; exit 7"), remotecommand.StreamOptions{Stdin: strings.NewReader("all of it\n"), Stdout: &out, Stderr: &errs})
				if code := (clientexec.CodeExitError{}); !errors.As(err, &code) || code.Code != 7 {
					t.Errorf("it ended with %v", err)
				}
				if out.String() != "all of it\n" || errs.String() != "sorry\n" {
					t.Errorf("it says %q, and %q", out.String(), errs.String())
				}
			})
			t.Run("a terminal that grows", func(t *testing.T) {
				sizes := make(chan remotecommand.TerminalSize, 1)
				sizes <- remotecommand.TerminalSize{Width: 91, Height: 17}
				typed, typing := io.Pipe()
				out := &lockedBuffer{}
				ended := make(chan error, 1)
				go func() {
					ended <- s.run(t, client, execQuery(true, "sh"), remotecommand.StreamOptions{Stdin: typed, Stdout: out, Tty: true, TerminalSizeQueue: window{sizes}})
				}()
				says := func(text string) {
					t.Helper()
					if !soon(t, func() bool {
						go io.WriteString(typing, "stty size\n") // waits for a reader, which there may not be yet
						return strings.Contains(out.String(), text)
					}) {
						t.Fatalf("want %q of %q", text, out.String())
					}
				}
				says("17 91\r\n")
				sizes <- remotecommand.TerminalSize{Width: 120, Height: 50}
				says("50 120\r\n")
				_, _ = io.WriteString(typing, "exit\n")
				select {
				case err := <-ended:
					if err != nil {
						t.Errorf("it ended with %v", err)
					}
				case <-time.After(testenv.Timeout):
					t.Error("it does not end")
				}
				close(sizes)
				typing.Close()
			})
		})
	}
}

// Clients that are nobody's library: browsers, and scripts.
func TestAShellOfARealPodByABareWebSocket(t *testing.T) {
	for _, protocol := range []string{consts.StreamProtocolV5Name, consts.StreamProtocolV4Name} {
		t.Run(protocol, func(t *testing.T) {
			s := start(t, nil)
			s.serve(pod(t))
			conn := s.speak(t, execQuery(true, "sh"), protocol)
			write := func(message string) {
				t.Helper()
				if err := conn.Write(t.Context(), websocket.MessageBinary, []byte(message)); err != nil {
					t.Fatal(err)
				}
			}
			said := readAll(t, conn)
			write("\x04" + `{"Width":77,"Height":11}`)
			if !soon(t, func() bool { write("\x00stty size\n"); return strings.Contains(said.output(), "11 77\r\n") }) {
				t.Errorf("it says %q", said.output())
			}
			write("\x00exit 5\n")
			said.exits(t, "5")
		})
	}
	t.Run("input that ends", func(t *testing.T) {
		s := start(t, nil)
		s.serve(pod(t))
		conn := s.speak(t, execQuery(false, "sh", "-c", "wc -c; exit 3"), consts.StreamProtocolV5Name)
		said := readAll(t, conn)
		for _, message := range []string{"\x00twelve bytes", "\xff\x00"} {
			if err := conn.Write(t.Context(), websocket.MessageBinary, []byte(message)); err != nil {
				t.Fatal(err)
			}
		}
		said.exits(t, "3")
		if said.output() != "12\n" {
			t.Errorf("it says %q", said.output())
		}
	})
}

// speak opens a WebSocket of one subprotocol.
func (s *stage) speak(t *testing.T, query, protocol string) *websocket.Conn {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), testenv.Timeout)
	defer cancel()
	conn, _, err := websocket.Dial( //nolint:bodyclose // there is none after a switch
		ctx, s.server.URL+shellPath+query, &websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer ada"}}, Subprotocols: []string{protocol}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.CloseNow() })
	if conn.Subprotocol() != protocol {
		t.Fatalf("speaks %q", conn.Subprotocol())
	}
	return conn
}

// told is what a WebSocket has said.
type told struct {
	mu     sync.Mutex
	out    string
	status string
	ended  chan struct{}
}

// readAll reads a WebSocket to its end.
func readAll(t *testing.T, conn *websocket.Conn) *told {
	t.Helper()
	s := &told{ended: make(chan struct{})}
	go func() { // ends with the connection
		defer close(s.ended)
		for {
			_, message, err := conn.Read(context.Background())
			if err != nil {
				return
			}
			s.mu.Lock()
			switch {
			case len(message) == 0:
			case message[0] == consts.StreamStdOut:
				s.out += string(message[1:])
			case message[0] == consts.StreamErr:
				s.status += string(message[1:])
			}
			s.mu.Unlock()
		}
	}()
	return s
}

func (s *told) output() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.out
}

// exits waits for the end, which has to be with an exit code.
func (s *told) exits(t *testing.T, code string) {
	t.Helper()
	select {
	case <-s.ended:
	case <-time.After(testenv.Timeout):
		t.Fatal("it does not end")
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	var status metav1.Status
	if err := json.Unmarshal([]byte(s.status), &status); err != nil || status.Details == nil || len(status.Details.Causes) != 1 || status.Details.Causes[0].Message != code {
		t.Errorf("it ended with %q", s.status)
	}
}

// What is recorded of a shell: what runs where, and how it ended, and nothing of what is typed.
func TestAShellIsRecordedFromItsBeginningToItsEnd(t *testing.T) {
	for _, tc := range []struct {
		name string
		end  func(*testing.T, *stage, *websocket.Conn)
		want proxy.End
	}{
		{"the command", func(t *testing.T, _ *stage, c *websocket.Conn) {
			t.Helper()
			_ = c.Write(t.Context(), websocket.MessageBinary, []byte("\x00exit\n"))
		}, proxy.EndedItself},
		{"the client", func(_ *testing.T, _ *stage, c *websocket.Conn) { _ = c.CloseNow() }, proxy.EndedItself},
		{"the right", func(_ *testing.T, s *stage, _ *websocket.Conn) { s.revoke() }, proxy.EndedRight},
		{"the server", func(t *testing.T, s *stage, _ *websocket.Conn) { t.Helper(); s.handler.Drain(t.Context()) }, proxy.EndedServer},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := start(t, nil)
			s.serve(pod(t))
			conn := s.speak(t, execQuery(true, "sh", "-i"), consts.StreamProtocolV5Name)
			said := readAll(t, conn)
			if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("\x00echo se''cret\n")); err != nil {
				t.Fatal(err)
			}
			if !soon(t, func() bool { return strings.Contains(said.output(), "secret") }) {
				t.Fatalf("it says %q", said.output())
			}
			tc.end(t, s, conn)
			if !soon(t, func() bool { return len(s.audited()) == 2 }) {
				t.Fatalf("recorded are %+v", s.audited())
			}
			first, last := s.audited()[0], s.audited()[1]
			if first.Stage != proxy.StageStarted || first.End != "" || last.Stage != proxy.StageComplete || last.End != tc.want || last.Duration <= first.Duration {
				t.Errorf("got %+v and %+v", first, last)
			}
			for _, r := range s.audited() {
				if diff := cmp.Diff([]string{"app", "sh", "-i", "exec", "b", "a"}, append(append([]string{r.Container}, r.Command...), r.Subresource, r.Name, r.Namespace)); diff != "" {
					t.Errorf("(-want +got):\n%s", diff)
				}
			}
		})
	}
	t.Run("a command without end", func(t *testing.T) {
		s := start(t, nil)
		s.serve(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
		command := make([]string, 100)
		for i := range command {
			command[i] = strings.Repeat("x", 100)
		}
		do(t, s.request(t, http.MethodPost, shellPath+execQuery(false, command...), nil))
		if got := s.audited(); len(got) != 1 || len(strings.Join(got[0].Command, "")) != 4<<10 || got[0].End != "" {
			t.Errorf("got %+v", got)
		}
	})
}
