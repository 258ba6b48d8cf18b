package control

import (
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/process"
	"github.com/kairship-io/kairship/playground/internal/supervisor"
	"github.com/kairship-io/kairship/playground/kubelet"
)

// served is a real supervisor behind a real socket.
type served struct {
	*Client
	dir    string
	ledger string
	ended  chan error
}

func serve(t *testing.T) served {
	t.Helper()
	//nolint:usetesting // A socket's path has to be short, and t.TempDir's is not on every system.
	dir, err := os.MkdirTemp("/tmp", "control")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	s := served{dir: dir, ledger: filepath.Join(dir, "processes"), ended: make(chan error, 1)}
	l, err := supervisor.NewProcessList(s.ledger)
	if err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.DiscardHandler)
	ctx, cancel := context.WithCancel(context.Background())
	socket := filepath.Join(dir, "s")
	sup := supervisor.New(l, log)
	go func() { s.ended <- Serve(ctx, socket, sup, kubelet.NewSlot(sup, log), nil, log) }()
	t.Cleanup(cancel)
	s.Client = NewClient(socket)
	eventually(t, "the socket answers", func() bool { _, err := s.Fleet(ctx); return err == nil })
	return s
}

func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !is(); {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within 10 s", what)
		}
		time.Sleep(5 * time.Millisecond) // poll
	}
}

func (s served) sleeper(name string, tier process.Tier) process.Spec {
	return process.Spec{Name: name, Path: "/bin/sleep", Args: []string{"600"}, Log: filepath.Join(s.dir, name+".log"), Tier: tier}
}

func alive(pid int) bool {
	at, err := process.StartedAt(pid)
	return err == nil && at != ""
}

func TestAProcessIsStartedFrozenStoppedAndStartedAgain(t *testing.T) {
	s, ctx := serve(t), t.Context()
	if err := s.Ensure(ctx, s.sleeper("etcd", process.TierStore)); err != nil {
		t.Fatal(err)
	}
	etcd := func() supervisor.Status {
		f, err := s.Fleet(ctx)
		if err != nil || len(f.Processes) != 1 {
			t.Fatalf("fleet: %+v, %v", f, err)
		}
		return f.Processes[0]
	}
	first := etcd()
	if first.State != supervisor.Running || !alive(first.PID) {
		t.Fatalf("after Ensure: %+v", first)
	}
	for _, step := range []struct {
		do   func(context.Context, []string) error
		want supervisor.State
	}{{s.Pause, supervisor.Paused}, {s.Resume, supervisor.Running}, {s.Stop, supervisor.Stopped}, {s.Start, supervisor.Running}} {
		if err := step.do(ctx, []string{"etcd"}); err != nil {
			t.Fatal(err)
		}
		if got := etcd().State; got != step.want {
			t.Errorf("it is %s, want %s", got, step.want)
		}
	}
	if alive(first.PID) {
		t.Error("the stopped process still runs")
	}
}

func TestShutdownLeavesNothingBehind(t *testing.T) {
	s, ctx := serve(t), t.Context()
	for name, tier := range map[string]process.Tier{"postgres": process.TierDatabase, "etcd": process.TierStore, "api": process.TierAPIServer} {
		if err := s.Ensure(ctx, s.sleeper(name, tier)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := s.Fleet(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Shutdown(ctx); err != nil {
		t.Fatal(err)
	}
	if err := <-s.ended; err != nil {
		t.Errorf("the supervisor ended with %v", err)
	}
	for _, p := range f.Processes {
		if alive(p.PID) {
			t.Errorf("%s still runs", p.Spec.Name)
		}
	}
	left, err := os.ReadDir(s.ledger)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(0, len(left)); diff != "" {
		t.Errorf("entries of processes that ended (-want +got):\n%s", diff)
	}
	if _, err := s.Fleet(ctx); !errors.Is(err, ErrNotRunning) {
		t.Errorf("afterwards: %v, want ErrNotRunning", err)
	}
}

func TestTheSupervisorsErrorsReachTheCommand(t *testing.T) {
	s, ctx := serve(t), t.Context()
	err := s.Stop(ctx, []string{"nobody"})
	if err == nil || !strings.Contains(err.Error(), `no process is called "nobody"`) {
		t.Errorf("error %v", err)
	}
	bad := s.sleeper("etcd", process.TierStore)
	bad.Path = filepath.Join(s.dir, "missing")
	err = s.Ensure(ctx, bad)
	if err == nil || !strings.Contains(err.Error(), "missing") {
		t.Errorf("error %v, want the program that is missing", err)
	}
}

func TestOnlyTheOwnerMayTalkToTheSupervisor(t *testing.T) {
	s := serve(t)
	i, err := os.Stat(filepath.Join(s.dir, "s"))
	if err != nil {
		t.Fatal(err)
	}
	if i.Mode().Perm() != 0o600 {
		t.Errorf("the socket has mode %v", i.Mode().Perm())
	}
}
