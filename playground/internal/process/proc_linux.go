package process

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
)

var bootID = sync.OnceValue(func() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(b))
})

// StartedAt identifies one life of a process id: another process that is given
// the same number later, or after a reboot, has another value. It is an opaque
// string, and empty when there is no such process.
func StartedAt(pid int) (string, error) {
	fields, err := stat(pid)
	if err != nil || fields == nil {
		return "", err
	}
	if fields[0] == "Z" { // dead, only not yet waited for
		return "", nil
	}
	return bootID() + "/" + fields[19], nil // field 22 of proc(5): starttime
}

// stat returns the fields of /proc/PID/stat from the third (state) on. The
// second is the program's name, which may hold spaces and parentheses.
func stat(pid int) ([]string, error) {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errNoProcess) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("reading the state of process %d: %w", pid, err)
	}
	end := bytes.LastIndexByte(b, ')')
	if end < 0 {
		return nil, fmt.Errorf("reading the state of process %d: no name in it", pid)
	}
	fields := strings.Fields(string(b[end+1:]))
	if len(fields) < 20 {
		return nil, fmt.Errorf("reading the state of process %d: only %d fields", pid, len(fields))
	}
	return fields, nil
}

// Resident is the memory a process holds, in bytes; 0 when that is unknown.
func Resident(pid int) int64 {
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	pages, err := strconv.ParseInt(fields[1], 10, 64)
	if err != nil {
		return 0
	}
	return pages * int64(os.Getpagesize())
}

// Descendants lists the children of a process, theirs, and so on.
func Descendants(pid int) []int {
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		return nil
	}
	children := map[int][]int{}
	for _, path := range stats {
		child, err := strconv.Atoi(strings.Split(path, "/")[2])
		if err != nil {
			continue
		}
		fields, err := stat(child)
		if err != nil || fields == nil {
			continue
		}
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], child)
		}
	}
	return below(pid, children)
}
