package process

import (
	"errors"
	"fmt"
	"os/exec"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// StartedAt identifies one life of a process id: another process that is given
// the same number later has another value. It is an opaque string, and empty
// when there is no such process.
func StartedAt(pid int) (string, error) {
	k, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if errors.Is(err, unix.ESRCH) || errors.Is(err, unix.EIO) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("reading the state of process %d: %w", pid, err)
	}
	const zombie = 5 // SZOMB of sys/proc.h
	if int(k.Proc.P_pid) != pid || k.Proc.P_stat == zombie {
		return "", nil
	}
	return fmt.Sprintf("%d.%06d", k.Proc.P_starttime.Sec, k.Proc.P_starttime.Usec), nil
}

// Resident is the memory a process holds, in bytes; 0 when that is unknown.
func Resident(pid int) int64 {
	out, err := exec.Command("ps", "-o", "rss=", "-p", strconv.Itoa(pid)).Output()
	if err != nil {
		return 0
	}
	kib, err := strconv.ParseInt(strings.TrimSpace(string(out)), 10, 64)
	if err != nil {
		return 0
	}
	return kib * 1024
}

// Descendants lists the children of a process, theirs, and so on.
func Descendants(pid int) []int {
	out, err := exec.Command("ps", "-axo", "pid=,ppid=").Output()
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, line := range strings.Split(string(out), "\n") {
		var child, parent int
		if n, _ := fmt.Sscan(line, &child, &parent); n == 2 {
			children[parent] = append(children[parent], child)
		}
	}
	return below(pid, children)
}
