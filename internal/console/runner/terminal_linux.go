package runner

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"

	"github.com/creack/pty"
)

// self is this program, also for users who cannot reach the folder that it is in.
const self = "/proc/self/exe"

// homePrefix begins the names of sessions' folders.
const homePrefix = "session-"

// terminal is a shell with its terminal, its user and its folder.
type terminal struct {
	runner *Runner
	pty    *os.File
	cmd    *exec.Cmd
	// sizing is held while its size is set; closed says that there is nothing left to size.
	sizing sync.Mutex
	closed bool
	// user is the session's own; 0 when it has none.
	user int
	home string
	// exited is closed when the shell has ended.
	exited chan struct{}
}

// startTerminal starts a shell with a kubeconfig. Its environment holds nothing of this process's.
func (r *Runner) startTerminal(kubeconfig string) (_ *terminal, err error) {
	t := &terminal{runner: r, exited: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, t.end())
		}
	}()
	if r.users.users.Count > 0 {
		if t.user, err = r.users.take(); err != nil {
			return nil, err
		}
	}
	file, err := t.makeHome(kubeconfig)
	if err != nil {
		return nil, fmt.Errorf("making the session's folder: %w", err)
	}
	var tty *os.File
	if t.pty, tty, err = pty.Open(); err != nil {
		return nil, fmt.Errorf("opening a terminal: %w", err)
	}
	defer func() { _ = tty.Close() }() // the shell has its own
	if err := t.own(tty.Name()); err != nil {
		return nil, fmt.Errorf("giving the terminal to its user: %w", err)
	}
	_ = t.resize(80, 24)                                                     // until the client says how large it is
	t.cmd = exec.Command(self, verbShell, strconv.Itoa(t.user), r.cfg.Shell) //nolint:noctx // it is ended with all that it starts
	t.cmd.Dir = t.home
	t.cmd.Env = []string{"PATH=" + r.cfg.Path, "HOME=" + t.home, "KUBECONFIG=" + file, "TMPDIR=" + t.home, "TERM=xterm-256color"}
	t.cmd.Stdin, t.cmd.Stdout, t.cmd.Stderr = tty, tty, tty
	t.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true, Credential: t.credential()}
	if err := r.start(t.cmd); err != nil {
		t.cmd = nil
		return nil, fmt.Errorf("starting the shell: %w", err)
	}
	go func() { // ends with the shell
		defer close(t.exited)
		r.wait(t.cmd)
	}()
	return t, nil
}

// makeHome makes the session's folder, with the kubeconfig in it.
func (t *terminal) makeHome(kubeconfig string) (file string, err error) {
	if t.home, err = os.MkdirTemp(t.runner.cfg.Dir, homePrefix); err != nil {
		return "", err
	}
	folder := filepath.Join(t.home, ".kube")
	if err := os.Mkdir(folder, 0o700); err != nil {
		return "", err
	}
	file = filepath.Join(folder, "config")
	if err := os.WriteFile(file, []byte(kubeconfig), 0o600); err != nil {
		return "", err
	}
	for _, path := range []string{file, folder, t.home} {
		if err := t.own(path); err != nil {
			return "", err
		}
	}
	return file, nil
}

// own gives a file to the session's user.
func (t *terminal) own(path string) error {
	if t.user == 0 {
		return nil
	}
	return os.Lchown(path, t.user, t.user)
}

// credential makes a process one of the session's user; nil when it has none.
func (t *terminal) credential() *syscall.Credential {
	if t.user == 0 {
		return nil
	}
	id := uint32(t.user) //nolint:gosec // Users.check
	return &syscall.Credential{Uid: id, Gid: id}
}

// resize makes the terminal as large as a window.
func (t *terminal) resize(columns, rows uint16) error {
	t.sizing.Lock()
	defer t.sizing.Unlock()
	if t.closed {
		return os.ErrClosed
	}
	return pty.Setsize(t.pty, &pty.Winsize{Rows: rows, Cols: columns})
}

// code is the exit code of the shell, as another shell would tell it.
func (t *terminal) code() int {
	status, ok := t.cmd.ProcessState.Sys().(syscall.WaitStatus)
	if ok && status.Signaled() {
		return 128 + int(status.Signal())
	}
	return t.cmd.ProcessState.ExitCode()
}

// kill ends every process of the session.
func (t *terminal) kill() error {
	defer t.runner.reap()
	switch {
	case t.cmd == nil:
		return nil // nothing was started
	case t.user == 0:
		// There is no other session, so all that descends from this process is the session's.
		return gone(func() ([]process, error) {
			t.runner.reap()
			all, err := processes()
			return below(all, os.Getpid()), err
		}, killEach)
	}
	return gone(func() ([]process, error) {
		all, err := processes()
		return ofUsers(all, Users{First: t.user, Count: 1}), err
	}, func([]process) error {
		cmd := exec.Command(self, verbEnd, strconv.Itoa(t.user), "-") //nolint:noctx // it ends at once
		cmd.Dir, cmd.Env, cmd.SysProcAttr = "/", []string{}, &syscall.SysProcAttr{Credential: t.credential()}
		if err := t.runner.start(cmd); err != nil {
			return fmt.Errorf("ending a session: %w", err)
		}
		t.runner.wait(cmd)
		return nil
	})
}

// end ends every process of the session and removes its files. Its user is not lent again when that fails.
func (t *terminal) end() error {
	err := t.kill()
	if t.pty != nil {
		t.sizing.Lock()
		t.closed = true
		_ = t.pty.Close()
		t.sizing.Unlock()
	}
	if t.home != "" {
		err = errors.Join(err, os.RemoveAll(t.home))
	}
	if err == nil && t.user != 0 {
		t.runner.users.giveBack(t.user)
	}
	return err
}
