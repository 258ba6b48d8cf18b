//go:build unix

package process

import (
	"fmt"
	"syscall"
)

// errNoProcess is the error of reading the files of a process that has just ended.
const errNoProcess = syscall.ESRCH

// Signals by the names that a Spec uses.
var signals = map[string]syscall.Signal{
	"":     syscall.SIGTERM,
	"TERM": syscall.SIGTERM,
	"INT":  syscall.SIGINT,
}

// Signal returns the signal that asks the program of this spec to stop.
func (s Spec) Signal() (syscall.Signal, error) {
	sig, ok := signals[s.StopSignal]
	if !ok {
		return 0, fmt.Errorf("process %s: stopSignal %q: allowed are TERM and INT", s.Name, s.StopSignal)
	}
	return sig, nil
}

func below(pid int, children map[int][]int) []int {
	var all []int
	for _, c := range children[pid] {
		all = append(append(all, c), below(c, children)...)
	}
	return all
}
