package runner

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/coder/websocket"
	"k8s.io/apimachinery/pkg/util/remotecommand"

	"github.com/kairship-io/kairship/internal/console/protocol"
)

func TestASessionHasNothingOfTheRunners(t *testing.T) {
	t.Setenv("KAIRSHIP_SECRET", "of-the-runner")
	f := newFixture(t)
	s := f.open(t, "ada", "the kubeconfig")
	env := s.does(t, "env -u PWD -u OLDPWD -u SHLVL -u _ -u PS1 -u LINES -u COLUMNS | cut -d= -f1 | sort | tr '\\n' ' '")
	if env != "HOME KUBECONFIG PATH TERM TMPDIR " {
		t.Errorf("its environment has %q", env)
	}
	if got := s.does(t, "cat $KUBECONFIG; echo; stat -c '%a %u' $HOME $KUBECONFIG | tr '\\n' ' '; id -u; pwd"); got !=
		fmt.Sprintf("the kubeconfig\n700 %[1]d 600 %[1]d %[1]d\n%[2]s\n", f.user(), home(t, f)) {
		t.Errorf("got %q", got)
	}
	if got := s.does(t, "tty | cut -d/ -f1-3; umask; ulimit -c -n -f -v; grep NoNewPrivs /proc/self/status; id -G"); !strings.HasPrefix(got, "/dev/pts\n0077\n") ||
		!strings.Contains(got, "-c) 0\n") || !strings.Contains(got, "-n) 1024\n") || !strings.Contains(got, "-f) 65536\n") || !strings.Contains(got, "-v) 4194304\n") || !strings.Contains(got, "NoNewPrivs:\t1\n") ||
		f.users.Count > 0 && !strings.HasSuffix(got, fmt.Sprintf("\n%d\n", f.user())) {
		t.Errorf("got %q", got)
	}
	// Descriptors: the terminal, and the one that lists them.
	if got := s.does(t, "ls /proc/self/fd | tr '\\n' ' '"); got != "0 1 2 3 " {
		t.Errorf("it has the files %q", got)
	}
}

// user is that of the fixture's only session so far.
func (f *fixture) user() int {
	if f.users.Count == 0 {
		return os.Geteuid()
	}
	return f.users.First
}

func home(t *testing.T, f *fixture) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(f.dir, homePrefix+"*"))
	if err != nil || len(found) != 1 {
		t.Fatalf("the folders are %v: %v", found, err)
	}
	return found[0]
}

func TestATerminal(t *testing.T) {
	f := newFixture(t)
	s := f.open(t, "ada", "x")
	if got := s.says(t, "ends in"); !strings.Contains(got, `the instance "asia"`) {
		t.Errorf("it greets with %q", got)
	}
	s.write(t, websocket.MessageBinary, protocol.Frame(remotecommand.StreamResize, []byte(`{"Width":123,"Height":45}`)))
	if got := s.does(t, "stty size"); got != "45 123\n" {
		t.Errorf("it is %q large", got)
	}
	// Control-C reaches what runs, and not the shell.
	s.types(t, "PS1='wait''ing> '; sh -c 'echo ru\"\"ns; exec sleep 1000'\n")
	s.says(t, "runs")
	s.types(t, "\x03")
	s.says(t, "waiting> ")
	s.types(t, "echo aft''er\n")
	s.says(t, "after")
	s.types(t, "exit 7\n")
	status := s.ends(t)
	if status.Status != "Failure" || status.Reason != remotecommand.NonZeroExitCodeReason || status.Details.Causes[0].Message != "7" {
		t.Errorf("it ended with %+v", status)
	}
	// Input that ends is the end of the shell.
	s = f.open(t, "ada", "x")
	s.write(t, websocket.MessageBinary, []byte{remotecommand.StreamClose, remotecommand.StreamStdIn})
	if status := s.ends(t); status.Status != "Success" {
		t.Errorf("it ended with %+v", status)
	}
}

// What a session does to go on after its end, in every way that processes leave their group.
const stays = "sleep 1001 & nohup sleep 1002 >/dev/null 2>&1 & setsid sleep 1003 & (setsid sh -c 'trap \"\" TERM HUP; sleep 1004 & sleep 1005' &) ; disown -a; echo read''y\n"

func TestNothingIsLeftOfASessionHoweverItEnds(t *testing.T) {
	for _, tc := range []struct {
		name   string
		limits Limits
		end    func(*testing.T, *fixture, *shell)
		says   string // on the status, unless the client has left
	}{
		{name: "the shell", end: func(t *testing.T, _ *fixture, s *shell) { t.Helper(); s.types(t, "exit\n") }, says: " "},
		{name: "the shell is killed", end: func(t *testing.T, _ *fixture, s *shell) { t.Helper(); s.types(t, "kill -9 $$\n") }, says: "exit code 137"},
		{name: "the server leaves", end: func(_ *testing.T, _ *fixture, s *shell) { _ = s.conn.CloseNow() }},
		{name: "its time", limits: Limits{Time: 3 * time.Second, Warning: time.Second}, end: func(t *testing.T, _ *fixture, s *shell) { t.Helper(); s.says(t, "the console ends in 1s") }, says: "its time is over"},
		{name: "nobody uses it", limits: Limits{Idle: 2 * time.Second}, end: func(*testing.T, *fixture, *shell) {}, says: "nobody used it"},
		{name: "the runner ends", end: func(_ *testing.T, f *fixture, _ *shell) { f.runner.close() }, says: "shutting down"},
		{name: "a bad message", end: func(t *testing.T, _ *fixture, s *shell) { t.Helper(); s.write(t, websocket.MessageBinary, []byte{9}) }, says: "none of the remote command protocol"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := newFixture(t, func(c *Config) { c.Limits = tc.limits })
			s := f.open(t, "ada", "x")
			s.types(t, stays)
			s.says(t, "ready")
			tc.end(t, f, s)
			if tc.says != "" {
				if status := s.ends(t); !strings.Contains(status.Message+" ", tc.says) {
					t.Errorf("it ended with %+v", status)
				}
			}
			f.nothingIsLeft(t)
		})
	}
}

func TestAForkBombEndsWithItsSession(t *testing.T) {
	if os.Geteuid() != 0 {
		return // without root it would take all processes that the user of this test may have
	}
	f := newFixture(t)
	s := f.open(t, "ada", "x")
	s.types(t, "b() { b | b & }; echo g''o; b\n")
	s.says(t, "go")
	_ = s.conn.CloseNow()
	f.nothingIsLeft(t)
}

func TestTheTokenIsNeeded(t *testing.T) {
	token := secret
	f := newFixture(t, func(c *Config) { c.Token = func() (string, error) { return token, nil } })
	for _, wrong := range []string{"", "x", secret + "x", secret[:len(secret)-1]} {
		if conn, code, refusal := f.dial(t, wrong, "ada"); conn != nil || code != http.StatusUnauthorized {
			t.Errorf("%q: %d %+v", wrong, code, refusal)
		}
	}
	if conn, code, _ := f.dial(t, secret, ""); conn != nil || code != http.StatusBadRequest {
		t.Errorf("nobody: %d", code)
	}
	token = "short"
	if conn, code, _ := f.dial(t, token, "ada"); conn != nil || code != http.StatusServiceUnavailable {
		t.Errorf("a token that can be guessed: %d", code)
	}
	token = "another-token-than-before"
	if conn, _, refusal := f.dial(t, token, "ada"); conn == nil {
		t.Errorf("the new one: %+v", refusal)
	}
}

func TestMessagesThatAreNoneEndASession(t *testing.T) {
	for name, message := range map[string][]byte{
		"no channel": {}, "an unknown channel": []byte("\x07x"), "the shell's channel": []byte("\x01x"), "the status": []byte("\x03{}"),
		"a size that is none": []byte("\x04{\"Width\":"), "a size that is too large": []byte(`` + "\x04" + `{"Width":70000,"Height":1}`), "another channel ends": {255, 1}, "nothing ends": {255},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t)
			s := f.open(t, "ada", "x")
			s.write(t, websocket.MessageBinary, message)
			if status := s.ends(t); status.Reason != "BadRequest" {
				t.Errorf("got %+v", status)
			}
		})
	}
	t.Run("text", func(t *testing.T) {
		f := newFixture(t)
		s := f.open(t, "ada", "x")
		s.write(t, websocket.MessageText, []byte("\x00ls\n"))
		if status := s.ends(t); status.Reason != "BadRequest" {
			t.Errorf("got %+v", status)
		}
	})
	t.Run("too long", func(t *testing.T) {
		f := newFixture(t)
		s := f.open(t, "ada", "x")
		s.write(t, websocket.MessageBinary, bytes.Repeat([]byte{0}, protocol.MaxMessage+1))
		f.nothingIsLeft(t)
	})
	t.Run("nothing to start", func(t *testing.T) {
		f := newFixture(t)
		conn, _, _ := f.dial(t, secret, "ada")
		if err := conn.Write(t.Context(), websocket.MessageText, []byte(`{"instance":"asia"}`)); err != nil {
			t.Fatal(err)
		}
		if _, _, err := conn.Read(t.Context()); err == nil {
			t.Error("it begins")
		}
	})
}

// A shell waits for whoever reads it; nothing is held for them.
func TestOutputThatNobodyReadsIsNotHeld(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.Idle = 3 * time.Second })
	s := f.open(t, "ada", "x")
	s.types(t, "echo g''o; exec yes 0123456789012345678901234567890123456789012345678901234567890123456789\n")
	s.says(t, "go")
	most := uint64(0)
	eventually(t, func() error {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		most = max(most, m.HeapAlloc)
		f.runner.mu.Lock()
		defer f.runner.mu.Unlock()
		if f.runner.open > 0 {
			return fmt.Errorf("it goes on")
		}
		return nil
	})
	if most > 16<<20 {
		t.Errorf("%d bytes were held", most)
	}
	f.nothingIsLeft(t)
}

// A program that does not read what is typed is waited for, then not; and that the server left is seen all the same.
func TestInputThatNobodyReadsIsNotHeld(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.Stall = time.Second })
	s := f.open(t, "ada", "x")
	s.types(t, "stty raw -echo; echo g''o; exec sleep 1000\n")
	s.says(t, "go")
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	go func() {
		for s.conn.Write(ctx, websocket.MessageBinary, bytes.Repeat([]byte{0}, 32<<10)) == nil {
		}
	}()
	if status := s.ends(t); !strings.Contains(status.Message, "did not read") {
		t.Errorf("got %+v", status)
	}
	s = f.open(t, "ada", "x")
	s.types(t, "stty raw -echo; echo g''o; exec sleep 1000\n")
	s.says(t, "go")
	s.types(t, strings.Repeat("x", 60<<10))
	_ = s.conn.CloseNow()
	f.nothingIsLeft(t)
}

func TestSessionsAreBounded(t *testing.T) {
	f := newFixture(t, func(c *Config) { c.Limits.Sessions, c.Limits.SessionsPerPerson = 3, 2 })
	refused := func(person, why string) {
		t.Helper()
		if conn, code, refusal := f.dial(t, secret, person); conn != nil || code != http.StatusTooManyRequests || !strings.Contains(refusal.Message, why) {
			t.Errorf("%s: %d %+v", person, code, refusal)
		}
	}
	first := f.open(t, "ada", "x")
	if f.users.Count == 0 {
		refused("bob", "cannot keep sessions apart")
		return
	}
	f.open(t, "ada", "x")
	refused("ada", "you have 2 consoles open")
	f.open(t, "bob", "x")
	refused("carl", "3 consoles are open")
	first.types(t, "exit\n")
	first.ends(t)
	eventually(t, func() error {
		if conn, _, refusal := f.dial(t, secret, "carl"); conn == nil {
			return fmt.Errorf("%+v", refusal)
		}
		return nil
	})
}

func TestSessionsDoNotReachEachOther(t *testing.T) {
	f := newFixture(t)
	ada := f.open(t, "ada", "ada's kubeconfig")
	where := home(t, f)
	if f.users.Count == 0 {
		return // there is no other one: TestSessionsAreBounded
	}
	pid := strings.TrimSpace(ada.does(t, "echo $$"))
	bob := f.open(t, "bob", "bob's kubeconfig")
	for _, command := range []string{
		"cat " + where + "/.kube/config", "ls " + where, "cat /proc/" + pid + "/environ", "ls /proc/" + pid + "/root/", "kill -9 " + pid, "ls " + f.dir,
		fmt.Sprintf("cat /proc/%d/environ", os.Getpid()), fmt.Sprintf("kill -9 %d", os.Getpid()),
	} {
		if got := bob.does(t, "("+command+") 2>&1"); !strings.Contains(got, "ermi") { // denied, or not permitted
			t.Errorf("%s: %q", command, got)
		}
	}
	if got := ada.does(t, "cat $KUBECONFIG; echo"); got != "ada's kubeconfig\n" {
		t.Errorf("got %q", got)
	}
}

// A runner that was killed leaves to the next one what it could not remove.
func TestARunnerRemovesWhatAnEarlierOneLeft(t *testing.T) {
	f := newFixture(t)
	ctx, cancel := context.WithTimeout(t.Context(), within)
	defer cancel()
	if _, err := New(f.runner.cfg); err == nil || !strings.Contains(err.Error(), "another console runner") {
		t.Errorf("a second one in the same folder: %v", err)
	}
	f.runner.Drain(ctx)
	if err := os.MkdirAll(filepath.Join(f.dir, homePrefix+"1", ".kube"), 0o700); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "1000")
	if f.users.Count > 0 {
		id := uint32(f.users.First + 5) //nolint:gosec // of a test
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: id, Gid: id}, Setsid: true}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
	}
	again, err := New(f.runner.cfg)
	if err != nil {
		t.Fatal(err)
	}
	again.Drain(ctx)
	if cmd.Process != nil {
		if err := cmd.Wait(); err == nil || !strings.Contains(err.Error(), "killed") {
			t.Errorf("its process: %v", err)
		}
	}
	f.nothingIsLeft(t)
}

func TestAFolderOfOthersIsNoFolderForSessions(t *testing.T) {
	f := newFixture(t)
	cfg := f.runner.cfg
	cfg.Dir = filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(cfg.Dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(cfg.Dir, 0o777); err != nil { //nolint:gosec // that is the point
		t.Fatal(err)
	}
	if _, err := New(cfg); err == nil || !strings.Contains(err.Error(), "others may write in it") {
		t.Errorf("got %v", err)
	}
}

func TestRunnersThatCannotKeepSessionsApartAreRefused(t *testing.T) {
	good := Config{Token: func() (string, error) { return secret, nil }, Shell: "/bin/sh", Path: "/bin", Dir: "/run/x"}
	if err := good.check(0); err == nil || !strings.Contains(err.Error(), "users of their own") {
		t.Errorf("root without users: %v", err)
	}
	good.Users = Users{First: 2000, Count: 10}
	if err := good.check(0); err != nil {
		t.Error(err)
	}
	if err := good.check(1000); err == nil {
		t.Error("users for who cannot use them")
	}
	for _, users := range []Users{{First: 0, Count: 10}, {First: 999, Count: 2}, {First: 1 << 31, Count: 1}} {
		good.Users = users
		if err := good.check(0); err == nil {
			t.Errorf("%+v are accepted", users)
		}
	}
}
