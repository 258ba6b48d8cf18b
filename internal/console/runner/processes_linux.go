package runner

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// process is a line of the list of processes.
type process struct {
	pid, parent, user int
	// dead says that it has ended, and waits for its parent to look.
	dead bool
}

// processes lists those of the machine, or of the container.
func processes() ([]process, error) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil, fmt.Errorf("listing processes: %w", err)
	}
	var out []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		raw, err := os.ReadFile(filepath.Join("/proc", e.Name(), "status"))
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ESRCH) {
			continue // it has just ended
		}
		if err != nil {
			return nil, fmt.Errorf("looking at process %d: %w", pid, err)
		}
		out = append(out, parseStatus(pid, raw))
	}
	return out, nil
}

// parseStatus reads a file /proc/PID/status.
func parseStatus(pid int, raw []byte) process {
	p := process{pid: pid}
	for line := range bytes.Lines(raw) {
		name, value, _ := strings.Cut(string(line), ":")
		first, _, _ := strings.Cut(strings.TrimSpace(value), "\t")
		switch name {
		case "State":
			p.dead = strings.HasPrefix(first, "Z") || strings.HasPrefix(first, "X")
		case "PPid":
			p.parent, _ = strconv.Atoi(first)
		case "Uid":
			p.user, _ = strconv.Atoi(first)
		}
	}
	return p
}

// ofUsers are the living processes of some users.
func ofUsers(all []process, users Users) (out []process) {
	for _, p := range all {
		if !p.dead && users.has(p.user) {
			out = append(out, p)
		}
	}
	return out
}

// below are the living processes that descend from one.
func below(all []process, root int) (out []process) {
	family := []int{root}
	for i := 0; i < len(family); i++ {
		for _, p := range all {
			if p.parent == family[i] && !slices.Contains(family, p.pid) {
				family = append(family, p.pid)
				if !p.dead {
					out = append(out, p)
				}
			}
		}
	}
	return out
}

// reap looks at what has ended without a parent of its own, which leaves its orphans to this process: nobody else would.
// spared are children that others wait for.
func reap(all []process, spared func(pid int) bool) {
	for _, p := range all {
		if p.dead && p.parent == os.Getpid() && !spared(p.pid) {
			_, _ = syscall.Wait4(p.pid, nil, syscall.WNOHANG, nil)
		}
	}
}

const (
	// endTimeout is how long the processes of a session may take to be gone once they are killed.
	endTimeout = 5 * time.Second
	endPause   = 10 * time.Millisecond
)

// gone kills what left finds until it finds nothing.
func gone(left func() ([]process, error), kill func([]process) error) error {
	deadline := time.Now().Add(endTimeout)
	for {
		found, err := left()
		if err != nil || len(found) == 0 {
			return err
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%d processes cannot be ended, process %d is one", len(found), found[0].pid)
		}
		if err := kill(found); err != nil {
			return err
		}
		time.Sleep(endPause)
	}
}

// killEach kills processes one by one.
func killEach(found []process) error {
	for _, p := range found {
		if err := syscall.Kill(p.pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("ending process %d: %w", p.pid, err)
		}
	}
	return nil
}
