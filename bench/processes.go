package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// process is what is known of a running process, where there is a /proc.
type process struct {
	pid     int
	command []string
}

// processes are all that run, as far as they can be seen; none where there is no /proc.
func processes() []process {
	files, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil
	}
	var out []process
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil || len(raw) == 0 {
			continue // it has ended
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			continue
		}
		out = append(out, process{pid, strings.Split(string(bytes.TrimRight(raw, "\x00")), "\x00")})
	}
	return out
}

// processorTime is what processes have taken of the processors; those that have ended count nothing, nor do threads of them
// that have.
func processorTime(pids []int) time.Duration {
	var sum time.Duration
	for _, pid := range pids {
		threads, err := filepath.Glob(filepath.Join("/proc", strconv.Itoa(pid), "task", "*", "schedstat"))
		if err != nil {
			continue
		}
		for _, file := range threads {
			raw, err := os.ReadFile(file)
			if fields := strings.Fields(string(raw)); err == nil && len(fields) > 0 {
				ran, _ := strconv.ParseInt(fields[0], 10, 64) // nanoseconds, by the kernel
				sum += time.Duration(ran)
			}
		}
	}
	return sum
}
