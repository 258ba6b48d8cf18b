package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"syscall"
	"time"

	"github.com/kairship-io/kairship/playground/internal/control"
	"github.com/kairship-io/kairship/playground/internal/launch"
	"github.com/kairship-io/kairship/playground/internal/state"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
	"github.com/kairship-io/kairship/playground/kubelet"
)

// orphanGrace is how long a process that a killed supervisor left behind may take
// to stop by itself.
const orphanGrace = 10 * time.Second

type superviseCmd struct{}

// Run owns the processes until it is asked to end. Whenever it ends in an orderly way, it stops them first.
func (superviseCmd) Run(e *environment) error {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	signal.Ignore(syscall.SIGHUP) // the terminal that started the fleet may close
	lock, err := e.dir.Lock("supervisor")
	if err != nil {
		return fmt.Errorf("taking the place of the fleet's supervisor: %w", err)
	}
	defer lock.Release()
	processes, err := supervisor.NewProcessList(e.dir.ProcessList())
	if err != nil {
		return err
	}
	orphans, err := processes.EndOrphans(e.ctx, orphanGrace)
	if err != nil {
		return fmt.Errorf("ending what an earlier fleet left behind: %w", err)
	}
	if len(orphans) > 0 {
		log.Info("ended what an earlier fleet left behind", "processes", orphans)
	}
	s := supervisor.New(processes, log)
	ctx, cancel := context.WithCancel(e.ctx)
	defer cancel()
	go s.CutLogs(ctx) // ends with ctx
	defer os.Remove(e.dir.Socket())
	return control.Serve(ctx, e.dir.Socket(), s, kubelet.NewSlot(s, log), orphans, log)
}

// spawn starts a supervisor in the background, in a session of its own, and waits
// until it answers.
func (e *environment) spawn() (control.Fleet, error) {
	exe, err := os.Executable()
	if err != nil {
		return control.Fleet{}, fmt.Errorf("finding this program: %w", err)
	}
	path := e.dir.Log("supervisor")
	log, err := os.OpenFile(path, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return control.Fleet{}, fmt.Errorf("opening the supervisor's log: %w", err)
	}
	defer func() { _ = log.Close() }() // the supervisor has its own
	cmd := exec.Command(exe, "supervise", "--dir", e.dir.Root())
	cmd.Dir, cmd.Stdout, cmd.Stderr = e.dir.Root(), log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return control.Fleet{}, fmt.Errorf("starting the supervisor: %w", err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }() // outlives us with the supervisor; ended has room
	for {
		f, err := e.client.Fleet(e.ctx)
		if err == nil {
			return f, nil
		}
		select {
		case err := <-ended:
			return f, fmt.Errorf("the supervisor ended at once (%w). Its last lines:\n%s", err, launch.Tail(path, 8))
		case <-e.ctx.Done():
			_ = cmd.Process.Signal(syscall.SIGTERM) // it has no process yet but may be ending old ones
			return f, context.Cause(e.ctx)
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// shutdown asks the supervisor to stop everything and waits until it is gone.
// told is called with how many processes are left, whenever that changes.
func (e *environment) shutdown(ctx context.Context, told func(left int)) error {
	if err := e.client.Shutdown(ctx); err != nil {
		return err
	}
	last := -1
	for {
		if lock, err := e.dir.Lock("supervisor"); err == nil {
			lock.Release()
			return nil
		} else if !errors.Is(err, state.ErrLocked) {
			return err
		}
		if f, err := e.client.Fleet(ctx); err == nil {
			left := 0
			for _, p := range f.Processes {
				if p.PID != 0 {
					left++
				}
			}
			if left != last {
				told(left)
				last = left
			}
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for the fleet to stop: %w; see %s", context.Cause(ctx), e.dir.Log("supervisor"))
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// sweep ends processes that a killed supervisor left behind, when none runs.
func (e *environment) sweep(ctx context.Context) ([]string, error) {
	if _, err := os.Stat(e.dir.ProcessList()); err != nil {
		return nil, nil // nothing ever ran here
	}
	lock, err := e.dir.Lock("supervisor")
	if err != nil {
		return nil, fmt.Errorf("ending what an earlier fleet left behind: %w", err)
	}
	defer lock.Release()
	processes, err := supervisor.NewProcessList(e.dir.ProcessList())
	if err != nil {
		return nil, err
	}
	return processes.EndOrphans(ctx, orphanGrace)
}

// sibling is a program beside this one.
func sibling(name string) string {
	exe, err := os.Executable()
	if err != nil {
		return ""
	}
	path := filepath.Join(filepath.Dir(exe), name)
	if i, err := os.Stat(path); err != nil || i.IsDir() {
		return ""
	}
	return path
}
