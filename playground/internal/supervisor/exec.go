package supervisor

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"github.com/kairship-io/kairship/playground/internal/enter"
	"github.com/kairship-io/kairship/playground/internal/process"
)

// A log that passed this size is set aside when its program starts, and cut
// while it runs.
const maxLog = 32 << 20

type running struct{ cmd *exec.Cmd }

func (r running) PID() int    { return r.cmd.Process.Pid }
func (r running) Wait() error { return r.cmd.Wait() }

// Signal asks the program itself to stop, which then ends its children as it
// sees fit. Freezing, thawing and killing reach the children too: PostgreSQL's
// have process groups of their own.
func (r running) Signal(sig syscall.Signal) error {
	if sig == syscall.SIGKILL || sig == syscall.SIGSTOP || sig == syscall.SIGCONT {
		for _, pid := range process.Descendants(r.PID()) {
			_ = syscall.Kill(pid, sig) // may be gone already
		}
	}
	return syscall.Kill(r.PID(), sig)
}

// Start runs a program in a process group of its own, so that a Ctrl-C in some
// terminal never reaches it, with its output appended to its log.
func Start(s process.Spec) (Process, error) {
	rotate(s.Log)
	log, err := os.OpenFile(s.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("opening the log of %s: %w", s.Name, err)
	}
	defer func() { _ = log.Close() }() // the child has its own
	cmd := exec.Command(s.Path, s.Args...)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if s.Root != nil {
		if cmd, err = enter.Command(*s.Root, s.Path, s.Args); err != nil {
			return nil, fmt.Errorf("starting %s: %w", s.Name, err)
		}
	}
	cmd.Dir = s.Dir
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "TMPDIR=" + os.TempDir()}, s.Env...)
	cmd.Stdout, cmd.Stderr = log, log
	if s.User != nil {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: s.User.UID, Gid: s.User.GID}
	}
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", s.Name, err)
	}
	return running{cmd}, nil
}

// rotate sets a long log aside. A failure costs disk, not function.
func rotate(path string) {
	if i, err := os.Stat(path); err == nil && i.Size() > maxLog {
		_ = os.Rename(path, path+".1")
	}
}

// cut empties a long log that is being written: the program continues at its new start. The newest lines are kept
// beside it. A failure costs disk, not function.
func cut(path string) {
	i, err := os.Stat(path)
	if err != nil || i.Size() <= maxLog {
		return
	}
	b, err := os.ReadFile(path)
	if err != nil {
		return
	}
	if os.WriteFile(path+".1", b, 0o644) == nil {
		_ = os.Truncate(path, 0)
	}
}
