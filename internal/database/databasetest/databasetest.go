// Package databasetest gives tests a real PostgreSQL of their own. It is for tests alone, and knows nothing of
// what they store.
package databasetest

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/kairship-io/kairship/internal/testing/testenv"
)

// stopTimeout bounds how long a server may take to end.
const stopTimeout = 30 * time.Second

// Server is a PostgreSQL that listens on a socket in a folder of its own, with nothing on the network.
type Server struct {
	bin, dir string
	runAs    *syscall.Credential

	mu      sync.Mutex
	running *exec.Cmd
	ended   chan struct{}
	said    *output
}

// shared is the server of the tests of a package.
var shared struct {
	once   sync.Once
	server *Server
	err    error
}

// Main runs the tests of a package, stops the server that they shared, and exits. Call it from TestMain.
func Main(m *testing.M) {
	code := m.Run()
	if shared.server != nil {
		if err := shared.server.remove(); err != nil {
			fmt.Fprintln(os.Stderr, "databasetest:", err)
			code = max(code, 1)
		}
	}
	os.Exit(code)
}

// Database makes an empty database on the server that the tests of a package share, and returns its connection
// string. It is removed with the server.
func Database(tb testing.TB) string {
	tb.Helper()
	shared.once.Do(func() { shared.server, shared.err = start() })
	need(tb, shared.err)
	return shared.server.Database(tb)
}

// Start starts a server for one test, which may stop it and start it again. Prefer Database: a start takes
// some seconds.
func Start(tb testing.TB) *Server {
	tb.Helper()
	s, err := start()
	need(tb, err)
	tb.Cleanup(func() {
		if err := s.remove(); err != nil {
			tb.Error(err)
		}
	})
	return s
}

// need fails a test that cannot have its server. With -short, a machine without PostgreSQL skips the test.
func need(tb testing.TB, err error) {
	tb.Helper()
	if errors.Is(err, errNotFound) && testing.Short() {
		tb.Skip(err)
	}
	if err != nil {
		tb.Fatal(err)
	}
}

// Database makes an empty database and returns its connection string.
func (s *Server) Database(tb testing.TB) string {
	tb.Helper()
	name := "test_" + strings.ToLower(rand.Text()[:12])
	s.Exec(tb, "postgres", "CREATE DATABASE "+name)
	return s.DSN("postgres", name)
}

// DSN is the connection string of a user for a database. Nobody needs a password.
func (s *Server) DSN(user, database string) string {
	return fmt.Sprintf("host=%s port=5432 user=%s dbname=%s sslmode=disable", s.dir, user, database)
}

// Exec runs a statement in a database as an administrator.
func (s *Server) Exec(tb testing.TB, database, statement string) {
	tb.Helper()
	Exec(tb, s.DSN("postgres", database), statement)
}

// Exec runs a statement in the database of a connection string.
func Exec(tb testing.TB, dsn, statement string) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testenv.Timeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		tb.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	if _, err := conn.Exec(ctx, statement); err != nil {
		tb.Fatalf("%s: %v", statement, err)
	}
}

// start makes a data folder and starts a server on it.
func start() (*Server, error) {
	bin, err := find()
	if err != nil {
		return nil, err
	}
	runAs, err := runner()
	if err != nil {
		return nil, err
	}
	// Not TMPDIR, which may be too long a name for a socket.
	dir, err := os.MkdirTemp("/tmp", "kairship-pg-")
	if err != nil {
		return nil, fmt.Errorf("making a folder for PostgreSQL: %w", err)
	}
	s := &Server{bin: bin, dir: dir, runAs: runAs}
	if runAs != nil {
		if err := os.Chown(dir, int(runAs.Uid), int(runAs.Gid)); err != nil {
			return nil, errors.Join(fmt.Errorf("giving PostgreSQL its folder: %w", err), s.remove())
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
	defer cancel()
	out, err := s.command(ctx, "initdb", "--pgdata="+s.data(), "--username=postgres", "--auth=trust",
		"--encoding=UTF8", "--locale=C", "--no-sync").CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, tail(string(out))), s.remove())
	}
	if err := s.start(); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	return s, nil
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, name), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=/", "LC_ALL=C", "TZ=UTC"}
	if s.runAs != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: s.runAs}
	}
	return cmd
}

// Start starts a server that was stopped, and waits until it answers.
func (s *Server) Start(tb testing.TB) {
	tb.Helper()
	if err := s.start(); err != nil {
		tb.Fatal(err)
	}
}

// Stop stops the server at once, as a crash would, and waits until it has ended. Its data stays.
func (s *Server) Stop(tb testing.TB) {
	tb.Helper()
	if err := s.stop(); err != nil {
		tb.Fatal(err)
	}
}

func (s *Server) start() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	// The server outlives this call, so that no context may end it.
	cmd := s.command(context.Background(), "postgres", "-D", s.data(), "-p", "5432", "-c", "listen_addresses=",
		"-c", "unix_socket_directories="+s.dir, "-c", "fsync=off", "-c", "full_page_writes=off",
		"-c", "shared_buffers=32MB", "-c", "logging_collector=off")
	s.said = &output{}
	cmd.Stdout, cmd.Stderr = s.said, s.said
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("starting PostgreSQL: %w", err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // its output says how it ended
		close(ended)
	}()
	s.running, s.ended = cmd, ended
	return s.ready()
}

// ready waits until the server answers.
func (s *Server) ready() error {
	ctx, cancel := context.WithTimeout(context.Background(), testenv.Timeout)
	defer cancel()
	ticker := time.NewTicker(20 * time.Millisecond)
	defer ticker.Stop()
	for {
		conn, err := pgx.Connect(ctx, s.DSN("postgres", "postgres"))
		if err == nil {
			return conn.Close(ctx)
		}
		select {
		case <-ticker.C:
		case <-s.ended:
			return fmt.Errorf("PostgreSQL ended: %s", tail(s.said.String()))
		case <-ctx.Done():
			return fmt.Errorf("PostgreSQL does not answer: %w: %s", err, tail(s.said.String()))
		}
	}
}

func (s *Server) stop() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running == nil {
		return nil
	}
	// SIGQUIT is its immediate shutdown: no waiting for sessions.
	if err := s.running.Process.Signal(syscall.SIGQUIT); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("stopping PostgreSQL: %w", err)
	}
	select {
	case <-s.ended:
	case <-time.After(stopTimeout):
		_ = s.running.Process.Kill()
		return fmt.Errorf("PostgreSQL did not end within %s: %s", stopTimeout, tail(s.said.String()))
	}
	s.running = nil
	return nil
}

func (s *Server) remove() error { return errors.Join(s.stop(), os.RemoveAll(s.dir)) }

// output keeps what the server prints.
type output struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.text.String()
}
