package server

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coder/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"
	"k8s.io/client-go/rest"
	kubernetes "k8s.io/client-go/tools/remotecommand"
	"k8s.io/client-go/util/exec"

	"github.com/kairship-io/kairship/internal/audit"
	"github.com/kairship-io/kairship/internal/auth"
	"github.com/kairship-io/kairship/internal/auth/token"
	"github.com/kairship-io/kairship/internal/console"
	"github.com/kairship-io/kairship/internal/console/protocol"
	"github.com/kairship-io/kairship/internal/model"
	"github.com/kairship-io/kairship/internal/rbac"
)

// shells is a console runner whose shells say again what is typed, end with what follows "exit", and never stop talking
// once "flood" was typed. It is also the fleet, who issues kubeconfigs, and the audit.
type shells struct {
	mu      sync.Mutex
	started []protocol.Start
	open    int
	whose   []string
	issued  map[string]bool // by the token's id, whether it is good
	events  []audit.Event
	full    bool
	// unable is why no shell can be started.
	unable string
	flood  atomic.Int64
}

func (s *shells) Instance(_ rbac.Scope, name string) (*model.Instance, error) {
	if name == "asia" {
		return &model.Instance{Name: name}, nil
	}
	return nil, &model.Error{Code: model.CodeNotFound, Message: "there is no instance " + name}
}

func (s *shells) Clusters(rbac.Scope, string) ([]*model.Cluster, error) {
	return nil, errors.New("away")
}

func (s *shells) IssueShortest(_ context.Context, p auth.Principal, instance string, _ []string) (string, token.Token, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	t := token.Token{ID: string(rune('a' + len(s.issued))), Principal: p, Instance: instance, Expires: time.Now().Add(10 * time.Minute)}
	s.issued[t.ID] = true
	return "kubeconfig of " + p.Name, t, nil
}

func (s *shells) RevokeToken(_ context.Context, t token.Token) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issued[t.ID] = false
	return nil
}

func (s *shells) record(_ context.Context, e audit.Event) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.events = append(s.events, e)
}

func (s *shells) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	full := s.full
	s.whose = append(s.whose, r.URL.Query().Get(protocol.PrincipalParameter))
	s.mu.Unlock()
	switch {
	case r.Header.Get("Authorization") != "Bearer shared":
		w.WriteHeader(http.StatusUnauthorized)
		return
	case full:
		w.WriteHeader(http.StatusTooManyRequests)
		_ = json.NewEncoder(w).Encode(protocol.Refusal{Code: string(model.CodeLimitExceeded), Message: "too many consoles (limit sessions)"})
		return
	}
	conn, err := websocket.Accept(w, r, nil)
	if err != nil {
		return
	}
	defer func() { _ = conn.CloseNow() }()
	var start protocol.Start
	_, raw, err := conn.Read(r.Context())
	if err != nil || json.Unmarshal(raw, &start) != nil {
		return
	}
	s.mu.Lock()
	s.started, s.open = append(s.started, start), s.open+1
	unable := s.unable
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.open--
	}()
	said, _ := json.Marshal(protocol.Started{Failure: unable})
	_ = conn.Write(r.Context(), websocket.MessageText, said)
	for unable == "" {
		_, message, err := conn.Read(r.Context())
		switch {
		case err != nil:
			return
		case strings.HasPrefix(string(message), "\x00exit"):
			_ = conn.Write(r.Context(), websocket.MessageBinary, protocol.Exited(len(message)-len("\x00exit")))
			_ = conn.Close(websocket.StatusNormalClosure, "")
			return
		case string(message) == "\x00vanish":
			return
		case string(message) == "\x00flood":
			go func() { // ends with the connection
				for conn.Write(r.Context(), websocket.MessageBinary, protocol.Frame(1, bytes.Repeat([]byte("x"), 16<<10))) == nil {
					s.flood.Add(1)
				}
			}()
		default:
			_ = conn.Write(r.Context(), websocket.MessageBinary, append([]byte{1}, message...))
		}
	}
}

// withConsole gives a server consoles.
func withConsole(t *testing.T) (*shells, func(*Config)) {
	t.Helper()
	s := &shells{issued: map[string]bool{}}
	dir, err := os.MkdirTemp("", "kairship-") //nolint:usetesting // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	listener, err := net.Listen("unix", filepath.Join(dir, "runner"))
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: s, ReadHeaderTimeout: patience}
	go server.Serve(listener) // ends with the test
	t.Cleanup(func() { _ = server.Close() })
	runner, err := console.NewRunner("unix://"+filepath.Join(dir, "runner"), nil, func() (string, error) { return "shared", nil })
	if err != nil {
		t.Fatal(err)
	}
	return s, func(c *Config) {
		c.Proxy = http.HandlerFunc(echo)
		c.Console = console.New(console.Config{Runner: runner, Fleet: s, Kubeconfigs: s, Audit: s.record, Logger: c.Logger})
		c.Session, c.Origins = newSessions(time.Now().Add(time.Hour)).of, []string{"https://*.example.com"}
	}
}

// state is what there is: shells that run, credentials that are good, and the outcomes in the audit.
func (s *shells) state() (open, good int, outcomes []audit.Outcome) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, is := range s.issued {
		if is {
			good++
		}
	}
	for _, e := range s.events {
		outcomes = append(outcomes, e.Outcome)
	}
	return s.open, good, outcomes
}

// openConsole opens a console; nil and the Status where there is none.
func (f *fixture) openConsole(t *testing.T, path string, headers ...string) (*websocket.Conn, metav1.Status) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	options := &websocket.DialOptions{HTTPHeader: http.Header{}, Subprotocols: protocol.Subprotocols[:1]}
	for i := 0; i < len(headers); i += 2 {
		switch {
		case headers[i] == "Protocol" && headers[i+1] == "":
			options.Subprotocols = nil
		case headers[i] == "Protocol":
			options.Subprotocols = []string{headers[i+1]}
		default:
			options.HTTPHeader.Set(headers[i], strings.ReplaceAll(headers[i+1], "SELF", f.server.URL))
		}
	}
	conn, res, err := websocket.Dial(ctx, f.server.URL+path, options) //nolint:bodyclose // the package closes it
	if err == nil {
		t.Cleanup(func() { _ = conn.CloseNow() })
		return conn, metav1.Status{}
	}
	var status metav1.Status
	if res == nil || json.NewDecoder(res.Body).Decode(&status) != nil || int(status.Code) != res.StatusCode || status.Message == "" {
		t.Fatalf("%v %+v", err, status)
	}
	return nil, status
}

const admin = "Bearer admin"

func TestConsolesAreForThoseWhoSeeTheInstanceFromPagesOfThisHost(t *testing.T) {
	const path = "/instances/asia/console"
	for _, tc := range []struct {
		name, path string
		headers    []string
		code       int32 // 0 for a console
	}{
		{"a bearer token", path, []string{"Authorization", admin}, 0},
		{"the older protocol", path, []string{"Authorization", admin, "Protocol", "v4.channel.k8s.io"}, 0},
		{"a page of the host", path, []string{"Cookie", "session=ann", "Origin", "SELF"}, 0},
		{"a page of another host that is allowed", path, []string{"Cookie", "session=ann", "Origin", "https://console.example.com"}, 0},
		{"a page of another host", path, []string{"Cookie", "session=ann", "Origin", "https://evil.example"}, 403},
		{"a page without origin", path, []string{"Cookie", "session=ann", "Origin", "null"}, 403},
		{"no page", path, []string{"Cookie", "session=ann"}, 403},
		{"a page of another host with a token", path, []string{"Authorization", admin, "Origin", "https://evil.example"}, 403},
		{"nobody", path, nil, 401},
		{"a bad token", path, []string{"Authorization", "Bearer x"}, 401},
		{"a stranger", path, []string{"Authorization", "Bearer stranger"}, 403},
		{"the token of a kubeconfig", path, []string{"Authorization", "Bearer ann-at-asia"}, 401},
		{"an instance that there is not", "/instances/europe/console", []string{"Authorization", admin}, 404},
		{"a name that is none", "/instances/A%20b/console", []string{"Authorization", admin}, 404},
		{"no protocol", path, []string{"Authorization", admin, "Protocol", ""}, 400},
		{"another protocol", path, []string{"Authorization", admin, "Protocol", "graphql-transport-ws"}, 400},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, with := withConsole(t)
			f := newFixture(t, with)
			conn, status := f.openConsole(t, tc.path, tc.headers...)
			if status.Code != tc.code {
				t.Fatalf("got %+v, want %d", status, tc.code)
			}
			if open, good, _ := s.state(); tc.code != 0 && (open != 0 || good != 0) {
				t.Errorf("%d shells run, %d credentials are good", open, good)
			}
			if conn == nil {
				return
			}
			if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("\x00hello")); err != nil {
				t.Fatal(err)
			}
			if _, got, err := conn.Read(t.Context()); err != nil || string(got) != "\x01\x00hello" {
				t.Errorf("got %q %v", got, err)
			}
			if s.started[0].Instance != "asia" || s.started[0].Kubeconfig != "kubeconfig of ann" || !slices.Equal(s.whose, []string{"ann"}) {
				t.Errorf("the runner was told %+v, %v", s.started, s.whose)
			}
		})
	}
}

// Every client of the protocol is one of consoles.
func TestKubernetesOwnClientOpensAConsole(t *testing.T) {
	_, with := withConsole(t)
	f := newFixture(t, with)
	client, err := kubernetes.NewWebSocketExecutor(&rest.Config{Host: f.server.URL, BearerToken: "admin"}, http.MethodGet, f.server.URL+"/instances/asia/console")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	err = client.StreamWithContext(ctx, kubernetes.StreamOptions{Stdin: strings.NewReader("exit....."), Stdout: io.Discard, Tty: true})
	if code := (exec.CodeExitError{}); !errors.As(err, &code) || code.Code != 5 {
		t.Errorf("it ended with %v", err)
	}
}

func TestAServerWithoutConsolesSaysHowThereWouldBeSome(t *testing.T) {
	f := newFixture(t, withProxy)
	if _, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin); status.Code != 404 || status.Reason != metav1.StatusReasonNotFound || status.Message != NoConsole {
		t.Errorf("got %+v", status)
	}
	if a := f.do("GET", "/instances/asia/consoles", ""); a.status != 200 {
		t.Errorf("what is none is not proxied: %d", a.status)
	}
}

func TestAConsoleThatCannotBeOpenedLeavesNothing(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*shells)
		code   int32
		says   string
		// asked is what is answered without a WebSocket, by which a page learns the reason: where opening would begin, that it takes one.
		asked int32
	}{
		"too many":          {func(s *shells) { s.full = true }, 429, "(limit sessions)", 429},
		"no shell":          {func(s *shells) { s.unable = "/bin/bash is not there" }, 503, "could not start a shell", 400},
		"a runner of other": {nil, 503, "cannot be reached", 503},
	} {
		t.Run(name, func(t *testing.T) {
			s, with := withConsole(t)
			if tc.change != nil {
				tc.change(s)
			} else {
				runner, err := console.NewRunner("unix:///nowhere/at/all", nil, func() (string, error) { return "shared", nil })
				if err != nil {
					t.Fatal(err)
				}
				with = func(c *Config) {
					c.Console = console.New(console.Config{Runner: runner, Fleet: s, Kubeconfigs: s, Audit: s.record})
				}
			}
			f := newFixture(t, with)
			_, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin)
			if status.Code != tc.code || !strings.Contains(status.Message, tc.says) || strings.Contains(status.Message, "/bin/bash") {
				t.Errorf("got %+v", status)
			}
			if _, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin, "Protocol", ""); status.Code != tc.asked {
				t.Errorf("asked without a WebSocket it answers %+v, want %d", status, tc.asked)
			}
			eventually(t, "it leaves", func() bool { open, good, _ := s.state(); return open == 0 && good == 0 })
			if _, _, outcomes := s.state(); len(outcomes) != 1 || outcomes[0] == audit.Started || outcomes[0] == audit.Succeeded {
				t.Errorf("the audit has %v", outcomes)
			}
		})
	}
}

func TestAConsoleEndsAndItsCredentialWithIt(t *testing.T) {
	for _, tc := range []struct {
		name    string
		end     func(*testing.T, *websocket.Conn, *fixture, *rights)
		says    string // in the last message; empty for one who has left
		outcome audit.Outcome
	}{
		{"by the shell", func(t *testing.T, c *websocket.Conn, _ *fixture, _ *rights) {
			t.Helper()
			_ = c.Write(t.Context(), websocket.MessageBinary, []byte("\x00exit.."))
		}, "exit code 2", audit.Succeeded},
		{"by the client", func(_ *testing.T, c *websocket.Conn, _ *fixture, _ *rights) { _ = c.CloseNow() }, "", audit.Succeeded},
		{"by a right that is taken", func(_ *testing.T, _ *websocket.Conn, _ *fixture, r *rights) { r.change("ann") }, "the console ended", audit.Refused},
		{"by the server's end", func(_ *testing.T, _ *websocket.Conn, f *fixture, _ *rights) { f.close() }, "shutting down", audit.Failed},
		{"by a runner that is gone", func(t *testing.T, c *websocket.Conn, _ *fixture, _ *rights) {
			t.Helper()
			_ = c.Write(t.Context(), websocket.MessageBinary, []byte("\x00vanish"))
		}, "the console runner has gone", audit.Failed},
		{"by a message that is none", func(t *testing.T, c *websocket.Conn, _ *fixture, _ *rights) {
			t.Helper()
			_ = c.Write(t.Context(), websocket.MessageText, []byte("ls"))
		}, "binary", audit.Failed},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, with := withConsole(t)
			r := newRights()
			f := newFixture(t, with, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
			conn, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin)
			if conn == nil {
				t.Fatalf("%+v", status)
			}
			if open, good, outcomes := s.state(); open != 1 || good != 1 || !slices.Equal(outcomes, []audit.Outcome{audit.Started}) {
				t.Errorf("%d shells run, %d credentials are good, the audit has %v", open, good, outcomes)
			}
			tc.end(t, conn, f, r)
			if tc.says != "" {
				_, last, err := conn.Read(t.Context())
				if err != nil || last[0] != remotecommand.StreamErr || !strings.Contains(string(last), tc.says) {
					t.Errorf("it ends with %q %v", last, err)
				}
				if _, _, err := conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
					t.Errorf("the connection ends with %v", err)
				}
			}
			eventually(t, "it ends", func() bool {
				open, good, outcomes := s.state()
				return open == 0 && good == 0 && slices.Equal(outcomes, []audit.Outcome{audit.Started, tc.outcome})
			})
			s.mu.Lock()
			defer s.mu.Unlock()
			if e := s.events[1]; e.Action != "console" || e.Object.Instance != "asia" || e.Principal != "ann" || e.Duration <= s.events[0].Duration || e.RequestID == "" || e.RequestID != s.events[0].RequestID {
				t.Errorf("the audit has %+v", s.events)
			}
		})
	}
}

// Whoever does not read has the shell wait, and neither keeps its end from coming.
func TestAConsoleThatNobodyReadsHoldsLittleAndEnds(t *testing.T) {
	s, with := withConsole(t)
	r := newRights()
	f := newFixture(t, with, func(c *Config) { c.Authorizer, c.Changed = r, r.Changed })
	conn, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin)
	if conn == nil {
		t.Fatalf("%+v", status)
	}
	if err := conn.Write(t.Context(), websocket.MessageBinary, []byte("\x00flood")); err != nil {
		t.Fatal(err)
	}
	// Until it waits: what the kernel holds of a connection is a few megabytes.
	var last int64
	still := 0
	eventually(t, "the shell waits", func() bool {
		if now := s.flood.Load(); now == last && now > 0 {
			still++
		} else {
			last, still = now, 0
		}
		return still > 20
	})
	if last > 2_000 {
		t.Errorf("%d messages of 16 KiB are on their way", last)
	}
	began := time.Now()
	r.change("ann")
	eventually(t, "it ends", func() bool { open, good, _ := s.state(); return open == 0 && good == 0 })
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it ends after %s", took)
	}
}

func TestAConsoleIsCountedAmongSockets(t *testing.T) {
	_, with := withConsole(t)
	f := newFixture(t, with, func(c *Config) { c.Limits.SocketsPerUser = 1 })
	if conn, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin); conn == nil {
		t.Fatalf("%+v", status)
	}
	if _, status := f.openConsole(t, "/instances/asia/console", "Authorization", admin); status.Code != 429 || !strings.Contains(status.Message, "(limit socketsPerUser)") {
		t.Errorf("got %+v", status)
	}
}
