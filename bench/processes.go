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

// tick is the unit of the times in /proc/PID/stat, on every architecture that Go runs on.
const tick = 10 * time.Millisecond

// processorTime is what processes have taken of the processors; those that have ended count nothing.
func processorTime(pids []int) time.Duration {
	var ticks int64
	for _, pid := range pids {
		raw, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat"))
		if err != nil {
			continue
		}
		// The name, in brackets, may have blanks in it; utime and stime are the 14th and 15th of all.
		fields := strings.Fields(string(raw[bytes.LastIndexByte(raw, ')')+1:]))
		for _, i := range []int{11, 12} {
			if i < len(fields) {
				n, _ := strconv.ParseInt(fields[i], 10, 64) // a number, by the kernel
				ticks += n
			}
		}
	}
	return time.Duration(ticks) * tick
}
