package supervisor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/kairship-io/kairship/playground/internal/process"
)

// ProcessList is the written list of running processes, so that the next supervisor can end what a killed one left
// behind. A pid alone could meanwhile be another process's, so its start time is written too.
type ProcessList struct {
	dir string
	// startedAt and kill are the operating system's, except in tests.
	startedAt func(pid int) (string, error)
	kill      func(pid int, sig syscall.Signal) error
}

type entry struct {
	Name      string       `json:"name"`
	PID       int          `json:"pid"`
	StartedAt string       `json:"startedAt"`
	Tier      process.Tier `json:"tier"`
	Signal    string       `json:"signal,omitempty"`
}

// NewProcessList keeps the list in a folder of its own.
func NewProcessList(dir string) (*ProcessList, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("making the folder of running processes: %w", err)
	}
	return &ProcessList{dir: dir, startedAt: process.StartedAt, kill: syscall.Kill}, nil
}

// Add writes down that a process runs.
func (l *ProcessList) Add(s process.Spec, pid int) error {
	at, err := l.startedAt(pid)
	if err != nil {
		return err
	}
	b, err := json.Marshal(entry{Name: s.Name, PID: pid, StartedAt: at, Tier: s.Tier, Signal: s.StopSignal})
	if err != nil {
		return fmt.Errorf("recording process %s: %w", s.Name, err)
	}
	tmp := l.path(s.Name) + ".new"
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return fmt.Errorf("recording process %s: %w", s.Name, err)
	}
	return os.Rename(tmp, l.path(s.Name))
}

// Remove forgets a process that ended.
func (l *ProcessList) Remove(name string) { os.Remove(l.path(name)) }

func (l *ProcessList) path(name string) string { return filepath.Join(l.dir, name+".json") }

// orphans lists the written processes that still live, and forgets the others.
func (l *ProcessList) orphans() ([]entry, error) {
	files, err := os.ReadDir(l.dir)
	if err != nil {
		return nil, fmt.Errorf("reading the list of running processes: %w", err)
	}
	var alive []entry
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".json") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(l.dir, f.Name()))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading the list of running processes: %w", err)
		}
		var e entry
		if json.Unmarshal(b, &e) != nil || !l.lives(e) {
			os.Remove(filepath.Join(l.dir, f.Name()))
			continue
		}
		alive = append(alive, e)
	}
	slices.SortFunc(alive, func(a, b entry) int { return int(b.Tier) - int(a.Tier) })
	return alive, nil
}

func (l *ProcessList) lives(e entry) bool {
	at, err := l.startedAt(e.PID)
	return err == nil && at != "" && at == e.StartedAt
}

// EndOrphans stops what an earlier supervisor left behind, the upper tiers
// first, and returns their names.
func (l *ProcessList) EndOrphans(ctx context.Context, grace time.Duration) ([]string, error) {
	alive, err := l.orphans()
	if err != nil {
		return nil, err
	}
	var names []string
	for len(alive) > 0 {
		n := 1
		for n < len(alive) && alive[n].Tier == alive[0].Tier {
			n++
		}
		for _, e := range alive[:n] {
			names = append(names, e.Name)
		}
		if err := l.end(ctx, alive[:n], grace); err != nil {
			return names, err
		}
		alive = alive[n:]
	}
	return names, nil
}

// end asks the processes of one tier to stop and kills those that do not.
func (l *ProcessList) end(ctx context.Context, tier []entry, grace time.Duration) error {
	for _, e := range tier {
		sig, err := (process.Spec{Name: e.Name, StopSignal: e.Signal}).Signal()
		if err != nil {
			sig = syscall.SIGTERM
		}
		// Either may find it gone already, which is what we want.
		_ = l.kill(e.PID, sig)
		_ = l.kill(e.PID, syscall.SIGCONT) // it may have been paused
	}
	deadline := time.Now().Add(grace)
	for killed := false; ; {
		tier = slices.DeleteFunc(slices.Clone(tier), func(e entry) bool {
			if l.lives(e) {
				return false
			}
			l.Remove(e.Name)
			return true
		})
		if len(tier) == 0 {
			return nil
		}
		if time.Now().After(deadline) {
			if killed {
				return fmt.Errorf("process %d (%s) of an earlier fleet cannot be killed", tier[0].PID, tier[0].Name)
			}
			killed, deadline = true, time.Now().Add(grace)
			for _, e := range tier {
				for _, pid := range process.Descendants(e.PID) {
					_ = l.kill(pid, syscall.SIGKILL)
				}
				_ = l.kill(e.PID, syscall.SIGKILL)
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(50 * time.Millisecond):
		}
	}
}
