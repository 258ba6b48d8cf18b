package supervisor

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"k8s.io/utils/clock"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// Process is a running program as the child loop needs it.
type Process interface {
	PID() int
	// Wait returns when the program has ended, with how it ended.
	Wait() error
	Signal(syscall.Signal) error
}

// starter runs a program; prober asks it whether it does its work.
type (
	starter func(process.Spec) (Process, error)
	prober  func(context.Context, process.Spec) error
)

const (
	probeWhileStarting = 250 * time.Millisecond
	probeWhileRunning  = 10 * time.Second
	probeWhileIll      = 2 * time.Second
	// One slow answer on a busy machine does not count; three in a row do.
	failuresUntilIll = 3
	defaultGrace     = 10 * time.Second
)

type op string

const (
	opEnsure op = "ensure" // start it, or restart it when the spec changed
	opStart  op = "start"
	opStop   op = "stop"
	opPause  op = "pause"
	opResume op = "resume"
	opRetry  op = "retry"  // end it as if it had ended by itself
	opRename op = "rename" // call it by the spec's name and group
	opQuit   op = "quit"   // end the loop of a stopped one
)

type command struct {
	op     op
	spec   process.Spec
	reason string
	done   chan<- error
}

// child keeps one program in the desired state. Everything but the published status belongs to its loop.
type child struct {
	clock     clock.Clock
	start     starter
	probe     prober
	processes *ProcessList
	root      *slog.Logger
	log       *slog.Logger

	commands chan command
	changed  func(process.Spec)

	mu     sync.Mutex
	status Status

	proc      Process
	exited    chan error
	began     time.Time
	pause     backoff
	failures  int
	restart   *process.Spec // start with this spec once the present process ended
	stopped   []chan<- error
	failed    string // why it is being ended although it is wanted
	restartAt <-chan time.Time
	killAt    <-chan time.Time
	probeAt   <-chan time.Time
	probed    chan error
	probing   bool
}

func newChild(s process.Spec, c clock.Clock, start starter, probe prober, l *ProcessList, changed func(process.Spec), log *slog.Logger) *child {
	return &child{
		changed: changed,
		clock:   c, start: start, probe: probe, processes: l, root: log, log: log.With("process", s.Name),
		commands: make(chan command),
		exited:   make(chan error, 1),
		probed:   make(chan error, 1),
		status:   Status{Spec: s, Hash: s.Hash(), State: Stopped, Since: c.Now()},
	}
}

// Status returns what the child is doing now.
func (c *child) Status() Status {
	c.mu.Lock()
	s := c.status
	c.mu.Unlock()
	if s.PID != 0 {
		s.Memory = process.Resident(s.PID)
	}
	return s
}

// do hands a command to the loop and waits until it took effect.
func (c *child) do(ctx context.Context, o op, s process.Spec) error {
	return c.command(ctx, command{op: o, spec: s})
}

func (c *child) command(ctx context.Context, cmd command) error {
	done := make(chan error, 1)
	cmd.done = done
	select {
	case c.commands <- cmd:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// loop runs until ctx ends; it leaves no process behind only if the child was
// stopped before.
func (c *child) loop(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case cmd := <-c.commands:
			if cmd.op == opQuit {
				cmd.done <- nil
				return
			}
			c.handle(cmd)
		case err := <-c.exited:
			c.ended(err)
		case <-c.restartAt:
			c.restartAt = nil
			c.relaunch()
		case <-c.killAt:
			c.killAt = nil
			c.log.Warn("did not stop in time, killing it")
			c.signal(syscall.SIGKILL)
		case <-c.probeAt:
			c.probeAt = nil
			c.ask(ctx)
		case err := <-c.probed:
			c.answered(err)
		}
	}
}

func (c *child) handle(cmd command) {
	switch cmd.op {
	case opEnsure:
		cmd.done <- c.ensure(cmd.spec)
	case opStart:
		cmd.done <- c.ensure(c.status.Spec)
	case opStop:
		c.stop(cmd.done)
	case opPause:
		cmd.done <- c.freeze()
	case opResume:
		cmd.done <- c.thaw()
	case opRetry:
		c.retry(cmd.reason)
		cmd.done <- nil
	case opRename:
		cmd.done <- c.rename(cmd.spec)
	default:
		cmd.done <- fmt.Errorf("unknown command %q", cmd.op)
	}
}

func (c *child) ensure(s process.Spec) error {
	switch {
	case c.proc == nil:
		c.restartAt = nil
		c.pause.reset()
		c.set(func(st *Status) { st.Spec, st.Hash, st.Restarts = s, s.Hash(), 0 })
		return c.launch()
	case c.status.State == Stopping:
		c.restart = &s
	case s.Hash() != c.status.Hash:
		c.log.Info("starting again: it runs differently now")
		c.restart = &s
		c.terminate()
	default:
		c.set(func(st *Status) { st.Spec = s })
		if c.status.State == Paused {
			return c.thaw()
		}
	}
	return nil
}

func (c *child) launch() error {
	s := c.status.Spec
	proc, err := c.start(s)
	if err != nil {
		c.log.Error("starting failed", "error", err)
		c.wait(0, err.Error())
		return err
	}
	c.proc, c.began, c.failures = proc, c.clock.Now(), 0
	go func() { c.exited <- proc.Wait() }() // ends with the process; exited has room for it
	if err := c.processes.Add(s, proc.PID()); err != nil {
		c.log.Error("recording the process failed", "error", err)
	}
	state := Starting
	if s.Ready == nil {
		state = Running
	}
	c.set(func(st *Status) {
		st.State, st.PID, st.Since, st.Began, st.Message = state, proc.PID(), c.began, c.began, ""
	})
	c.log.Info("started", "pid", proc.PID())
	c.schedule()
	return nil
}

// relaunch is launch without a caller that waits for the outcome. A failure is in the status and the log, and is
// followed by another attempt.
func (c *child) relaunch() { _ = c.launch() }

// ended notes that the process is gone and decides what comes next.
func (c *child) ended(err error) {
	ran := c.clock.Since(c.began)
	c.processes.Remove(c.status.Spec.Name)
	c.proc, c.killAt, c.probeAt = nil, nil, nil
	wasStopping, failed := c.status.State == Stopping, c.failed
	c.failed = ""
	exit := &Exit{Code: exitCode(err), Began: c.began, Ended: c.clock.Now()}
	c.mu.Lock() // watchers are notified of the state that follows
	c.status.PID, c.status.Began, c.status.Exit = 0, time.Time{}, exit
	c.mu.Unlock()
	switch {
	case c.restart != nil:
		s := *c.restart
		c.restart = nil
		c.answerStop()
		c.pause.reset()
		c.set(func(st *Status) { st.Spec, st.Hash, st.Restarts = s, s.Hash(), 0 })
		c.relaunch()
	case wasStopping && failed != "" && len(c.stopped) == 0:
		c.wait(ran, failed)
	case wasStopping:
		c.set(func(st *Status) { st.State, st.Since, st.Message = Stopped, c.clock.Now(), "" })
		c.log.Info("stopped")
		c.answerStop()
	default:
		c.wait(ran, ending(err))
	}
}

// exitCode returns what a shell would report of how a program ended.
func exitCode(err error) int {
	var e *exec.ExitError
	switch {
	case err == nil:
		return 0
	case !errors.As(err, &e):
		return 1
	}
	if w, ok := e.Sys().(syscall.WaitStatus); ok && w.Signaled() {
		return 128 + int(w.Signal())
	}
	return e.ExitCode()
}

// retry ends the process and starts it again after a pause, as if it had ended by itself. A stopped or paused one is
// left alone: somebody asked for that.
func (c *child) retry(reason string) {
	if c.proc == nil || c.status.State == Stopping || c.status.State == Paused {
		return
	}
	c.log.Warn("ending it to start it again", "reason", reason)
	c.failed = reason
	c.terminate()
}

// rename gives the child another name. The process keeps running and keeps its log.
func (c *child) rename(s process.Spec) error {
	old := c.status.Spec
	if c.proc != nil {
		if err := c.processes.Add(s, c.proc.PID()); err != nil {
			return err
		}
	}
	c.processes.Remove(old.Name)
	if s.Log != old.Log {
		_ = os.Rename(old.Log, s.Log) // may not be there yet; nothing but the place of old lines depends on it
	}
	c.log = c.root.With("process", s.Name)
	c.set(func(st *Status) { st.Spec, st.Hash = s, s.Hash() })
	return nil
}

func ending(err error) string {
	if err == nil {
		return "ended by itself (exit status 0)"
	}
	return "ended: " + err.Error()
}

// wait schedules another start after a pause.
func (c *child) wait(ran time.Duration, why string) {
	d := c.pause.next(ran)
	c.restartAt = c.clock.After(d)
	c.set(func(st *Status) {
		st.State, st.Since, st.Message = BackOff, c.clock.Now(), fmt.Sprintf("%s; starting again after %s", why, d)
		st.Restarts++
	})
	c.log.Warn("ended", "how", why, "pause", d)
}

func (c *child) stop(done chan<- error) {
	c.restart, c.failed = nil, ""
	if c.proc == nil {
		c.restartAt = nil
		if c.status.State != Stopped {
			c.set(func(st *Status) { st.State, st.Since, st.Message = Stopped, c.clock.Now(), "" })
		}
		done <- nil
		return
	}
	c.stopped = append(c.stopped, done)
	if c.status.State != Stopping {
		c.terminate()
	}
}

func (c *child) answerStop() {
	for _, done := range c.stopped {
		done <- nil
	}
	c.stopped = nil
}

// terminate asks the process to end; ended follows.
func (c *child) terminate() {
	sig, err := c.status.Spec.Signal()
	if err != nil {
		c.log.Error("using TERM", "error", err)
		sig = syscall.SIGTERM
	}
	paused := c.status.State == Paused
	c.set(func(st *Status) { st.State, st.Since, st.Message = Stopping, c.clock.Now(), "" })
	c.probeAt = nil
	c.signal(sig)
	if paused { // a frozen process cannot act on a signal
		c.signal(syscall.SIGCONT)
	}
	grace := time.Duration(c.status.Spec.StopGrace)
	if grace == 0 {
		grace = defaultGrace
	}
	c.killAt = c.clock.After(grace)
}

func (c *child) freeze() error {
	if c.proc == nil || c.status.State == Stopping {
		return fmt.Errorf("%s does not run (%s), so it cannot be paused", c.status.Spec.Name, c.status.State)
	}
	if err := c.proc.Signal(syscall.SIGSTOP); err != nil {
		return fmt.Errorf("pausing %s: %w", c.status.Spec.Name, err)
	}
	c.probeAt = nil
	c.set(func(st *Status) { st.State, st.Since, st.Message = Paused, c.clock.Now(), "" })
	return nil
}

func (c *child) thaw() error {
	if c.status.State != Paused {
		return fmt.Errorf("%s is not paused (%s)", c.status.Spec.Name, c.status.State)
	}
	if err := c.proc.Signal(syscall.SIGCONT); err != nil {
		return fmt.Errorf("resuming %s: %w", c.status.Spec.Name, err)
	}
	c.failures = 0
	state := Starting
	if c.status.Spec.Ready == nil {
		state = Running
	}
	c.set(func(st *Status) { st.State, st.Since, st.Message = state, c.clock.Now(), "" })
	c.schedule()
	return nil
}

func (c *child) signal(sig syscall.Signal) {
	if c.proc == nil {
		return
	}
	if err := c.proc.Signal(sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		c.log.Error("signalling failed", "signal", sig, "error", err)
	}
}

func (c *child) set(change func(*Status)) {
	c.mu.Lock()
	change(&c.status)
	s := c.status.Spec
	c.mu.Unlock()
	c.changed(s)
}
