package runner

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/coder/websocket"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/remotecommand"

	"github.com/kairship-io/kairship/internal/console/protocol"
)

const (
	secret = "the-token-of-the-tests" //nolint:gosec // of a test
	within = 20 * time.Second
)

func TestMain(m *testing.M) {
	Main() // sessions begin as this program
	os.Exit(m.Run())
}

// fixture is a runner, and the server that its sessions are opened at.
type fixture struct {
	runner *Runner
	server *httptest.Server
	dir    string
	users  Users
}

// newFixture makes a runner: with users of its own where the tests run as root.
func newFixture(t *testing.T, change ...func(*Config)) *fixture {
	t.Helper()
	dir, err := os.MkdirTemp("", "kairship-console-") //nolint:usetesting // a test's own folder is closed to other users
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o711); err != nil { //nolint:gosec // the users of sessions pass through it
		t.Fatal(err)
	}
	f := &fixture{dir: filepath.Join(dir, "sessions")}
	if os.Geteuid() == 0 {
		f.users = Users{First: 1_000_000 + os.Getpid()%10_000*100, Count: 20}
	}
	cfg := Config{Token: func() (string, error) { return secret, nil }, Shell: "/bin/bash", Path: "/usr/bin:/bin", Dir: f.dir, Users: f.users, Logger: slog.New(slog.DiscardHandler)}
	for _, one := range change {
		one(&cfg)
	}
	if f.runner, err = New(cfg); err != nil {
		t.Fatal(err)
	}
	f.server = httptest.NewServer(f.runner)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), within)
		defer cancel()
		f.runner.Drain(ctx)
		f.server.Close()
		f.nothingIsLeft(t)
	})
	return f
}

// nothingIsLeft says that no session has left a process or a folder.
func (f *fixture) nothingIsLeft(t *testing.T) {
	t.Helper()
	eventually(t, func() error {
		if left, _ := filepath.Glob(filepath.Join(f.dir, homePrefix+"*")); len(left) > 0 {
			return fmt.Errorf("there are still the folders %v", left)
		}
		all, err := processes()
		if err != nil {
			return err
		}
		left := below(all, os.Getpid())
		if f.users.Count > 0 {
			left = ofUsers(all, f.users)
		}
		if len(left) > 0 {
			return fmt.Errorf("there are still the processes %v", left)
		}
		return nil
	})
}

func eventually(t *testing.T, check func() error) {
	t.Helper()
	deadline := time.Now().Add(within)
	for {
		err := check()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// dial asks for a session as a server does.
func (f *fixture) dial(t *testing.T, token, person string) (*websocket.Conn, int, protocol.Refusal) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	conn, res, err := websocket.Dial( //nolint:bodyclose // the package closes it
		ctx, f.server.URL+protocol.SessionsPath+"?"+url.Values{protocol.PrincipalParameter: {person}}.Encode(),
		&websocket.DialOptions{HTTPHeader: http.Header{"Authorization": {"Bearer " + token}}})
	if err == nil {
		conn.SetReadLimit(protocol.MaxMessage)
		t.Cleanup(func() { _ = conn.CloseNow() })
		return conn, http.StatusSwitchingProtocols, protocol.Refusal{}
	}
	if res == nil {
		t.Fatal(err)
	}
	var refusal protocol.Refusal
	if err := json.NewDecoder(res.Body).Decode(&refusal); err != nil {
		t.Fatalf("%d, and no refusal: %v", res.StatusCode, err)
	}
	return nil, res.StatusCode, refusal
}

// shell is an open session.
type shell struct {
	conn *websocket.Conn
	said strings.Builder
}

// open opens a session.
func (f *fixture) open(t *testing.T, person, kubeconfig string) *shell {
	t.Helper()
	conn, code, refusal := f.dial(t, secret, person)
	if conn == nil {
		t.Fatalf("%d %+v", code, refusal)
	}
	s := &shell{conn: conn}
	raw, err := json.Marshal(protocol.Start{Instance: "asia", Kubeconfig: kubeconfig, Expires: time.Now().Add(time.Hour)})
	if err != nil {
		t.Fatal(err)
	}
	s.write(t, websocket.MessageText, raw)
	kind, raw := s.read(t)
	var started protocol.Started
	if kind != websocket.MessageText || json.Unmarshal(raw, &started) != nil || started.Failure != "" {
		t.Fatalf("it begins with %q", raw)
	}
	return s
}

func (s *shell) write(t *testing.T, kind websocket.MessageType, message []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	if err := s.conn.Write(ctx, kind, message); err != nil {
		t.Fatal(err)
	}
}

// types types a text.
func (s *shell) types(t *testing.T, text string) {
	t.Helper()
	s.write(t, websocket.MessageBinary, protocol.Frame(remotecommand.StreamStdIn, []byte(text)))
}

func (s *shell) read(t *testing.T) (websocket.MessageType, []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	kind, message, err := s.conn.Read(ctx)
	if err != nil {
		t.Fatalf("%v after %q", err, s.said.String())
	}
	return kind, message
}

// says reads until the terminal has said a text, and returns everything since the last one.
func (s *shell) says(t *testing.T, text string) string {
	t.Helper()
	for {
		if before, after, ok := strings.Cut(s.said.String(), text); ok {
			s.said.Reset()
			s.said.WriteString(after)
			return before
		}
		kind, message := s.read(t)
		if kind != websocket.MessageBinary || message[0] != remotecommand.StreamStdOut {
			t.Fatalf("%v %q after %q", kind, message, s.said.String())
		}
		s.said.Write(message[1:])
	}
}

// does runs commands, and returns what they say.
func (s *shell) does(t *testing.T, commands string) string {
	t.Helper()
	s.types(t, "stty -echo; PS1=; echo be''gin; "+commands+"; echo en''d\n")
	s.says(t, "begin\r\n")
	return strings.ReplaceAll(s.says(t, "end\r\n"), "\r\n", "\n")
}

// ends reads until the session has ended, and returns how.
func (s *shell) ends(t *testing.T) metav1.Status {
	t.Helper()
	for {
		_, message := s.read(t)
		switch message[0] {
		case remotecommand.StreamStdOut:
			s.said.Write(message[1:])
			continue
		case remotecommand.StreamErr:
		default:
			t.Fatalf("got %q", message)
		}
		var status metav1.Status
		if err := json.Unmarshal(message[1:], &status); err != nil {
			t.Fatal(err)
		}
		if _, _, err := s.conn.Read(t.Context()); websocket.CloseStatus(err) != websocket.StatusNormalClosure {
			t.Errorf("the connection ended with %v", err)
		}
		return status
	}
}
