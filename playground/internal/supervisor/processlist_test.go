package supervisor

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// machine is an operating system with processes that only exist in the test.
type machine struct {
	lives   map[int]string // pid → start
	deaf    map[int]bool
	signals []int // whom a polite signal reached, in order
	killed  []int
}

func (m *machine) processes(t *testing.T) *ProcessList {
	t.Helper()
	l, err := NewProcessList(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	l.startedAt = func(pid int) (string, error) { return m.lives[pid], nil }
	l.kill = func(pid int, sig syscall.Signal) error {
		switch {
		case m.lives[pid] == "":
			return syscall.ESRCH
		case sig == syscall.SIGKILL:
			m.killed = append(m.killed, pid)
			delete(m.lives, pid)
		case sig != syscall.SIGCONT:
			m.signals = append(m.signals, pid)
			if !m.deaf[pid] {
				delete(m.lives, pid)
			}
		}
		return nil
	}
	return l
}

// No process of a real machine has these numbers (they are above its limit), so
// that asking for their children finds none.
const pidA, pidB, pidC = 1 << 24, 1<<24 + 1, 1<<24 + 2

func TestEndOrphans(t *testing.T) {
	tests := map[string]struct {
		change  func(*machine) // between the two supervisors
		want    []string
		signals []int
		killed  []int
	}{
		"what still runs is ended, the upper tiers first": {
			change: func(*machine) {}, want: []string{"kwok", "api", "etcd"}, signals: []int{pidC, pidB, pidA},
		},
		"what ended meanwhile is left out": {
			change: func(m *machine) { delete(m.lives, pidB) }, want: []string{"kwok", "etcd"}, signals: []int{pidC, pidA},
		},
		"a number that another process has now is not touched": {
			change: func(m *machine) { m.lives[pidA] = "later" }, want: []string{"kwok", "api"}, signals: []int{pidC, pidB},
		},
		"what does not listen is killed": {
			change: func(m *machine) { m.deaf[pidB] = true }, want: []string{"kwok", "api", "etcd"},
			signals: []int{pidC, pidB, pidA}, killed: []int{pidB},
		},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			m := &machine{lives: map[int]string{pidA: "1", pidB: "2", pidC: "3"}, deaf: map[int]bool{}}
			l := m.processes(t)
			for pid, s := range map[int]process.Spec{
				pidA: spec("etcd", process.TierStore), pidB: spec("api", process.TierAPIServer), pidC: spec("kwok", process.TierController),
			} {
				if err := l.Add(s, pid); err != nil {
					t.Fatal(err)
				}
			}
			tt.change(m)
			got, err := l.EndOrphans(t.Context(), 100*time.Millisecond)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("ended (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.signals, m.signals); diff != "" {
				t.Errorf("signalled (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(tt.killed, m.killed); diff != "" {
				t.Errorf("killed (-want +got):\n%s", diff)
			}
			again, err := l.EndOrphans(t.Context(), time.Millisecond)
			if err != nil || len(again) != 0 {
				t.Errorf("a second time: %v, %v; want nothing left", again, err)
			}
		})
	}
}

func TestABrokenEntryIsForgotten(t *testing.T) {
	m := &machine{lives: map[int]string{}}
	l := m.processes(t)
	path := filepath.Join(l.dir, "half.json")
	if err := os.WriteFile(path, []byte(`{"name":"ha`), 0o644); err != nil {
		t.Fatal(err)
	}
	if got, err := l.EndOrphans(t.Context(), time.Millisecond); err != nil || len(got) != 0 {
		t.Errorf("EndOrphans: %v, %v", got, err)
	}
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the entry is still there (%v)", err)
	}
}

func TestARealProcessIsEndedByTheNextSupervisor(t *testing.T) {
	dir := t.TempDir()
	l, err := NewProcessList(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("sleep", "600")
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := l.Add(spec("sleep", process.TierController), cmd.Process.Pid); err != nil {
		t.Fatal(err)
	}
	next, err := NewProcessList(filepath.Join(dir, "run"))
	if err != nil {
		t.Fatal(err)
	}
	got, err := next.EndOrphans(t.Context(), 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"sleep"}, got); diff != "" {
		t.Errorf("ended (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	select {
	case <-ended:
	case <-ctx.Done():
		t.Error("the process still runs")
	}
}
